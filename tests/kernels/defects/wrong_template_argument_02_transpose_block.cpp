#include "kernel_operator.h"
using namespace AscendC;

// Transposes one 16 x 16 block of half a core: block b of the input becomes block b of the output.
extern "C" __global__ __aicore__ void transpose_block(GM_ADDR source, GM_ADDR target)
{
    constexpr uint32_t kSide = 16;
    constexpr uint32_t kBlock = kSide * kSide;
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> sourceQueue;
    TQue<QuePosition::VECOUT, 1> targetQueue;
    GlobalTensor<half> sourceGlobal;
    GlobalTensor<half> targetGlobal;
    sourceGlobal.SetGlobalBuffer((__gm__ half *)source + GetBlockIdx() * kBlock, kBlock);
    targetGlobal.SetGlobalBuffer((__gm__ half *)target + GetBlockIdx() * kBlock, kBlock);
    pipe.InitBuffer(sourceQueue, 1, kBlock * sizeof(half));
    pipe.InitBuffer(targetQueue, 1, kBlock * sizeof(half));

    LocalTensor<half> sourceLocal = sourceQueue.AllocTensor<int16_t>();  // expect: error
    DataCopy(sourceLocal, sourceGlobal, kBlock);
    sourceQueue.EnQue(sourceLocal);
    sourceLocal = sourceQueue.DeQue<half>();
    LocalTensor<half> targetLocal = targetQueue.AllocTensor<half>();
    Transpose(targetLocal, sourceLocal);
    targetQueue.EnQue(targetLocal);
    sourceQueue.FreeTensor(sourceLocal);
    targetLocal = targetQueue.DeQue<half>();
    DataCopy(targetGlobal, targetLocal, kBlock);
    targetQueue.FreeTensor(targetLocal);
}
