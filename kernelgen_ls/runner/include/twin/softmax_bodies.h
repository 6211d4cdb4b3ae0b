// Softmax and what goes with it.
#ifndef KERNELGEN_TWIN_SOFTMAX_BODIES_H
#define KERNELGEN_TWIN_SOFTMAX_BODIES_H

namespace kgtwin {

/// The real rows, the padded and the real columns of a softmax: of its shape, where that is given, else of its tiling.
template <typename Tiling> SoftmaxRows rowsOf(const Tiling &tiling, const AscendC::SoftMaxShapeInfo &shape, bool single = false)
{
    uint32_t rows = shape.srcM ? shape.srcM : tiling.srcM, pitch = shape.srcK ? shape.srcK : tiling.srcK;
    return {shape.oriSrcM ? shape.oriSrcM : rows, pitch, shape.oriSrcK ? shape.oriSrcK : pitch, single};
}
constexpr bool isSingle(const AscendC::SoftmaxConfig &config) { return config.mode == AscendC::SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC; }

}

namespace AscendC {

#define KGTWIN_FRACTALS(what)                                                                                          \
    if (isDataFormatNZ) ::kgtwin::notExecuted(what " of the NZ format");

template <typename T, bool isReuseSource, bool isBasicBlock, const SoftmaxConfig &config> __aicore__ inline void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    ::kgtwin::softmax(::kgtwin::Softmax::plain, dst.twin, src.twin, {}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock, const SoftmaxConfig &config> __aicore__ inline void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    ::kgtwin::softmax(::kgtwin::Softmax::plain, dst.twin, src.twin, {}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftMax")
    ::kgtwin::softmax(::kgtwin::Softmax::plain, dst.twin, src.twin, {&sumTensor.twin, &maxTensor.twin}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SimpleSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &inSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SimpleSoftMax")
    ::kgtwin::softmaxOfParts(dst.twin, src.twin, inSumTensor.twin, inMaxTensor.twin, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock> __aicore__ inline void SoftmaxFlash(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inSumTensor, const LocalTensor<T> &inMaxTensor, const SoftMaxTiling &tiling, bool isUpdate, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    ::kgtwin::softmax(::kgtwin::Softmax::flash, dst.twin, src.twin, {&sumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, nullptr, ::kgtwin::orNull(isUpdate, inSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape));
}
template <typename T, bool isUpdate, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &expSumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inExpSumTensor, const LocalTensor<T> &inMaxTensor, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxFlashV2")
    ::kgtwin::softmax(::kgtwin::Softmax::flash2, dst.twin, src.twin, {&expSumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, nullptr, ::kgtwin::orNull(isUpdate, inExpSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftMax")
    ::kgtwin::softmax(::kgtwin::Softmax::plain, dst.twin, src.twin, {&sumTensor.twin, &maxTensor.twin}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SimpleSoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &inSumTensor, const LocalTensor<float> &inMaxTensor, const LocalTensor<half> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SimpleSoftMax")
    ::kgtwin::softmaxOfParts(dst.twin, src.twin, inSumTensor.twin, inMaxTensor.twin, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock> __aicore__ inline void SoftmaxFlash(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<half> &expMaxTensor, const LocalTensor<float> &inSumTensor, const LocalTensor<float> &inMaxTensor, const SoftMaxTiling &tiling, bool isUpdate, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    ::kgtwin::softmax(::kgtwin::Softmax::flash, dst.twin, src.twin, {&sumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, nullptr, ::kgtwin::orNull(isUpdate, inSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape));
}
template <typename T, bool isUpdate, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<half> &dst, const LocalTensor<float> &expSumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<half> &expMaxTensor, const LocalTensor<float> &inExpSumTensor, const LocalTensor<float> &inMaxTensor, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxFlashV2")
    ::kgtwin::softmax(::kgtwin::Softmax::flash2, dst.twin, src.twin, {&expSumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, nullptr, ::kgtwin::orNull(isUpdate, inExpSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isUpdate, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &outReduceMax, const LocalTensor<T> &expSumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inExpSumTensor, const LocalTensor<T> &inMaxTensor, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxFlashV2")
    ::kgtwin::softmax(::kgtwin::Softmax::flash2, dst.twin, src.twin, {&expSumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, ::kgtwin::orNull(isUpdate, outReduceMax.twin), ::kgtwin::orNull(isUpdate, inExpSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isDataFormatNZ> __aicore__ inline void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, bool isFront, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxGrad")
    auto sizes = ::kgtwin::rowsOf(tiling, shape);
    ::kgtwin::softmaxGradient(dst.twin, gradTensor.twin, src.twin, sizes.rows, sizes.pitch, sizes.columns, isFront);
}
template <typename T, bool isBasicBlock, bool isDataFormatNZ> __aicore__ inline void SoftmaxGradFront(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxGradFront")
    auto sizes = ::kgtwin::rowsOf(tiling, shape);
    ::kgtwin::softmaxGradient(dst.twin, gradTensor.twin, src.twin, sizes.rows, sizes.pitch, sizes.columns, true);
}
template <typename T, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftMax")
    ::kgtwin::softmax(::kgtwin::Softmax::plain, dst.twin, src.twin, {&sumTensor.twin, &maxTensor.twin}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SimpleSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &inSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SimpleSoftMax")
    ::kgtwin::softmaxOfParts(dst.twin, src.twin, inSumTensor.twin, inMaxTensor.twin, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock> __aicore__ inline void SoftmaxFlash(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, bool isUpdate, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    ::kgtwin::softmax(::kgtwin::Softmax::flash, dst.twin, src.twin, {&sumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, nullptr, ::kgtwin::orNull(isUpdate, inSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape));
}
template <typename T, bool isUpdate, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &expSumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inExpSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxFlashV2")
    ::kgtwin::softmax(::kgtwin::Softmax::flash2, dst.twin, src.twin, {&expSumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, nullptr, ::kgtwin::orNull(isUpdate, inExpSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftMax")
    ::kgtwin::softmax(::kgtwin::Softmax::plain, dst.twin, src.twin, {&sumTensor.twin, &maxTensor.twin}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SimpleSoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &inSumTensor, const LocalTensor<float> &inMaxTensor, const LocalTensor<half> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SimpleSoftMax")
    ::kgtwin::softmaxOfParts(dst.twin, src.twin, inSumTensor.twin, inMaxTensor.twin, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isBasicBlock> __aicore__ inline void SoftmaxFlash(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<half> &expMaxTensor, const LocalTensor<float> &inSumTensor, const LocalTensor<float> &inMaxTensor, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, bool isUpdate, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    ::kgtwin::softmax(::kgtwin::Softmax::flash, dst.twin, src.twin, {&sumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, nullptr, ::kgtwin::orNull(isUpdate, inSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape));
}
template <typename T, bool isUpdate, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<half> &dst, const LocalTensor<float> &expSumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<half> &expMaxTensor, const LocalTensor<float> &inExpSumTensor, const LocalTensor<float> &inMaxTensor, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxFlashV2")
    ::kgtwin::softmax(::kgtwin::Softmax::flash2, dst.twin, src.twin, {&expSumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, nullptr, ::kgtwin::orNull(isUpdate, inExpSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isUpdate, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &outReduceMax, const LocalTensor<T> &expSumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inExpSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxFlashV2")
    ::kgtwin::softmax(::kgtwin::Softmax::flash2, dst.twin, src.twin, {&expSumTensor.twin, &maxTensor.twin, &expMaxTensor.twin, ::kgtwin::orNull(isUpdate, outReduceMax.twin), ::kgtwin::orNull(isUpdate, inExpSumTensor.twin), ::kgtwin::orNull(isUpdate, inMaxTensor.twin)}, ::kgtwin::rowsOf(tiling, shape, ::kgtwin::isSingle(config)));
}
template <typename T, bool isReuseSource, bool isDataFormatNZ> __aicore__ inline void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, bool isFront, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxGrad")
    auto sizes = ::kgtwin::rowsOf(tiling, shape);
    ::kgtwin::softmaxGradient(dst.twin, gradTensor.twin, src.twin, sizes.rows, sizes.pitch, sizes.columns, isFront);
}
template <typename T, bool isBasicBlock, bool isDataFormatNZ> __aicore__ inline void SoftmaxGradFront(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("SoftmaxGradFront")
    auto sizes = ::kgtwin::rowsOf(tiling, shape);
    ::kgtwin::softmaxGradient(dst.twin, gradTensor.twin, src.twin, sizes.rows, sizes.pitch, sizes.columns, true);
}
template <typename T, bool isReuseSource, bool isDataFormatNZ> __aicore__ inline void LogSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const LogSoftMaxTiling &tiling, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    KGTWIN_FRACTALS("LogSoftMax")
    ::kgtwin::softmax(::kgtwin::Softmax::logarithm, dst.twin, src.twin, {&sumTensor.twin, &maxTensor.twin}, ::kgtwin::rowsOf(tiling, shape));
}
template <typename T1, typename T2, bool isDataFormatNZ, uint8_t stepSizeMode> __aicore__ inline bool AdjustSoftMaxRes(const LocalTensor<T1> &softMaxRes, const LocalTensor<T2> &maxTensor, const uint32_t from, const T1 to, const SoftMaxShapeInfo &shape)
{
#if KGTWIN_HAS_VECTOR
    KGTWIN_CALL;
    KGTWIN_FRACTALS("AdjustSoftMaxRes")
    return ::kgtwin::adjustSoftmax(softMaxRes.twin, maxTensor.twin, from, ::kgtwin::bitsOf(to), {shape.oriSrcM ? shape.oriSrcM : shape.srcM, shape.srcK, shape.oriSrcK ? shape.oriSrcK : shape.srcK, stepSizeMode != 0});
#else
    return false;
#endif
}
#undef KGTWIN_FRACTALS

template <typename T, typename U, bool isReuseMask> __aicore__ inline void SelectWithBytesMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, T src1, const LocalTensor<U> &mask, const LocalTensor<uint8_t> &, const SelectWithBytesMaskShapeInfo &info)
{
    KGTWIN_CALL;
    ::kgtwin::selectByBytes(dst.twin, src0.twin, ::kgtwin::bitsOf(src1), mask.twin, info.firstAxis, info.srcLastAxis, info.maskLastAxis, false);
}
template <typename T, typename U, bool isReuseMask> __aicore__ inline void SelectWithBytesMask(const LocalTensor<T> &dst, T src0, const LocalTensor<T> &src1, const LocalTensor<U> &mask, const LocalTensor<uint8_t> &, const SelectWithBytesMaskShapeInfo &info)
{
    KGTWIN_CALL;
    ::kgtwin::selectByBytes(dst.twin, src1.twin, ::kgtwin::bitsOf(src0), mask.twin, info.firstAxis, info.srcLastAxis, info.maskLastAxis, true);
}

}

#endif
