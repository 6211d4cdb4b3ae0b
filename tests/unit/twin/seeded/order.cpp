// every row of 128 floats in descending order, with where each came from
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t W = 128, rows = 8;

__aicore__ inline void SortRow(const LocalTensor<float> &dst, const LocalTensor<float> &key,
                               const LocalTensor<uint32_t> &id, const LocalTensor<float> &runs)
{
    Sort32<float>(runs, key, id, W / 32);
    PipeBarrier<PIPE_V>();
    MrgSort4Info info;
    for (int i = 0; i < 4; ++i) {
        info.elementLengths[i] = 32;
    }
    info.ifExhaustedSuspension = false;
    info.validBit = 15;
    info.repeatTimes = 1;
    MrgSortSrcList<float> from;
    from.src1 = runs[0];
    from.src2 = runs[64];
    from.src3 = runs[128];
    from.src4 = runs[192];
    MrgSort<float>(dst, from, info);
    PipeBarrier<PIPE_V>();
}

extern "C" __global__ __aicore__ void order(GM_ADDR x, GM_ADDR value, GM_ADDR place)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> outValue;
    TQue<TPosition::VECOUT, 1> outPlace;
    TBuf<TPosition::VECCALC> ids, runs, pairs;
    pipe.InitBuffer(in, 1, W * 4);
    pipe.InitBuffer(outValue, 1, W * 4);
    pipe.InitBuffer(outPlace, 1, W * 4);
    pipe.InitBuffer(ids, W * 4);
    pipe.InitBuffer(runs, W * 8);
    pipe.InitBuffer(pairs, W * 8);
    GlobalTensor<float> gx, gv;
    GlobalTensor<uint32_t> gp;
    gx.SetGlobalBuffer((__gm__ float *)x, rows * W);
    gv.SetGlobalBuffer((__gm__ float *)value, rows * W);
    gp.SetGlobalBuffer((__gm__ uint32_t *)place, rows * W);

    LocalTensor<int32_t> number = ids.Get<int32_t>();
    CreateVecIndex(number, 0, W);
    PipeBarrier<PIPE_V>();
    const int32_t per = rows / GetBlockNum();
    for (int32_t k = 0; k < per; ++k) {
        const int32_t r = GetBlockIdx() * per + k;
        LocalTensor<float> key = in.AllocTensor<float>();
        DataCopy(key, gx[r * W], W);
        in.EnQue(key);
        key = in.DeQue<float>();
        LocalTensor<float> both = pairs.Get<float>();
        SortRow(both, key, number.ReinterpretCast<uint32_t>(), runs.Get<float>());
        in.FreeTensor(key);

        LocalTensor<float> v = outValue.AllocTensor<float>();
        LocalTensor<uint32_t> p = outPlace.AllocTensor<uint32_t>();
        uint64_t kept = 0;
        GatherMask(v, both, 1, false, 0, {1, 4, 8, 0}, kept);
        GatherMask(p, both.ReinterpretCast<uint32_t>(), 2, false, 0, {1, 4, 8, 0}, kept);
        outValue.EnQue(v);
        outPlace.EnQue(p);
        v = outValue.DeQue<float>();
        DataCopy(gv[r * W], v, W);
        outValue.FreeTensor(v);
        p = outPlace.DeQue<uint32_t>();
        DataCopy(gp[r * W], p, W);
        outPlace.FreeTensor(p);
    }
}
