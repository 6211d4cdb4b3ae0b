// total[0..width) += sum of the rows that this core owns; the cores meet in global memory by atomic addition
#include "kernel_operator.h"

class AtomicSum {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR total, uint32_t rows, uint32_t width)
    {
        rows_ = rows;
        width_ = width;
        xGm_.SetGlobalBuffer((__gm__ float *)x, rows * width);
        totalGm_.SetGlobalBuffer((__gm__ float *)total, width);
        pipe_.InitBuffer(xQueue_, 2, width * sizeof(float));
        pipe_.InitBuffer(sumQueue_, 1, width * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        AscendC::LocalTensor<float> sum = sumQueue_.AllocTensor<float>();
        AscendC::Duplicate(sum, 0.0f, width_);
        for (uint32_t row = AscendC::GetBlockIdx(); row < rows_; row += AscendC::GetBlockNum()) {
            AscendC::LocalTensor<float> x = xQueue_.AllocTensor<float>();  // expect: warning
            AscendC::DataCopy(x, xGm_[row * width_], width_);
            xQueue_.EnQue(x);
            x = xQueue_.DeQue<float>();
            AscendC::Add(sum, sum, x, width_);
            
        }
        sumQueue_.EnQue(sum);
        sum = sumQueue_.DeQue<float>();
        AscendC::SetAtomicAdd<float>();
        AscendC::DataCopy(totalGm_, sum, width_);
        AscendC::SetAtomicNone();
        sumQueue_.FreeTensor(sum);
    }

private:
    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::QuePosition::VECIN, 2> xQueue_;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> sumQueue_;
    AscendC::GlobalTensor<float> xGm_;
    AscendC::GlobalTensor<float> totalGm_;
    uint32_t rows_ = 0;
    uint32_t width_ = 0;
};

extern "C" __global__ __aicore__ void atomic_sum(GM_ADDR x, GM_ADDR total)
{
    AtomicSum op;
    op.Init(x, total, 4096, 512);
    op.Process();
}
