// Two vector cores of a group double their rows, the cube core sums, and every group reads what the next one summed.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 64;
constexpr uint16_t HALVES = 0, DONE = 1, VECTORS = 2, CUBES = 3, BACK = 4;
extern "C" __global__ __mix__(1, 2) void relay(GM_ADDR x, GM_ADDR y, GM_ADDR sums)
{
    uint32_t group = get_block_idx(), sub = GetSubBlockIdx();
    GlobalTensor<float> xGm, yGm, sumsGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + (2 * group + sub) * N, N);
    yGm.SetGlobalBuffer((__gm__ float *)y + (2 * group + sub) * N, N);
    sumsGm.SetGlobalBuffer((__gm__ float *)sums);
    SetSyncBaseAddr(0);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, N * sizeof(float));
    LocalTensor<float> values = buffer.Get<float>();
    DataCopy(values, xGm, N);
    PipeBarrier<PIPE_ALL>();
    Muls(values, values, 2.0f, N);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, values, N);
    if ASCEND_IS_AIV {
        CrossCoreSetFlag<1, PIPE_MTE3>(HALVES);
        CrossCoreWaitFlag(HALVES);
        CrossCoreSetFlag<0, PIPE_MTE3>(SEED(3) ? CUBES : VECTORS);
        CrossCoreWaitFlag(VECTORS);  // seed 3: hang
        if (!SEED(4) || sub == 0) CrossCoreSetFlag<2, PIPE_MTE3>(DONE);
        CrossCoreWaitFlag(BACK);  // seed 1: hang
        if (sub == 1) {
            yGm.SetValue(0, sumsGm.GetValue(8 * ((group + 1) % GetBlockNum())));
        }
    }
    if ASCEND_IS_AIC {
        CrossCoreWaitFlag(DONE);  // seed 4: hang
        sumsGm.SetValue(8 * group, yGm.GetValue(0) + yGm.GetValue(N));
        if (!SEED(5) || group != 1) CrossCoreSetFlag<0, PIPE_FIX>(CUBES);
        CrossCoreWaitFlag(CUBES);  // seed 5: hang
        if (!SEED(1)) CrossCoreSetFlag<2, PIPE_FIX>(BACK);
        for (int i = 0; SEED(2) && i < 16; ++i) CrossCoreSetFlag<2, PIPE_FIX>(BACK);  // seed 2: cross-core-overflow
    }
    if ASCEND_IS_AIV {
        SyncAll<false>();  // seed 6: hang
    } else if (!SEED(6)) {
        SyncAll<false>();
    }
}
