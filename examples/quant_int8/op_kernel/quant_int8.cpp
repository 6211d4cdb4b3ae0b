// y = round(min(max(x * scale, -128), 127))
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t QUEUE_DEPTH = 2;

template <typename T>
class QuantInt8Op {
public:
    __aicore__ inline QuantInt8Op() {}
    // each core works on its own block
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t totalElements, uint32_t step, float scale)
    {
        totalElements_ = totalElements;
        step_ = step;
        scale_ = scale;
        uint32_t coreLength = (totalElements_ + GetBlockNum() - 1) / GetBlockNum();
        coreLength = (coreLength + 63) / 64 * 64;
        uint32_t blockStart = coreLength * GetBlockIdx();
        myLength_ = blockStart >= totalElements_ ? 0 : (totalElements_ - blockStart < coreLength ? totalElements_ - blockStart : coreLength);
        xGm_.SetGlobalBuffer((__gm__ T*)x + blockStart, myLength_);
        yGm_.SetGlobalBuffer((__gm__ int8_t*)y + blockStart, myLength_);
        tpipe_.InitBuffer(inQueueX_, QUEUE_DEPTH, step_ * sizeof(T));
        tpipe_.InitBuffer(outQueueY_, QUEUE_DEPTH, step_ * sizeof(int8_t));
        tpipe_.InitBuffer(resultFp32Buf_, step_ * sizeof(float));
        tpipe_.InitBuffer(castTmpBuf_, step_ * sizeof(half));
    }

    // Main loop over the tiles
    __aicore__ inline void Process()
    {
        for (uint32_t start = 0; start < myLength_; start += step_) {
            // elements of this tile
            uint32_t curLen = myLength_ - start < step_ ? myLength_ - start : step_;
            CopyIn(start, curLen);
            Compute(curLen);
            CopyOut(start, curLen);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t start, uint32_t curLen)
    {
        LocalTensor<T> xLocal = inQueueX_.AllocTensor<T>();
        DataCopyExtParams extParams{1, static_cast<uint32_t>(curLen * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[start], extParams, pad);
        inQueueX_.EnQue<T>(xLocal);
    }

    __aicore__ inline void Compute(uint32_t curLen)
    {
        LocalTensor<T> xLocal = inQueueX_.DeQue<T>();
        LocalTensor<int8_t> yLocal = outQueueY_.AllocTensor<int8_t>();
        LocalTensor<float> resultFp32 = resultFp32Buf_.Get<float>();
        LocalTensor<half> castTmp = castTmpBuf_.Get<half>();
        Muls(resultFp32, xLocal, static_cast<T>(scale_), curLen);
        Maxs(resultFp32, resultFp32, static_cast<T>(-128.0f), curLen);
        Mins(resultFp32, resultFp32, static_cast<T>(127.0f), curLen);
        Cast(castTmp, resultFp32, RoundMode::CAST_NONE, curLen);
        Cast(yLocal, castTmp, RoundMode::CAST_RINT, curLen);
        outQueueY_.EnQue<int8_t>(yLocal);
        inQueueX_.FreeTensor(xLocal);
    }

    // UB to GM
    __aicore__ inline void CopyOut(uint32_t start, uint32_t curLen)
    {
        LocalTensor<int8_t> yLocal = outQueueY_.DeQue<int8_t>();
        DataCopyExtParams extParams{1, static_cast<uint32_t>(curLen * sizeof(int8_t)), 0, 0, 0};
        DataCopyPad(yGm_[start], yLocal, extParams);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe tpipe_;
    TQue<QuePosition::VECIN, QUEUE_DEPTH> inQueueX_;
    TQue<QuePosition::VECOUT, QUEUE_DEPTH> outQueueY_;
    TBuf<TPosition::VECCALC> resultFp32Buf_;
    TBuf<TPosition::VECCALC> castTmpBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<int8_t> yGm_;
    uint32_t totalElements_;
    uint32_t step_;
    float scale_;
    uint32_t myLength_;
};

extern "C" __global__ __aicore__ void quant_int8(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingCur, tiling);
    QuantInt8Op<DTYPE_X> instance;
    instance.Init(x, y, tilingCur.totalElements, tilingCur.step, tilingCur.scale);
    instance.Process();
}
