// Transposing, broadcasting, padding, filling; quantisation of the library.
#ifndef KERNELGEN_ASCENDC_TRANSFORM_H
#define KERNELGEN_ASCENDC_TRANSFORM_H

#include "tensor.h"
#include "../kernel_tiling/kernel_tiling.h"

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
template <typename T> __aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, TransposeType transposeType, ConfusionTransposeTiling &tiling);
template <typename T> __aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, TransposeType transposeType, ConfusionTransposeTiling &tiling);
/// Layouts of TransData's source and destination.
struct TransDataConfig {
    DataFormat srcFormat;
    DataFormat dstFormat;
};
/// Shapes of TransData's source and destination.
template <typename T, typename U> struct TransDataParams {
    T srcLayout;
    U dstLayout;
};
/// Converts a tensor from one layout to another.
template <const TransDataConfig &config, typename T, typename U, typename S> __aicore__ inline void TransData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const TransDataParams<U, S> &params);
template <const TransDataConfig &config, typename T, typename U, typename S> __aicore__ inline void TransData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const TransDataParams<U, S> &params);
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
/// Copies a tensor along an axis of length 1, from srcShape to dstShape.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> __aicore__ inline void BroadCast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim], LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> __aicore__ inline void BroadCast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim]);
/// Copies a tensor along an axis of length 1, from srcShape to dstShape.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> __aicore__ inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim], LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> __aicore__ inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim]);
/// Shapes and strides of a Broadcast, filled by GetBroadcastTilingInfo.
struct BroadcastTiling {
    uint32_t oriRank;
    uint32_t rank;
    uint32_t dstSize;
    uint32_t srcSize;
    uint32_t loopNum = 0;
    uint32_t oriSrcShape[9];
    uint32_t oriDstShape[9];
    uint32_t dstShape[9];
    uint32_t dstStride[9];
    uint32_t srcStride[10];
};
/// Fills a BroadcastTiling.
template <typename T, int constRank = -1, uint32_t *constDstShape = nullptr, uint32_t *constSrcShape = nullptr> __aicore__ inline void GetBroadcastTilingInfo(uint32_t rank, const uint32_t *dstShape, const uint32_t *srcShape, bool srcInnerPad, BroadcastTiling &tiling);
template <typename T, int constRank = -1, uint32_t *constDstShape = nullptr, uint32_t *constSrcShape = nullptr, bool constSrcInnerPad = false> __aicore__ inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t *dstShape, const uint32_t *srcShape, BroadcastTiling *tiling);
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
/// Widens the rows of a two-dimensional tensor.
template <typename T> __aicore__ inline void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src, PadParams &padParams, const LocalTensor<uint8_t> &sharedTmpBuffer, PadTiling &tiling);
template <typename T> __aicore__ inline void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src, PadParams &padParams, PadTiling &tiling);
/// Takes padding off the rows of a two-dimensional tensor.
template <typename T> __aicore__ inline void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, UnPadParams &unPadParams, const LocalTensor<uint8_t> &sharedTmpBuffer, UnPadTiling &tiling);
template <typename T> __aicore__ inline void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, UnPadParams &unPadParams, UnPadTiling &tiling);
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
    bool hasOffset = false;
    int32_t kDim = 1;
    RoundMode roundMode = RoundMode::CAST_RINT;
    constexpr AscendQuantConfig(uint32_t calc, uint32_t offsets, uint32_t scales, uint32_t work) : calcCount(calc), offsetCount(offsets), scaleCount(scales), workLocalSize(work) {}
    constexpr AscendQuantConfig(uint32_t calc, uint32_t offsets, uint32_t scales, uint32_t work, bool offset, int32_t dimension, RoundMode mode) : calcCount(calc), offsetCount(offsets), scaleCount(scales), workLocalSize(work), hasOffset(offset), kDim(dimension), roundMode(mode) {}
    constexpr AscendQuantConfig(bool offset, int32_t dimension, RoundMode mode) : hasOffset(offset), kDim(dimension), roundMode(mode) {}
    constexpr AscendQuantConfig(bool offset, int32_t dimension) : hasOffset(offset), kDim(dimension) {}
    constexpr AscendQuantConfig(bool offset) : hasOffset(offset) {}
};
constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG = {0, 0, 0, 0};
/// What a scale of AscendQuant belongs to.
enum class AscendQuantPolicy : int32_t { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_GROUP, PER_CHANNEL_PER_GROUP, PER_TOKEN_PER_GROUP };
/// Sizes of AscendQuant: rows, columns, how many count, and columns of a group.
struct AscendQuantParam {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
    uint32_t groupSize = 0;
};
/// Quantises to int8_t: round(x * scale + offset).
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const float scale, const float offset, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const float scale, const float offset);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<T> &scaleTensor, const T offset, const uint32_t scaleCount, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor, const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<T> &scaleTensor, const T offset);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const float scale, const float offset, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const float scale, const float offset);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor, const T offset, const uint32_t scaleCount, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor, const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor, const T offset);
template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor);
#if __NPU_ARCH__ >= 3510
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const float scale, const float offset, const uint32_t calCount);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const float scale, const float offset);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<srcT> &scaleTensor, const srcT offset, const uint32_t scaleCount, const uint32_t calCount);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<srcT> &scaleTensor, const LocalTensor<srcT> &offsetTensor, const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<srcT> &scaleTensor, const srcT offset);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<srcT> &scaleTensor, const LocalTensor<srcT> &offsetTensor);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const float scale, const float offset, const uint32_t calCount);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const float scale, const float offset);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<srcT> &scaleTensor, const srcT offset, const uint32_t scaleCount, const uint32_t calCount);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<srcT> &scaleTensor, const LocalTensor<srcT> &offsetTensor, const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<srcT> &scaleTensor, const srcT offset);
template <typename dstT, typename srcT, bool isReuseSource = false> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<srcT> &scaleTensor, const LocalTensor<srcT> &offsetTensor);
template <typename dstT, typename srcT, typename scaleT, bool isReuseSource = false, const AscendQuantConfig &config, const AscendQuantPolicy &policy> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<scaleT> &scaleTensor, const LocalTensor<scaleT> &offsetTensor, const AscendQuantParam &para);
template <typename dstT, typename srcT, typename scaleT, bool isReuseSource = false, const AscendQuantConfig &config, const AscendQuantPolicy &policy> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<scaleT> &scaleTensor, const scaleT offset, const AscendQuantParam &para);
template <typename dstT, typename srcT, typename scaleT, bool isReuseSource = false, const AscendQuantConfig &config, const AscendQuantPolicy &policy> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<scaleT> &scaleTensor, const LocalTensor<scaleT> &offsetTensor, const AscendQuantParam &para);
template <typename dstT, typename srcT, typename scaleT, bool isReuseSource = false, const AscendQuantConfig &config, const AscendQuantPolicy &policy> __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<scaleT> &scaleTensor, const scaleT offset, const AscendQuantParam &para);
#endif
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
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, const uint32_t calCount);
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale);
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const U deqScale, const LocalTensor<uint8_t> &sharedTmpBuffer, DequantParams params);
template <typename T, typename U, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const U deqScale, DequantParams params);
/// What a scale of AscendDequant belongs to.
enum class AscendDeQuantPolicy : int32_t { PER_TOKEN, PER_GROUP, PER_CHANNEL_PER_GROUP, PER_TOKEN_PER_GROUP };
/// Options of AscendDequant with a policy.
struct AscendDeQuantConfig {
    bool hasOffset;
    int32_t kDim = 1;
};
/// Sizes of AscendDequant: rows, columns, how many count, and columns of a group.
struct AscendDeQuantParam {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
    uint32_t groupSize = 0;
};
template <typename dstT, typename srcT, typename scaleT, const AscendDeQuantConfig &config, const AscendDeQuantPolicy &policy> __aicore__ inline void AscendDequant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<scaleT> &scaleTensor, const LocalTensor<scaleT> &offsetTensor, const LocalTensor<uint8_t> &sharedTmpBuffer, const AscendDeQuantParam &para);
template <typename dstT, typename srcT, typename scaleT, const AscendDeQuantConfig &config, const AscendDeQuantPolicy &policy> __aicore__ inline void AscendDequant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<scaleT> &scaleTensor, const LocalTensor<scaleT> &offsetTensor, const AscendDeQuantParam &para);
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
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<OutputDataType> &scale, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const OutputDataType scale, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<fp8_e8m0_t> &scale, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<OutputDataType> &offset, const LocalTensor<OutputDataType> &scale, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const OutputDataType offset, const OutputDataType scale, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<OutputDataType> &scale, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const OutputDataType scale, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<fp8_e8m0_t> &scale, const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {});
/// What a scale of AscendAntiQuant belongs to.
enum class AscendAntiQuantPolicy : int32_t { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_GROUP, PER_CHANNEL_PER_GROUP, PER_TOKEN_PER_GROUP };
/// Options of AscendAntiQuant with a policy.
struct AscendAntiQuantConfig {
    bool hasOffset;
    bool isTranspose;
    int32_t kDim = 1;
};
/// Sizes of AscendAntiQuant: rows, columns, how many count, and columns of a group.
struct AscendAntiQuantParam {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
    uint32_t groupSize = 0;
};
template <typename dstT, typename srcT, typename scaleT, const AscendAntiQuantConfig &config, const AscendAntiQuantPolicy &policy> __aicore__ inline void AscendAntiQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<scaleT> &scaleTensor, const LocalTensor<scaleT> &offsetTensor, const LocalTensor<uint8_t> &sharedTmpBuffer, const AscendAntiQuantParam &para);
template <typename dstT, typename srcT, typename scaleT, const AscendAntiQuantConfig &config, const AscendAntiQuantPolicy &policy> __aicore__ inline void AscendAntiQuant(const LocalTensor<dstT> &dst, const LocalTensor<srcT> &src, const LocalTensor<scaleT> &scaleTensor, const LocalTensor<scaleT> &offsetTensor, const AscendAntiQuantParam &para);
/// What a scale of Quantize belongs to.
enum class QuantizePolicy : int32_t { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_GROUP };
/// Options of Quantize.
struct QuantizeConfig {
    QuantizePolicy policy;
    bool hasOffset;
    RoundMode roundMode = RoundMode::CAST_RINT;
    int32_t kDim = 1;
};
/// Sizes of Quantize: rows, columns, and columns of a group.
struct QuantizeParams {
    uint32_t m;
    uint32_t n;
    uint32_t groupSize = 0;
};
/// Quantises by the policy of its options.
template <const QuantizeConfig &config, typename DstT, typename SrcT, typename ScaleT, typename OffsetT> ASC_ABSENT_BEFORE_3510("Quantize", "use AscendQuant") __aicore__ inline void Quantize(const LocalTensor<DstT> &dst, const LocalTensor<SrcT> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const ScaleT &scale, const OffsetT &offset, const QuantizeParams &params);
template <const QuantizeConfig &config, typename DstT, typename SrcT, typename ScaleT, typename OffsetT> ASC_ABSENT_BEFORE_3510("Quantize", "use AscendQuant") __aicore__ inline void Quantize(const LocalTensor<DstT> &dst, const LocalTensor<SrcT> &src, const ScaleT &scale, const OffsetT &offset, const QuantizeParams &params);
/// What a scale of Dequantize belongs to.
enum class DequantizePolicy : int32_t { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_GROUP };
/// Options of Dequantize.
struct DequantizeConfig {
    DequantizePolicy policy;
    bool hasOffset;
    int32_t kDim = 1;
};
/// Sizes of Dequantize: rows, columns, and columns of a group.
struct DequantizeParams {
    uint32_t m;
    uint32_t n;
    uint32_t groupSize = 0;
};
/// Dequantises by the policy of its options.
template <const DequantizeConfig &config, typename DstT, typename SrcT, typename ScaleT, typename OffsetT> ASC_ABSENT_BEFORE_3510("Dequantize", "use AscendDequant") __aicore__ inline void Dequantize(const LocalTensor<DstT> &dst, const LocalTensor<SrcT> &src, const ScaleT &scale, const OffsetT &offset, const LocalTensor<uint8_t> &sharedTmpBuffer, const DequantizeParams &params);
template <const DequantizeConfig &config, typename DstT, typename SrcT, typename ScaleT, typename OffsetT> ASC_ABSENT_BEFORE_3510("Dequantize", "use AscendDequant") __aicore__ inline void Dequantize(const LocalTensor<DstT> &dst, const LocalTensor<SrcT> &src, const ScaleT &scale, const OffsetT &offset, const DequantizeParams &params);
/// What a scale of AntiQuantize belongs to.
enum class AntiQuantizePolicy : int32_t { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_GROUP };
/// Options of AntiQuantize.
struct AntiQuantizeConfig {
    AntiQuantizePolicy policy;
    bool hasOffset;
    int32_t kDim = 1;
};
/// Sizes of AntiQuantize: rows, columns, and columns of a group.
struct AntiQuantizeParams {
    uint32_t m;
    uint32_t n;
    uint32_t groupSize = 0;
};
/// Dequantises by the policy of its options.
template <const AntiQuantizeConfig &config, typename DstT, typename SrcT, typename ScaleT, typename OffsetT> ASC_ABSENT_BEFORE_3510("AntiQuantize", "use AscendAntiQuant") __aicore__ inline void AntiQuantize(const LocalTensor<DstT> &dst, const LocalTensor<SrcT> &src, const ScaleT &scale, const OffsetT &offset, const LocalTensor<uint8_t> &sharedTmpBuffer, const AntiQuantizeParams &params);
template <const AntiQuantizeConfig &config, typename DstT, typename SrcT, typename ScaleT, typename OffsetT> ASC_ABSENT_BEFORE_3510("AntiQuantize", "use AscendAntiQuant") __aicore__ inline void AntiQuantize(const LocalTensor<DstT> &dst, const LocalTensor<SrcT> &src, const ScaleT &scale, const OffsetT &offset, const AntiQuantizeParams &params);
/// The key of PhiloxRandom.
using PhiloxKey = uint32_t[2];
/// The counter of PhiloxRandom.
using PhiloxCounter = uint32_t[4];
/// Where a part of a matrix of random numbers lies: the matrix's row length, and the part's rows and columns.
struct PhiloxRandomParams {
    uint32_t stride;
    uint32_t row;
    uint32_t column;
};
/// Random bits by Philox.
template <uint16_t rounds = 7, typename T> ASC_ABSENT_BEFORE_3510("PhiloxRandom", "make random numbers on the host") __aicore__ inline void PhiloxRandom(const LocalTensor<T> &dst, const PhiloxKey &philoxKey, const PhiloxCounter &philoxCounter, uint16_t count);
template <uint16_t rounds = 7, typename T> ASC_ABSENT_BEFORE_3510("PhiloxRandom", "make random numbers on the host") __aicore__ inline void PhiloxRandom(const LocalTensor<T> &dst, const PhiloxKey &philoxKey, const PhiloxCounter &philoxCounter, const PhiloxRandomParams &params);

}

#endif
