#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 256;
// nine VECIN queues, each with a tensor that is out at the same time
class Sum9 {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, TPipe *pipe)
    {
        xGm.SetGlobalBuffer((__gm__ float *)x, 9 * N);
        zGm.SetGlobalBuffer((__gm__ float *)z, N);
        pipe->InitBuffer(q0, 1, N * sizeof(float));
        pipe->InitBuffer(q1, 1, N * sizeof(float));
        pipe->InitBuffer(q2, 1, N * sizeof(float));
        pipe->InitBuffer(q3, 1, N * sizeof(float));
        pipe->InitBuffer(q4, 1, N * sizeof(float));
        pipe->InitBuffer(q5, 1, N * sizeof(float));
        pipe->InitBuffer(q6, 1, N * sizeof(float));
        pipe->InitBuffer(q7, 1, N * sizeof(float));
        pipe->InitBuffer(q8, 1, N * sizeof(float));
        pipe->InitBuffer(outQ, 1, N * sizeof(float));
    }
    template <typename Q> __aicore__ inline LocalTensor<float> Load(Q &q, uint32_t k)
    {
        LocalTensor<float> t = q.template AllocTensor<float>();  // expect: kernel/too-many-tensors
        DataCopy(t, xGm[k * N], N);
        q.EnQue(t);
        return q.template DeQue<float>();
    }
    __aicore__ inline void Process()
    {
        LocalTensor<float> t0 = Load(q0, 0), t1 = Load(q1, 1), t2 = Load(q2, 2), t3 = Load(q3, 3), t4 = Load(q4, 4);
        LocalTensor<float> t5 = Load(q5, 5), t6 = Load(q6, 6), t7 = Load(q7, 7), t8 = Load(q8, 8);
        LocalTensor<float> z = outQ.AllocTensor<float>();
        Add(z, t0, t1, N);
        Add(z, z, t2, N);
        Add(z, z, t3, N);
        Add(z, z, t4, N);
        Add(z, z, t5, N);
        Add(z, z, t6, N);
        Add(z, z, t7, N);
        Add(z, z, t8, N);
        outQ.EnQue(z);
        q0.FreeTensor(t0); q1.FreeTensor(t1); q2.FreeTensor(t2); q3.FreeTensor(t3); q4.FreeTensor(t4);
        q5.FreeTensor(t5); q6.FreeTensor(t6); q7.FreeTensor(t7); q8.FreeTensor(t8);
        z = outQ.DeQue<float>();
        DataCopy(zGm, z, N);
        outQ.FreeTensor(z);
    }
private:
    TQue<TPosition::VECIN, 1> q0, q1, q2, q3, q4, q5, q6, q7, q8;
    TQue<TPosition::VECOUT, 1> outQ;
    GlobalTensor<float> xGm, zGm;
};
extern "C" __global__ __aicore__ void sum9(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    TPipe pipe;
    Sum9 op;
    op.Init(x, z, &pipe);
    op.Process();
}
