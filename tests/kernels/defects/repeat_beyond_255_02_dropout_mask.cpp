#include "kernel_operator.h"
using namespace AscendC;

// y = x * keep / (1 - p); keep is a mask of bytes, 0 or 1
template <typename T>
__aicore__ inline void Drop(LocalTensor<T> &y, const LocalTensor<T> &x, const LocalTensor<half> &keep, float scale, uint32_t n)
{
    Mul(y, x, keep, n);
    Muls(y, y, static_cast<T>(scale), n);
}

extern "C" __global__ __aicore__ void dropout_mask(GM_ADDR x, GM_ADDR keep, GM_ADDR y)
{
    constexpr uint32_t kLength = 65536;
    constexpr uint32_t kTile = 4096;
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> xQueue;
    TQue<QuePosition::VECIN, 2> keepQueue;
    TQue<QuePosition::VECOUT, 2> yQueue;
    TBuf<QuePosition::VECCALC> keepBuf;
    GlobalTensor<half> xGm, yGm;
    GlobalTensor<uint8_t> keepGm;
    xGm.SetGlobalBuffer((__gm__ half *)x + kLength * GetBlockIdx(), kLength);
    keepGm.SetGlobalBuffer((__gm__ uint8_t *)keep + kLength * GetBlockIdx(), kLength);
    yGm.SetGlobalBuffer((__gm__ half *)y + kLength * GetBlockIdx(), kLength);
    pipe.InitBuffer(xQueue, 2, kTile * sizeof(half));
    pipe.InitBuffer(keepQueue, 2, kTile * sizeof(uint8_t));
    pipe.InitBuffer(yQueue, 2, kTile * sizeof(half));
    pipe.InitBuffer(keepBuf, kTile * sizeof(half));
    LocalTensor<half> keepHalf = keepBuf.Get<half>();
    for (uint32_t offset = 0; offset < kLength; offset += kTile) {
        {
            LocalTensor<half> xIn = xQueue.AllocTensor<half>();
            LocalTensor<uint8_t> keepIn = keepQueue.AllocTensor<uint8_t>();
            DataCopy(xIn, xGm[offset], kTile);
            DataCopy(keepIn, keepGm[offset], kTile);
            xQueue.EnQue(xIn);
            keepQueue.EnQue(keepIn);
        }
        LocalTensor<half> xLocal = xQueue.DeQue<half>();
        LocalTensor<uint8_t> keepLocal = keepQueue.DeQue<uint8_t>();
        LocalTensor<half> yLocal = yQueue.AllocTensor<half>();
        Cast(keepHalf, keepLocal, RoundMode::CAST_NONE, kTile);
        Drop(yLocal, xLocal, keepHalf, 1.0f / 0.9f, kTile);
        yQueue.EnQue(yLocal);
        xQueue.FreeTensor(xLocal);
        keepQueue.FreeTensor(keepLocal);
        LocalTensor<half> yOut = yQueue.DeQue<half>(); Duplicate(yOut, (half)0, 64, 300, 1, 8);  // expect: warning
        DataCopy(yGm[offset], yOut, kTile);
        yQueue.FreeTensor(yOut);
    }
}
