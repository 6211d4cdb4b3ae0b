#ifndef SCALE_ROWS_TILING_H
#define SCALE_ROWS_TILING_H
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleRowsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, tileNum);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleRow, ScaleRowsTilingData)  // expect: embedded/agreement
}
#endif
