// The cube unit: loads, products, Fixpipe and its settings.
#ifndef KERNELGEN_TWIN_CUBE_BODIES_H
#define KERNELGEN_TWIN_CUBE_BODIES_H

namespace kgtwin {

inline Fractals fractalsOf(const AscendC::LoadData2DParams &params)
{
    return {params.startIndex, params.repeatTimes, params.addrMode ? -int32_t(params.srcStride) : int32_t(params.srcStride), int32_t(params.dstGap) + 1, params.ifTranspose};
}
template <typename T> Image imageOf(const AscendC::LoadData3DParamsV2<T> &params, AscendC::IsResetLoad3dConfig config)
{
    Image image;
    std::memcpy(image.padding, params.padList, 4);
    image.height = params.l1H;
    image.width = params.l1W;
    image.channels = params.channelSize;
    image.kCount = params.kExtension;
    image.mCount = params.mExtension;
    image.kStart = params.kStartPt;
    image.mStart = params.mStartPt;
    image.strideWidth = params.strideW;
    image.strideHeight = params.strideH;
    image.filterWidth = params.filterW + (params.filterSizeW ? 256u : 0u);
    image.filterHeight = params.filterH + (params.filterSizeH ? 256u : 0u);
    image.dilationWidth = params.dilationFilterW;
    image.dilationHeight = params.dilationFilterH;
    image.transposes = params.enTranspose;
    image.setsSize = config.isSetFMatrix;
    image.setsPadding = config.isSetPadding;
    image.padValue = bitsOf(params.padValue);
    return image;
}
inline MatrixProduct productOf(const AscendC::MmadParams &params)
{
    bool adds = params.isBias || !params.cmatrixInitVal;
    return {params.m, params.n, params.k, !adds, adds && params.cmatrixSource, params.kDirectionAlign, params.unitFlag};
}
inline Drain drainOf(const AscendC::FixpipeParamsV220 &params, bool rows)
{
    Drain drain;
    drain.m = params.mSize;
    drain.n = params.nSize;
    drain.srcStride = params.srcStride;
    drain.dstStride = params.dstStride;
    drain.rows = rows;
    drain.relu = params.reluEn;
    drain.quant = params.quantPre;
    drain.scalar = params.deqScalar;
    if (rows) {
        drain.matrices = params.ndNum;
        drain.srcMatrixStep = params.srcNdStride;
        drain.dstMatrixStep = params.dstNdStride;
    }
    drain.unitFlag = params.unitFlag;
    drain.splits = params.isChannelSplit;
    return drain;
}
inline Drain drainOf(const AscendC::DataCopyCO12DstParams &params, bool rows)
{
    Drain drain;
    drain.m = params.mSize;
    drain.n = params.nSize;
    drain.srcStride = params.srcStride;
    drain.dstStride = params.dstStride;
    drain.rows = rows && params.nz2ndEn;
    drain.relu = params.reluPre != 0;
    drain.quant = params.quantPre;
    drain.unitFlag = params.unitFlag;
    drain.splits = params.channelSplit;
    withFixSettings(drain);
    return drain;
}

}

namespace AscendC {

template <typename T>
LoadData3DParamsV2<T>::LoadData3DParamsV2(const uint8_t padding[4], uint16_t height, uint16_t width, uint16_t channels, uint16_t kExtensionIn, uint16_t mExtensionIn, uint16_t kStart, uint16_t mStart, uint8_t strideWIn, uint8_t strideHIn, uint8_t filterWIn, uint8_t filterHIn, uint8_t dilationW, uint8_t dilationH, bool transpose, bool smallK, T pad, bool wideFilterW, bool wideFilterH, bool right)
    : l1H(height), l1W(width), channelSize(channels), kExtension(kExtensionIn), mExtension(mExtensionIn), kStartPt(kStart), mStartPt(mStart), strideW(strideWIn), strideH(strideHIn), filterW(filterWIn), filterH(filterHIn), dilationFilterW(dilationW), dilationFilterH(dilationH), enTranspose(transpose), enSmallK(smallK), padValue(pad), filterSizeW(wideFilterW), filterSizeH(wideFilterH), fMatrixCtrl(right)
{
    for (int i = 0; i < 4; ++i) padList[i] = padding[i];
}
inline DataCopyCO12DstParams::DataCopyCO12DstParams(uint16_t nSizeIn, uint16_t mSizeIn, uint32_t dstStrideIn, uint16_t srcStrideIn, QuantMode_t quant, uint8_t relu, bool split, bool nz2nd)
    : nSize(nSizeIn), mSize(mSizeIn), dstStride(dstStrideIn), srcStride(srcStrideIn), quantPre(quant), reluPre(relu), channelSplit(split), nz2ndEn(nz2nd)
{
}

template <typename T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParams &loadDataParams)
{
    KGTWIN_CALL;
    ::kgtwin::loadFractals(dst.twin, &src.twin, nullptr, ::kgtwin::fractalsOf(loadDataParams));
}
template <typename T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const LoadData2DParams &loadDataParams)
{
    KGTWIN_CALL;
    ::kgtwin::loadFractals(dst.twin, nullptr, &src.twin, ::kgtwin::fractalsOf(loadDataParams));
}
template <typename T> __aicore__ inline void LoadDataWithTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2dTransposeParams &loadDataParams)
{
    KGTWIN_CALL;
    int32_t step = loadDataParams.srcStride;
    ::kgtwin::loadSquares(dst.twin, src.twin, {loadDataParams.startIndex, loadDataParams.repeatTimes, loadDataParams.addrMode ? -step : step, int32_t(loadDataParams.dstGap) + 1, int32_t(loadDataParams.dstFracGap) + 1});
}
template <typename T, const IsResetLoad3dConfig &config, typename U> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData3DParamsV2<U> &loadDataParams)
{
    KGTWIN_CALL;
    ::kgtwin::loadImage(dst.twin, src.twin, ::kgtwin::imageOf(loadDataParams, config));
}
template <typename T> __aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData3DParamsV2Pro &loadDataParams)
{
    KGTWIN_CALL;
    // 16 bits each of the one word, bytes of the other.
    auto word = [&](int shift) { return uint16_t(loadDataParams.extConfig >> shift); };
    auto octet = [&](int shift) { return uint8_t(loadDataParams.filterConfig >> shift); };
    LoadData3DParamsV2<uint32_t> params;
    params.channelSize = loadDataParams.channelSize;
    params.kExtension = word(0);
    params.mExtension = word(16);
    params.kStartPt = word(32);
    params.mStartPt = word(48);
    params.strideW = octet(0);
    params.strideH = octet(8);
    params.filterW = octet(16);
    params.filterH = octet(24);
    params.dilationFilterW = octet(32);
    params.dilationFilterH = octet(40);
    params.enTranspose = loadDataParams.enTranspose;
    params.filterSizeW = loadDataParams.filterSizeW;
    params.filterSizeH = loadDataParams.filterSizeH;
    ::kgtwin::loadImage(dst.twin, src.twin, ::kgtwin::imageOf(params, {false, false}));
}
template <typename T> __aicore__ inline void InitConstValue(const LocalTensor<T> &dst, const InitConstValueParams<T> &initConstValueParams)
{
    KGTWIN_CALL;
    ::kgtwin::fillFractals(dst.twin, initConstValueParams.repeatTimes, initConstValueParams.blockNum, initConstValueParams.dstGap, ::kgtwin::bitsOf(initConstValueParams.initValue));
}
template <typename T, typename U, typename> __aicore__ inline void Fill(const LocalTensor<T> &dst, const InitConstValueParams<U> &initConstValueParams)
{
    KGTWIN_CALL;
    ::kgtwin::fillFractals(dst.twin, initConstValueParams.repeatTimes, initConstValueParams.blockNum, initConstValueParams.dstGap, ::kgtwin::bitsOf(initConstValueParams.initValue));
}
__aicore__ inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4], const FmatrixMode &) { ::kgtwin::setImage(l1H, l1W, padList); }
template <typename T> __aicore__ inline void SetLoadDataPaddingValue(const T padValue) { ::kgtwin::setImagePadding(::kgtwin::bitsOf(padValue)); }
__aicore__ inline void SetLoadDataRepeat(const LoadDataRepeatParam &repeatParams) { ::kgtwin::setImageRepeats(repeatParams.repeatTime); }
__aicore__ inline void SetHF32Mode(bool hf32Mode) { ::kgtwin::setShortFloats(hf32Mode); }
__aicore__ inline void SetHF32Mode(HF32Mode mode) { ::kgtwin::setShortFloats(mode == HF32Mode::ENABLE); }
__aicore__ inline void SetHF32TransMode(bool hf32TransMode) { ::kgtwin::setShortFloatRounding(hf32TransMode); }
__aicore__ inline void SetHF32TransMode(HF32TransMode mode) { ::kgtwin::setShortFloatRounding(mode == HF32TransMode::NEAREST_ZERO); }
__aicore__ inline void SetMMLayoutTransform(bool) {}
__aicore__ inline void SetMMRowMajor() {}
__aicore__ inline void SetMMColumnMajor() {}

template <typename T, typename U, typename S> void kgRunMmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter, const MmadParams &mmadParams)
{
    ::kgtwin::mmad(dst.twin, fm.twin, filter.twin, nullptr, ::kgtwin::productOf(mmadParams));
}
template <typename T, typename U, typename S, typename V> void kgRunMmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter, const LocalTensor<V> &bias, const MmadParams &mmadParams)
{
    ::kgtwin::mmad(dst.twin, fm.twin, filter.twin, &bias.twin, ::kgtwin::productOf(mmadParams));
}

template <typename T, typename U, const FixpipeConfig &config> __aicore__ inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &intriParams)
{
    KGTWIN_CALL;
    ::kgtwin::fixpipe(&dst.twin, nullptr, ::kgtwin::typeOf<T>(), src.twin, nullptr, ::kgtwin::drainOf(intriParams, false));
}
template <typename T, typename U, const FixpipeConfig &config> __aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &intriParams)
{
    KGTWIN_CALL;
    ::kgtwin::fixpipe(nullptr, &dst.twin, ::kgtwin::typeOf<T>(), src.twin, nullptr, ::kgtwin::drainOf(intriParams, config.format == CO2Layout::ROW_MAJOR));
}
template <typename T, typename U, const FixpipeConfig &config, typename S> __aicore__ inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<S> &cbufWorkspace, const FixpipeParamsV220 &intriParams)
{
    KGTWIN_CALL;
    ::kgtwin::fixpipe(&dst.twin, nullptr, ::kgtwin::typeOf<T>(), src.twin, &cbufWorkspace.twin, ::kgtwin::drainOf(intriParams, false));
}
template <typename T, typename U, const FixpipeConfig &config, typename S> __aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<S> &cbufWorkspace, const FixpipeParamsV220 &intriParams)
{
    KGTWIN_CALL;
    ::kgtwin::fixpipe(nullptr, &dst.twin, ::kgtwin::typeOf<T>(), src.twin, &cbufWorkspace.twin, ::kgtwin::drainOf(intriParams, config.format == CO2Layout::ROW_MAJOR));
}
template <typename T, typename U> __aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyCO12DstParams &intriParams)
{
    KGTWIN_CALL;
    ::kgtwin::fixpipe(nullptr, &dst.twin, ::kgtwin::typeOf<T>(), src.twin, nullptr, ::kgtwin::drainOf(intriParams, true));
}
template <typename T, typename U> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyCO12DstParams &intriParams)
{
    KGTWIN_CALL;
    ::kgtwin::fixpipe(&dst.twin, nullptr, ::kgtwin::typeOf<T>(), src.twin, nullptr, ::kgtwin::drainOf(intriParams, false));
}
template <typename T> __aicore__ inline void SetFixPipeConfig(const LocalTensor<T> &, const LocalTensor<T> &quantPre, bool) { ::kgtwin::setFixParameters(quantPre.twin); }
template <typename T, bool setRelu> __aicore__ inline void SetFixPipeConfig(const LocalTensor<T> &preTensor, bool)
{
    if (!setRelu) ::kgtwin::setFixParameters(preTensor.twin);
}
__aicore__ inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) { ::kgtwin::setFixMatrices(ndNum, srcNdStride, dstNdStride); }
__aicore__ inline void SetFixpipePreQuantFlag(uint64_t config) { ::kgtwin::setFixScalar(config); }

template <typename T, bool enableSmallC0> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &intriParams)
{
    KGTWIN_CALL;
    ::kgtwin::copyRowsToFractals(dst.twin, src.twin, {intriParams.ndNum, intriParams.nValue, intriParams.dValue, intriParams.srcNdMatrixStride, intriParams.srcDValue, intriParams.dstNzC0Stride, intriParams.dstNzNStride, intriParams.dstNzMatrixStride});
}
template <typename T, typename U> __aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyParams &repeatParams)
{
    KGTWIN_CALL;
    ::kgtwin::copyToTable(dst.twin, src.twin, repeatParams.blockCount, repeatParams.blockLen, repeatParams.srcStride, repeatParams.dstStride);
}

}

#endif
