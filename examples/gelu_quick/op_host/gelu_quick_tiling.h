#ifndef GELU_QUICK_TILING_H
#define GELU_QUICK_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GeluQuickTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(uint32_t, chunkSize);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(GeluQuick, GeluQuickTilingData)
}
#endif // GELU_QUICK_TILING_H
