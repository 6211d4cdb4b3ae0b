// Each block adds its index to its part, counts what is positive, and meets the others softly.
#include "kernel_operator.h"
using namespace AscendC;

namespace rounds_detail {
constexpr int32_t PART = 512;

template <typename F> __aicore__ inline void each(int32_t count, F &&body)
{
    for (int32_t i = 0; i < count; ++i) body(i);
}
}

class Rounds {
    TPipe &pipe;
    TBufPool<TPosition::VECCALC> pool;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    TBuf<TPosition::VECCALC> index, sums, sync;
    GlobalTensor<float> x, y;
    GlobalTensor<int32_t> counts, meeting;

public:
    __aicore__ inline explicit Rounds(TPipe &p) : pipe(p) {}

    __aicore__ inline void Init(GM_ADDR xAddress, GM_ADDR yAddress, GM_ADDR countAddress, GM_ADDR workspace)
    {
        int64_t at = GetBlockIdx() * rounds_detail::PART;
        x.SetGlobalBuffer((__gm__ float *)xAddress + at);
        y.SetGlobalBuffer((__gm__ float *)yAddress + at);
        counts.SetGlobalBuffer((__gm__ int32_t *)countAddress);
        meeting.SetGlobalBuffer((__gm__ int32_t *)workspace);
        pipe.InitBuffer(in, SEED(1) ? 12 : 2, 512);
        pipe.InitBuffer(out, 2, 512);
        pipe.InitBufPool(pool, 4096);
        pool.InitBuffer(index, 512);
        pool.InitBuffer(sums, SEED(2) ? 8192 : 512);  // seed 2: pool-full
        pipe.InitBuffer(sync, 32 * GetBlockNum());
    }

    __aicore__ inline void Process()
    {
        if (SEED(1)) {
            for (int i = 0; i < 9; ++i) in.AllocTensor<float>();  // seed 1: too-many-tensors, tensor-leaked
        }
        rounds_detail::each(4, [this](int32_t step) { Round(step); });
        if (SEED(3)) counts.SetValue(0, 1);  // seed 3: block-overlap
        counts.SetValue(8 * GetBlockIdx() + (SEED(4) ? 64 : 0), positive);  // seed 4: global-bounds
        if (SEED(5)) positive = counts.GetValue(1 << 20);  // seed 5: global-bounds
        SyncAll(meeting, sync.Get<int32_t>());
        if (SEED(6)) positive = counts.GetValue(8 * GetBlockNum() - 7);  // seed 6: uninitialised-scalar
        if (SEED(7)) WaitFlag<HardEvent::S_V>(EVENT_ID1);  // seed 7: wait-without-set
        if (SEED(8)) each_event();
        if (SEED(9)) Trap();  // seed 9: trap
    }

private:
    __aicore__ inline void each_event()
    {
        for (int i = 0; i < 9; ++i) pipe.AllocEventID<HardEvent::V_S>();  // seed 8: event-id
    }

    __aicore__ inline void Round(int32_t step)
    {
        {
            auto local = in.AllocTensor<float>();
            DataCopy(local, x[step * 128], 128);
            in.EnQue(local);
        }
        auto local = in.DeQue<float>();
        auto to = out.AllocTensor<float>();
        auto order = index.Get<float>(), sum = sums.Get<float>();
        CreateVecIndex(order, 0.0f, SEED(10) ? 160 : 128);  // seed 10: buffer-bounds
        Adds(to, local, float(GetBlockIdx()), 128);
        if (SEED(11)) WholeReduceSum(sum, local, 64, 300, 1, 1, 0);  // seed 11: repeat-range
        else WholeReduceSum(sum, local, 64, 2, 1, 1, 8);
        if (SEED(12)) Brcb(sum, local, 9, {1, 8});  // seed 12: buffer-bounds
        if (SEED(13)) DataCopy(to[4], order, 64);  // seed 13: misaligned
        if (SEED(14)) DataCopy(to, local, 128 - 4);  // seed 14: copy-count
        if (SEED(15)) Muls(to, to, 1.0f, -128);  // seed 15: negative-count
        if (SEED(16)) DataCopy(to, local, {2, 8, 0, 4});  // seed 16: buffer-bounds
        if (SEED(17)) Add(to, local, order, uint64_t(64), 2, {2, 1, 1, 8, 8, 8});  // seed 17: buffer-bounds
        SetFlag<HardEvent::V_S>(EVENT_ID0);
        WaitFlag<HardEvent::V_S>(EVENT_ID0);
        for (int lane = 0; lane < 128; ++lane) positive += local.GetValue(lane) > 0.0f;
        out.EnQue(to);
        in.FreeTensor(SEED(18) ? to : local);  // seed 18: free-while-queued, free-of-foreign-tensor
        to = out.DeQue<float>();
        DataCopyParams params{1, 16, 0, 0};
        if (SEED(19)) params.blockLen = 128;
        if (SEED(20)) params.blockCount = 2;
        DataCopy(y[step * 128], to, params);  // seed 19: buffer-bounds, global-bounds // seed 20: buffer-bounds, global-bounds
        out.FreeTensor(to);
        if (SEED(21)) Adds(to, to, 1.0f, 128);  // seed 21: use-after-free
    }

    int32_t positive = 0;
};

extern "C" __global__ __aicore__ void rounds(GM_ADDR x, GM_ADDR y, GM_ADDR counts, GM_ADDR workspace)
{
    TPipe pipe;
    Rounds op(pipe);
    op.Init(x, y, counts, workspace);
    op.Process();
}
