// Softmax and what goes with it.
#ifndef KERNELGEN_TWIN_SOFTMAX_BODIES_H
#define KERNELGEN_TWIN_SOFTMAX_BODIES_H

namespace kgtwin {

/// The real rows, the padded and the real columns of a softmax: of its shape, where that is given, else of its tiling.
struct SoftmaxSizes {
    uint32_t rows, pitch, columns;
};
template <typename Tiling> SoftmaxSizes sizesOf(const Tiling &tiling, const AscendC::SoftMaxShapeInfo &shape)
{
    uint32_t rows = shape.srcM ? shape.srcM : tiling.srcM, pitch = shape.srcK ? shape.srcK : tiling.srcK;
    return {shape.oriSrcM ? shape.oriSrcM : rows, pitch, shape.oriSrcK ? shape.oriSrcK : pitch};
}

}

namespace AscendC {

#define KGTWIN_SOFTMAX_HEAD template <typename T, bool isReuseSource, bool isBasicBlock, bool isDataFormatNZ, const SoftmaxConfig &config> __aicore__ inline void
#define KGTWIN_SOFTMAX_ROWS template <typename T, bool isReuseSource, bool isBasicBlock, const SoftmaxConfig &config> __aicore__ inline void
#define KGTWIN_SOFTMAX(inFractals, sums, maxima)                                                                       \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        if (inFractals) ::kgtwin::notExecuted("SoftMax of the NZ format");                                             \
        auto sizes = ::kgtwin::sizesOf(tiling, shape);                                                                 \
        ::kgtwin::softmaxRows(dst.twin, src.twin, sums, maxima, sizes.rows, sizes.pitch, sizes.columns);               \
    }
KGTWIN_SOFTMAX_ROWS SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape) KGTWIN_SOFTMAX(false, nullptr, nullptr)
KGTWIN_SOFTMAX_ROWS SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape) KGTWIN_SOFTMAX(false, nullptr, nullptr)
KGTWIN_SOFTMAX_HEAD SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape) KGTWIN_SOFTMAX(isDataFormatNZ, &sumTensor.twin, &maxTensor.twin)
KGTWIN_SOFTMAX_HEAD SoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape) KGTWIN_SOFTMAX(isDataFormatNZ, &sumTensor.twin, &maxTensor.twin)
KGTWIN_SOFTMAX_HEAD SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape) KGTWIN_SOFTMAX(isDataFormatNZ, &sumTensor.twin, &maxTensor.twin)
KGTWIN_SOFTMAX_HEAD SoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape) KGTWIN_SOFTMAX(isDataFormatNZ, &sumTensor.twin, &maxTensor.twin)
#undef KGTWIN_SOFTMAX
#undef KGTWIN_SOFTMAX_HEAD
#undef KGTWIN_SOFTMAX_ROWS

template <typename T, bool isReuseSource, bool isDataFormatNZ> __aicore__ inline void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, bool isFront, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    auto sizes = ::kgtwin::sizesOf(tiling, shape);
    ::kgtwin::softmaxGradient(dst.twin, gradTensor.twin, src.twin, sizes.rows, sizes.pitch, sizes.columns, isFront);
}
template <typename T, bool isReuseSource, bool isDataFormatNZ> __aicore__ inline void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, bool isFront, const SoftMaxShapeInfo &shape)
{
    KGTWIN_CALL;
    auto sizes = ::kgtwin::sizesOf(tiling, shape);
    ::kgtwin::softmaxGradient(dst.twin, gradTensor.twin, src.twin, sizes.rows, sizes.pitch, sizes.columns, isFront);
}

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
