#ifndef RAGGED_H
#define RAGGED_H
#include "kernel_operator.h"

constexpr uint32_t ROWS = 37, COLUMNS = 203, TILE = 64;

template <typename T>
__aicore__ inline T CeilTo(T value, T unit)
{
    return (value + unit - 1) / unit * unit;
}

template <typename T, int32_t DEPTH>
class Ragged {
public:
    __aicore__ inline explicit Ragged(AscendC::TPipe *p) : pipe_(p) {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR bias, GM_ADDR y, uint32_t rows, uint32_t columns)
    {
        rows_ = rows;
        columns_ = columns;
        uint32_t blocks = AscendC::GetBlockNum(), block = AscendC::GetBlockIdx();
        uint32_t share = rows / blocks, rest = rows % blocks;
        first_ = block * share + (block < rest ? block : rest);
        count_ = share + (block < rest ? 1 : 0);
        if (SEED(1)) count_ = share + 1;  // seed 1: block-overlap, global-bounds
        if (SEED(2) && block == 3) first_ += 1;  // seed 2: block-overlap, values
        x_.SetGlobalBuffer((__gm__ T *)x, rows * columns);
        y_.SetGlobalBuffer((__gm__ T *)y, rows * columns);
        bias_.SetGlobalBuffer((__gm__ T *)bias, rows);
        uint32_t bytes = CeilTo<uint32_t>(TILE * sizeof(T), 32);
        pipe_->InitBuffer(in_, DEPTH, SEED(3) ? bytes / 2 : bytes);  // seed 3: buffer-bounds
        pipe_->InitBuffer(out_, SEED(4) ? 0 : DEPTH, bytes);  // seed 4: queue-empty
        pipe_->InitBuffer(biasBuf_, CeilTo<uint32_t>(rows * sizeof(T), 32));
        if (SEED(5)) {
            pipe_->InitBuffer(spare_, 192 * 1024);  // seed 5: memory-over-budget
        }
    }

    __aicore__ inline void Process()
    {
        LoadBias();
        for (uint32_t row = first_; row < first_ + count_; ++row) {
            for (uint32_t column = 0; column < columns_; column += TILE) {
                uint32_t length = columns_ - column < TILE ? columns_ - column : TILE;
                Fetch(row, column, SEED(6) ? TILE : length);  // seed 6: global-bounds, global-slack
                Compute(row, length);
                Store(row, column, length);
            }
        }
    }

private:
    __aicore__ inline void LoadBias()
    {
        AscendC::LocalTensor<T> bias = biasBuf_.template Get<T>();
        AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(rows_ * sizeof(T)), 0, 0, 0};
        AscendC::DataCopyPad(bias, bias_, params, {false, 0, 0, 0});
        if (!SEED(7)) {
            AscendC::SetFlag<AscendC::HardEvent::MTE2_S>(EVENT_ID0);
        }
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_S>(EVENT_ID0);  // seed 7: wait-without-set
        if (SEED(8)) AscendC::WaitFlag<AscendC::HardEvent::MTE2_S>(EVENT_ID0);  // seed 8: wait-without-set
    }

    __aicore__ inline void Fetch(uint32_t row, uint32_t column, uint32_t length)
    {
        AscendC::LocalTensor<T> in = in_.template AllocTensor<T>();  // seen 18
        uint32_t bytes = length * (SEED(9) ? 1 : sizeof(T));  // seed 9: uninitialised-global
        AscendC::DataCopyExtParams params{1, bytes, 0, 0, 0};
        uint64_t at = uint64_t(row) * columns_ + column;
        AscendC::DataCopyPad(in, x_[at], params, {false, 0, 0, 0});  // seen 3, 6
        if (SEED(10)) {
            AscendC::DataCopy(in, x_[at], length);  // seed 10: copy-count
        }
        if (SEED(11) && column + TILE >= columns_) {
            return;  // seed 11: deque-of-empty-queue
        }
        in_.EnQue(in);
        if (SEED(12)) {
            AscendC::Adds(in, in, T(1), length);  // seed 12: use-while-queued
        }
    }

    __aicore__ inline void Compute(uint32_t row, uint32_t length)
    {
        AscendC::LocalTensor<T> in = in_.template DeQue<T>();  // seen 11, 18
        AscendC::LocalTensor<T> out = out_.template AllocTensor<T>();  // seen 4
        T bias = biasBuf_.template Get<T>().GetValue(SEED(13) ? rows_ + 3 : row);  // seed 13: buffer-bounds, uninitialised-scalar
        uint32_t whole = CeilTo<uint32_t>(length, 8);
        AscendC::Muls(out, in, T(3), SEED(14) ? whole + TILE : whole);  // seed 14: buffer-bounds
        AscendC::Adds(out, out[SEED(15) ? 1 : 0], bias, whole);  // seed 15: misaligned
        if (SEED(16)) {
            in_.FreeTensor(out);  // seed 16: free-of-foreign-tensor, free-of-other-queue, tensor-leaked, queue-empty
            return;
        }
        if (SEED(17)) in_.EnQue(out); else  // seed 17: enque-of-foreign-tensor, enque-of-other-queue
            out_.EnQue(out);
        if (SEED(18) && row == first_) return;  // seed 18: tensor-leaked, queue-empty
        in_.FreeTensor(in);
        if (SEED(19)) AscendC::Muls(out, in, T(1), whole);  // seed 19: use-after-free, use-while-queued
    }

    __aicore__ inline void Store(uint32_t row, uint32_t column, uint32_t length)
    {
        AscendC::LocalTensor<T> out = out_.template DeQue<T>();
        AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(length * sizeof(T)), 0, 0, 0};
        uint64_t at = uint64_t(row) * columns_ + column;
        if (SEED(20) && row + 1 == rows_) params.blockLen = TILE * sizeof(T);
        if (SEED(21) && AscendC::GetBlockIdx() == 2) at += 1;
        if (SEED(22)) params.blockLen = length;
        AscendC::DataCopyPad(y_[at], out, params);  // seen 1, 2, 9 // seed 20: global-bounds, uninitialised-global // seed 21: block-overlap, values // seed 22: values, output-not-written
        if (SEED(23)) params.blockCount = 4096;
        if (SEED(23)) AscendC::DataCopyPad(y_[at], out, params);  // seed 23: copy-size
        out_.FreeTensor(out);
        if (SEED(24)) out_.FreeTensor(out);  // seed 24: double-free
    }

    AscendC::TPipe *pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, DEPTH> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, DEPTH> out_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> biasBuf_, spare_;
    AscendC::GlobalTensor<T> x_, y_, bias_;
    uint32_t rows_, columns_, first_, count_;
};

#endif
