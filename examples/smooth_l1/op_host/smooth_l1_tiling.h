#ifndef SMOOTH_L1_TILING_H
#define SMOOTH_L1_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SmoothL1TilingData)
TILING_DATA_FIELD_DEF(uint32_t, elementCount);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(SmoothL1, SmoothL1TilingData)
}
#endif // SMOOTH_L1_TILING_H
