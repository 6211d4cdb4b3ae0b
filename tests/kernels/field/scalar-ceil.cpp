#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x, uint32_t n)
{
    uint32_t blocks = Ceil(n * sizeof(half), 32) * 32;
    uint32_t tiles = Ceil(n, 8U);
    (void)blocks; (void)tiles;
}
