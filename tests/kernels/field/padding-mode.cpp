#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    GlobalTensor<half> xGm;
    LocalTensor<half> xLocal;
    DataCopyExtParams params{2, 20, 0, 0, 0};
    DataCopyPadExtParams<half> pad{false, 0, 0, 0};
    DataCopyPad<half, PaddingMode::Compact>(xLocal, xGm, params, pad);  // expect: kernel/missing-global-buffer
}
