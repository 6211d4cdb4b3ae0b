#ifndef SILU_MUL_TILING_H
#define SILU_MUL_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SiluMulTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(SiluMul, SiluMulTilingData)
} // namespace optiling
#endif // SILU_MUL_TILING_H
