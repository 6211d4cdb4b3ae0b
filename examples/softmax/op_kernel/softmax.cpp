// y = softmax(x)
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t DEPTH = 2;

template <typename T>
class KernelSoftmax {
public:
    // each core works on its own block
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t colsNum)
    {
        rows_ = rows;
        colsNum_ = colsNum;
        padded_ = (colsNum_ + 7) / 8 * 8;
        uint32_t coreLength = (rows_ + GetBlockNum() - 1) / GetBlockNum();
        firstRow_ = coreLength * GetBlockIdx();
        lastRow_ = firstRow_ + coreLength < rows_ ? firstRow_ + coreLength : rows_;
        // global memory
        xGm_.SetGlobalBuffer((__gm__ T *)x, rows_ * colsNum_);
        yGm_.SetGlobalBuffer((__gm__ T *)y, rows_ * colsNum_);
        pipe_.InitBuffer(inQueueX_, DEPTH, padded_ * sizeof(T));
        pipe_.InitBuffer(outQueueY_, DEPTH, padded_ * sizeof(T));
        pipe_.InitBuffer(reduceWorkBuf_, padded_ * sizeof(float));
        pipe_.InitBuffer(redBuf_, 32);
    }

    __aicore__ inline void Process()
    {
        for (uint32_t r = firstRow_; r < lastRow_; r++) {
            CopyIn(r);
            Compute();
            CopyOut(r);
        }
    }

private:
    // Load one tile
    __aicore__ inline void CopyIn(uint32_t r)
    {
        LocalTensor<T> xLocal = inQueueX_.AllocTensor<T>();
        DataCopyExtParams dcParams{1, static_cast<uint32_t>(colsNum_ * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[r * colsNum_], dcParams, pad);
        inQueueX_.EnQue(xLocal);
    }

    // the arithmetic of one tile
    __aicore__ inline void Compute()
    {
        LocalTensor<T> xLocal = inQueueX_.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY_.AllocTensor<T>();
        LocalTensor<float> reduceWork = reduceWorkBuf_.Get<float>();
        LocalTensor<float> red = redBuf_.Get<float>();
        ReduceMax(red, xLocal, reduceWork, colsNum_);
        PipeBarrier<PIPE_ALL>();
        float rowSum = red.GetValue(0);
        Adds(yLocal, xLocal, -rowSum, colsNum_);
        Exp(yLocal, yLocal, colsNum_);
        ReduceSum(red, yLocal, reduceWork, colsNum_);
        PipeBarrier<PIPE_ALL>();
        float rowSumB = red.GetValue(0);
        Muls(yLocal, yLocal, 1.0f / rowSumB, colsNum_);
        outQueueY_.EnQue(yLocal);
        inQueueX_.FreeTensor(xLocal);
    }

    __aicore__ inline void CopyOut(uint32_t r)
    {
        LocalTensor<T> yLocal = outQueueY_.DeQue<T>();
        DataCopyExtParams dcParams{1, static_cast<uint32_t>(colsNum_ * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[r * colsNum_], yLocal, dcParams);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, DEPTH> inQueueX_;
    TQue<TPosition::VECOUT, DEPTH> outQueueY_;
    TBuf<TPosition::VECCALC> reduceWorkBuf_;
    TBuf<TPosition::VECCALC> redBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t rows_;
    uint32_t colsNum_;
    uint32_t padded_;
    uint32_t firstRow_;
    uint32_t lastRow_;
};

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(td, tiling);
    KernelSoftmax<DTYPE_X> instance;
    instance.Init(x, y, td.rows, td.colsNum);
    instance.Process();
}
