#ifndef ROW_MEAN_SQUARE_TILING_H
#define ROW_MEAN_SQUARE_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RowMeanSquareTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalRows);
TILING_DATA_FIELD_DEF(uint32_t, rowLength);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(RowMeanSquare, RowMeanSquareTilingData)
}
#endif // ROW_MEAN_SQUARE_TILING_H
