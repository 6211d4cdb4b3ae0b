// Mathematical functions of the library over whole tensors.
#ifndef KERNELGEN_ASCENDC_MATH_H
#define KERNELGEN_ASCENDC_MATH_H

#include "tensor.h"

namespace AscendC {

/// The hyperbolic tangent of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Tanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Tanh, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Tanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Tanh, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Tanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Tanh, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Tanh(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Tanh, (dst, src), T, half, float)

/// The hyperbolic sine of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Sinh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Sinh, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Sinh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Sinh, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Sinh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Sinh, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Sinh(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Sinh, (dst, src), T, half, float)

/// The hyperbolic cosine of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Cosh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Cosh, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Cosh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Cosh, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Cosh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Cosh, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Cosh(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Cosh, (dst, src), T, half, float)

/// The sine of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Sin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Sin, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Sin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Sin, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Sin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Sin, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Sin(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Sin, (dst, src), T, half, float)

/// The cosine of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Cos(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Cos, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Cos(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Cos, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Cos(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Cos, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Cos(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Cos, (dst, src), T, half, float)

/// The tangent of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Tan(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Tan, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Tan(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Tan, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Tan(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Tan, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Tan(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Tan, (dst, src), T, half, float)

/// The arc sine of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Asin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Asin, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Asin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Asin, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Asin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Asin, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Asin(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Asin, (dst, src), T, half, float)

/// The arc cosine of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Acos(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Acos, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Acos(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Acos, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Acos(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Acos, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Acos(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Acos, (dst, src), T, half, float)

/// The arc tangent of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Atan(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Atan, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Atan(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Atan, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Atan(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Atan, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Atan(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Atan, (dst, src), T, half, float)

/// The inverse hyperbolic sine of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Asinh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Asinh, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Asinh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Asinh, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Asinh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Asinh, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Asinh(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Asinh, (dst, src), T, half, float)

/// The inverse hyperbolic cosine of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Acosh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Acosh, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Acosh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Acosh, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Acosh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Acosh, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Acosh(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Acosh, (dst, src), T, half, float)

/// The inverse hyperbolic tangent of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Atanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Atanh, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Atanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Atanh, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Atanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Atanh, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Atanh(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Atanh, (dst, src), T, half, float)

/// The error function of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Erf(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Erf, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Erf(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Erf, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Erf(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Erf, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Erf(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Erf, (dst, src), T, half, float)

/// The complementary error function of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Erfc(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Erfc, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Erfc(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Erfc, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Erfc(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Erfc, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Erfc(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Erfc, (dst, src), T, half, float)

/// -1, 0 or 1 by the sign of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Sign(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Sign, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Sign(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Sign, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Sign(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Sign, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Sign(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Sign, (dst, src), T, half, float)

/// The integer part of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Trunc(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Trunc, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Trunc(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Trunc, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Trunc(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Trunc, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Trunc(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Trunc, (dst, src), T, half, float)

/// The fractional part of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Frac(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Frac, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Frac(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Frac, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Frac(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Frac, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Frac(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Frac, (dst, src), T, half, float)

/// The nearest integer, halves to even of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Round(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Round, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Round(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Round, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Round(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Round, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Round(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Round, (dst, src), T, half, float)

/// The nearest integer of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Rint(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Rint, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Rint(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Rint, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Rint(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Rint, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Rint(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Rint, (dst, src), T, half, float)

/// The largest integer not above of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Floor(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Floor, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Floor(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Floor, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Floor(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Floor, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Floor(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Floor, (dst, src), T, half, float)

/// The smallest integer not below of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Ceil(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Ceil, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Ceil(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Ceil, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Ceil(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Ceil, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Ceil(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Ceil, (dst, src), T, half, float)

/// The digamma function of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Digamma(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Digamma, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Digamma(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Digamma, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Digamma(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Digamma, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Digamma(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Digamma, (dst, src), T, half, float)

/// The logarithm of the gamma function of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Lgamma(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Lgamma, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Lgamma(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Lgamma, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Lgamma(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Lgamma, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Lgamma(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Lgamma, (dst, src), T, half, float)

/// The natural logarithm of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Log(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount) ASC_DEFINE(Log, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Log(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t calCount) ASC_DEFINE(Log, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Log(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Log, (dst, src), T, half, float)

/// The logarithm to base 2 of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Log2(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount) ASC_DEFINE(Log2, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Log2(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t calCount) ASC_DEFINE(Log2, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Log2(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Log2, (dst, src), T, half, float)

/// The logarithm to base 10 of every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Log10(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount) ASC_DEFINE(Log10, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Log10(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t calCount) ASC_DEFINE(Log10, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false> __aicore__ inline void Log10(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Log10, (dst, src), T, half, float)

/// A polynomial approximation of the exponential with `taylorExpandLevel` terms.
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount);

/// src0 to the power of src1, element by element or with a scalar.
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Power(const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1);

/// The remainder of src0 / src1, element by element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1);

/// Bitwise exclusive or, element by element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Xor(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Xor(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false> __aicore__ inline void Xor(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Xor(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1);

/// sqrt(src0^2 + src1^2), element by element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Hypot(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Hypot(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false> __aicore__ inline void Hypot(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void Hypot(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1);

/// The smaller of the element and scalar.
template <typename T, bool isReuseSource = false> __aicore__ inline void ClampMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const T scalar, const uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void ClampMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T scalar, const uint32_t calCount);

/// The larger of the element and scalar.
template <typename T, bool isReuseSource = false> __aicore__ inline void ClampMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const T scalar, const uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void ClampMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T scalar, const uint32_t calCount);

/// src clamped to [min, max].
template <typename T, bool isReuseSource = false> __aicore__ inline void Clamp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &min, const T &max, const uint32_t count);
/// The running sum along the last or the first axis.
struct CumSumInfo {
    uint32_t outter = 0;
    uint32_t inner = 0;
};
/// Options of CumSum.
struct CumSumConfig {
    bool isLastAxis = true;
    bool isReuseSource = false;
    bool outputLastRow = false;
};
constexpr CumSumConfig defaultCumSumConfig{};
/// The running sum along the last or the first axis.
template <typename T, const CumSumConfig &config = defaultCumSumConfig> __aicore__ inline void CumSum(LocalTensor<T> &dst, LocalTensor<T> &lastRow, const LocalTensor<T> &src, LocalTensor<uint8_t> &sharedTmpBuffer, const CumSumInfo &cumSumInfo);
template <typename T, const CumSumConfig &config = defaultCumSumConfig> __aicore__ inline void CumSum(LocalTensor<T> &dst, LocalTensor<T> &lastRow, const LocalTensor<T> &src, const CumSumInfo &cumSumInfo);
#if __CCE_AICORE__ >= 300
/// Whether each element is finite, is infinite, is not a number: 1 or 0 in dst.
template <typename T, typename U, bool isReuseSource = false> __aicore__ inline void IsFinite(const LocalTensor<U> &dst, const LocalTensor<T> &src, const uint32_t calCount);
template <typename T, typename U, bool isReuseSource = false> __aicore__ inline void IsFinite(const LocalTensor<U> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
/// Whether each element is infinite: 1 or 0 in dst.
template <typename T, typename U, bool isReuseSource = false> __aicore__ inline void IsInf(const LocalTensor<U> &dst, const LocalTensor<T> &src, const uint32_t calCount);
template <typename T, typename U, bool isReuseSource = false> __aicore__ inline void IsInf(const LocalTensor<U> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
/// Whether each element is not a number: 1 or 0 in dst.
template <typename T, typename U, bool isReuseSource = false> __aicore__ inline void IsNan(const LocalTensor<U> &dst, const LocalTensor<T> &src, const uint32_t calCount);
template <typename T, typename U, bool isReuseSource = false> __aicore__ inline void IsNan(const LocalTensor<U> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
#endif
/// firstValue, firstValue + diffValue, ...: `count` elements.
template <typename T> __aicore__ inline void ArithProgression(const LocalTensor<T> &dst, const T firstValue, const T diffValue, const int32_t count);
/// firstValue, firstValue + diffValue, ...: `count` elements.
template <typename T> __aicore__ inline void Arange(const LocalTensor<T> &dst, const T firstValue, const T diffValue, const int32_t count);
/// Logical operations, element by element: 1 or 0 in dst.
template <typename T, typename U> __aicore__ inline void LogicalNot(const LocalTensor<U> &dst, const LocalTensor<T> &src, const uint32_t count);
/// Whether both elements are true: 1 or 0 in dst.
template <typename T, typename U> __aicore__ inline void LogicalAnd(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count);
/// Whether one of the elements is true: 1 or 0 in dst.
template <typename T, typename U> __aicore__ inline void LogicalOr(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count);
/// condition ? src0 : src1, element by element.
template <typename T, typename U, typename S, typename V> __aicore__ inline void Where(const LocalTensor<T> &dst, const U &src0, const S &src1, const LocalTensor<V> &condition, const uint32_t count);

}

#endif
