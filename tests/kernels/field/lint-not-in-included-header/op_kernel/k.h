#pragma once
#include "kernel_operator.h"
using namespace AscendC;
class KernelBig {
public:
    __aicore__ inline KernelBig() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        xGm.SetGlobalBuffer((__gm__ half *)x, 1024);
        yGm.SetGlobalBuffer((__gm__ half *)y, 1024);
        pipe.InitBuffer(inQueue, 2, 64 * 1024);
        pipe.InitBuffer(outQueue, 2, 64 * 1024);  // expect: kernel/ub-budget
    }
    __aicore__ inline void Process()
    {
        LocalTensor<half> x = inQueue.AllocTensor<half>();
        DataCopy(x, xGm, 7);  // expect: kernel/copy-alignment
        inQueue.EnQue(x);
        LocalTensor<half> a = inQueue.DeQue<half>();
        LocalTensor<half> b = outQueue.AllocTensor<half>();
        Exp(b, a, 16);
        outQueue.EnQue(b);
        inQueue.FreeTensor(a);
        LocalTensor<half> c = outQueue.DeQue<half>();
        DataCopy(yGm, c, 16);
        outQueue.FreeTensor(c);
    }
private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inQueue;
    TQue<QuePosition::VECOUT, 2> outQueue;
    GlobalTensor<half> xGm, yGm;
};
