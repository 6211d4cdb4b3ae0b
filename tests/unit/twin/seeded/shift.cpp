// rows of 64 floats minus their maximum: reductions by repeats, the maximum spread by Brcb
#include "kernel_operator.h"
using namespace AscendC;

class Shift {
public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, int32_t rows)
    {
        const int32_t cores = GetBlockNum();
        const int32_t own = rows / cores / ONCE * ONCE;
        gx_.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * own * WIDTH, own * WIDTH);
        gy_.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * own * WIDTH, own * WIDTH);
        pipe_.InitBuffer(xb_, ONCE * WIDTH * sizeof(float));
        pipe_.InitBuffer(mb_, ONCE * sizeof(float));
        pipe_.InitBuffer(sb_, ONCE * 32);
        pipe_.InitBuffer(yb_, ONCE * WIDTH * sizeof(float));
        LocalTensor<float> x_ = xb_.Get<float>();
        LocalTensor<float> m = mb_.Get<float>();
        LocalTensor<float> spread = sb_.Get<float>();
        LocalTensor<float> y_ = yb_.Get<float>();
        for (int32_t r = 0; r < own; r += ONCE) {
            DataCopy(x_, gx_[r * WIDTH], ONCE * WIDTH);
            Order<HardEvent::MTE2_V>();
            WholeReduceMax(m, x_, WIDTH, ONCE, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
            PipeBarrier<PIPE_V>();
            Brcb(spread, m, ONCE / 8, {1, 8});
            PipeBarrier<PIPE_V>();
            // one block of the maximum for all eight blocks of a row
            Sub(y_, x_, spread, WIDTH, ONCE, {1, 1, 0, 8, 8, 1});
            Order<HardEvent::V_MTE3>();
            DataCopy(gy_[r * WIDTH], y_, ONCE * WIDTH);
            Order<HardEvent::MTE3_V>();
            Order<HardEvent::V_MTE2>();
        }
    }

private:
    template <HardEvent E>
    __aicore__ inline void Order()
    {
        const int32_t id = static_cast<int32_t>(pipe_.FetchEventID(E));
        SetFlag<E>(id);
        WaitFlag<E>(id);
    }

    static constexpr int32_t WIDTH = 64;
    static constexpr int32_t ONCE = 16;
    TPipe pipe_;
    TBuf<TPosition::VECCALC> xb_, mb_, sb_, yb_;
    GlobalTensor<float> gx_, gy_;
};

extern "C" __global__ __aicore__ void shift(GM_ADDR x, GM_ADDR y)
{
    Shift s;
    s.Run(x, y, 96);
}
