// y = 2 * x and total = sum(x), with buffers and events by hand.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 1024;
extern "C" __global__ __aicore__ void by_hand(GM_ADDR x, GM_ADDR y, GM_ADDR total)
{
    TPipe pipe;
    if (SEED(1)) reinterpret_cast<__gm__ float *>(x)[4 * N + 8192] = 1;  // seed 1: global-bounds
    if (SEED(2)) *reinterpret_cast<__gm__ volatile float *>(uintptr_t(GetBlockNum())) = 1;  // seed 2: crash
    TBuf<TPosition::VECCALC> inBuf, outBuf, sumBuf, workBuf;
    GlobalTensor<float> xGm, yGm, totalGm;
    uint32_t start = (SEED(3) ? N - 8 : N) * GetBlockIdx();
    if (SEED(4)) start += 8;
    if (SEED(5)) start = N / (GetBlockIdx() - GetBlockIdx());  // seed 5: division-by-zero
    xGm.SetGlobalBuffer((__gm__ float *)x + start, N);
    yGm.SetGlobalBuffer((__gm__ float *)y + start, N);
    totalGm.SetGlobalBuffer((__gm__ float *)total, 8);
    pipe.InitBuffer(inBuf, SEED(6) ? 200 * 1024 : N * sizeof(float));  // seed 6: memory-over-budget
    pipe.InitBuffer(outBuf, N * sizeof(float));
    if (!SEED(7)) pipe.InitBuffer(sumBuf, 32);
    pipe.InitBuffer(workBuf, N * sizeof(float));
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    LocalTensor<float> sum;
    if (!SEED(8)) sum = sumBuf.Get<float>();  // seed 7: queue-not-initialised
    LocalTensor<float> work = workBuf.Get<float>();
    if (SEED(9)) start = uint32_t(in.GetValue(0));  // seed 9: uninitialised-scalar
    DataCopy(in, xGm, SEED(10) ? N + 1 : N);  // seed 4: global-bounds // seed 10: copy-count
    if (!SEED(11)) {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
    Muls(out, in, SEED(12) ? 2.1f : 2.0f, N);  // seed 11: missing-sync // seed 12: values
    if (SEED(13)) Adds(out[8], out, 0.0f, N - 8);  // seed 13: overlap
    if (SEED(14)) Muls(out, in, 2.0f, uint64_t(128), 16, {1, 1, 8, 8});  // seed 14: mask-range
    if (SEED(15)) Muls(out, in, 2.0f, uint64_t(64), 17, {1, 1, 8, 8});  // seed 15: buffer-bounds
    if (SEED(16)) Muls(out, in, 2.0f, uint64_t(64), 16, {1, 1, 16, 8});  // seed 16: buffer-bounds
    if (SEED(17)) Muls(out, in, 2.0f, int32_t(N) - int32_t(2 * N));  // seed 17: negative-count
    if (!SEED(18)) Duplicate(sum, 0.0f, 8);  // seed 8: tensor-without-memory
    ReduceSum(sum, in, work, N);
    if (!SEED(19) && !SEED(20)) SetFlag<HardEvent::V_MTE3>(EVENT_ID1);  // seed 21: flag-left-set
    if (SEED(22)) SetFlag<HardEvent::V_MTE3>(EVENT_ID1);  // seed 22: flag-set-twice
    if (SEED(23)) WaitFlag<HardEvent::V_MTE3>(EVENT_ID3);  // seed 23: wait-without-set
    else if (SEED(24)) WaitFlag<HardEvent::MTE3_V>(EVENT_ID1);  // seed 24: wait-without-set
    else if (!SEED(20) && !SEED(21)) WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);  // seed 19: wait-without-set
    DataCopy(yGm, out, N);  // seed 20: missing-sync // seed 3: block-overlap
    if (GetBlockIdx() == 0) {
        Duplicate(work, 0.0f, 8);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID2);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID2);
        DataCopy(totalGm, work, 8);
    }
    if (!SEED(25)) SyncAll();
    if (!SEED(26) && !SEED(27)) SetAtomicAdd<float>();
    DataCopy(totalGm, sum, 8);  // seed 18: uninitialised-global // seed 25: block-overlap // seed 26: block-overlap // seed 27: block-overlap
    SetAtomicNone();
    if (SEED(27)) SetAtomicAdd<float>();
    if (SEED(28) && GetBlockIdx() == 1) return;
    if (!SEED(29)) SyncAll();  // seed 28: hang
    LocalTensor<float> again = inBuf.Get<float>();
    SetFlag<HardEvent::V_MTE2>(SEED(30) ? 9 : 0);  // seed 30: event-id
    WaitFlag<HardEvent::V_MTE2>(SEED(30) ? 9 : 0);
    DataCopy(again, totalGm, 8);  // seed 29: block-read-race
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
    Brcb(out, again, 1, {1, 8});
    Add(out, out, out, 8);
}
