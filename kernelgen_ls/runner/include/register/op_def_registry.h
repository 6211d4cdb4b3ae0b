// OpDef and OP_ADD.
#pragma once
#include "../host/op_def.h"
#include "../register/tilingdata_base.h"
