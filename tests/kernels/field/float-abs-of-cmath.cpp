#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x, float v, int32_t i)
{
    bool bad = isnan(v) || isinf(v);
    int32_t a = abs(i);
    float e = expf(v);
    assert(a >= 0);
    printf("%d %f %d\n", a, e, bad);
}
