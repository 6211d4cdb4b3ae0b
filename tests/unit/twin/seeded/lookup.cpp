// y[i] = table[index[i]]: a small table of floats stays in the unified buffer
#include "kernel_operator.h"
using namespace AscendC;

#define TABLE_LEN 512u
#define CHUNK 256u

class Lookup {
    TPipe *pipe = nullptr;
    GlobalTensor<float> table, y;
    GlobalTensor<int32_t> index;
    TQue<TPosition::VECIN, 1> qTable;
    TQue<TPosition::VECIN, 2> qIndex;
    TQue<TPosition::VECOUT, 2> qOut;
    TBuf<TPosition::VECCALC> bytes;

public:
    __aicore__ inline Lookup() {}
    __aicore__ inline void Init(TPipe *p, GM_ADDR t, GM_ADDR i, GM_ADDR o, uint32_t n)
    {
        pipe = p;
        table.SetGlobalBuffer((__gm__ float *)t, TABLE_LEN);
        index.SetGlobalBuffer((__gm__ int32_t *)i, n);
        y.SetGlobalBuffer((__gm__ float *)o, n);
        pipe->InitBuffer(qTable, 1, TABLE_LEN * sizeof(float));
        pipe->InitBuffer(qIndex, 2, CHUNK * sizeof(int32_t));
        pipe->InitBuffer(qOut, 2, CHUNK * sizeof(float));
        pipe->InitBuffer(bytes, CHUNK * sizeof(int32_t));
    }
    __aicore__ inline void Run(uint32_t n)
    {
        {
            auto t = qTable.AllocTensor<float>();
            DataCopy(t, table, TABLE_LEN);
            qTable.EnQue(t);
        }
        auto t = qTable.DeQue<float>();
        uint32_t step = GetBlockNum() * CHUNK;
        for (uint32_t at = GetBlockIdx() * CHUNK; at < n; at += step) {
            uint32_t len = n - at;
            if (len > CHUNK) len = CHUNK;
            One(t, at, len);
        }
        qTable.FreeTensor(t);
    }

private:
    __aicore__ inline void One(LocalTensor<float> &t, uint32_t at, uint32_t len)
    {
        DataCopyExtParams copy;
        copy.blockCount = 1;
        copy.blockLen = len * 4;
        copy.srcStride = 0;
        copy.dstStride = 0;
        DataCopyPadExtParams<int32_t> none{false, 0, 0, 0};
        auto idx = qIndex.AllocTensor<int32_t>();
        DataCopyPad(idx, index[at], copy, none);
        qIndex.EnQue(idx);
        idx = qIndex.DeQue<int32_t>();
        LocalTensor<int32_t> off = bytes.Get<int32_t>();
        ShiftLeft(off, idx, 2, static_cast<int32_t>(len));
        auto out = qOut.AllocTensor<float>();
        Gather(out, t, off.ReinterpretCast<uint32_t>(), 0u, len);
        qIndex.FreeTensor(idx);
        qOut.EnQue(out);
        out = qOut.DeQue<float>();
        DataCopyPad(y[at], out, copy);
        qOut.FreeTensor(out);
    }
};

extern "C" __global__ __aicore__ void lookup(GM_ADDR table, GM_ADDR index, GM_ADDR y)
{
    constexpr uint32_t n = 1111;
    TPipe p;
    Lookup l;
    l.Init(&p, table, index, y, n);
    l.Run(n);
}
