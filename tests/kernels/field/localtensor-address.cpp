#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    LocalTensor<uint8_t> l1;
    l1.InitBuffer(0, 512 * 1024);
    l1.address_.logicPos = static_cast<uint8_t>(TPosition::A1);
}
