// y = where(abs(predict - label) < 1, square(predict - label) * 0.5, abs(predict - label) - 0.5)
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUF_NUM = 2;

template <typename T>
class KernelSmoothL1 {
public:
    __aicore__ inline KernelSmoothL1() {}
    // Bind the global tensors and allocate the buffers
    __aicore__ inline void Init(GM_ADDR predict, GM_ADDR label, GM_ADDR y, uint32_t elementCount, uint32_t tileLength)
    {
        elementCount_ = elementCount;
        tileLength_ = tileLength;
        uint32_t perCore = (elementCount_ + GetBlockNum() - 1) / GetBlockNum();
        perCore = (perCore + 63) / 64 * 64;
        uint32_t blockStart = perCore * GetBlockIdx();
        myLength_ = perCore;
        if (blockStart + perCore > elementCount_) {
            myLength_ = blockStart < elementCount_ ? elementCount_ - blockStart : 0;
        }
        // addresses of this core's block
        predictGm_.SetGlobalBuffer((__gm__ T *)predict + blockStart, myLength_);
        labelGm_.SetGlobalBuffer((__gm__ T *)label + blockStart, myLength_);
        yGm_.SetGlobalBuffer((__gm__ T *)y + blockStart, myLength_);
        pipe_.InitBuffer(inQueuePredict_, BUF_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(inQueueLabel_, BUF_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(outQueueY_, BUF_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(tmp0Buf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(tmp1Buf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(cmpMaskBuf_, tileLength_);
    }

    // Main loop over the tiles
    __aicore__ inline void Process()
    {
        for (uint32_t cursor = 0; cursor < myLength_; cursor += tileLength_) {
            // the last tile may be short
            uint32_t current = myLength_ - cursor < tileLength_ ? myLength_ - cursor : tileLength_;
            CopyIn(cursor, current);
            Compute(current);
            CopyOut(cursor, current);
        }
    }

private:
    // Load one tile
    __aicore__ inline void CopyIn(uint32_t cursor, uint32_t current)
    {
        LocalTensor<T> predictLocal = inQueuePredict_.AllocTensor<T>();
        LocalTensor<T> labelLocal = inQueueLabel_.AllocTensor<T>();
        DataCopyExtParams extParams{1, static_cast<uint32_t>(current * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
        DataCopyPad(predictLocal, predictGm_[cursor], extParams, padParams);
        DataCopyPad(labelLocal, labelGm_[cursor], extParams, padParams);
        inQueuePredict_.EnQue<T>(predictLocal);
        inQueueLabel_.EnQue<T>(labelLocal);
    }

    __aicore__ inline void Compute(uint32_t current)
    {
        LocalTensor<T> predictLocal = inQueuePredict_.DeQue<T>();
        LocalTensor<T> labelLocal = inQueueLabel_.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY_.AllocTensor<T>();
        LocalTensor<float> tmp0 = tmp0Buf_.Get<float>();
        LocalTensor<float> tmp1 = tmp1Buf_.Get<float>();
        LocalTensor<uint8_t> cmpMask = cmpMaskBuf_.Get<uint8_t>();
        Sub(yLocal, predictLocal, labelLocal, current);
        Abs(tmp0, yLocal, current);
        Mul(yLocal, yLocal, yLocal, current);
        Muls(yLocal, yLocal, static_cast<T>(0.5f), current);
        Adds(tmp1, tmp0, static_cast<T>(-0.5f), current);
        // whole repeats are compared: what lies beyond the tile is not selected
        CompareScalar(cmpMask, tmp0, static_cast<T>(1.0f), CMPMODE::LT, (current + 63) / 64 * 64);
        Select(yLocal, cmpMask, yLocal, tmp1, SELMODE::VSEL_TENSOR_TENSOR_MODE, current);
        outQueueY_.EnQue<T>(yLocal);
        inQueuePredict_.FreeTensor(predictLocal);
        inQueueLabel_.FreeTensor(labelLocal);
    }

    __aicore__ inline void CopyOut(uint32_t cursor, uint32_t current)
    {
        LocalTensor<T> yLocal = outQueueY_.DeQue<T>();
        DataCopyExtParams extParams{1, static_cast<uint32_t>(current * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[cursor], yLocal, extParams);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUF_NUM> inQueuePredict_;
    TQue<QuePosition::VECIN, BUF_NUM> inQueueLabel_;
    TQue<QuePosition::VECOUT, BUF_NUM> outQueueY_;
    TBuf<TPosition::VECCALC> tmp0Buf_;
    TBuf<TPosition::VECCALC> tmp1Buf_;
    TBuf<TPosition::VECCALC> cmpMaskBuf_;
    GlobalTensor<T> predictGm_;
    GlobalTensor<T> labelGm_;
    GlobalTensor<T> yGm_;
    uint32_t elementCount_;
    uint32_t tileLength_;
    uint32_t myLength_;
};

extern "C" __global__ __aicore__ void smooth_l1(GM_ADDR predict, GM_ADDR label, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingInfo, tiling);
    KernelSmoothL1<DTYPE_PREDICT> op;
    op.Init(predict, label, y, tilingInfo.elementCount, tilingInfo.tileLength);
    op.Process();
}
