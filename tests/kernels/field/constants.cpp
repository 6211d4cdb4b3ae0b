#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    uint16_t stride = DEFAULT_DATA_COPY_STRIDE;
    int32_t c0 = DEFAULT_C0_SIZE;
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    (void)stride; (void)c0;
}
