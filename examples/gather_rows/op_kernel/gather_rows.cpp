// y[i] = table[index[i]]
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUF_NUM = 2;

template <typename T>
class KernelGatherRows {
public:
    __aicore__ inline void Init(GM_ADDR table, GM_ADDR index, GM_ADDR y, uint32_t rowCount, uint32_t width)
    {
        rowCount_ = rowCount;
        width_ = width;
        colsPadded_ = (width_ + 7) / 8 * 8;
        uint32_t blockSize = (rowCount_ + GetBlockNum() - 1) / GetBlockNum();
        startRow_ = blockSize * GetBlockIdx();
        lastRow_ = startRow_ + blockSize < rowCount_ ? startRow_ + blockSize : rowCount_;
        tableGm_.SetGlobalBuffer((__gm__ T *)table, rowCount_ * width_);
        indexGm_.SetGlobalBuffer((__gm__ int32_t *)index, rowCount_);
        yGm_.SetGlobalBuffer((__gm__ T *)y, rowCount_ * width_);
        // queue memory
        pipe_.InitBuffer(inQueueTable_, BUF_NUM, colsPadded_ * sizeof(T));
        pipe_.InitBuffer(outQueueY_, BUF_NUM, colsPadded_ * sizeof(T));
    }

    // copy in, compute, copy out, tile by tile
    __aicore__ inline void Process()
    {
        for (uint32_t line = startRow_; line < lastRow_; line++) {
            CopyIn(line);
            Compute();
            CopyOut(line);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t line)
    {
        uint32_t srcRow = indexGm_.GetValue(line);
        LocalTensor<T> tableLocal = inQueueTable_.AllocTensor<T>();
        DataCopyExtParams copyInParams{1, static_cast<uint32_t>(width_ * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
        DataCopyPad(tableLocal, tableGm_[srcRow * width_], copyInParams, padParams);
        inQueueTable_.EnQue(tableLocal);
    }

    __aicore__ inline void Compute()
    {
        LocalTensor<T> tableLocal = inQueueTable_.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY_.AllocTensor<T>();
        DataCopy(yLocal, tableLocal, colsPadded_);
        outQueueY_.EnQue(yLocal);
        inQueueTable_.FreeTensor(tableLocal);
    }

    // write the result back
    __aicore__ inline void CopyOut(uint32_t line)
    {
        LocalTensor<T> yLocal = outQueueY_.DeQue<T>();
        DataCopyExtParams copyInParams{1, static_cast<uint32_t>(width_ * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[line * width_], yLocal, copyInParams);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUF_NUM> inQueueTable_;
    TQue<QuePosition::VECOUT, BUF_NUM> outQueueY_;
    GlobalTensor<T> tableGm_;
    GlobalTensor<int32_t> indexGm_;
    GlobalTensor<T> yGm_;
    uint32_t rowCount_;
    uint32_t width_;
    uint32_t colsPadded_;
    uint32_t startRow_;
    uint32_t lastRow_;
};

extern "C" __global__ __aicore__ void gather_rows(GM_ADDR table, GM_ADDR index, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    KernelGatherRows<DTYPE_TABLE> op;
    op.Init(table, index, y, tilingData.rowCount, tilingData.width);
    op.Process();
}
