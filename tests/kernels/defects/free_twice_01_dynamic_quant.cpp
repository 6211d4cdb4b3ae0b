// Each row is scaled by its own largest magnitude: scale[r] = max|x[r, :]| / 127, y = int8(round(x / scale)).
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kRows = 512;
constexpr uint32_t kCols = 1024;

class DynamicQuant {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR scale)
    {
        perCore_ = (kRows + GetBlockNum() - 1) / GetBlockNum();
        xGm_.SetGlobalBuffer((__gm__ half *)x, kRows * kCols);
        yGm_.SetGlobalBuffer((__gm__ int8_t *)y, kRows * kCols);
        scaleGm_.SetGlobalBuffer((__gm__ float *)scale, kRows);
        pipe_.InitBuffer(xQue_, 2, kCols * sizeof(half));
        pipe_.InitBuffer(yQue_, 2, kCols * sizeof(int8_t));
        pipe_.InitBuffer(scaleQue_, 2, 32);
        pipe_.InitBuffer(wide_, kCols * sizeof(float));
        pipe_.InitBuffer(magnitude_, kCols * sizeof(float));
        pipe_.InitBuffer(work_, kCols * sizeof(float));
        pipe_.InitBuffer(narrow_, kCols * sizeof(half));
    }

    __aicore__ inline void Process()
    {
        uint32_t first = perCore_ * GetBlockIdx();
        for (uint32_t row = first; row < first + perCore_ && row < kRows; row++) {
            LocalTensor<half> x = xQue_.AllocTensor<half>();
            DataCopy(x, xGm_[row * kCols], kCols);
            xQue_.EnQue(x);
            Scale();
            LocalTensor<int8_t> y = yQue_.DeQue<int8_t>();
            DataCopy(yGm_[row * kCols], y, kCols);
            yQue_.FreeTensor(y); yQue_.FreeTensor(y);  // expect: error
            LocalTensor<float> scale = scaleQue_.DeQue<float>();
            DataCopyExtParams one{1, sizeof(float), 0, 0, 0};
            DataCopyPad(scaleGm_[row], scale, one);
            scaleQue_.FreeTensor(scale);
        }
    }

private:
    __aicore__ inline void Scale()
    {
        LocalTensor<half> x = xQue_.DeQue<half>();
        LocalTensor<int8_t> y = yQue_.AllocTensor<int8_t>();
        LocalTensor<float> scale = scaleQue_.AllocTensor<float>();
        LocalTensor<float> wide = wide_.Get<float>();
        LocalTensor<float> magnitude = magnitude_.Get<float>();
        LocalTensor<float> work = work_.Get<float>();
        LocalTensor<half> narrow = narrow_.Get<half>();
        Cast(wide, x, RoundMode::CAST_NONE, kCols);
        Abs(magnitude, wide, kCols);
        ReduceMax(scale, magnitude, work, kCols);
        Muls(scale, scale, 1.0f / 127.0f, 1);
        event_t ready = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
        SetFlag<HardEvent::V_S>(ready);
        WaitFlag<HardEvent::V_S>(ready);
        float inverse = 1.0f / (scale.GetValue(0) + 1e-12f);
        Muls(wide, wide, inverse, kCols);
        Cast(narrow, wide, RoundMode::CAST_NONE, kCols);
        Cast(y, narrow, RoundMode::CAST_RINT, kCols);
        yQue_.EnQue(y);
        scaleQue_.EnQue(scale);
        xQue_.FreeTensor(x);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 2> xQue_;
    TQue<TPosition::VECOUT, 2> yQue_;
    TQue<TPosition::VECOUT, 2> scaleQue_;
    TBuf<TPosition::VECCALC> wide_;
    TBuf<TPosition::VECCALC> magnitude_;
    TBuf<TPosition::VECCALC> work_;
    TBuf<TPosition::VECCALC> narrow_;
    GlobalTensor<half> xGm_;
    GlobalTensor<int8_t> yGm_;
    GlobalTensor<float> scaleGm_;
    uint32_t perCore_ = 0;
};

extern "C" __global__ __aicore__ void dynamic_quant(GM_ADDR x, GM_ADDR y, GM_ADDR scale)
{
    DynamicQuant op;
    op.Init(x, y, scale);
    op.Process();
}
