// a window of a matrix of shorts, doubled: strided copies in and out
#include "kernel_operator.h"
using namespace AscendC;

struct Window {
    uint32_t width;    // of the source
    uint32_t top;
    uint32_t left;
    uint32_t rows;     // of the window
    uint32_t cols;
};

constexpr uint32_t BAND = 8;   // rows at a time

class Crop {
public:
    __aicore__ inline explicit Crop(const Window &w) : w_(w), line_((w.cols + 15) / 16 * 16) {}

    __aicore__ inline void Bind(GM_ADDR x, GM_ADDR y, uint32_t height)
    {
        x_.SetGlobalBuffer((__gm__ int16_t *)x, height * w_.width);
        y_.SetGlobalBuffer((__gm__ int16_t *)y, w_.rows * w_.cols);
        pipe_.InitBuffer(q_, 2, BAND * line_ * sizeof(int16_t));
        pipe_.InitBuffer(r_, 2, BAND * line_ * sizeof(int16_t));
    }

    __aicore__ inline void Go()
    {
        const uint32_t bands = (w_.rows + BAND - 1) / BAND;
        for (uint32_t b = GetBlockIdx(); b < bands; b += GetBlockNum()) {
            const uint32_t row = b * BAND;
            const uint16_t h = static_cast<uint16_t>(row + BAND > w_.rows ? w_.rows - row : BAND);
            Take(row, h);
            Twice(h);
            Leave(row, h);
        }
    }

private:
    __aicore__ inline void Take(uint32_t row, uint16_t h)
    {
        LocalTensor<int16_t> t = q_.AllocTensor<int16_t>();
        DataCopyExtParams p;
        p.blockCount = h;
        p.blockLen = w_.cols * sizeof(int16_t);
        p.srcStride = (w_.width - w_.cols) * sizeof(int16_t);
        p.dstStride = 0;
        p.rsv = 0;
        DataCopyPadExtParams<int16_t> pad;
        pad.isPad = true;
        pad.leftPadding = 0;
        pad.rightPadding = static_cast<uint8_t>(line_ - w_.cols);
        pad.paddingValue = 0;
        DataCopyPad(t, x_[(w_.top + row) * w_.width + w_.left], p, pad);
        q_.EnQue(t);
    }

    __aicore__ inline void Twice(uint16_t h)
    {
        LocalTensor<int16_t> t = q_.DeQue<int16_t>();
        LocalTensor<int16_t> u = r_.AllocTensor<int16_t>();
        Muls(u, t, static_cast<int16_t>(2), h * line_);
        r_.EnQue(u);
        q_.FreeTensor(t);
    }

    __aicore__ inline void Leave(uint32_t row, uint16_t h)
    {
        LocalTensor<int16_t> u = r_.DeQue<int16_t>();
        DataCopyExtParams p{h, static_cast<uint32_t>(w_.cols * sizeof(int16_t)), 0, 0, 0};
        DataCopyPad(y_[row * w_.cols], u, p);
        r_.FreeTensor(u);
    }

    Window w_;
    uint32_t line_;
    TPipe pipe_;
    TQue<TPosition::VECIN, 2> q_;
    TQue<TPosition::VECOUT, 2> r_;
    GlobalTensor<int16_t> x_, y_;
};

extern "C" __global__ __aicore__ void crop(GM_ADDR x, GM_ADDR y)
{
    Window w{90, 11, 7, 37, 53};
    Crop c(w);
    c.Bind(x, y, 50);
    c.Go();
}
