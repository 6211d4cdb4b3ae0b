// The library's quantisation.
#ifndef KERNELGEN_TWIN_QUANTISE_BODIES_H
#define KERNELGEN_TWIN_QUANTISE_BODIES_H

namespace kgtwin {

inline Parameter parameterOf(float number) { return {nullptr, number, true}; }
template <typename T> Parameter parameterOf(const AscendC::LocalTensor<T> &tensor) { return {&tensor.twin, 0, true}; }

/// Rows of `computed` elements where one row is given that is a multiple of them, and rows are taken one by one.
template <AscendC::DeQuantMode mode, typename T, typename U, typename S> void dequantised(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<int32_t> &src, const U &scale, AscendC::DequantParams params, S)
{
    constexpr uint32_t inBlock = 32 / sizeof(T);
    bool single = mode == AscendC::DeQuantMode::DEQUANT_WITH_SINGLE_ROW && params.m == 1 && params.calCount && params.calCount % inBlock == 0 && params.n % params.calCount == 0;
    if (single) params = {params.n / params.calCount, params.calCount, params.calCount};
    if (std::is_integral_v<S>) notExecuted("AscendDequant with a scale of integers");
    dequantise(dst.twin, src.twin, parameterOf(scale), params.m, params.n, params.calCount);
}
/// Rows and columns of the source, and of offset and scale where they are tensors: their shape, or one row of them.
template <bool isTranspose, typename I> void antiquantised(const Local &dst, const AscendC::LocalTensor<I> &src, const Parameter &scale, const Parameter &offset, uint32_t k, const AscendC::AntiQuantShapeInfo &shape)
{
    if (std::is_same_v<I, int4b_t>) notExecuted("AscendAntiQuant of int4b_t");
    uint32_t others = k ? src.GetSize() / k : 0, rows = isTranspose ? others : k, columns = isTranspose ? k : others;
    uint32_t parameterRows = shape.scaleHeight ? shape.scaleHeight : isTranspose ? rows : 1;
    uint32_t parameterColumns = shape.scaleWidth ? shape.scaleWidth : isTranspose ? 1 : columns;
    antiquantise(dst, src.twin, scale, offset, rows, columns, parameterRows, parameterColumns);
}

}

namespace AscendC {

template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const float scale, const float offset, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scale), ::kgtwin::parameterOf(offset), 1, calCount);
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const float scale, const float offset)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scale), ::kgtwin::parameterOf(offset), 1, src.GetSize());
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const LocalTensor<T> &scaleTensor, const T offset, const uint32_t scaleCount, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scaleTensor), ::kgtwin::parameterOf(float(offset)), scaleCount, calCount);
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor, const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scaleTensor), ::kgtwin::parameterOf(offsetTensor), scaleCount, calCount);
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const LocalTensor<T> &scaleTensor, const T offset)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scaleTensor), ::kgtwin::parameterOf(float(offset)), scaleTensor.GetSize(), src.GetSize());
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scaleTensor), ::kgtwin::parameterOf(offsetTensor), scaleTensor.GetSize(), src.GetSize());
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const float scale, const float offset, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scale), ::kgtwin::parameterOf(offset), 1, calCount);
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const float scale, const float offset)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scale), ::kgtwin::parameterOf(offset), 1, src.GetSize());
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor, const T offset, const uint32_t scaleCount, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scaleTensor), ::kgtwin::parameterOf(float(offset)), scaleCount, calCount);
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor, const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scaleTensor), ::kgtwin::parameterOf(offsetTensor), scaleCount, calCount);
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor, const T offset)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scaleTensor), ::kgtwin::parameterOf(float(offset)), scaleTensor.GetSize(), src.GetSize());
}
template <typename T, bool isReuseSource, const AscendQuantConfig &config> __aicore__ inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor)
{
    KGTWIN_CALL;
    ::kgtwin::quantise(dst.twin, src.twin, ::kgtwin::parameterOf(scaleTensor), ::kgtwin::parameterOf(offsetTensor), scaleTensor.GetSize(), src.GetSize());
}
template <typename T, typename U, DeQuantMode mode> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, const LocalTensor<uint8_t> &, DequantParams params)
{
    KGTWIN_CALL;
    ::kgtwin::dequantised<mode>(dst, src, deqScale, params, U());
}
template <typename T, typename U, DeQuantMode mode> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, const LocalTensor<uint8_t> &, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::dequantised<mode>(dst, src, deqScale, {1, src.GetSize(), calCount}, U());
}
template <typename T, typename U, DeQuantMode mode> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, const LocalTensor<uint8_t> &)
{
    KGTWIN_CALL;
    ::kgtwin::dequantised<mode>(dst, src, deqScale, {1, src.GetSize(), deqScale.GetSize()}, U());
}
template <typename T, typename U, DeQuantMode mode> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const U deqScale, const LocalTensor<uint8_t> &, DequantParams params)
{
    KGTWIN_CALL;
    ::kgtwin::dequantised<mode>(dst, src, float(deqScale), params, U());
}
template <typename T, typename U, DeQuantMode mode> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, DequantParams params)
{
    KGTWIN_CALL;
    ::kgtwin::dequantised<mode>(dst, src, deqScale, params, U());
}
template <typename T, typename U, DeQuantMode mode> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale, const uint32_t calCount)
{
    KGTWIN_CALL;
    ::kgtwin::dequantised<mode>(dst, src, deqScale, {1, src.GetSize(), calCount}, U());
}
template <typename T, typename U, DeQuantMode mode> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const LocalTensor<U> &deqScale)
{
    KGTWIN_CALL;
    ::kgtwin::dequantised<mode>(dst, src, deqScale, {1, src.GetSize(), deqScale.GetSize()}, U());
}
template <typename T, typename U, DeQuantMode mode> __aicore__ inline void AscendDequant(const LocalTensor<T> &dst, const LocalTensor<int32_t> &src, const U deqScale, DequantParams params)
{
    KGTWIN_CALL;
    ::kgtwin::dequantised<mode>(dst, src, float(deqScale), params, U());
}
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<OutputDataType> &offset, const LocalTensor<OutputDataType> &scale, const LocalTensor<uint8_t> &, const uint32_t k, const AntiQuantShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::antiquantised<isTranspose>(dst.twin, src, ::kgtwin::parameterOf(scale), ::kgtwin::parameterOf(offset), k, shapeInfo);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const OutputDataType offset, const OutputDataType scale, const LocalTensor<uint8_t> &, const uint32_t k, const AntiQuantShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::antiquantised<isTranspose>(dst.twin, src, ::kgtwin::parameterOf(float(scale)), ::kgtwin::parameterOf(float(offset)), k, shapeInfo);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<OutputDataType> &scale, const LocalTensor<uint8_t> &, const uint32_t k, const AntiQuantShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::antiquantised<isTranspose>(dst.twin, src, ::kgtwin::parameterOf(scale), ::kgtwin::Parameter{nullptr, 0, false}, k, shapeInfo);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const OutputDataType scale, const LocalTensor<uint8_t> &, const uint32_t k, const AntiQuantShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::antiquantised<isTranspose>(dst.twin, src, ::kgtwin::parameterOf(float(scale)), ::kgtwin::Parameter{nullptr, 0, false}, k, shapeInfo);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<OutputDataType> &offset, const LocalTensor<OutputDataType> &scale, const uint32_t k, const AntiQuantShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::antiquantised<isTranspose>(dst.twin, src, ::kgtwin::parameterOf(scale), ::kgtwin::parameterOf(offset), k, shapeInfo);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const OutputDataType offset, const OutputDataType scale, const uint32_t k, const AntiQuantShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::antiquantised<isTranspose>(dst.twin, src, ::kgtwin::parameterOf(float(scale)), ::kgtwin::parameterOf(float(offset)), k, shapeInfo);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const LocalTensor<OutputDataType> &scale, const uint32_t k, const AntiQuantShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::antiquantised<isTranspose>(dst.twin, src, ::kgtwin::parameterOf(scale), ::kgtwin::Parameter{nullptr, 0, false}, k, shapeInfo);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose> __aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const OutputDataType scale, const uint32_t k, const AntiQuantShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::antiquantised<isTranspose>(dst.twin, src, ::kgtwin::parameterOf(float(scale)), ::kgtwin::Parameter{nullptr, 0, false}, k, shapeInfo);
}

}

#endif
