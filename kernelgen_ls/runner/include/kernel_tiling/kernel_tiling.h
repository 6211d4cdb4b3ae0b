// The tiling structures of the library's own operations, as kernels read them.
#ifndef KERNELGEN_KERNEL_TILING_H
#define KERNELGEN_KERNEL_TILING_H

#include <cstdint>

/// The tiling of Matmul, filled on the host.
struct TCubeTiling {
    int32_t usedCoreNum;
    int32_t M;
    int32_t N;
    int32_t Ka;
    int32_t Kb;
    int32_t singleCoreM;
    int32_t singleCoreN;
    int32_t singleCoreK;
    int32_t baseM;
    int32_t baseN;
    int32_t baseK;
    int32_t depthA1;
    int32_t depthB1;
    int32_t stepM;
    int32_t stepN;
    int32_t isBias;
    int32_t transLength;
    int32_t iterateOrder;
    int32_t shareMode;
    int32_t shareL1Size;
    int32_t shareL0CSize;
    int32_t shareUbSize;
    int32_t batchM;
    int32_t batchN;
    int32_t singleBatchM;
    int32_t singleBatchN;
    int32_t stepKa;
    int32_t stepKb;
    int32_t depthAL1CacheUB;
    int32_t depthBL1CacheUB;
    int32_t dbL0A;
    int32_t dbL0B;
    int32_t dbL0C;
    int32_t ALayoutInfoB;
    int32_t ALayoutInfoS;
    int32_t ALayoutInfoN;
    int32_t ALayoutInfoG;
    int32_t ALayoutInfoD;
    int32_t BLayoutInfoB;
    int32_t BLayoutInfoS;
    int32_t BLayoutInfoN;
    int32_t BLayoutInfoG;
    int32_t BLayoutInfoD;
    int32_t CLayoutInfoB;
    int32_t CLayoutInfoS1;
    int32_t CLayoutInfoN;
    int32_t CLayoutInfoG;
    int32_t CLayoutInfoS2;
    int32_t BatchNum;
    int32_t mxTypePara;
};
/// The tiling of SoftMax, filled on the host.
struct SoftMaxTiling {
    uint32_t srcM;
    uint32_t srcK;
    uint32_t srcSize;
    uint32_t outMaxM;
    uint32_t outMaxK;
    uint32_t outMaxSize;
    uint32_t splitM;
    uint32_t splitK;
    uint32_t splitSize;
    uint32_t reduceM;
    uint32_t reduceK;
    uint32_t reduceSize;
    uint32_t rangeM;
    uint32_t tailM;
    uint32_t tailSplitSize;
    uint32_t tailReduceSize;
};
/// The tiling of LogSoftMax, filled on the host.
struct LogSoftMaxTiling {
    uint32_t srcM;
    uint32_t srcK;
    uint32_t srcSize;
    uint32_t outMaxM;
    uint32_t outMaxK;
    uint32_t outMaxSize;
    uint32_t splitM;
    uint32_t splitK;
    uint32_t splitSize;
    uint32_t reduceM;
    uint32_t reduceK;
    uint32_t reduceSize;
    uint32_t rangeM;
    uint32_t tailM;
    uint32_t tailSplitSize;
    uint32_t tailReduceSize;
};
/// The tiling of LayerNorm, filled on the host.
struct LayerNormTiling {
    uint32_t bLength;
    uint32_t sLength;
    uint32_t hLength;
    uint32_t originalHLength;
    uint32_t inputXSize;
    uint32_t meanVarSize;
    uint32_t numberOfTmpBuf;
    uint32_t meanTmpTensorPos;
    uint32_t meanTmpTensorSize;
    uint32_t varianceTmpTensorPos;
    uint32_t varianceTmpTensorSize;
    uint32_t tmpBufSize;
    uint32_t oneTmpSize;
    uint32_t firstTmpStartPos;
    uint32_t secondTmpStartPos;
    uint32_t thirdTmpStartPos;
    uint32_t loopRound;
    uint32_t inputRoundSize;
    uint32_t inputTailSize;
    uint32_t inputTailPos;
    uint32_t meanVarRoundSize;
    uint32_t meanVarTailSize;
    uint32_t meanVarTailPos;
    uint32_t bshCurLength;
    uint32_t bsCurLength;
    uint32_t lastDimValueBack;
};
/// The tiling of GroupNorm, filled on the host.
struct GroupNormTiling {
    uint32_t n;
    uint32_t c;
    uint32_t hw;
    uint32_t g;
    uint32_t d;
    uint32_t hwAlignSize;
    uint32_t dhwAlignSize;
    uint32_t inputXSize;
    uint32_t meanVarSize;
    uint32_t numberOfTmpBuf;
    uint32_t meanTmpTensorPos;
    uint32_t meanTmpTensorSize;
    uint32_t varianceTmpTensorPos;
    uint32_t varianceTmpTensorSize;
    uint32_t tmpBufSize;
    uint32_t oneTmpSize;
    uint32_t firstTmpStartPos;
    uint32_t secondTmpStartPos;
    uint32_t thirdTmpStartPos;
    uint32_t loopRound;
    uint32_t inputRoundSize;
    uint32_t inputTailSize;
    uint32_t inputTailPos;
    uint32_t meanVarRoundSize;
    uint32_t meanVarTailSize;
    uint32_t meanVarTailPos;
    uint32_t bshCurLength;
    uint32_t bsCurLength;
    float factor;
    bool smallShape;
};
/// The tiling of LayerNormGrad, filled on the host.
struct LayerNormGradTiling {
    uint32_t stackBufferSize;
    uint32_t bLength;
    uint32_t sLength;
    uint32_t hLength;
    uint32_t originalHLength;
    uint32_t oneCalSize;
    uint32_t nohCalSize;
    uint32_t loopNum;
    uint32_t tailSize;
    uint32_t nohTailSize;
    uint32_t tmpTensorBSHPos;
    uint32_t tmpTensorBSHSize;
    uint32_t pdVarTensorPos;
    uint32_t pdVarTensorSize;
    uint32_t pdMeanTensorPos;
    uint32_t pdMeanTensorSize;
    uint32_t x1TensorPos;
    uint32_t x1TensorSize;
    uint32_t x2TensorPos;
    uint32_t x2TensorSize;
    uint32_t x3TensorPos;
    uint32_t x3TensorSize;
    uint32_t tmpTensorPos;
    uint32_t tmpTensorSize;
    uint32_t tmpTensor1Pos;
    uint32_t tmpTensor1Size;
    uint32_t tmpTensor2Pos;
    uint32_t tmpTensor2Size;
    uint32_t lastDimValueBack;
    uint32_t lastDimValueBackMulTwo;
};
/// The tiling of LayerNormGradBeta, filled on the host.
struct LayerNormGradBetaTiling {
    uint32_t stackBufferSize;
    uint32_t bLength;
    uint32_t sLength;
    uint32_t hLength;
    uint32_t originalHLength;
    uint32_t bshLength;
    uint32_t bsLength;
    uint32_t oneCalSize;
    uint32_t numberOfTmpBuf;
    uint32_t loopRound;
    uint32_t inputTailSize;
    uint32_t inputTailPos;
    uint32_t bsTailSize;
    uint32_t bshCurLength;
    uint32_t bsCurLength;
    uint32_t gammaTempTensorPos;
    uint32_t betaTempTensorPos;
    uint32_t inputDyTmpTensorPos;
    uint32_t resForGammaTmpTensorPos;
    uint32_t reserved;
};
/// The tiling of a LayerNorm that puts out the reciprocal deviation, filled on the host.
struct LayerNormSeparateTiling {
    uint32_t aLength;
    uint32_t rLength;
    uint32_t halfAddRepeatTimes;
    uint32_t rHeadLength;
    float k2Rec;
    float k2RRec;
    uint32_t inputXSize;
    uint32_t meanVarSize;
    uint32_t numberOfTmpBuf;
    uint32_t varianceTmpTensorPos;
    uint32_t varianceTmpTensorSize;
    uint32_t tmpBufSize;
    uint32_t oneTmpSize;
    uint32_t firstTmpStartPos;
    uint32_t secondTmpStartPos;
    uint32_t thirdTmpStartPos;
    uint32_t loopRound;
    uint32_t inputRoundSize;
    uint32_t inputTailSize;
    uint32_t inputTailPos;
    uint32_t meanVarRoundSize;
    uint32_t meanVarTailSize;
    uint32_t meanVarTailPos;
    uint32_t arCurLength;
    uint32_t aCurLength;
    float rValueBack;
};
/// The tiling of RmsNorm, filled on the host.
struct RmsNormTiling {
    uint32_t bLength;
    uint32_t sLength;
    uint32_t hLength;
    uint32_t originalHLength;
    float reciprocalOfHLength;
    uint32_t mainBshLength;
    uint32_t mainBsLength;
    uint32_t mainBsLengthAlign;
    uint32_t loopRound;
    uint32_t inputTailPos;
    uint32_t tailBshLength;
    uint32_t tailBsLength;
};
/// The tiling of BatchNorm, filled on the host.
struct BatchNormTiling {
    uint32_t originalBLength;
    uint32_t meanVarSize;
    uint32_t meanTmpTensorPos;
    uint32_t varianceTmpTensorPos;
    uint32_t tmpBufSize;
    uint32_t oneTmpSize;
    uint32_t firstTmpStartPos;
    uint32_t secondTmpStartPos;
    uint32_t thirdTmpStartPos;
    uint32_t loopRound;
    uint32_t inputTailSize;
    uint32_t inputTailPos;
    uint32_t meanVarTailSize;
    uint32_t meanVarTailPos;
    uint32_t bshCurLength;
    uint32_t shCurLength;
    uint32_t firstDimValueBack;
    uint32_t castHalfRepStride;
    uint32_t shCurLengthBlockNum;
    uint32_t castHalfOutRepStride;
};
/// The tiling of DeepNorm, filled on the host.
struct DeepNormTiling {
    uint32_t bLength;
    uint32_t sLength;
    uint32_t hLength;
    uint32_t originalHLength;
    uint32_t inputXSize;
    uint32_t meanVarSize;
    uint32_t numberOfTmpBuf;
    uint32_t tmpBufSize;
    uint32_t oneTmpSize;
    uint32_t loopRound;
    uint32_t inputRoundSize;
    uint32_t inputTailSize;
    uint32_t inputTailPos;
    uint32_t meanVarRoundSize;
    uint32_t meanVarTailSize;
    uint32_t meanVarTailPos;
    uint32_t bshCurLength;
    uint32_t bsCurLength;
    uint32_t lastDimValueBack;
};
/// The tiling of Topk, filled on the host.
struct TopkTiling {
    int32_t tmpLocalSize;
    int32_t allDataSize;
    int32_t innerDataSize;
    int32_t sortRepeat;
    int32_t mrgSortRepeat;
    int32_t kAlignFourBytes;
    int32_t kAlignTwoBytes;
    int32_t maskOffset;
    int32_t maskVreducev2FourBytes;
    int32_t maskVreducev2TwoBytes;
    int32_t mrgSortSrc1offset;
    int32_t mrgSortSrc2offset;
    int32_t mrgSortSrc3offset;
    int32_t mrgSortTwoQueueSrc1Offset;
    int32_t mrgFourQueueTailPara1;
    int32_t mrgFourQueueTailPara2;
    int32_t srcIndexOffset;
    int32_t copyUbToUbBlockCount;
    int32_t topkMrgSrc1MaskSizeOffset;
    int32_t topkNSmallSrcIndexOffset;
    int32_t vreduceValMask0;
    int32_t vreduceValMask1;
    int32_t vreduceIdxMask0;
    int32_t vreduceIdxMask1;
    int32_t vreducehalfValMask0;
    int32_t vreducehalfValMask1;
};
/// The tiling of Pad, filled on the host.
struct PadTiling {
    uint32_t srcHeight;
    uint32_t srcWidth;
    uint32_t srcOriWidth;
    uint32_t widthWithoutLastBlock;
    uint32_t blocksPerRow;
    uint32_t heightTiling;
    uint32_t heightFractal;
    uint32_t heightFractalTail;
    uint32_t mainLoopOffset;
    uint32_t tailBlockOffset;
    uint32_t tmpBuffer1BlockNum;
    uint32_t tmpBuffer1RowNum;
    uint32_t tmpBuffer2Offset;
    uint32_t widthTiling;
    uint32_t widthFractal;
    uint32_t widthFractalTail;
    uint32_t widthFractalTailAlingned;
    uint32_t brcbTiling;
    uint32_t brcbFractal;
    uint32_t brcbFractalTail;
    uint32_t maxRepeatTimes;
    uint32_t brcbTilingRepeatTimes;
    uint32_t brcbFractalTailRepeatTimes;
    uint32_t brcbFractalTailRepeatTimesTail;
    uint32_t reserved;
};
/// The tiling of UnPad, filled on the host.
struct UnPadTiling {
    uint32_t srcHeight;
    uint32_t srcWidth;
    uint32_t tmpBuffer1BlockNum;
    uint32_t tmpBuffer1RowNum;
    uint32_t tmpBuffer2Offset;
    uint32_t widthTiling;
    uint32_t widthFractal;
    uint32_t widthFractalTail;
};
/// The tiling of ConfusionTranspose, filled on the host.
struct ConfusionTransposeTiling {
    uint32_t param0;
    uint32_t param1;
    uint32_t param2;
    uint32_t param3;
    uint32_t param4;
    uint32_t param5;
    uint32_t param6;
    uint32_t param7;
    uint32_t param8;
    uint32_t param9;
    uint32_t param10;
    uint32_t param11;
    uint32_t param12;
    uint32_t param13;
    uint32_t param14;
    uint32_t param15;
    uint32_t param16;
    uint32_t param17;
};
/// The tiling of TConv3DApi, filled on the host.
struct TConv3DApiTiling {
    uint32_t groups;
    uint32_t orgCi;
    uint32_t orgDi;
    uint32_t orgHi;
    uint32_t orgWi;
    uint32_t orgDo;
    uint32_t orgCo;
    uint32_t orgHo;
    uint32_t orgWo;
    uint32_t kernelD;
    uint32_t kernelH;
    uint32_t kernelW;
    uint32_t singleCoreCo;
    uint32_t singleCoreDo;
    uint32_t singleCoreM;
};
/// The tiling of Mc2Init, filled on the host.
struct Mc2InitTiling {
    uint32_t reserved;
};
/// The tiling of Mc2Cc, filled on the host.
struct Mc2CcTiling {
    uint32_t reserved;
};
/// The tiling of Mc2ServerCfg, filled on the host.
struct Mc2ServerCfg {
    uint32_t reserved;
};
/// The tiling of Mc2HcommCfg, filled on the host.
struct Mc2HcommCfg {
    uint32_t reserved;
};
namespace AscendC {
namespace tiling {
using ::GroupNormTiling;
using ::LayerNormGradTiling;
using ::LayerNormGradBetaTiling;
using ::LayerNormSeparateTiling;
using ::TCubeTiling;
using ::SoftMaxTiling;
using ::LogSoftMaxTiling;
using ::LayerNormTiling;
using ::RmsNormTiling;
using ::BatchNormTiling;
using ::DeepNormTiling;
using ::TopkTiling;
using ::PadTiling;
using ::UnPadTiling;
using ::ConfusionTransposeTiling;
using ::TConv3DApiTiling;
using ::Mc2InitTiling;
using ::Mc2CcTiling;
using ::Mc2ServerCfg;
using ::Mc2HcommCfg;
}
}

#endif
