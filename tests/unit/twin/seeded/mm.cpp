// c[M, N] = a[M, K] * b[K, N]: halves in, floats out, every step by hand; a block takes 32 rows of a
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint16_t M = 32, N = 48, K = 64;

class Mm {
public:
    __aicore__ inline Mm()
    {
        pipe.InitBuffer(a1, 1, M * K * sizeof(half));
        pipe.InitBuffer(b1, 1, K * N * sizeof(half));
        pipe.InitBuffer(a2, 1, M * K * sizeof(half));
        pipe.InitBuffer(b2, 1, K * N * sizeof(half));
        pipe.InitBuffer(co, 1, M * N * sizeof(float));
    }

    __aicore__ inline void Exec(GM_ADDR a, GM_ADDR b, GM_ADDR c)
    {
        ag.SetGlobalBuffer((__gm__ half *)a + GetBlockIdx() * M * K, M * K);
        bg.SetGlobalBuffer((__gm__ half *)b, K * N);
        cg.SetGlobalBuffer((__gm__ float *)c + GetBlockIdx() * M * N, M * N);
        In();
        SplitA();
        SplitB();
        Multiply();
        Out();
    }

private:
    __aicore__ inline void In()
    {
        LocalTensor<half> a = a1.AllocTensor<half>();
        LocalTensor<half> b = b1.AllocTensor<half>();
        Nd2NzParams pa;
        pa.ndNum = 1;
        pa.nValue = M;
        pa.dValue = K;
        pa.srcNdMatrixStride = 0;
        pa.srcDValue = K;
        pa.dstNzC0Stride = M;
        pa.dstNzNStride = 1;
        pa.dstNzMatrixStride = 0;
        DataCopy(a, ag, pa);
        Nd2NzParams pb;
        pb.ndNum = 1;
        pb.nValue = K;
        pb.dValue = N;
        pb.srcNdMatrixStride = 0;
        pb.srcDValue = N;
        pb.dstNzC0Stride = K;
        pb.dstNzNStride = 1;
        pb.dstNzMatrixStride = 0;
        DataCopy(b, bg, pb);
        a1.EnQue(a);
        b1.EnQue(b);
    }

    __aicore__ inline void SplitA()
    {
        LocalTensor<half> from = a1.DeQue<half>();
        LocalTensor<half> to = a2.AllocTensor<half>();
        // rows of fractals: Nz in L1, Zz in L0A
        for (int i = 0; i < M / 16; ++i) {
            LoadData2DParams p;
            p.repeatTimes = K / 16;
            p.srcStride = M / 16;
            p.ifTranspose = false;
            LoadData(to[i * 16 * K], from[i * 256], p);
        }
        a2.EnQue(to);
        a1.FreeTensor(from);
    }

    __aicore__ inline void SplitB()
    {
        LocalTensor<half> from = b1.DeQue<half>();
        LocalTensor<half> to = b2.AllocTensor<half>();
        // Nz in L1, Zn in L0B, each fractal transposed
        for (int i = 0; i < K / 16; ++i) {
            LoadData2DParams p;
            p.repeatTimes = N / 16;
            p.srcStride = K / 16;
            p.ifTranspose = true;
            LoadData(to[i * 16 * N], from[i * 256], p);
        }
        b2.EnQue(to);
        b1.FreeTensor(from);
    }

    __aicore__ inline void Multiply()
    {
        LocalTensor<half> a = a2.DeQue<half>();
        LocalTensor<half> b = b2.DeQue<half>();
        LocalTensor<float> c = co.AllocTensor<float>();
        MmadParams mp;
        mp.m = M;
        mp.n = N;
        mp.k = K;
        mp.cmatrixInitVal = true;
        Mmad(c, a, b, mp);
        co.EnQue<float>(c);
        a2.FreeTensor(a);
        b2.FreeTensor(b);
    }

    __aicore__ inline void Out()
    {
        LocalTensor<float> c = co.DeQue<float>();
        FixpipeParamsV220 fp;
        fp.nSize = N;
        fp.mSize = M;
        fp.srcStride = M;
        fp.dstStride = N;
        fp.ndNum = 1;
        fp.srcNdStride = 0;
        fp.dstNdStride = 0;
        Fixpipe(cg, c, fp);
        co.FreeTensor(c);
    }

    TPipe pipe;
    TQue<TPosition::A1, 1> a1;
    TQue<TPosition::B1, 1> b1;
    TQue<TPosition::A2, 1> a2;
    TQue<TPosition::B2, 1> b2;
    TQue<TPosition::CO1, 1> co;
    GlobalTensor<half> ag, bg;
    GlobalTensor<float> cg;
};

extern "C" __global__ __aicore__ void mm(GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    Mm op;
    op.Exec(a, b, c);
}
