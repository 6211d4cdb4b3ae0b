#include "kernel_operator.h"
extern "C" __global__ __aicore__ void my_op(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    uint32_t n = data.tileNum * data.tileLength;
    (void)n;
}
