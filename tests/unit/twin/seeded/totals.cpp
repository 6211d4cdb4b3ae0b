// total = sum(x), peak = max(x), part[block] = the block's own sum, by lambdas, a workspace and two rounds of all blocks.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t EACH = 2048;

#define ALL_MEET() \
    PipeBarrier<PIPE_ALL>(); \
    SyncAll()

class Totals {
public:
    __aicore__ inline Totals(GM_ADDR x, GM_ADDR total, GM_ADDR peak, GM_ADDR part, GM_ADDR workspace)
        : block_(GetBlockIdx()), blocks_(GetBlockNum())
    {
        x_.SetGlobalBuffer((__gm__ float *)x + block_ * EACH, EACH);
        total_.SetGlobalBuffer((__gm__ float *)total, 8);
        peak_.SetGlobalBuffer((__gm__ float *)peak, 8);
        part_.SetGlobalBuffer((__gm__ float *)part, blocks_ * 8);
        shared_.SetGlobalBuffer((__gm__ float *)workspace, blocks_ * 8);
        pipe_.InitBuffer(queue_, 1, EACH * sizeof(float));
        pipe_.InitBuffer(result_, 1, 32);
        pipe_.InitBuffer(work_, SEED(1) ? 32 : EACH * sizeof(float) / 8);  // seed 1: buffer-bounds, work-buffer
        pipe_.InitBuffer(all_, blocks_ * 32);
    }

    __aicore__ inline void Process()
    {
        auto fetch = [this](uint32_t count) {
            LocalTensor<float> in = queue_.AllocTensor<float>();
            DataCopy(in, x_, count);
            queue_.EnQue(in);
        };
        fetch(SEED(2) ? EACH / 2 : EACH);
        LocalTensor<float> in = queue_.DeQue<float>();
        LocalTensor<float> work = work_.Get<float>();
        auto reduced = [&](GlobalTensor<float> &to, bool largest) {
            LocalTensor<float> out = result_.AllocTensor<float>();
            if (!SEED(3)) Duplicate(out, 0.0f, 8);
            if (largest) ReduceMax(out, in, work, EACH, false);  // seen 1
            else ReduceSum(out, in, work, EACH);  // seen 2
            result_.EnQue(out);
            out = result_.DeQue<float>();
            DataCopy(to, out, 8);  // seed 3: uninitialised-global // seen 2, 4
            result_.FreeTensor(out);
        };
        GlobalTensor<float> mine = part_[block_ * 8], kept = shared_[block_ * 8];
        if (SEED(4) && block_ == 1) mine = part_;
        reduced(mine, false);  // seed 2: uninitialised-global, uninitialised-scalar // seed 4: block-overlap
        reduced(kept, true);
        queue_.FreeTensor(in);
        if (block_ == 0 && !SEED(5)) {
            Clear(total_);
        }
        if (!SEED(6)) {
            ALL_MEET();
        }
        AddTotal();
        if (SEED(7) && block_ == 2) return;
        ALL_MEET();  // seed 7: hang
        if (block_ == 0) Peak();
    }

private:
    __aicore__ inline void Clear(GlobalTensor<float> &to)
    {
        LocalTensor<float> zero = result_.AllocTensor<float>();
        Duplicate(zero, 0.0f, 8);
        result_.EnQue(zero);
        zero = result_.DeQue<float>();
        DataCopy(to, zero, 8);  // seen 6
        result_.FreeTensor(zero);
    }

    __aicore__ inline void AddTotal()
    {
        LocalTensor<float> all = all_.Get<float>();
        LocalTensor<float> out = result_.AllocTensor<float>();
        DataCopy(all, part_[block_ * 8], 8);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID2);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID2);
        Adds(out, all, 0.0f, 8);
        result_.EnQue(out);
        out = result_.DeQue<float>();
        if (!SEED(8)) SetAtomicAdd<float>();  // seen 9
        DataCopy(total_, out, 8);  // seed 8: block-overlap, values // seed 5: uninitialised-global, atomic-on-uninitialised, values // seed 6: block-overlap, values
        if (!SEED(9)) SetAtomicNone();  // seed 9: atomic-left-on, values, block-overlap
        if (SEED(10)) SetAtomicMax<float>();  // seed 10: atomic-left-on, values
        result_.FreeTensor(out);
    }

    __aicore__ inline void Peak()
    {
        LocalTensor<float> all = all_.Get<float>();
        if (SEED(11)) DataCopy(all, shared_, {1, uint16_t(blocks_ + 1), 0, 0});  // seed 11: buffer-bounds, global-bounds
        else DataCopy(all, shared_, blocks_ * 8);
        SetFlag<HardEvent::MTE2_S>(EVENT_ID4);
        WaitFlag<HardEvent::MTE2_S>(EVENT_ID4);
        float most = all.GetValue(0);
        for (int32_t block = 1; block < blocks_; ++block) {
            float one = all.GetValue(SEED(12) ? block * 8 + 64 : block * 8);  // seed 12: buffer-bounds, uninitialised-scalar
            if (one > most) most = one;
        }
        LocalTensor<float> out = result_.AllocTensor<float>();
        int32_t lanes = 8;
        if (SEED(13)) lanes = lanes / (blocks_ - GetBlockNum());  // seed 13: division-by-zero
        for (int32_t lane = 0; lane < lanes; ++lane) {
            out.SetValue(lane, lane == 0 ? most : 0.0f);
        }
        if (SEED(14)) out.SetValue(8, most);  // seed 14: buffer-bounds
        result_.EnQue(out);
        SetFlag<HardEvent::S_MTE3>(EVENT_ID5);
        WaitFlag<HardEvent::S_MTE3>(EVENT_ID5);
        out = result_.DeQue<float>();
        DataCopy(peak_, out, 8);
        if (SEED(15)) DataCopy(all, peak_, 8);  // seed 15: missing-sync
        if (SEED(16)) DataCopy(peak_, all, 8);  // seed 16: missing-sync, values
        result_.FreeTensor(out);
        if (SEED(17)) SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID6);  // seed 17: flag-left-set
    }

    int32_t block_, blocks_;
    TPipe pipe_;
    TQue<QuePosition::VECIN, 1> queue_;
    TQue<QuePosition::VECOUT, 1> result_;
    TBuf<TPosition::VECCALC> work_, all_;
    GlobalTensor<float> x_, total_, peak_, part_, shared_;
};

extern "C" __global__ __aicore__ void totals(GM_ADDR x, GM_ADDR total, GM_ADDR peak, GM_ADDR part, GM_ADDR workspace)
{
    Totals op(x, total, peak, part, workspace);
    op.Process();
}
