// Mathematical functions of the library over whole tensors.
#ifndef KERNELGEN_ASCENDC_MATH_H
#define KERNELGEN_ASCENDC_MATH_H

#include "tensor.h"

namespace AscendC {

/// How Tanh computes.
enum class TanhAlgo { INTRINSIC, SUBSECTION_COMPENSATION };
/// How Tanh computes.
struct TanhConfig {
    TanhAlgo algo = TanhAlgo::INTRINSIC;
};
constexpr TanhConfig DEFAULT_TANH_CONFIG = {};
/// How Sin computes.
enum class SinAlgo { POLYNOMIAL_APPROXIMATION, RADIAN_REDUCTION };
/// How Sin computes.
struct SinConfig {
    SinAlgo algo = SinAlgo::POLYNOMIAL_APPROXIMATION;
};
constexpr SinConfig defaultSinConfig = {};
/// How Cos computes.
enum class CosAlgo { POLYNOMIAL_APPROXIMATION, RADIAN_REDUCTION };
/// How Cos computes.
struct CosConfig {
    CosAlgo algo = CosAlgo::POLYNOMIAL_APPROXIMATION;
};
constexpr CosConfig defaultCosConfig = {};
/// How Atan computes.
enum class AtanAlgo { TAYLOR_EXPANSION, POLYNOMIAL_APPROXIMATION };
/// How Atan computes.
struct AtanConfig {
    AtanAlgo algo = AtanAlgo::TAYLOR_EXPANSION;
};
constexpr AtanConfig defaultAtanConfig = {};
/// How Erf computes.
enum class ErfAlgo { PADE_APPROXIMATION, SUBSECTION_POLYNOMIAL_APPROXIMATION };
/// How Erf computes.
struct ErfConfig {
    ErfAlgo algo = ErfAlgo::PADE_APPROXIMATION;
};
constexpr ErfConfig defaultErfConfig = {};
/// How Power computes.
enum class PowerAlgo { INTRINSIC, DOUBLE_FLOAT_TECH };
/// How Power computes.
struct PowerConfig {
    PowerAlgo algo = PowerAlgo::INTRINSIC;
};
constexpr PowerConfig defaultPowerConfig = {};
/// How Fmod computes.
enum class FmodAlgo { NORMAL = 0, ITERATION_COMPENSATION = 1 };
/// How Fmod computes, and in how many steps at most.
struct FmodConfig {
    FmodAlgo algo = FmodAlgo::NORMAL;
    uint32_t iterationNum = 11;
};
constexpr FmodConfig DEFAULT_FMOD_CONFIG = {};
/// Whether IsNan may overwrite its source.
struct IsNanConfig {
    bool isReuseSource;
};
constexpr IsNanConfig DEFAULT_IS_NAN_CONFIG = {false};
/// Whether IsInf may overwrite its source.
struct IsInfConfig {
    bool isReuseSource;
};
constexpr IsInfConfig DEFAULT_IS_INF_CONFIG = {false};
/// Whether Clamp may overwrite its source.
struct ClampConfig {
    bool isReuseSource;
};
constexpr ClampConfig DEFAULT_CLAMP_CONFIG = {false};
/// Whether Rint may overwrite its source.
struct RintConfig {
    bool isReuseSource;
};
constexpr RintConfig DEFAULT_RINT_CONFIG = {false};
/// Whether Fma may overwrite its source.
struct FmaConfig {
    bool isReuseSource;
};
constexpr FmaConfig DEFAULT_FMA_CONFIG = {false};
/// Whether SinCos may overwrite its source.
struct SinCosConfig {
    bool isReuseSource;
};
constexpr SinCosConfig DEFAULT_SINCOS_CONFIG = {false};
/// Whether BitwiseAnd may overwrite its source.
struct BitwiseAndConfig {
    bool isReuseSource;
};
constexpr BitwiseAndConfig DEFAULT_BITWISE_AND_CONFIG = {false};
/// Whether BitwiseOr may overwrite its source.
struct BitwiseOrConfig {
    bool isReuseSource;
};
constexpr BitwiseOrConfig DEFAULT_BITWISE_OR_CONFIG = {false};
/// Whether BitwiseXor may overwrite its source.
struct BitwiseXorConfig {
    bool isReuseSource;
};
constexpr BitwiseXorConfig DEFAULT_BITWISE_XOR_CONFIG = {false};
/// Whether BitwiseNot may overwrite its source.
struct BitwiseNotConfig {
    bool isReuseSource;
};
constexpr BitwiseNotConfig DEFAULT_BITWISE_NOT_CONFIG = {false};
/// Whether LogicalAnd may overwrite its source.
struct LogicalAndConfig {
    bool isReuseSource;
};
constexpr LogicalAndConfig DEFAULT_LOGICAL_AND_CONFIG = {false};
/// Whether LogicalOr may overwrite its source.
struct LogicalOrConfig {
    bool isReuseSource;
};
constexpr LogicalOrConfig DEFAULT_LOGICAL_OR_CONFIG = {false};
/// Whether LogicalXor may overwrite its source.
struct LogicalXorConfig {
    bool isReuseSource;
};
constexpr LogicalXorConfig DEFAULT_LOGICAL_XOR_CONFIG = {false};
/// Whether LogicalNot may overwrite its source.
struct LogicalNotConfig {
    bool isReuseSource;
};
constexpr LogicalNotConfig DEFAULT_LOGICAL_NOT_CONFIG = {false};
/// Whether LogicalAnds may overwrite its source.
struct LogicalAndsConfig {
    bool isReuseSource;
};
constexpr LogicalAndsConfig DEFAULT_LOGICAL_ANDS_CONFIG = {false};
/// Whether LogicalOrs may overwrite its source.
struct LogicalOrsConfig {
    bool isReuseSource;
};
constexpr LogicalOrsConfig DEFAULT_LOGICAL_ORS_CONFIG = {false};

/// The hyperbolic tangent of every element.
template <typename T, bool isReuseSource = false, const TanhConfig &config = DEFAULT_TANH_CONFIG> __aicore__ inline void Tanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Tanh, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const TanhConfig &config = DEFAULT_TANH_CONFIG> __aicore__ inline void Tanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Tanh, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false, const TanhConfig &config = DEFAULT_TANH_CONFIG> __aicore__ inline void Tanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Tanh, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const TanhConfig &config = DEFAULT_TANH_CONFIG> __aicore__ inline void Tanh(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Tanh, (dst, src), T, half, float)

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
template <typename T, bool isReuseSource = false, const SinConfig &config = defaultSinConfig> __aicore__ inline void Sin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Sin, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const SinConfig &config = defaultSinConfig> __aicore__ inline void Sin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Sin, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false, const SinConfig &config = defaultSinConfig> __aicore__ inline void Sin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Sin, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const SinConfig &config = defaultSinConfig> __aicore__ inline void Sin(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Sin, (dst, src), T, half, float)

/// The cosine of every element.
template <typename T, bool isReuseSource = false, const CosConfig &config = defaultCosConfig> __aicore__ inline void Cos(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Cos, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const CosConfig &config = defaultCosConfig> __aicore__ inline void Cos(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Cos, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false, const CosConfig &config = defaultCosConfig> __aicore__ inline void Cos(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Cos, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const CosConfig &config = defaultCosConfig> __aicore__ inline void Cos(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Cos, (dst, src), T, half, float)

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
template <typename T, bool isReuseSource = false, const AtanConfig &config = defaultAtanConfig> __aicore__ inline void Atan(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Atan, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const AtanConfig &config = defaultAtanConfig> __aicore__ inline void Atan(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Atan, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false, const AtanConfig &config = defaultAtanConfig> __aicore__ inline void Atan(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Atan, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const AtanConfig &config = defaultAtanConfig> __aicore__ inline void Atan(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Atan, (dst, src), T, half, float)

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
template <typename T, bool isReuseSource = false, const ErfConfig &config = defaultErfConfig> __aicore__ inline void Erf(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Erf, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const ErfConfig &config = defaultErfConfig> __aicore__ inline void Erf(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Erf, (dst, src, sharedTmpBuffer), T, half, float)
template <typename T, bool isReuseSource = false, const ErfConfig &config = defaultErfConfig> __aicore__ inline void Erf(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Erf, (dst, src, calCount), T, half, float)
template <typename T, bool isReuseSource = false, const ErfConfig &config = defaultErfConfig> __aicore__ inline void Erf(const LocalTensor<T> &dst, const LocalTensor<T> &src) ASC_DEFINE(Erf, (dst, src), T, half, float)

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
template <const RintConfig &config = DEFAULT_RINT_CONFIG, typename T> __aicore__ inline void Rint(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount) ASC_DEFINE(Rint, (dst, src, sharedTmpBuffer, calCount), T, half, float)
template <const RintConfig &config = DEFAULT_RINT_CONFIG, typename T> __aicore__ inline void Rint(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount) ASC_DEFINE(Rint, (dst, src, calCount), T, half, float)

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
template <typename T, bool isReuseSource = false> __aicore__ inline void Log2(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer) ASC_DEFINE(Log2, (dst, src, sharedTmpBuffer), T, half, float)
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
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint32_t calCount);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1, uint32_t calCount);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1, uint32_t calCount);
template <typename T, bool isReuseSource = false, const PowerConfig &config = defaultPowerConfig> __aicore__ inline void Power(const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1);

/// The remainder of src0 / src1, element by element.
template <typename T, bool isReuseSource = false, const FmodConfig &config = DEFAULT_FMOD_CONFIG> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const FmodConfig &config = DEFAULT_FMOD_CONFIG> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false, const FmodConfig &config = DEFAULT_FMOD_CONFIG> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const FmodConfig &config = DEFAULT_FMOD_CONFIG> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1);

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
template <const ClampConfig &config = DEFAULT_CLAMP_CONFIG, typename T, typename U, typename S> __aicore__ inline void Clamp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const U &min, const S &max, const uint32_t count);
/// The running sum along the last or the first axis.
struct CumSumInfo {
    uint32_t outter = 0;
    uint32_t inner = 0;
};
/// Algorithms of CumSum.
enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };
/// Options of CumSum.
struct CumSumConfig {
    bool isLastAxis = true;
    bool isReuseSource = false;
    bool outputLastRow = false;
    CumSumAlgorithm algorithm = CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE;
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
template <const IsInfConfig &config = DEFAULT_IS_INF_CONFIG, typename T, typename U> __aicore__ inline void IsInf(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint32_t count);
template <const IsInfConfig &config = DEFAULT_IS_INF_CONFIG, typename T, typename U> __aicore__ inline void IsInf(const LocalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t count);
/// Whether each element is not a number: 1 or 0 in dst.
template <const IsNanConfig &config = DEFAULT_IS_NAN_CONFIG, typename T, typename U> __aicore__ inline void IsNan(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint32_t count);
template <const IsNanConfig &config = DEFAULT_IS_NAN_CONFIG, typename T, typename U> __aicore__ inline void IsNan(const LocalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t count);
#endif
/// firstValue, firstValue + diffValue, ...: `count` elements.
template <typename T> __aicore__ inline void ArithProgression(const LocalTensor<T> &dst, const T firstValue, const T diffValue, const int32_t count);
/// firstValue, firstValue + diffValue, ...: `count` elements.
template <typename T> __aicore__ inline void Arange(const LocalTensor<T> &dst, const T firstValue, const T diffValue, const int32_t count);
/// Logical operations, element by element: 1 or 0 in dst.
template <const LogicalNotConfig &config = DEFAULT_LOGICAL_NOT_CONFIG, typename T, typename U> __aicore__ inline void LogicalNot(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint32_t count);
/// Whether both elements are true: 1 or 0 in dst.
template <const LogicalAndConfig &config = DEFAULT_LOGICAL_AND_CONFIG, typename T, typename U> __aicore__ inline void LogicalAnd(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const uint32_t count);
/// Whether one of the elements is true: 1 or 0 in dst.
template <const LogicalOrConfig &config = DEFAULT_LOGICAL_OR_CONFIG, typename T, typename U> __aicore__ inline void LogicalOr(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const uint32_t count);
/// condition ? src0 : src1, element by element.
template <typename T, typename U, typename S, typename V> __aicore__ inline void Where(const LocalTensor<T> &dst, const U &src0, const S &src1, const LocalTensor<V> &condition, const uint32_t count);

/// Sine to dst0 and cosine to dst1 of every element.
template <const SinCosConfig &config = DEFAULT_SINCOS_CONFIG, typename T> ASC_ABSENT_BEFORE_3510("SinCos", "use Sin and Cos") __aicore__ inline void SinCos(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t count);
template <const SinCosConfig &config = DEFAULT_SINCOS_CONFIG, typename T> ASC_ABSENT_BEFORE_3510("SinCos", "use Sin and Cos") __aicore__ inline void SinCos(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src, const uint32_t count);
/// src0 * src1 + src2, element by element, rounded once.
template <const FmaConfig &config = DEFAULT_FMA_CONFIG, typename T> ASC_ABSENT_BEFORE_3510("Fma", "use Mul and Add") __aicore__ inline void Fma(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<T> &src2, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t count);
template <const FmaConfig &config = DEFAULT_FMA_CONFIG, typename T> ASC_ABSENT_BEFORE_3510("Fma", "use Mul and Add") __aicore__ inline void Fma(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<T> &src2, const uint32_t count);
/// Bitwise and, element by element.
template <const BitwiseAndConfig &config = DEFAULT_BITWISE_AND_CONFIG, typename T> ASC_ABSENT_BEFORE_3510("BitwiseAnd", "use And") __aicore__ inline void BitwiseAnd(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count);
/// Bitwise or, element by element.
template <const BitwiseOrConfig &config = DEFAULT_BITWISE_OR_CONFIG, typename T> ASC_ABSENT_BEFORE_3510("BitwiseOr", "use Or") __aicore__ inline void BitwiseOr(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count);
/// Bitwise exclusive or, element by element.
template <const BitwiseXorConfig &config = DEFAULT_BITWISE_XOR_CONFIG, typename T> ASC_ABSENT_BEFORE_3510("BitwiseXor", "use Xor") __aicore__ inline void BitwiseXor(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count);
/// The bitwise complement of every element.
template <const BitwiseNotConfig &config = DEFAULT_BITWISE_NOT_CONFIG, typename T> ASC_ABSENT_BEFORE_3510("BitwiseNot", "use Not") __aicore__ inline void BitwiseNot(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count);
/// Whether exactly one of both is not zero, element by element.
template <const LogicalXorConfig &config = DEFAULT_LOGICAL_XOR_CONFIG, typename T, typename U> ASC_ABSENT_BEFORE_3510("LogicalXor", "use Compare and Xor") __aicore__ inline void LogicalXor(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const uint32_t count);
/// Whether an element and a scalar are both not zero.
template <const LogicalAndsConfig &config = DEFAULT_LOGICAL_ANDS_CONFIG, typename T, typename U, typename S> ASC_ABSENT_BEFORE_3510("LogicalAnds", "use Compare and And") __aicore__ inline void LogicalAnds(const LocalTensor<T> &dst, const U &src0, const S &src1, const uint32_t count);
/// Whether an element or a scalar is not zero.
template <const LogicalOrsConfig &config = DEFAULT_LOGICAL_ORS_CONFIG, typename T, typename U, typename S> ASC_ABSENT_BEFORE_3510("LogicalOrs", "use Compare and Or") __aicore__ inline void LogicalOrs(const LocalTensor<T> &dst, const U &src0, const S &src1, const uint32_t count);
template <typename T, typename U, bool isReuseSource = false> __aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U scalarValue, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);

}

#endif
