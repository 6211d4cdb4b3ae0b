#ifndef ADD_RESIDUAL_TILING_H
#define ADD_RESIDUAL_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(AddResidualTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalSize);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF(float, alpha);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(AddResidual, AddResidualTilingData)
}
#endif // ADD_RESIDUAL_TILING_H
