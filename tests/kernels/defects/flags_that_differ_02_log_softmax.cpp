#include "kernel_operator.h"
using namespace AscendC;

// y = (x - max(x)) - ln(sum(exp(x - max(x)))) along the last axis
constexpr uint32_t ROWS = 640;
constexpr uint32_t COLS = 1000;
constexpr uint32_t COLS_ALIGNED = (COLS + 7) / 8 * 8;

extern "C" __global__ __aicore__ void log_softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> xQueue;
    TQue<TPosition::VECOUT, 2> yQueue;
    TBuf<TPosition::VECCALC> expBuf;
    TBuf<TPosition::VECCALC> workBuf;
    TBuf<TPosition::VECCALC> statBuf;
    GlobalTensor<float> xGm;
    GlobalTensor<float> yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, ROWS * COLS);
    yGm.SetGlobalBuffer((__gm__ float *)y, ROWS * COLS);
    pipe.InitBuffer(xQueue, 2, COLS_ALIGNED * sizeof(float));
    pipe.InitBuffer(yQueue, 2, COLS_ALIGNED * sizeof(float));
    pipe.InitBuffer(expBuf, COLS_ALIGNED * sizeof(float));
    pipe.InitBuffer(workBuf, COLS_ALIGNED * sizeof(float));
    pipe.InitBuffer(statBuf, 32);
    LocalTensor<float> exps = expBuf.Get<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    LocalTensor<float> stat = statBuf.Get<float>(); SetFlag<HardEvent::MTE2_V>(EVENT_ID0); WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);  // expect: error
    DataCopyExtParams rowParams{1, static_cast<uint32_t>(COLS * sizeof(float)), 0, 0, 0};
    DataCopyPadExtParams<float> noPad{false, 0, 0, 0};
    for (uint32_t row = GetBlockIdx(); row < ROWS; row += GetBlockNum()) {
        LocalTensor<float> xIn = xQueue.AllocTensor<float>();
        DataCopyPad(xIn, xGm[row * COLS], rowParams, noPad);
        xQueue.EnQue(xIn);
        LocalTensor<float> xLocal = xQueue.DeQue<float>();
        LocalTensor<float> yLocal = yQueue.AllocTensor<float>();
        ReduceMax<float>(stat, xLocal, work, COLS);
        PipeBarrier<PIPE_ALL>();
        float largest = stat.GetValue(0);
        Adds(yLocal, xLocal, -largest, COLS);
        Exp(exps, yLocal, COLS);
        ReduceSum<float>(stat, exps, work, COLS);
        Ln(stat, stat, 1);
        PipeBarrier<PIPE_ALL>();
        float logSum = stat.GetValue(0);
        Adds(yLocal, yLocal, -logSum, COLS);
        yQueue.EnQue(yLocal);
        xQueue.FreeTensor(xLocal);
        LocalTensor<float> yOut = yQueue.DeQue<float>();
        DataCopyPad(yGm[row * COLS], yOut, rowParams);
        yQueue.FreeTensor(yOut);
    }
}
