#include "kernel_operator.h"
using namespace AscendC;

// y = max(a * 3 + b, c) in int32, with a short last tile
constexpr int32_t kTile = 1024;
constexpr int32_t kTotal = 100000;

template <typename T = int32_t>
class Int32Mix {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR y)
    {
        int32_t tiles = (kTotal + kTile - 1) / kTile;
        int32_t perCore = (tiles + GetBlockNum() - 1) / GetBlockNum();
        firstTile = perCore * GetBlockIdx();
        lastTile = firstTile + perCore < tiles ? firstTile + perCore : tiles;
        aGm.SetGlobalBuffer((T *)a, kTotal);  // expect: error
        bGm.SetGlobalBuffer((__gm__ T *)b, kTotal);
        cGm.SetGlobalBuffer((__gm__ T *)c, kTotal);
        yGm.SetGlobalBuffer((__gm__ T *)y, kTotal);
        pipe.InitBuffer(aQueue, 2, kTile * sizeof(T));
        pipe.InitBuffer(bQueue, 2, kTile * sizeof(T));
        pipe.InitBuffer(cQueue, 2, kTile * sizeof(T));
        pipe.InitBuffer(yQueue, 2, kTile * sizeof(T));
    }
    __aicore__ inline void Process()
    {
        for (int32_t tile = firstTile; tile < lastTile; ++tile) {
            int32_t count = tile * kTile + kTile > kTotal ? kTotal - tile * kTile : kTile;
            DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
            Load(tile * kTile, params);
            Mix(count);
            LocalTensor<T> y = yQueue.DeQue<T>();
            DataCopyPad(yGm[tile * kTile], y, params);
            yQueue.FreeTensor(y);
        }
    }

private:
    __aicore__ inline void Load(int32_t offset, const DataCopyExtParams &params)
    {
        DataCopyPadExtParams<T> pad{true, 0, 0, 0};
        LocalTensor<T> a = aQueue.AllocTensor<T>();
        LocalTensor<T> b = bQueue.AllocTensor<T>();
        LocalTensor<T> c = cQueue.AllocTensor<T>();
        DataCopyPad(a, aGm[offset], params, pad);
        DataCopyPad(b, bGm[offset], params, pad);
        DataCopyPad(c, cGm[offset], params, pad);
        aQueue.EnQue(a);
        bQueue.EnQue(b);
        cQueue.EnQue(c);
    }
    __aicore__ inline void Mix(int32_t count)
    {
        LocalTensor<T> a = aQueue.DeQue<T>();
        LocalTensor<T> b = bQueue.DeQue<T>();
        LocalTensor<T> c = cQueue.DeQue<T>();
        LocalTensor<T> y = yQueue.AllocTensor<T>();
        Muls(a, a, static_cast<T>(3), count);
        Add(a, a, b, count);
        Max(y, a, c, count);
        yQueue.EnQue(y);
        aQueue.FreeTensor(a);
        bQueue.FreeTensor(b);
        cQueue.FreeTensor(c);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, 2> aQueue, bQueue, cQueue;
    TQue<TPosition::VECOUT, 2> yQueue;
    GlobalTensor<T> aGm, bGm, cGm, yGm;
    int32_t firstTile = 0;
    int32_t lastTile = 0;
};

extern "C" __global__ __aicore__ void int32_mix(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR y)
{
    Int32Mix<> op;
    op.Init(a, b, c, y);
    op.Process();
}
