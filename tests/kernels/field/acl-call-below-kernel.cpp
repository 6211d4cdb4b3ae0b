#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x) {}
#ifndef __CCE_KT_TEST__
void k_do(uint32_t blockDim, void *l2ctrl, void *stream, uint8_t *x)
{
    k<<<blockDim, l2ctrl, stream>>>(x);
    aclrtSynchronizeStream(stream);
}
#endif
