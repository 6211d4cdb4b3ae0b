// OpDef.
#pragma once
#include "../host/op_def.h"
