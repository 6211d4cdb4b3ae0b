#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    LocalTensor<half> a1, a2;
    LocalTensor<float> c;
    GlobalTensor<float> out;
    LoadDataWithTranspose(a2, a1, LoadData2dTransposeParams(0, 4, 1, 0, 0));
    DataCopyCO12DstParams params;
    params.unitFlag = 3;
    DataCopy(out, c, params);  // expect: kernel/missing-global-buffer
}
