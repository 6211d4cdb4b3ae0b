// Transposing, broadcasting, padding, filling; quantisation of the library.
#ifndef KERNELGEN_ASCENDC_TRANSFORM_H
#define KERNELGEN_ASCENDC_TRANSFORM_H

#include "tensor.h"

namespace AscendC {

/// Transposes a 16 x 16 block of 16-bit elements.
template <typename T> __aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src)
{
    static_assert(sizeof(T) == 2, "Transpose of one block takes elements of 16 bits");
    KERNELGEN_RUN(Transpose, (dst, src))
}
/// Kinds of Transpose with a shape.
enum class TransposeType : uint8_t { TRANSPOSE_TYPE_NONE, TRANSPOSE_NZ2ND_0213, TRANSPOSE_NZ2NZ_0213, TRANSPOSE_NZ2NZ_012_WITH_N, TRANSPOSE_NZ2ND_012_WITH_N, TRANSPOSE_NZ2ND_012_WITHOUT_N, TRANSPOSE_NZ2NZ_012_WITHOUT_N, TRANSPOSE_ND2ND_ONLY, TRANSPOSE_ND_UB_GM, TRANSPOSE_GRAD_ND_UB_GM, TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC, TRANSPOSE_NHWC2NCHW };
/// Sizes and kind of Transpose.
struct TransposeParamsExt {
    uint16_t nSize = 1;
    uint16_t cSize = 0;
    uint16_t hSize = 0;
    uint16_t wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};
template <typename T> __aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const TransposeParamsExt &transposeParams);
/// Repeats and halves of TransDataTo5HD.
struct TransDataTo5HDParams {
    bool dstHighHalf = false;
    bool srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0;
    uint16_t srcRepStride = 0;
    constexpr TransDataTo5HDParams() = default;
    constexpr TransDataTo5HDParams(bool dstHigh, bool srcHigh, uint8_t repeats, uint16_t dstStride, uint16_t srcStride) : dstHighHalf(dstHigh), srcHighHalf(srcHigh), repeatTimes(repeats), dstRepStride(dstStride), srcRepStride(srcStride) {}
};
/// Transposes 16 rows of 32-byte blocks: 16 source and 16 destination addresses or tensors.
template <typename T> __aicore__ inline void TransDataTo5HD(const LocalTensor<T> (&dstLocalList)[16], const LocalTensor<T> (&srcLocalList)[16], const TransDataTo5HDParams &nchwconvParams);
template <typename T> __aicore__ inline void TransDataTo5HD(uint64_t dstList[16], uint64_t srcList[16], const TransDataTo5HDParams &nchwconvParams);
template <typename T> __aicore__ inline void TransDataTo5HD(const LocalTensor<uint64_t> &dst, const LocalTensor<uint64_t> &src, const TransDataTo5HDParams &nchwconvParams);
/// Axis numbers for Broadcast.
using BroadcastTiling = struct BroadcastTilingOpaque;
/// Copies a tensor along an axis of length 1, from srcShape to dstShape.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> __aicore__ inline void BroadCast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim], LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> __aicore__ inline void BroadCast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim]);
/// Copies a tensor along an axis of length 1, from srcShape to dstShape.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> __aicore__ inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim], LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> __aicore__ inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim]);
/// Widths of Pad and UnPad.
struct PadParams {
    uint16_t leftPad = 0;
    uint16_t rightPad = 0;
    int32_t padValue = 0;
};
/// Widths of UnPad.
struct UnPadParams {
    uint16_t leftPad = 0;
    uint16_t rightPad = 0;
};
struct PadTiling;
struct UnPadTiling;
/// Widens the rows of a two-dimensional tensor.
template <typename T, typename Tiling> __aicore__ inline void Pad(LocalTensor<T> &dst, LocalTensor<T> &src, PadParams &padParams, LocalTensor<uint8_t> &sharedTmpBuffer, Tiling &tiling);
template <typename T, typename Tiling> __aicore__ inline void Pad(LocalTensor<T> &dst, LocalTensor<T> &src, PadParams &padParams, Tiling &tiling);
/// Takes padding off the rows of a two-dimensional tensor.
template <typename T, typename Tiling> __aicore__ inline void UnPad(LocalTensor<T> &dst, LocalTensor<T> &src, UnPadParams &unPadParams, LocalTensor<uint8_t> &sharedTmpBuffer, Tiling &tiling);
template <typename T, typename Tiling> __aicore__ inline void UnPad(LocalTensor<T> &dst, LocalTensor<T> &src, UnPadParams &unPadParams, Tiling &tiling);
/// Shape of DropOut.
struct DropOutShapeInfo {
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};
/// Keeps the elements that a mask selects, divided by keepProb.
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0> __aicore__ inline void DropOut(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &mask, const LocalTensor<uint8_t> &sharedTmpBuffer, const float keepProb, const DropOutShapeInfo &info);
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0> __aicore__ inline void DropOut(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &mask, const float keepProb, const DropOutShapeInfo &info);
/// A number that `srcShape` is grouped by.
struct AscendQuantConfig {
    uint32_t calcCount = 0;
    uint32_t offsetCount = 0;
    uint32_t scaleCount = 0;
    uint32_t workLocalSize = 0;
};
constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG = {0, 0, 0, 0};
/// Quantises to int8_t: round(x * scale + offset).
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const float scale, const float offset, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const float scale, const float offset);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const float scale, const float offset, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const float scale, const float offset);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<T> &scaleTensor, const T offset, const uint32_t scaleCount, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor);
/// Shape of AscendDequant: m rows of n elements, of which calCount count.
struct DequantParams {
    uint32_t m = 0;
    uint32_t n = 0;
    uint32_t calCount = 0;
};
/// Whether AscendDequant's scale is one row or several.
enum class DeQuantMode : uint8_t { DEQUANT_WITH_SINGLE_ROW, DEQUANT_WITH_MULTI_ROW };
/// Converts int32_t back to floating point times a scale.
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, const LocalTensor<uint8_t> &sharedTmpBuffer, DequantParams params);
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, DequantParams params);
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const U deqScale, DequantParams params);
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, const LocalTensor<uint8_t> &sharedTmpBuffer);
/// Shape of AscendAntiQuant's scale.
struct AntiQuantShapeInfo {
    uint32_t offsetHeight = 0;
    uint32_t offsetWidth = 0;
    uint32_t scaleHeight = 0;
    uint32_t scaleWidth = 0;
};
/// Converts int8_t or int4b_t weights to floating point: (x + offset) * scale.
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<OutputDataType> &offset, const LocalTensor<OutputDataType> &scale, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const OutputDataType offset, const OutputDataType scale, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
/// Random bits by Philox.
template <uint16_t rounds = 7, typename T> __aicore__ inline void PhiloxRandom(const LocalTensor<T> &dst, const uint64_t key, const uint64_t counter, const uint32_t count);

}

#endif
