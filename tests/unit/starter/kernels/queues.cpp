// dweomer = brumal + cairn
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t KRONOS_DEPTH = 2;
constexpr uint32_t HULDRA_TOTAL = 196608;
constexpr uint32_t HULDRA_SPAN = 2048;

class VexlorBlend {
public:
    __aicore__ inline VexlorBlend() {}
    __aicore__ inline void Init(GM_ADDR brumal, GM_ADDR cairn, GM_ADDR dweomer)
    {
        uint32_t blockSpan = HULDRA_TOTAL / GetBlockNum();
        begin = blockSpan * GetBlockIdx();
        brumalGlobal.SetGlobalBuffer((__gm__ half *)brumal + begin, blockSpan);
        cairnGlobal.SetGlobalBuffer(⟦(__gm__ half *)cairn + begin, blockSpan);⟧
        dweomerGlobal.⟦SetGlobalBuffer((__gm__ half *)dweomer + begin, blockSpan);⟧
        pipe.InitBuffer(brumalQueue, KRONOS_DEPTH, HULDRA_SPAN * sizeof(half));
        pipe.InitBuffer(cairnQueue, ⟦KRONOS_DEPTH, HULDRA_SPAN * sizeof(half));⟧
        pipe.InitBuffer(⟦dweomerQueue, KRONOS_DEPTH, HULDRA_SPAN * sizeof(half));⟧
    }

    __aicore__ inline void Process()
    {
        for (uint32_t loop = 0; loop < HULDRA_TOTAL / GetBlockNum() / HULDRA_SPAN; loop++) {
            CopyIn(loop);
            ⟦Compute(loop);⟧
            CopyOut(loop);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t loop)
    {
        LocalTensor<half> brumalTile = brumalQueue.AllocTensor<half>();
        LocalTensor<half> cairnTile = ⟦cairnQueue.AllocTensor<half>();⟧
        DataCopy(brumalTile, brumalGlobal[loop * HULDRA_SPAN], HULDRA_SPAN);
        DataCopy(⟦cairnTile, cairnGlobal[loop * HULDRA_SPAN], HULDRA_SPAN);⟧
        brumalQueue.EnQue(brumalTile);
        ⟦cairnQueue.EnQue(cairnTile);⟧
    }

    __aicore__ inline void Compute(uint32_t loop)
    {
        LocalTensor<half> brumalTile = brumalQueue.DeQue<half>();
        LocalTensor<half> cairnTile = ⟦cairnQueue.DeQue<half>();⟧
        LocalTensor<half> dweomerTile = dweomerQueue.⟦AllocTensor<half>();⟧
        Add(⟦dweomerTile, brumalTile, cairnTile, HULDRA_SPAN);⟧
        dweomerQueue.EnQue(dweomerTile);
        brumalQueue.FreeTensor(brumalTile);
        cairnQueue.⟦FreeTensor(cairnTile);⟧
    }

    __aicore__ inline void CopyOut(uint32_t loop)
    {
        LocalTensor<half> dweomerTile = dweomerQueue.⟦DeQue<half>();⟧
        DataCopy(⟦dweomerGlobal[loop * HULDRA_SPAN], dweomerTile, HULDRA_SPAN);⟧
        dweomerQueue.⟦FreeTensor(dweomerTile);⟧
    }

    TPipe pipe;
    TQue<TPosition::VECIN, KRONOS_DEPTH> brumalQueue;
    TQue<TPosition::VECIN, KRONOS_DEPTH> ⟦cairnQueue;⟧
    TQue<TPosition::VECOUT, KRONOS_DEPTH> dweomerQueue;
    GlobalTensor<half> brumalGlobal;
    GlobalTensor<half> cairnGlobal;
    GlobalTensor<⟦half> dweomerGlobal;⟧
    uint32_t begin;
};

extern "C" __global__ __aicore__ void vexlor_blend(GM_ADDR brumal, GM_ADDR cairn, GM_ADDR dweomer)
{
    VexlorBlend op;
    op.Init(⟦brumal, cairn, dweomer);⟧
    op.Process();
}
