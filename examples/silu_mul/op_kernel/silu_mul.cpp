#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

// y = x / (1 + exp(-x)) * gate
template <typename T>
class KernelSiluMul {
public:
    __aicore__ inline KernelSiluMul() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR gate, GM_ADDR y, uint32_t totalLength, uint32_t tileLength)
    {
        uint32_t blockLength = (totalLength + GetBlockNum() - 1) / GetBlockNum();
        blockLength = (blockLength + 31) / 32 * 32;
        uint32_t start = blockLength * GetBlockIdx();
        this->tileLength = tileLength;
        this->length = start >= totalLength ? 0 : (totalLength - start < blockLength ? totalLength - start : blockLength);
        xGm.SetGlobalBuffer((__gm__ T *)x + start, this->length);
        gateGm.SetGlobalBuffer((__gm__ T *)gate + start, this->length);
        yGm.SetGlobalBuffer((__gm__ T *)y + start, this->length);
        pipe.InitBuffer(inQueueX, BUFFER_NUM, tileLength * sizeof(T));
        pipe.InitBuffer(inQueueGate, BUFFER_NUM, tileLength * sizeof(T));
        pipe.InitBuffer(outQueueY, BUFFER_NUM, tileLength * sizeof(T));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t offset = 0; offset < this->length; offset += this->tileLength) {
            uint32_t count = this->length - offset < this->tileLength ? this->length - offset : this->tileLength;
            CopyIn(offset, count);
            Compute(count);
            CopyOut(offset, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset, uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX.AllocTensor<T>();
        LocalTensor<T> gateLocal = inQueueGate.AllocTensor<T>();
        DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm[offset], copyParams, padParams);
        DataCopyPad(gateLocal, gateGm[offset], copyParams, padParams);
        inQueueX.EnQue(xLocal);
        inQueueGate.EnQue(gateLocal);
    }
    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX.DeQue<T>();
        LocalTensor<T> gateLocal = inQueueGate.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY.AllocTensor<T>();
        Muls(yLocal, xLocal, static_cast<T>(-1.0f), count);
        Exp(yLocal, yLocal, count);
        Adds(yLocal, yLocal, static_cast<T>(1.0f), count);
        Div(yLocal, xLocal, yLocal, count);
        Mul(yLocal, yLocal, gateLocal, count);
        outQueueY.EnQue(yLocal);
        inQueueX.FreeTensor(xLocal);
        inQueueGate.FreeTensor(gateLocal);
    }
    __aicore__ inline void CopyOut(uint32_t offset, uint32_t count)
    {
        LocalTensor<T> yLocal = outQueueY.DeQue<T>();
        DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm[offset], yLocal, copyParams);
        outQueueY.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX, inQueueGate;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueY;
    GlobalTensor<T> xGm, gateGm, yGm;
    uint32_t length = 0;
    uint32_t tileLength = 0;
};

extern "C" __global__ __aicore__ void silu_mul(GM_ADDR x, GM_ADDR gate, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    KernelSiluMul<DTYPE_X> op;
    op.Init(x, gate, y, tilingData.totalLength, tilingData.tileLength);
    op.Process();
}
