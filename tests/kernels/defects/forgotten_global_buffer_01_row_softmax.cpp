/*
 * Row softmax in fp32: y[r, :] = exp(x[r, :] - max) / sum(exp(x[r, :] - max)).
 * Rows are dealt to the cores; a row fits into the unified buffer.
 */
#include "kernel_operator.h"

namespace {
struct RowSoftmaxShape {
    uint32_t rows = 1024;
    uint32_t cols = 1000;
};

template <typename T>
class RowSoftmax {
public:
    __aicore__ inline void Init(GM_ADDR input, GM_ADDR output, const RowSoftmaxShape &shape, AscendC::TPipe *pipe)
    {
        cols_ = shape.cols;
        colsPadded_ = (shape.cols * sizeof(T) + 31) / 32 * 32 / sizeof(T);
        uint32_t perCore = (shape.rows + AscendC::GetBlockNum() - 1) / AscendC::GetBlockNum();
        firstRow_ = AscendC::GetBlockIdx() * perCore;
        lastRow_ = firstRow_ + perCore < shape.rows ? firstRow_ + perCore : shape.rows;
        inputGm_.SetGlobalBuffer((__gm__ T *)input, shape.rows * shape.cols);
        
        pipe->InitBuffer(inputQueue_, 1, colsPadded_ * sizeof(T));
        pipe->InitBuffer(outputQueue_, 1, colsPadded_ * sizeof(T));
        pipe->InitBuffer(workBuf_, colsPadded_ * sizeof(T));
        pipe->InitBuffer(scalarBuf_, 32);
    }

    __aicore__ inline void Process()
    {
        for (uint32_t row = firstRow_; row < lastRow_; ++row) {
            Load(row);
            Normalise();
            Store(row);
        }
    }

private:
    __aicore__ inline void Load(uint32_t row)
    {
        AscendC::LocalTensor<T> inputLocal = inputQueue_.template AllocTensor<T>();
        AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
        AscendC::DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        AscendC::DataCopyPad(inputLocal, inputGm_[row * cols_], params, pad);
        inputQueue_.EnQue(inputLocal);
    }

    __aicore__ inline void Normalise()
    {
        AscendC::LocalTensor<T> inputLocal = inputQueue_.template DeQue<T>();
        AscendC::LocalTensor<T> outputLocal = outputQueue_.template AllocTensor<T>();
        AscendC::LocalTensor<T> work = workBuf_.template Get<T>();
        AscendC::LocalTensor<T> scalar = scalarBuf_.template Get<T>();
        AscendC::ReduceMax<T>(scalar, inputLocal, work, cols_);
        AscendC::PipeBarrier<PIPE_ALL>();
        T maximum = scalar.GetValue(0);
        AscendC::Adds(outputLocal, inputLocal, -maximum, cols_);
        AscendC::Exp(outputLocal, outputLocal, cols_);
        AscendC::ReduceSum<T>(scalar, outputLocal, work, cols_);
        AscendC::PipeBarrier<PIPE_ALL>();
        T total = scalar.GetValue(0);
        AscendC::Muls(outputLocal, outputLocal, static_cast<T>(1) / total, cols_);
        outputQueue_.EnQue(outputLocal);
        inputQueue_.FreeTensor(inputLocal);
    }

    __aicore__ inline void Store(uint32_t row)
    {
        AscendC::LocalTensor<T> outputLocal = outputQueue_.template DeQue<T>();
        AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
        AscendC::DataCopyPad(outputGm_[row * cols_], outputLocal, params);  // expect: warning
        outputQueue_.FreeTensor(outputLocal);
    }

    AscendC::TQue<AscendC::TPosition::VECIN, 1> inputQueue_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outputQueue_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> workBuf_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> scalarBuf_;
    AscendC::GlobalTensor<T> inputGm_;
    AscendC::GlobalTensor<T> outputGm_;
    uint32_t cols_ = 0;
    uint32_t colsPadded_ = 0;
    uint32_t firstRow_ = 0;
    uint32_t lastRow_ = 0;
};
} // namespace

extern "C" __global__ __aicore__ void row_softmax(GM_ADDR input, GM_ADDR output, GM_ADDR workspace)
{
    AscendC::TPipe pipe;
    RowSoftmaxShape shape;
    RowSoftmax<float> op;
    op.Init(input, output, shape, &pipe);
    op.Process();
}
