// How much temporary memory the library's operations need: what each takes on a chip is not public. The twin's own take
// none, so any size does; what is told here is small and leaves room for the operator's tensors.
#pragma once

namespace kernelgen {
/// The smallest temporary memory, in bytes.
constexpr uint32_t temporaryBytes = 1024;

/// Sets the last two of the arguments, which are the largest and the smallest useful size in bytes.
template <typename First, typename Second, typename... More> void temporarySizes(First &&first, Second &&second, More &&...more) {
    if constexpr (sizeof...(More) > 0) {
        temporarySizes(std::forward<Second>(second), std::forward<More>(more)...);
    } else {
        first = second = temporaryBytes;
    }
}
/// Sets the last two of the arguments: how many tensors a live element needs, and what comes on top in bytes.
template <typename First, typename Second, typename... More> void temporaryFactor(First &&first, Second &&second, More &&...more) {
    if constexpr (sizeof...(More) > 0) {
        temporaryFactor(std::forward<Second>(second), std::forward<More>(more)...);
    } else {
        first = 1;
        second = temporaryBytes;
    }
}
/// The sizes of a softmax over the last axis, computed in one piece.
template <typename T> void softmaxSizes(const ge::Shape &shape, uint32_t typeSize, T &tiling) {
    const size_t axes = shape.GetDimNum();
    const uint32_t columns = axes == 0 ? 1 : static_cast<uint32_t>(shape.GetDim(axes - 1));
    const uint32_t rows = columns == 0 ? 0 : static_cast<uint32_t>(shape.GetShapeSize()) / columns;
    const uint32_t block = 32 / std::max<uint32_t>(typeSize, 1);
    tiling.set_srcM(rows), tiling.set_srcK(columns), tiling.set_srcSize(rows * columns);
    tiling.set_outMaxM(rows), tiling.set_outMaxK(block), tiling.set_outMaxSize(rows * block);
    tiling.set_splitM(rows), tiling.set_splitK(columns), tiling.set_splitSize(rows * columns);
    tiling.set_reduceM(rows), tiling.set_reduceK(block), tiling.set_reduceSize(rows * block);
    tiling.set_rangeM(1), tiling.set_tailM(0), tiling.set_tailSplitSize(0), tiling.set_tailReduceSize(0);
}
/// Sets the sizes in what of a tiling function's arguments is the tiling.
template <typename T> void softmaxOf(const ge::Shape &shape, uint32_t typeSize, T &argument) {
    if constexpr (std::is_base_of_v<optiling::TilingDef, T>) softmaxSizes(shape, typeSize, argument);
}
}

namespace AscendC {
template <typename... Arguments> void SoftMaxFlashV3TilingFunc(Arguments &&...arguments) {
    const auto given = std::forward_as_tuple(arguments...);
    (kernelgen::softmaxOf(std::get<0>(given), std::get<1>(given), arguments), ...);
}
#define KERNELGEN_TEMPORARY(name)                                                                                      \
    template <typename... Arguments> void Get##name##MaxMinTmpSize(Arguments &&...arguments) {                         \
        kernelgen::temporarySizes(std::forward<Arguments>(arguments)...);                                              \
    }                                                                                                                  \
    template <typename... Arguments> void Get##name##TmpBufferFactorSize(Arguments &&...arguments) {                   \
        kernelgen::temporaryFactor(std::forward<Arguments>(arguments)...);                                             \
    }
KERNELGEN_TEMPORARY(Tanh) KERNELGEN_TEMPORARY(Sinh) KERNELGEN_TEMPORARY(Cosh) KERNELGEN_TEMPORARY(Sin)
KERNELGEN_TEMPORARY(Cos) KERNELGEN_TEMPORARY(Tan) KERNELGEN_TEMPORARY(Asin) KERNELGEN_TEMPORARY(Acos)
KERNELGEN_TEMPORARY(Atan) KERNELGEN_TEMPORARY(Asinh) KERNELGEN_TEMPORARY(Acosh) KERNELGEN_TEMPORARY(Atanh)
KERNELGEN_TEMPORARY(Erf) KERNELGEN_TEMPORARY(Erfc) KERNELGEN_TEMPORARY(Sign) KERNELGEN_TEMPORARY(Trunc)
KERNELGEN_TEMPORARY(Frac) KERNELGEN_TEMPORARY(Round) KERNELGEN_TEMPORARY(Rint) KERNELGEN_TEMPORARY(Floor)
KERNELGEN_TEMPORARY(Ceil) KERNELGEN_TEMPORARY(Digamma) KERNELGEN_TEMPORARY(Lgamma) KERNELGEN_TEMPORARY(Log)
KERNELGEN_TEMPORARY(Log2) KERNELGEN_TEMPORARY(Log10) KERNELGEN_TEMPORARY(Sigmoid) KERNELGEN_TEMPORARY(Gelu)
KERNELGEN_TEMPORARY(FasterGelu) KERNELGEN_TEMPORARY(FasterGeluV2) KERNELGEN_TEMPORARY(Silu)
KERNELGEN_TEMPORARY(Swish) KERNELGEN_TEMPORARY(SwiGLU) KERNELGEN_TEMPORARY(GeGLU) KERNELGEN_TEMPORARY(ReGlu)
KERNELGEN_TEMPORARY(Power) KERNELGEN_TEMPORARY(Exp) KERNELGEN_TEMPORARY(Fmod) KERNELGEN_TEMPORARY(Xor)
KERNELGEN_TEMPORARY(Sum) KERNELGEN_TEMPORARY(Mean) KERNELGEN_TEMPORARY(CumSum) KERNELGEN_TEMPORARY(Clamp)
KERNELGEN_TEMPORARY(Axpy) KERNELGEN_TEMPORARY(AscendQuant) KERNELGEN_TEMPORARY(AscendDequant)
KERNELGEN_TEMPORARY(AscendAntiQuant) KERNELGEN_TEMPORARY(BroadCast) KERNELGEN_TEMPORARY(DropOut)
KERNELGEN_TEMPORARY(ReduceSum) KERNELGEN_TEMPORARY(ReduceMax) KERNELGEN_TEMPORARY(ReduceMin)
KERNELGEN_TEMPORARY(TopK) KERNELGEN_TEMPORARY(Where) KERNELGEN_TEMPORARY(AntiQuantize) KERNELGEN_TEMPORARY(Arange)
KERNELGEN_TEMPORARY(ArithProgression) KERNELGEN_TEMPORARY(BitwiseAnd) KERNELGEN_TEMPORARY(BitwiseNot)
KERNELGEN_TEMPORARY(BitwiseOr) KERNELGEN_TEMPORARY(BitwiseXor) KERNELGEN_TEMPORARY(Dequantize)
KERNELGEN_TEMPORARY(Fma) KERNELGEN_TEMPORARY(Hypot) KERNELGEN_TEMPORARY(IsInf) KERNELGEN_TEMPORARY(IsNan)
KERNELGEN_TEMPORARY(LayerNormGradBeta) KERNELGEN_TEMPORARY(LogicalAnd) KERNELGEN_TEMPORARY(LogicalAnds)
KERNELGEN_TEMPORARY(LogicalNot) KERNELGEN_TEMPORARY(LogicalOr) KERNELGEN_TEMPORARY(LogicalOrs)
KERNELGEN_TEMPORARY(LogicalXor) KERNELGEN_TEMPORARY(Normalize) KERNELGEN_TEMPORARY(Quantize)
KERNELGEN_TEMPORARY(ReduceAll) KERNELGEN_TEMPORARY(ReduceAny) KERNELGEN_TEMPORARY(ReduceMean)
KERNELGEN_TEMPORARY(ReduceProd) KERNELGEN_TEMPORARY(ReduceXorSum) KERNELGEN_TEMPORARY(Select)
KERNELGEN_TEMPORARY(SelectWithBytesMask) KERNELGEN_TEMPORARY(SinCos) KERNELGEN_TEMPORARY(SoftMaxFlashV3)
KERNELGEN_TEMPORARY(Sort) KERNELGEN_TEMPORARY(TransData) KERNELGEN_TEMPORARY(WelfordUpdate)
#undef KERNELGEN_TEMPORARY
#define KERNELGEN_TEMPORARY(name)                                                                                      \
    template <typename... Arguments> uint32_t Get##name##TmpSize(Arguments &&...) { return kernelgen::temporaryBytes; }
KERNELGEN_TEMPORARY(AscendAntiQuantMax) KERNELGEN_TEMPORARY(AscendAntiQuantMin) KERNELGEN_TEMPORARY(Concat)
KERNELGEN_TEMPORARY(DropOutMax) KERNELGEN_TEMPORARY(DropOutMin) KERNELGEN_TEMPORARY(GeluMax)
KERNELGEN_TEMPORARY(GeluMin) KERNELGEN_TEMPORARY(SelectMax) KERNELGEN_TEMPORARY(SelectMin)
KERNELGEN_TEMPORARY(SelectWithBytesMaskMax) KERNELGEN_TEMPORARY(SelectWithBytesMaskMin) KERNELGEN_TEMPORARY(Silu)
KERNELGEN_TEMPORARY(Sort) KERNELGEN_TEMPORARY(Swish)
#undef KERNELGEN_TEMPORARY
#define KERNELGEN_TEMPORARY(name)                                                                                      \
    template <typename... Arguments> bool Get##name##MaxMinTmpSize(Arguments &&...arguments) {                         \
        kernelgen::temporarySizes(std::forward<Arguments>(arguments)...);                                              \
        return true;                                                                                                   \
    }
KERNELGEN_TEMPORARY(LayerNorm) KERNELGEN_TEMPORARY(RmsNorm) KERNELGEN_TEMPORARY(BatchNorm)
KERNELGEN_TEMPORARY(DeepNorm) KERNELGEN_TEMPORARY(LayerNormGrad) KERNELGEN_TEMPORARY(GroupNorm)
KERNELGEN_TEMPORARY(WelfordFinalize) KERNELGEN_TEMPORARY(Pad) KERNELGEN_TEMPORARY(UnPad)
KERNELGEN_TEMPORARY(ConfusionTranspose) KERNELGEN_TEMPORARY(Transpose)
#undef KERNELGEN_TEMPORARY
}
