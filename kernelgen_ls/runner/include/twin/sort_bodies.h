// Sorting pairs of value and index.
#ifndef KERNELGEN_TWIN_SORT_BODIES_H
#define KERNELGEN_TWIN_SORT_BODIES_H

namespace AscendC {

template <typename T> void kgRunSort32(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &src1, int32_t repeatTime)
{
    ::kgtwin::sortPairs(dst.twin, src0.twin, src1.twin, uint32_t(repeatTime), false);
}
template <typename T, bool isFullSort> __aicore__ inline void Sort(const LocalTensor<T> &dst, const LocalTensor<T> &concat, const LocalTensor<uint32_t> &index, LocalTensor<T> &, const int32_t repeatTime)
{
    KGTWIN_CALL;
    ::kgtwin::sortPairs(dst.twin, concat.twin, index.twin, uint32_t(repeatTime), isFullSort);
}
template <typename T> __aicore__ inline void Concat(LocalTensor<T> &concat, const LocalTensor<T> &src, const LocalTensor<T> &, const int32_t) { concat = src; }
template <typename T> __aicore__ inline void Extract(const LocalTensor<T> &dstValue, const LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &sorted, const int32_t repeatTime)
{
    KGTWIN_CALL;
    ::kgtwin::extractPairs(dstValue.twin, dstIndex.twin, sorted.twin, uint32_t(repeatTime));
}
template <typename T> __aicore__ inline uint32_t GetSortLen(const uint32_t elemCount) { return elemCount * 8 / uint32_t(sizeof(T)); }
template <typename T> __aicore__ inline uint32_t GetSortOffset(const uint32_t elemOffset) { return elemOffset * 8 / uint32_t(sizeof(T)); }
template <typename T> __aicore__ inline void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &params)
{
    KGTWIN_CALL;
    ::kgtwin::Local lists[4] = {src.src1.twin, src.src2.twin, src.src3.twin, src.src4.twin};
    ::kgtwin::mergePairs(dst.twin, lists, params.elementLengths, params.validBit, params.repeatTimes, params.ifExhaustedSuspension, nullptr);
}
template <typename T, bool isExhaustedSuspension> __aicore__ inline void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &sortList, const uint16_t elementCountList[4], uint32_t sortedNum[4], uint16_t validBit, const int32_t repeatTime)
{
    KGTWIN_CALL;
    ::kgtwin::Local lists[4] = {sortList.src1.twin, sortList.src2.twin, sortList.src3.twin, sortList.src4.twin};
    ::kgtwin::mergePairs(dst.twin, lists, elementCountList, validBit, uint32_t(repeatTime), isExhaustedSuspension, sortedNum);
}
template <typename T> __aicore__ inline void MrgSort4(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &params)
{
    KGTWIN_CALL;
    ::kgtwin::Local lists[4] = {src.src1.twin, src.src2.twin, src.src3.twin, src.src4.twin};
    ::kgtwin::mergeProposals(dst.twin, lists, params.elementLengths, params.validBit, params.repeatTimes, params.ifExhaustedSuspension);
}
__aicore__ inline void GetMrgSortResult(uint16_t &list1, uint16_t &list2, uint16_t &list3, uint16_t &list4)
{
    uint16_t counts[4];
    ::kgtwin::mergedCounts(counts);
    list1 = counts[0];
    list2 = counts[1];
    list3 = counts[2];
    list4 = counts[3];
}

#define KGTWIN_SORT(parameters, indices, given)                                                                        \
    template <typename T, bool isReuseSource, const SortConfig &config> __aicore__ inline void Sort parameters        \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::sortValues(dst.twin, indices, src.twin, given, calCount, config.isDescend);                          \
    }
KGTWIN_SORT((LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount), nullptr, nullptr)
KGTWIN_SORT((LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const uint32_t calCount), nullptr, nullptr)
KGTWIN_SORT((LocalTensor<T> &dst, LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &src, const uint32_t calCount), &dstIndex.twin, nullptr)
KGTWIN_SORT((LocalTensor<T> &dst, LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const uint32_t calCount), &dstIndex.twin, nullptr)
#undef KGTWIN_SORT
template <typename T, typename U, bool isReuseSource, const SortConfig &config> __aicore__ inline void Sort(const LocalTensor<T> &dst, const LocalTensor<U> &dstIndex, const LocalTensor<T> &src, const LocalTensor<U> &srcIndex, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::sortValues(dst.twin, &dstIndex.twin, src.twin, &srcIndex.twin, calCount, config.isDescend);
}
template <typename T, typename U, bool isReuseSource, const SortConfig &config> __aicore__ inline void Sort(const LocalTensor<T> &dst, const LocalTensor<U> &dstIndex, const LocalTensor<T> &src, const LocalTensor<U> &srcIndex, const LocalTensor<uint8_t> &, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::sortValues(dst.twin, &dstIndex.twin, src.twin, &srcIndex.twin, calCount, config.isDescend);
}

#define KGTWIN_TOPK(temporary)                                                                                         \
    template <typename T, bool isInitIndex, bool isHasfinish, bool isReuseSrc, TopKMode topkMode, const TopKConfig &config, typename Tiling> \
    __aicore__ inline void TopK(const LocalTensor<T> &dstValue, const LocalTensor<int32_t> &dstIndex, const LocalTensor<T> &src, const LocalTensor<int32_t> &srcIndex, const LocalTensor<bool> &finish temporary, const int32_t k, const Tiling &, const TopKInfo &info, const bool isLargest) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        bool largest = config.order == TopKOrder::UNSET ? isLargest : config.order == TopKOrder::LARGEST;              \
        ::kgtwin::topK(dstValue.twin, dstIndex.twin, src.twin, ::kgtwin::orNull(isInitIndex, srcIndex.twin), ::kgtwin::orNull(isHasfinish, finish.twin), uint32_t(info.outter), uint32_t(info.inner), uint32_t(info.n), uint32_t(k), largest, topkMode == TopKMode::TOPK_NSMALL); \
    }
#define KGTWIN_TEMPORARY , const LocalTensor<uint8_t> &
KGTWIN_TOPK(KGTWIN_TEMPORARY)
KGTWIN_TOPK()
#undef KGTWIN_TEMPORARY
#undef KGTWIN_TOPK

template <typename T> __aicore__ inline void RpSort16(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime)
{
    KGTWIN_CALL;
    ::kgtwin::sortProposals(dst.twin, src.twin, uint32_t(repeatTime));
}
template <typename T> __aicore__ inline void ProposalConcat(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t modeNumber)
{
    KGTWIN_CALL;
    ::kgtwin::proposalField(dst.twin, src.twin, uint32_t(repeatTime), uint32_t(modeNumber), true);
}
template <typename T> __aicore__ inline void ProposalExtract(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t modeNumber)
{
    KGTWIN_CALL;
    ::kgtwin::proposalField(dst.twin, src.twin, uint32_t(repeatTime), uint32_t(modeNumber), false);
}

}

#endif
