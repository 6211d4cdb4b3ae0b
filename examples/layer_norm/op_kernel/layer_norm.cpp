// y = layer_norm(x) * gamma + beta
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

template <typename T>
class KernelLayerNorm {
public:
    __aicore__ inline KernelLayerNorm() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, uint32_t rowTotal, uint32_t rowLength)
    {
        rowTotal_ = rowTotal;
        rowLength_ = rowLength;
        colsAligned_ = (rowLength_ + 15) / 16 * 16;
        uint32_t coreLength = (rowTotal_ + GetBlockNum() - 1) / GetBlockNum();
        startRow_ = coreLength * GetBlockIdx();
        lastRow_ = startRow_ + coreLength;
        if (lastRow_ > rowTotal_) {
            lastRow_ = rowTotal_;
        }
        // global memory
        xGm_.SetGlobalBuffer((__gm__ T *)x, rowTotal_ * rowLength_);
        gammaGm_.SetGlobalBuffer((__gm__ T *)gamma, rowLength_);
        betaGm_.SetGlobalBuffer((__gm__ T *)beta, rowLength_);
        yGm_.SetGlobalBuffer((__gm__ T *)y, rowTotal_ * rowLength_);
        // unified buffer space
        pipe_.InitBuffer(inQueueX_, BUFFER_NUM, colsAligned_ * sizeof(T));
        pipe_.InitBuffer(inQueueGamma_, BUFFER_NUM, colsAligned_ * sizeof(T));
        pipe_.InitBuffer(inQueueBeta_, BUFFER_NUM, colsAligned_ * sizeof(T));
        pipe_.InitBuffer(outQueueY_, BUFFER_NUM, colsAligned_ * sizeof(T));
        pipe_.InitBuffer(tmp0Buf_, colsAligned_ * sizeof(float));
        pipe_.InitBuffer(tmp1Buf_, colsAligned_ * sizeof(float));
        pipe_.InitBuffer(tmp2Buf_, colsAligned_ * sizeof(float));
        pipe_.InitBuffer(wideOutBuf_, colsAligned_ * sizeof(float));
        pipe_.InitBuffer(tmp3Buf_, colsAligned_ * sizeof(float));
        pipe_.InitBuffer(workBuf_, colsAligned_ * sizeof(float));
        pipe_.InitBuffer(statBuf_, 32);
    }

    // run the pipeline
    __aicore__ inline void Process()
    {
        for (uint32_t line = startRow_; line < lastRow_; line++) {
            CopyIn(line);
            Compute();
            CopyOut(line);
        }
    }

private:
    // Load one tile
    __aicore__ inline void CopyIn(uint32_t line)
    {
        LocalTensor<T> xLocal = inQueueX_.AllocTensor<T>();
        LocalTensor<T> gammaLocal = inQueueGamma_.AllocTensor<T>();
        LocalTensor<T> betaLocal = inQueueBeta_.AllocTensor<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(rowLength_ * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> padExt{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[line * rowLength_], params, padExt);
        DataCopyPad(gammaLocal, gammaGm_, params, padExt);
        DataCopyPad(betaLocal, betaGm_, params, padExt);
        inQueueX_.EnQue(xLocal);
        inQueueGamma_.EnQue(gammaLocal);
        inQueueBeta_.EnQue(betaLocal);
    }

    __aicore__ inline void Compute()
    {
        LocalTensor<T> xLocal = inQueueX_.DeQue<T>();
        LocalTensor<T> gammaLocal = inQueueGamma_.DeQue<T>();
        LocalTensor<T> betaLocal = inQueueBeta_.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY_.AllocTensor<T>();
        LocalTensor<float> tmp0 = tmp0Buf_.Get<float>();
        LocalTensor<float> tmp1 = tmp1Buf_.Get<float>();
        LocalTensor<float> tmp2 = tmp2Buf_.Get<float>();
        LocalTensor<float> wideOut = wideOutBuf_.Get<float>();
        LocalTensor<float> tmp3 = tmp3Buf_.Get<float>();
        LocalTensor<float> work = workBuf_.Get<float>();
        LocalTensor<float> stat = statBuf_.Get<float>();
        // widen for accuracy
        Cast(tmp0, xLocal, RoundMode::CAST_NONE, rowLength_);
        Cast(tmp1, gammaLocal, RoundMode::CAST_NONE, rowLength_);
        Cast(tmp2, betaLocal, RoundMode::CAST_NONE, rowLength_);
        ReduceSum(stat, tmp0, work, rowLength_);
        Muls(stat, stat, 1.0f / rowLength_, 1);
        PipeBarrier<PIPE_ALL>();
        float scalar = stat.GetValue(0);
        Adds(wideOut, tmp0, -scalar, rowLength_);
        Mul(tmp3, wideOut, wideOut, rowLength_);
        ReduceSum(stat, tmp3, work, rowLength_);
        Muls(stat, stat, 1.0f / rowLength_, 1);
        Adds(stat, stat, 1e-5f, 1);
        Sqrt(stat, stat, 1);
        PipeBarrier<PIPE_ALL>();
        float denom = stat.GetValue(0);
        Muls(wideOut, wideOut, 1.0f / denom, rowLength_);
        Mul(wideOut, wideOut, tmp1, rowLength_);
        Add(wideOut, wideOut, tmp2, rowLength_);
        Cast(yLocal, wideOut, RoundMode::CAST_RINT, rowLength_);
        outQueueY_.EnQue(yLocal);
        inQueueX_.FreeTensor(xLocal);
        inQueueGamma_.FreeTensor(gammaLocal);
        inQueueBeta_.FreeTensor(betaLocal);
    }

    __aicore__ inline void CopyOut(uint32_t line)
    {
        LocalTensor<T> yLocal = outQueueY_.DeQue<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(rowLength_ * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[line * rowLength_], yLocal, params);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueGamma_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueBeta_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueY_;
    TBuf<TPosition::VECCALC> tmp0Buf_;
    TBuf<TPosition::VECCALC> tmp1Buf_;
    TBuf<TPosition::VECCALC> tmp2Buf_;
    TBuf<TPosition::VECCALC> wideOutBuf_;
    TBuf<TPosition::VECCALC> tmp3Buf_;
    TBuf<TPosition::VECCALC> workBuf_;
    TBuf<TPosition::VECCALC> statBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> gammaGm_;
    GlobalTensor<T> betaGm_;
    GlobalTensor<T> yGm_;
    uint32_t rowTotal_;
    uint32_t rowLength_;
    uint32_t colsAligned_;
    uint32_t startRow_;
    uint32_t lastRow_;
};

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    KernelLayerNorm<DTYPE_X> instance;
    instance.Init(x, gamma, beta, y, tilingData.rowTotal, tilingData.rowLength);
    instance.Process();
}
