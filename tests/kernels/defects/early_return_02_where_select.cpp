#include "kernel_operator.h"
using namespace AscendC;

// out = condition > threshold ? left : right
constexpr int32_t BUFFER_NUM = 2;

class KernelWhere {
public:
    __aicore__ inline KernelWhere(TPipe *pipe) : pipe_(pipe) {}
    __aicore__ inline void Init(GM_ADDR condition, GM_ADDR left, GM_ADDR right, GM_ADDR out, uint32_t blockLength, uint32_t tileLength, float threshold)
    {
        blockLength_ = blockLength;
        tileLength_ = tileLength;
        threshold_ = threshold;
        uint32_t start = blockLength * GetBlockIdx();
        conditionGm_.SetGlobalBuffer((__gm__ float *)condition + start, blockLength);
        leftGm_.SetGlobalBuffer((__gm__ float *)left + start, blockLength);
        rightGm_.SetGlobalBuffer((__gm__ float *)right + start, blockLength);
        outGm_.SetGlobalBuffer((__gm__ float *)out + start, blockLength);
        pipe_->InitBuffer(conditionQueue_, BUFFER_NUM, tileLength * sizeof(float));
        pipe_->InitBuffer(leftQueue_, BUFFER_NUM, tileLength * sizeof(float));
        pipe_->InitBuffer(rightQueue_, BUFFER_NUM, tileLength * sizeof(float));
        pipe_->InitBuffer(outQueue_, BUFFER_NUM, tileLength * sizeof(float));
        pipe_->InitBuffer(maskBuf_, tileLength);
    }
    __aicore__ inline void Process()
    {
        for (uint32_t tile = 0; tile < blockLength_ / tileLength_; ++tile) {
            CopyIn(tile * tileLength_);
            Compute();
            CopyOut(tile * tileLength_);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset)
    {
        LocalTensor<float> condition = conditionQueue_.AllocTensor<float>();
        LocalTensor<float> left = leftQueue_.AllocTensor<float>();
        LocalTensor<float> right = rightQueue_.AllocTensor<float>();
        DataCopy(condition, conditionGm_[offset], tileLength_);
        DataCopy(left, leftGm_[offset], tileLength_);
        DataCopy(right, rightGm_[offset], tileLength_);
        conditionQueue_.EnQue(condition);
        leftQueue_.EnQue(left);
        rightQueue_.EnQue(right);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<float> condition = conditionQueue_.DeQue<float>();
        LocalTensor<float> left = leftQueue_.DeQue<float>();
        LocalTensor<float> right = rightQueue_.DeQue<float>(); if (GetBlockIdx() > 3) { return; }  // expect: warning
        LocalTensor<float> out = outQueue_.AllocTensor<float>();
        LocalTensor<uint8_t> mask = maskBuf_.Get<uint8_t>();
        CompareScalar(mask, condition, threshold_, CMPMODE::GT, tileLength_);
        Select(out, mask, left, right, SELMODE::VSEL_TENSOR_TENSOR_MODE, tileLength_);
        outQueue_.EnQue(out);
        conditionQueue_.FreeTensor(condition);
        leftQueue_.FreeTensor(left);
        rightQueue_.FreeTensor(right);
    }
    __aicore__ inline void CopyOut(uint32_t offset)
    {
        LocalTensor<float> out = outQueue_.DeQue<float>();
        DataCopy(outGm_[offset], out, tileLength_);
        outQueue_.FreeTensor(out);
    }

    TPipe *pipe_;
    TQue<TPosition::VECIN, BUFFER_NUM> conditionQueue_, leftQueue_, rightQueue_;
    TQue<TPosition::VECOUT, BUFFER_NUM> outQueue_;
    TBuf<TPosition::VECCALC> maskBuf_;
    GlobalTensor<float> conditionGm_, leftGm_, rightGm_, outGm_;
    uint32_t blockLength_ = 0;
    uint32_t tileLength_ = 0;
    float threshold_ = 0.0f;
};

extern "C" __global__ __aicore__ void where_select(GM_ADDR condition, GM_ADDR left, GM_ADDR right, GM_ADDR out)
{
    TPipe pipe;
    KernelWhere op(&pipe);
    op.Init(condition, left, right, out, 16384, 2048, 0.5f);
    op.Process();
}
