// RMS normalisation with a residual: s = x + r, y = s / sqrt(mean(s * s) + epsilon) * gamma, row by row.
// Rows are dealt out to the cores; a row that does not fit into the unified buffer is read twice, in tiles.
#include "kernel_operator.h"

using namespace AscendC;

namespace {
constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t BLOCK_BYTES = 32;
constexpr uint32_t ROWS = 768;
constexpr uint32_t COLS = 5120;
constexpr uint32_t TILE_LENGTH = 2048;
constexpr float EPSILON = 1e-6f;

__aicore__ inline uint32_t CeilDiv(uint32_t value, uint32_t factor)
{
    return factor == 0 ? value : (value + factor - 1) / factor;
}

__aicore__ inline uint32_t AlignUp(uint32_t value, uint32_t factor)
{
    return CeilDiv(value, factor) * factor;
}
}

class KernelAddRmsNorm {
public:
    __aicore__ inline KernelAddRmsNorm() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR residual, GM_ADDR gamma, GM_ADDR y, GM_ADDR sum)
    {
        uint32_t blockIdx = GetBlockIdx();
        uint32_t blockNum = GetBlockNum();
        uint32_t rowsPerCore = CeilDiv(ROWS, blockNum);
        firstRow = rowsPerCore * blockIdx;
        rowCount = firstRow >= ROWS ? 0 : (ROWS - firstRow < rowsPerCore ? ROWS - firstRow : rowsPerCore);
        tileCount = CeilDiv(COLS, TILE_LENGTH);

        xGm.SetGlobalBuffer((__gm__ half *)x + firstRow * COLS, rowCount * COLS);
        residualGm.SetGlobalBuffer((__gm__ half *)residual + firstRow * COLS, rowCount * COLS);
        gammaGm.SetGlobalBuffer((__gm__ half *)gamma, COLS);
        yGm.SetGlobalBuffer((__gm__ half *)y + firstRow * COLS, rowCount * COLS);
        sumGm.SetGlobalBuffer((__gm__ half *)sum + firstRow * COLS, rowCount * COLS);

        pipe.InitBuffer(queueX, BUFFER_NUM, TILE_LENGTH * sizeof(half));
        pipe.InitBuffer(queueResidual, BUFFER_NUM, TILE_LENGTH * sizeof(half));
        pipe.InitBuffer(queueGamma, BUFFER_NUM, TILE_LENGTH * sizeof(half));
        pipe.InitBuffer(queueY, BUFFER_NUM, TILE_LENGTH * sizeof(half));
        pipe.InitBuffer(queueSum, BUFFER_NUM, TILE_LENGTH * sizeof(half));
        pipe.InitBuffer(valueBuffer, TILE_LENGTH * sizeof(float));
        pipe.InitBuffer(squareBuffer, TILE_LENGTH * sizeof(float));
        pipe.InitBuffer(workBuffer, TILE_LENGTH * sizeof(float));
        pipe.InitBuffer(scalarBuffer, BLOCK_BYTES);
    }

    __aicore__ inline void Process()
    {
        for (uint32_t row = 0; row < rowCount; row++) {
            float squares = 0.0f;
            for (uint32_t tile = 0; tile < tileCount; tile++) {
                CopyInPair(row, tile);
                squares += AddAndSquare(tile);
                CopyOutSum(row, tile);
            }
            float scale = 1.0f / sqrt(squares / COLS + EPSILON);
            // The sums that this row has just written are read back below.
            SyncRow();
            for (uint32_t tile = 0; tile < tileCount; tile++) {
                CopyInSum(row, tile);
                Scale(scale, tile);
                CopyOutY(row, tile);
            }
        }
    }

private:
    __aicore__ inline uint32_t TileLength(uint32_t tile) const
    {
        uint32_t start = tile * TILE_LENGTH;
        return COLS - start < TILE_LENGTH ? COLS - start : TILE_LENGTH;
    }

    __aicore__ inline uint32_t Offset(uint32_t row, uint32_t tile) const
    {
        return row * COLS + tile * TILE_LENGTH;
    }

    __aicore__ inline void CopyInPair(uint32_t row, uint32_t tile)
    {
        uint32_t length = TileLength(tile);
        LocalTensor<half> xLocal = queueX.AllocTensor<half>();
        LocalTensor<half> residualLocal = queueResidual.AllocTensor<half>();
        DataCopy(xLocal, xGm[Offset(row, tile)], length);
        DataCopy(residualLocal, residualGm[Offset(row, tile)], length);
        queueX.EnQue(xLocal);
        queueResidual.EnQue(residualLocal);
    }

    __aicore__ inline float AddAndSquare(uint32_t tile)
    {
        uint32_t length = TileLength(tile);
        LocalTensor<half> xLocal = queueX.DeQue<half>();
        LocalTensor<half> residualLocal = queueResidual.DeQue<half>();
        LocalTensor<half> sumLocal = queueSum.AllocTensor<half>();
        Add(sumLocal, xLocal, residualLocal, length);
        queueX.FreeTensor(xLocal);
        queueResidual.FreeTensor(residualLocal);

        LocalTensor<float> value = valueBuffer.Get<float>();
        LocalTensor<float> square = squareBuffer.Get<float>();
        LocalTensor<float> work = workBuffer.Get<float>();
        LocalTensor<float> total = scalarBuffer.Get<float>();
        Cast(value, sumLocal, RoundMode::CAST_NONE, length);
        Mul(square, value, value, length);
        ReduceSum(total, square, work, length);
        queueSum.EnQue(sumLocal);

        event_t eventId = static_cast<event_t>(pipe.FetchEventID(HardEvent::V_S));
        SetFlag<HardEvent::V_S>(eventId);
        WaitFlag<HardEvent::V_S>(eventId);
        return total.GetValue(0);
    }

    __aicore__ inline void CopyOutSum(uint32_t row, uint32_t tile)
    {
        LocalTensor<half> sumLocal = queueSum.DeQue<half>();
        DataCopy(sumGm[Offset(row, tile)], sumLocal, TileLength(tile));
        queueSum.FreeTensor(sumLocal);
    }

    __aicore__ inline void SyncRow()
    {
        event_t eventId = static_cast<event_t>(pipe.FetchEventID(HardEvent::MTE3_MTE2));
        SetFlag<HardEvent::MTE3_MTE2>(eventId);
        WaitFlag<HardEvent::MTE3_MTE2>(eventId);
    }

    __aicore__ inline void CopyInSum(uint32_t row, uint32_t tile)
    {
        uint32_t length = TileLength(tile);
        LocalTensor<half> xLocal = queueX.AllocTensor<half>();
        LocalTensor<half> gammaLocal = queueGamma.AllocTensor<half>();
        DataCopy(xLocal, sumGm[Offset(row, tile)], length);
        DataCopy(gammaLocal, gammaGm[tile * TILE_LENGTH], length);
        queueX.EnQue(xLocal);
        queueGamma.EnQue(gammaLocal);
    }

    __aicore__ inline void Scale(float scale, uint32_t tile)
    {
        uint32_t length = TileLength(tile);
        LocalTensor<half> xLocal = queueX.DeQue<half>();
        LocalTensor<half> gammaLocal = queueGamma.DeQue<half>();
        LocalTensor<half> yLocal = queueY.AllocTensor<half>();
        LocalTensor<float> value = valueBuffer.Get<float>();
        LocalTensor<float> weight = squareBuffer.Get<float>();
        Cast(value, xLocal, RoundMode::CAST_NONE, length);
        Cast(weight, gammaLocal, RoundMode::CAST_NONE, length);
        Muls(value, value, scale, length);
        Mul(value, value, weight, length);
        Cast(yLocal, value, RoundMode::CAST_ROUND, length);
        queueY.EnQue(yLocal);
        queueX.FreeTensor(xLocal);
        queueGamma.FreeTensor(gammaLocal);
    }

    __aicore__ inline void CopyOutY(uint32_t row, uint32_t tile)
    {
        LocalTensor<half> yLocal = queueY.DeQue<half>();
        DataCopy(yGm[Offset(row, tile)], yLocal, TileLength(tile));
        queueY.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> queueX;
    TQue<QuePosition::VECIN, BUFFER_NUM> queueResidual;
    TQue<QuePosition::VECIN, BUFFER_NUM> queueGamma;
    TQue<QuePosition::VECOUT, BUFFER_NUM> queueY;
    TQue<QuePosition::VECOUT, BUFFER_NUM> queueSum;
    TBuf<TPosition::VECCALC> valueBuffer;
    TBuf<TPosition::VECCALC> squareBuffer;
    TBuf<TPosition::VECCALC> workBuffer;
    TBuf<TPosition::VECCALC> scalarBuffer;
    GlobalTensor<half> xGm;
    GlobalTensor<half> residualGm;
    GlobalTensor<half> gammaGm;
    GlobalTensor<half> yGm;
    GlobalTensor<half> sumGm;
    uint32_t firstRow = 0;
    uint32_t rowCount = 0;
    uint32_t tileCount = 0;
};

extern "C" __global__ __aicore__ void add_rms_norm(
    GM_ADDR x, GM_ADDR residual, GM_ADDR gamma, GM_ADDR y, GM_ADDR sum, GM_ADDR workspace)
{
    KernelAddRmsNorm op;
    op.Init(x, residual, gamma, y, sum);
    op.Process();
}
