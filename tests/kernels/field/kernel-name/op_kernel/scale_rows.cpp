#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void scale_row(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)  // expect: embedded/agreement
{
    GET_TILING_DATA(t, tiling);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 1024);
    LocalTensor<DTYPE_X> a = buf.Get<DTYPE_X>();
    Adds(a, a, (DTYPE_X)1, t.totalLength);
}
