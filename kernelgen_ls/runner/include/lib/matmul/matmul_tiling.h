// The Matmul tiling.
#pragma once
#include "../../tiling/tiling_api.h"
