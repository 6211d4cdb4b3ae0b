// y = leaky_relu(x, slope)
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

template <typename T>
class LeakyReluKernel {
public:
    __aicore__ inline LeakyReluKernel() {}
    // each core works on its own block
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t totalElements, uint32_t tile, float slope)
    {
        totalElements_ = totalElements;
        tile_ = tile;
        slope_ = slope;
        uint32_t blockLength = (totalElements_ + GetBlockNum() - 1) / GetBlockNum();
        blockLength = (blockLength + 31) / 32 * 32;
        uint32_t baseOffset = blockLength * GetBlockIdx();
        coreLen_ = baseOffset >= totalElements_ ? 0 : (totalElements_ - baseOffset < blockLength ? totalElements_ - baseOffset : blockLength);
        xGm_.SetGlobalBuffer((__gm__ T*)x + baseOffset, coreLen_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + baseOffset, coreLen_);
        tpipe_.InitBuffer(inQueueX_, BUFFER_NUM, tile_ * sizeof(T));
        tpipe_.InitBuffer(outQueueY_, BUFFER_NUM, tile_ * sizeof(T));
    }

    __aicore__ inline void Process()
    {
        for (uint32_t offset = 0; offset < coreLen_; offset += tile_) {
            uint32_t current = coreLen_ - offset < tile_ ? coreLen_ - offset : tile_;
            CopyIn(offset, current);
            Compute(current);
            CopyOut(offset, current);
        }
    }

private:
    // move the inputs in
    __aicore__ inline void CopyIn(uint32_t offset, uint32_t current)
    {
        LocalTensor<T> xLocal = inQueueX_.AllocTensor<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(current * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> padding{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[offset], params, padding);
        inQueueX_.EnQue(xLocal);
    }

    __aicore__ inline void Compute(uint32_t current)
    {
        LocalTensor<T> xLocal = inQueueX_.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY_.AllocTensor<T>();
        LeakyRelu(yLocal, xLocal, static_cast<T>(slope_), current);
        outQueueY_.EnQue(yLocal);
        inQueueX_.FreeTensor(xLocal);
    }

    // Store one tile
    __aicore__ inline void CopyOut(uint32_t offset, uint32_t current)
    {
        LocalTensor<T> yLocal = outQueueY_.DeQue<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(current * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[offset], yLocal, params);
        outQueueY_.FreeTensor(yLocal);
    }

    TPipe tpipe_;
    TQue<TPosition::VECIN, BUFFER_NUM> inQueueX_;
    TQue<TPosition::VECOUT, BUFFER_NUM> outQueueY_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t totalElements_;
    uint32_t tile_;
    float slope_;
    uint32_t coreLen_;
};

extern "C" __global__ __aicore__ void leaky_relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(td, tiling);
    LeakyReluKernel<DTYPE_X> op;
    op.Init(x, y, td.totalElements, td.tile, td.slope);
    op.Process();
}
