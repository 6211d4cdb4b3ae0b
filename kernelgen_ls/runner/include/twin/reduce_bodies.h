// Reductions over tensors, repeats, blocks and pairs.
#ifndef KERNELGEN_TWIN_REDUCE_BODIES_H
#define KERNELGEN_TWIN_REDUCE_BODIES_H

namespace kgtwin {

template <typename Mask> Shape reducing(const Mask &mask, int32_t repeat, int32_t dstStep, int32_t srcBlock, int32_t srcStep)
{
    Shape shape;
    setMask(shape, mask);
    shape.repeat = uint32_t(repeat);
    shape.step[0] = uint16_t(dstStep);
    shape.block[1] = uint16_t(srcBlock);
    shape.step[1] = uint16_t(srcStep);
    return shape;
}

/// Which axes of a pattern are kept.
template <typename P> struct Axes;
#define KGTWIN_PATTERN(name, axes, ...)                                                                                \
    template <> struct Axes<AscendC::Pattern::Reduce::name> {                                                          \
        static constexpr uint32_t count = axes;                                                                        \
        static constexpr bool kept[] = {__VA_ARGS__};                                                                  \
    };
KGTWIN_PATTERN(AR, 2, true, false)
KGTWIN_PATTERN(RA, 2, false, true)
KGTWIN_PATTERN(ARA, 3, true, false, true)
KGTWIN_PATTERN(RAR, 3, false, true, false)
#undef KGTWIN_PATTERN

}

namespace AscendC {

#define KGTWIN_REDUCE(name, kind)                                                                                      \
    template <typename T> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, const int32_t &count, bool index = false) \
    {                                                                                                                  \
        ::kgtwin::reduce(::kgtwin::Reduction::kind, dst.twin, src.twin, work.twin, ::kgtwin::counted(count), index);   \
    }                                                                                                                  \
    template <typename T, typename M> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, const M &mask, const int32_t &repeatTime, const int32_t &srcRepStride, bool index = false) \
    {                                                                                                                  \
        ::kgtwin::reduce(::kgtwin::Reduction::kind, dst.twin, src.twin, work.twin, ::kgtwin::reducing(mask, repeatTime, 0, 1, srcRepStride), index); \
    }
KGTWIN_REDUCE(ReduceSum, sum)
KGTWIN_REDUCE(ReduceMax, max)
KGTWIN_REDUCE(ReduceMin, min)
#undef KGTWIN_REDUCE

template <typename T, typename M> void kgRunWholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const M &mask, int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride)
{
    ::kgtwin::reduceRepeats(::kgtwin::Reduction::sum, dst.twin, src.twin, ::kgtwin::reducing(mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), 2);
}
template <typename T, typename M> void kgRunRepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime, const M &mask, int32_t, int32_t srcBlkStride, int32_t dstRepStride, int32_t srcRepStride)
{
    ::kgtwin::reduceRepeats(::kgtwin::Reduction::sum, dst.twin, src.twin, ::kgtwin::reducing(mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), 2);
}
template <typename T, typename M> void kgRunWholeReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const M &mask, int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride, ReduceOrder order)
{
    ::kgtwin::reduceRepeats(::kgtwin::Reduction::max, dst.twin, src.twin, ::kgtwin::reducing(mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), int(order));
}
template <typename T, typename M> void kgRunWholeReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const M &mask, int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride, ReduceOrder order)
{
    ::kgtwin::reduceRepeats(::kgtwin::Reduction::min, dst.twin, src.twin, ::kgtwin::reducing(mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride), int(order));
}
#define KGTWIN_BLOCKS(name, kind)                                                                                      \
    template <typename T, typename M> void kgRun##name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const M &mask, int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) \
    {                                                                                                                  \
        ::kgtwin::reduceBlocks(::kgtwin::Reduction::kind, dst.twin, src.twin, ::kgtwin::reducing(mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride)); \
    }
KGTWIN_BLOCKS(BlockReduceSum, sum)
KGTWIN_BLOCKS(BlockReduceMax, max)
KGTWIN_BLOCKS(BlockReduceMin, min)
#undef KGTWIN_BLOCKS
template <typename T, typename M> void kgRunPairReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const M &mask, int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride)
{
    ::kgtwin::reducePairs(dst.twin, src.twin, ::kgtwin::reducing(mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride));
}

template <typename T> __aicore__ inline void GetReduceMaxMinCount(T &value, T &index) { ::kgtwin::lastReduction(::kgtwin::typeOf<T>(), &value, &index); }
template <typename T> __aicore__ inline void GetReduceMaxMinCount(T &value)
{
    T index;
    ::kgtwin::lastReduction(::kgtwin::typeOf<T>(), &value, &index);
}
template <typename T> __aicore__ inline void GetReduceRepeatMaxMinSpr(T &value, T &index) { ::kgtwin::lastReduction(::kgtwin::typeOf<T>(), &value, &index); }
template <typename T> __aicore__ inline void GetReduceRepeatMaxMinSpr(T &value) { GetReduceMaxMinCount(value); }
template <typename T> __aicore__ inline T GetAccVal()
{
    T value;
    ::kgtwin::lastReduction(::kgtwin::typeOf<T>(), &value, nullptr);
    return value;
}
__aicore__ inline int64_t GetAccVal()
{
    float value = 0;
    ::kgtwin::lastReduction(::kgtwin::typeOf<float>(), &value, nullptr);
    return ::kgtwin::bitsOf(value);
}
template <typename T> __aicore__ inline T GetReduceRepeatSumSpr() { return GetAccVal<T>(); }

template <typename T, int32_t reduceDim, bool isReuseSource, bool isBasicBlock> __aicore__ inline void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SumParams &params)
{
    KGTWIN_CALL;
    ::kgtwin::reduceRows(::kgtwin::Reduction::sum, dst.twin, src.twin, params.outter, params.inner, params.n, 1.0f);
}
template <typename T, int32_t reduceDim, bool isReuseSource, bool isBasicBlock> __aicore__ inline void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const SumParams &params)
{
    KGTWIN_CALL;
    ::kgtwin::reduceRows(::kgtwin::Reduction::sum, dst.twin, src.twin, params.outter, params.inner, params.n, 1.0f);
}
template <typename T, typename accType, bool isReuseSource, bool isBasicBlock, int32_t reduceDim> __aicore__ inline void Mean(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const MeanParams &params)
{
    KGTWIN_CALL;
    ::kgtwin::reduceRows(::kgtwin::Reduction::sum, dst.twin, src.twin, params.outter, params.inner, params.n, 1.0f / float(params.n));
}
template <typename T, typename accType, bool isReuseSource, bool isBasicBlock, int32_t reduceDim> __aicore__ inline void Mean(const LocalTensor<T> &dst, const LocalTensor<T> &src, const MeanParams &params)
{
    KGTWIN_CALL;
    ::kgtwin::reduceRows(::kgtwin::Reduction::sum, dst.twin, src.twin, params.outter, params.inner, params.n, 1.0f / float(params.n));
}

#define KGTWIN_AXES(name, kind)                                                                                        \
    template <typename T, typename P, bool isReuseSource> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::reduceAxes(::kgtwin::AxisReduction::kind, dst.twin, src.twin, srcShape, ::kgtwin::Axes<P>::kept, ::kgtwin::Axes<P>::count); \
    }                                                                                                                  \
    template <typename T, typename P, bool isReuseSource> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const uint32_t srcShape[], bool) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::reduceAxes(::kgtwin::AxisReduction::kind, dst.twin, src.twin, srcShape, ::kgtwin::Axes<P>::kept, ::kgtwin::Axes<P>::count); \
    }
KGTWIN_AXES(ReduceSum, sum)
KGTWIN_AXES(ReduceMax, max)
KGTWIN_AXES(ReduceMin, min)
KGTWIN_AXES(ReduceMean, mean)
KGTWIN_AXES(ReduceProd, product)
KGTWIN_AXES(ReduceAny, any)
KGTWIN_AXES(ReduceAll, all)
KGTWIN_AXES(ReduceXorSum, exclusiveOr)
#undef KGTWIN_AXES

template <typename T, bool isReuseSource> __aicore__ inline void ReduceXorSum(LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, LocalTensor<uint8_t> &, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::sumOfExclusiveOr(dst.twin, src0.twin, src1.twin, calCount);
}
template <typename T, bool isReuseSource> __aicore__ inline void ReduceXorSum(LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::sumOfExclusiveOr(dst.twin, src0.twin, src1.twin, calCount);
}

#define KGTWIN_KINDS(name, M, more, call)                                                                              \
    template <ReduceType reduceType, typename T, typename U, bool isSetMask> __aicore__ inline void name(const LocalTensor<T> &dst, const LocalTensor<U> &src, const M, const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride more) \
    {                                                                                                                  \
        KGTWIN_MASKED;                                                                                                 \
        constexpr auto kind = reduceType == ReduceType::MAX ? ::kgtwin::Reduction::max : reduceType == ReduceType::MIN ? ::kgtwin::Reduction::min : ::kgtwin::Reduction::sum; \
        auto shape = ::kgtwin::reducing(mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);                   \
        call;                                                                                                          \
    }
#define KGTWIN_ORDER , ReduceOrder order
KGTWIN_KINDS(ReduceRepeat, int32_t mask, KGTWIN_ORDER, ::kgtwin::reduceRepeats(kind, dst.twin, src.twin, shape, reduceType == ReduceType::SUM ? 2 : int(order)))
KGTWIN_KINDS(ReduceRepeat, uint64_t mask[], KGTWIN_ORDER, ::kgtwin::reduceRepeats(kind, dst.twin, src.twin, shape, reduceType == ReduceType::SUM ? 2 : int(order)))
KGTWIN_KINDS(ReduceDataBlock, int32_t mask, , ::kgtwin::reduceBlocks(kind, dst.twin, src.twin, shape))
KGTWIN_KINDS(ReduceDataBlock, uint64_t mask[], , ::kgtwin::reduceBlocks(kind, dst.twin, src.twin, shape))
KGTWIN_KINDS(ReducePairElem, int32_t mask, , ::kgtwin::reducePairs(dst.twin, src.twin, shape))
KGTWIN_KINDS(ReducePairElem, uint64_t mask[], , ::kgtwin::reducePairs(dst.twin, src.twin, shape))
#undef KGTWIN_ORDER
#undef KGTWIN_KINDS

}

#endif
