// y = silu(x[:, :half]) * x[:, half:]; x is [rows, 2 * half]
#include "kernel_operator.h"
namespace ac = AscendC;

template <typename T, int32_t DEPTH>
class SwiGlu {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t half_width)
    {
        m_rows = rows;
        m_width = half_width;
        m_x.SetGlobalBuffer((__gm__ T *)x, rows * half_width * 2);
        m_y.SetGlobalBuffer((__gm__ T *)y, rows * half_width);
        m_pipe.InitBuffer(m_gate_queue, DEPTH, half_width * sizeof(T));
        m_pipe.InitBuffer(m_value_queue, DEPTH, half_width * sizeof(T));
        m_pipe.InitBuffer(m_out_queue, DEPTH, half_width * sizeof(T));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t row = ac::GetBlockIdx(); row < m_rows; row += ac::GetBlockNum()) {
            Load(row);
            Calc();
            Store(row);
        }
    }

private:
    __aicore__ inline void Load(uint32_t row)
    {
        ac::LocalTensor<T> gate = m_gate_queue.template AllocTensor<int16_t>();  // expect: error
        ac::LocalTensor<T> value = m_value_queue.template AllocTensor<T>();
        ac::DataCopy(gate, m_x[row * m_width * 2], m_width);
        ac::DataCopy(value, m_x[row * m_width * 2 + m_width], m_width);
        m_gate_queue.EnQue(gate);
        m_value_queue.EnQue(value);
    }
    __aicore__ inline void Calc()
    {
        ac::LocalTensor<T> gate = m_gate_queue.template DeQue<T>();
        ac::LocalTensor<T> value = m_value_queue.template DeQue<T>();
        ac::LocalTensor<T> out = m_out_queue.template AllocTensor<T>();
        ac::Muls(out, gate, static_cast<T>(-1.0f), m_width);
        ac::Exp(out, out, m_width);
        ac::Adds(out, out, static_cast<T>(1.0f), m_width);
        ac::Div(out, gate, out, m_width);
        ac::Mul(out, out, value, m_width);
        m_out_queue.EnQue(out);
        m_gate_queue.FreeTensor(gate);
        m_value_queue.FreeTensor(value);
    }
    __aicore__ inline void Store(uint32_t row)
    {
        ac::LocalTensor<T> out = m_out_queue.template DeQue<T>();
        ac::DataCopy(m_y[row * m_width], out, m_width);
        m_out_queue.FreeTensor(out);
    }

    ac::TPipe m_pipe;
    ac::TQue<ac::TPosition::VECIN, DEPTH> m_gate_queue;
    ac::TQue<ac::TPosition::VECIN, DEPTH> m_value_queue;
    ac::TQue<ac::TPosition::VECOUT, DEPTH> m_out_queue;
    ac::GlobalTensor<T> m_x;
    ac::GlobalTensor<T> m_y;
    uint32_t m_rows = 0;
    uint32_t m_width = 0;
};

extern "C" __global__ __aicore__ void swiglu(GM_ADDR x, GM_ADDR y)
{
    SwiGlu<float, 2> kernel;
    kernel.Init(x, y, 1024, 2048);
    kernel.Process();
}
