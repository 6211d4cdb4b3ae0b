// Mathematical and activation functions of the library over whole tensors: float arithmetic, rounded once.
#ifndef KERNELGEN_TWIN_MATH_BODIES_H
#define KERNELGEN_TWIN_MATH_BODIES_H

namespace kgtwin {

inline void whole(Op op, const Local &dst, const Local &src, int64_t count) { elementwise(op, dst, &src, nullptr, 0, counted(count)); }
inline void wholeFormula(Formula which, const Local &dst, const Local &a, const Local *b, double p, int64_t count) { formula(which, dst, &a, b, p, p, counted(count)); }
/// The larger or the smaller of every element and a bound: a number, or a tensor of them.
template <typename T, typename B> void bounded(Op op, const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, const B &bound, int64_t count)
{
    if constexpr (std::is_same_v<B, AscendC::LocalTensor<T>>) elementwise(op, dst.twin, &src.twin, &bound.twin, 0, counted(count));
    else elementwise(op, dst.twin, &src.twin, nullptr, bitsOf(static_cast<T>(bound)), counted(count));
}
struct TensorOrBits {
    const Local *tensor;
    uint64_t bits;
};
template <typename T, typename S> TensorOrBits tensorOrBits(const S &value)
{
    if constexpr (std::is_same_v<S, AscendC::LocalTensor<T>>) return {&value.twin, 0};
    else return {nullptr, bitsOf(static_cast<T>(value))};
}

}

namespace AscendC {

#define KGTWIN_MATH(name, operation)                                                                                   \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, uint32_t count) { ::kgtwin::whole(::kgtwin::Op::operation, dst.twin, src.twin, count); } \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &) { ::kgtwin::whole(::kgtwin::Op::operation, dst.twin, src.twin, src.twin.count); } \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count) { ::kgtwin::whole(::kgtwin::Op::operation, dst.twin, src.twin, count); } \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src) { ::kgtwin::whole(::kgtwin::Op::operation, dst.twin, src.twin, src.twin.count); }
KGTWIN_MATH(Tanh, tanh)
KGTWIN_MATH(Sinh, sinh)
KGTWIN_MATH(Cosh, cosh)
KGTWIN_MATH(Sin, sin)
KGTWIN_MATH(Cos, cos)
KGTWIN_MATH(Tan, tan)
KGTWIN_MATH(Asin, asin)
KGTWIN_MATH(Acos, acos)
KGTWIN_MATH(Atan, atan)
KGTWIN_MATH(Asinh, asinh)
KGTWIN_MATH(Acosh, acosh)
KGTWIN_MATH(Atanh, atanh)
KGTWIN_MATH(Erf, erf)
KGTWIN_MATH(Erfc, erfc)
KGTWIN_MATH(Sign, sign)
KGTWIN_MATH(Trunc, trunc)
KGTWIN_MATH(Frac, frac)
KGTWIN_MATH(Rint, round)
KGTWIN_MATH(Round, round)
KGTWIN_MATH(Floor, floor)
KGTWIN_MATH(Ceil, ceil)
KGTWIN_MATH(Log, ln)
KGTWIN_MATH(Log2, log2)
KGTWIN_MATH(Log10, log10)
KGTWIN_MATH(Sigmoid, sigmoid)
KGTWIN_MATH(Gelu, gelu)
KGTWIN_MATH(FasterGelu, quickGelu)
#undef KGTWIN_MATH

#define KGTWIN_MATH(name, which)                                                                                       \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, uint32_t count) { ::kgtwin::wholeFormula(::kgtwin::Formula::which, dst.twin, src.twin, nullptr, 0, count); } \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &) { ::kgtwin::wholeFormula(::kgtwin::Formula::which, dst.twin, src.twin, nullptr, 0, src.twin.count); } \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count) { ::kgtwin::wholeFormula(::kgtwin::Formula::which, dst.twin, src.twin, nullptr, 0, count); } \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src) { ::kgtwin::wholeFormula(::kgtwin::Formula::which, dst.twin, src.twin, nullptr, 0, src.twin.count); }
KGTWIN_MATH(FasterGeluV2, gelu2)
KGTWIN_MATH(Lgamma, lgamma)
KGTWIN_MATH(Digamma, digamma)
#undef KGTWIN_MATH

template <typename T, bool isReuseSource> __aicore__ inline void Silu(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t dataSize)
{
    KGTWIN_CALL;
    ::kgtwin::whole(::kgtwin::Op::silu, dst.twin, src.twin, dataSize);
}

template <typename T, bool isReuseSource> __aicore__ inline void Swish(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t dataSize, const T scalarValue)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::swish, dst.twin, src.twin, nullptr, double(scalarValue), dataSize);
}
template <typename T, bool isReuseSource> __aicore__ inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const float &scalarValue, const LocalTensor<uint8_t> &, uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::swiglu, dst.twin, src0.twin, &src1.twin, double(scalarValue), calCount);
}
template <typename T, bool isReuseSource> __aicore__ inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const float &scalarValue, const LocalTensor<uint8_t> &)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::swiglu, dst.twin, src0.twin, &src1.twin, double(scalarValue), src0.twin.count);
}
template <typename T, bool isReuseSource> __aicore__ inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const float &scalarValue, uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::swiglu, dst.twin, src0.twin, &src1.twin, double(scalarValue), calCount);
}
template <typename T, bool isReuseSource> __aicore__ inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const float &scalarValue)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::swiglu, dst.twin, src0.twin, &src1.twin, double(scalarValue), src0.twin.count);
}
template <typename T, bool isReuseSource> __aicore__ inline void GeGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &, uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::geglu, dst.twin, src0.twin, &src1.twin, 0, calCount);
}
template <typename T, bool isReuseSource> __aicore__ inline void GeGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::geglu, dst.twin, src0.twin, &src1.twin, 0, src0.twin.count);
}
template <typename T, bool isReuseSource> __aicore__ inline void GeGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::geglu, dst.twin, src0.twin, &src1.twin, 0, calCount);
}
template <typename T, bool isReuseSource> __aicore__ inline void GeGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::geglu, dst.twin, src0.twin, &src1.twin, 0, src0.twin.count);
}
template <typename T, bool isReuseSource> __aicore__ inline void ReGlu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &, uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::reglu, dst.twin, src0.twin, &src1.twin, 0, calCount);
}
template <typename T, bool isReuseSource> __aicore__ inline void ReGlu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::reglu, dst.twin, src0.twin, &src1.twin, 0, calCount);
}
template <typename T, bool isReuseSource, const FmodConfig &config> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::fmod, dst.twin, src0.twin, &src1.twin, 0, calCount);
}
template <typename T, bool isReuseSource, const FmodConfig &config> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::fmod, dst.twin, src0.twin, &src1.twin, 0, src0.twin.count);
}
template <typename T, bool isReuseSource, const FmodConfig &config> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::fmod, dst.twin, src0.twin, &src1.twin, 0, calCount);
}
template <typename T, bool isReuseSource, const FmodConfig &config> __aicore__ inline void Fmod(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::fmod, dst.twin, src0.twin, &src1.twin, 0, src0.twin.count);
}
template <typename T, bool isReuseSource> __aicore__ inline void Hypot(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::hypot, dst.twin, src0.twin, &src1.twin, 0, calCount);
}
template <typename T, bool isReuseSource> __aicore__ inline void Hypot(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::hypot, dst.twin, src0.twin, &src1.twin, 0, src0.twin.count);
}
template <typename T, bool isReuseSource> __aicore__ inline void Hypot(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::hypot, dst.twin, src0.twin, &src1.twin, 0, calCount);
}
template <typename T, bool isReuseSource> __aicore__ inline void Hypot(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::hypot, dst.twin, src0.twin, &src1.twin, 0, src0.twin.count);
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::whole(::kgtwin::Op::exp, dst.twin, src.twin, calCount);
}
template <const SinCosConfig &config, typename T> __aicore__ inline void SinCos(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::whole(::kgtwin::Op::sin, dst0.twin, src.twin, count);
    ::kgtwin::whole(::kgtwin::Op::cos, dst1.twin, src.twin, count);
}
template <const FmaConfig &config, typename T> __aicore__ inline void Fma(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<T> &src2, const LocalTensor<uint8_t> &, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::fusedMultiplyAdd(dst.twin, src0.twin, src1.twin, src2.twin, count);
}
template <typename T, const CumSumConfig &config> __aicore__ inline void CumSum(LocalTensor<T> &dst, LocalTensor<T> &lastRow, const LocalTensor<T> &src, LocalTensor<uint8_t> &, const CumSumInfo &info)
{
    KGTWIN_CALL;
    ::kgtwin::runningSum(dst.twin, ::kgtwin::orNull(config.outputLastRow, lastRow.twin), src.twin, info.outter, info.inner, config.isLastAxis);
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::whole(::kgtwin::Op::exp, dst.twin, src.twin, calCount);
}
template <const SinCosConfig &config, typename T> __aicore__ inline void SinCos(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::whole(::kgtwin::Op::sin, dst0.twin, src.twin, count);
    ::kgtwin::whole(::kgtwin::Op::cos, dst1.twin, src.twin, count);
}
template <const FmaConfig &config, typename T> __aicore__ inline void Fma(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<T> &src2, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::fusedMultiplyAdd(dst.twin, src0.twin, src1.twin, src2.twin, count);
}
template <typename T, const CumSumConfig &config> __aicore__ inline void CumSum(LocalTensor<T> &dst, LocalTensor<T> &lastRow, const LocalTensor<T> &src, const CumSumInfo &info)
{
    KGTWIN_CALL;
    ::kgtwin::runningSum(dst.twin, ::kgtwin::orNull(config.outputLastRow, lastRow.twin), src.twin, info.outter, info.inner, config.isLastAxis);
}
template <typename T, typename U, bool isReuseSource> __aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U scalarValue, const LocalTensor<uint8_t> &, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::elementwise(::kgtwin::Op::axpy, dst.twin, &src.twin, nullptr, ::kgtwin::bitsOf(scalarValue), ::kgtwin::counted(calCount));
}
template <const ClampConfig &config, typename T, typename U, typename S> __aicore__ inline void Clamp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const U &min, const S &max, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::bounded(::kgtwin::Op::max, dst, src, min, count);
    ::kgtwin::bounded(::kgtwin::Op::min, dst, dst, max, count);
}
template <typename T, typename U, typename S, typename V> __aicore__ inline void Where(const LocalTensor<T> &dst, const U &src0, const S &src1, const LocalTensor<V> &condition, const uint32_t count)
{
    KGTWIN_CALL;
    auto [first, firstBits] = ::kgtwin::tensorOrBits<T>(src0);
    auto [second, secondBits] = ::kgtwin::tensorOrBits<T>(src1);
    ::kgtwin::chooseByBytes(dst.twin, first, firstBits, second, secondBits, condition.twin, count);
}

#define KGTWIN_LOGICAL(name, which, config)                                                                            \
    template <const config &options, typename T, typename U> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const uint32_t count) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::wholeFormula(::kgtwin::Formula::which, dst.twin, src0.twin, &src1.twin, 0, count);                   \
    }
KGTWIN_LOGICAL(LogicalAnd, logicalAnd, LogicalAndConfig)
KGTWIN_LOGICAL(LogicalOr, logicalOr, LogicalOrConfig)
KGTWIN_LOGICAL(LogicalXor, logicalXor, LogicalXorConfig)
#undef KGTWIN_LOGICAL
#define KGTWIN_LOGICAL(name, which, config)                                                                            \
    template <const config &options, typename T, typename U, typename S> __aicore__ inline void name(const LocalTensor<T> &dst, const U &src0, const S &src1, const uint32_t count) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        if constexpr (std::is_arithmetic_v<S> || std::is_same_v<S, half> || std::is_same_v<S, bfloat16_t>) ::kgtwin::wholeFormula(::kgtwin::Formula::which, dst.twin, src0.twin, nullptr, double(src1), count); \
        else ::kgtwin::wholeFormula(::kgtwin::Formula::which, dst.twin, src1.twin, nullptr, double(src0), count);      \
    }
KGTWIN_LOGICAL(LogicalAnds, logicalAnd, LogicalAndsConfig)
KGTWIN_LOGICAL(LogicalOrs, logicalOr, LogicalOrsConfig)
#undef KGTWIN_LOGICAL
template <const LogicalNotConfig &config, typename T, typename U> __aicore__ inline void LogicalNot(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::wholeFormula(::kgtwin::Formula::logicalNot, dst.twin, src.twin, nullptr, 0, count);
}
#define KGTWIN_BITWISE(name, operation, config)                                                                        \
    template <const config &options, typename T> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src0.twin, &src1.twin, 0, ::kgtwin::counted(count)); \
    }
KGTWIN_BITWISE(BitwiseAnd, bitAnd, BitwiseAndConfig)
KGTWIN_BITWISE(BitwiseOr, bitOr, BitwiseOrConfig)
KGTWIN_BITWISE(BitwiseXor, bitXor, BitwiseXorConfig)
#undef KGTWIN_BITWISE
template <const BitwiseNotConfig &config, typename T> __aicore__ inline void BitwiseNot(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::whole(::kgtwin::Op::bitNot, dst.twin, src.twin, count);
}

#if __CCE_AICORE__ >= 300
#define KGTWIN_ASKS(name, which, D, S, ...)                                                                            \
    template <__VA_ARGS__> __aicore__ inline void name(const LocalTensor<D> &dst, const LocalTensor<S> &src, const LocalTensor<uint8_t> &, const uint32_t count) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::wholeFormula(::kgtwin::Formula::which, dst.twin, src.twin, nullptr, 0, count);                       \
    }                                                                                                                  \
    template <__VA_ARGS__> __aicore__ inline void name(const LocalTensor<D> &dst, const LocalTensor<S> &src, const uint32_t count) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::wholeFormula(::kgtwin::Formula::which, dst.twin, src.twin, nullptr, 0, count);                       \
    }
KGTWIN_ASKS(IsFinite, isFinite, U, T, typename T, typename U, bool isReuseSource)
KGTWIN_ASKS(IsInf, isInf, T, U, const IsInfConfig &config, typename T, typename U)
KGTWIN_ASKS(IsNan, isNan, T, U, const IsNanConfig &config, typename T, typename U)
#undef KGTWIN_ASKS
#endif

#define KGTWIN_POWER(parameters, second, scalar, count)                                                                \
    template <typename T, bool isReuseSource, const PowerConfig &config> __aicore__ inline void Power parameters      \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::elementwise(::kgtwin::Op::power, dst.twin, &src0.twin, second, scalar, ::kgtwin::counted(count));    \
    }
KGTWIN_POWER((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &, uint32_t calCount), &src1.twin, 0, calCount)
KGTWIN_POWER((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &), &src1.twin, 0, src0.twin.count)
KGTWIN_POWER((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint32_t calCount), &src1.twin, 0, calCount)
KGTWIN_POWER((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1), &src1.twin, 0, src0.twin.count)
KGTWIN_POWER((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1, const LocalTensor<uint8_t> &, uint32_t calCount), nullptr, ::kgtwin::bitsOf(src1), calCount)
KGTWIN_POWER((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1, const LocalTensor<uint8_t> &), nullptr, ::kgtwin::bitsOf(src1), src0.twin.count)
KGTWIN_POWER((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1, uint32_t calCount), nullptr, ::kgtwin::bitsOf(src1), calCount)
KGTWIN_POWER((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const T &src1), nullptr, ::kgtwin::bitsOf(src1), src0.twin.count)
#undef KGTWIN_POWER
#define KGTWIN_POWER(parameters, count)                                                                                \
    template <typename T, bool isReuseSource, const PowerConfig &config> __aicore__ inline void Power parameters       \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::elementwise(::kgtwin::Op::powerOf, dst.twin, &src1.twin, nullptr, ::kgtwin::bitsOf(src0), ::kgtwin::counted(count)); \
    }
KGTWIN_POWER((const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &, uint32_t calCount), calCount)
KGTWIN_POWER((const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &), src1.twin.count)
KGTWIN_POWER((const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1, uint32_t calCount), calCount)
KGTWIN_POWER((const LocalTensor<T> &dst, const T &src0, const LocalTensor<T> &src1), src1.twin.count)
#undef KGTWIN_POWER

#define KGTWIN_CLAMP(name, operation)                                                                                  \
    template <typename T, bool isReuseSource> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const T scalar, const uint32_t calCount) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src.twin, nullptr, ::kgtwin::bitsOf(scalar), ::kgtwin::counted(calCount)); \
    }                                                                                                                  \
    template <typename T, bool isReuseSource> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T scalar, const uint32_t calCount) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src.twin, nullptr, ::kgtwin::bitsOf(scalar), ::kgtwin::counted(calCount)); \
    }
KGTWIN_CLAMP(ClampMax, min)
KGTWIN_CLAMP(ClampMin, max)
#undef KGTWIN_CLAMP

#define KGTWIN_XOR(parameters, count)                                                                                  \
    template <typename T, bool isReuseSource> __aicore__ inline void Xor parameters                                    \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::elementwise(::kgtwin::Op::bitXor, dst.twin, &src0.twin, &src1.twin, 0, ::kgtwin::counted(count));    \
    }
KGTWIN_XOR((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &, const uint32_t calCount), calCount)
KGTWIN_XOR((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &), src0.twin.count)
KGTWIN_XOR((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t calCount), calCount)
KGTWIN_XOR((const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1), src0.twin.count)
#undef KGTWIN_XOR

template <typename T> __aicore__ inline void ArithProgression(const LocalTensor<T> &dst, const T firstValue, const T diffValue, const int32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::progression(dst.twin, ::kgtwin::bitsOf(firstValue), ::kgtwin::bitsOf(diffValue), count);
}
template <typename T> __aicore__ inline void Arange(const LocalTensor<T> &dst, const T firstValue, const T diffValue, const int32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::progression(dst.twin, ::kgtwin::bitsOf(firstValue), ::kgtwin::bitsOf(diffValue), count);
}

}

#endif
