#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void norm_grad(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> ub;
    pipe.InitBuffer(ub, 196352);
    GlobalTensor<float> xGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 8192);
    auto mat = ub.GetWithOffset<float>(8192, 164160);   // ends at byte 196928, behind the buffer  // expect: kernel/buffer-overrun
    DataCopy(mat, xGm, 8192);
    auto odd = ub.GetWithOffset<float>(64, 20);         // starts at byte 20
    Adds(odd, odd, 1.0f, 64);  // expect: kernel/local-offset-alignment
}
