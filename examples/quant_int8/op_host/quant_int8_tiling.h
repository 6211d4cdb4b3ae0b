#ifndef QUANT_INT8_TILING_H
#define QUANT_INT8_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(QuantInt8TilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalElements);
TILING_DATA_FIELD_DEF(uint32_t, step);
TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(QuantInt8, QuantInt8TilingData)
}
#endif // QUANT_INT8_TILING_H
