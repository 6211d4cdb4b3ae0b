#include "kernel_operator.h"

using namespace AscendC;

struct TilingDataDef {
    uint32_t rows = 48;
    uint32_t cols = 1024;
};

constexpr int32_t BUFFER_NUM = 2;

class KernelAddRows {
public:
    __aicore__ inline KernelAddRows() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const TilingDataDef &tiling)
    {
        cols = tiling.cols;
        // 48 行分给所有核：前 extra 个核各多算一行。
        uint32_t base = tiling.rows / GetBlockNum();
        uint32_t extra = tiling.rows % GetBlockNum();
        uint32_t index = GetBlockIdx();
        rowCount = base + (index < extra ? 1 : 0);
        uint32_t firstRow = base * index + (index < extra ? index : extra);
        xGm.SetGlobalBuffer((__gm__ half *)x + firstRow * cols, rowCount * cols);
        yGm.SetGlobalBuffer((__gm__ half *)y + firstRow * cols, rowCount * cols);
        zGm.SetGlobalBuffer((__gm__ half *)z + firstRow * cols, rowCount * cols);
        pipe.InitBuffer(queueX, BUFFER_NUM, cols * sizeof(half));
        pipe.InitBuffer(queueY, BUFFER_NUM, cols * sizeof(half));
        pipe.InitBuffer(queueZ, BUFFER_NUM, cols * sizeof(half));
    }

    __aicore__ inline void Process()
    {
        for (uint32_t row = 0; row < rowCount; row++) {
            CopyIn(row);
            Compute();
            CopyOut(row);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t row)
    {
        LocalTensor<half> xLocal = queueX.AllocTensor<half>();
        LocalTensor<half> yLocal = queueY.AllocTensor<half>();
        DataCopy(xLocal, xGm[row * cols], cols);
        DataCopy(yLocal, yGm[row * cols], cols);
        queueX.EnQue(xLocal);
        queueY.EnQue(yLocal);
    }

    __aicore__ inline void Compute()
    {
        LocalTensor<half> xLocal = queueX.DeQue<half>();
        LocalTensor<half> yLocal = queueY.DeQue<half>();
        LocalTensor<half> zLocal = queueZ.AllocTensor<half>();
        Add(zLocal, xLocal, yLocal, cols);
        queueZ.EnQue(zLocal);
        queueX.FreeTensor(xLocal);
        queueY.FreeTensor(yLocal);
    }

    __aicore__ inline void CopyOut(uint32_t row)
    {
        LocalTensor<half> zLocal = queueZ.DeQue<half>();
        DataCopy(zGm[row * cols], zLocal, cols);
        queueZ.FreeTensor(zLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> queueX;
    TQue<QuePosition::VECIN, BUFFER_NUM> queueY;
    TQue<QuePosition::VECOUT, BUFFER_NUM> queueZ;
    GlobalTensor<half> xGm;
    GlobalTensor<half> yGm;
    GlobalTensor<half> zGm;
    uint32_t cols = 0;
    uint32_t rowCount = 0;
};

extern "C" __global__ __aicore__ void add_rows(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace)
{
    TilingDataDef tiling;
    KernelAddRows op;
    op.Init(x, y, z, tiling);
    op.Process();
}
