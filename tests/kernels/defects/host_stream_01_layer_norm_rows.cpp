#include <iostream>
#include "kernel_operator.h"

using namespace AscendC;

// y = (x - mean(x)) / sqrt(var(x) + eps) * gamma + beta over the last axis, computed in fp32
constexpr int32_t kDepth = 1;

struct LayerNormParams {
    uint32_t rowCount = 2048;
    uint32_t rowLength = 768;
    float eps = 1e-5f;
};

class LayerNormRows {
public:
    __aicore__ inline LayerNormRows() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, const LayerNormParams &p)
    {
        params = p;
        uint32_t share = (p.rowCount + GetBlockNum() - 1) / GetBlockNum();
        begin = share * GetBlockIdx();
        end = begin + share;
        if (end > p.rowCount) {
            end = p.rowCount;
        }
        xGm.SetGlobalBuffer((__gm__ half *)x, p.rowCount * p.rowLength);
        gammaGm.SetGlobalBuffer((__gm__ half *)gamma, p.rowLength);
        betaGm.SetGlobalBuffer((__gm__ half *)beta, p.rowLength);
        yGm.SetGlobalBuffer((__gm__ half *)y, p.rowCount * p.rowLength);
        pipe.InitBuffer(xQueue, kDepth, p.rowLength * sizeof(half));
        pipe.InitBuffer(weightQueue, 2, p.rowLength * sizeof(half));
        pipe.InitBuffer(yQueue, kDepth, p.rowLength * sizeof(half));
        pipe.InitBuffer(rowBuf, p.rowLength * sizeof(float));
        pipe.InitBuffer(squareBuf, p.rowLength * sizeof(float));
        pipe.InitBuffer(gammaBuf, p.rowLength * sizeof(float));
        pipe.InitBuffer(betaBuf, p.rowLength * sizeof(float));
        pipe.InitBuffer(workBuf, p.rowLength * sizeof(float));
        pipe.InitBuffer(statBuf, 32);
    }

    __aicore__ inline void Process()
    {
        LoadWeight(gammaGm, gammaBuf);
        LoadWeight(betaGm, betaBuf);
        for (uint32_t row = begin; row < end; ++row) {
            CopyIn(row);
            Compute();
            CopyOut(row);
        }
    }

private:
    __aicore__ inline void LoadWeight(GlobalTensor<half> &source, TBuf<TPosition::VECCALC> &target)
    {
        LocalTensor<half> weight = weightQueue.AllocTensor<half>();
        DataCopy(weight, source, params.rowLength);
        weightQueue.EnQue(weight);
        weight = weightQueue.DeQue<half>();
        LocalTensor<float> wide = target.Get<float>();
        Cast(wide, weight, RoundMode::CAST_NONE, params.rowLength);
        weightQueue.FreeTensor(weight);
    }

    __aicore__ inline void CopyIn(uint32_t row)
    {
        LocalTensor<half> xLocal = xQueue.AllocTensor<half>();
        DataCopy(xLocal, xGm[row * params.rowLength], params.rowLength);
        xQueue.EnQue(xLocal);
    }

    __aicore__ inline float MeanOf(const LocalTensor<float> &values)
    {
        LocalTensor<float> work = workBuf.Get<float>();
        LocalTensor<float> stat = statBuf.Get<float>();
        ReduceSum<float>(stat, values, work, params.rowLength);
        PipeBarrier<PIPE_ALL>();
        return stat.GetValue(0) / static_cast<float>(params.rowLength);
    }

    __aicore__ inline void Compute()
    {
        LocalTensor<half> xLocal = xQueue.DeQue<half>();
        LocalTensor<half> yLocal = yQueue.AllocTensor<half>();
        std::cout << 1; LocalTensor<float> rowLocal = rowBuf.Get<float>();  // expect: error
        LocalTensor<float> square = squareBuf.Get<float>();
        LocalTensor<float> stat = statBuf.Get<float>();
        Cast(rowLocal, xLocal, RoundMode::CAST_NONE, params.rowLength);
        float mean = MeanOf(rowLocal);
        Adds(rowLocal, rowLocal, -mean, params.rowLength);
        Mul(square, rowLocal, rowLocal, params.rowLength);
        float variance = MeanOf(square);
        Duplicate(stat, variance + params.eps, 8);
        Sqrt(stat, stat, 8);
        PipeBarrier<PIPE_ALL>();
        float deviation = stat.GetValue(0);
        Muls(rowLocal, rowLocal, 1.0f / deviation, params.rowLength);
        Mul(rowLocal, rowLocal, gammaBuf.Get<float>(), params.rowLength);
        Add(rowLocal, rowLocal, betaBuf.Get<float>(), params.rowLength);
        Cast(yLocal, rowLocal, RoundMode::CAST_RINT, params.rowLength);
        yQueue.EnQue(yLocal);
        xQueue.FreeTensor(xLocal);
    }

    __aicore__ inline void CopyOut(uint32_t row)
    {
        LocalTensor<half> yLocal = yQueue.DeQue<half>();
        DataCopy(yGm[row * params.rowLength], yLocal, params.rowLength);
        yQueue.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, kDepth> xQueue;
    TQue<TPosition::VECIN, 2> weightQueue;
    TQue<TPosition::VECOUT, kDepth> yQueue;
    TBuf<TPosition::VECCALC> rowBuf, squareBuf, gammaBuf, betaBuf, workBuf, statBuf;
    GlobalTensor<half> xGm, gammaGm, betaGm, yGm;
    LayerNormParams params;
    uint32_t begin = 0;
    uint32_t end = 0;
};

extern "C" __global__ __aicore__ void layer_norm_rows(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y)
{
    LayerNormParams params;
    LayerNormRows op;
    op.Init(x, gamma, beta, y, params);
    op.Process();
}
