#include "kernel_operator.h"
using namespace AscendC;

// out[i] = first + i * step
extern "C" __global__ __aicore__ void fill_arange(GM_ADDR out)
{
    constexpr uint32_t kTile = 2048;
    constexpr uint32_t kTiles = 16;
    const float first = 3.0f;
    const float step = 0.25f;
    TPipe pipe;
    TQue<TPosition::VECOUT, 2> outQueue;
    TBuf<TPosition::VECCALC> indexBuf;
    GlobalTensor<float> outGm;
    outGm.SetGlobalBuffer((__gm__ float *)out, kTile * kTiles * GetBlockNum());
    pipe.InitBuffer(outQueue, 2, kTile * sizeof(float));
    pipe.InitBuffer(indexBuf, kTile * sizeof(float));
    LocalTensor<float> index = indexBuf.Get<float>();
    CreateVecIndex(index, 0.0f, kTile);
    Muls(index, index, step, kTile);
    for (uint32_t tile = 0; tile < kTiles; tile++) {
        uint32_t position = (GetBlockIdx() * kTiles + tile) * kTile;
        LocalTensor<float> outLocal = outQueue.AllocTensor<float>();
        Adds(outLocal, index, first + step * static_cast<float>(position), kTile);
        outQueue.EnQue(outLocal);
        outLocal = outQueue.DeQue<float>();
        DataCopy(outGm[position], outLocal, 7);  // expect: error
        outQueue.FreeTensor(outLocal);
    }
}
