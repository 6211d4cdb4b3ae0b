#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;
constexpr uint32_t LOOPS = 8;

class Op {
public:
    __aicore__ inline Op() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR z)
    {
        xGm.SetGlobalBuffer((__gm__ int16_t *)x + GetBlockIdx() * TILE * LOOPS, TILE * LOOPS);
        zGm.SetGlobalBuffer((__gm__ int16_t *)z + GetBlockIdx() * TILE * LOOPS, TILE * LOOPS);
        pipe.InitBuffer(inQ, 2, TILE * sizeof(int16_t));
        pipe.InitBuffer(outQ, 2, TILE * sizeof(int16_t));
        
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
        LocalTensor<int16_t> xl = inQ.AllocTensor<int16_t>();
        DataCopy(xl, xGm[i * TILE], TILE);
        inQ.EnQue(xl);
    }
    __aicore__ inline void Compute(uint32_t i)
    {
        LocalTensor<int16_t> xl = inQ.DeQue<int16_t>();
        LocalTensor<int16_t> zl = outQ.AllocTensor<int16_t>();
        AscendC::Ands(zl, xl, (int16_t)7, TILE);  // expect: embedded/chip
        AscendC::Ors(zl, xl, (int16_t)7, TILE);  // expect: embedded/chip
        AscendC::Subs(zl, xl, (int16_t)7, TILE);  // expect: embedded/chip
        AscendC::Divs(zl, xl, (int16_t)7, TILE);  // expect: embedded/chip
        outQ.EnQue(zl);
        inQ.FreeTensor(xl);
    }
    __aicore__ inline void CopyOut(uint32_t i)
    {
        LocalTensor<int16_t> zl = outQ.DeQue<int16_t>();
        DataCopy(zGm[i * TILE], zl, TILE);
        outQ.FreeTensor(zl);
    }
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQ;
    TQue<TPosition::VECOUT, 2> outQ;
    GlobalTensor<int16_t> xGm, zGm;
    
};

extern "C" __global__ __aicore__ void op_54c_ands(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    Op op;
    op.Init(x, z);
    op.Process();
}
