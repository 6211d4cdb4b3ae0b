// where the largest element of every row is, and its value; scalars put the answers together
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t ROOM = 8, rows = 27, cols = 203;

extern "C" __global__ __aicore__ void pick(GM_ADDR x, GM_ADDR where, GM_ADDR best)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> q;
    TBuf<TPosition::VECCALC> work, top;
    TBuf<TPosition::VECOUT> ints, floats;
    const int32_t wide = (cols + 7) / 8 * 8;
    pipe.InitBuffer(q, 2, wide * sizeof(float));
    pipe.InitBuffer(work, wide * sizeof(float));
    pipe.InitBuffer(top, 32);
    pipe.InitBuffer(ints, ROOM * sizeof(int32_t));
    pipe.InitBuffer(floats, ROOM * sizeof(float));
    GlobalTensor<float> gx, gb;
    GlobalTensor<int32_t> gi;
    gx.SetGlobalBuffer((__gm__ float *)x, rows * cols);
    gb.SetGlobalBuffer((__gm__ float *)best, rows);
    gi.SetGlobalBuffer((__gm__ int32_t *)where, rows);
    LocalTensor<int32_t> wi = ints.Get<int32_t>();
    LocalTensor<float> wf = floats.Get<float>();
    LocalTensor<float> t = top.Get<float>();
    for (int32_t first = GetBlockIdx() * ROOM; first < rows; first += GetBlockNum() * ROOM) {
        const int32_t many = rows - first < ROOM ? rows - first : ROOM;
        for (int32_t k = 0; k < many; ++k) {
            LocalTensor<float> l = q.AllocTensor<float>();
            DataCopyPad(l, gx[(first + k) * cols], {1, static_cast<uint32_t>(cols * 4), 0, 0, 0}, {false, 0, 0, 0});
            q.EnQue(l);
            l = q.DeQue<float>();
            ReduceMax(t, l, work.Get<float>(), cols, true);
            SetFlag<HardEvent::V_S>(EVENT_ID1);
            WaitFlag<HardEvent::V_S>(EVENT_ID1);
            float index = t.GetValue(1);
            wf.SetValue(k, t.GetValue(0));
            wi.SetValue(k, *reinterpret_cast<int32_t *>(&index));
            SetFlag<HardEvent::S_V>(EVENT_ID1);
            WaitFlag<HardEvent::S_V>(EVENT_ID1);
            q.FreeTensor(l);
        }
        SetFlag<HardEvent::S_MTE3>(EVENT_ID1);
        WaitFlag<HardEvent::S_MTE3>(EVENT_ID1);
        DataCopyExtParams cp{1, static_cast<uint32_t>(many * 4), 0, 0, 0};
        DataCopyPad(gi[first], wi, cp);
        DataCopyPad(gb[first], wf, cp);
        SetFlag<HardEvent::MTE3_S>(EVENT_ID1);
        WaitFlag<HardEvent::MTE3_S>(EVENT_ID1);
    }
}
