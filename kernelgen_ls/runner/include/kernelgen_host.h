// What host code of operators includes, all of it: the precompiled form that host files are checked with.
#pragma once
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"
#include "graph/utils/type_utils.h"
#include "platform/platform_info.h"
