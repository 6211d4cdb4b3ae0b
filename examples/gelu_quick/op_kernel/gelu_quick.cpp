// y = quick_gelu(x)
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUF_NUM = 2;

template <typename T>
class GeluQuickOp {
public:
    // Bind the global tensors and allocate the buffers
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t length, uint32_t chunkSize)
    {
        length_ = length;
        chunkSize_ = chunkSize;
        uint32_t blockLength = (length_ + GetBlockNum() - 1) / GetBlockNum();
        blockLength = (blockLength + 63) / 64 * 64;
        uint32_t baseOffset = blockLength * GetBlockIdx();
        localLength_ = blockLength;
        if (baseOffset + blockLength > length_) {
            localLength_ = baseOffset < length_ ? length_ - baseOffset : 0;
        }
        xGm_.SetGlobalBuffer((__gm__ T *)x + baseOffset, localLength_);
        yGm_.SetGlobalBuffer((__gm__ T *)y + baseOffset, localLength_);
        pipe_.InitBuffer(inQueueX_, BUF_NUM, chunkSize_ * sizeof(T));
        pipe_.InitBuffer(outQueueY_, BUF_NUM, chunkSize_ * sizeof(T));
    }

    __aicore__ inline void Process()
    {
        for (uint32_t offset = 0; offset < localLength_; offset += chunkSize_) {
            uint32_t valid = localLength_ - offset < chunkSize_ ? localLength_ - offset : chunkSize_;
            CopyIn(offset, valid);
            Compute(valid);
            CopyOut(offset, valid);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset, uint32_t valid)
    {
        LocalTensor<T> xLocal = inQueueX_.AllocTensor<T>();
        DataCopyExtParams copyInParams{1, static_cast<uint32_t>(valid * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[offset], copyInParams, padParams);
        inQueueX_.EnQue<T>(xLocal);
    }

    __aicore__ inline void Compute(uint32_t valid)
    {
        LocalTensor<T> xLocal = inQueueX_.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY_.AllocTensor<T>();
        Muls(yLocal, xLocal, static_cast<T>(-1.702f), valid);
        Exp(yLocal, yLocal, valid);
        Adds(yLocal, yLocal, static_cast<T>(1.0f), valid);
        Div(yLocal, xLocal, yLocal, valid);
        outQueueY_.EnQue<T>(yLocal);
        inQueueX_.FreeTensor(xLocal);
    }

    __aicore__ inline void CopyOut(uint32_t offset, uint32_t valid)
    {
        LocalTensor<T> yLocal = outQueueY_.DeQue<T>();
        DataCopyExtParams copyInParams{1, static_cast<uint32_t>(valid * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[offset], yLocal, copyInParams);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, BUF_NUM> inQueueX_;
    TQue<TPosition::VECOUT, BUF_NUM> outQueueY_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t length_;
    uint32_t chunkSize_;
    uint32_t localLength_;
};

extern "C" __global__ __aicore__ void gelu_quick(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(td, tiling);
    GeluQuickOp<DTYPE_X> op;
    op.Init(x, y, td.length, td.chunkSize);
    op.Process();
}
