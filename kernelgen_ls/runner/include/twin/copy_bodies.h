// DataCopy and its relatives.
#ifndef KERNELGEN_TWIN_COPY_BODIES_H
#define KERNELGEN_TWIN_COPY_BODIES_H

namespace kgtwin {

/// Rows of a copy whose lengths and gaps are whole blocks.
inline Rows blockRows(const AscendC::DataCopyParams &params)
{
    return {params.blockCount, params.blockLen * 32ull, (int64_t(params.blockLen) + params.srcStride) * 32, (int64_t(params.blockLen) + params.dstStride) * 32};
}
/// One row of whole blocks: what does not fill one is not copied.
inline Rows wholeBlocks(uint64_t bytes)
{
    if (bytes % 32) partialBlock(bytes);
    return {1, bytes / 32 * 32, 0, 0};
}

}

namespace AscendC {

template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::copyIn(dst.twin, src.twin, ::kgtwin::wholeBlocks(uint64_t(count) * sizeof(T)), false, {});
}
template <typename T> __aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::copyOut(dst.twin, src.twin, ::kgtwin::wholeBlocks(uint64_t(count) * sizeof(T)), false);
}
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    KGTWIN_CALL;
    ::kgtwin::copyLocal(dst.twin, src.twin, ::kgtwin::wholeBlocks(uint64_t(count) * sizeof(T)));
}
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &repeatParams)
{
    KGTWIN_CALL;
    ::kgtwin::copyIn(dst.twin, src.twin, ::kgtwin::blockRows(repeatParams), false, {});
}
template <typename T> __aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &repeatParams)
{
    KGTWIN_CALL;
    ::kgtwin::copyOut(dst.twin, src.twin, ::kgtwin::blockRows(repeatParams), false);
}
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &repeatParams)
{
    KGTWIN_CALL;
    if (dst.twin.memory == ::kgtwin::Memory::bias || dst.twin.memory == ::kgtwin::Memory::fix)
        ::kgtwin::copyToTable(dst.twin, src.twin, repeatParams.blockCount, repeatParams.blockLen, repeatParams.srcStride, repeatParams.dstStride);
    else ::kgtwin::copyLocal(dst.twin, src.twin, ::kgtwin::blockRows(repeatParams));
}

template <typename T, PaddingMode mode> __aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyExtParams &params, const DataCopyPadExtParams<T> &padParams)
{
    KGTWIN_CALL;
    ::kgtwin::Padding padding{padParams.isPad, padParams.leftPadding, padParams.rightPadding, ::kgtwin::bitsOf(padParams.paddingValue)};
    bool packed = mode == PaddingMode::Compact;
    ::kgtwin::copyIn(dst.twin, src.twin, {params.blockCount, params.blockLen, int64_t(params.blockLen) + params.srcStride, packed ? int64_t(params.blockLen) : int64_t(params.dstStride) * 32}, !packed, padding);
}
template <typename T, PaddingMode mode> __aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &params, const DataCopyPadParams &padParams)
{
    KGTWIN_CALL;
    ::kgtwin::Padding padding{padParams.isPad, padParams.leftPadding, padParams.rightPadding, padParams.paddingValue};
    bool packed = mode == PaddingMode::Compact;
    ::kgtwin::copyIn(dst.twin, src.twin, {params.blockCount, params.blockLen, int64_t(params.blockLen) + params.srcStride, packed ? int64_t(params.blockLen) : int64_t(params.dstStride) * 32}, !packed, padding);
}
template <typename T, PaddingMode mode> __aicore__ inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyExtParams &params)
{
    KGTWIN_CALL;
    bool packed = mode == PaddingMode::Compact;
    ::kgtwin::copyOut(dst.twin, src.twin, {params.blockCount, params.blockLen, packed ? int64_t(params.blockLen) : int64_t(params.srcStride) * 32, int64_t(params.blockLen) + params.dstStride}, !packed);
}
template <typename T, PaddingMode mode> __aicore__ inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params)
{
    KGTWIN_CALL;
    bool packed = mode == PaddingMode::Compact;
    ::kgtwin::copyOut(dst.twin, src.twin, {params.blockCount, params.blockLen, packed ? int64_t(params.blockLen) : int64_t(params.srcStride) * 32, int64_t(params.blockLen) + params.dstStride}, !packed);
}

template <typename T> __aicore__ inline void InitGlobalMemory(GlobalTensor<T> &gm, const uint64_t size, const T value)
{
    KGTWIN_CALL;
    ::kgtwin::fillGlobal(gm.twin, size, ::kgtwin::bitsOf(value));
}
template <typename T> __aicore__ inline void InitOutput(GlobalTensor<T> gm, uint32_t size, T value)
{
    KGTWIN_CALL;
    ::kgtwin::fillGlobal(gm.twin, size, ::kgtwin::bitsOf(value));
}
template <typename T, typename U, typename> __aicore__ inline void Fill(GlobalTensor<T> &gm, const uint64_t size, const U value)
{
    KGTWIN_CALL;
    ::kgtwin::fillGlobal(gm.twin, size, ::kgtwin::bitsOf(value));
}

}

#endif
