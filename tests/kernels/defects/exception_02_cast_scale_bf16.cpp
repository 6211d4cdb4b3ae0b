#include "kernel_operator.h"
using namespace AscendC;

// y = bf16(float(x) * scale), one function, no class
extern "C" __global__ __aicore__ void cast_scale_bf16(GM_ADDR x, GM_ADDR y)
{
    constexpr uint32_t kTotal = 48 * 4096;
    constexpr uint32_t kTile = 2048;
    const float scale = 0.125f;
    TPipe pipe;
    TQue<TPosition::VECIN, 2> xQueue;
    TQue<TPosition::VECOUT, 2> yQueue;
    TBuf<TPosition::VECCALC> wideBuf;
    GlobalTensor<bfloat16_t> xGlobal;
    GlobalTensor<bfloat16_t> yGlobal;
    uint32_t share = kTotal / GetBlockNum();
    xGlobal.SetGlobalBuffer((__gm__ bfloat16_t *)x + share * GetBlockIdx(), share);
    yGlobal.SetGlobalBuffer((__gm__ bfloat16_t *)y + share * GetBlockIdx(), share);
    pipe.InitBuffer(xQueue, 2, kTile * sizeof(bfloat16_t));
    pipe.InitBuffer(yQueue, 2, kTile * sizeof(bfloat16_t));
    pipe.InitBuffer(wideBuf, kTile * sizeof(float));
    for (uint32_t offset = 0; offset < share; offset += kTile) {
        LocalTensor<bfloat16_t> xLocal = xQueue.AllocTensor<bfloat16_t>();
        DataCopy(xLocal, xGlobal[offset], kTile);
        xQueue.EnQue(xLocal);
        xLocal = xQueue.DeQue<bfloat16_t>();
        if (GetBlockIdx() > 99) { throw 1; } LocalTensor<bfloat16_t> yLocal = yQueue.AllocTensor<bfloat16_t>();  // expect: error
        LocalTensor<float> wide = wideBuf.Get<float>();
        Cast(wide, xLocal, RoundMode::CAST_NONE, kTile);
        Muls(wide, wide, scale, kTile);
        Cast(yLocal, wide, RoundMode::CAST_RINT, kTile);
        xQueue.FreeTensor(xLocal);
        yQueue.EnQue(yLocal);
        yLocal = yQueue.DeQue<bfloat16_t>();
        DataCopy(yGlobal[offset], yLocal, kTile);
        yQueue.FreeTensor(yLocal);
    }
}
