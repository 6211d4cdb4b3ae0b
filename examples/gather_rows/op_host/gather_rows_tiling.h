#ifndef GATHER_ROWS_TILING_H
#define GATHER_ROWS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GatherRowsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rowCount);
TILING_DATA_FIELD_DEF(uint32_t, width);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(GatherRows, GatherRowsTilingData)
}
#endif // GATHER_ROWS_TILING_H
