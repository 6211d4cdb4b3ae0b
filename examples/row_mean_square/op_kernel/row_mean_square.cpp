// y = mean(x * x, dim=-1)
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

template <typename T>
class KernelRowMeanSquare {
public:
    // Bind the global tensors and allocate the buffers
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t totalRows, uint32_t rowLength)
    {
        totalRows_ = totalRows;
        rowLength_ = rowLength;
        colsAligned_ = (rowLength_ + 15) / 16 * 16;
        uint32_t blockSize = (totalRows_ + GetBlockNum() - 1) / GetBlockNum();
        rowBegin_ = blockSize * GetBlockIdx();
        lastRow_ = rowBegin_ + blockSize;
        if (lastRow_ > totalRows_) {
            lastRow_ = totalRows_;
        }
        // addresses of this core's block
        xGm_.SetGlobalBuffer((__gm__ T *)x, totalRows_ * rowLength_);
        yGm_.SetGlobalBuffer((__gm__ T *)y, totalRows_);
        tPipe_.InitBuffer(inQueueX_, BUFFER_NUM, colsAligned_ * sizeof(T));
        tPipe_.InitBuffer(outQueueY_, BUFFER_NUM, 32);
        tPipe_.InitBuffer(tmp0Buf_, colsAligned_ * sizeof(float));
        tPipe_.InitBuffer(accBuf_, 32);
        tPipe_.InitBuffer(tmp1Buf_, colsAligned_ * sizeof(float));
        tPipe_.InitBuffer(workLocalBuf_, colsAligned_ * sizeof(float));
    }

    // run the pipeline
    __aicore__ inline void Process()
    {
        for (uint32_t line = rowBegin_; line < lastRow_; ++line) {
            CopyIn(line);
            Compute();
            CopyOut(line);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t line)
    {
        LocalTensor<T> xLocal = inQueueX_.AllocTensor<T>();
        DataCopyExtParams extParams{1, static_cast<uint32_t>(rowLength_ * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> padExt{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[line * rowLength_], extParams, padExt);
        inQueueX_.EnQue<T>(xLocal);
    }

    // Compute on the unified buffer
    __aicore__ inline void Compute()
    {
        LocalTensor<T> xLocal = inQueueX_.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY_.AllocTensor<T>();
        LocalTensor<float> tmp0 = tmp0Buf_.Get<float>();
        LocalTensor<float> acc = accBuf_.Get<float>();
        LocalTensor<float> tmp1 = tmp1Buf_.Get<float>();
        LocalTensor<float> workLocal = workLocalBuf_.Get<float>();
        Cast(tmp0, xLocal, RoundMode::CAST_NONE, rowLength_);
        Mul(tmp1, tmp0, tmp0, rowLength_);
        ReduceSum<float>(acc, tmp1, workLocal, rowLength_);
        Muls(acc, acc, 1.0f / rowLength_, 1);
        Cast(yLocal, acc, RoundMode::CAST_RINT, 1);
        outQueueY_.EnQue<T>(yLocal);
        inQueueX_.FreeTensor(xLocal);
    }

    // UB to GM
    __aicore__ inline void CopyOut(uint32_t line)
    {
        LocalTensor<T> yLocal = outQueueY_.DeQue<T>();
        DataCopyExtParams extParams{1, static_cast<uint32_t>(sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[line], yLocal, extParams);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe tPipe_;
    TQue<TPosition::VECIN, BUFFER_NUM> inQueueX_;
    TQue<TPosition::VECOUT, BUFFER_NUM> outQueueY_;
    TBuf<TPosition::VECCALC> tmp0Buf_;
    TBuf<TPosition::VECCALC> accBuf_;
    TBuf<TPosition::VECCALC> tmp1Buf_;
    TBuf<TPosition::VECCALC> workLocalBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t totalRows_;
    uint32_t rowLength_;
    uint32_t colsAligned_;
    uint32_t rowBegin_;
    uint32_t lastRow_;
};

extern "C" __global__ __aicore__ void row_mean_square(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    KernelRowMeanSquare<DTYPE_X> op;
    op.Init(x, y, tilingData.totalRows, tilingData.rowLength);
    op.Process();
}
