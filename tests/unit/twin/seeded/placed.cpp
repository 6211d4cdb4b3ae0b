// y = exp(-x) + x by free functions over static tensors, in turns over two halves of the unified buffer.
#include "kernel_operator.h"
using namespace AscendC;

namespace {
constexpr uint32_t LENGTH = 4096, PART = 1024, BYTES = PART * sizeof(half);
constexpr uint32_t IN = 0, OUT = 2 * BYTES, WORK = 4 * BYTES;

#define READY(event, id) do { SetFlag<HardEvent::event>(id); WaitFlag<HardEvent::event>(id); } while (0)

struct Turn {
    LocalTensor<half> in, out;
    event_t id;
};

__aicore__ inline Turn turnOf(uint32_t step)
{
    uint32_t side = step % 2;
    Turn turn;
    turn.in = LocalTensor<half>(TPosition::VECIN, IN + side * BYTES, PART);
    turn.out = LocalTensor<half>(TPosition::VECOUT, OUT + (SEED(1) ? 0 : side) * BYTES, PART);  // seed 1: missing-sync
    turn.id = event_t(side);
    return turn;
}

template <typename T>
__aicore__ inline void negated(const LocalTensor<T> &to, const LocalTensor<T> &from, uint32_t count)
{
    Muls(to, from, T(-1), count);  // seen 2, 5, 8, 9, 18
}

__aicore__ inline void compute(const Turn &turn, const LocalTensor<half> &work)
{
    negated(work, turn.in, SEED(2) ? PART + 64 : PART);
    Exp(turn.out, work, PART);  // seen 1
    Add(turn.out, turn.out, turn.in, PART);  // seen 1
    if (SEED(3)) Add(turn.out, turn.out, turn.in, uint64_t(192), PART / 128, {1, 1, 1, 8, 8, 8});  // seed 3: mask-range
    if (SEED(4)) Adds(turn.out[PART - 64], turn.out, half(0), uint64_t(128), uint8_t(1), {1, 1, 8, 8});  // seed 4: memory-bounds, beyond-tensor, missing-sync, values, overlap
}
}

extern "C" __global__ __aicore__ void placed(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<half> source, target;
    source.SetGlobalBuffer((__gm__ half *)x + LENGTH * GetBlockIdx(), LENGTH);
    target.SetGlobalBuffer((__gm__ half *)y + LENGTH * GetBlockIdx(), LENGTH);
    LocalTensor<half> work(TPosition::VECCALC, SEED(5) ? IN + 32 : WORK, PART);  // seed 5: overlap, missing-sync
    for (int id = 0; id < 2; ++id) {
        SetFlag<HardEvent::V_MTE2>(id);
        if (!SEED(6)) SetFlag<HardEvent::MTE3_V>(id);
    }
    for (uint32_t step = 0; step < LENGTH / PART; ++step) {
        Turn turn = turnOf(step);
        if (!SEED(7)) WaitFlag<HardEvent::V_MTE2>(turn.id);
        DataCopy(turn.in, source[step * PART], PART);  // seed 7: missing-sync, flag-set-twice
        if (SEED(8)) {
            SetFlag<HardEvent::MTE3_V>(7);
            WaitFlag<HardEvent::MTE3_V>(7);
        } else if (SEED(9)) {
            PipeBarrier<PIPE_MTE2>();
        } else if (SEED(10)) {
            SetFlag<HardEvent::MTE2_V>(turn.id);
            WaitFlag<HardEvent::MTE2_V>(1 - turn.id);  // seed 10: wait-without-set
        } else {
            READY(MTE2_V, turn.id);
        }
        WaitFlag<HardEvent::MTE3_V>(turn.id);  // seen 13 // seed 6: wait-without-set
        compute(turn, work);  // seed 8: missing-sync // seed 9: missing-sync // seed 2: memory-bounds, beyond-tensor, values, missing-sync
        SetFlag<HardEvent::V_MTE2>(turn.id);  // seen 7
        if (SEED(11)) SetFlag<HardEvent::V_MTE2>(turn.id);  // seed 11: flag-set-twice
        if (!SEED(12)) READY(V_MTE3, EVENT_ID3);
        DataCopy(target[step * PART], turn.out, PART);  // seed 12: missing-sync
        if (SEED(13) && step == 1) continue;  // seed 13: wait-without-set
        SetFlag<HardEvent::MTE3_V>(turn.id);  // seed 16: flag-left-set
        if (SEED(14)) {
            LocalTensor<half> odd(TPosition::VECCALC, WORK + 8, 16);
            Duplicate(odd, half(0), 16);  // seed 14: misaligned
        }
        if (SEED(15)) {
            LocalTensor<half> far(TPosition::VECCALC, 192 * 1024 - 64, PART);
            Duplicate(far, half(0), PART);  // seed 15: memory-bounds
        }
    }
    for (int id = 0; id < 2; ++id) {
        WaitFlag<HardEvent::V_MTE2>(id);
        if (!SEED(16)) WaitFlag<HardEvent::MTE3_V>(id);
    }
    if (SEED(17)) SetFlag<HardEvent::V_MTE3>(9);  // seed 17: event-id
    if (SEED(18)) {
        LocalTensor<half> nothing;
        negated(nothing, work, PART);  // seed 18: tensor-without-memory
    }
    if (SEED(19)) {
        DataCopy(LocalTensor<half>(TPosition::VECCALC, OUT, PART), source, PART);  // seed 19: missing-sync
    }
    if (SEED(20)) {
        PipeBarrier<PIPE_ALL>();
        DataCopy(target[LENGTH - 16], work, PART);  // seed 20: global-bounds, block-overlap
    }
    if (SEED(21)) {
        LocalMemAllocator<Hardware::UB> memory;
        for (int tile = 0; tile < 3; ++tile) {
            memory.Alloc<TPosition::VECCALC, float, 16 * 1024 + 32>();  // seed 21: memory-over-budget
        }
    }
    if (SEED(22)) work = LocalTensor<half>(TPosition::VECCALC, 200 * 1024, PART);  // seed 22: memory-over-budget
}
