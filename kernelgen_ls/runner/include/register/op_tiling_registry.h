// Tiling registration.
#pragma once
#include "../host/op_impl.h"
#include "../register/tilingdata_base.h"
