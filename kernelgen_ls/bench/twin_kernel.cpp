// The magnitudes of many halfs: one vector instruction for everything that is copied in and out.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t LENGTH = 32 * 1024 * 1024;
constexpr uint32_t TILE = 16 * 1024;

extern "C" __global__ __aicore__ void many_halfs(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> queueX;
    TQue<QuePosition::VECOUT, 2> queueY;
    pipe.InitBuffer(queueX, 2, TILE * sizeof(half));
    pipe.InitBuffer(queueY, 2, TILE * sizeof(half));
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x, LENGTH);
    yGm.SetGlobalBuffer((__gm__ half *)y, LENGTH);
    for (uint32_t offset = 0; offset < LENGTH; offset += TILE) {
        LocalTensor<half> xLocal = queueX.AllocTensor<half>();
        DataCopy(xLocal, xGm[offset], TILE);
        queueX.EnQue(xLocal);
        xLocal = queueX.DeQue<half>();
        LocalTensor<half> yLocal = queueY.AllocTensor<half>();
        Abs(yLocal, xLocal, TILE);
        queueX.FreeTensor(xLocal);
        queueY.EnQue(yLocal);
        yLocal = queueY.DeQue<half>();
        DataCopy(yGm[offset], yLocal, TILE);
        queueY.FreeTensor(yLocal);
    }
}
