#include <vector>
// y[i, :] = table[index[i], :]; pure data movement, the row goes through a VECIN/VECOUT queue
#include "kernel_operator.h"

template <typename T>
class GatherRows {
public:
    __aicore__ inline void Init(GM_ADDR table, GM_ADDR index, GM_ADDR y, uint32_t picks, uint32_t width)
    {
        width_ = width;
        uint32_t share = (picks + AscendC::GetBlockNum() - 1) / AscendC::GetBlockNum();
        first_ = share * AscendC::GetBlockIdx();
        last_ = first_ + share < picks ? first_ + share : picks;
        tableGm_.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(table));
        indexGm_.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(index), picks);
        yGm_.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(y), picks * width);
        pipe_.InitBuffer(rows_, 2, (width * sizeof(T) + 31) / 32 * 32);
    }
    __aicore__ inline void Process()
    {
        AscendC::DataCopyExtParams copy{1, static_cast<uint32_t>(width_ * sizeof(T)), 0, 0, 0};
        AscendC::DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        for (uint32_t i = first_; i < last_; ++i) {
            uint32_t source = static_cast<uint32_t>(indexGm_.GetValue(i));
            std::vector<float> values(8); AscendC::LocalTensor<T> row = rows_.template AllocTensor<T>();  // expect: error
            AscendC::DataCopyPad(row, tableGm_[source * width_], copy, pad);
            rows_.EnQue(row);
            row = rows_.template DeQue<T>();
            AscendC::DataCopyPad(yGm_[i * width_], row, copy);
            rows_.FreeTensor(row);
        }
    }

private:
    AscendC::TPipe pipe_;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 2> rows_;
    AscendC::GlobalTensor<T> tableGm_;
    AscendC::GlobalTensor<int32_t> indexGm_;
    AscendC::GlobalTensor<T> yGm_;
    uint32_t width_ = 0;
    uint32_t first_ = 0;
    uint32_t last_ = 0;
};

extern "C" __global__ __aicore__ void gather_rows(GM_ADDR table, GM_ADDR index, GM_ADDR y)
{
    GatherRows<float> op;
    op.Init(table, index, y, 4096, 500);
    op.Process();
}
