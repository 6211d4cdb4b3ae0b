// Instructions that convert their result, that take a scalar in either place, or that are made of several.
#ifndef KERNELGEN_TWIN_COMPOUND_BODIES_H
#define KERNELGEN_TWIN_COMPOUND_BODIES_H

namespace kgtwin {

/// A scalar of the element type, in bytes: a number, or the first element of a tensor.
template <typename T, typename S> uint64_t scalarBits(const S &scalar)
{
    if constexpr (std::is_same_v<S, AscendC::LocalTensor<T>>) {
        T value;
        readScalar(scalar.twin, 0, &value);
        return bitsOf(value);
    } else return bitsOf(static_cast<T>(scalar));
}
/// An operation of which one operand is a scalar: `swapped` where that is the first and the order counts.
template <typename T, typename S, typename V> void flexible(Op op, Op swapped, const AscendC::LocalTensor<T> &dst, const S &src0, const V &src1, int scalarPlace, const Shape &shape)
{
    if constexpr (!std::is_same_v<S, AscendC::LocalTensor<T>>) elementwise(swapped, dst.twin, &src1.twin, nullptr, scalarBits<T>(src0), shape);
    else if constexpr (!std::is_same_v<V, AscendC::LocalTensor<T>>) elementwise(op, dst.twin, &src0.twin, nullptr, scalarBits<T>(src1), shape);
    else if (scalarPlace == 0) elementwise(swapped, dst.twin, &src1.twin, nullptr, scalarBits<T>(src0), shape);
    else elementwise(op, dst.twin, &src0.twin, nullptr, scalarBits<T>(src1), shape);
}
#if __NPU_ARCH__ >= 3510
template <typename T> struct ElementOf {
    using type = T;
    static constexpr bool isTensor = false;
};
template <typename T> struct ElementOf<AscendC::LocalTensor<T>> {
    using type = T;
    static constexpr bool isTensor = true;
};
/// Whether of two operands the first is the scalar.
template <typename S, typename V> constexpr bool isFirst(int scalarPlace) { return !ElementOf<S>::isTensor || (ElementOf<V>::isTensor && scalarPlace == 0); }
template <typename S, typename V> void flexibleCompare(const Local &dst, const S &src0, const V &src1, int mode, int scalarPlace, const Shape &shape)
{
    constexpr int swapped[] = {1, 0, 2, 4, 3, 5}; // a < b is b > a
    if constexpr (ElementOf<S>::isTensor) {
        if (!isFirst<S, V>(scalarPlace)) {
            compare(&dst, src0.twin, nullptr, scalarBits<typename ElementOf<S>::type>(src1), mode, shape);
            return;
        }
    }
    if constexpr (ElementOf<V>::isTensor) compare(&dst, src1.twin, nullptr, scalarBits<typename ElementOf<V>::type>(src0), swapped[mode], shape);
}
template <typename S, typename V> void flexibleSelect(const Local &dst, const Local &bits, const S &src0, const V &src1, int mode, int scalarPlace, const Shape &shape)
{
    if constexpr (ElementOf<S>::isTensor && ElementOf<V>::isTensor) {
        if (mode != 1) {
            select(dst, &bits, src0.twin, &src1.twin, 0, mode, shape);
            return;
        }
    }
    if constexpr (ElementOf<S>::isTensor) {
        if (!isFirst<S, V>(scalarPlace)) {
            select(dst, &bits, src0.twin, nullptr, scalarBits<typename ElementOf<S>::type>(src1), mode, shape);
            return;
        }
    }
    notExecuted("Select with the scalar before the tensor");
}
#endif

}

namespace AscendC {

#define KGTWIN_CASTS(name, operation)                                                                                  \
    template <typename T, typename U> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint32_t count) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::computeAndCast(::kgtwin::Op::operation, dst.twin, src0.twin, &src1.twin, 0, ::kgtwin::Op::COUNT, ::kgtwin::counted(count)); \
    }                                                                                                                  \
    template <typename T, typename U, bool isSetMask> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::computeAndCast(::kgtwin::Op::operation, dst.twin, src0.twin, &src1.twin, 0, ::kgtwin::Op::COUNT, ::kgtwin::repeated(mask, repeatTime, params)); \
    }                                                                                                                  \
    template <typename T, typename U, bool isSetMask> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::computeAndCast(::kgtwin::Op::operation, dst.twin, src0.twin, &src1.twin, 0, ::kgtwin::Op::COUNT, ::kgtwin::repeated(mask, repeatTime, params)); \
    }
KGTWIN_CASTS(AddReluCast, addRelu)
KGTWIN_CASTS(SubReluCast, subRelu)
KGTWIN_CASTS(MulCast, mul)
#undef KGTWIN_CASTS

#define KGTWIN_DEQUANT(head, D, S, M, shape)                                                                           \
    head __aicore__ inline void AddDeqRelu(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1, M) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::computeAndCast(::kgtwin::Op::add, dst.twin, src0.twin, &src1.twin, 0, ::kgtwin::Op::relu, shape);    \
    }
#define KGTWIN_PARAMETERS(mask) mask, const uint8_t repeatTime, const BinaryRepeatParams &params
#define KGTWIN_COMMA ,
KGTWIN_DEQUANT(template <typename T KGTWIN_COMMA typename U>, T, U, const int32_t &count, ::kgtwin::counted(count))
KGTWIN_DEQUANT(template <typename T KGTWIN_COMMA typename U KGTWIN_COMMA bool isSetMask>, T, U, KGTWIN_PARAMETERS(uint64_t mask[]), ::kgtwin::repeated(mask, repeatTime, params))
KGTWIN_DEQUANT(template <typename T KGTWIN_COMMA typename U KGTWIN_COMMA bool isSetMask>, T, U, KGTWIN_PARAMETERS(uint64_t mask), ::kgtwin::repeated(mask, repeatTime, params))
KGTWIN_DEQUANT(template <bool isSetMask>, half, int32_t, KGTWIN_PARAMETERS(const uint64_t mask[]), ::kgtwin::repeated(mask, repeatTime, params))
KGTWIN_DEQUANT(template <bool isSetMask>, half, int32_t, KGTWIN_PARAMETERS(uint64_t mask), ::kgtwin::repeated(mask, repeatTime, params))
#undef KGTWIN_DEQUANT
#undef KGTWIN_PARAMETERS
#undef KGTWIN_COMMA

#define KGTWIN_FLEXIBLE(name, operation, swapped)                                                                      \
    template <typename T, bool isSetMask, const BinaryConfig &config, typename U, typename S, typename V> __aicore__ inline void name(const LocalTensor<U> &dst, const S &src0, const V &src1, const int32_t &count) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::flexible(::kgtwin::Op::operation, ::kgtwin::Op::swapped, dst, src0, src1, config.scalarTensorIndex, ::kgtwin::counted(count)); \
    }                                                                                                                  \
    template <typename T, bool isSetMask, const BinaryConfig &config, typename U, typename S, typename V> __aicore__ inline void name(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::flexible(::kgtwin::Op::operation, ::kgtwin::Op::swapped, dst, src0, src1, config.scalarTensorIndex, ::kgtwin::repeated(mask, repeatTime, params)); \
    }                                                                                                                  \
    template <typename T, bool isSetMask, const BinaryConfig &config, typename U, typename S, typename V> __aicore__ inline void name(const LocalTensor<U> &dst, const S &src0, const V &src1, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::flexible(::kgtwin::Op::operation, ::kgtwin::Op::swapped, dst, src0, src1, config.scalarTensorIndex, ::kgtwin::repeated(mask, repeatTime, params)); \
    }
KGTWIN_FLEXIBLE(Subs, sub, subFrom)
KGTWIN_FLEXIBLE(Divs, div, divInto)
KGTWIN_FLEXIBLE(Ands, bitAnd, bitAnd)
KGTWIN_FLEXIBLE(Ors, bitOr, bitOr)
#undef KGTWIN_FLEXIBLE

template <typename T, bool isSetMask> __aicore__ inline void Duplicate(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count)
{
    KGTWIN_MASKED;
    ::kgtwin::elementwise(::kgtwin::Op::duplicate, dst.twin, nullptr, nullptr, ::kgtwin::scalarBits<T>(src), ::kgtwin::counted(count));
}
template <typename T> __aicore__ inline void Mull(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::multiplyHigh(dst0.twin, dst1.twin, src0.twin, src1.twin, count);
}
template <typename T> __aicore__ inline void Prelu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::formula(::kgtwin::Formula::prelu, dst.twin, &src0.twin, &src1.twin, 0, 0, ::kgtwin::counted(count));
}
template <typename T> __aicore__ inline void AbsSub(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::formula(::kgtwin::Formula::absSub, dst.twin, &src0.twin, &src1.twin, 0, 0, ::kgtwin::counted(count));
}
template <typename T, typename U> __aicore__ inline void ExpSub(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::formula(::kgtwin::Formula::expSub, dst.twin, &src0.twin, &src1.twin, 0, 0, ::kgtwin::counted(count));
}
template <typename T, RoundMode roundMode> __aicore__ inline void Truncate(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::formula(::kgtwin::Formula::truncate, dst.twin, &src.twin, nullptr, double(int(roundMode)), 0, ::kgtwin::counted(count));
}
template <typename T> __aicore__ inline void Interleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::interleave(dst0.twin, dst1.twin, src0.twin, src1.twin, count);
}
template <typename T> __aicore__ inline void DeInterleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::deinterleave(dst0.twin, dst1.twin, src0.twin, src1.twin, count);
}
template <typename T> __aicore__ inline void DeInterleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src, const int32_t srcCount)
{
    KGTWIN_CALL;
    ::kgtwin::deinterleave(dst0.twin, dst1.twin, src.twin, src[uint32_t(srcCount / 2)].twin, srcCount / 2);
}

#define KGTWIN_PADDING(M)                                                                                              \
    template <typename T, bool isSetMask> __aicore__ inline void VectorPadding(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint8_t padMode, const bool padSide, const uint64_t M, const uint8_t repeatTime, const UnaryRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::fillUp(dst.twin, src.twin, padMode, padSide, ::kgtwin::repeated(mask, repeatTime, params));          \
    }
KGTWIN_PADDING(mask)
KGTWIN_PADDING(mask[])
#undef KGTWIN_PADDING
template <typename T> __aicore__ inline void VectorPadding(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint8_t padMode, const bool padSide, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::fillUp(dst.twin, src.twin, padMode, padSide, ::kgtwin::counted(count));
}
#define KGTWIN_BILINEAR(M)                                                                                             \
    template <typename T> __aicore__ inline void BilinearInterpolation(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &src0Offset, const LocalTensor<T> &src1, M, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride, uint16_t vROffset, uint8_t vRepeat, const LocalTensor<uint8_t> &) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        auto shape = ::kgtwin::repeated(mask, 1, UnaryRepeatParams(dstBlkStride, 1, 8, 8));                            \
        ::kgtwin::interpolate(dst.twin, src0.twin, src0Offset.twin, src1.twin, shape, hRepeat, repeatMode, vROffset, vRepeat); \
    }
KGTWIN_BILINEAR(uint64_t mask)
KGTWIN_BILINEAR(const uint64_t mask[])
#undef KGTWIN_BILINEAR

#if __NPU_ARCH__ >= 3510
// Here the scalar may come first, or be the first element of a tensor.
#define KGTWIN_FLEXIBLE(name, operation, parameters, shape)                                                            \
    template <typename T, bool isSetMask, const BinaryConfig &config, typename U, typename S, typename V, Constraint::Flexible<U, S, V>> __aicore__ inline void name(const LocalTensor<U> &dst, const S &src0, const V &src1, parameters) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::flexible(::kgtwin::Op::operation, ::kgtwin::Op::operation, dst, src0, src1, config.scalarTensorIndex, shape); \
    }
#define KGTWIN_COMPARES(name, parameters, shape)                                                                       \
    template <typename T0, typename T1, bool isSetMask, const BinaryConfig &config, typename T2, typename T3, typename T4> __aicore__ inline void name(const T2 &dst, const T3 &src0, const T4 &src1, CMPMODE cmpMode, parameters) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::flexibleCompare(dst.twin, src0, src1, int(cmpMode), config.scalarTensorIndex, shape);                \
    }
#define KGTWIN_SELECT(parameters, shape)                                                                               \
    template <typename T0, typename T1, bool isSetMask, const BinaryConfig &config, typename T2, typename T3, typename T4, typename T5> __aicore__ inline void Select(const T2 &dst, const T3 &selMask, const T4 &src0, const T5 &src1, SELMODE selMode, parameters) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::flexibleSelect(dst.twin, selMask.twin, src0, src1, int(selMode), config.scalarTensorIndex, shape);   \
    }
#define KGTWIN_REPEATS(mask, Params) mask, const uint8_t repeatTime, const Params &params
#define KGTWIN_FORMS(make, ...)                                                                                        \
    make(__VA_ARGS__, const int32_t &count, ::kgtwin::counted(count))                                                  \
    make(__VA_ARGS__, KGTWIN_REPEATS(uint64_t mask[], UnaryRepeatParams), ::kgtwin::repeated(mask, repeatTime, params)) \
    make(__VA_ARGS__, KGTWIN_REPEATS(uint64_t mask, UnaryRepeatParams), ::kgtwin::repeated(mask, repeatTime, params))
KGTWIN_FORMS(KGTWIN_FLEXIBLE, Adds, add)
KGTWIN_FORMS(KGTWIN_FLEXIBLE, Muls, mul)
KGTWIN_FORMS(KGTWIN_FLEXIBLE, Maxs, max)
KGTWIN_FORMS(KGTWIN_FLEXIBLE, Mins, min)
#undef KGTWIN_FORMS
#define KGTWIN_FORMS(name)                                                                                             \
    KGTWIN_COMPARES(name, uint32_t count, ::kgtwin::counted(count))                                                    \
    KGTWIN_COMPARES(name, KGTWIN_REPEATS(const uint64_t mask[], UnaryRepeatParams), ::kgtwin::repeated(mask, repeatTime, params)) \
    KGTWIN_COMPARES(name, KGTWIN_REPEATS(const uint64_t mask, UnaryRepeatParams), ::kgtwin::repeated(mask, repeatTime, params))
KGTWIN_FORMS(Compares)
KGTWIN_FORMS(CompareScalar)
#undef KGTWIN_FORMS
KGTWIN_SELECT(uint32_t count, ::kgtwin::counted(count))
KGTWIN_SELECT(KGTWIN_REPEATS(uint64_t mask[], BinaryRepeatParams), ::kgtwin::repeated(mask, repeatTime, params))
KGTWIN_SELECT(KGTWIN_REPEATS(uint64_t mask, BinaryRepeatParams), ::kgtwin::repeated(mask, repeatTime, params))
#undef KGTWIN_REPEATS
#undef KGTWIN_SELECT
#undef KGTWIN_COMPARES
#undef KGTWIN_FLEXIBLE
#define KGTWIN_SHIFT(name, operation)                                                                                  \
    template <typename T, typename U> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1, const int32_t &count) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src0.twin, &src1.twin, 0, ::kgtwin::counted(count)); \
    }
template <typename T, bool isSetMask> __aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    KGTWIN_MASKED;
    ::kgtwin::elementwise(::kgtwin::Op::copy, dst.twin, &src.twin, nullptr, 0, ::kgtwin::counted(count));
}
KGTWIN_SHIFT(ShiftLeft, shiftLeft)
KGTWIN_SHIFT(ShiftRight, shiftRight)
#undef KGTWIN_SHIFT
#endif

// --- Conversions -----------------------------------------------------------------------------------------------------

#define KGTWIN_DEQUANT(name, head, parameters, byTable, lower, shape)                                                  \
    template <typename T, typename U, head bool isVecDeq, bool halfBlock> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<U> &src, parameters) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::castDequant(dst.twin, src.twin, byTable, lower, shape);                                              \
    }
#define KGTWIN_SETS bool isSetMask,
#define KGTWIN_PARAMETERS(mask) mask, uint8_t repeatTime, const UnaryRepeatParams &params
KGTWIN_DEQUANT(CastDequant, , const uint32_t count, isVecDeq, halfBlock, ::kgtwin::counted(count))
KGTWIN_DEQUANT(CastDequant, KGTWIN_SETS, KGTWIN_PARAMETERS(const uint64_t mask[]), isVecDeq, halfBlock, ::kgtwin::repeated(mask, repeatTime, params))
KGTWIN_DEQUANT(CastDequant, KGTWIN_SETS, KGTWIN_PARAMETERS(const int32_t mask), isVecDeq, halfBlock, ::kgtwin::repeated(uint64_t(mask), repeatTime, params))
KGTWIN_DEQUANT(CastDeq, KGTWIN_SETS, KGTWIN_PARAMETERS(const uint64_t mask[]), isVecDeq, halfBlock, ::kgtwin::repeated(mask, repeatTime, params))
KGTWIN_DEQUANT(CastDeq, KGTWIN_SETS, KGTWIN_PARAMETERS(const uint64_t mask), isVecDeq, halfBlock, ::kgtwin::repeated(mask, repeatTime, params))
#undef KGTWIN_DEQUANT
#undef KGTWIN_SETS
#undef KGTWIN_PARAMETERS
template <typename T, typename U> __aicore__ inline void CastDeq(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::castDequant(dst.twin, src.twin, true, true, ::kgtwin::counted(count));
}
__aicore__ inline void SetDeqScale(float scale, int16_t offset, bool signMode) { ::kgtwin::setDeqParameters(scale, offset, signMode); }
template <typename T> __aicore__ inline void SetDeqScale(const LocalTensor<T> &vdeqTensor, const LocalTensor<uint64_t> &vdeqInfo)
{
    KGTWIN_CALL;
    ::kgtwin::setDeqParameters(vdeqInfo.twin);
}
template <typename T> __aicore__ inline void SetDeqScale(const LocalTensor<T> &vdeqTensor, const struct VdeqInfo &vdeqInfo)
{
    KGTWIN_CALL;
    for (uint32_t i = 0; i < 16; ++i) {
        uint64_t entry = ::kgtwin::bitsOf(vdeqInfo.vdeqScale[i]) | uint64_t(uint32_t(vdeqInfo.vdeqOffset[i]) & 0x1ff) << 37 | uint64_t(vdeqInfo.vdeqSignMode[i]) << 46;
        ::kgtwin::writeScalar(vdeqTensor.twin, i, &entry);
    }
    ::kgtwin::setDeqParameters(vdeqTensor.twin);
}
template <typename T, typename U, RoundMode roundMode> __aicore__ inline U ScalarCast(T valueIn) { return U(::kgtwin::scalarCast(double(valueIn), ::kgtwin::typeOf<U>(), int(roundMode))); }
template <typename T, typename U, RoundMode roundMode> __aicore__ inline U Cast(T valueIn) { return ScalarCast<T, U, roundMode>(valueIn); }
__aicore__ inline bfloat16_t Cast(const float &value) { return bfloat16_t(value); }
__aicore__ inline float Cast(const bfloat16_t &value) { return float(value); }

// --- Comparison, selection -------------------------------------------------------------------------------------------

template <typename T, typename U> void kgRunCompares(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T &scalar, CMPMODE mode, uint32_t count) { kgRunCompareScalar(dst, src0, scalar, mode, count); }
#define KGTWIN_COMPARES(M)                                                                                             \
    template <typename T, typename U, bool isSetMask> __aicore__ inline void Compares(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode, const uint64_t M, uint8_t repeatTime, const UnaryRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::compare(&dst.twin, src0.twin, nullptr, ::kgtwin::bitsOf(src1Scalar), int(cmpMode), ::kgtwin::repeated(mask, repeatTime, params)); \
    }
KGTWIN_COMPARES(mask)
KGTWIN_COMPARES(mask[])
#undef KGTWIN_COMPARES
template <typename T, typename U, bool isReuseMask> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<T> &src0, T src1, const LocalTensor<U> &mask, const LocalTensor<uint8_t> &, const SelectWithBytesMaskShapeInfo &info)
{
    KGTWIN_CALL;
    ::kgtwin::selectByBytes(dst.twin, src0.twin, ::kgtwin::bitsOf(src1), mask.twin, info.firstAxis, info.srcLastAxis, info.maskLastAxis, false);
}
template <typename T, typename U, bool isReuseMask> __aicore__ inline void Select(const LocalTensor<T> &dst, T src0, const LocalTensor<T> &src1, const LocalTensor<U> &mask, const LocalTensor<uint8_t> &, const SelectWithBytesMaskShapeInfo &info)
{
    KGTWIN_CALL;
    ::kgtwin::selectByBytes(dst.twin, src1.twin, ::kgtwin::bitsOf(src0), mask.twin, info.firstAxis, info.srcLastAxis, info.maskLastAxis, true);
}

}

#endif
