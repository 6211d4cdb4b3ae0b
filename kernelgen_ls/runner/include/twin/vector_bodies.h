// Vector operations on UB tensors: one source, two sources, a tensor and a scalar; conversions, comparisons, selection.
#ifndef KERNELGEN_TWIN_VECTOR_BODIES_H
#define KERNELGEN_TWIN_VECTOR_BODIES_H

namespace kgtwin {

template <typename Mask> Shape repeated(const Mask &mask, uint32_t repeat, const AscendC::UnaryRepeatParams &params)
{
    Shape shape;
    setMask(shape, mask);
    shape.repeat = repeat;
    shape.block[0] = params.dstBlkStride;
    shape.block[1] = params.srcBlkStride;
    shape.step[0] = params.dstRepStride;
    shape.step[1] = params.srcRepStride;
    return shape;
}
template <typename Mask> Shape repeated(const Mask &mask, uint32_t repeat, const AscendC::BinaryRepeatParams &params)
{
    Shape shape;
    setMask(shape, mask);
    shape.repeat = repeat;
    shape.block[0] = params.dstBlkStride;
    shape.block[1] = params.src0BlkStride;
    shape.block[2] = params.src1BlkStride;
    shape.step[0] = params.dstRepStride;
    shape.step[1] = params.src0RepStride;
    shape.step[2] = params.src1RepStride;
    return shape;
}

}

namespace AscendC {

#define KGTWIN_UNARY(name, operation)                                                                                  \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t count)        \
    {                                                                                                                  \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src.twin, nullptr, 0, ::kgtwin::counted(count));     \
    }                                                                                                                  \
    template <typename T, typename M> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const M &mask, uint8_t repeatTime, const UnaryRepeatParams &params) \
    {                                                                                                                  \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src.twin, nullptr, 0, ::kgtwin::repeated(mask, repeatTime, params)); \
    }
KGTWIN_UNARY(Exp, exp)
KGTWIN_UNARY(Ln, ln)
KGTWIN_UNARY(Abs, abs)
KGTWIN_UNARY(Reciprocal, reciprocal)
KGTWIN_UNARY(Sqrt, sqrt)
KGTWIN_UNARY(Rsqrt, rsqrt)
KGTWIN_UNARY(Not, bitNot)
KGTWIN_UNARY(Relu, relu)
KGTWIN_UNARY(Neg, neg)
#undef KGTWIN_UNARY

#define KGTWIN_BINARY(name, operation)                                                                                 \
    template <typename T, typename U> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, int32_t count) \
    {                                                                                                                  \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src0.twin, &src1.twin, 0, ::kgtwin::counted(count)); \
    }                                                                                                                  \
    template <typename T, typename U, typename M> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const M &mask, uint8_t repeatTime, const BinaryRepeatParams &params) \
    {                                                                                                                  \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src0.twin, &src1.twin, 0, ::kgtwin::repeated(mask, repeatTime, params)); \
    }
KGTWIN_BINARY(Add, add)
KGTWIN_BINARY(Sub, sub)
KGTWIN_BINARY(Mul, mul)
KGTWIN_BINARY(Div, div)
KGTWIN_BINARY(Max, max)
KGTWIN_BINARY(Min, min)
KGTWIN_BINARY(And, bitAnd)
KGTWIN_BINARY(Or, bitOr)
KGTWIN_BINARY(MulAddDst, mulAddDst)
KGTWIN_BINARY(FusedMulAdd, fusedMulAdd)
KGTWIN_BINARY(FusedMulAddRelu, fusedMulAddRelu)
KGTWIN_BINARY(MulAddRelu, mulAddRelu)
KGTWIN_BINARY(AddRelu, addRelu)
KGTWIN_BINARY(SubRelu, subRelu)
#undef KGTWIN_BINARY

#define KGTWIN_SCALAR(name, operation)                                                                                 \
    template <typename T, typename U> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalar, int32_t count) \
    {                                                                                                                  \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src.twin, nullptr, ::kgtwin::bitsOf(scalar), ::kgtwin::counted(count)); \
    }                                                                                                                  \
    template <typename T, typename U, typename M> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalar, const M &mask, uint8_t repeatTime, const UnaryRepeatParams &params) \
    {                                                                                                                  \
        ::kgtwin::elementwise(::kgtwin::Op::operation, dst.twin, &src.twin, nullptr, ::kgtwin::bitsOf(scalar), ::kgtwin::repeated(mask, repeatTime, params)); \
    }
KGTWIN_SCALAR(Adds, add)
KGTWIN_SCALAR(Muls, mul)
KGTWIN_SCALAR(Maxs, max)
KGTWIN_SCALAR(Mins, min)
KGTWIN_SCALAR(Subs, sub)
KGTWIN_SCALAR(Divs, div)
KGTWIN_SCALAR(LeakyRelu, leakyRelu)
KGTWIN_SCALAR(ShiftLeft, shiftLeft)
KGTWIN_SCALAR(ShiftRight, shiftRight)
KGTWIN_SCALAR(Axpy, axpy)
#undef KGTWIN_SCALAR
template <typename T, typename M> void kgRunShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalar, const M &mask, uint8_t repeatTime, const UnaryRepeatParams &params, bool roundEn)
{
    ::kgtwin::elementwise(roundEn ? ::kgtwin::Op::shiftRightRounded : ::kgtwin::Op::shiftRight, dst.twin, &src.twin, nullptr, ::kgtwin::bitsOf(scalar), ::kgtwin::repeated(mask, repeatTime, params));
}

template <typename T> void kgRunDuplicate(const LocalTensor<T> &dst, const T &scalar, int32_t count)
{
    ::kgtwin::elementwise(::kgtwin::Op::duplicate, dst.twin, nullptr, nullptr, ::kgtwin::bitsOf(scalar), ::kgtwin::counted(count));
}
template <typename T, typename M> void kgRunDuplicate(const LocalTensor<T> &dst, const T &scalar, const M &mask, uint8_t repeatTime, uint16_t dstBlockStride, uint8_t dstRepeatStride)
{
    ::kgtwin::elementwise(::kgtwin::Op::duplicate, dst.twin, nullptr, nullptr, ::kgtwin::bitsOf(scalar), ::kgtwin::repeated(mask, repeatTime, UnaryRepeatParams(dstBlockStride, 1, dstRepeatStride, 8)));
}
#define KGTWIN_LIMIT(name)                                                                                             \
    template <typename T> __aicore__ inline void NumericLimits<T>::name(const LocalTensor<T> &dst, uint32_t count)     \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        kgRunDuplicate(dst, name(), int32_t(count));                                                                   \
    }
KGTWIN_LIMIT(Max)
KGTWIN_LIMIT(Lowest)
KGTWIN_LIMIT(Min)
KGTWIN_LIMIT(Infinity)
KGTWIN_LIMIT(NegativeInfinity)
KGTWIN_LIMIT(QuietNaN)
KGTWIN_LIMIT(SignalingNaN)
KGTWIN_LIMIT(DeNormMin)
#undef KGTWIN_LIMIT
template <typename T> void kgRunBrcb(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint8_t repeatTime, const BrcbRepeatParams &params)
{
    ::kgtwin::broadcastToBlocks(dst.twin, src.twin, repeatTime, params.dstBlkStride, params.dstRepStride);
}
template <typename T> void kgRunCreateVecIndex(const LocalTensor<T> &dst, const T &first, uint32_t count) { ::kgtwin::createIndex(dst.twin, ::kgtwin::bitsOf(first), ::kgtwin::counted(count)); }
template <typename T, typename M> void kgRunCreateVecIndex(const LocalTensor<T> &dst, const T &first, const M &mask, uint8_t repeatTime, uint16_t dstBlkStride, uint8_t dstRepStride)
{
    ::kgtwin::createIndex(dst.twin, ::kgtwin::bitsOf(first), ::kgtwin::repeated(mask, repeatTime, UnaryRepeatParams(dstBlkStride, 1, dstRepStride, 8)));
}

#define KGTWIN_COPY(M)                                                                                                 \
    template <typename T, bool isSetMask> __aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t M, const uint8_t repeatTime, const CopyRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        auto shape = ::kgtwin::repeated(mask, repeatTime, UnaryRepeatParams());                                        \
        shape.block[0] = params.dstStride;                                                                             \
        shape.block[1] = params.srcStride;                                                                             \
        shape.step[0] = params.dstRepeatSize;                                                                          \
        shape.step[1] = params.srcRepeatSize;                                                                          \
        ::kgtwin::elementwise(::kgtwin::Op::copy, dst.twin, &src.twin, nullptr, 0, shape);                             \
    }
KGTWIN_COPY(mask)
KGTWIN_COPY(mask[])
#undef KGTWIN_COPY

template <typename T, MaskMode mode> __aicore__ inline void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow) { ::kgtwin::setVectorMask(maskHigh, maskLow); }
template <typename T, MaskMode mode> __aicore__ inline void SetVectorMask(int32_t len)
{
    if (mode == MaskMode::COUNTER) {
        ::kgtwin::setVectorMask(0, uint64_t(len));
        return;
    }
    ::kgtwin::Shape shape;
    ::kgtwin::setMask(shape, uint64_t(len));
    ::kgtwin::setVectorMask(shape.mask[1], shape.mask[0]);
}
__aicore__ inline void ResetMask() { ::kgtwin::setVectorMask(~0ull, ~0ull); }
__aicore__ inline void SetMaskCount() { ::kgtwin::setMaskCounting(true); }
__aicore__ inline void SetMaskNorm() { ::kgtwin::setMaskCounting(false); }

// --- Conversions -----------------------------------------------------------------------------------------------------

template <typename T, typename U> void kgRunCast(const LocalTensor<T> &dst, const LocalTensor<U> &src, RoundMode mode, uint32_t count)
{
    ::kgtwin::cast(dst.twin, src.twin, int(mode), ::kgtwin::counted(count));
}
template <typename T, typename U, typename M> void kgRunCast(const LocalTensor<T> &dst, const LocalTensor<U> &src, RoundMode mode, const M &mask, uint8_t repeatTime, const UnaryRepeatParams &params)
{
    ::kgtwin::cast(dst.twin, src.twin, int(mode), ::kgtwin::repeated(mask, repeatTime, params));
}
__aicore__ inline void SetDeqScale(half scale) { ::kgtwin::setDeqScale(float(scale)); }
__aicore__ inline float ToFloat(const bfloat16_t &value) { return float(value); }
__aicore__ inline bfloat16_t ToBfloat16(const float &value) { return bfloat16_t(value); }

// --- Comparisons, selection ------------------------------------------------------------------------------------------

template <typename T, typename U> void kgRunCompare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE mode, uint32_t count)
{
    ::kgtwin::compare(&dst.twin, src0.twin, &src1.twin, 0, int(mode), ::kgtwin::counted(count));
}
template <typename T, typename U> void kgRunCompareScalar(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T &scalar, CMPMODE mode, uint32_t count)
{
    ::kgtwin::compare(&dst.twin, src0.twin, nullptr, ::kgtwin::bitsOf(scalar), int(mode), ::kgtwin::counted(count));
}
#define KGTWIN_COMPARE(M)                                                                                              \
    template <typename T, typename U, bool isSetMask> __aicore__ inline void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, const uint64_t M, uint8_t repeatTime, const BinaryRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::compare(&dst.twin, src0.twin, &src1.twin, 0, int(cmpMode), ::kgtwin::repeated(mask, repeatTime, params)); \
    }                                                                                                                  \
    template <typename T, bool isSetMask> __aicore__ inline void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, const uint64_t M, const BinaryRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::compare(nullptr, src0.twin, &src1.twin, 0, int(cmpMode), ::kgtwin::repeated(mask, 1, params));       \
    }                                                                                                                  \
    template <typename T, typename U, bool isSetMask> __aicore__ inline void CompareScalar(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode, const uint64_t M, uint8_t repeatTime, const UnaryRepeatParams &params) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        ::kgtwin::compare(&dst.twin, src0.twin, nullptr, ::kgtwin::bitsOf(src1Scalar), int(cmpMode), ::kgtwin::repeated(mask, repeatTime, params)); \
    }
KGTWIN_COMPARE(mask)
KGTWIN_COMPARE(mask[])
#undef KGTWIN_COMPARE
template <typename T> __aicore__ inline void GetCmpMask(const LocalTensor<T> &dst)
{
    KGTWIN_CALL;
    ::kgtwin::getCompareMask(dst.twin);
}
template <typename T> __aicore__ inline void SetCmpMask(const LocalTensor<T> &src)
{
    KGTWIN_CALL;
    ::kgtwin::setCompareMask(src.twin);
}

template <typename T, typename U> void kgRunSelect(const LocalTensor<T> &dst, const LocalTensor<U> &mask, const LocalTensor<T> &src0, const LocalTensor<T> &src1, SELMODE mode, uint32_t count)
{
    ::kgtwin::select(dst.twin, &mask.twin, src0.twin, &src1.twin, 0, int(mode), ::kgtwin::counted(count));
}
template <typename T, typename U> void kgRunSelect(const LocalTensor<T> &dst, const LocalTensor<U> &mask, const LocalTensor<T> &src0, const T &src1, SELMODE mode, uint32_t count)
{
    ::kgtwin::select(dst.twin, &mask.twin, src0.twin, nullptr, ::kgtwin::bitsOf(src1), int(mode), ::kgtwin::counted(count));
}
template <typename T, typename U, typename M> void kgRunSelect(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, const LocalTensor<T> &src1, SELMODE mode, const M &mask, uint8_t repeatTime, const BinaryRepeatParams &params)
{
    ::kgtwin::select(dst.twin, &selMask.twin, src0.twin, &src1.twin, 0, int(mode), ::kgtwin::repeated(mask, repeatTime, params));
}
template <typename T, typename U, typename M> void kgRunSelect(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, const T &src1, SELMODE mode, const M &mask, uint8_t repeatTime, const BinaryRepeatParams &params)
{
    ::kgtwin::select(dst.twin, &selMask.twin, src0.twin, nullptr, ::kgtwin::bitsOf(src1), int(mode), ::kgtwin::repeated(mask, repeatTime, params));
}
template <typename T, SELMODE selMode> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint8_t repeatTime, const BinaryRepeatParams &params)
{
    KGTWIN_CALL;
    ::kgtwin::selectByRegister(dst.twin, nullptr, src0.twin, &src1.twin, int(selMode), ::kgtwin::repeated(uint64_t(0), repeatTime, params));
}
template <typename T, typename U> __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, uint8_t repeatTime, const BinaryRepeatParams &params)
{
    KGTWIN_CALL;
    ::kgtwin::selectByRegister(dst.twin, &selMask.twin, src0.twin, nullptr, 1, ::kgtwin::repeated(uint64_t(0), repeatTime, params));
}

}

#endif
