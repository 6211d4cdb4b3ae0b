// Activation functions of the library.
#ifndef KERNELGEN_ASCENDC_ACTIVATION_H
#define KERNELGEN_ASCENDC_ACTIVATION_H

#include "tensor.h"

namespace AscendC {

/// 1 / (1 + exp(-x)) for every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Sigmoid(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount)
{
    ASC_TAKES("Sigmoid", T, half, float);
    KERNELGEN_RUN(Sigmoid, (dst, src, sharedTmpBuffer, calCount))
}
template <typename T, bool isReuseSource = false> __aicore__ inline void Sigmoid(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer)
{
    ASC_TAKES("Sigmoid", T, half, float);
    KERNELGEN_RUN(Sigmoid, (dst, src, sharedTmpBuffer))
}
template <typename T, bool isReuseSource = false> __aicore__ inline void Sigmoid(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t calCount)
{
    ASC_TAKES("Sigmoid", T, half, float);
    KERNELGEN_RUN(Sigmoid, (dst, src, calCount))
}
template <typename T, bool isReuseSource = false> __aicore__ inline void Sigmoid(const LocalTensor<T> &dst, const LocalTensor<T> &src)
{
    ASC_TAKES("Sigmoid", T, half, float);
    KERNELGEN_RUN(Sigmoid, (dst, src))
}
/// The Gaussian error linear unit of every element.
template <typename T, bool highPrecision = false, bool highPerformance = false> __aicore__ inline void Gelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t dataSize)
{
    ASC_TAKES("Gelu", T, half, float);
    KERNELGEN_RUN(Gelu, (dst, src, sharedTmpBuffer, dataSize))
}
template <typename T, bool highPrecision = false, bool highPerformance = false> __aicore__ inline void Gelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dataSize)
{
    ASC_TAKES("Gelu", T, half, float);
    KERNELGEN_RUN(Gelu, (dst, src, dataSize))
}
/// A fast approximation of Gelu of every element.
template <typename T, bool highPrecision = false, bool highPerformance = false> __aicore__ inline void FasterGelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t dataSize)
{
    ASC_TAKES("FasterGelu", T, half, float);
    KERNELGEN_RUN(FasterGelu, (dst, src, sharedTmpBuffer, dataSize))
}
template <typename T, bool highPrecision = false, bool highPerformance = false> __aicore__ inline void FasterGelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dataSize)
{
    ASC_TAKES("FasterGelu", T, half, float);
    KERNELGEN_RUN(FasterGelu, (dst, src, dataSize))
}
/// A more exact fast approximation of Gelu of every element.
template <typename T, bool highPrecision = false, bool highPerformance = false> __aicore__ inline void FasterGeluV2(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t dataSize)
{
    ASC_TAKES("FasterGeluV2", T, half, float);
    KERNELGEN_RUN(FasterGeluV2, (dst, src, sharedTmpBuffer, dataSize))
}
template <typename T, bool highPrecision = false, bool highPerformance = false> __aicore__ inline void FasterGeluV2(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dataSize)
{
    ASC_TAKES("FasterGeluV2", T, half, float);
    KERNELGEN_RUN(FasterGeluV2, (dst, src, dataSize))
}
/// x / (1 + exp(-x)) for every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Silu(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t dataSize);
/// x / (1 + exp(-scalar * x)) for every element.
template <typename T, bool isReuseSource = false> __aicore__ inline void Swish(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t dataSize, const T scalarValue);
/// src0 * Swish(src1), element by element.
template <typename T, bool isReuseSource = false> __aicore__ inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const float &scalarValue, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const float &scalarValue, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const float &scalarValue);
template <typename T, bool isReuseSource = false> __aicore__ inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const float &scalarValue, const LocalTensor<uint8_t> &sharedTmpBuffer);
/// src0 * Gelu(src1), element by element.
template <typename T, bool isReuseSource = false> __aicore__ inline void GeGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void GeGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void GeGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer);
template <typename T, bool isReuseSource = false> __aicore__ inline void GeGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1);
/// src0 * Relu(src1), element by element.
template <typename T, bool isReuseSource = false> __aicore__ inline void ReGlu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount);
template <typename T, bool isReuseSource = false> __aicore__ inline void ReGlu(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint32_t calCount);

/// The shape of a softmax: rows and columns, padded (srcM, srcK) and real (oriSrcM, oriSrcK).
struct SoftMaxShapeInfo {
    uint32_t srcM = 0;
    uint32_t srcK = 0;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
};
enum class SoftmaxMode : uint8_t { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
/// Options of SoftMax.
struct SoftmaxConfig {
    bool isCheckTiling = true;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};
}
#include "../kernel_tiling/kernel_tiling.h"
namespace AscendC {
/// Computes the tiling of SoftmaxFlashV2 in the kernel, for a shape that is not the host's: the whole in one piece.
__aicore__ inline constexpr SoftMaxTiling SoftMaxFlashV2TilingFuncImpl(const uint32_t srcM, const uint32_t srcK, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize, const bool isUpdate = false, const bool isBasicBlock = false, const bool isDataFormatNZ = false, const bool isFlashOutputBrc = false)
{
    const uint32_t size = srcM * srcK, block = 32 / dataTypeSize2, reduced = srcM * block;
    return {srcM, srcK, size, srcM, block, reduced, srcM, srcK, size, srcM, block, reduced, 1, 0, 0, 0};
}
/// Computes the tiling of SoftmaxFlashV2 in the kernel, for a shape that is not the host's; the work space is in bytes.
__aicore__ inline constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(const SoftMaxShapeInfo &shapeInfo, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize, const bool isUpdate = false, const bool isBasicBlock = false, const bool isDataFormatNZ = false, const bool isFlashOutputBrc = false)
{
    return SoftMaxFlashV2TilingFuncImpl(shapeInfo.srcM, shapeInfo.srcK, dataTypeSize1, dataTypeSize2, localWorkSpaceSize, isUpdate, isBasicBlock, isDataFormatNZ, isFlashOutputBrc);
}
/// The softmax of every row.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
/// A softmax of every row that updates the sums and maxima of earlier columns.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false> __aicore__ inline void SoftmaxFlash(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inSumTensor, const LocalTensor<T> &inMaxTensor, const SoftMaxTiling &tiling, bool isUpdate = false, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false> __aicore__ inline void SoftmaxFlash(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<half> &expMaxTensor, const LocalTensor<float> &inSumTensor, const LocalTensor<float> &inMaxTensor, const SoftMaxTiling &tiling, bool isUpdate = false, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false> __aicore__ inline void SoftmaxFlash(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, bool isUpdate = false, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false> __aicore__ inline void SoftmaxFlash(const LocalTensor<half> &dst, const LocalTensor<float> &sumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<half> &expMaxTensor, const LocalTensor<float> &inSumTensor, const LocalTensor<float> &inMaxTensor, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, bool isUpdate = false, const SoftMaxShapeInfo &softmaxShapeInfo = {});
/// A softmax of every row that updates the sums and maxima of earlier columns.
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &expSumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inExpSumTensor, const LocalTensor<T> &inMaxTensor, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<half> &dst, const LocalTensor<float> &expSumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<half> &expMaxTensor, const LocalTensor<float> &inExpSumTensor, const LocalTensor<float> &inMaxTensor, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &expSumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inExpSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<half> &dst, const LocalTensor<float> &expSumTensor, const LocalTensor<float> &maxTensor, const LocalTensor<half> &src, const LocalTensor<half> &expMaxTensor, const LocalTensor<float> &inExpSumTensor, const LocalTensor<float> &inMaxTensor, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &outReduceMax, const LocalTensor<T> &expSumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inExpSumTensor, const LocalTensor<T> &inMaxTensor, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<T> &outReduceMax, const LocalTensor<T> &expSumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<T> &inExpSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
/// Sizes of SoftmaxFlashV3: rows and columns, padded and real, how columns are split, and the weight of the mean.
struct SoftMaxParams {
    uint32_t srcM = 0;
    uint32_t srcK = 0;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    uint32_t loopCnt = 0;
    uint32_t splitMeanCnt = 0;
    float alpha = 0;
};
/// A softmax of every row that updates sums, maxima and means of earlier columns.
template <typename T, typename U, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftmaxFlashV3(const LocalTensor<T> &dst, const LocalTensor<U> &meanTensor, const LocalTensor<U> &expSumTensor, const LocalTensor<U> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<U> &inMeanTensor, const LocalTensor<U> &inExpSumTensor, const LocalTensor<U> &inMaxTensor, const SoftMaxTiling &tiling, const SoftMaxParams &params);
template <typename T, typename U, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SoftmaxFlashV3(const LocalTensor<T> &dst, const LocalTensor<U> &meanTensor, const LocalTensor<U> &expSumTensor, const LocalTensor<U> &maxTensor, const LocalTensor<T> &src, const LocalTensor<T> &expMaxTensor, const LocalTensor<U> &inMeanTensor, const LocalTensor<U> &inExpSumTensor, const LocalTensor<U> &inMaxTensor, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxParams &params);
/// The gradient of a softmax: (grad - sum(grad * y)) * y for every row.
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false> __aicore__ inline void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, bool isFront = false, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false> __aicore__ inline void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, bool isFront = false, const SoftMaxShapeInfo &softmaxShapeInfo = {});
/// The sums sum(grad * y) of a softmax's gradient.
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false> __aicore__ inline void SoftmaxGradFront(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false> __aicore__ inline void SoftmaxGradFront(const LocalTensor<T> &dst, const LocalTensor<T> &gradTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
/// exp(x - max) / sum with maxima and sums that are given.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SimpleSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &inSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<T> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SimpleSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &inSumTensor, const LocalTensor<T> &inMaxTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SimpleSoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &inSumTensor, const LocalTensor<float> &inMaxTensor, const LocalTensor<half> &src, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG> __aicore__ inline void SimpleSoftMax(const LocalTensor<half> &dst, const LocalTensor<float> &inSumTensor, const LocalTensor<float> &inMaxTensor, const LocalTensor<half> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
/// log(softmax(x)) for every row.
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false> __aicore__ inline void LogSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sumTensor, const LocalTensor<T> &maxTensor, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer, const LogSoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {});
/// Sets rows of a softmax whose maximum is `from` to `to`.
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0> __aicore__ inline bool AdjustSoftMaxRes(const LocalTensor<T1> &softMaxRes, const LocalTensor<T2> &maxTensor, const uint32_t from, const T1 to, const SoftMaxShapeInfo &softmaxShapeInfo);

/// The shape of LayerNorm's operands, in the layout of the tensors.
struct LayerNormConfig {
    bool isNoBeta = false;
    bool isNoGamma = false;
    bool isOnlyOutput = false;
    bool isOutputRstd = true;
};
constexpr LayerNormConfig LNCFG_NORM = {};
/// Options of LayerNorm: without beta, without gamma, without mean and deviation.
__aicore__ constexpr LayerNormConfig GetLayerNormNormalConfig(bool isNoBeta = false, bool isNoGamma = false, bool isOnlyOutput = false) { return {isNoBeta, isNoGamma, isOnlyOutput, true}; }
/// Lengths of LayerNorm: rows, columns, and columns with padding.
struct LayerNormPara {
    uint32_t aLength;
    uint32_t rLength;
    uint32_t rLengthWithPadding;
};
/// Normalises every row: (x - mean) / sqrt(variance + epsilon) * gamma + beta.
template <typename T, bool isReuseSource = false> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const LocalTensor<uint8_t> &sharedTmpBuffer, const T epsilon, LayerNormTiling &tiling);
template <typename T, bool isReuseSource = false> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const T epsilon, LayerNormTiling &tiling);
template <typename T, bool isReuseSource = false> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const LocalTensor<uint8_t> &sharedTmpBuffer, const T epsilon, const LayerNormTiling &tiling);
template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig &config = LNCFG_NORM> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<float> &outputMean, const LocalTensor<float> &outputRstd, const LocalTensor<T> &inputX, const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const float epsilon, const LocalTensor<uint8_t> &sharedTmpBuffer, const LayerNormPara &para, const LayerNormSeparateTiling &tiling);
template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig &config = LNCFG_NORM> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<float> &outputMean, const LocalTensor<float> &outputRstd, const LocalTensor<T> &inputX, const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const float epsilon, const LayerNormPara &para, const LayerNormSeparateTiling &tiling);
/// The layout of LayerNormGrad's operands.
struct LayerNormGradShapeInfo {
    DataFormat dataFormat = DataFormat::ND;
};
/// The gradient of LayerNorm by its input.
template <typename T, bool isReuseSource = false> __aicore__ inline void LayerNormGrad(const LocalTensor<T> &outputPdX, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy, const LocalTensor<T> &inputX, const LocalTensor<T> &inputVariance, const LocalTensor<T> &inputMean, const LocalTensor<T> &inputGamma, LocalTensor<uint8_t> &sharedTmpBuffer, T epsilon, LayerNormGradTiling &tiling, const LayerNormGradShapeInfo &shapeInfo = {});
template <typename T, bool isReuseSource = false> __aicore__ inline void LayerNormGrad(const LocalTensor<T> &outputPdX, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy, const LocalTensor<T> &inputX, const LocalTensor<T> &inputVariance, const LocalTensor<T> &inputMean, const LocalTensor<T> &inputGamma, T epsilon, LayerNormGradTiling &tiling, const LayerNormGradShapeInfo &shapeInfo = {});
/// The gradients of LayerNorm by gamma and beta.
template <typename T, bool isReuseSource = false> __aicore__ inline void LayerNormGradBeta(const LocalTensor<T> &outputPdGamma, const LocalTensor<T> &outputPdBeta, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy, const LocalTensor<uint8_t> &sharedTmpBuffer, const LayerNormGradBetaTiling &tiling);
template <typename T, bool isReuseSource = false> __aicore__ inline void LayerNormGradBeta(const LocalTensor<T> &outputPdGamma, const LocalTensor<T> &outputPdBeta, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy, LayerNormGradBetaTiling &tiling);
/// Normalises over groups of channels.
template <typename T, bool isReuseSource = false> __aicore__ inline void GroupNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const T epsilon, GroupNormTiling &tiling);
template <typename T, bool isReuseSource = false> __aicore__ inline void GroupNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const LocalTensor<uint8_t> &sharedTmpBuffer, const T epsilon, GroupNormTiling &tiling);
/// Which axes Normalize and the tilings of reductions keep (A) and reduce (R).
enum class ReducePattern : uint32_t { AR = 0, RA = 1, R, ARA, ARAR, ARARA, ARARAR, ARARARA, ARARARAR, ARARARARA, RAR, RARA, RARAR, RARARA, RARARAR, RARARARA };
/// Options of Normalize.
struct NormalizeConfig {
    ReducePattern reducePattern = ReducePattern::AR;
    int32_t aLength = -1;
    bool isNoBeta = false;
    bool isNoGamma = false;
    bool isOnlyOutput = false;
};
/// Options of Normalize: without beta, without gamma.
__aicore__ constexpr NormalizeConfig GetNormalizeConfig(bool isNoBeta, bool isNoGamma) { return {ReducePattern::AR, -1, isNoBeta, isNoGamma, false}; }
constexpr NormalizeConfig NLCFG_NORM = GetNormalizeConfig(false, false);
constexpr NormalizeConfig NLCFG_NOBETA = GetNormalizeConfig(true, false);
constexpr NormalizeConfig NLCFG_NOGAMMA = GetNormalizeConfig(false, true);
constexpr NormalizeConfig NLCFG_NOOPT = GetNormalizeConfig(true, true);
/// Lengths of Normalize: rows, columns, and columns with padding.
struct NormalizePara {
    uint32_t aLength;
    uint32_t rLength;
    uint32_t rLengthWithPadding;
};
/// Normalises every row by a mean and a variance that are given.
template <typename U, typename T, bool isReuseSource = false, const NormalizeConfig &config = NLCFG_NORM> __aicore__ inline void Normalize(const LocalTensor<T> &output, const LocalTensor<float> &outputRstd, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<T> &inputX, const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const LocalTensor<uint8_t> &sharedTmpBuffer, const float epsilon, const NormalizePara &para);
template <typename U, typename T, bool isReuseSource = false, const NormalizeConfig &config = NLCFG_NORM> __aicore__ inline void Normalize(const LocalTensor<T> &output, const LocalTensor<float> &outputRstd, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<T> &inputX, const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const float epsilon, const NormalizePara &para);
/// Divides every row by its root mean square.
template <typename T, bool isBasicBlock = false> __aicore__ inline void RmsNorm(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &gamma, const LocalTensor<uint8_t> &sharedTmpBuffer, const T epsilon, const RmsNormTiling &tiling);
template <typename T, bool isBasicBlock = false> __aicore__ inline void RmsNorm(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &gamma, const T epsilon, const RmsNormTiling &tiling);
/// Normalises over the batch.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false> __aicore__ inline void BatchNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamm, const LocalTensor<T> &beta, const LocalTensor<uint8_t> &sharedTmpBuffer, const T epsilon, BatchNormTiling &tiling);
template <typename T, bool isReuseSource = false, bool isBasicBlock = false> __aicore__ inline void BatchNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamm, const LocalTensor<T> &beta, const T epsilon, BatchNormTiling &tiling);
/// LayerNorm of alpha * x + gx.
template <typename T, bool isReuseSrc = false, bool isBasicBlock = false> __aicore__ inline void DeepNorm(const LocalTensor<T> &dst, const LocalTensor<T> &meanLocal, const LocalTensor<T> &rstdLocal, const LocalTensor<T> &src, const LocalTensor<T> &gx, const LocalTensor<T> &beta, const LocalTensor<T> &gamma, const LocalTensor<uint8_t> &sharedTmpBuffer, const T alpha, const T epsilon, DeepNormTiling &tiling);
template <typename T, bool isReuseSrc = false, bool isBasicBlock = false> __aicore__ inline void DeepNorm(const LocalTensor<T> &dst, const LocalTensor<T> &meanLocal, const LocalTensor<T> &rstdLocal, const LocalTensor<T> &src, const LocalTensor<T> &gx, const LocalTensor<T> &beta, const LocalTensor<T> &gamma, const T alpha, const T epsilon, DeepNormTiling &tiling);
/// Mean and variance by Welford's update.
struct WelfordUpdateParam {
    uint32_t rnLength = 1;
    uint32_t abLength = 0;
    uint32_t abComputeLength = 0;
    float nRec = 0;
};
/// Whether WelfordUpdate overwrites the mean and variance it read.
struct WelfordUpdateConfig {
    bool isInplace = false;
    constexpr WelfordUpdateConfig(bool isInplaceIn) : isInplace(isInplaceIn) {}
};
constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG = {false};
/// Updates a mean and variance with new data by Welford's method.
template <typename T, typename U, bool isReuseSource = false, const WelfordUpdateConfig &config = WFUPDATE_DEFAULT_CFG> __aicore__ inline void WelfordUpdate(const LocalTensor<U> &outputMean, const LocalTensor<U> &outputVariance, const LocalTensor<U> &inputMean, const LocalTensor<U> &inputVariance, const LocalTensor<T> &inputX, const LocalTensor<uint8_t> &sharedTmpBuffer, const WelfordUpdateParam &para);
template <typename T, typename U, bool isReuseSource = false, const WelfordUpdateConfig &config = WFUPDATE_DEFAULT_CFG> __aicore__ inline void WelfordUpdate(const LocalTensor<U> &outputMean, const LocalTensor<U> &outputVariance, const LocalTensor<U> &inputMean, const LocalTensor<U> &inputVariance, const LocalTensor<T> &inputX, const WelfordUpdateParam &para);
/// Whether WelfordFinalize divides by n - 1.
struct WelfordFinalizeConfig {
    bool isCorrection = false;
    constexpr WelfordFinalizeConfig(bool isCorrectionIn) : isCorrection(isCorrectionIn) {}
};
constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG = {false};
/// Lengths of WelfordFinalize, the counts of its parts, and reciprocals.
struct WelfordFinalizePara {
    uint32_t rnLength;
    uint32_t abLength;
    uint32_t headCount;
    uint32_t headCountLength;
    uint32_t tailCount;
    uint32_t tailCountLength;
    float abRec;
    float rRec;
    float rRecWithCorrection;
};
/// One mean and variance from those of the parts of Welford's method.
template <bool isReuseSource = false, const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG> __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<uint8_t> &sharedTmpBuffer, WelfordFinalizePara &para);
template <bool isReuseSource = false, const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG> __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<int32_t> &counts, const LocalTensor<uint8_t> &sharedTmpBuffer, WelfordFinalizePara &para);
template <bool isReuseSource = false, const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG> __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, WelfordFinalizePara &para);
template <bool isReuseSource = false, const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG> __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<int32_t> &counts, WelfordFinalizePara &para);

}

#endif
