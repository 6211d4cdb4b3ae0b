// y = x * scale + shift, elementwise over half: each core takes one slice, tile by tile, copies overlap with work.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t CORE_LENGTH = 8192;
constexpr uint32_t TILE_LENGTH = 1024;

class KernelScaleShift {
public:
    __aicore__ inline KernelScaleShift() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        uint32_t start = CORE_LENGTH * GetBlockIdx();
        xGm.SetGlobalBuffer((__gm__ half *)x + start, CORE_LENGTH);
        yGm.SetGlobalBuffer((__gm__ half *)y + start, CORE_LENGTH);
        pipe.InitBuffer(inQueueX, BUFFER_NUM, TILE_LENGTH * sizeof(half));
        pipe.InitBuffer(outQueueY, BUFFER_NUM, TILE_LENGTH * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t tile = 0; tile < CORE_LENGTH / TILE_LENGTH; tile++) {
            CopyIn(tile);
            Compute();
            CopyOut(tile);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t tile)
    {
        LocalTensor<half> xLocal = inQueueX.AllocTensor<half>();
        DataCopy(xLocal, xGm[tile * TILE_LENGTH], TILE_LENGTH);
        inQueueX.EnQue(xLocal);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<half> xLocal = inQueueX.DeQue<half>();
        LocalTensor<half> yLocal = outQueueY.AllocTensor<half>();
        Muls(yLocal, xLocal, static_cast<half>(2.0f), TILE_LENGTH);
        Adds(yLocal, yLocal, static_cast<half>(1.0f), TILE_LENGTH);
        outQueueY.EnQue(yLocal);
        inQueueX.FreeTensor(xLocal);
    }
    __aicore__ inline void CopyOut(uint32_t tile)
    {
        LocalTensor<half> yLocal = outQueueY.DeQue<half>();
        DataCopy(yGm[tile * TILE_LENGTH], yLocal, TILE_LENGTH);
        outQueueY.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueY;
    GlobalTensor<half> xGm;
    GlobalTensor<half> yGm;
};

// formula: y = x * 2 + 1
// in x: float16 [65536]
// out y: float16 [65536]
extern "C" __global__ __aicore__ void scale_shift(GM_ADDR x, GM_ADDR y)
{
    KernelScaleShift op;
    op.Init(x, y);
    op.Process();
}
