// The library's functions that move or drop elements: dropping out, padding, transposing, broadcasting.
#ifndef KERNELGEN_TWIN_LAYOUT_BODIES_H
#define KERNELGEN_TWIN_LAYOUT_BODIES_H

namespace kgtwin {

/// The mode of DropOut where none is given follows from how long rows of the mask are: bytes or bits an element.
template <uint32_t mode> bool dropsByBits(const AscendC::DropOutShapeInfo &info) { return mode == 0 ? info.maskLastAxis < info.srcLastAxis : mode >= 3; }

inline void transposeImage(const Local &dst, const Local &src, const AscendC::TransposeParamsExt &params)
{
    using Kind = AscendC::TransposeType;
    const uint32_t n = params.nSize, c = params.cSize, h = params.hSize, w = params.wSize;
    const uint32_t square[2] = {16, 16}, turned[2] = {1, 0}, last[3] = {0, 2, 1};
    const uint32_t planes[3] = {n, c, h * w}, pixels[3] = {n, h * w, c};
    if (params.transposeType == Kind::TRANSPOSE_ND2ND_B16) permute(dst, src, square, turned, 2);
    else if (params.transposeType == Kind::TRANSPOSE_NCHW2NHWC) permute(dst, src, planes, last, 3);
    else if (params.transposeType == Kind::TRANSPOSE_NHWC2NCHW) permute(dst, src, pixels, last, 3);
    else notExecuted("Transpose of this kind");
}

}

namespace AscendC {

template <typename T, bool isInitBitMode, uint32_t dropOutMode> __aicore__ inline void DropOut(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &mask, const LocalTensor<uint8_t> &, const float keepProb, const DropOutShapeInfo &info)
{
    KGTWIN_CALL;
    ::kgtwin::dropOut(dst.twin, src.twin, mask.twin, ::kgtwin::dropsByBits<dropOutMode>(info), keepProb, info.firstAxis, info.srcLastAxis, info.maskLastAxis);
}
template <typename T> __aicore__ inline void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src, PadParams &padParams, const LocalTensor<uint8_t> &, PadTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::padRows(dst.twin, src.twin, tiling.srcHeight, tiling.srcWidth, tiling.srcOriWidth, padParams.leftPad, padParams.rightPad, padParams.padValue);
}
template <typename T> __aicore__ inline void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, UnPadParams &unPadParams, const LocalTensor<uint8_t> &, UnPadTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::unpadRows(dst.twin, src.twin, tiling.srcHeight, tiling.srcWidth, unPadParams.rightPad);
}
template <typename T, bool isInitBitMode, uint32_t dropOutMode> __aicore__ inline void DropOut(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &mask, const float keepProb, const DropOutShapeInfo &info)
{
    KGTWIN_CALL;
    ::kgtwin::dropOut(dst.twin, src.twin, mask.twin, ::kgtwin::dropsByBits<dropOutMode>(info), keepProb, info.firstAxis, info.srcLastAxis, info.maskLastAxis);
}
template <typename T> __aicore__ inline void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src, PadParams &padParams, PadTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::padRows(dst.twin, src.twin, tiling.srcHeight, tiling.srcWidth, tiling.srcOriWidth, padParams.leftPad, padParams.rightPad, padParams.padValue);
}
template <typename T> __aicore__ inline void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, UnPadParams &unPadParams, UnPadTiling &tiling)
{
    KGTWIN_CALL;
    ::kgtwin::unpadRows(dst.twin, src.twin, tiling.srcHeight, tiling.srcWidth, unPadParams.rightPad);
}
template <typename T> __aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const TransposeParamsExt &transposeParams)
{
    KGTWIN_CALL;
    ::kgtwin::transposeImage(dst.twin, src.twin, transposeParams);
}
template <typename T> __aicore__ inline void TransDataTo5HD(const LocalTensor<uint64_t> &dst, const LocalTensor<uint64_t> &src, const TransDataTo5HDParams &params)
{
    KGTWIN_CALL;
    uint64_t to[16], from[16];
    for (uint32_t i = 0; i < 16; ++i) {
        to[i] = dst.GetValue(i);
        from[i] = src.GetValue(i);
    }
    ::kgtwin::transposeAddresses(to, from, ::kgtwin::typeOf<T>(), sizeof(T), params.dstHighHalf, params.srcHighHalf, params.repeatTimes, params.dstRepStride, params.srcRepStride);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource> __aicore__ inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim], const uint32_t srcShape[dim])
{
    KGTWIN_CALL;
    ::kgtwin::broadcastAxes(dst.twin, src.twin, dstShape, srcShape, dim);
}
template <typename T, int constRank, uint32_t *constDstShape, uint32_t *constSrcShape> __aicore__ inline void GetBroadcastTilingInfo(uint32_t rank, const uint32_t *dstShape, const uint32_t *srcShape, bool srcInnerPad, BroadcastTiling &tiling)
{
    tiling.oriRank = tiling.rank = rank;
    for (uint32_t i = 0; i < rank; ++i) {
        tiling.oriDstShape[i] = dstShape[i];
        tiling.oriSrcShape[i] = srcShape[i];
    }
}
template <typename T, int constRank, uint32_t *constDstShape, uint32_t *constSrcShape, bool constSrcInnerPad> __aicore__ inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t *dstShape, const uint32_t *srcShape, BroadcastTiling *tiling)
{
    KGTWIN_CALL;
    ::kgtwin::broadcastAxes(dst.twin, src.twin, dstShape, srcShape, tiling->oriRank);
}

}

#endif
