// y = x + residual * alpha
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t DEPTH = 2;

template <typename T>
class AddResidualOp {
public:
    __aicore__ inline AddResidualOp() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR residual, GM_ADDR y, uint32_t totalSize, uint32_t tile, float alpha)
    {
        totalSize_ = totalSize;
        tile_ = tile;
        alpha_ = alpha;
        uint32_t blockLen = (totalSize_ + GetBlockNum() - 1) / GetBlockNum();
        blockLen = (blockLen + 31) / 32 * 32;
        uint32_t myStart = blockLen * GetBlockIdx();
        remaining_ = myStart >= totalSize_ ? 0 : (totalSize_ - myStart < blockLen ? totalSize_ - myStart : blockLen);
        // global memory
        xGm_.SetGlobalBuffer((__gm__ T *)x + myStart, remaining_);
        residualGm_.SetGlobalBuffer((__gm__ T *)residual + myStart, remaining_);
        yGm_.SetGlobalBuffer((__gm__ T *)y + myStart, remaining_);
        // queue memory
        pipe_.InitBuffer(inQueueX_, DEPTH, tile_ * sizeof(T));
        pipe_.InitBuffer(inQueueResidual_, DEPTH, tile_ * sizeof(T));
        pipe_.InitBuffer(outQueueY_, DEPTH, tile_ * sizeof(T));
        pipe_.InitBuffer(tmp0Buf_, tile_ * sizeof(float));
        pipe_.InitBuffer(tmp1Buf_, tile_ * sizeof(float));
        pipe_.InitBuffer(outF32Buf_, tile_ * sizeof(float));
    }

    __aicore__ inline void Process()
    {
        for (uint32_t start = 0; start < remaining_; start += tile_) {
            // elements of this tile
            uint32_t num = remaining_ - start < tile_ ? remaining_ - start : tile_;
            CopyIn(start, num);
            Compute(num);
            CopyOut(start, num);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t start, uint32_t num)
    {
        LocalTensor<T> xLocal = inQueueX_.AllocTensor<T>();
        LocalTensor<T> residualLocal = inQueueResidual_.AllocTensor<T>();
        DataCopyExtParams copyParams{1, static_cast<uint32_t>(num * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[start], copyParams, padParams);
        DataCopyPad(residualLocal, residualGm_[start], copyParams, padParams);
        inQueueX_.EnQue<T>(xLocal);
        inQueueResidual_.EnQue<T>(residualLocal);
    }

    // the arithmetic of one tile
    __aicore__ inline void Compute(uint32_t num)
    {
        LocalTensor<T> xLocal = inQueueX_.DeQue<T>();
        LocalTensor<T> residualLocal = inQueueResidual_.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY_.AllocTensor<T>();
        LocalTensor<float> tmp0 = tmp0Buf_.Get<float>();
        LocalTensor<float> tmp1 = tmp1Buf_.Get<float>();
        LocalTensor<float> outF32 = outF32Buf_.Get<float>();
        Cast(tmp0, xLocal, RoundMode::CAST_NONE, num);
        Cast(tmp1, residualLocal, RoundMode::CAST_NONE, num);
        Muls(outF32, tmp1, alpha_, num);
        Add(outF32, tmp0, outF32, num);
        Cast(yLocal, outF32, RoundMode::CAST_RINT, num);
        outQueueY_.EnQue<T>(yLocal);
        inQueueX_.FreeTensor(xLocal);
        inQueueResidual_.FreeTensor(residualLocal);
    }

    // Store one tile
    __aicore__ inline void CopyOut(uint32_t start, uint32_t num)
    {
        LocalTensor<T> yLocal = outQueueY_.DeQue<T>();
        DataCopyExtParams copyParams{1, static_cast<uint32_t>(num * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[start], yLocal, copyParams);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, DEPTH> inQueueX_;
    TQue<TPosition::VECIN, DEPTH> inQueueResidual_;
    TQue<TPosition::VECOUT, DEPTH> outQueueY_;
    TBuf<TPosition::VECCALC> tmp0Buf_;
    TBuf<TPosition::VECCALC> tmp1Buf_;
    TBuf<TPosition::VECCALC> outF32Buf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> residualGm_;
    GlobalTensor<T> yGm_;
    uint32_t totalSize_;
    uint32_t tile_;
    float alpha_;
    uint32_t remaining_;
};

extern "C" __global__ __aicore__ void add_residual(GM_ADDR x, GM_ADDR residual, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingVal, tiling);
    AddResidualOp<DTYPE_X> instance;
    instance.Init(x, residual, y, tilingVal.totalSize, tilingVal.tile, tilingVal.alpha);
    instance.Process();
}
