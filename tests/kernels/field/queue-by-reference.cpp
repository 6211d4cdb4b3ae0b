#include "kernel_operator.h"
using namespace AscendC;
template <typename T> class Copier {
public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, uint32_t n)
    {
        xGm.SetGlobalBuffer((__gm__ T *)x); yGm.SetGlobalBuffer((__gm__ T *)y);
        pipe.InitBuffer(inQ, 2, n * sizeof(T)); pipe.InitBuffer(outQ, 2, n * sizeof(T));
        for (uint32_t i = 0; i < 4; i++) { In(inQ, i * n, n); Work(inQ, outQ, n); Out(outQ, i * n, n); }
    }
private:
    __aicore__ inline void In(TQue<TPosition::VECIN, 2> &source, uint32_t at, uint32_t n)
    {
        LocalTensor<T> a = source.template AllocTensor<T>();
        DataCopy(a, xGm[at], n);
        source.EnQue(a);
    }
    __aicore__ inline void Work(TQue<TPosition::VECIN, 2> &from, TQue<TPosition::VECOUT, 2> &to, uint32_t n)
    {
        LocalTensor<T> a = from.template DeQue<T>();
        LocalTensor<T> b = to.template AllocTensor<T>();
        Adds(b, a, static_cast<T>(1), n);
        to.EnQue(b);
        from.FreeTensor(a);
    }
    __aicore__ inline void Out(TQue<TPosition::VECOUT, 2> &sink, uint32_t at, uint32_t n)
    {
        LocalTensor<T> b = sink.template DeQue<T>();
        DataCopy(yGm[at], b, n);
        sink.FreeTensor(b);
    }
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQ;
    TQue<TPosition::VECOUT, 2> outQ;
    GlobalTensor<T> xGm, yGm;
};
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR y) { Copier<half> op; op.Run(x, y, 128); }
