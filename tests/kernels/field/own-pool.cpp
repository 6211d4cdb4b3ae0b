#include "kernel_operator.h"

class HalvesPool {
public:
    __aicore__ inline HalvesPool() { Init(); }

    template <class Q>
    __aicore__ inline bool InitBuffer(Q &queue, uint8_t count, uint32_t bytes)
    {
        auto first = this->GetBufHandle(this->GetCurBufSize());
        auto address = this->GetCurAddr();
        queue.InitStartBufHandle(first, count, bytes);
        for (uint32_t at = 0; at < count; at++) {
            queue.InitBufHandle(this, at, first, address + at * bytes, bytes);
        }
        this->SetCurAddr(address + count * bytes);
        this->SetCurBufSize(this->GetCurBufSize() + count);
        return true;
    }
    EXTERN_IMPL_BUFPOOL(HalvesPool, AscendC::TPosition::VECCALC, 8);
};

extern "C" __global__ __aicore__ void negated(GM_ADDR x, GM_ADDR y)
{
    AscendC::TPipe pipe;
    HalvesPool pool, shared;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
    AscendC::TBuf<AscendC::TPosition::VECCALC> work;
    AscendC::GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x, 128);
    yGm.SetGlobalBuffer((__gm__ half *)y, 128);
    pipe.InitBufPool(pool, 1024);
    pipe.InitBufPool(shared, 1024, pool);
    pool.InitBuffer(in, 1, 256);
    pool.InitBuffer(out, 1, 256);
    pool.InitBuffer(work, 1, 256);
    AscendC::LocalTensor<half> a = in.AllocTensor<half>();
    AscendC::DataCopy(a, xGm, 128);
    in.EnQue(a);
    a = in.DeQue<half>();
    AscendC::LocalTensor<half> b = out.AllocTensor<half>();
    AscendC::Muls(b, a, half(-1), 128);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<half>();
    AscendC::DataCopy(yGm, b, 128);
    out.FreeTensor(b);
    pool.Reset();
}
