// Gathering, scattering, transposing, broadcasting.
#ifndef KERNELGEN_TWIN_GATHER_BODIES_H
#define KERNELGEN_TWIN_GATHER_BODIES_H

#define KGTWIN_SIXTEEN(list)                                                                                           \
    {list[0].twin, list[1].twin, list[2].twin, list[3].twin, list[4].twin, list[5].twin, list[6].twin, list[7].twin,   \
     list[8].twin, list[9].twin, list[10].twin, list[11].twin, list[12].twin, list[13].twin, list[14].twin, list[15].twin}

namespace AscendC {

template <typename T> void kgRunGather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset, uint32_t srcBaseAddr, uint32_t count)
{
    ::kgtwin::gather(dst.twin, src.twin, srcOffset.twin, srcBaseAddr, ::kgtwin::counted(count));
}
#define KGTWIN_GATHER(M)                                                                                               \
    template <typename T> __aicore__ inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset, const uint32_t srcBaseAddr, const uint64_t M, const uint8_t repeatTime, const uint16_t dstRepStride) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        auto shape = ::kgtwin::reducing(mask, repeatTime, dstRepStride, 1, 8);                                         \
        ::kgtwin::gather(dst.twin, src.twin, srcOffset.twin, srcBaseAddr, shape);                                      \
    }                                                                                                                  \
    template <typename T> __aicore__ inline void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &dstOffset, const uint32_t dstBaseAddr, const uint64_t M, const uint8_t repeatTime, const uint8_t srcRepStride) \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        ::kgtwin::scatter(dst.twin, src.twin, dstOffset.twin, dstBaseAddr, ::kgtwin::reducing(mask, repeatTime, 8, 1, srcRepStride)); \
    }
KGTWIN_GATHER(mask)
KGTWIN_GATHER(mask[])
#undef KGTWIN_GATHER
template <typename T> __aicore__ inline void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &dstOffset, const uint32_t dstBaseAddr, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::scatter(dst.twin, src.twin, dstOffset.twin, dstBaseAddr, ::kgtwin::counted(count));
}
template <typename T> __aicore__ inline void Gatherb(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &offset, const uint8_t repeatTime, const GatherRepeatParams &params)
{
    KGTWIN_CALL;
    ::kgtwin::gatherBlocks(dst.twin, src0.twin, offset.twin, repeatTime, params.dstBlkStride, params.dstRepStride);
}
template <typename T, typename U, GatherMaskMode mode> __aicore__ inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1Pattern, const bool reduceMode, const uint32_t mask, const GatherMaskParams &params, uint64_t &rsvdCnt)
{
    KGTWIN_CALL;
    rsvdCnt = ::kgtwin::gatherMask(dst.twin, src0.twin, &src1Pattern.twin, 0, reduceMode, mask, params.src0BlockStride, params.repeatTimes, params.src0RepeatStride, params.src1RepeatStride);
}
template <typename T, GatherMaskMode mode> __aicore__ inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const uint8_t src1Pattern, const bool reduceMode, const uint32_t mask, const GatherMaskParams &params, uint64_t &rsvdCnt)
{
    KGTWIN_CALL;
    rsvdCnt = ::kgtwin::gatherMask(dst.twin, src0.twin, nullptr, src1Pattern, reduceMode, mask, params.src0BlockStride, params.repeatTimes, params.src0RepeatStride, params.src1RepeatStride);
}
__aicore__ inline int64_t GetGatherMaskRemainCount() { return int64_t(::kgtwin::gatherMaskCount()); }

template <typename T> void kgRunTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src) { ::kgtwin::transposeBlock(dst.twin, src.twin); }
template <typename T> __aicore__ inline void TransDataTo5HD(const LocalTensor<T> (&dstLocalList)[16], const LocalTensor<T> (&srcLocalList)[16], const TransDataTo5HDParams &params)
{
    KGTWIN_CALL;
    ::kgtwin::Local dst[16] = KGTWIN_SIXTEEN(dstLocalList), src[16] = KGTWIN_SIXTEEN(srcLocalList);
    ::kgtwin::transposeRows(dst, src, params.dstHighHalf, params.srcHighHalf, params.repeatTimes, params.dstRepStride, params.srcRepStride);
}
template <typename T> __aicore__ inline void TransDataTo5HD(uint64_t dstList[16], uint64_t srcList[16], const TransDataTo5HDParams &params)
{
    KGTWIN_CALL;
    ::kgtwin::transposeAddresses(dstList, srcList, ::kgtwin::typeOf<T>(), sizeof(T), params.dstHighHalf, params.srcHighHalf, params.repeatTimes, params.dstRepStride, params.srcRepStride);
}

// What some kernels call beside the interface, with addresses in the unified buffer.
template <typename T> __aicore__ inline void TransDataTo5HDImpl(T *dstList[16], T *srcList[16], const TransDataTo5HDParams &params)
{
    KGTWIN_CALL;
    uint64_t dst[16], src[16];
    for (int i = 0; i < 16; ++i) {
        dst[i] = reinterpret_cast<uint64_t>(dstList[i]);
        src[i] = reinterpret_cast<uint64_t>(srcList[i]);
    }
    ::kgtwin::transposeAddresses(dst, src, ::kgtwin::typeOf<T>(), sizeof(T), params.dstHighHalf, params.srcHighHalf, params.repeatTimes, params.dstRepStride, params.srcRepStride);
}
template <typename T> __aicore__ inline void DuplicateImpl(T *dst, const T &value, const int32_t &count)
{
    KGTWIN_CALL;
    ::kgtwin::fillAddress(reinterpret_cast<uint64_t>(dst), ::kgtwin::typeOf<T>(), sizeof(T), ::kgtwin::bitsOf(value), count);
}

template <typename T, int32_t dim, int32_t axis, bool isReuseSource> __aicore__ inline void BroadCast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim], LocalTensor<uint8_t> &)
{
    KGTWIN_CALL;
    ::kgtwin::broadcastAxes(dst.twin, src.twin, dstShape, srcShape, dim);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource> __aicore__ inline void BroadCast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim])
{
    KGTWIN_CALL;
    ::kgtwin::broadcastAxes(dst.twin, src.twin, dstShape, srcShape, dim);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource> __aicore__ inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim], LocalTensor<uint8_t> &)
{
    KGTWIN_CALL;
    ::kgtwin::broadcastAxes(dst.twin, src.twin, dstShape, srcShape, dim);
}

}

#endif
