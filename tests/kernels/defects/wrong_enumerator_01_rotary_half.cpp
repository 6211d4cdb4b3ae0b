/*
 * Rotary embedding, half-split: y = x * cos + rotate(x) * sin,
 * rotate([a, b]) = [-b, a]. cos and sin have the width of one head.
 */
#include "kernel_operator.h"
using namespace AscendC;

struct RotaryTiling {
    uint32_t positions = 2048;
    uint32_t heads = 16;
    uint32_t headWidth = 128;
};

class KernelRotary {
public:
    __aicore__ inline KernelRotary() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR cosTable, GM_ADDR sinTable, GM_ADDR y, const RotaryTiling &tiling)
    {
        this->tiling = tiling;
        uint32_t perRow = tiling.heads * tiling.headWidth;
        xGm.SetGlobalBuffer((__gm__ float *)x, tiling.positions * perRow);
        yGm.SetGlobalBuffer((__gm__ float *)y, tiling.positions * perRow);
        cosGm.SetGlobalBuffer((__gm__ float *)cosTable, tiling.positions * tiling.headWidth);
        sinGm.SetGlobalBuffer((__gm__ float *)sinTable, tiling.positions * tiling.headWidth);
        pipe.InitBuffer(inQueueX, 2, tiling.headWidth * sizeof(float));
        pipe.InitBuffer(inQueueCos, 1, tiling.headWidth * sizeof(float));
        pipe.InitBuffer(inQueueSin, 1, tiling.headWidth * sizeof(float));
        pipe.InitBuffer(outQueueY, 2, tiling.headWidth * sizeof(float));
        pipe.InitBuffer(rotatedBuf, tiling.headWidth * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t position = GetBlockIdx(); position < tiling.positions; position += GetBlockNum()) {
            LocalTensor<float> cosIn = inQueueCos.AllocTensor<float>();
            LocalTensor<float> sinIn = inQueueSin.AllocTensor<float>();
            DataCopy(cosIn, cosGm[position * tiling.headWidth], tiling.headWidth);
            DataCopy(sinIn, sinGm[position * tiling.headWidth], tiling.headWidth);
            inQueueCos.EnQue(cosIn);
            inQueueSin.EnQue(sinIn);
            LocalTensor<float> cosLocal = inQueueCos.DeQue<float>();
            LocalTensor<float> sinLocal = inQueueSin.DeQue<float>();
            for (uint32_t head = 0; head < tiling.heads; head++) {
                uint32_t offset = (position * tiling.heads + head) * tiling.headWidth;
                CopyIn(offset);
                Compute(cosLocal, sinLocal);
                CopyOut(offset);
            }
            inQueueCos.FreeTensor(cosLocal);
            inQueueSin.FreeTensor(sinLocal);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset)
    {
        LocalTensor<float> xLocal = inQueueX.AllocTensor<float>();
        DataCopy(xLocal, xGm[offset], tiling.headWidth);
        inQueueX.EnQue(xLocal);
    }
    __aicore__ inline void Compute(const LocalTensor<float> &cosLocal, const LocalTensor<float> &sinLocal)
    {
        LocalTensor<float> xLocal = inQueueX.DeQue<float>();
        LocalTensor<float> yLocal = outQueueY.AllocTensor<float>();
        LocalTensor<float> rotated = rotatedBuf.Get<float>();
        uint32_t middle = tiling.headWidth / 2;
        Muls(rotated, xLocal[middle], -1.0f, middle);
        Muls(rotated[middle], xLocal, 1.0f, middle);
        Mul(yLocal, xLocal, cosLocal, tiling.headWidth);
        Mul(rotated, rotated, sinLocal, tiling.headWidth);
        Add(yLocal, yLocal, rotated, tiling.headWidth);
        outQueueY.EnQue(yLocal);
        inQueueX.FreeTensor(xLocal);
    }
    __aicore__ inline void CopyOut(uint32_t offset)
    {
        LocalTensor<float> yLocal = outQueueY.DeQue<float>();
        DataCopy(yGm[offset], yLocal, tiling.headWidth);
        outQueueY.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueueX;
    TQue<TPosition::VECIN, 1> inQueueCos, inQueueSin;
    TQue<TPosition::VECOUT, 2> outQueueY;
    TBuf<TPosition::VECCALC_BUF> rotatedBuf;  // expect: error
    GlobalTensor<float> xGm, cosGm, sinGm, yGm;
    RotaryTiling tiling;
};

extern "C" __global__ __aicore__ void rotary_half(GM_ADDR x, GM_ADDR cosTable, GM_ADDR sinTable, GM_ADDR y)
{
    RotaryTiling tiling;
    KernelRotary op;
    op.Init(x, cosTable, sinTable, y, tiling);
    op.Process();
}
