// Tiling functions of the library's operations, for the host.
#pragma once
#ifndef KERNELGEN_TWIN // a file of both halves is executed without the host's
#include "../register/tilingdata_base.h"
#include "platform/platform_ascendc.h"
#include <set>
#include <tuple>
#include <utility>
#ifdef KERNELGEN_EXECUTE
#include "../twin/host_matmul.h"
#endif

namespace optiling {
BEGIN_TILING_DATA_DEF(TCubeTiling)
TILING_DATA_FIELD_DEF(int32_t, usedCoreNum);
TILING_DATA_FIELD_DEF(int32_t, M);
TILING_DATA_FIELD_DEF(int32_t, N);
TILING_DATA_FIELD_DEF(int32_t, Ka);
TILING_DATA_FIELD_DEF(int32_t, Kb);
TILING_DATA_FIELD_DEF(int32_t, singleCoreM);
TILING_DATA_FIELD_DEF(int32_t, singleCoreN);
TILING_DATA_FIELD_DEF(int32_t, singleCoreK);
TILING_DATA_FIELD_DEF(int32_t, baseM);
TILING_DATA_FIELD_DEF(int32_t, baseN);
TILING_DATA_FIELD_DEF(int32_t, baseK);
TILING_DATA_FIELD_DEF(int32_t, depthA1);
TILING_DATA_FIELD_DEF(int32_t, depthB1);
TILING_DATA_FIELD_DEF(int32_t, stepM);
TILING_DATA_FIELD_DEF(int32_t, stepN);
TILING_DATA_FIELD_DEF(int32_t, isBias);
TILING_DATA_FIELD_DEF(int32_t, transLength);
TILING_DATA_FIELD_DEF(int32_t, iterateOrder);
TILING_DATA_FIELD_DEF(int32_t, shareMode);
TILING_DATA_FIELD_DEF(int32_t, shareL1Size);
TILING_DATA_FIELD_DEF(int32_t, shareL0CSize);
TILING_DATA_FIELD_DEF(int32_t, shareUbSize);
TILING_DATA_FIELD_DEF(int32_t, batchM);
TILING_DATA_FIELD_DEF(int32_t, batchN);
TILING_DATA_FIELD_DEF(int32_t, singleBatchM);
TILING_DATA_FIELD_DEF(int32_t, singleBatchN);
TILING_DATA_FIELD_DEF(int32_t, stepKa);
TILING_DATA_FIELD_DEF(int32_t, stepKb);
TILING_DATA_FIELD_DEF(int32_t, depthAL1CacheUB);
TILING_DATA_FIELD_DEF(int32_t, depthBL1CacheUB);
TILING_DATA_FIELD_DEF(int32_t, dbL0A);
TILING_DATA_FIELD_DEF(int32_t, dbL0B);
TILING_DATA_FIELD_DEF(int32_t, dbL0C);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoB);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoS);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoN);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoG);
TILING_DATA_FIELD_DEF(int32_t, ALayoutInfoD);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoB);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoS);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoN);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoG);
TILING_DATA_FIELD_DEF(int32_t, BLayoutInfoD);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoB);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoS1);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoN);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoG);
TILING_DATA_FIELD_DEF(int32_t, CLayoutInfoS2);
TILING_DATA_FIELD_DEF(int32_t, BatchNum);
TILING_DATA_FIELD_DEF(int32_t, mxTypePara);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(SoftMaxTiling)
TILING_DATA_FIELD_DEF(uint32_t, srcM);
TILING_DATA_FIELD_DEF(uint32_t, srcK);
TILING_DATA_FIELD_DEF(uint32_t, srcSize);
TILING_DATA_FIELD_DEF(uint32_t, outMaxM);
TILING_DATA_FIELD_DEF(uint32_t, outMaxK);
TILING_DATA_FIELD_DEF(uint32_t, outMaxSize);
TILING_DATA_FIELD_DEF(uint32_t, splitM);
TILING_DATA_FIELD_DEF(uint32_t, splitK);
TILING_DATA_FIELD_DEF(uint32_t, splitSize);
TILING_DATA_FIELD_DEF(uint32_t, reduceM);
TILING_DATA_FIELD_DEF(uint32_t, reduceK);
TILING_DATA_FIELD_DEF(uint32_t, reduceSize);
TILING_DATA_FIELD_DEF(uint32_t, rangeM);
TILING_DATA_FIELD_DEF(uint32_t, tailM);
TILING_DATA_FIELD_DEF(uint32_t, tailSplitSize);
TILING_DATA_FIELD_DEF(uint32_t, tailReduceSize);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(LogSoftMaxTiling)
TILING_DATA_FIELD_DEF(uint32_t, srcM);
TILING_DATA_FIELD_DEF(uint32_t, srcK);
TILING_DATA_FIELD_DEF(uint32_t, srcSize);
TILING_DATA_FIELD_DEF(uint32_t, outMaxM);
TILING_DATA_FIELD_DEF(uint32_t, outMaxK);
TILING_DATA_FIELD_DEF(uint32_t, outMaxSize);
TILING_DATA_FIELD_DEF(uint32_t, splitM);
TILING_DATA_FIELD_DEF(uint32_t, splitK);
TILING_DATA_FIELD_DEF(uint32_t, splitSize);
TILING_DATA_FIELD_DEF(uint32_t, reduceM);
TILING_DATA_FIELD_DEF(uint32_t, reduceK);
TILING_DATA_FIELD_DEF(uint32_t, reduceSize);
TILING_DATA_FIELD_DEF(uint32_t, rangeM);
TILING_DATA_FIELD_DEF(uint32_t, tailM);
TILING_DATA_FIELD_DEF(uint32_t, tailSplitSize);
TILING_DATA_FIELD_DEF(uint32_t, tailReduceSize);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(LayerNormTiling)
TILING_DATA_FIELD_DEF(uint32_t, bLength);
TILING_DATA_FIELD_DEF(uint32_t, sLength);
TILING_DATA_FIELD_DEF(uint32_t, hLength);
TILING_DATA_FIELD_DEF(uint32_t, originalHLength);
TILING_DATA_FIELD_DEF(uint32_t, inputXSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarSize);
TILING_DATA_FIELD_DEF(uint32_t, numberOfTmpBuf);
TILING_DATA_FIELD_DEF(uint32_t, meanTmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, meanTmpTensorSize);
TILING_DATA_FIELD_DEF(uint32_t, varianceTmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, varianceTmpTensorSize);
TILING_DATA_FIELD_DEF(uint32_t, tmpBufSize);
TILING_DATA_FIELD_DEF(uint32_t, oneTmpSize);
TILING_DATA_FIELD_DEF(uint32_t, firstTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, secondTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, thirdTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, loopRound);
TILING_DATA_FIELD_DEF(uint32_t, inputRoundSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailPos);
TILING_DATA_FIELD_DEF(uint32_t, meanVarRoundSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailPos);
TILING_DATA_FIELD_DEF(uint32_t, bshCurLength);
TILING_DATA_FIELD_DEF(uint32_t, bsCurLength);
TILING_DATA_FIELD_DEF(uint32_t, lastDimValueBack);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(RmsNormTiling)
TILING_DATA_FIELD_DEF(uint32_t, bLength);
TILING_DATA_FIELD_DEF(uint32_t, sLength);
TILING_DATA_FIELD_DEF(uint32_t, hLength);
TILING_DATA_FIELD_DEF(uint32_t, originalHLength);
TILING_DATA_FIELD_DEF(float, reciprocalOfHLength);
TILING_DATA_FIELD_DEF(uint32_t, mainBshLength);
TILING_DATA_FIELD_DEF(uint32_t, mainBsLength);
TILING_DATA_FIELD_DEF(uint32_t, mainBsLengthAlign);
TILING_DATA_FIELD_DEF(uint32_t, loopRound);
TILING_DATA_FIELD_DEF(uint32_t, inputTailPos);
TILING_DATA_FIELD_DEF(uint32_t, tailBshLength);
TILING_DATA_FIELD_DEF(uint32_t, tailBsLength);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(BatchNormTiling)
TILING_DATA_FIELD_DEF(uint32_t, originalBLength);
TILING_DATA_FIELD_DEF(uint32_t, meanVarSize);
TILING_DATA_FIELD_DEF(uint32_t, meanTmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, varianceTmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, tmpBufSize);
TILING_DATA_FIELD_DEF(uint32_t, oneTmpSize);
TILING_DATA_FIELD_DEF(uint32_t, firstTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, secondTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, thirdTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, loopRound);
TILING_DATA_FIELD_DEF(uint32_t, inputTailSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailPos);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailPos);
TILING_DATA_FIELD_DEF(uint32_t, bshCurLength);
TILING_DATA_FIELD_DEF(uint32_t, shCurLength);
TILING_DATA_FIELD_DEF(uint32_t, firstDimValueBack);
TILING_DATA_FIELD_DEF(uint32_t, castHalfRepStride);
TILING_DATA_FIELD_DEF(uint32_t, shCurLengthBlockNum);
TILING_DATA_FIELD_DEF(uint32_t, castHalfOutRepStride);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(GroupNormTiling)
TILING_DATA_FIELD_DEF(uint32_t, n);
TILING_DATA_FIELD_DEF(uint32_t, c);
TILING_DATA_FIELD_DEF(uint32_t, hw);
TILING_DATA_FIELD_DEF(uint32_t, g);
TILING_DATA_FIELD_DEF(uint32_t, d);
TILING_DATA_FIELD_DEF(uint32_t, hwAlignSize);
TILING_DATA_FIELD_DEF(uint32_t, dhwAlignSize);
TILING_DATA_FIELD_DEF(uint32_t, inputXSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarSize);
TILING_DATA_FIELD_DEF(uint32_t, numberOfTmpBuf);
TILING_DATA_FIELD_DEF(uint32_t, meanTmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, meanTmpTensorSize);
TILING_DATA_FIELD_DEF(uint32_t, varianceTmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, varianceTmpTensorSize);
TILING_DATA_FIELD_DEF(uint32_t, tmpBufSize);
TILING_DATA_FIELD_DEF(uint32_t, oneTmpSize);
TILING_DATA_FIELD_DEF(uint32_t, firstTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, secondTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, thirdTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, loopRound);
TILING_DATA_FIELD_DEF(uint32_t, inputRoundSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailPos);
TILING_DATA_FIELD_DEF(uint32_t, meanVarRoundSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailPos);
TILING_DATA_FIELD_DEF(uint32_t, bshCurLength);
TILING_DATA_FIELD_DEF(uint32_t, bsCurLength);
TILING_DATA_FIELD_DEF(float, factor);
TILING_DATA_FIELD_DEF(bool, smallShape);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(LayerNormGradTiling)
TILING_DATA_FIELD_DEF(uint32_t, stackBufferSize);
TILING_DATA_FIELD_DEF(uint32_t, bLength);
TILING_DATA_FIELD_DEF(uint32_t, sLength);
TILING_DATA_FIELD_DEF(uint32_t, hLength);
TILING_DATA_FIELD_DEF(uint32_t, originalHLength);
TILING_DATA_FIELD_DEF(uint32_t, oneCalSize);
TILING_DATA_FIELD_DEF(uint32_t, nohCalSize);
TILING_DATA_FIELD_DEF(uint32_t, loopNum);
TILING_DATA_FIELD_DEF(uint32_t, tailSize);
TILING_DATA_FIELD_DEF(uint32_t, nohTailSize);
TILING_DATA_FIELD_DEF(uint32_t, tmpTensorBSHPos);
TILING_DATA_FIELD_DEF(uint32_t, tmpTensorBSHSize);
TILING_DATA_FIELD_DEF(uint32_t, pdVarTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, pdVarTensorSize);
TILING_DATA_FIELD_DEF(uint32_t, pdMeanTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, pdMeanTensorSize);
TILING_DATA_FIELD_DEF(uint32_t, x1TensorPos);
TILING_DATA_FIELD_DEF(uint32_t, x1TensorSize);
TILING_DATA_FIELD_DEF(uint32_t, x2TensorPos);
TILING_DATA_FIELD_DEF(uint32_t, x2TensorSize);
TILING_DATA_FIELD_DEF(uint32_t, x3TensorPos);
TILING_DATA_FIELD_DEF(uint32_t, x3TensorSize);
TILING_DATA_FIELD_DEF(uint32_t, tmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, tmpTensorSize);
TILING_DATA_FIELD_DEF(uint32_t, tmpTensor1Pos);
TILING_DATA_FIELD_DEF(uint32_t, tmpTensor1Size);
TILING_DATA_FIELD_DEF(uint32_t, tmpTensor2Pos);
TILING_DATA_FIELD_DEF(uint32_t, tmpTensor2Size);
TILING_DATA_FIELD_DEF(uint32_t, lastDimValueBack);
TILING_DATA_FIELD_DEF(uint32_t, lastDimValueBackMulTwo);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(LayerNormGradBetaTiling)
TILING_DATA_FIELD_DEF(uint32_t, stackBufferSize);
TILING_DATA_FIELD_DEF(uint32_t, bLength);
TILING_DATA_FIELD_DEF(uint32_t, sLength);
TILING_DATA_FIELD_DEF(uint32_t, hLength);
TILING_DATA_FIELD_DEF(uint32_t, originalHLength);
TILING_DATA_FIELD_DEF(uint32_t, bshLength);
TILING_DATA_FIELD_DEF(uint32_t, bsLength);
TILING_DATA_FIELD_DEF(uint32_t, oneCalSize);
TILING_DATA_FIELD_DEF(uint32_t, numberOfTmpBuf);
TILING_DATA_FIELD_DEF(uint32_t, loopRound);
TILING_DATA_FIELD_DEF(uint32_t, inputTailSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailPos);
TILING_DATA_FIELD_DEF(uint32_t, bsTailSize);
TILING_DATA_FIELD_DEF(uint32_t, bshCurLength);
TILING_DATA_FIELD_DEF(uint32_t, bsCurLength);
TILING_DATA_FIELD_DEF(uint32_t, gammaTempTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, betaTempTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, inputDyTmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, resForGammaTmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(LayerNormSeparateTiling)
TILING_DATA_FIELD_DEF(uint32_t, aLength);
TILING_DATA_FIELD_DEF(uint32_t, rLength);
TILING_DATA_FIELD_DEF(uint32_t, halfAddRepeatTimes);
TILING_DATA_FIELD_DEF(uint32_t, rHeadLength);
TILING_DATA_FIELD_DEF(float, k2Rec);
TILING_DATA_FIELD_DEF(float, k2RRec);
TILING_DATA_FIELD_DEF(uint32_t, inputXSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarSize);
TILING_DATA_FIELD_DEF(uint32_t, numberOfTmpBuf);
TILING_DATA_FIELD_DEF(uint32_t, varianceTmpTensorPos);
TILING_DATA_FIELD_DEF(uint32_t, varianceTmpTensorSize);
TILING_DATA_FIELD_DEF(uint32_t, tmpBufSize);
TILING_DATA_FIELD_DEF(uint32_t, oneTmpSize);
TILING_DATA_FIELD_DEF(uint32_t, firstTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, secondTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, thirdTmpStartPos);
TILING_DATA_FIELD_DEF(uint32_t, loopRound);
TILING_DATA_FIELD_DEF(uint32_t, inputRoundSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailPos);
TILING_DATA_FIELD_DEF(uint32_t, meanVarRoundSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailPos);
TILING_DATA_FIELD_DEF(uint32_t, arCurLength);
TILING_DATA_FIELD_DEF(uint32_t, aCurLength);
TILING_DATA_FIELD_DEF(float, rValueBack);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(DeepNormTiling)
TILING_DATA_FIELD_DEF(uint32_t, bLength);
TILING_DATA_FIELD_DEF(uint32_t, sLength);
TILING_DATA_FIELD_DEF(uint32_t, hLength);
TILING_DATA_FIELD_DEF(uint32_t, originalHLength);
TILING_DATA_FIELD_DEF(uint32_t, inputXSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarSize);
TILING_DATA_FIELD_DEF(uint32_t, numberOfTmpBuf);
TILING_DATA_FIELD_DEF(uint32_t, tmpBufSize);
TILING_DATA_FIELD_DEF(uint32_t, oneTmpSize);
TILING_DATA_FIELD_DEF(uint32_t, loopRound);
TILING_DATA_FIELD_DEF(uint32_t, inputRoundSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailSize);
TILING_DATA_FIELD_DEF(uint32_t, inputTailPos);
TILING_DATA_FIELD_DEF(uint32_t, meanVarRoundSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailSize);
TILING_DATA_FIELD_DEF(uint32_t, meanVarTailPos);
TILING_DATA_FIELD_DEF(uint32_t, bshCurLength);
TILING_DATA_FIELD_DEF(uint32_t, bsCurLength);
TILING_DATA_FIELD_DEF(uint32_t, lastDimValueBack);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(TopkTiling)
TILING_DATA_FIELD_DEF(int32_t, tmpLocalSize);
TILING_DATA_FIELD_DEF(int32_t, allDataSize);
TILING_DATA_FIELD_DEF(int32_t, innerDataSize);
TILING_DATA_FIELD_DEF(int32_t, sortRepeat);
TILING_DATA_FIELD_DEF(int32_t, mrgSortRepeat);
TILING_DATA_FIELD_DEF(int32_t, kAlignFourBytes);
TILING_DATA_FIELD_DEF(int32_t, kAlignTwoBytes);
TILING_DATA_FIELD_DEF(int32_t, maskOffset);
TILING_DATA_FIELD_DEF(int32_t, maskVreducev2FourBytes);
TILING_DATA_FIELD_DEF(int32_t, maskVreducev2TwoBytes);
TILING_DATA_FIELD_DEF(int32_t, mrgSortSrc1offset);
TILING_DATA_FIELD_DEF(int32_t, mrgSortSrc2offset);
TILING_DATA_FIELD_DEF(int32_t, mrgSortSrc3offset);
TILING_DATA_FIELD_DEF(int32_t, mrgSortTwoQueueSrc1Offset);
TILING_DATA_FIELD_DEF(int32_t, mrgFourQueueTailPara1);
TILING_DATA_FIELD_DEF(int32_t, mrgFourQueueTailPara2);
TILING_DATA_FIELD_DEF(int32_t, srcIndexOffset);
TILING_DATA_FIELD_DEF(int32_t, copyUbToUbBlockCount);
TILING_DATA_FIELD_DEF(int32_t, topkMrgSrc1MaskSizeOffset);
TILING_DATA_FIELD_DEF(int32_t, topkNSmallSrcIndexOffset);
TILING_DATA_FIELD_DEF(int32_t, vreduceValMask0);
TILING_DATA_FIELD_DEF(int32_t, vreduceValMask1);
TILING_DATA_FIELD_DEF(int32_t, vreduceIdxMask0);
TILING_DATA_FIELD_DEF(int32_t, vreduceIdxMask1);
TILING_DATA_FIELD_DEF(int32_t, vreducehalfValMask0);
TILING_DATA_FIELD_DEF(int32_t, vreducehalfValMask1);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(PadTiling)
TILING_DATA_FIELD_DEF(uint32_t, srcHeight);
TILING_DATA_FIELD_DEF(uint32_t, srcWidth);
TILING_DATA_FIELD_DEF(uint32_t, srcOriWidth);
TILING_DATA_FIELD_DEF(uint32_t, widthWithoutLastBlock);
TILING_DATA_FIELD_DEF(uint32_t, blocksPerRow);
TILING_DATA_FIELD_DEF(uint32_t, heightTiling);
TILING_DATA_FIELD_DEF(uint32_t, heightFractal);
TILING_DATA_FIELD_DEF(uint32_t, heightFractalTail);
TILING_DATA_FIELD_DEF(uint32_t, mainLoopOffset);
TILING_DATA_FIELD_DEF(uint32_t, tailBlockOffset);
TILING_DATA_FIELD_DEF(uint32_t, tmpBuffer1BlockNum);
TILING_DATA_FIELD_DEF(uint32_t, tmpBuffer1RowNum);
TILING_DATA_FIELD_DEF(uint32_t, tmpBuffer2Offset);
TILING_DATA_FIELD_DEF(uint32_t, widthTiling);
TILING_DATA_FIELD_DEF(uint32_t, widthFractal);
TILING_DATA_FIELD_DEF(uint32_t, widthFractalTail);
TILING_DATA_FIELD_DEF(uint32_t, widthFractalTailAlingned);
TILING_DATA_FIELD_DEF(uint32_t, brcbTiling);
TILING_DATA_FIELD_DEF(uint32_t, brcbFractal);
TILING_DATA_FIELD_DEF(uint32_t, brcbFractalTail);
TILING_DATA_FIELD_DEF(uint32_t, maxRepeatTimes);
TILING_DATA_FIELD_DEF(uint32_t, brcbTilingRepeatTimes);
TILING_DATA_FIELD_DEF(uint32_t, brcbFractalTailRepeatTimes);
TILING_DATA_FIELD_DEF(uint32_t, brcbFractalTailRepeatTimesTail);
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(UnPadTiling)
TILING_DATA_FIELD_DEF(uint32_t, srcHeight);
TILING_DATA_FIELD_DEF(uint32_t, srcWidth);
TILING_DATA_FIELD_DEF(uint32_t, tmpBuffer1BlockNum);
TILING_DATA_FIELD_DEF(uint32_t, tmpBuffer1RowNum);
TILING_DATA_FIELD_DEF(uint32_t, tmpBuffer2Offset);
TILING_DATA_FIELD_DEF(uint32_t, widthTiling);
TILING_DATA_FIELD_DEF(uint32_t, widthFractal);
TILING_DATA_FIELD_DEF(uint32_t, widthFractalTail);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(ConfusionTransposeTiling)
TILING_DATA_FIELD_DEF(uint32_t, param0);
TILING_DATA_FIELD_DEF(uint32_t, param1);
TILING_DATA_FIELD_DEF(uint32_t, param2);
TILING_DATA_FIELD_DEF(uint32_t, param3);
TILING_DATA_FIELD_DEF(uint32_t, param4);
TILING_DATA_FIELD_DEF(uint32_t, param5);
TILING_DATA_FIELD_DEF(uint32_t, param6);
TILING_DATA_FIELD_DEF(uint32_t, param7);
TILING_DATA_FIELD_DEF(uint32_t, param8);
TILING_DATA_FIELD_DEF(uint32_t, param9);
TILING_DATA_FIELD_DEF(uint32_t, param10);
TILING_DATA_FIELD_DEF(uint32_t, param11);
TILING_DATA_FIELD_DEF(uint32_t, param12);
TILING_DATA_FIELD_DEF(uint32_t, param13);
TILING_DATA_FIELD_DEF(uint32_t, param14);
TILING_DATA_FIELD_DEF(uint32_t, param15);
TILING_DATA_FIELD_DEF(uint32_t, param16);
TILING_DATA_FIELD_DEF(uint32_t, param17);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(TConv3DApiTiling)
TILING_DATA_FIELD_DEF(uint32_t, groups);
TILING_DATA_FIELD_DEF(uint32_t, orgCi);
TILING_DATA_FIELD_DEF(uint32_t, orgDi);
TILING_DATA_FIELD_DEF(uint32_t, orgHi);
TILING_DATA_FIELD_DEF(uint32_t, orgWi);
TILING_DATA_FIELD_DEF(uint32_t, orgDo);
TILING_DATA_FIELD_DEF(uint32_t, orgCo);
TILING_DATA_FIELD_DEF(uint32_t, orgHo);
TILING_DATA_FIELD_DEF(uint32_t, orgWo);
TILING_DATA_FIELD_DEF(uint32_t, kernelD);
TILING_DATA_FIELD_DEF(uint32_t, kernelH);
TILING_DATA_FIELD_DEF(uint32_t, kernelW);
TILING_DATA_FIELD_DEF(uint32_t, singleCoreCo);
TILING_DATA_FIELD_DEF(uint32_t, singleCoreDo);
TILING_DATA_FIELD_DEF(uint32_t, singleCoreM);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(Mc2InitTiling)
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(Mc2CcTiling)
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(Mc2ServerCfg)
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(Mc2HcommCfg)
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
}
namespace AscendC {
/// Computes the tiling of SoftMax.
void SoftMaxTilingFunc(const ge::Shape &srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize, optiling::SoftMaxTiling &softmaxTiling);
/// Computes the tiling of SoftMaxFlash.
void SoftMaxFlashTilingFunc(const ge::Shape &srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize, optiling::SoftMaxTiling &softmaxFlashTiling, const bool isUpdate = false);
/// Computes the tiling of SoftMaxFlashV2.
void SoftMaxFlashV2TilingFunc(const ge::Shape &srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize, optiling::SoftMaxTiling &softmaxFlashTiling, const bool isUpdate = false, const bool isBasicBlock = false, const bool isFlashOutputBrc = false);
/// Computes the tiling of SoftMaxGrad.
void SoftMaxGradTilingFunc(const ge::Shape &srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize, optiling::SoftMaxTiling &softmaxGradTiling, const bool isFront = false);
/// Computes the tiling of LogSoftMax.
void LogSoftMaxTilingFunc(const ge::Shape &srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize, optiling::LogSoftMaxTiling &softmaxTiling);
/// The largest and smallest temporary memory of Soft, in bytes.
uint32_t GetSoftMaxMinTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize, const bool isReuseSource = false);
/// The largest useful temporary memory of SoftMax, in bytes.
uint32_t GetSoftMaxMaxTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize, const bool isReuseSource = false);
/// The smallest temporary memory of SoftMaxFlash, in bytes.
uint32_t GetSoftMaxFlashMinTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize, const bool isReuseSource = false);
/// The largest useful temporary memory of SoftMaxFlash, in bytes.
uint32_t GetSoftMaxFlashMaxTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize, const bool isReuseSource = false);
/// The smallest temporary memory of SoftMaxGrad, in bytes.
uint32_t GetSoftMaxGradMinTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize, const bool isFront = false, const bool isReuseSource = false);
/// The largest useful temporary memory of SoftMaxGrad, in bytes.
uint32_t GetSoftMaxGradMaxTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize, const bool isFront = false, const bool isReuseSource = false);
/// The largest and smallest temporary memory of LogSoft, in bytes.
uint32_t GetLogSoftMaxMinTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize, const bool isReuseSource = false);
/// The largest useful temporary memory of LogSoftMax, in bytes.
uint32_t GetLogSoftMaxMaxTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize, const bool isReuseSource = false);
/// The smallest temporary memory of SoftMaxFlashV2, in bytes.
uint32_t GetSoftMaxFlashV2MinTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2, const bool isUpdate = false, const bool isBasicBlock = false, const bool isFlashOutputBrc = false);
/// The largest useful temporary memory of SoftMaxFlashV2, in bytes.
uint32_t GetSoftMaxFlashV2MaxTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2, const bool isUpdate = false, const bool isBasicBlock = false, const bool isFlashOutputBrc = false);
/// Whether a softmax's tiling allows isBasicBlock.
bool IsBasicBlockInSoftMax(optiling::SoftMaxTiling &tiling, const uint32_t dataTypeSize = 2);
/// The largest and smallest temporary memory of Tanh, in bytes.
template <typename... Arguments> void GetTanhMaxMinTmpSize(Arguments &&...arguments);
/// Fills the tiling of SoftmaxFlashV3.
template <typename... Arguments> void SoftMaxFlashV3TilingFunc(Arguments &&...arguments);
/// Fills the tiling of UnPad.
template <typename... Arguments> void UnPadTilingFunc(Arguments &&...arguments);
/// The most and the least temporary memory of AntiQuantize, in bytes.
template <typename... Arguments> void GetAntiQuantizeMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them AntiQuantize needs as temporary memory.
template <typename... Arguments> void GetAntiQuantizeTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of Arange, in bytes.
template <typename... Arguments> void GetArangeMaxMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of ArithProgression, in bytes.
template <typename... Arguments> void GetArithProgressionMaxMinTmpSize(Arguments &&...arguments);
/// The most temporary memory of AscendAntiQuant, in bytes.
template <typename... Arguments> uint32_t GetAscendAntiQuantMaxTmpSize(Arguments &&...arguments);
/// The least temporary memory of AscendAntiQuant, in bytes.
template <typename... Arguments> uint32_t GetAscendAntiQuantMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of BitwiseAnd, in bytes.
template <typename... Arguments> void GetBitwiseAndMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them BitwiseAnd needs as temporary memory.
template <typename... Arguments> void GetBitwiseAndTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of BitwiseNot, in bytes.
template <typename... Arguments> void GetBitwiseNotMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them BitwiseNot needs as temporary memory.
template <typename... Arguments> void GetBitwiseNotTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of BitwiseOr, in bytes.
template <typename... Arguments> void GetBitwiseOrMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them BitwiseOr needs as temporary memory.
template <typename... Arguments> void GetBitwiseOrTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of BitwiseXor, in bytes.
template <typename... Arguments> void GetBitwiseXorMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them BitwiseXor needs as temporary memory.
template <typename... Arguments> void GetBitwiseXorTmpBufferFactorSize(Arguments &&...arguments);
/// The temporary memory of Concat, in bytes.
template <typename... Arguments> uint32_t GetConcatTmpSize(Arguments &&...arguments);
/// Fills the tiling of ConfusionTransposeOnly.
template <typename... Arguments> void GetConfusionTransposeOnlyTilingInfo(Arguments &&...arguments);
/// The most and the least temporary memory of Dequantize, in bytes.
template <typename... Arguments> void GetDequantizeMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them Dequantize needs as temporary memory.
template <typename... Arguments> void GetDequantizeTmpBufferFactorSize(Arguments &&...arguments);
/// The most temporary memory of DropOut, in bytes.
template <typename... Arguments> uint32_t GetDropOutMaxTmpSize(Arguments &&...arguments);
/// The least temporary memory of DropOut, in bytes.
template <typename... Arguments> uint32_t GetDropOutMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of Fma, in bytes.
template <typename... Arguments> void GetFmaMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them Fma needs as temporary memory.
template <typename... Arguments> void GetFmaTmpBufferFactorSize(Arguments &&...arguments);
/// The most temporary memory of Gelu, in bytes.
template <typename... Arguments> uint32_t GetGeluMaxTmpSize(Arguments &&...arguments);
/// The least temporary memory of Gelu, in bytes.
template <typename... Arguments> uint32_t GetGeluMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of Hypot, in bytes.
template <typename... Arguments> void GetHypotMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them Hypot needs as temporary memory.
template <typename... Arguments> void GetHypotTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of IsInf, in bytes.
template <typename... Arguments> void GetIsInfMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them IsInf needs as temporary memory.
template <typename... Arguments> void GetIsInfTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of IsNan, in bytes.
template <typename... Arguments> void GetIsNanMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them IsNan needs as temporary memory.
template <typename... Arguments> void GetIsNanTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of LayerNormGradBeta, in bytes.
template <typename... Arguments> void GetLayerNormGradBetaMaxMinTmpSize(Arguments &&...arguments);
/// Fills the tiling of LayerNormGradBetaND.
template <typename... Arguments> void GetLayerNormGradBetaNDTilingInfo(Arguments &&...arguments);
/// Fills the tiling of LayerNormND.
template <typename... Arguments> void GetLayerNormNDTillingInfo(Arguments &&...arguments);
/// The most and the least temporary memory of LogicalAnd, in bytes.
template <typename... Arguments> void GetLogicalAndMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them LogicalAnd needs as temporary memory.
template <typename... Arguments> void GetLogicalAndTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of LogicalAnds, in bytes.
template <typename... Arguments> void GetLogicalAndsMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them LogicalAnds needs as temporary memory.
template <typename... Arguments> void GetLogicalAndsTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of LogicalNot, in bytes.
template <typename... Arguments> void GetLogicalNotMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them LogicalNot needs as temporary memory.
template <typename... Arguments> void GetLogicalNotTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of LogicalOr, in bytes.
template <typename... Arguments> void GetLogicalOrMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them LogicalOr needs as temporary memory.
template <typename... Arguments> void GetLogicalOrTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of LogicalOrs, in bytes.
template <typename... Arguments> void GetLogicalOrsMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them LogicalOrs needs as temporary memory.
template <typename... Arguments> void GetLogicalOrsTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of LogicalXor, in bytes.
template <typename... Arguments> void GetLogicalXorMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them LogicalXor needs as temporary memory.
template <typename... Arguments> void GetLogicalXorTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of Normalize, in bytes.
template <typename... Arguments> void GetNormalizeMaxMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of Quantize, in bytes.
template <typename... Arguments> void GetQuantizeMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them Quantize needs as temporary memory.
template <typename... Arguments> void GetQuantizeTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of ReduceAll, in bytes.
template <typename... Arguments> void GetReduceAllMaxMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of ReduceAny, in bytes.
template <typename... Arguments> void GetReduceAnyMaxMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of ReduceMean, in bytes.
template <typename... Arguments> void GetReduceMeanMaxMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of ReduceProd, in bytes.
template <typename... Arguments> void GetReduceProdMaxMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of ReduceXorSum, in bytes.
template <typename... Arguments> void GetReduceXorSumMaxMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of Select, in bytes.
template <typename... Arguments> void GetSelectMaxMinTmpSize(Arguments &&...arguments);
/// The most temporary memory of Select, in bytes.
template <typename... Arguments> uint32_t GetSelectMaxTmpSize(Arguments &&...arguments);
/// The least temporary memory of Select, in bytes.
template <typename... Arguments> uint32_t GetSelectMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of SelectWithBytesMask, in bytes.
template <typename... Arguments> void GetSelectWithBytesMaskMaxMinTmpSize(Arguments &&...arguments);
/// The most temporary memory of SelectWithBytesMask, in bytes.
template <typename... Arguments> uint32_t GetSelectWithBytesMaskMaxTmpSize(Arguments &&...arguments);
/// The least temporary memory of SelectWithBytesMask, in bytes.
template <typename... Arguments> uint32_t GetSelectWithBytesMaskMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Silu, in bytes.
template <typename... Arguments> uint32_t GetSiluTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of SinCos, in bytes.
template <typename... Arguments> void GetSinCosMaxMinTmpSize(Arguments &&...arguments);
/// How many tensors and how many bytes beside them SinCos needs as temporary memory.
template <typename... Arguments> void GetSinCosTmpBufferFactorSize(Arguments &&...arguments);
/// The most and the least temporary memory of SoftMaxFlashV3, in bytes.
template <typename... Arguments> void GetSoftMaxFlashV3MaxMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of Sort, in bytes.
template <typename... Arguments> void GetSortMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Sort, in bytes.
template <typename... Arguments> uint32_t GetSortTmpSize(Arguments &&...arguments);
/// The temporary memory of Swish, in bytes.
template <typename... Arguments> uint32_t GetSwishTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of TransData, in bytes.
template <typename... Arguments> void GetTransDataMaxMinTmpSize(Arguments &&...arguments);
/// The most and the least temporary memory of WelfordUpdate, in bytes.
template <typename... Arguments> void GetWelfordUpdateMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Tanh an element of live data.
template <typename... Arguments> void GetTanhTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Sinh, in bytes.
template <typename... Arguments> void GetSinhMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Sinh an element of live data.
template <typename... Arguments> void GetSinhTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Cosh, in bytes.
template <typename... Arguments> void GetCoshMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Cosh an element of live data.
template <typename... Arguments> void GetCoshTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Sin, in bytes.
template <typename... Arguments> void GetSinMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Sin an element of live data.
template <typename... Arguments> void GetSinTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Cos, in bytes.
template <typename... Arguments> void GetCosMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Cos an element of live data.
template <typename... Arguments> void GetCosTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Tan, in bytes.
template <typename... Arguments> void GetTanMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Tan an element of live data.
template <typename... Arguments> void GetTanTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Asin, in bytes.
template <typename... Arguments> void GetAsinMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Asin an element of live data.
template <typename... Arguments> void GetAsinTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Acos, in bytes.
template <typename... Arguments> void GetAcosMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Acos an element of live data.
template <typename... Arguments> void GetAcosTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Atan, in bytes.
template <typename... Arguments> void GetAtanMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Atan an element of live data.
template <typename... Arguments> void GetAtanTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Asinh, in bytes.
template <typename... Arguments> void GetAsinhMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Asinh an element of live data.
template <typename... Arguments> void GetAsinhTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Acosh, in bytes.
template <typename... Arguments> void GetAcoshMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Acosh an element of live data.
template <typename... Arguments> void GetAcoshTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Atanh, in bytes.
template <typename... Arguments> void GetAtanhMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Atanh an element of live data.
template <typename... Arguments> void GetAtanhTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Erf, in bytes.
template <typename... Arguments> void GetErfMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Erf an element of live data.
template <typename... Arguments> void GetErfTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Erfc, in bytes.
template <typename... Arguments> void GetErfcMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Erfc an element of live data.
template <typename... Arguments> void GetErfcTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Sign, in bytes.
template <typename... Arguments> void GetSignMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Sign an element of live data.
template <typename... Arguments> void GetSignTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Trunc, in bytes.
template <typename... Arguments> void GetTruncMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Trunc an element of live data.
template <typename... Arguments> void GetTruncTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Frac, in bytes.
template <typename... Arguments> void GetFracMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Frac an element of live data.
template <typename... Arguments> void GetFracTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Round, in bytes.
template <typename... Arguments> void GetRoundMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Round an element of live data.
template <typename... Arguments> void GetRoundTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Rint, in bytes.
template <typename... Arguments> void GetRintMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Rint an element of live data.
template <typename... Arguments> void GetRintTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Floor, in bytes.
template <typename... Arguments> void GetFloorMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Floor an element of live data.
template <typename... Arguments> void GetFloorTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Ceil, in bytes.
template <typename... Arguments> void GetCeilMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Ceil an element of live data.
template <typename... Arguments> void GetCeilTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Digamma, in bytes.
template <typename... Arguments> void GetDigammaMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Digamma an element of live data.
template <typename... Arguments> void GetDigammaTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Lgamma, in bytes.
template <typename... Arguments> void GetLgammaMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Lgamma an element of live data.
template <typename... Arguments> void GetLgammaTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Log, in bytes.
template <typename... Arguments> void GetLogMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Log an element of live data.
template <typename... Arguments> void GetLogTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Log2, in bytes.
template <typename... Arguments> void GetLog2MaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Log2 an element of live data.
template <typename... Arguments> void GetLog2TmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Log10, in bytes.
template <typename... Arguments> void GetLog10MaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Log10 an element of live data.
template <typename... Arguments> void GetLog10TmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Sigmoid, in bytes.
template <typename... Arguments> void GetSigmoidMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Sigmoid an element of live data.
template <typename... Arguments> void GetSigmoidTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Gelu, in bytes.
template <typename... Arguments> void GetGeluMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Gelu an element of live data.
template <typename... Arguments> void GetGeluTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of FasterGelu, in bytes.
template <typename... Arguments> void GetFasterGeluMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of FasterGelu an element of live data.
template <typename... Arguments> void GetFasterGeluTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of FasterGeluV2, in bytes.
template <typename... Arguments> void GetFasterGeluV2MaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of FasterGeluV2 an element of live data.
template <typename... Arguments> void GetFasterGeluV2TmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Silu, in bytes.
template <typename... Arguments> void GetSiluMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Silu an element of live data.
template <typename... Arguments> void GetSiluTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Swish, in bytes.
template <typename... Arguments> void GetSwishMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Swish an element of live data.
template <typename... Arguments> void GetSwishTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of SwiGLU, in bytes.
template <typename... Arguments> void GetSwiGLUMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of SwiGLU an element of live data.
template <typename... Arguments> void GetSwiGLUTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of GeGLU, in bytes.
template <typename... Arguments> void GetGeGLUMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of GeGLU an element of live data.
template <typename... Arguments> void GetGeGLUTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of ReGlu, in bytes.
template <typename... Arguments> void GetReGluMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of ReGlu an element of live data.
template <typename... Arguments> void GetReGluTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Power, in bytes.
template <typename... Arguments> void GetPowerMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Power an element of live data.
template <typename... Arguments> void GetPowerTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Exp, in bytes.
template <typename... Arguments> void GetExpMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Exp an element of live data.
template <typename... Arguments> void GetExpTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Fmod, in bytes.
template <typename... Arguments> void GetFmodMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Fmod an element of live data.
template <typename... Arguments> void GetFmodTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Xor, in bytes.
template <typename... Arguments> void GetXorMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Xor an element of live data.
template <typename... Arguments> void GetXorTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Sum, in bytes.
template <typename... Arguments> void GetSumMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Sum an element of live data.
template <typename... Arguments> void GetSumTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Mean, in bytes.
template <typename... Arguments> void GetMeanMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Mean an element of live data.
template <typename... Arguments> void GetMeanTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of CumSum, in bytes.
template <typename... Arguments> void GetCumSumMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of CumSum an element of live data.
template <typename... Arguments> void GetCumSumTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Clamp, in bytes.
template <typename... Arguments> void GetClampMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Clamp an element of live data.
template <typename... Arguments> void GetClampTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Axpy, in bytes.
template <typename... Arguments> void GetAxpyMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Axpy an element of live data.
template <typename... Arguments> void GetAxpyTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of AscendQuant, in bytes.
template <typename... Arguments> void GetAscendQuantMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of AscendQuant an element of live data.
template <typename... Arguments> void GetAscendQuantTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of AscendDequant, in bytes.
template <typename... Arguments> void GetAscendDequantMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of AscendDequant an element of live data.
template <typename... Arguments> void GetAscendDequantTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of AscendAntiQuant, in bytes.
template <typename... Arguments> void GetAscendAntiQuantMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of AscendAntiQuant an element of live data.
template <typename... Arguments> void GetAscendAntiQuantTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of BroadCast, in bytes.
template <typename... Arguments> void GetBroadCastMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of BroadCast an element of live data.
template <typename... Arguments> void GetBroadCastTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of DropOut, in bytes.
template <typename... Arguments> void GetDropOutMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of DropOut an element of live data.
template <typename... Arguments> void GetDropOutTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of ReduceSum, in bytes.
template <typename... Arguments> void GetReduceSumMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of ReduceSum an element of live data.
template <typename... Arguments> void GetReduceSumTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of ReduceMax, in bytes.
template <typename... Arguments> void GetReduceMaxMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of ReduceMax an element of live data.
template <typename... Arguments> void GetReduceMaxTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of ReduceMin, in bytes.
template <typename... Arguments> void GetReduceMinMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of ReduceMin an element of live data.
template <typename... Arguments> void GetReduceMinTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of TopK, in bytes.
template <typename... Arguments> void GetTopKMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of TopK an element of live data.
template <typename... Arguments> void GetTopKTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of Where, in bytes.
template <typename... Arguments> void GetWhereMaxMinTmpSize(Arguments &&...arguments);
/// The temporary memory of Where an element of live data.
template <typename... Arguments> void GetWhereTmpBufferFactorSize(Arguments &&...arguments);
/// The largest and smallest temporary memory of LayerNorm, in bytes.
template <typename... Arguments> bool GetLayerNormMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of LayerNorm.
template <typename... Arguments> uint32_t GetLayerNormTilingInfo(Arguments &&...arguments);
/// Computes the tiling of LayerNorm.
template <typename... Arguments> void GetLayerNormNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of RmsNorm, in bytes.
template <typename... Arguments> bool GetRmsNormMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of RmsNorm.
template <typename... Arguments> uint32_t GetRmsNormTilingInfo(Arguments &&...arguments);
/// Computes the tiling of RmsNorm.
template <typename... Arguments> void GetRmsNormNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of BatchNorm, in bytes.
template <typename... Arguments> bool GetBatchNormMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of BatchNorm.
template <typename... Arguments> uint32_t GetBatchNormTilingInfo(Arguments &&...arguments);
/// Computes the tiling of BatchNorm.
template <typename... Arguments> void GetBatchNormNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of DeepNorm, in bytes.
template <typename... Arguments> bool GetDeepNormMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of DeepNorm.
template <typename... Arguments> uint32_t GetDeepNormTilingInfo(Arguments &&...arguments);
/// Computes the tiling of DeepNorm.
template <typename... Arguments> void GetDeepNormNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of LayerNormGrad, in bytes.
template <typename... Arguments> bool GetLayerNormGradMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of LayerNormGrad.
template <typename... Arguments> uint32_t GetLayerNormGradTilingInfo(Arguments &&...arguments);
/// Computes the tiling of LayerNormGrad.
template <typename... Arguments> void GetLayerNormGradNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of GroupNorm, in bytes.
template <typename... Arguments> bool GetGroupNormMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of GroupNorm.
template <typename... Arguments> uint32_t GetGroupNormTilingInfo(Arguments &&...arguments);
/// Computes the tiling of GroupNorm.
template <typename... Arguments> void GetGroupNormNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of WelfordFinalize, in bytes.
template <typename... Arguments> bool GetWelfordFinalizeMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of WelfordFinalize.
template <typename... Arguments> uint32_t GetWelfordFinalizeTilingInfo(Arguments &&...arguments);
/// Computes the tiling of WelfordFinalize.
template <typename... Arguments> void GetWelfordFinalizeNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of Pad, in bytes.
template <typename... Arguments> bool GetPadMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of Pad.
template <typename... Arguments> uint32_t GetPadTilingInfo(Arguments &&...arguments);
/// Computes the tiling of Pad.
template <typename... Arguments> void GetPadNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of UnPad, in bytes.
template <typename... Arguments> bool GetUnPadMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of UnPad.
template <typename... Arguments> uint32_t GetUnPadTilingInfo(Arguments &&...arguments);
/// Computes the tiling of UnPad.
template <typename... Arguments> void GetUnPadNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of ConfusionTranspose, in bytes.
template <typename... Arguments> bool GetConfusionTransposeMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of ConfusionTranspose.
template <typename... Arguments> uint32_t GetConfusionTransposeTilingInfo(Arguments &&...arguments);
/// Computes the tiling of ConfusionTranspose.
template <typename... Arguments> void GetConfusionTransposeNDTilingInfo(Arguments &&...arguments);
/// The largest and smallest temporary memory of Transpose, in bytes.
template <typename... Arguments> bool GetTransposeMaxMinTmpSize(Arguments &&...arguments);
/// Computes the tiling of Transpose.
template <typename... Arguments> uint32_t GetTransposeTilingInfo(Arguments &&...arguments);
/// Computes the tiling of Transpose.
template <typename... Arguments> void GetTransposeNDTilingInfo(Arguments &&...arguments);
template <typename... Arguments> bool TopKTilingFunc(Arguments &&...arguments);
template <typename... Arguments> void PadTilingFunc(Arguments &&...arguments);
template <typename... Arguments> void GetTopKMaxMinTmpSize2(Arguments &&...arguments);
}
#ifdef KERNELGEN_EXECUTE
#include "../twin/host_temporary.h"
#include "../twin/host_library.h"
#endif
namespace ascendc_tiling = AscendC;

namespace matmul_tiling {
/// The matrix types of the Matmul tiling.
enum class DataType : int32_t { DT_FLOAT = 0, DT_FLOAT16 = 1, DT_INT8 = 2, DT_INT32 = 3, DT_UINT8 = 4, DT_INT16 = 6, DT_UINT16 = 7, DT_UINT32 = 8, DT_INT64 = 9, DT_BF16 = 27, DT_BFLOAT16 = 27, DT_INT4 = 29, DT_FLOAT8_E5M2 = 35, DT_FLOAT8_E4M3FN = 36, DT_HIFLOAT8 = 34, DT_UNDEFINED = 28 };
enum class TPosition : int32_t { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, MAX };
enum class CubeFormat : int32_t { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, COLUMN_MAJOR, ROW_MAJOR };
/// Whether dequantisation is by one scale or one a column.
enum class DequantType : int32_t { SCALAR = 0, TENSOR = 1 };
/// Which way blocks are gone through.
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
/// How float is multiplied.
enum class MatrixMadType : int32_t { NORMAL = 0, HF32 = 1, MXMODE = 2 };
enum class ScheduleType : int32_t { INNER_PRODUCT = 0, OUTER_PRODUCT = 1, N_BUFFER_33 = 2 };
enum class TilingPolicy : int32_t { FIXED_A_TSCM, FIXED_B_TSCM, FIXED_A_B_TSCM, NO_POLICY };
/// The options that the kernel's Matmul has.
struct MatmulConfigParams {
    int32_t mmConfigType = 1;
    bool enableL1CacheUB = false;
    ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
    MatrixTraverse traverse = MatrixTraverse::NOSET;
    bool enVecND2NZ = false;
    MatmulConfigParams(int32_t type = 1, bool cache = false, ScheduleType schedule = ScheduleType::INNER_PRODUCT, MatrixTraverse traverseIn = MatrixTraverse::NOSET, bool nd2nz = false);
};
struct PlatformInfo {
    platform_ascendc::SocVersion socVersion;
    uint64_t l1Size;
    uint64_t l0CSize;
    uint64_t ubSize;
    uint64_t l0ASize;
    uint64_t l0BSize;
};
struct SysTilingTempBufSize {
    int32_t ubSize;
    int32_t l1Size;
    int32_t l0cSize;
};
/// Computes the tiling of a Matmul on one core.
class MatmulApiTilingBase {
public:
    KERNELGEN_HOST_STATE(::kernelgen::MatmulRequest kernelgenRequest)
    MatmulApiTilingBase();
    explicit MatmulApiTilingBase(const platform_ascendc::PlatformAscendC &platform);
    virtual ~MatmulApiTilingBase();
    /// Sets the left matrix: position, layout, element type, transposed or not.
    int32_t SetAType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans = false);
    /// Sets the right matrix: position, layout, element type, transposed or not.
    int32_t SetBType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans = false);
    /// Sets the result: position, layout, element type.
    int32_t SetCType(TPosition pos, CubeFormat type, DataType dataType);
    /// Sets the bias: position, layout, element type.
    int32_t SetBiasType(TPosition pos, CubeFormat type, DataType dataType);
    /// Sets the scales of the left matrix.
    int32_t SetScaleAType(TPosition pos, CubeFormat type, bool isTrans = false);
    /// Sets the scales of the right matrix.
    int32_t SetScaleBType(TPosition pos, CubeFormat type, bool isTrans = false);
    int32_t SetDequantType(DequantType type);
    /// Sets the sizes of the part a core computes: m, n, k.
    int32_t SetShape(int32_t m, int32_t n, int32_t k);
    /// Sets the sizes of the whole matrices.
    int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgK);
    int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgKa, int32_t orgKb);
    /// Sets the axes of the left matrix of a batch.
    int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d);
    /// Sets the axes of the right matrix of a batch.
    int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d);
    /// Sets the axes of the result of a batch.
    int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d);
    /// Sets the number of matrices.
    int32_t SetBatchNum(int32_t batch);
    int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k);
    /// Says whether there is a bias.
    int32_t EnableBias(bool isBias = false);
    int32_t SetBias(bool isBias = false);
    /// Fixes the block sizes; -1 leaves one open.
    int32_t SetFixSplit(int32_t baseM = -1, int32_t baseN = -1, int32_t baseK = -1);
    /// Limits the memories that Matmul may use, in bytes; -1 is all.
    int32_t SetBufferSpace(int32_t l1Size = -1, int32_t l0CSize = -1, int32_t ubSize = -1, int32_t btSize = -1);
    /// Sets which way the blocks are gone through.
    int32_t SetTraverse(MatrixTraverse traverse);
    /// Sets how float is multiplied.
    int32_t SetMadType(MatrixMadType type);
    int32_t SetSplitRange(int32_t maxBaseM = -1, int32_t maxBaseN = -1, int32_t maxBaseK = -1, int32_t minBaseM = -1, int32_t minBaseN = -1, int32_t minBaseK = -1);
    int32_t SetDoubleBuffer(bool a, bool b, bool c, bool bias, bool transND2NZ = true, bool transNZ2ND = true);
    /// Sets the options that the kernel's Matmul has.
    void SetMatmulConfigParams(const MatmulConfigParams &params);
    void SetMatmulConfigParams(int32_t mmConfigType, bool enableL1CacheUB = false, ScheduleType scheduleType = ScheduleType::INNER_PRODUCT, MatrixTraverse traverse = MatrixTraverse::NOSET, bool enVecND2NZ = false);
    int32_t SetSparse(bool isSparse = false);
    int32_t GetBaseM() const;
    int32_t GetBaseN() const;
    int32_t GetBaseK() const;
    /// Computes the tiling; -1 where there is none.
    template <typename T> int64_t GetTiling(T &tiling);
    /// Sets the sizes of the part a core computes.
    int32_t SetSingleShape(int32_t singleM = -1, int32_t singleN = -1, int32_t singleK = -1);
    /// How many cores the tiling uses.
    int32_t GetCoreNum(int32_t &dim, int32_t &mDim, int32_t &nDim);
    int32_t GetSingleShape(int32_t &m, int32_t &n, int32_t &k);
};
/// Computes the tiling of a Matmul on one core.
class MatmulApiTiling : public MatmulApiTilingBase {
public:
    MatmulApiTiling();
    explicit MatmulApiTiling(const platform_ascendc::PlatformAscendC &platform);
    explicit MatmulApiTiling(const PlatformInfo &platform);
};
/// Computes the tiling of a Matmul on several cores.
class MultiCoreMatmulTiling : public MatmulApiTilingBase {
public:
    MultiCoreMatmulTiling();
    explicit MultiCoreMatmulTiling(const platform_ascendc::PlatformAscendC &platform);
    explicit MultiCoreMatmulTiling(const PlatformInfo &platform);
    /// Sets how many cores there are.
    int32_t SetDim(int32_t dim);
    int32_t SetShape(int32_t m, int32_t n, int32_t k);
    /// Limits the cores' parts.
    int32_t SetSingleRange(int32_t maxM = -1, int32_t maxN = -1, int32_t maxK = -1, int32_t minM = -1, int32_t minN = -1, int32_t minK = -1);
    /// Sets what the cores' parts are multiples of.
    int32_t SetAlignSplit(int32_t alignM = -1, int32_t alignN = -1, int32_t alignK = -1);
    int32_t EnableL1BankConflictOptimise();
    int32_t EnableMultiCoreSplitK(bool enable);
    void SetSplitK(bool enable);
    int32_t SetMaxSingleMNK(int32_t m, int32_t n, int32_t k);
};
/// Computes the tiling of a batch of Matmuls.
class BatchMatmulTiling : public MatmulApiTilingBase {
public:
    BatchMatmulTiling();
    explicit BatchMatmulTiling(const platform_ascendc::PlatformAscendC &platform);
};
#ifdef KERNELGEN_EXECUTE
template <typename T> int64_t MatmulApiTilingBase::GetTiling(T &tiling) { return kernelgenRequest.answer(tiling); }
#endif
/// The memories that a Matmul of this tiling takes, in bytes; -1 where there is none.
int32_t MatmulGetTmpBufSize(optiling::TCubeTiling &tiling, SysTilingTempBufSize &sizes);
template <typename Tiling> int32_t MatmulGetTmpBufSizeV2(Tiling &tiling, SysTilingTempBufSize &sizes);
template <typename Tiling> int32_t MultiCoreMatmulGetTmpBufSizeV2(Tiling &tiling, SysTilingTempBufSize &sizes);
template <typename Tiling> int32_t BatchMatmulGetTmpBufSizeV2(Tiling &tiling, SysTilingTempBufSize &sizes);
int32_t MultiCoreMatmulGetTmpBufSize(optiling::TCubeTiling &tiling, SysTilingTempBufSize &sizes);
int32_t BatchMatmulGetTmpBufSize(optiling::TCubeTiling &tiling, SysTilingTempBufSize &sizes);
}
#endif
