// y = where(x > 0, table[index], x), with a comparison's bits, offsets in bytes and masks.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
class Picking {
    static constexpr uint32_t COUNT = 512, ENTRIES = 256;
    TPipe pipe;
    TBuf<> buffers[6];
    GlobalTensor<T> x, table, y;
    GlobalTensor<int32_t> index;

    template <typename U> __aicore__ inline LocalTensor<U> tensor(int number) { return buffers[number].template Get<U>(); }  // seen 2

    template <HardEvent event> __aicore__ inline void order()
    {
        TEventID id = GetTPipePtr()->FetchEventID<event>();
        SetFlag<event>(id);
        WaitFlag<event>(id);
    }

public:
    __aicore__ inline void Init(GM_ADDR xAddress, GM_ADDR tableAddress, GM_ADDR indexAddress, GM_ADDR yAddress)
    {
        uint32_t start = COUNT * GetBlockIdx();
        x.SetGlobalBuffer((__gm__ T *)xAddress + start, COUNT);
        index.SetGlobalBuffer((__gm__ int32_t *)indexAddress + start, COUNT);
        y.SetGlobalBuffer((__gm__ T *)yAddress + start, COUNT);
        table.SetGlobalBuffer((__gm__ T *)tableAddress, ENTRIES);
        uint32_t sizes[] = {COUNT * 4, ENTRIES * 4, COUNT * 4, COUNT * 4, COUNT / 8, COUNT * 4};
        if (SEED(1)) sizes[4] = 32;
        for (int i = 0; i < 6; ++i) {
            if (SEED(2) && i == 5) continue;  // seed 2: queue-not-initialised
            pipe.InitBuffer(buffers[i], sizes[i]);  // seed 1: buffer-bounds
        }
    }

    __aicore__ inline void Process()
    {
        auto in = tensor<T>(0), entries = tensor<T>(1), picked = tensor<T>(3), out = tensor<T>(5);
        auto at = tensor<int32_t>(2);
        auto bits = tensor<uint8_t>(4);
        DataCopy(in, x, SEED(3) ? COUNT - 8 : COUNT);  // seed 3: uninitialised-global, uninitialised-compare
        DataCopy(entries, table, ENTRIES);
        if (!SEED(4)) DataCopy(at, index, COUNT);
        order<HardEvent::MTE2_V>();
        if (SEED(9)) Muls(at, at, int32_t(sizeof(T)), uint64_t(64), uint8_t(COUNT / 2), {1, 1, 8, 8});  // seed 9: gather-offset
        else if (SEED(10)) Muls(at, at, int32_t(sizeof(T)), uint64_t(64), 8, {1, 1, 64, 64});  // seed 10: buffer-bounds
        else if (!SEED(5)) Muls(at, at, int32_t(sizeof(T)), COUNT);
        auto offsets = at.template ReinterpretCast<uint32_t>();
        Gather(picked, entries, offsets, SEED(6) ? ENTRIES * 4 : 0, COUNT);  // seen 9 // seed 4: uninitialised-offset // seed 5: gather-offset, values // seed 6: buffer-bounds
        if (!SEED(8)) CompareScalar(bits, in, T(0), CMPMODE::GT, SEED(7) ? COUNT - 24 : COUNT);  // seed 7: compare-count // seen 1, 3
        Select(out, bits, picked, in, SELMODE::VSEL_TENSOR_TENSOR_MODE, COUNT);  // seed 8: uninitialised-bits, uninitialised-global // seen 1
        if (SEED(11)) Duplicate(out, T(0), 64, 8, 2, 8);  // seed 11: buffer-bounds, values
        if (SEED(12)) Adds(in, in[4], T(0), COUNT - 4);  // seed 12: misaligned
        if (SEED(13)) Adds(in[8], in, T(0), COUNT - 8);  // seed 13: overlap, values
        if (SEED(14)) Cast(picked.template ReinterpretCast<half>(), in, RoundMode::CAST_NONE, 2 * COUNT);  // seed 14: buffer-bounds
        if (!SEED(16)) order<HardEvent::V_MTE3>();
        DataCopy(y, out, COUNT);  // seed 16: missing-sync // seen 3, 8
        if (SEED(17)) Duplicate(out, T(0), COUNT);  // seed 17: missing-sync
        if (SEED(18)) pipe.InitBuffer(buffers[0], 200 * 1024);  // seed 18: memory-over-budget
        if (SEED(19)) { order<HardEvent::MTE3_MTE2>(); DataCopy(in, y[COUNT - 8], 16); }  // seed 19: global-bounds, block-read-race
    }
};

extern "C" __global__ __aicore__ void picking(GM_ADDR x, GM_ADDR table, GM_ADDR index, GM_ADDR y)
{
    Picking<float> op;
    op.Init(x, table, index, y);
    op.Process();
}
