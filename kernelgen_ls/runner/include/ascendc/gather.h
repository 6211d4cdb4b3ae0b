// Gathering, scattering and sorting.
#ifndef KERNELGEN_ASCENDC_GATHER_H
#define KERNELGEN_ASCENDC_GATHER_H

#include "tensor.h"

struct TopkTiling;

namespace AscendC {

/// dst[i] = the element of src at byte offset srcOffset[i] + srcBaseAddr.
/// constraint: offsets are in bytes and multiples of sizeof(T).
template <typename T> __aicore__ inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset, const uint32_t srcBaseAddr, const uint32_t count)
    ASC_LINT(sizeof(T) != 2 && sizeof(T) != 4 && __CCE_AICORE__ < 300, "Gather takes elements of 16 or 32 bits")
{
    KERNELGEN_RUN(Gather, (dst, src, srcOffset, srcBaseAddr, count))
}
template <typename T> __aicore__ inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset, const uint32_t srcBaseAddr, const uint64_t mask, const uint8_t repeatTime, const uint16_t dstRepStride);
template <typename T> __aicore__ inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset, const uint32_t srcBaseAddr, const uint64_t mask[], const uint8_t repeatTime, const uint16_t dstRepStride);
/// Gathers whole 32-byte blocks by byte offset.
template <typename T> __aicore__ inline void Gatherb(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &offset, const uint8_t repeatTime, const GatherRepeatParams &repeatParams);
/// Versions of GatherMask's instruction.
enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V1;
/// Keeps the elements that a pattern selects and writes them without gaps; rsvdCnt becomes how many there were.
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode> __aicore__ inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1Pattern, const bool reduceMode, const uint32_t mask, const GatherMaskParams &gatherMaskParams, uint64_t &rsvdCnt);
template <typename T, GatherMaskMode mode = defaultGatherMaskMode> __aicore__ inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const uint8_t src1Pattern, const bool reduceMode, const uint32_t mask, const GatherMaskParams &gatherMaskParams, uint64_t &rsvdCnt);
/// How many elements the last GatherMask kept.
__aicore__ inline int64_t GetGatherMaskRemainCount();
/// Writes src[i] to byte offset dstOffset[i] + dstBaseAddr.
template <typename T> __aicore__ inline void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &dstOffset, const uint32_t dstBaseAddr, const uint32_t count);
template <typename T> __aicore__ inline void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &dstOffset, const uint32_t dstBaseAddr, const uint64_t mask, const uint8_t repeatTime, const uint8_t srcRepStride);
template <typename T> __aicore__ inline void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &dstOffset, const uint32_t dstBaseAddr, const uint64_t mask[], const uint8_t repeatTime, const uint8_t srcRepStride);

/// The lengths of the lists that MrgSort merges and how it ends.
struct MrgSort4Info {
    uint16_t elementLengths[4] = {};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0;
    uint8_t repeatTimes = 1;
    constexpr MrgSort4Info() = default;
    constexpr MrgSort4Info(const uint16_t lengths[4], bool suspend, uint16_t valid, uint16_t repeats) : elementLengths{lengths[0], lengths[1], lengths[2], lengths[3]}, ifExhaustedSuspension(suspend), validBit(valid), repeatTimes(repeats) {}
};
/// The four sorted lists that MrgSort merges.
template <typename T>
struct MrgSortSrcList {
    LocalTensor<T> src1;
    LocalTensor<T> src2;
    LocalTensor<T> src3;
    LocalTensor<T> src4;
    MrgSortSrcList() = default;
    MrgSortSrcList(const LocalTensor<T> &a, const LocalTensor<T> &b, const LocalTensor<T> &c, const LocalTensor<T> &d) : src1(a), src2(b), src3(c), src4(d) {}
};
/// Sorts 32 pairs of value and index a repeat, descending.
template <typename T> __aicore__ inline void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &src1, const int32_t repeatTime) ASC_DEFINE(Sort32, (dst, src0, src1, repeatTime), T, half, float)
/// Sorts 16 region proposals a repeat, descending by score.
template <typename T> __aicore__ inline void RpSort16(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime);
/// Merges up to four sorted lists.
template <typename T> __aicore__ inline void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &params);
template <typename T, bool isExhaustedSuspension = false> __aicore__ inline void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &sortList, const uint16_t elementCountList[4], uint32_t sortedNum[4], uint16_t validBit, const int32_t repeatTime);
/// The older name of MrgSort.
template <typename T> __aicore__ inline void MrgSort4(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &params);
/// How far each list of the last MrgSort was used up.
__aicore__ inline void GetMrgSortResult(uint16_t &mrgSortList1, uint16_t &mrgSortList2, uint16_t &mrgSortList3, uint16_t &mrgSortList4);
/// Sorts pairs of value and index, descending.
template <typename T, bool isFullSort> __aicore__ inline void Sort(const LocalTensor<T> &dst, const LocalTensor<T> &concat, const LocalTensor<uint32_t> &index, LocalTensor<T> &tmp, const int32_t repeatTime);
/// Algorithms of Sort.
enum class SortType { RADIX_SORT, MERGE_SORT };
/// How Sort orders, and by which algorithm.
struct SortConfig {
    SortType type = SortType::RADIX_SORT;
    bool isDescend = false;
};
constexpr SortConfig DEFAULT_SORT_CONFIG = {};
template <typename T, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG> __aicore__ inline void Sort(LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG> __aicore__ inline void Sort(LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG> __aicore__ inline void Sort(LocalTensor<T> &dst, LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &src, const uint32_t calCount);
template <typename T, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG> __aicore__ inline void Sort(LocalTensor<T> &dst, LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
template <typename T, typename U, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG> __aicore__ inline void Sort(const LocalTensor<T> &dst, const LocalTensor<U> &dstIndex, const LocalTensor<T> &src, const LocalTensor<U> &srcIndex, const uint32_t calCount);
template <typename T, typename U, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG> __aicore__ inline void Sort(const LocalTensor<T> &dst, const LocalTensor<U> &dstIndex, const LocalTensor<T> &src, const LocalTensor<U> &srcIndex, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount);
/// Prepares values for Sort.
template <typename T> __aicore__ inline void Concat(LocalTensor<T> &concat, const LocalTensor<T> &src, const LocalTensor<T> &tmp, const int32_t repeatTime);
/// Takes sorted pairs apart into values and indices.
template <typename T> __aicore__ inline void Extract(const LocalTensor<T> &dstValue, const LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &sorted, const int32_t repeatTime);
/// The length in elements of a sorted list of `elemCount` pairs.
template <typename T> __aicore__ inline uint32_t GetSortLen(const uint32_t elemCount);
/// The offset in elements of pair number `elemOffset` of a sorted list.
template <typename T> __aicore__ inline uint32_t GetSortOffset(const uint32_t elemOffset);
/// Writes a score or a coordinate into region proposals.
template <typename T> __aicore__ inline void ProposalConcat(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t modeNumber);
/// Reads a score or a coordinate out of region proposals.
template <typename T> __aicore__ inline void ProposalExtract(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t modeNumber);
/// Order and kind of TopK.
enum class TopKMode : uint8_t { TOPK_NORMAL, TOPK_NSMALL };
/// Algorithms of TopK.
enum class TopKAlgo : uint8_t { RADIX_SELECT, MERGE_SORT };
/// Order of TopK.
enum class TopKOrder : uint8_t { UNSET, LARGEST, SMALLEST };
/// How TopK finds and orders what it puts out.
struct TopKConfig {
    TopKAlgo algo = TopKAlgo::MERGE_SORT;
    TopKOrder order = TopKOrder::UNSET;
    bool sorted = true;
};
constexpr TopKConfig defaultTopKConfig = {};
/// Shape of TopK's source.
struct TopKInfo {
    int32_t outter = 1;
    int32_t inner = 0;
    int32_t n = 0;
};
/// The k largest (or smallest) elements of each row and their indices.
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false, TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig &config = defaultTopKConfig, typename Tiling = TopkTiling>
__aicore__ inline void TopK(const LocalTensor<T> &dstValue, const LocalTensor<int32_t> &dstIndex, const LocalTensor<T> &src, const LocalTensor<int32_t> &srcIndex, const LocalTensor<bool> &finish, const LocalTensor<uint8_t> &tmp, const int32_t k, const Tiling &tiling, const TopKInfo &topKInfo, const bool isLargest = true);
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false, TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig &config = defaultTopKConfig, typename Tiling = TopkTiling>
__aicore__ inline void TopK(const LocalTensor<T> &dstValue, const LocalTensor<int32_t> &dstIndex, const LocalTensor<T> &src, const LocalTensor<int32_t> &srcIndex, const LocalTensor<bool> &finish, const int32_t k, const Tiling &tiling, const TopKInfo &topKInfo, const bool isLargest = true);

}

#endif
