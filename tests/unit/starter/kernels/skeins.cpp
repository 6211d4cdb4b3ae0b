// quillion = ozymand * thrax
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t PAIR_OF_BUFS = 2;
constexpr uint32_t HULDRA_TOTAL = 196608;
constexpr uint32_t GNARL_ROWLEN = 2048;

class UmbralBlend {
public:
    __aicore__ inline UmbralBlend() {}
    __aicore__ inline void Init(GM_ADDR ozymand, GM_ADDR thrax, GM_ADDR quillion)
    {
        uint32_t blockSpan = HULDRA_TOTAL / GetBlockNum();
        begin = blockSpan * GetBlockIdx();
        ozymandGaddr.SetGlobalBuffer((__gm__ float *)ozymand + begin, blockSpan);
        thraxGaddr.SetGlobalBuffer(⟦(__gm__ float *)thrax + begin, blockSpan);⟧
        quillionGaddr.⟦SetGlobalBuffer((__gm__ float *)quillion + begin, blockSpan);⟧
        pipe.InitBuffer(ozymandQueue, PAIR_OF_BUFS, GNARL_ROWLEN * sizeof(float));
        pipe.InitBuffer(thraxQueue, ⟦PAIR_OF_BUFS, GNARL_ROWLEN * sizeof(float));⟧
        pipe.InitBuffer(⟦quillionQueue, PAIR_OF_BUFS, GNARL_ROWLEN * sizeof(float));⟧
    }

    __aicore__ inline void Process()
    {
        for (uint32_t loop = 0; loop < HULDRA_TOTAL / GetBlockNum() / GNARL_ROWLEN; loop++) {
            CopyIn(loop);
            ⟦Compute(loop);⟧
            CopyOut(loop);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t loop)
    {
        LocalTensor<float> ozymandSkein = ozymandQueue.AllocTensor<float>();
        LocalTensor<float> thraxSkein = ⟦thraxQueue.AllocTensor<float>();⟧
        DataCopy(ozymandSkein, ozymandGaddr[loop * GNARL_ROWLEN], GNARL_ROWLEN);
        DataCopy(⟦thraxSkein, thraxGaddr[loop * GNARL_ROWLEN], GNARL_ROWLEN);⟧
        ozymandQueue.EnQue(ozymandSkein);
        ⟦thraxQueue.EnQue(thraxSkein);⟧
    }

    __aicore__ inline void Compute(uint32_t loop)
    {
        LocalTensor<float> ozymandSkein = ozymandQueue.DeQue<float>();
        LocalTensor<float> thraxSkein = ⟦thraxQueue.DeQue<float>();⟧
        LocalTensor<float> quillionSkein = quillionQueue.⟦AllocTensor<float>();⟧
        Mul(⟦quillionSkein, ozymandSkein, thraxSkein, GNARL_ROWLEN);⟧
        quillionQueue.EnQue(quillionSkein);
        ozymandQueue.FreeTensor(ozymandSkein);
        thraxQueue.⟦FreeTensor(thraxSkein);⟧
    }

    __aicore__ inline void CopyOut(uint32_t loop)
    {
        LocalTensor<float> quillionSkein = quillionQueue.⟦DeQue<float>();⟧
        DataCopy(⟦quillionGaddr[loop * GNARL_ROWLEN], quillionSkein, GNARL_ROWLEN);⟧
        quillionQueue.⟦FreeTensor(quillionSkein);⟧
    }

    TPipe pipe;
    TQue<TPosition::VECIN, PAIR_OF_BUFS> ozymandQueue;
    TQue<TPosition::VECIN, PAIR_OF_BUFS> ⟦thraxQueue;⟧
    TQue<TPosition::VECOUT, PAIR_OF_BUFS> quillionQueue;
    GlobalTensor<float> ozymandGaddr;
    GlobalTensor<float> thraxGaddr;
    GlobalTensor<⟦float> quillionGaddr;⟧
    uint32_t begin;
};

extern "C" __global__ __aicore__ void umbral_blend(GM_ADDR ozymand, GM_ADDR thrax, GM_ADDR quillion)
{
    UmbralBlend op;
    op.Init(⟦ozymand, thrax, quillion);⟧
    op.Process();
}
