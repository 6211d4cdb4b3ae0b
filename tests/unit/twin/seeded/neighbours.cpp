// Each block doubles its row, tells the others by a flag, and adds the next block's row to its own.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t N = 512;
constexpr uint16_t DOUBLED = 3, ADDED = 4;

class Neighbours {
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    GlobalTensor<float> x, between, y;
    int32_t row, next;

    __aicore__ inline void Fetch(const GlobalTensor<float> &from, int32_t at)
    {
        LocalTensor<float> local = in.AllocTensor<float>();
        DataCopy(local, from[at], N);  // seen 1, 2, 3, 4, 8
        in.EnQue(local);
    }

    __aicore__ inline void Store(const GlobalTensor<float> &to, int32_t at, float factor)
    {
        LocalTensor<float> local = in.DeQue<float>(), result = out.AllocTensor<float>();
        Muls(result, local, factor, N);
        in.FreeTensor(local);
        out.EnQue(result);
        result = out.DeQue<float>();
        DataCopy(to[at], result, N);  // seen 4, 5, 6, 7
        out.FreeTensor(result);
    }

public:
    __aicore__ inline void Process(TPipe &pipe, GM_ADDR xAddress, GM_ADDR yAddress, GM_ADDR workspace)
    {
        pipe.InitBuffer(in, 1, N * sizeof(float));
        pipe.InitBuffer(out, 1, N * sizeof(float));
        row = GetBlockIdx();
        next = (row + 1) % GetBlockNum();
        x.SetGlobalBuffer((__gm__ float *)xAddress);
        between.SetGlobalBuffer((__gm__ float *)workspace);
        y.SetGlobalBuffer((__gm__ float *)yAddress);
        Fetch(x, row * N);
        Store(between, (SEED(5) ? row / 2 : row) * N, 2.0f);  // seed 5: block-overlap
        if (SEED(2)) CrossCoreSetFlag<0, PIPE_MTE2>(DOUBLED);  // seed 2: block-read-race
        else if (SEED(3)) CrossCoreSetFlag<1, PIPE_MTE3>(DOUBLED);  // seed 3: block-read-race, hang
        else CrossCoreSetFlag<0, PIPE_MTE3>(DOUBLED);
        if (!SEED(1)) CrossCoreWaitFlag(DOUBLED);  // seed 1: block-read-race
        if (SEED(6)) Again(row * N);  // seed 6: block-overlap, block-read-race
        Fetch(between, next * N);
        Store(y, SEED(7) ? 0 : row * N, 3.0f);  // seed 7: block-overlap
        CrossCoreSetFlag<0, PIPE_MTE2>(ADDED);
        if (!SEED(4)) CrossCoreWaitFlag(ADDED);  // seed 4: block-read-race
        Fetch(x, row * N);
        Store(between, row * N, 1.0f);
        if (SEED(8)) Fetch(between, next * N);  // seed 8: block-read-race, tensor-left-in-queue
    }

    __aicore__ inline void Again(int32_t at)
    {
        Fetch(x, at);
        Store(between, at, 4.0f);
    }
};

extern "C" __global__ __aicore__ void neighbours(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    TPipe pipe;
    Neighbours op;
    op.Process(pipe, x, y, workspace);
}
