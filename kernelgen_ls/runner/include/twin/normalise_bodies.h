// The library's normalisations.
#ifndef KERNELGEN_TWIN_NORMALISE_BODIES_H
#define KERNELGEN_TWIN_NORMALISE_BODIES_H

namespace kgtwin {

/// Rows of batches and sequences, as the tilings of LayerNorm and its relatives have them.
template <typename Tiling> Normalisation normalisationOf(const Tiling &tiling, double epsilon, bool reciprocal)
{
    uint32_t columns = tiling.originalHLength ? tiling.originalHLength : tiling.hLength;
    return {tiling.bLength * tiling.sLength, tiling.hLength, columns, float(epsilon), reciprocal};
}

}

namespace AscendC {

template <typename T, bool isReuseSource> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const LocalTensor<uint8_t> &, const T epsilon, LayerNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normalise(output.twin, &outputMean.twin, &outputVariance.twin, inputX.twin, &gamma.twin, &beta.twin, nullptr, 1, ::kgtwin::normalisationOf(tiling, epsilon, false));
}
template <typename T, bool isReuseSource> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const T epsilon, LayerNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normalise(output.twin, &outputMean.twin, &outputVariance.twin, inputX.twin, &gamma.twin, &beta.twin, nullptr, 1, ::kgtwin::normalisationOf(tiling, epsilon, false));
}
template <typename T, bool isReuseSource> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const LocalTensor<uint8_t> &, const T epsilon, const LayerNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normalise(output.twin, &outputMean.twin, &outputVariance.twin, inputX.twin, &gamma.twin, &beta.twin, nullptr, 1, ::kgtwin::normalisationOf(tiling, epsilon, false));
}
template <typename U, typename T, bool isReuseSource, const LayerNormConfig &config> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<float> &outputMean, const LocalTensor<float> &outputRstd, const LocalTensor<T> &inputX, const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const float epsilon, const LocalTensor<uint8_t> &, const LayerNormPara &para, const LayerNormSeparateTiling &)
{
    KGTWIN_CALL;
    ::kgtwin::normalise(output.twin, ::kgtwin::orNull(!config.isOnlyOutput, outputMean.twin), ::kgtwin::orNull(!config.isOnlyOutput, outputRstd.twin), inputX.twin, ::kgtwin::orNull(!config.isNoGamma, gamma.twin), ::kgtwin::orNull(!config.isNoBeta, beta.twin), nullptr, 1, {para.aLength, para.rLengthWithPadding, para.rLength, epsilon, config.isOutputRstd});
}
template <typename U, typename T, bool isReuseSource, const NormalizeConfig &config> __aicore__ inline void Normalize(const LocalTensor<T> &output, const LocalTensor<float> &outputRstd, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<T> &inputX, const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const LocalTensor<uint8_t> &, const float epsilon, const NormalizePara &para)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseByGiven(output.twin, outputRstd.twin, inputMean.twin, inputVariance.twin, inputX.twin, ::kgtwin::orNull(!config.isNoGamma, gamma.twin), ::kgtwin::orNull(!config.isNoBeta, beta.twin), {para.aLength, para.rLengthWithPadding, para.rLength, epsilon, true});
}
template <typename T, bool isBasicBlock> __aicore__ inline void RmsNorm(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &gamma, const LocalTensor<uint8_t> &, const T epsilon, const RmsNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseByRootMeanSquare(dst.twin, src.twin, gamma.twin, ::kgtwin::normalisationOf(tiling, epsilon, true));
}
template <typename T, bool isReuseSource, bool isBasicBlock> __aicore__ inline void BatchNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamm, const LocalTensor<T> &beta, const LocalTensor<uint8_t> &, const T epsilon, BatchNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseOverBatch(output.twin, outputMean.twin, outputVariance.twin, inputX.twin, gamm.twin, beta.twin, tiling.originalBLength, tiling.meanVarSize, float(epsilon));
}
template <typename T, bool isReuseSrc, bool isBasicBlock> __aicore__ inline void DeepNorm(const LocalTensor<T> &dst, const LocalTensor<T> &meanLocal, const LocalTensor<T> &rstdLocal, const LocalTensor<T> &src, const LocalTensor<T> &gx, const LocalTensor<T> &beta, const LocalTensor<T> &gamma, const LocalTensor<uint8_t> &, const T alpha, const T epsilon, DeepNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normalise(dst.twin, &meanLocal.twin, &rstdLocal.twin, src.twin, &gamma.twin, &beta.twin, &gx.twin, float(alpha), ::kgtwin::normalisationOf(tiling, epsilon, true));
}
template <typename T, bool isReuseSource> __aicore__ inline void GroupNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const LocalTensor<uint8_t> &, const T epsilon, GroupNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseGroups(output.twin, outputMean.twin, outputVariance.twin, inputX.twin, gamma.twin, beta.twin, tiling.n, tiling.g, tiling.d, tiling.hw, tiling.hwAlignSize, float(epsilon));
}
template <typename T, typename U, bool isReuseSource, const WelfordUpdateConfig &config> __aicore__ inline void WelfordUpdate(const LocalTensor<U> &outputMean, const LocalTensor<U> &outputVariance, const LocalTensor<U> &inputMean, const LocalTensor<U> &inputVariance, const LocalTensor<T> &inputX, const LocalTensor<uint8_t> &, const WelfordUpdateParam &para)
{
    KGTWIN_CALL;
    ::kgtwin::welfordUpdate(outputMean.twin, outputVariance.twin, inputMean.twin, inputVariance.twin, inputX.twin, para.abLength, para.abComputeLength, para.nRec, config.isInplace);
}
template <bool isReuseSource, const WelfordFinalizeConfig &config> __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<uint8_t> &, WelfordFinalizePara &para)
{
    KGTWIN_CALL;
    bool hasTail = para.tailCountLength != 0 && para.tailCount != 0;
    float count = float(para.rnLength);
    ::kgtwin::welfordFinalize(outputMean.twin, outputVariance.twin, inputMean.twin, inputVariance.twin, nullptr, para.abLength, hasTail ? para.headCountLength : para.abLength, hasTail ? float(para.headCount) : count, float(para.tailCount), hasTail ? para.rRec : para.abRec / count, config.isCorrection ? para.rRecWithCorrection : para.rRec);
}
template <bool isReuseSource, const WelfordFinalizeConfig &config> __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<int32_t> &counts, const LocalTensor<uint8_t> &, WelfordFinalizePara &para)
{
    KGTWIN_CALL;
    ::kgtwin::welfordFinalize(outputMean.twin, outputVariance.twin, inputMean.twin, inputVariance.twin, &counts.twin, para.abLength, 0, 0, 0, para.rRec, config.isCorrection ? para.rRecWithCorrection : para.rRec);
}
template <typename T, bool isReuseSource> __aicore__ inline void LayerNormGrad(const LocalTensor<T> &outputPdX, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy, const LocalTensor<T> &inputX, const LocalTensor<T> &inputVariance, const LocalTensor<T> &inputMean, const LocalTensor<T> &inputGamma, LocalTensor<uint8_t> &, T epsilon, LayerNormGradTiling &tiling, const LayerNormGradShapeInfo &)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseGradient(outputPdX.twin, resForGamma.twin, inputDy.twin, inputX.twin, inputVariance.twin, inputMean.twin, inputGamma.twin, ::kgtwin::normalisationOf(tiling, epsilon, false));
}
template <typename T, bool isReuseSource> __aicore__ inline void LayerNormGradBeta(const LocalTensor<T> &outputPdGamma, const LocalTensor<T> &outputPdBeta, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy, const LocalTensor<uint8_t> &, const LayerNormGradBetaTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseGradientParameters(outputPdGamma.twin, outputPdBeta.twin, resForGamma.twin, inputDy.twin, tiling.bLength * tiling.sLength, tiling.hLength, tiling.originalHLength ? tiling.originalHLength : tiling.hLength);
}
template <typename U, typename T, bool isReuseSource, const LayerNormConfig &config> __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<float> &outputMean, const LocalTensor<float> &outputRstd, const LocalTensor<T> &inputX, const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const float epsilon, const LayerNormPara &para, const LayerNormSeparateTiling &)
{
    KGTWIN_CALL;
    ::kgtwin::normalise(output.twin, ::kgtwin::orNull(!config.isOnlyOutput, outputMean.twin), ::kgtwin::orNull(!config.isOnlyOutput, outputRstd.twin), inputX.twin, ::kgtwin::orNull(!config.isNoGamma, gamma.twin), ::kgtwin::orNull(!config.isNoBeta, beta.twin), nullptr, 1, {para.aLength, para.rLengthWithPadding, para.rLength, epsilon, config.isOutputRstd});
}
template <typename U, typename T, bool isReuseSource, const NormalizeConfig &config> __aicore__ inline void Normalize(const LocalTensor<T> &output, const LocalTensor<float> &outputRstd, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<T> &inputX, const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const float epsilon, const NormalizePara &para)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseByGiven(output.twin, outputRstd.twin, inputMean.twin, inputVariance.twin, inputX.twin, ::kgtwin::orNull(!config.isNoGamma, gamma.twin), ::kgtwin::orNull(!config.isNoBeta, beta.twin), {para.aLength, para.rLengthWithPadding, para.rLength, epsilon, true});
}
template <typename T, bool isBasicBlock> __aicore__ inline void RmsNorm(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &gamma, const T epsilon, const RmsNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseByRootMeanSquare(dst.twin, src.twin, gamma.twin, ::kgtwin::normalisationOf(tiling, epsilon, true));
}
template <typename T, bool isReuseSource, bool isBasicBlock> __aicore__ inline void BatchNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamm, const LocalTensor<T> &beta, const T epsilon, BatchNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseOverBatch(output.twin, outputMean.twin, outputVariance.twin, inputX.twin, gamm.twin, beta.twin, tiling.originalBLength, tiling.meanVarSize, float(epsilon));
}
template <typename T, bool isReuseSrc, bool isBasicBlock> __aicore__ inline void DeepNorm(const LocalTensor<T> &dst, const LocalTensor<T> &meanLocal, const LocalTensor<T> &rstdLocal, const LocalTensor<T> &src, const LocalTensor<T> &gx, const LocalTensor<T> &beta, const LocalTensor<T> &gamma, const T alpha, const T epsilon, DeepNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normalise(dst.twin, &meanLocal.twin, &rstdLocal.twin, src.twin, &gamma.twin, &beta.twin, &gx.twin, float(alpha), ::kgtwin::normalisationOf(tiling, epsilon, true));
}
template <typename T, bool isReuseSource> __aicore__ inline void GroupNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta, const T epsilon, GroupNormTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseGroups(output.twin, outputMean.twin, outputVariance.twin, inputX.twin, gamma.twin, beta.twin, tiling.n, tiling.g, tiling.d, tiling.hw, tiling.hwAlignSize, float(epsilon));
}
template <typename T, typename U, bool isReuseSource, const WelfordUpdateConfig &config> __aicore__ inline void WelfordUpdate(const LocalTensor<U> &outputMean, const LocalTensor<U> &outputVariance, const LocalTensor<U> &inputMean, const LocalTensor<U> &inputVariance, const LocalTensor<T> &inputX, const WelfordUpdateParam &para)
{
    KGTWIN_CALL;
    ::kgtwin::welfordUpdate(outputMean.twin, outputVariance.twin, inputMean.twin, inputVariance.twin, inputX.twin, para.abLength, para.abComputeLength, para.nRec, config.isInplace);
}
template <bool isReuseSource, const WelfordFinalizeConfig &config> __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, WelfordFinalizePara &para)
{
    KGTWIN_CALL;
    bool hasTail = para.tailCountLength != 0 && para.tailCount != 0;
    float count = float(para.rnLength);
    ::kgtwin::welfordFinalize(outputMean.twin, outputVariance.twin, inputMean.twin, inputVariance.twin, nullptr, para.abLength, hasTail ? para.headCountLength : para.abLength, hasTail ? float(para.headCount) : count, float(para.tailCount), hasTail ? para.rRec : para.abRec / count, config.isCorrection ? para.rRecWithCorrection : para.rRec);
}
template <bool isReuseSource, const WelfordFinalizeConfig &config> __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, const LocalTensor<int32_t> &counts, WelfordFinalizePara &para)
{
    KGTWIN_CALL;
    ::kgtwin::welfordFinalize(outputMean.twin, outputVariance.twin, inputMean.twin, inputVariance.twin, &counts.twin, para.abLength, 0, 0, 0, para.rRec, config.isCorrection ? para.rRecWithCorrection : para.rRec);
}
template <typename T, bool isReuseSource> __aicore__ inline void LayerNormGrad(const LocalTensor<T> &outputPdX, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy, const LocalTensor<T> &inputX, const LocalTensor<T> &inputVariance, const LocalTensor<T> &inputMean, const LocalTensor<T> &inputGamma, T epsilon, LayerNormGradTiling &tiling, const LayerNormGradShapeInfo &)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseGradient(outputPdX.twin, resForGamma.twin, inputDy.twin, inputX.twin, inputVariance.twin, inputMean.twin, inputGamma.twin, ::kgtwin::normalisationOf(tiling, epsilon, false));
}
template <typename T, bool isReuseSource> __aicore__ inline void LayerNormGradBeta(const LocalTensor<T> &outputPdGamma, const LocalTensor<T> &outputPdBeta, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy, LayerNormGradBetaTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::normaliseGradientParameters(outputPdGamma.twin, outputPdBeta.twin, resForGamma.twin, inputDy.twin, tiling.bLength * tiling.sLength, tiling.hLength, tiling.originalHLength ? tiling.originalHLength : tiling.hLength);
}

}

#endif
