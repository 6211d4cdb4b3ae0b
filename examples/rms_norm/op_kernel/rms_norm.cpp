// y = rms_norm(x) * gamma
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t DEPTH = 2;

template <typename T>
class RmsNormOp {
public:
    // Set up memory
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, uint32_t rowCount, uint32_t colNum)
    {
        rowCount_ = rowCount;
        colNum_ = colNum;
        alignLen_ = (colNum_ + 15) / 16 * 16;
        uint32_t blockLength = (rowCount_ + GetBlockNum() - 1) / GetBlockNum();
        startRow_ = blockLength * GetBlockIdx();
        endRow_ = startRow_ + blockLength;
        if (endRow_ > rowCount_) {
            endRow_ = rowCount_;
        }
        xGm_.SetGlobalBuffer((__gm__ T*)x, rowCount_ * colNum_);
        gammaGm_.SetGlobalBuffer((__gm__ T*)gamma, colNum_);
        yGm_.SetGlobalBuffer((__gm__ T*)y, rowCount_ * colNum_);
        pipe_.InitBuffer(inQueueX_, DEPTH, alignLen_ * sizeof(T));
        pipe_.InitBuffer(inQueueGamma_, DEPTH, alignLen_ * sizeof(T));
        pipe_.InitBuffer(outQueueY_, DEPTH, alignLen_ * sizeof(T));
        pipe_.InitBuffer(tmp0Buf_, alignLen_ * sizeof(float));
        pipe_.InitBuffer(tmp1Buf_, alignLen_ * sizeof(float));
        pipe_.InitBuffer(resultFp32Buf_, alignLen_ * sizeof(float));
        pipe_.InitBuffer(sharedTmpBuf_, alignLen_ * sizeof(float));
        pipe_.InitBuffer(reduceResultBuf_, 32);
    }

    // copy in, compute, copy out, tile by tile
    __aicore__ inline void Process()
    {
        for (uint32_t line = startRow_; line < endRow_; ++line) {
            CopyIn(line);
            Compute();
            CopyOut(line);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t line)
    {
        LocalTensor<T> xLocal = inQueueX_.AllocTensor<T>();
        LocalTensor<T> gammaLocal = inQueueGamma_.AllocTensor<T>();
        DataCopyExtParams copyParams{1, static_cast<uint32_t>(colNum_ * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> padExt{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[line * colNum_], copyParams, padExt);
        DataCopyPad(gammaLocal, gammaGm_, copyParams, padExt);
        inQueueX_.EnQue<T>(xLocal);
        inQueueGamma_.EnQue<T>(gammaLocal);
    }

    __aicore__ inline void Compute()
    {
        LocalTensor<T> xLocal = inQueueX_.DeQue<T>();
        LocalTensor<T> gammaLocal = inQueueGamma_.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY_.AllocTensor<T>();
        LocalTensor<float> tmp0 = tmp0Buf_.Get<float>();
        LocalTensor<float> tmp1 = tmp1Buf_.Get<float>();
        LocalTensor<float> resultFp32 = resultFp32Buf_.Get<float>();
        LocalTensor<float> sharedTmp = sharedTmpBuf_.Get<float>();
        LocalTensor<float> reduceResult = reduceResultBuf_.Get<float>();
        Cast(tmp0, xLocal, RoundMode::CAST_NONE, colNum_);
        Cast(tmp1, gammaLocal, RoundMode::CAST_NONE, colNum_);
        Mul(resultFp32, tmp0, tmp0, colNum_);
        ReduceSum<float>(reduceResult, resultFp32, sharedTmp, colNum_);
        Muls(reduceResult, reduceResult, 1.0f / colNum_, 1);
        Adds(reduceResult, reduceResult, 1e-6f, 1);
        Sqrt(reduceResult, reduceResult, 1);
        PipeBarrier<PIPE_ALL>();
        float totalVal = reduceResult.GetValue(0);
        Muls(resultFp32, tmp0, 1.0f / totalVal, colNum_);
        Mul(resultFp32, resultFp32, tmp1, colNum_);
        Cast(yLocal, resultFp32, RoundMode::CAST_RINT, colNum_);
        outQueueY_.EnQue<T>(yLocal);
        inQueueX_.FreeTensor(xLocal);
        inQueueGamma_.FreeTensor(gammaLocal);
    }

    // UB to GM
    __aicore__ inline void CopyOut(uint32_t line)
    {
        LocalTensor<T> yLocal = outQueueY_.DeQue<T>();
        DataCopyExtParams copyParams{1, static_cast<uint32_t>(colNum_ * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[line * colNum_], yLocal, copyParams);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, DEPTH> inQueueX_;
    TQue<QuePosition::VECIN, DEPTH> inQueueGamma_;
    TQue<QuePosition::VECOUT, DEPTH> outQueueY_;
    TBuf<TPosition::VECCALC> tmp0Buf_;
    TBuf<TPosition::VECCALC> tmp1Buf_;
    TBuf<TPosition::VECCALC> resultFp32Buf_;
    TBuf<TPosition::VECCALC> sharedTmpBuf_;
    TBuf<TPosition::VECCALC> reduceResultBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> gammaGm_;
    GlobalTensor<T> yGm_;
    uint32_t rowCount_;
    uint32_t colNum_;
    uint32_t alignLen_;
    uint32_t startRow_;
    uint32_t endRow_;
};

extern "C" __global__ __aicore__ void rms_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingInfo, tiling);
    RmsNormOp<DTYPE_X> instance;
    instance.Init(x, gamma, y, tilingInfo.rowCount, tilingInfo.colNum);
    instance.Process();
}
