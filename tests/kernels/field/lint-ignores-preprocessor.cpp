#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
#if defined(__NPU_ARCH__) && (__NPU_ARCH__ == 3510)
    LocalTensor<uint8_t> bytes = buf.Get<uint8_t>();
    Duplicate(bytes, static_cast<uint8_t>(0), 256);
#endif
}
