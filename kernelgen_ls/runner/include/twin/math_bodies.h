// Mathematical and activation functions of the library over whole tensors: float arithmetic, rounded once.
#ifndef KERNELGEN_TWIN_MATH_BODIES_H
#define KERNELGEN_TWIN_MATH_BODIES_H

namespace kgtwin {

inline void whole(Op op, const Local &dst, const Local &src, int64_t count) { elementwise(op, dst, &src, nullptr, 0, counted(count)); }

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
KGTWIN_MATH(FasterGeluV2, gelu)
#undef KGTWIN_MATH
template <typename T> void kgRunDigamma(const LocalTensor<T> &, ...) { ::kgtwin::notExecuted("Digamma"); }
template <typename T> void kgRunLgamma(const LocalTensor<T> &, ...) { ::kgtwin::notExecuted("Lgamma"); }

template <typename T, bool isReuseSource> __aicore__ inline void Silu(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t dataSize)
{
    KGTWIN_CALL;
    ::kgtwin::whole(::kgtwin::Op::silu, dst.twin, src.twin, dataSize);
}

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
