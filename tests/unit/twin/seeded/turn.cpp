// y[L, 16] = x[16, L] transposed, halves, L a multiple of 16
#include "kernel_operator.h"
using namespace AscendC;

class Turn {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t len)
    {
        len_ = len;
        size_ = 16 * len;
        xg_.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * size_, size_);
        yg_.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * size_, size_);
        pipe_.InitBuffer(src_, 1, size_ * sizeof(half));
        pipe_.InitBuffer(dst_, 1, size_ * sizeof(half));
    }

    __aicore__ inline void Process()
    {
        auto s = src_.AllocTensor<half>();
        DataCopy(s, xg_, size_);
        src_.EnQue(s);

        auto t = src_.DeQue<half>();
        auto d = dst_.AllocTensor<half>();
        LocalTensor<half> from[16];
        LocalTensor<half> to[16];
        for (uint32_t i = 0; i < 16; i++) {
            from[i] = t[i * len_];
            to[i] = d[i * 16];
        }
        TransDataTo5HDParams p;
        p.dstHighHalf = false;
        p.srcHighHalf = false;
        p.repeatTimes = len_ / 16;
        p.srcRepStride = len_ == 16 ? 0 : 1;
        p.dstRepStride = len_ == 16 ? 0 : 16;
        TransDataTo5HD<half>(to, from, p);
        dst_.EnQue(d);
        src_.FreeTensor(t);

        auto r = dst_.DeQue<half>();
        DataCopy(yg_, r, size_);
        dst_.FreeTensor(r);
    }

private:
    TPipe pipe_;
    TQue<QuePosition::VECIN, 1> src_;
    TQue<QuePosition::VECOUT, 1> dst_;
    GlobalTensor<half> xg_, yg_;
    uint32_t len_, size_;
};

extern "C" __global__ __aicore__ void turn(GM_ADDR x, GM_ADDR y)
{
    Turn t;
    t.Init(x, y, 96);
    t.Process();
}
