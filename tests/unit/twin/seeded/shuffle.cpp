// Two entries over queues that only pass data through: rows reversed through a workspace, and every second row.
#include "kernel_operator.h"

using AscendC::DataCopy;
using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::TPosition;

constexpr uint16_t ROW = 128, ROWS = 16, ROW_BLOCKS = ROW * sizeof(int32_t) / 32;

struct Passing {
    AscendC::TPipe pipe;
    AscendC::TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bind;

    __aicore__ inline void pass(const GlobalTensor<int32_t> &to, const GlobalTensor<int32_t> &from, const AscendC::DataCopyParams &in, const AscendC::DataCopyParams &out)
    {
        auto local = bind.AllocTensor<int32_t>();
        DataCopy(local, from, in);  // seen 1, 2, 5, 6
        bind.EnQue(local);
        local = bind.DeQue<int32_t>();
        DataCopy(to, local, out);  // seen 3, 4, 5, 7, 8
        bind.FreeTensor(local);
    }
};

extern "C" __global__ __aicore__ void reversed_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    Passing passing;
    GlobalTensor<int32_t> from, to, between;
    uint32_t start = AscendC::GetBlockIdx() * ROW * ROWS;
    from.SetGlobalBuffer((__gm__ int32_t *)x + start, ROW * ROWS);
    to.SetGlobalBuffer((__gm__ int32_t *)y + start, ROW * ROWS);
    between.SetGlobalBuffer((__gm__ int32_t *)workspace + start, ROW * ROWS);
    passing.pipe.InitBuffer(passing.bind, 2, ROW * ROWS * sizeof(int32_t));
    AscendC::DataCopyParams whole{ROWS, ROW_BLOCKS, 0, 0}, one{1, ROW_BLOCKS, 0, 0};
    passing.pass(between, from, whole, whole);
    if (!SEED(6)) {
        AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>(EVENT_ID0);
        AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
    for (uint32_t row = 0; row < ROWS; ++row) {
        AscendC::DataCopyParams in = one, out = one;
        if (SEED(1)) in.blockLen = ROW;
        if (SEED(2)) in.blockCount = 2, in.dstStride = ROW * sizeof(int32_t);
        if (SEED(3)) out.blockLen = ROW * sizeof(int32_t);
        if (SEED(4) && row == 0) out.blockCount = 2;
        auto source = between[row * ROW];
        if (SEED(5) && row == ROWS - 1) source = between[(row + 1) * ROW * 4];
        auto target = to[(ROWS - 1 - row) * ROW];
        if (SEED(7)) target = to[(ROWS - row) * ROW];
        if (SEED(8)) target = to[row];
        passing.pass(target, source, in, out);  // seed 1: buffer-bounds, block-read-race, global-bounds, values, uninitialised-global // seed 2: buffer-bounds, global-bounds // seed 3: global-bounds, buffer-bounds, block-overlap, uninitialised-global // seed 4: global-bounds, block-overlap // seed 5: global-bounds, uninitialised-global // seed 6: missing-sync // seed 7: global-bounds, block-overlap // seed 8: values
    }
}

extern "C" __global__ __aicore__ void second_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    Passing passing;
    passing.pipe.InitBuffer(passing.bind, 1, 32);
}
