#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;
constexpr uint32_t LOOPS = 8;

class Op {
public:
    __aicore__ inline Op() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR z)
    {
        xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * TILE * LOOPS, TILE * LOOPS);
        zGm.SetGlobalBuffer((__gm__ float *)z + GetBlockIdx() * TILE * LOOPS, TILE * LOOPS);
        pipe.InitBuffer(inQ, 2, TILE * sizeof(float));
        pipe.InitBuffer(outQ, 2, TILE * sizeof(float));
        pipe.InitBuffer(tmp, 8192);
    }
    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < LOOPS; i++) {
            CopyIn(i);
            Compute(i);
            CopyOut(i);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t i)
    {
        LocalTensor<float> xl = inQ.AllocTensor<float>();
        DataCopy(xl, xGm[i * TILE], TILE);
        inQ.EnQue(xl);
    }
    __aicore__ inline void Compute(uint32_t i)
    {
        LocalTensor<float> xl = inQ.DeQue<float>();
        LocalTensor<float> zl = outQ.AllocTensor<float>();
        LocalTensor<float> work = tmp.Get<float>();
        ReduceMax(work, xl, work[64], TILE);
        float m = work.GetValue(0);        // the vector unit may not be done
        Muls(zl, xl, 1.0f / m, TILE);
        outQ.EnQue(zl);
        inQ.FreeTensor(xl);
    }
    __aicore__ inline void CopyOut(uint32_t i)
    {
        LocalTensor<float> zl = outQ.DeQue<float>();
        DataCopy(zGm[i * TILE], zl, TILE);
        outQ.FreeTensor(zl);
    }
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQ;
    TQue<TPosition::VECOUT, 2> outQ;
    GlobalTensor<float> xGm, zGm;
    TBuf<TPosition::VECCALC> tmp;
};

extern "C" __global__ __aicore__ void op_24_v2s(GM_ADDR x, GM_ADDR z)
{
    Op op;
    op.Init(x, z);
    op.Process();
}
