// One Adam step without bias correction: m, v and w are updated in place.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TOTAL = 48 * 8192;
constexpr uint32_t TILE = 1024;
constexpr float BETA1 = 0.9f;
constexpr float BETA2 = 0.999f;
constexpr float RATE = 1e-3f;
constexpr float EPSILON = 1e-8f;

class AdamStep {
public:
    __aicore__ inline void Init(GM_ADDR w, GM_ADDR g, GM_ADDR m, GM_ADDR v)
    {
        share = TOTAL / GetBlockNum();
        Bind(wGm, w);
        Bind(gGm, g);
        Bind(mGm, m);
        Bind(vGm, v);
        pipe.InitBuffer(inQueue, 2, 4 * TILE * sizeof(float));
        pipe.InitBuffer(outQueue, 2, 3 * TILE * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t at = 0; at < share; at += TILE) {
            Load(at);
            Update();
            Store(at);
        }
    }

private:
    __aicore__ inline void Bind(GlobalTensor<float> &tensor, GM_ADDR address)
    {
        tensor.SetGlobalBuffer((__gm__ float *)address + share * GetBlockIdx(), share);
    }
    __aicore__ inline void Load(uint32_t at)
    {
        LocalTensor<float> all = inQueue.AllocTensor<float>();  // expect: warning
        DataCopy(all, wGm[at], TILE);
        DataCopy(all[TILE], gGm[at], TILE);
        DataCopy(all[2 * TILE], mGm[at], TILE);
        DataCopy(all[3 * TILE], vGm[at], TILE);
        inQueue.EnQue(all);
    }
    __aicore__ inline void Update()
    {
        LocalTensor<float> all = inQueue.DeQue<float>();
        LocalTensor<float> fresh = outQueue.AllocTensor<float>();
        LocalTensor<float> weight = all;
        LocalTensor<float> gradient = all[TILE];
        LocalTensor<float> first = all[2 * TILE];
        LocalTensor<float> second = all[3 * TILE];
        LocalTensor<float> newWeight = fresh;
        LocalTensor<float> newFirst = fresh[TILE];
        LocalTensor<float> newSecond = fresh[2 * TILE];
        Muls(newFirst, first, BETA1, TILE);
        Axpy(newFirst, gradient, 1.0f - BETA1, TILE);
        Mul(gradient, gradient, gradient, TILE);
        Muls(newSecond, second, BETA2, TILE);
        Axpy(newSecond, gradient, 1.0f - BETA2, TILE);
        Sqrt(gradient, newSecond, TILE);
        Adds(gradient, gradient, EPSILON, TILE);
        Div(gradient, newFirst, gradient, TILE);
        Muls(gradient, gradient, -RATE, TILE);
        Add(newWeight, weight, gradient, TILE);
        outQueue.EnQue(fresh);
        
    }
    __aicore__ inline void Store(uint32_t at)
    {
        LocalTensor<float> fresh = outQueue.DeQue<float>();
        DataCopy(wGm[at], fresh, TILE);
        DataCopy(mGm[at], fresh[TILE], TILE);
        DataCopy(vGm[at], fresh[2 * TILE], TILE);
        outQueue.FreeTensor(fresh);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 2> outQueue;
    GlobalTensor<float> wGm, gGm, mGm, vGm;
    uint32_t share = 0;
};

extern "C" __global__ __aicore__ void adam_step(GM_ADDR w, GM_ADDR g, GM_ADDR m, GM_ADDR v)
{
    AdamStep op;
    op.Init(w, g, m, v);
    op.Process();
}
