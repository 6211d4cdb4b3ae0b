// Comparison and selection.
#ifndef KERNELGEN_ASCENDC_COMPARE_H
#define KERNELGEN_ASCENDC_COMPARE_H

#include "tensor.h"

// The compiler takes other tensors for bits too, and kernels that reuse memory are written so.
#define ASC_BITS(name, U) ASC_LINT(sizeof(U) != 1, name " writes one bit an element to a tensor of uint8_t or int8_t")

namespace AscendC {

/// Compares element by element; the result has one bit an element.
/// constraint: count * sizeof(T) has to be a multiple of 256 bytes.
template <typename T, typename U> __aicore__ inline void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, uint32_t count)
    ASC_BITS("Compare", U)
{
    ASC_TAKES("Compare", T, half, float ASC_FROM_2201(int32_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int16_t, uint16_t, uint32_t, int64_t, uint64_t, double));
    KERNELGEN_RUN(Compare, (dst, src0, src1, cmpMode, count))
}
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, bool isSetMask = true> __aicore__ inline void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, const uint64_t mask[], const BinaryRepeatParams &repeatParams);
template <typename T, bool isSetMask = true> __aicore__ inline void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, const uint64_t mask, const BinaryRepeatParams &repeatParams);
/// Compares every element with a scalar; the result has one bit an element.
/// constraint: count * sizeof(T) has to be a multiple of 256 bytes.
template <typename T, typename U> __aicore__ inline void CompareScalar(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode, uint32_t count)
    ASC_BITS("CompareScalar", U)
{
    ASC_TAKES("CompareScalar", T, half, float ASC_FROM_2201(int32_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int16_t, uint16_t, uint32_t, int64_t, uint64_t, double));
    KERNELGEN_RUN(CompareScalar, (dst, src0, src1Scalar, cmpMode, count))
}
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void CompareScalar(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void CompareScalar(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
/// Compares every element with a scalar; the result has one bit an element.
/// constraint: count * sizeof(T) has to be a multiple of 256 bytes.
template <typename T, typename U> __aicore__ inline void Compares(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode, uint32_t count)
    ASC_BITS("Compares", U)
{
    ASC_TAKES("Compares", T, half, float ASC_FROM_2201(int32_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int16_t, uint16_t, uint32_t, int64_t, uint64_t, double));
    KERNELGEN_RUN(Compares, (dst, src0, src1Scalar, cmpMode, count))
}
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Compares(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Compares(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
#if __NPU_ARCH__ >= 3510
// Here the scalar may come first, or be the first element of a tensor.
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4> __aicore__ inline void Compares(const T2 &dst, const T3 &src0, const T4 &src1, CMPMODE cmpMode, uint32_t count);
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4> __aicore__ inline void Compares(const T2 &dst, const T3 &src0, const T4 &src1, CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4> __aicore__ inline void Compares(const T2 &dst, const T3 &src0, const T4 &src1, CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4> __aicore__ inline void CompareScalar(const T2 &dst, const T3 &src0, const T4 &src1, CMPMODE cmpMode, uint32_t count);
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4> __aicore__ inline void CompareScalar(const T2 &dst, const T3 &src0, const T4 &src1, CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4> __aicore__ inline void CompareScalar(const T2 &dst, const T3 &src0, const T4 &src1, CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
#endif
/// Reads the comparison mask register.
template <typename T> __aicore__ inline void GetCmpMask(const LocalTensor<T> &dst);
/// Sets the comparison mask register.
template <typename T> __aicore__ inline void SetCmpMask(const LocalTensor<T> &src);
#if __NPU_ARCH__ < 2002
#define ASC_SELECTS(mode) __attribute__((diagnose_if(mode != SELMODE::VSEL_CMPMASK_SPR, "not on this chip: Select with this mode; use SELMODE::VSEL_CMPMASK_SPR, one repeat at a time", "error")))
#else
#define ASC_SELECTS(mode)
#endif
/// src0 where the mask bit is 1, else src1 (a tensor or a scalar).
template <typename T, typename U> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, const LocalTensor<T> &src1, SELMODE selMode, uint32_t count) ASC_SELECTS(selMode) ASC_DEFINE(Select, (dst, selMask, src0, src1, selMode, count), T, half, float ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, complex32, int64_t, uint64_t, complex64))
template <typename T, typename U> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, T src1, SELMODE selMode, uint32_t count) ASC_SELECTS(selMode) ASC_DEFINE(Select, (dst, selMask, src0, src1, selMode, count), T, half, float ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, complex32, int64_t, uint64_t, complex64))
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, const LocalTensor<T> &src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_SELECTS(selMode) ASC_DEFINE(Select, (dst, selMask, src0, src1, selMode, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, complex32, int64_t, uint64_t, complex64))
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, const LocalTensor<T> &src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_SELECTS(selMode) ASC_DEFINE(Select, (dst, selMask, src0, src1, selMode, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, complex32, int64_t, uint64_t, complex64))
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, T src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_SELECTS(selMode) ASC_DEFINE(Select, (dst, selMask, src0, src1, selMode, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, complex32, int64_t, uint64_t, complex64))
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, T src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_SELECTS(selMode) ASC_DEFINE(Select, (dst, selMask, src0, src1, selMode, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, complex32, int64_t, uint64_t, complex64))
template <typename T, SELMODE selMode> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, typename U> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
#if __NPU_ARCH__ >= 3510
// Here the scalar may come first, or be the first element of a tensor.
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4, typename T5> __aicore__ inline void Select(const T2 &dst, const T3 &selMask, const T4 &src0, const T5 &src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4, typename T5> __aicore__ inline void Select(const T2 &dst, const T3 &selMask, const T4 &src0, const T5 &src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4, typename T5> __aicore__ inline void Select(const T2 &dst, const T3 &selMask, const T4 &src0, const T5 &src1, SELMODE selMode, uint32_t count);
#endif
#undef ASC_SELECTS
/// The shape of SelectWithBytesMask's operands.
struct SelectWithBytesMaskShapeInfo {
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};
/// A scalar or a tensor's element, chosen by a mask of one byte an element.
template <typename T, typename U, bool isReuseMask = true> __aicore__ inline void SelectWithBytesMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, T src1, const LocalTensor<U> &mask, const LocalTensor<uint8_t> &sharedTmpBuffer, const SelectWithBytesMaskShapeInfo &info);
template <typename T, typename U, bool isReuseMask = true> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<T> &src0, T src1, const LocalTensor<U> &mask, const LocalTensor<uint8_t> &sharedTmpBuffer, const SelectWithBytesMaskShapeInfo &info);
template <typename T, typename U, bool isReuseMask = true> __aicore__ inline void SelectWithBytesMask(const LocalTensor<T> &dst, T src0, const LocalTensor<T> &src1, const LocalTensor<U> &mask, const LocalTensor<uint8_t> &sharedTmpBuffer, const SelectWithBytesMaskShapeInfo &info);
template <typename T, typename U, bool isReuseMask = true> __aicore__ inline void Select(const LocalTensor<T> &dst, T src0, const LocalTensor<T> &src1, const LocalTensor<U> &mask, const LocalTensor<uint8_t> &sharedTmpBuffer, const SelectWithBytesMaskShapeInfo &info);

}

#endif
