#ifndef LEAKY_RELU_TILING_H
#define LEAKY_RELU_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(LeakyReluTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalElements);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF(float, slope);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(LeakyRelu, LeakyReluTilingData)
}
#endif // LEAKY_RELU_TILING_H
