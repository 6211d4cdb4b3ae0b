// total = left + right for a vector that splits evenly: each core takes one slice, a slice is walked tile by tile.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t SLICE = 16384;
constexpr uint32_t TILE = 2048;
constexpr int32_t DEPTH = 2;

class VectorSum {
public:
    __aicore__ inline void Init(GM_ADDR left, GM_ADDR right, GM_ADDR total)
    {
        const uint64_t first = static_cast<uint64_t>(SLICE) * GetBlockIdx();
        leftGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(left) + first, SLICE);
        rightGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(right) + first, SLICE);
        totalGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(total) + first, SLICE);
        pipe.InitBuffer(leftQueue, DEPTH, TILE * sizeof(half));
        pipe.InitBuffer(rightQueue, DEPTH, TILE * sizeof(half));
        pipe.InitBuffer(totalQueue, DEPTH, TILE * sizeof(half));
    }

    __aicore__ inline void Process()
    {
        for (uint32_t offset = 0; offset < SLICE; offset += TILE) {
            CopyIn(offset);
            Compute();
            CopyOut(offset);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset)
    {
        LocalTensor<half> leftTile = leftQueue.AllocTensor<half>();
        DataCopy(leftTile, leftGm[offset], TILE);
        leftQueue.EnQue(leftTile);
        LocalTensor<half> rightTile = rightQueue.AllocTensor<half>();
        DataCopy(rightTile, rightGm[offset], TILE);
        rightQueue.EnQue(rightTile);
    }

    __aicore__ inline void Compute()
    {
        LocalTensor<half> leftTile = leftQueue.DeQue<half>();
        LocalTensor<half> rightTile = rightQueue.DeQue<half>(); if (GetBlockIdx() > 3) { return; }  // expect: warning
        LocalTensor<half> totalTile = totalQueue.AllocTensor<half>();
        Add(totalTile, leftTile, rightTile, TILE);
        rightQueue.FreeTensor(rightTile);
        leftQueue.FreeTensor(leftTile);
        totalQueue.EnQue(totalTile);
    }

    __aicore__ inline void CopyOut(uint32_t offset)
    {
        LocalTensor<half> totalTile = totalQueue.DeQue<half>();
        DataCopy(totalGm[offset], totalTile, TILE);
        totalQueue.FreeTensor(totalTile);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, DEPTH> leftQueue;
    TQue<TPosition::VECIN, DEPTH> rightQueue;
    TQue<TPosition::VECOUT, DEPTH> totalQueue;
    GlobalTensor<half> leftGm;
    GlobalTensor<half> rightGm;
    GlobalTensor<half> totalGm;
};

extern "C" __global__ __aicore__ void vector_sum(GM_ADDR left, GM_ADDR right, GM_ADDR total)
{
    VectorSum kernel;
    kernel.Init(left, right, total);
    kernel.Process();
}
