// Vector operations on UB tensors: one source, two sources, a tensor and a scalar.
#ifndef KERNELGEN_ASCENDC_VECTOR_H
#define KERNELGEN_ASCENDC_VECTOR_H

#include "tensor.h"

namespace AscendC {

namespace Constraint {
/// Whether a tensor and a scalar are not in the usual places, which other declarations are for.
template <typename U, typename S, typename V> using Flexible = std::enable_if_t<!(std::is_same_v<S, LocalTensor<U>> && std::is_convertible_v<V, U>), int>;
}

/// The exponential of every element.
template <typename T> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) ASC_DEFINE(Exp, (dst, src, count), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Exp, (dst, src, mask, repeatTime, repeatParams), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Exp, (dst, src, mask, repeatTime, repeatParams), T, half, float)

/// The natural logarithm of every element.
template <typename T> __aicore__ inline void Ln(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) ASC_DEFINE(Ln, (dst, src, count), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void Ln(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Ln, (dst, src, mask, repeatTime, repeatParams), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void Ln(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Ln, (dst, src, mask, repeatTime, repeatParams), T, half, float)

/// The absolute value of every element.
template <typename T> __aicore__ inline void Abs(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) ASC_DEFINE(Abs, (dst, src, count), T, half, float ASC_FROM_3510(int8_t, int16_t, int32_t, int64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Abs(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Abs, (dst, src, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int8_t, int16_t, int32_t, int64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Abs(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Abs, (dst, src, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int8_t, int16_t, int32_t, int64_t, complex32, complex64))

/// An approximation of 1 / x for every element.
template <typename T> __aicore__ inline void Reciprocal(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) ASC_DEFINE(Reciprocal, (dst, src, count), T, half, float ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Reciprocal(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Reciprocal, (dst, src, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Reciprocal(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Reciprocal, (dst, src, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int64_t, uint64_t))

/// The square root of every element.
template <typename T> __aicore__ inline void Sqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) ASC_DEFINE(Sqrt, (dst, src, count), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void Sqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Sqrt, (dst, src, mask, repeatTime, repeatParams), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void Sqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Sqrt, (dst, src, mask, repeatTime, repeatParams), T, half, float)

/// An approximation of 1 / sqrt(x) for every element.
template <typename T> __aicore__ inline void Rsqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) ASC_DEFINE(Rsqrt, (dst, src, count), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void Rsqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Rsqrt, (dst, src, mask, repeatTime, repeatParams), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void Rsqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Rsqrt, (dst, src, mask, repeatTime, repeatParams), T, half, float)

/// The bitwise complement of every element.
template <typename T> __aicore__ inline void Not(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) ASC_DEFINE(Not, (dst, src, count), T, int16_t, uint16_t, int32_t, uint32_t, int8_t, uint8_t ASC_FROM_3510(half, float, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Not(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Not, (dst, src, mask, repeatTime, repeatParams), T, int16_t, uint16_t ASC_FROM_3510(int8_t, uint8_t, half, int32_t, uint32_t, float, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Not(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Not, (dst, src, mask, repeatTime, repeatParams), T, int16_t, uint16_t ASC_FROM_3510(int8_t, uint8_t, half, int32_t, uint32_t, float, int64_t, uint64_t))

/// max(x, 0) for every element.
template <typename T> __aicore__ inline void Relu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) ASC_DEFINE(Relu, (dst, src, count), T, half ASC_FROM_2002(float, int32_t) ASC_FROM_3510(int64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Relu(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Relu, (dst, src, mask, repeatTime, repeatParams), T, half ASC_FROM_2002(float, int32_t) ASC_FROM_3510(int64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Relu(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Relu, (dst, src, mask, repeatTime, repeatParams), T, half ASC_FROM_2002(float, int32_t) ASC_FROM_3510(int64_t))

/// -x for every element.
template <typename T> __aicore__ inline void Neg(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) ASC_DEFINE(Neg, (dst, src, count), T, half, float, int32_t, int16_t ASC_FROM_3510(int8_t, int64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Neg(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Neg, (dst, src, mask, repeatTime, repeatParams), T, half, float, int32_t, int16_t ASC_FROM_3510(int8_t, int64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Neg(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Neg, (dst, src, mask, repeatTime, repeatParams), T, half, float, int32_t, int16_t ASC_FROM_3510(int8_t, int64_t))

/// src0 + src1, element by element.
template <typename T> __aicore__ inline void Add(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(Add, (dst, src0, src1, count), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Add(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(Add, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Add(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Add, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t, complex32, complex64))

/// src0 - src1, element by element.
template <typename T> __aicore__ inline void Sub(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(Sub, (dst, src0, src1, count), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Sub(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(Sub, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Sub(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Sub, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t, complex32, complex64))

/// src0 * src1, element by element.
template <typename T> __aicore__ inline void Mul(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(Mul, (dst, src0, src1, count), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, uint16_t, uint32_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Mul(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(Mul, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, uint16_t, uint32_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Mul(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Mul, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, uint16_t, uint32_t, int64_t, uint64_t, complex32, complex64))

/// src0 / src1, element by element.
template <typename T> __aicore__ inline void Div(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(Div, (dst, src0, src1, count), T, half, float ASC_FROM_3510(int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Div(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(Div, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Div(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Div, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, complex32, complex64))

/// The larger of src0 and src1, element by element.
template <typename T> __aicore__ inline void Max(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(Max, (dst, src0, src1, count), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Max(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(Max, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Max(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Max, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t))

/// The smaller of src0 and src1, element by element.
template <typename T> __aicore__ inline void Min(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(Min, (dst, src0, src1, count), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Min(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(Min, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Min(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Min, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int32_t ASC_FROM_2002(int16_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, uint16_t, uint32_t, int64_t, uint64_t))

/// Bitwise and, element by element.
template <typename T> __aicore__ inline void And(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(And, (dst, src0, src1, count), T, int16_t, uint16_t, int32_t, uint32_t, int8_t, uint8_t ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void And(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(And, (dst, src0, src1, mask, repeatTime, repeatParams), T, int16_t, uint16_t ASC_FROM_3510(int8_t, uint8_t, int32_t, uint32_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void And(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(And, (dst, src0, src1, mask, repeatTime, repeatParams), T, int16_t, uint16_t ASC_FROM_3510(int8_t, uint8_t, int32_t, uint32_t, int64_t, uint64_t))

/// Bitwise or, element by element.
template <typename T> __aicore__ inline void Or(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(Or, (dst, src0, src1, count), T, int16_t, uint16_t, int32_t, uint32_t, int8_t, uint8_t ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Or(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(Or, (dst, src0, src1, mask, repeatTime, repeatParams), T, int16_t, uint16_t ASC_FROM_3510(int8_t, uint8_t, int32_t, uint32_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Or(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Or, (dst, src0, src1, mask, repeatTime, repeatParams), T, int16_t, uint16_t ASC_FROM_3510(int8_t, uint8_t, int32_t, uint32_t, int64_t, uint64_t))

/// dst += src0 * src1, element by element.
template <typename T, typename U> __aicore__ inline void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const int32_t &count) ASC_DEFINE(MulAddDst, (dst, src0, src1, count), T, half, float)
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(MulAddDst, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float)
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(MulAddDst, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float)

/// dst = src0 * dst + src1, element by element.
template <typename T> __aicore__ inline void FusedMulAdd(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(FusedMulAdd, (dst, src0, src1, count), T, half, float ASC_FROM_3510(bfloat16_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void FusedMulAdd(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(FusedMulAdd, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(bfloat16_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void FusedMulAdd(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(FusedMulAdd, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(bfloat16_t, int64_t, uint64_t))

/// dst = max(src0 * dst + src1, 0), element by element.
template <typename T> __aicore__ inline void FusedMulAddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(FusedMulAddRelu, (dst, src0, src1, count), T, half, float ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void FusedMulAddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(FusedMulAddRelu, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void FusedMulAddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(FusedMulAddRelu, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int64_t, uint64_t))

/// max(src0 + src1, 0), element by element.
template <typename T> __aicore__ inline void AddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(AddRelu, (dst, src0, src1, count), T, half, float, int16_t ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void AddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(AddRelu, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int16_t ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void AddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(AddRelu, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int16_t ASC_FROM_3510(int64_t, uint64_t))

/// max(src0 - src1, 0), element by element.
template <typename T> __aicore__ inline void SubRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(SubRelu, (dst, src0, src1, count), T, half, float, int16_t ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void SubRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(SubRelu, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int16_t ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void SubRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(SubRelu, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float, int16_t ASC_FROM_3510(int64_t, uint64_t))

/// max(src0 + src1, 0), converted to the type of dst.
template <typename T, typename U> __aicore__ inline void AddReluCast(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint32_t count);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void AddReluCast(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void AddReluCast(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);

/// max(src0 - src1, 0), converted to the type of dst.
template <typename T, typename U> __aicore__ inline void SubReluCast(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint32_t count);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void SubReluCast(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void SubReluCast(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);

/// src0 * src1, converted to the type of dst.
template <typename T, typename U> __aicore__ inline void MulCast(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint32_t count);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void MulCast(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void MulCast(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);

/// src + scalar for every element.
template <typename T, bool isSetMask = true> __aicore__ inline void Adds(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, const int32_t &count) ASC_DEFINE(Adds, (dst, src, scalarValue, count), T, half, float ASC_FROM_2002(int16_t, int32_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Adds(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Adds, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float ASC_FROM_2002(int16_t, int32_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Adds(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Adds, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float ASC_FROM_2002(int16_t, int32_t) ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int64_t, uint64_t, complex32, complex64))

/// src * scalar for every element.
template <typename T, bool isSetMask = true> __aicore__ inline void Muls(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, const int32_t &count) ASC_DEFINE(Muls, (dst, src, scalarValue, count), T, half, float ASC_FROM_2002(int16_t, int32_t) ASC_FROM_3510(bfloat16_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Muls(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Muls, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float ASC_FROM_2002(int16_t, int32_t) ASC_FROM_3510(bfloat16_t, int64_t, uint64_t, complex32, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Muls(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Muls, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float ASC_FROM_2002(int16_t, int32_t) ASC_FROM_3510(bfloat16_t, int64_t, uint64_t, complex32, complex64))

/// The larger of src and scalar for every element.
template <typename T, bool isSetMask = true> __aicore__ inline void Maxs(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, const int32_t &count) ASC_DEFINE(Maxs, (dst, src, scalarValue, count), T, half, float, int16_t, int32_t ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Maxs(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Maxs, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float, int16_t, int32_t ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Maxs(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Maxs, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float, int16_t, int32_t ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int64_t, uint64_t))

/// The smaller of src and scalar for every element.
template <typename T, bool isSetMask = true> __aicore__ inline void Mins(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, const int32_t &count) ASC_DEFINE(Mins, (dst, src, scalarValue, count), T, half, float, int16_t, int32_t ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Mins(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Mins, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float, int16_t, int32_t ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void Mins(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(Mins, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float, int16_t, int32_t ASC_FROM_3510(bfloat16_t, int8_t, uint8_t, int64_t, uint64_t))

/// x where x >= 0, else x * scalar.
template <typename T, bool isSetMask = true> __aicore__ inline void LeakyRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, const int32_t &count) ASC_DEFINE(LeakyRelu, (dst, src, scalarValue, count), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void LeakyRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(LeakyRelu, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float)
template <typename T, bool isSetMask = true> __aicore__ inline void LeakyRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(LeakyRelu, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float)

/// x shifted left by scalar bits.
template <typename T, bool isSetMask = true> __aicore__ inline void ShiftLeft(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, const int32_t &count) ASC_DEFINE(ShiftLeft, (dst, src, scalarValue, count), T, int16_t, uint16_t, int32_t, uint32_t ASC_FROM_3510(int8_t, uint8_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void ShiftLeft(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(ShiftLeft, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, int16_t, uint16_t, int32_t, uint32_t ASC_FROM_3510(int8_t, uint8_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void ShiftLeft(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(ShiftLeft, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, int16_t, uint16_t, int32_t, uint32_t ASC_FROM_3510(int8_t, uint8_t, int64_t, uint64_t))

/// x shifted right by scalar bits, rounded where roundEn.
template <typename T, bool isSetMask = true> __aicore__ inline void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, const int32_t &count) ASC_DEFINE(ShiftRight, (dst, src, scalarValue, count), T, int16_t, uint16_t, int32_t, uint32_t ASC_FROM_3510(int8_t, uint8_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams, bool roundEn = false) ASC_DEFINE(ShiftRight, (dst, src, scalarValue, mask, repeatTime, repeatParams, roundEn), T, int16_t, uint16_t, int32_t, uint32_t ASC_FROM_3510(int8_t, uint8_t, int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams, bool roundEn = false) ASC_MASK(sizeof(T)) ASC_DEFINE(ShiftRight, (dst, src, scalarValue, mask, repeatTime, repeatParams, roundEn), T, int16_t, uint16_t, int32_t, uint32_t ASC_FROM_3510(int8_t, uint8_t, int64_t, uint64_t))

/// dst += src * scalar for every element; src may be half where dst is float.
template <typename T, typename U> __aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue, const int32_t &count) ASC_DEFINE(Axpy, (dst, src, scalarValue, count), T, half, float)
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Axpy, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float)
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_DEFINE(Axpy, (dst, src, scalarValue, mask, repeatTime, repeatParams), T, half, float)

/// src0 - src1 for every element. One of src0 and src1 is a tensor, the other a scalar or the tensor whose first element is the scalar.
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Subs", "use Adds with the negated scalar") __aicore__ inline void Subs(const LocalTensor<U> &dst, const S &src0, const V &src1, const int32_t &count);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Subs", "use Adds with the negated scalar") __aicore__ inline void Subs(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Subs", "use Adds with the negated scalar") __aicore__ inline void Subs(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);

/// src0 / src1 for every element. One of src0 and src1 is a tensor, the other a scalar or the tensor whose first element is the scalar.
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Divs", "use Duplicate and Div") __aicore__ inline void Divs(const LocalTensor<U> &dst, const S &src0, const V &src1, const int32_t &count);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Divs", "use Duplicate and Div") __aicore__ inline void Divs(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Divs", "use Duplicate and Div") __aicore__ inline void Divs(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);

/// Bitwise and of src0 and src1 for every element. One of src0 and src1 is a tensor, the other a scalar or the tensor whose first element is the scalar.
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Ands", "use Duplicate and And") __aicore__ inline void Ands(const LocalTensor<U> &dst, const S &src0, const V &src1, const int32_t &count);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Ands", "use Duplicate and And") __aicore__ inline void Ands(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Ands", "use Duplicate and And") __aicore__ inline void Ands(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);

/// Bitwise or of src0 and src1 for every element. One of src0 and src1 is a tensor, the other a scalar or the tensor whose first element is the scalar.
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Ors", "use Duplicate and Or") __aicore__ inline void Ors(const LocalTensor<U> &dst, const S &src0, const V &src1, const int32_t &count);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Ors", "use Duplicate and Or") __aicore__ inline void Ors(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V> ASC_ABSENT_BEFORE_3510("Ors", "use Duplicate and Or") __aicore__ inline void Ors(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);

#if __NPU_ARCH__ >= 3510
// Here the scalar may come first, or be the first element of a tensor.
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Adds(const LocalTensor<U> &dst, const S &src0, const V &src1, const int32_t &count);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Adds(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Adds(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Muls(const LocalTensor<U> &dst, const S &src0, const V &src1, const int32_t &count);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Muls(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Muls(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Maxs(const LocalTensor<U> &dst, const S &src0, const V &src1, const int32_t &count);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Maxs(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Maxs(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Mins(const LocalTensor<U> &dst, const S &src0, const V &src1, const int32_t &count);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Mins(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V, Constraint::Flexible<U, S, V> = 0> __aicore__ inline void Mins(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
#endif

/// Writes a scalar to every element.
template <typename T, bool isSetMask = true> __aicore__ inline void Duplicate(const LocalTensor<T> &dst, const T &scalarValue, const int32_t &count) ASC_DEFINE(Duplicate, (dst, scalarValue, count), T, half, Constraint::Bf16, float, int16_t, uint16_t, int32_t, uint32_t ASC_FROM_3510(bool, int8_t, uint8_t, fp4x2_e2m1_t, fp4x2_e1m2_t, hifloat8_t, fp8_e8m0_t, fp8_e5m2_t, fp8_e4m3fn_t, complex32, int64_t, uint64_t, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Duplicate(const LocalTensor<T> &dst, const T &scalarValue, uint64_t mask[], const uint8_t repeatTime, const uint16_t dstBlockStride, const uint8_t dstRepeatStride) ASC_DEFINE(Duplicate, (dst, scalarValue, mask, repeatTime, dstBlockStride, dstRepeatStride), T, half, Constraint::Bf16, float, int16_t, uint16_t, int32_t, uint32_t ASC_FROM_3510(bool, int8_t, uint8_t, fp4x2_e2m1_t, fp4x2_e1m2_t, hifloat8_t, fp8_e8m0_t, fp8_e5m2_t, fp8_e4m3fn_t, complex32, int64_t, uint64_t, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Duplicate(const LocalTensor<T> &dst, const T &scalarValue, uint64_t mask, const uint8_t repeatTime, const uint16_t dstBlockStride, const uint8_t dstRepeatStride) ASC_MASK(sizeof(T)) ASC_DEFINE(Duplicate, (dst, scalarValue, mask, repeatTime, dstBlockStride, dstRepeatStride), T, half, Constraint::Bf16, float, int16_t, uint16_t, int32_t, uint32_t ASC_FROM_3510(bool, int8_t, uint8_t, fp4x2_e2m1_t, fp4x2_e1m2_t, hifloat8_t, fp8_e8m0_t, fp8_e5m2_t, fp8_e4m3fn_t, complex32, int64_t, uint64_t, complex64))
template <typename T, bool isSetMask = true> __aicore__ inline void Duplicate(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count);

/// Spreads each of 8 source elements per repeat over one 32-byte block.
template <typename T> __aicore__ inline void Brcb(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const uint8_t repeatTime, const BrcbRepeatParams &repeatParams)
{
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || __NPU_ARCH__ >= 3510, "Brcb takes elements of 16 or 32 bits");
    KERNELGEN_RUN(Brcb, (dst, src0, repeatTime, repeatParams))
}

/// src0 * src1 of 32-bit integers: the low half to dst0, the high half to dst1.
template <typename T> ASC_ABSENT_BEFORE_3510("Mull", "use Mul") __aicore__ inline void Mull(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count);
/// src0 where it is not negative, else src0 * src1, element by element.
template <typename T> ASC_ABSENT_BEFORE_3510("Prelu", "use Maxs, Mins, Mul and Add") __aicore__ inline void Prelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count);
/// |src0 - src1|, element by element.
template <typename T> ASC_ABSENT_BEFORE_3510("AbsSub", "use Sub and Abs") __aicore__ inline void AbsSub(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count);
/// exp(src0 - src1), element by element.
template <typename T, typename U> ASC_ABSENT_BEFORE_3510("ExpSub", "use Sub and Exp") __aicore__ inline void ExpSub(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const uint32_t count);
/// Every element rounded to an integer, as said.
template <typename T, RoundMode roundMode> ASC_ABSENT_BEFORE_3510("Truncate", "use Trunc, Floor, Ceil or Round") __aicore__ inline void Truncate(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count);
/// The elements of src0 and src1 in turn: the first half to dst0, the second to dst1.
template <typename T> ASC_ABSENT_BEFORE_3510("Interleave", "use Gather") __aicore__ inline void Interleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t count);
/// The even elements of the sources to dst0, the odd ones to dst1.
template <typename T> ASC_ABSENT_BEFORE_3510("DeInterleave", "use GatherMask") __aicore__ inline void DeInterleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t count);
template <typename T> ASC_ABSENT_BEFORE_3510("DeInterleave", "use GatherMask") __aicore__ inline void DeInterleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src, const int32_t srcCount);
#if __NPU_ARCH__ >= 3510
template <typename T, typename U> __aicore__ inline void ShiftLeft(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1, const int32_t &count);
template <typename T, typename U> __aicore__ inline void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1, const int32_t &count);
template <typename T, typename U> __aicore__ inline void Abs(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t &count);
#endif

/// max(src0 * src1 + dst, 0), element by element.
template <typename T> __aicore__ inline void MulAddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count) ASC_DEFINE(MulAddRelu, (dst, src0, src1, count), T, half, float ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void MulAddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_DEFINE(MulAddRelu, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int64_t, uint64_t))
template <typename T, bool isSetMask = true> __aicore__ inline void MulAddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams) ASC_MASK(sizeof(T)) ASC_DEFINE(MulAddRelu, (dst, src0, src1, mask, repeatTime, repeatParams), T, half, float ASC_FROM_3510(int64_t, uint64_t))

/// max(src0 + src1, 0) of int32_t, converted to half by the scale of SetDeqScale.
template <typename T, typename U> __aicore__ inline void AddDeqRelu(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const int32_t &count);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void AddDeqRelu(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <bool isSetMask = true> __aicore__ inline void AddDeqRelu(const LocalTensor<half> &dst, const LocalTensor<int32_t> &src0, const LocalTensor<int32_t> &src1, const uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <bool isSetMask = true> __aicore__ inline void AddDeqRelu(const LocalTensor<half> &dst, const LocalTensor<int32_t> &src0, const LocalTensor<int32_t> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void AddDeqRelu(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);

/// src0 * src1, of which one is a scalar, converted to the type of dst.
template <typename T0 = BinaryDefaultType, typename T1 = BinaryDefaultType, const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename T2, typename T3, typename T4> ASC_ABSENT_BEFORE_3510("MulsCast", "use Muls and Cast") __aicore__ inline void MulsCast(const T2 &dst, const T3 &src0, const T4 &src1, const uint32_t count);

/// Fills the last blocks of a repeat up from its other elements.
template <typename T, bool isSetMask = true> __aicore__ inline void VectorPadding(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint8_t padMode, const bool padSide, const uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, bool isSetMask = true> __aicore__ inline void VectorPadding(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint8_t padMode, const bool padSide, const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T> __aicore__ inline void VectorPadding(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint8_t padMode, const bool padSide, const uint32_t count);

/// Writes firstValue, firstValue + 1, ... to a tensor.
template <typename T> __aicore__ inline void CreateVecIndex(LocalTensor<T> dst, const T &firstValue, uint32_t count) ASC_DEFINE(CreateVecIndex, (dst, firstValue, count), T, half, float, int16_t, int32_t ASC_FROM_3510(int8_t, int64_t))
template <typename T> __aicore__ inline void CreateVecIndex(LocalTensor<T> &dst, const T &firstValue, uint64_t mask, uint8_t repeatTime, uint16_t dstBlkStride, uint8_t dstRepStride) ASC_DEFINE(CreateVecIndex, (dst, firstValue, mask, repeatTime, dstBlkStride, dstRepStride), T, half, float, int16_t, int32_t ASC_FROM_3510(int8_t, int64_t))
template <typename T> __aicore__ inline void CreateVecIndex(LocalTensor<T> &dst, const T &firstValue, uint64_t mask[], uint8_t repeatTime, uint16_t dstBlkStride, uint8_t dstRepStride) ASC_DEFINE(CreateVecIndex, (dst, firstValue, mask, repeatTime, dstBlkStride, dstRepStride), T, half, float, int16_t, int32_t ASC_FROM_3510(int8_t, int64_t))

/// src0 * src1 with complex arithmetic over interleaved pairs, or a bilinear interpolation of rows.
template <typename T> __aicore__ inline void BilinearInterpolation(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &src0Offset, const LocalTensor<T> &src1, uint64_t mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride, uint16_t vROffset, uint8_t vRepeat, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T> __aicore__ inline void BilinearInterpolation(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &src0Offset, const LocalTensor<T> &src1, const uint64_t mask[], uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride, uint16_t vROffset, uint8_t vRepeat, const LocalTensor<uint8_t> &sharedTmpBuffer);

/// Sets the mask of the vector unit for the calls with isSetMask = false: `len` elements in counter mode, or 128 bits.
template <typename T, MaskMode mode = MaskMode::NORMAL> __aicore__ inline void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow);
template <typename T, MaskMode mode = MaskMode::NORMAL> __aicore__ inline void SetVectorMask(int32_t len);
/// Sets the mask back to all elements.
__aicore__ inline void ResetMask();
/// The mask counts elements from here on.
__aicore__ inline void SetMaskCount();
/// The mask is one bit an element of a repeat from here on.
__aicore__ inline void SetMaskNorm();

}

#endif
