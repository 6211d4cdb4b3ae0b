// Reductions over tensors, repeats, blocks and pairs.
#ifndef KERNELGEN_ASCENDC_REDUCE_H
#define KERNELGEN_ASCENDC_REDUCE_H

#include "tensor.h"

namespace AscendC {

/// The sum of the elements, to dst[0].
/// constraint: sharedTmpBuffer holds intermediate results and may not be a part of dst.
template <typename T, bool isSetMask = true> __aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, const int32_t &count) ASC_DEFINE(ReduceSum, (dst, src, sharedTmpBuffer, count), T, half, float)
template <typename T> __aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride) ASC_DEFINE(ReduceSum, (dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride), T, half, float)
template <typename T> __aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride) ASC_DEFINE(ReduceSum, (dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride), T, half, float)
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t srcShape[], bool srcInnerPad);
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad);

/// The largest element, to dst[0], and with calIndex its index, to dst[1].
/// constraint: sharedTmpBuffer holds intermediate results and may not be a part of dst.
template <typename T, bool isSetMask = true> __aicore__ inline void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, const int32_t &count, bool calIndex = false) ASC_DEFINE(ReduceMax, (dst, src, sharedTmpBuffer, count, calIndex), T, half, float)
template <typename T> __aicore__ inline void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false) ASC_DEFINE(ReduceMax, (dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride, calIndex), T, half, float)
template <typename T> __aicore__ inline void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false) ASC_DEFINE(ReduceMax, (dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride, calIndex), T, half, float)
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t srcShape[], bool srcInnerPad);
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad);

/// The smallest element, to dst[0], and with calIndex its index, to dst[1].
/// constraint: sharedTmpBuffer holds intermediate results and may not be a part of dst.
template <typename T, bool isSetMask = true> __aicore__ inline void ReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, const int32_t &count, bool calIndex = false) ASC_DEFINE(ReduceMin, (dst, src, sharedTmpBuffer, count, calIndex), T, half, float)
template <typename T> __aicore__ inline void ReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false) ASC_DEFINE(ReduceMin, (dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride, calIndex), T, half, float)
template <typename T> __aicore__ inline void ReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false) ASC_DEFINE(ReduceMin, (dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride, calIndex), T, half, float)
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t srcShape[], bool srcInnerPad);
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad);

/// Which axes of a two-dimensional pattern a reduction keeps (A) and reduces (R).
namespace Pattern {
namespace Reduce {
/// Reduces the last of two axes.
struct AR {};
/// Reduces the first of two axes.
struct RA {};
struct ARA {};
struct RAR {};
}
}

/// The mean along the axes of a pattern.
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceMean(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t srcShape[], bool srcInnerPad);
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceMean(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad);
/// The product along the axes of a pattern.
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceProd(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t srcShape[], bool srcInnerPad);
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceProd(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad);
/// Whether any element is not zero, along the axes of a pattern.
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceAny(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t srcShape[], bool srcInnerPad);
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceAny(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad);
/// Whether all elements are not zero, along the axes of a pattern.
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceAll(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t srcShape[], bool srcInnerPad);
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceAll(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad);
/// The exclusive or of the elements along the axes of a pattern.
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceXorSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t srcShape[], bool srcInnerPad);
template <typename T, typename Pattern, bool isReuseSource = false> __aicore__ inline void ReduceXorSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad);
/// The sum of each repeat.
template <typename T, bool isSetMask = true> __aicore__ inline void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t mask, const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(WholeReduceSum, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(WholeReduceSum, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
/// The sum of each 32-byte block.
template <typename T, bool isSetMask = true> __aicore__ inline void BlockReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(BlockReduceSum, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void BlockReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(BlockReduceSum, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
/// The largest element of each 32-byte block.
template <typename T, bool isSetMask = true> __aicore__ inline void BlockReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(BlockReduceMax, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void BlockReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(BlockReduceMax, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
/// The smallest element of each 32-byte block.
template <typename T, bool isSetMask = true> __aicore__ inline void BlockReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(BlockReduceMin, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void BlockReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(BlockReduceMin, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
/// The sum of each pair of neighbours.
template <typename T, bool isSetMask = true> __aicore__ inline void PairReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(PairReduceSum, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void PairReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) ASC_DEFINE(PairReduceSum, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), T, half, float)
/// The sum of each repeat, with strides.
template <typename T, bool isSetMask = true> __aicore__ inline void RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t mask, const int32_t dstBlkStride, const int32_t srcBlkStride, const int32_t dstRepStride, const int32_t srcRepStride) ASC_DEFINE(RepeatReduceSum, (dst, src, repeatTime, mask, dstBlkStride, srcBlkStride, dstRepStride, srcRepStride), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const uint64_t mask[], const int32_t dstBlkStride, const int32_t srcBlkStride, const int32_t dstRepStride, const int32_t srcRepStride) ASC_DEFINE(RepeatReduceSum, (dst, src, repeatTime, mask, dstBlkStride, srcBlkStride, dstRepStride, srcRepStride), T, half, float)
/// The largest element of each repeat and its index.
template <typename T, bool isSetMask = true> __aicore__ inline void WholeReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t mask, const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) ASC_DEFINE(WholeReduceMax, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void WholeReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) ASC_DEFINE(WholeReduceMax, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order), T, half, float)
/// The smallest element of each repeat and its index.
template <typename T, bool isSetMask = true> __aicore__ inline void WholeReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t mask, const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) ASC_DEFINE(WholeReduceMin, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void WholeReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) ASC_DEFINE(WholeReduceMin, (dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order), T, half, float)
/// The reduction of each repeat; reduceType says which.
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true> __aicore__ inline void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask, const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX);
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true> __aicore__ inline void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask[], const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX);
/// The reduction of each 32-byte block; reduceType says which.
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true> __aicore__ inline void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask, const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride);
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true> __aicore__ inline void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask[], const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride);
/// The reduction of each pair of neighbours.
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true> __aicore__ inline void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask, const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride);
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true> __aicore__ inline void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask[], const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride);
/// Reads the value and the index that the last ReduceMax or ReduceMin left in registers.
template <typename T> __aicore__ inline void GetReduceMaxMinCount(T &maxMinValue, T &maxMinIndex);
template <typename T> __aicore__ inline void GetReduceMaxMinCount(T &maxMinValue);
/// Reads the value and index that the last ReduceMax or ReduceMin left in registers.
template <typename T> __aicore__ inline void GetReduceRepeatMaxMinSpr(T &maxMinValue, T &maxMinIndex);
template <typename T> __aicore__ inline void GetReduceRepeatMaxMinSpr(T &maxMinValue);
/// The sum that the last ReduceSum left in a register; without a type the register's bits.
template <typename T> __aicore__ inline T GetAccVal();
__aicore__ inline int64_t GetAccVal();
/// The sum that the last ReduceSum left in a register.
template <typename T = float> __aicore__ inline T GetReduceRepeatSumSpr();
/// Shape of Sum: `outter` rows of `inner` elements (padded), of which `n` count.
struct SumParams {
    uint32_t outter = 1;
    uint32_t inner = 0;
    uint32_t n = 0;
};
/// The sum of each row.
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false> __aicore__ inline void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const SumParams &sumParams);
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false> __aicore__ inline void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const SumParams &sumParams);
/// Shape of Mean: `outter` rows of `inner` elements (padded), of which `n` count.
struct MeanParams {
    uint32_t outter = 1;
    uint32_t inner = 0;
    uint32_t n = 0;
};
/// The mean of each row.
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false, int32_t reduceDim = -1> __aicore__ inline void Mean(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const MeanParams &meanParams);
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false, int32_t reduceDim = -1> __aicore__ inline void Mean(const LocalTensor<T> &dst, const LocalTensor<T> &src, const MeanParams &meanParams);
template <typename T, bool isReuseSource = false> __aicore__ inline void ReduceXorSum(LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void ReduceXorSum(LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t calCount);

}

#endif
