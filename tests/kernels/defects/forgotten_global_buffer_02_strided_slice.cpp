// y = x[:, 64:192] of a [rows, 256] fp16 matrix: one strided DataCopy per group of rows
#include "kernel_operator.h"
using namespace AscendC;

class StridedSlice {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        xGm.SetGlobalBuffer((__gm__ half *)x);
        
        pipe.InitBuffer(queue, 2, GROUP * KEPT * sizeof(half));
    }
    __aicore__ inline void Process(uint32_t rows)
    {
        // blockLen and strides count blocks of 32 bytes
        DataCopyParams in;
        in.blockCount = GROUP;
        in.blockLen = KEPT * sizeof(half) / 32;
        in.srcStride = (WIDTH - KEPT) * sizeof(half) / 32;
        in.dstStride = 0;
        for (uint32_t row = GetBlockIdx() * GROUP; row < rows; row += GetBlockNum() * GROUP) {
            LocalTensor<half> part = queue.AllocTensor<half>();
            DataCopy(part, xGm[row * WIDTH + FIRST], in);
            queue.EnQue(part);
            part = queue.DeQue<half>();
            DataCopy(yGm[row * KEPT], part, GROUP * KEPT);  // expect: warning
            queue.FreeTensor(part);
        }
    }

private:
    static constexpr uint32_t WIDTH = 256;
    static constexpr uint32_t FIRST = 64;
    static constexpr uint32_t KEPT = 128;
    static constexpr uint16_t GROUP = 32;
    TPipe pipe;
    TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> queue;
    GlobalTensor<half> xGm;
    GlobalTensor<half> yGm;
};

extern "C" __global__ __aicore__ void strided_slice(GM_ADDR x, GM_ADDR y)
{
    StridedSlice op;
    op.Init(x, y);
    op.Process(8192);
}
