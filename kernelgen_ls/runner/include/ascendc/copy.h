// Copies between global memory and on-chip memory, and within on-chip memory.
#ifndef KERNELGEN_ASCENDC_COPY_H
#define KERNELGEN_ASCENDC_COPY_H

#include "tensor.h"

namespace AscendC {

/// A strided copy in 32-byte blocks: `blockCount` pieces of `blockLen` blocks, `srcStride` and `dstStride` blocks between
/// the end of one piece and the start of the next.
struct DataCopyParams {
    uint16_t blockCount;
    uint16_t blockLen;
    union {
        uint16_t srcGap;
        uint16_t srcStride;
    };
    union {
        uint16_t dstGap;
        uint16_t dstStride;
    };
    constexpr DataCopyParams() : blockCount(1), blockLen(0), srcGap(0), dstGap(0) {}
    constexpr DataCopyParams(uint16_t count, uint16_t len, uint16_t srcStrideIn, uint16_t dstStrideIn)
        : blockCount(count), blockLen(len), srcGap(srcStrideIn), dstGap(dstStrideIn) {}
};
/// A strided copy in bytes for DataCopyPad: `blockCount` rows of `blockLen` bytes; strides are bytes on the GM side and
/// 32-byte blocks on the UB side.
struct DataCopyExtParams {
    uint16_t blockCount = 1;
    uint32_t blockLen = 0;
    uint32_t srcStride = 0;
    uint32_t dstStride = 0;
    uint32_t rsv = 0;
    constexpr DataCopyExtParams() = default;
    constexpr DataCopyExtParams(uint16_t count, uint32_t len, uint32_t srcStrideIn, uint32_t dstStrideIn, uint32_t reserved)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn), rsv(reserved) {}
};
/// How DataCopyPad fills up a row: `leftPadding` and `rightPadding` elements of `paddingValue` where `isPad`.
struct DataCopyPadParams {
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    uint64_t paddingValue = 0;
    constexpr DataCopyPadParams() = default;
    constexpr DataCopyPadParams(bool isPadIn, uint8_t left, uint8_t right, uint64_t value) : isPad(isPadIn), leftPadding(left), rightPadding(right), paddingValue(value) {}
};
/// How DataCopyPad fills up a row: `leftPadding` and `rightPadding` elements of `paddingValue`, a value of the tensor's type.
template <typename T>
struct DataCopyPadExtParams {
    using TYPE = T;
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    T paddingValue = T();
    constexpr DataCopyPadExtParams() = default;
    constexpr DataCopyPadExtParams(bool isPadIn, uint8_t left, uint8_t right, T value) : isPad(isPadIn), leftPadding(left), rightPadding(right), paddingValue(value) {}
};
/// Options of a copy between matrix positions.
struct DataCopyEnhancedParams {
    BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
    DeqScale deqScale = DeqScale::DEQ_NONE;
    uint64_t deqValue = 0;
    uint8_t sidStoreMode = 0;
    bool isRelu = false;
    pad_t padMode = pad_t::PAD_NONE;
    uint64_t padValue = 0;
    uint64_t deqTensorAddr = 0;
    DataCopyEnhancedParams() = default;
    DataCopyEnhancedParams(BlockMode mode, DeqScale scale, uint64_t value, uint8_t sid, bool relu, pad_t pad, uint64_t padTo);
};
/// A copy from L0C to GM or UB on the older chips.
struct DataCopyCO12DstParams {
    uint16_t sid = 0;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint32_t dstStride = 0;
    uint16_t srcStride = 0;
    uint8_t unitFlag = 0;
    uint8_t clipReluPre = 0;
    uint8_t eltWiseOp = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint8_t reluPre = 0;
    bool channelSplit = false;
    bool nz2ndEn = false;
    DataCopyCO12DstParams() = default;
    DataCopyCO12DstParams(uint16_t nSizeIn, uint16_t mSizeIn, uint32_t dstStrideIn, uint16_t srcStrideIn, QuantMode_t quant, uint8_t relu, bool split, bool nz2nd);
};
/// A copy that turns a row-major matrix in GM into NZ fractals.
struct Nd2NzParams {
    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 0;
    uint16_t srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    uint16_t dstNzMatrixStride = 0;
    constexpr Nd2NzParams() = default;
    constexpr Nd2NzParams(uint16_t ndNumIn, uint16_t nValueIn, uint16_t dValueIn, uint16_t srcNdMatrixStrideIn, uint16_t srcDValueIn, uint16_t dstNzC0StrideIn, uint16_t dstNzNStrideIn, uint16_t dstNzMatrixStrideIn)
        : ndNum(ndNumIn), nValue(nValueIn), dValue(dValueIn), srcNdMatrixStride(srcNdMatrixStrideIn), srcDValue(srcDValueIn), dstNzC0Stride(dstNzC0StrideIn), dstNzNStride(dstNzNStrideIn), dstNzMatrixStride(dstNzMatrixStrideIn) {}
};
/// A copy that turns NZ fractals into a row-major matrix in GM.
struct Nz2NdParamsFull {
    uint16_t ndNum = 1;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 1;
    uint16_t srcNStride = 0;
    uint16_t dstDStride = 0;
    uint16_t dstNdMatrixStride = 1;
    Nz2NdParamsFull() = default;
    Nz2NdParamsFull(uint16_t ndNumIn, uint16_t nValueIn, uint16_t dValueIn, uint16_t srcNdMatrixStrideIn, uint16_t srcNStrideIn, uint16_t dstDStrideIn, uint16_t dstNdMatrixStrideIn);
};
/// A copy that turns a column-major matrix in GM into NZ fractals.
struct Dn2NzParams {
    uint16_t dnNum = 0;
    uint16_t nValue = 0;
    uint32_t dValue = 0;
    uint64_t srcDnMatrixStride = 0;
    uint64_t srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    uint32_t dstNzMatrixStride = 0;
    Dn2NzParams() = default;
    Dn2NzParams(uint16_t dnNumIn, uint16_t nValueIn, uint32_t dValueIn, uint64_t srcDnMatrixStrideIn, uint64_t srcDValueIn, uint16_t dstNzC0StrideIn, uint16_t dstNzNStrideIn, uint32_t dstNzMatrixStrideIn);
};
/// One dimension of a slice: elements from `startIndex` to `endIndex`, in bursts of `burstLen` blocks, `stride` apart.
struct SliceInfo {
    uint32_t startIndex = 0;
    uint32_t endIndex = 0;
    uint32_t stride = 0;
    uint32_t burstLen = 0;
    uint32_t shapeValue = 0;
    SliceInfo() = default;
    SliceInfo(uint32_t start, uint32_t end, uint32_t strideIn, uint32_t burst, uint32_t shape = 0);
};

/// Copies `count` elements between GM and on-chip memory, or within on-chip memory.
/// constraint: count * sizeof(T) has to be a multiple of 32 bytes; use DataCopyPad for other lengths.
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const uint32_t count) ASC_BLOCKS(count, T);
template <typename T> __aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count) ASC_BLOCKS(count, T);
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count) ASC_BLOCKS(count, T);
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &repeatParams);
template <typename T> __aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &repeatParams);
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &repeatParams);
template <typename T, typename U> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyParams &repeatParams);
template <typename T, bool enableSmallC0 = false> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &intriParams);
template <typename T, bool enableSmallC0 = false> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Dn2NzParams &intriParams);
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Nd2NzParams &intriParams);
template <typename T> __aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const Nz2NdParamsFull &intriParams);
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1);
template <typename T> __aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1);
template <typename T> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &intriParams, const DataCopyEnhancedParams &enhancedParams);
template <typename T> __aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &intriParams, const DataCopyEnhancedParams &enhancedParams);
template <typename T, typename U> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyParams &intriParams, const DataCopyEnhancedParams &enhancedParams);
template <typename T, typename U> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyCO12DstParams &intriParams);
template <typename T, typename U> __aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyCO12DstParams &intriParams);

/// Copies rows of any length in bytes between GM and UB; a row that is not a multiple of 32 bytes is filled up in UB.
/// constraint: not on Ascend310P and Ascend910A; at most 65535 rows, UB rows start on 32-byte boundaries.
template <typename T, PaddingMode mode = PaddingMode::Normal> ASC_ABSENT_BEFORE_2201("DataCopyPad", "copy whole 32-byte blocks with DataCopy and mask or fill the rest up in UB") __aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyExtParams &dataCopyParams, const DataCopyPadExtParams<T> &padParams) ASC_ROWS(dataCopyParams);
template <typename T, PaddingMode mode = PaddingMode::Normal> ASC_ABSENT_BEFORE_2201("DataCopyPad", "copy whole 32-byte blocks with DataCopy and mask or fill the rest up in UB") __aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &dataCopyParams, const DataCopyPadParams &padParams) ASC_ROWS(dataCopyParams);
template <typename T, PaddingMode mode = PaddingMode::Normal> ASC_ABSENT_BEFORE_2201("DataCopyPad", "copy whole 32-byte blocks with DataCopy and mask or fill the rest up in UB") __aicore__ inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyExtParams &dataCopyParams) ASC_ROWS(dataCopyParams);
template <typename T, PaddingMode mode = PaddingMode::Normal> ASC_ABSENT_BEFORE_2201("DataCopyPad", "copy whole 32-byte blocks with DataCopy and mask or fill the rest up in UB") __aicore__ inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &dataCopyParams) ASC_ROWS(dataCopyParams);
template <typename T> ASC_ABSENT_BEFORE_2201("DataCopyPad", "copy whole 32-byte blocks with DataCopy and mask or fill the rest up in UB") __aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyExtParams &dataCopyParams, const Nd2NzParams &nd2nzParams);
template <typename T> ASC_ABSENT_BEFORE_2201("DataCopyPad", "copy whole 32-byte blocks with DataCopy and mask or fill the rest up in UB") __aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &dataCopyParams, const Nd2NzParams &nd2nzParams);
/// Between which memories the copies go that SetLoopModePara repeats.
enum class DataCopyMVType : uint8_t { UB_TO_OUT = 0, OUT_TO_UB = 1 };
/// Two loops around a DataCopyPad: how often, and strides in bytes.
struct LoopModeParams {
    uint32_t loop1Size = 0;
    uint32_t loop2Size = 0;
    uint64_t loop1SrcStride = 0;
    uint64_t loop1DstStride = 0;
    uint64_t loop2SrcStride = 0;
    uint64_t loop2DstStride = 0;
    constexpr LoopModeParams() = default;
    constexpr LoopModeParams(uint32_t size1, uint32_t size2, uint64_t srcStride1, uint64_t dstStride1, uint64_t srcStride2, uint64_t dstStride2)
        : loop1Size(size1), loop2Size(size2), loop1SrcStride(srcStride1), loop1DstStride(dstStride1), loop2SrcStride(srcStride2), loop2DstStride(dstStride2) {}
};
/// Repeats the copies of DataCopyPad in two loops from here on.
__aicore__ inline void SetLoopModePara(const LoopModeParams &loopParams, DataCopyMVType type);
/// Ends what SetLoopModePara began.
__aicore__ inline void ResetLoopModePara(DataCopyMVType type);
/// The loops of a copy of up to five dimensions: strides and sizes in elements, and what is filled up before and after.
template <uint8_t dim> struct MultiCopyLoopInfo {
    uint64_t loopSrcStride[dim] = {};
    uint32_t loopDstStride[dim] = {};
    uint32_t loopSize[dim] = {};
    uint8_t loopLpSize[dim] = {};
    uint8_t loopRpSize[dim] = {};
};
template <uint8_t dim> using NdDmaLoopInfo = MultiCopyLoopInfo<dim>;
/// A copy of up to five dimensions and the value it fills up with.
template <typename T, uint8_t dim> struct MultiCopyParams {
    MultiCopyLoopInfo<dim> loopInfo;
    T constantValue;
};
template <typename T, uint8_t dim> using NdDmaParams = MultiCopyParams<T, dim>;
/// Options of a copy of several dimensions: whether it fills up with the nearest element, and fixed widths.
struct NdDmaConfig {
    static constexpr uint16_t unsetPad = 0xffff;
    bool isNearestValueMode = false;
    uint16_t loopLpSize = unsetPad;
    uint16_t loopRpSize = unsetPad;
    bool ascOptimize = false;
};
using MultiCopyConfig = NdDmaConfig;
constexpr NdDmaConfig kDefaultNdDmaConfig = {};
constexpr NdDmaConfig kDefaultMultiCopyConfig = {};
template <typename T, uint8_t dim, const NdDmaConfig &config = kDefaultNdDmaConfig> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const MultiCopyParams<T, dim> &params);
/// Drops what the copies of several dimensions have cached.
__aicore__ inline void NdDmaDci();
/// Copies from L1 to UB.
template <typename T, uint8_t subBlockId = 0> __aicore__ inline void DataCopyL1ToUB(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count);
template <typename T, uint8_t subBlockId = 0> __aicore__ inline void DataCopyL1ToUB(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &repeatParams);
/// Sets the value DataCopyPad fills with.
template <typename T, TPosition pos = TPosition::MAX> __aicore__ inline void SetPadValue(T paddingValue);

/// Copies repeats between UB tensors with strides, under a mask.
template <typename T, bool isSetMask = true> __aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask, const uint8_t repeatTime, const CopyRepeatParams &repeatParams) ASC_MASK(sizeof(T));
template <typename T, bool isSetMask = true> __aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], const uint8_t repeatTime, const CopyRepeatParams &repeatParams);
#if __NPU_ARCH__ == 3510
/// Copies `count` elements between UB tensors.
template <typename T, bool isSetMask = true> __aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count);
#endif

/// Writes `value` to `size` elements of global memory.
template <typename T> __aicore__ inline void InitGlobalMemory(GlobalTensor<T> &gm, const uint64_t size, const T value);
/// Writes `value` to `size` elements of an output in global memory.
template <typename T> __aicore__ inline void InitOutput(GlobalTensor<T> gm, uint32_t size, T value = 0);
/// Writes one value to global memory.
template <typename T, typename U, typename = std::enable_if_t<std::is_same_v<T, U>>> __aicore__ inline void Fill(GlobalTensor<T> &gm, const uint64_t size, const U value);

}

#endif
