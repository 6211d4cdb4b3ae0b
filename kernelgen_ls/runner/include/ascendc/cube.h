// The cube unit: loading matrices to L0, multiplying, and moving results out of L0C.
#ifndef KERNELGEN_ASCENDC_CUBE_H
#define KERNELGEN_ASCENDC_CUBE_H

#include "copy.h"

namespace AscendC {

/// Lookup tables of a load that unpacks.
struct Nd2NzParamsV2 {
    uint64_t lookupTable0 = 0;
    uint64_t lookupTable1 = 0;
};
/// Whether a load of an image sets the registers of the image's size and of its padding itself.
struct IsResetLoad3dConfig {
    bool isSetFMatrix = true;
    bool isSetPadding = true;
    constexpr IsResetLoad3dConfig(bool setFMatrix, bool setPadding) : isSetFMatrix(setFMatrix), isSetPadding(setPadding) {}
};
constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};
/// Whether and how Fixpipe cuts off below zero.
enum class ReluMode : uint8_t { NO_RELU = 0, NORMAL_RELU = 1, SCALAR_RELU = 2, VECTOR_RELU = 3 };
/// Whether Fixpipe cuts off above a limit.
enum class ClipReluMode { NOCLIP_RELU = 0, CLIP_RELU = 1 };
/// Whether the cube unit rounds float to its internal format.
enum class HF32Mode { ENABLE, DISABLE };
/// How the cube unit rounds float to its internal format.
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };
/// Layout that Fixpipe writes.
enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };
/// Options of Fixpipe: the layout of its destination and whether that is in UB.
struct FixpipeConfig {
    CO2Layout format = CO2Layout::ROW_MAJOR;
    bool isToUB = false;
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ, false};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR, false};
constexpr FixpipeConfig CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR, false};
constexpr FixpipeConfig CFG_ROW_MAJOR_UB = {CO2Layout::ROW_MAJOR, true};
constexpr FixpipeConfig CFG_NZ_UB = {CO2Layout::NZ, true};
/// Which of the two feature matrix registers a setting goes to.
enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

/// A load of 512-byte fractals: `repeatTimes` of them, `srcStride` apart in the source, from fractal `startIndex`.
struct LoadData2DParams {
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint8_t sid = 0;
    uint16_t dstGap = 0;
    bool ifTranspose = false;
    uint8_t addrMode = 0;
    constexpr LoadData2DParams() = default;
    constexpr LoadData2DParams(uint16_t startIndexIn, uint8_t repeatTimesIn, uint16_t srcStrideIn, uint8_t sidIn, uint16_t dstGapIn, bool ifTransposeIn, uint8_t addrModeIn) : startIndex(startIndexIn), repeatTimes(repeatTimesIn), srcStride(srcStrideIn), sid(sidIn), dstGap(dstGapIn), ifTranspose(ifTransposeIn), addrMode(addrModeIn) {}
};
/// The older spelling of LoadData2DParams.
using LoadData2dParams = LoadData2DParams;
/// A load of fractals by position and steps along m and k.
struct LoadData2DParamsV2 {
    uint32_t mStartPosition = 0;
    uint32_t kStartPosition = 0;
    uint16_t mStep = 0;
    uint16_t kStep = 0;
    int32_t srcStride = 0;
    uint16_t dstStride = 0;
    bool ifTranspose = false;
    uint8_t sid = 0;
    constexpr LoadData2DParamsV2() = default;
    constexpr LoadData2DParamsV2(uint32_t mStartPositionIn, uint32_t kStartPositionIn, uint16_t mStepIn, uint16_t kStepIn, int32_t srcStrideIn, uint16_t dstStrideIn, bool ifTransposeIn, uint8_t sidIn) : mStartPosition(mStartPositionIn), kStartPosition(kStartPositionIn), mStep(mStepIn), kStep(kStepIn), srcStride(srcStrideIn), dstStride(dstStrideIn), ifTranspose(ifTransposeIn), sid(sidIn) {}
};
/// A load of fractals with their shared exponents.
struct LoadData2DMxParams {
    uint16_t xStartPosition = 0;
    uint16_t yStartPosition = 0;
    uint8_t xStep = 0;
    uint8_t yStep = 0;
    uint16_t srcStride = 0;
    uint16_t dstStride = 0;
    constexpr LoadData2DMxParams() = default;
    constexpr LoadData2DMxParams(uint16_t xStartPositionIn, uint16_t yStartPositionIn, uint8_t xStepIn, uint8_t yStepIn, uint16_t srcStrideIn, uint16_t dstStrideIn) : xStartPosition(xStartPositionIn), yStartPosition(yStartPositionIn), xStep(xStepIn), yStep(yStepIn), srcStride(srcStrideIn), dstStride(dstStrideIn) {}
};
/// A load of square fractal groups, transposed.
struct LoadData2dTransposeParams {
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint8_t addrMode = 0;
    constexpr LoadData2dTransposeParams() = default;
    constexpr LoadData2dTransposeParams(uint16_t startIndexIn, uint8_t repeatTimesIn, uint16_t srcStrideIn, uint16_t dstGapIn, uint16_t dstFracGapIn, uint8_t addrModeIn = 0) : startIndex(startIndexIn), repeatTimes(repeatTimesIn), srcStride(srcStrideIn), dstGap(dstGapIn), dstFracGap(dstFracGapIn), addrMode(addrModeIn) {}
};
/// A load of square fractal groups, transposed, with a gap between the source's fractals.
struct LoadData2dTransposeParamsV2 {
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint16_t srcFracGap = 0;
    uint8_t addrMode = 0;
    constexpr LoadData2dTransposeParamsV2() = default;
    constexpr LoadData2dTransposeParamsV2(uint16_t startIndexIn, uint8_t repeatTimesIn, uint16_t srcStrideIn, uint16_t dstGapIn, uint16_t dstFracGapIn, uint16_t srcFracGapIn, uint8_t addrModeIn = 0) : startIndex(startIndexIn), repeatTimes(repeatTimesIn), srcStride(srcStrideIn), dstGap(dstGapIn), dstFracGap(dstFracGapIn), srcFracGap(srcFracGapIn), addrMode(addrModeIn) {}
};
/// A load of an image as the matrix of a convolution (im2col).
template <typename T>
struct LoadData3DParamsV1 {
    uint8_t padList[4] = {};
    uint16_t l1H = 0;
    uint16_t l1W = 0;
    uint16_t c1Index = 0;
    uint8_t fetchFilterW = 0;
    uint8_t fetchFilterH = 0;
    int16_t leftTopW = 0;
    int16_t leftTopH = 0;
    uint8_t strideW = 0;
    uint8_t strideH = 0;
    uint8_t filterW = 0;
    uint8_t filterH = 0;
    uint8_t dilationFilterW = 0;
    uint8_t dilationFilterH = 0;
    uint8_t jumpStride = 0;
    uint8_t repeatMode = 0;
    uint8_t repeatTime = 0;
    uint8_t cSize = 0;
    T padValue = 0;
};
/// A load of an image as the matrix of a convolution (im2col), by extension and start along k and m.
template <typename T>
struct LoadData3DParamsV2 {
    uint8_t padList[4] = {};
    uint16_t l1H = 0;
    uint16_t l1W = 0;
    uint16_t channelSize = 0;
    uint16_t kExtension = 0;
    uint16_t mExtension = 0;
    uint16_t kStartPt = 0;
    uint16_t mStartPt = 0;
    uint8_t strideW = 1;
    uint8_t strideH = 1;
    uint8_t filterW = 1;
    uint8_t filterH = 1;
    uint8_t dilationFilterW = 1;
    uint8_t dilationFilterH = 1;
    bool enTranspose = false;
    bool enSmallK = false;
    T padValue = 0;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
    LoadData3DParamsV2() = default;
    LoadData3DParamsV2(const uint8_t padding[4], uint16_t height, uint16_t width, uint16_t channels, uint16_t kExtensionIn, uint16_t mExtensionIn, uint16_t kStart, uint16_t mStart, uint8_t strideWIn, uint8_t strideHIn, uint8_t filterWIn, uint8_t filterHIn, uint8_t dilationW, uint8_t dilationH, bool transpose, bool smallK, T pad, bool wideFilterW = false, bool wideFilterH = false, bool right = false);
};
/// A load of an image as the matrix of a convolution, with the registers set before.
struct LoadData3DParamsV2Pro {
    uint16_t channelSize = 0;
    bool enTranspose = false;
    bool enSmallK = false;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
    uint64_t extConfig = 0;
    uint64_t filterConfig = 0x10101010101;
};
/// Repeats of a load with strides.
struct LoadDataRepeatParam {
    uint16_t repeatStride = 0;
    uint8_t repeatTime = 1;
    uint8_t repeatMode = 0;
    uint16_t dstStride = 0;
    uint8_t reserved = 0;
};
/// Repeats of a load with strides in both matrices.
struct LoadDataRepeatParamWithStride {
    uint16_t repeatStride = 0;
    uint8_t repeatTime = 1;
    uint8_t repeatMode = 0;
    uint16_t dstStride = 0;
};
/// A multiplication of the cube unit: m x k by k x n, with or without a bias and an initial value.
struct MmadParams {
    uint16_t m = 0;
    uint16_t n = 0;
    uint16_t k = 0;
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    uint8_t unitFlag = 0;
    bool kDirectionAlign = false;
    bool cmatrixSource = false;
    bool cmatrixInitVal = true;
    bool gemvCtrl = false;
    bool disableGemv = false;
    constexpr MmadParams() = default;
    constexpr MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, bool isBiasIn, int32_t fmOffsetIn = 0, bool enSsparseIn = false, bool enWinogradAIn = false, bool enWinogradBIn = false)
        : m(mIn), n(nIn), k(kIn), isBias(isBiasIn), fmOffset(fmOffsetIn), enSsparse(enSsparseIn), enWinogradA(enWinogradAIn), enWinogradB(enWinogradBIn) {}
    constexpr MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, uint8_t unitFlagIn, bool cmatrixSourceIn, bool cmatrixInitValIn)
        : m(mIn), n(nIn), k(kIn), unitFlag(unitFlagIn), cmatrixSource(cmatrixSourceIn), cmatrixInitVal(cmatrixInitValIn) {}
};
/// How Fixpipe turns fractals into rows.
struct Nz2NdParams {
    bool nz2ndEn = false;
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    uint16_t originalNSize = 0;
    constexpr Nz2NdParams() = default;
    constexpr Nz2NdParams(bool nz2ndEnIn, uint16_t ndNumIn, uint16_t srcNdStrideIn, uint16_t dstNdStrideIn, uint16_t originalNSizeIn) : nz2ndEn(nz2ndEnIn), ndNum(ndNumIn), srcNdStride(srcNdStrideIn), dstNdStride(dstNdStrideIn), originalNSize(originalNSizeIn) {}
};
/// How Fixpipe lays out several matrices.
struct TransformParams {
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint32_t dstNdStride = 0;
    constexpr TransformParams() = default;
    constexpr TransformParams(uint16_t ndNumIn, uint16_t srcNdStrideIn, uint32_t dstNdStrideIn) : ndNum(ndNumIn), srcNdStride(srcNdStrideIn), dstNdStride(dstNdStrideIn) {}
};
/// Quantisation of Fixpipe on the older chips.
struct QuantParams {
    QuantMode_t quantPre = NoQuant;
    uint64_t deqScalar = 0;
    constexpr QuantParams() = default;
    constexpr QuantParams(QuantMode_t mode, uint64_t scalar = 0) : quantPre(mode), deqScalar(scalar) {}
};
/// A move out of L0C by bursts.
template <typename T>
struct FixpipeParams {
    uint16_t cburstNum = 1;
    uint16_t burstLen = 1;
    uint32_t dstStride = 0;
    uint16_t srcStride = 0;
    QuantParams quantParams;
    bool reluEn = false;
    Nz2NdParams nz2ndParams;
    uint8_t unitFlag = 0;
    FixpipeParams() = default;
    FixpipeParams(uint16_t count, uint16_t len, uint16_t srcStrideIn, uint32_t dstStrideIn);
};
/// A move out of L0C on Atlas A2 and A3: an m x n block, strides in elements or fractals, quantised on the way.
struct FixpipeParamsV220 {
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0;
    bool reluEn = false;
    QuantMode_t quantPre = NoQuant;
    uint64_t deqScalar = 0;
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
    constexpr FixpipeParamsV220() = default;
    constexpr FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn) : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), reluEn(reluEnIn) {}
    constexpr FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn, QuantMode_t quant, int64_t scalar, uint16_t ndNumIn, uint16_t srcNdStrideIn, uint16_t dstNdStrideIn, uint8_t unit = 0) : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), reluEn(reluEnIn), quantPre(quant), deqScalar(scalar), ndNum(ndNumIn), srcNdStride(srcNdStrideIn), dstNdStride(dstNdStrideIn), unitFlag(unit) {}
};
using FixpipeParamsM300 = FixpipeParamsV220;
using FixpipeParamsM310 = FixpipeParamsV220;
/// A move out of L0C on Ascend 950, in one of the layouts of CO2Layout.
template <CO2Layout format = CO2Layout::ROW_MAJOR>
struct FixpipeParamsArch3510 {
    ReluMode preReluMode = ReluMode::NO_RELU;
    ClipReluMode preClipReluMode = ClipReluMode::NOCLIP_RELU;
    uint64_t reluScalar = 0;
    uint64_t vectorRelu = 0;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0;
    QuantMode_t quantPre = NoQuant;
    uint64_t deqScalar = 0;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    uint8_t dualDstCtl = 0;
    bool subBlockId = false;
    bool isChannelSplit = false;
    TransformParams params;
    constexpr FixpipeParamsArch3510() = default;
    constexpr FixpipeParamsArch3510(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn) : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn) {}
};
template <CO2Layout format = CO2Layout::ROW_MAJOR> using FixpipeParamsC310 = FixpipeParamsArch3510<format>;
/// A load of an image: its size, where it starts, the width of its rows in GM, and what is filled up around it.
struct LoadImageToLocalParams {
    uint16_t horizSize = 0;
    uint16_t vertSize = 0;
    uint16_t horizStartPos = 0;
    uint16_t vertStartPos = 0;
    uint16_t srcHorizSize = 0;
    uint8_t topPadSize = 0;
    uint8_t botPadSize = 0;
    uint16_t leftPadSize = 0;
    uint16_t rightPadSize = 0;
    uint8_t sid = 0;
    constexpr LoadImageToLocalParams() = default;
    constexpr LoadImageToLocalParams(uint16_t horizSizeIn, uint16_t vertSizeIn, uint16_t horizStartPosIn, uint16_t vertStartPosIn, uint16_t srcHorizSizeIn, uint8_t topPadSizeIn, uint8_t botPadSizeIn, uint16_t leftPadSizeIn, uint16_t rightPadSizeIn)
        : horizSize(horizSizeIn), vertSize(vertSizeIn), horizStartPos(horizStartPosIn), vertStartPos(vertStartPosIn), srcHorizSize(srcHorizSizeIn), topPadSize(topPadSizeIn), botPadSize(botPadSizeIn), leftPadSize(leftPadSizeIn), rightPadSize(rightPadSizeIn) {}
};
/// A fill of L1, L0A or L0B: `repeatTimes` runs of `blockNum` blocks with `initValue`.
template <typename T>
struct InitConstValueParams {
    uint16_t repeatTimes = 0;
    uint16_t blockNum = 0;
    uint16_t dstGap = 0;
    T initValue = 0;
    InitConstValueParams() = default;
    InitConstValueParams(uint16_t repeats, uint16_t blocks, uint16_t gap, T value) : repeatTimes(repeats), blockNum(blocks), dstGap(gap), initValue(value) {}
};
/// A convolution on the cube unit.
struct ConvParams;
/// Sizes of a two-dimensional convolution.
struct Conv2dParams {
    uint32_t imgShape[2] = {};
    uint32_t kernelShape[2] = {};
    uint32_t stride[2] = {};
    uint32_t cin = 0;
    uint32_t cout = 0;
    uint32_t padList[4] = {};
    uint32_t dilation[2] = {};
    uint32_t initY = 0;
    bool partialSum = false;
};
struct Conv2dTilling {};
/// The tiling of Gemm.
struct GemmTiling {
    const uint32_t blockSize = 16;
    uint32_t loopMode = 0;
    uint32_t mNum = 0;
    uint32_t nNum = 0;
    uint32_t kNum = 0;
    uint32_t roundM = 0;
    uint32_t roundN = 0;
    uint32_t roundK = 0;
};

/// Loads fractals to L0A, L0B or L1.
template <typename T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParams &loadDataParams);
template <typename T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const LoadData2DParams &loadDataParams);
template <typename T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParamsV2 &loadDataParams);
template <typename T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const LoadData2DParamsV2 &loadDataParams);
template <typename T, typename U, typename M> __aicore__ inline void LoadData(const LocalTensor<U> &dst, const LocalTensor<T> &src, const LocalTensor<M> &srcMx, const LoadData2DParamsV2 &loadDataParams, const LoadData2DMxParams &loadMxDataParams);
template <typename T, typename U> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const GlobalTensor<U> &src, const LoadData2DParamsV2 &loadDataParams, const Nd2NzParamsV2 &nd2nzParams);
template <typename T, const IsResetLoad3dConfig &config = IS_RESER_LOAD3D_DEFAULT_CONFIG, typename U = T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData3DParamsV1<U> &loadDataParams);
template <typename T, const IsResetLoad3dConfig &config = IS_RESER_LOAD3D_DEFAULT_CONFIG, typename U = T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData3DParamsV2<U> &loadDataParams);
template <typename T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData3DParamsV2Pro &loadDataParams);
template <typename T, typename U> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<U> &index, const LoadData2DParams &loadDataParams);
/// Loads square groups of fractals to L0A or L0B, transposed.
template <typename T> __aicore__ inline void LoadDataWithTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2dTransposeParams &loadDataParams);
template <typename T> __aicore__ inline void LoadDataWithTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2dTransposeParamsV2 &loadDataParams);
/// Loads an image as the matrix of a convolution, with strides.
template <typename T, typename U> [[deprecated("use LoadData with LoadData3DParamsV2")]] __aicore__ inline void LoadDataWithStride(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData3DParamsV2<U> &loadDataParams);
/// Loads a matrix of a sparse multiplication.
template <typename T, typename U> __aicore__ inline void LoadDataWithSparse(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<U> &idx, const LoadData2DParams &loadDataParam);
/// Expands a compressed weight.
template <typename T> __aicore__ inline void LoadUnzipIndex(const GlobalTensor<T> &src, uint32_t numOfIndexTabEntry);
template <typename T> __aicore__ inline void LoadDataUnzip(const LocalTensor<T> &dst, const GlobalTensor<T> &src);
/// Loads an image and converts its colours.
template <typename T> __aicore__ inline void LoadImageToLocal(const LocalTensor<T> &dst, const LoadImageToLocalParams &loadDataParams);
/// Fills L1, L0A or L0B with one value.
template <typename T> __aicore__ inline void InitConstValue(const LocalTensor<T> &dst, const InitConstValueParams<T> &initConstValueParams);
template <typename T, typename U, typename = std::enable_if_t<std::is_same_v<T, U>>> __aicore__ inline void Fill(const LocalTensor<T> &dst, const InitConstValueParams<U> &initConstValueParams);
/// Sets the size and padding of the image that LoadData turns into a matrix.
__aicore__ inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4], const FmatrixMode &fmatrixMode);
/// Sets where LoadData reads the image's borders from.
__aicore__ inline void SetLoadDataBoundary(uint32_t boundaryValue);
/// Sets the value that LoadData fills with.
template <typename T> __aicore__ inline void SetLoadDataPaddingValue(const T padValue);
/// Sets the repeats of LoadData.
__aicore__ inline void SetLoadDataRepeat(const LoadDataRepeatParam &repeatParams);
/// Sets the repeats of LoadData, with a stride of the destination.
__aicore__ inline void SetLoadDataRepeatWithStride(const LoadDataRepeatParamWithStride &repeatParams);
/// Lets the cube unit round float to its internal 19-bit format.
__aicore__ inline void SetHF32Mode(bool hf32Mode);
__aicore__ inline void SetHF32Mode(HF32Mode mode);
/// Chooses how float is rounded to the internal format.
__aicore__ inline void SetHF32TransMode(bool hf32TransMode);
__aicore__ inline void SetHF32TransMode(HF32TransMode mode);
/// Chooses whether results are laid out by rows or by columns first.
__aicore__ inline void SetMMLayoutTransform(bool mmLayoutMode);
__aicore__ inline void SetMMRowMajor();
__aicore__ inline void SetMMColumnMajor();
/// Multiplies a matrix in L0A by one in L0B into L0C.
template <typename T, typename U, typename S> __aicore__ inline void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter, const MmadParams &mmadParams)
{
    static_assert(Constraint::isOneOf<T, float, int32_t, half>, "Mmad accumulates in float, int32_t or half");
    KERNELGEN_RUN_CUBE(Mmad, (dst, fm, filter, mmadParams))
}
template <typename T, typename U, typename S, typename V> __aicore__ inline void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter, const LocalTensor<V> &bias, const MmadParams &mmadParams)
{
    static_assert(Constraint::isOneOf<T, float, int32_t, half>, "Mmad accumulates in float, int32_t or half");
    KERNELGEN_RUN_CUBE(Mmad, (dst, fm, filter, bias, mmadParams))
}
/// Multiplies matrices with shared exponents.
template <typename T, typename U, typename S> __aicore__ inline void MmadMx(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter, const MmadParams &mmadParams);
template <typename T, typename U, typename S, typename V> __aicore__ inline void MmadMx(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter, const LocalTensor<V> &bias, const MmadParams &mmadParams);
/// Multiplies with a sparse right matrix.
template <typename T, typename U, typename S> __aicore__ inline void MmadWithSparse(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter, const MmadParams &mmadParams);
/// Multiplies matrices in L1, tile by tile.
template <typename T, typename U, typename S> __aicore__ inline void Gemm(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<S> &src1, const uint32_t m, const uint32_t k, const uint32_t n, GemmTiling tilling, bool partialsum = true, int32_t initValue = 0);
/// A tiling for Gemm.
template <typename T> __aicore__ inline GemmTiling GetGemmTiling(uint32_t m, uint32_t k, uint32_t n);
/// A two-dimensional convolution in L1.
template <typename T, typename U, typename S> __aicore__ inline void Conv2D(const LocalTensor<T> &dst, const LocalTensor<U> &featureMap, const LocalTensor<S> &weight, Conv2dParams &conv2dParams, Conv2dTilling &tilling);
template <typename T> __aicore__ inline Conv2dTilling GetConv2dTiling(Conv2dParams &conv2dParams);
/// Moves a result out of L0C to GM, UB or L1, converted, quantised and laid out on the way.
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR> __aicore__ inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &intriParams);
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR> __aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &intriParams);
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR, typename S> __aicore__ inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<S> &cbufWorkspace, const FixpipeParamsV220 &intriParams);
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR, typename S> __aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<S> &cbufWorkspace, const FixpipeParamsV220 &intriParams);
template <typename T, typename U, typename S> __aicore__ inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParams<S> &intriParams);
template <typename T, typename U, typename V, typename S> __aicore__ inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<V> &cbufWorkspace, const FixpipeParams<S> &intriParams);
template <typename T, typename U, typename V, typename S> __aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<V> &cbufWorkspace, const FixpipeParams<S> &intriParams);
template <typename T, typename U, typename S> __aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParams<S> &intriParams);
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR, CO2Layout format> __aicore__ inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsArch3510<format> &intriParams);
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR, CO2Layout format> __aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsArch3510<format> &intriParams);
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR, CO2Layout format, typename S> __aicore__ inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<S> &cbufWorkspace, const FixpipeParamsArch3510<format> &intriParams);
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR, CO2Layout format, typename S> __aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<S> &cbufWorkspace, const FixpipeParamsArch3510<format> &intriParams);
/// Sets where Fixpipe finds its vectors for quantisation and activation.
template <typename T> __aicore__ inline void SetFixPipeConfig(const LocalTensor<T> &reluPre, const LocalTensor<T> &quantPre, bool isUnitFlag = false);
template <typename T, bool setRelu = false> __aicore__ inline void SetFixPipeConfig(const LocalTensor<T> &preTensor, bool isUnitFlag = false);
/// Sets how Fixpipe lays out several matrices.
__aicore__ inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride);
/// Sets the scalar that Fixpipe quantises by.
__aicore__ inline void SetFixpipePreQuantFlag(uint64_t config);
__aicore__ inline void SetFixPipeClipRelu(uint64_t config);
template <typename T> __aicore__ inline void SetFixPipeAddr(const LocalTensor<T> &eleWiseTensor, uint16_t c0ChStride);
/// Sets the bias of a multiplication from L1.
template <typename T, typename U> __aicore__ inline void BroadCastVecToMM(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t blockCount, const uint8_t blockLen, const uint8_t srcGap, const uint8_t dstGap);

}

using AscendC::QuantMode_t;
using AscendC::NoQuant;
using AscendC::F322F16;
using AscendC::F322BF16;
using AscendC::DEQF16;
using AscendC::VDEQF16;
using AscendC::QF322B8_PRE;
using AscendC::VQF322B8_PRE;
using AscendC::REQ8;
using AscendC::VREQ8;
using AscendC::QF322F16_PRE;
using AscendC::VQF322F16_PRE;
using AscendC::QF322BF16_PRE;
using AscendC::VQF322BF16_PRE;
using AscendC::QF322F32_PRE;
using AscendC::VQF322F32_PRE;
using AscendC::QS322BF16_PRE;
using AscendC::VQS322BF16_PRE;
using AscendC::SHIFTS322S16;
using AscendC::VSHIFTS322S16;

#endif
