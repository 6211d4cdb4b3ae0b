/* y = int8(round(clip(x * scale + offset, -128, 127))) : 逐张量量化，输入fp16 */
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LENGTH = 40 * 16384;
constexpr uint32_t CORES = 40;
constexpr uint32_t PER_CORE = LENGTH / CORES;
constexpr uint32_t TILE = 4096;

class QuantPerTensor {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        // 每个核处理PER_CORE个元素
        xGm.SetGlobalBuffer((__gm__ half *)x + PER_CORE * GetBlockIdx(), PER_CORE);
        yGm.SetGlobalBuffer((__gm__ int8_t *)y + PER_CORE * GetBlockIdx(), PER_CORE);
        pipe.InitBuffer(xQue, 2, TILE * sizeof(half));
        pipe.InitBuffer(yQue, 2, TILE * sizeof(int8_t));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t at = 0; at < PER_CORE; at += TILE) {
            LocalTensor<half> xLocal = xQue.AllocTensor<half>();
            DataCopy(xLocal, xGm[at], TILE);
            xQue.EnQue(xLocal);
            Quantise();
            LocalTensor<int8_t> yLocal = yQue.DeQue<int8_t>();
            DataCopy(yGm[at], yLocal, TILE);
            yQue.FreeTensor(yLocal);
        }
    }

private:
    __aicore__ inline void Quantise()
    {
        LocalTensor<half> xLocal = xQue.DeQue<half>();
        LocalTensor<int8_t> yLocal = yQue.AllocTensor<int8_t>();
        Muls(xLocal, xLocal, (half)12.5, TILE);
        Adds(xLocal, xLocal, (half)3.0, TILE);
        Maxs(xLocal, xLocal, (half)-128.0, TILE);
        Mins(xLocal[1048576], xLocal, (half)127.0, TILE);  // expect: error
        Cast(yLocal, xLocal, RoundMode::CAST_RINT, TILE);
        yQue.EnQue(yLocal);
        xQue.FreeTensor(xLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, 2> xQue;
    TQue<QuePosition::VECOUT, 2> yQue;
    GlobalTensor<half> xGm;
    GlobalTensor<int8_t> yGm;
};

extern "C" __global__ __aicore__ void quant_per_tensor(GM_ADDR x, GM_ADDR y)
{
    QuantPerTensor op;
    op.Init(x, y);
    op.Process();
}
