// Conversions between element types.
#ifndef KERNELGEN_ASCENDC_CONVERT_H
#define KERNELGEN_ASCENDC_CONVERT_H

#include "tensor.h"

namespace AscendC {

namespace Constraint {
// int4b_t where Cast takes it: written from Ascend310P on, read on Atlas A2 and A3.
#if __NPU_ARCH__ >= 2201
using ReadInt4 = int4b_t;
#else
using ReadInt4 = Absent;
#endif
#if __NPU_ARCH__ >= 2002
using WrittenInt4 = int4b_t;
#else
using WrittenInt4 = Absent;
#endif
/// The pairs of element types that Cast converts between (from U to T).
template <typename T, typename U>
constexpr bool isCast = (std::is_same_v<U, half> && isOneOf<T, half, float, int32_t, int16_t, int8_t, uint8_t, WrittenInt4>) ||
                        (std::is_same_v<U, float> && isOneOf<T, float, half, Bf16, int16_t, int32_t, int64_t>) ||
                        (std::is_same_v<U, Bf16> && isOneOf<T, float, int32_t>) ||
                        (std::is_same_v<U, int32_t> && isOneOf<T, float, int64_t, int16_t, half>) ||
                        (std::is_same_v<U, int16_t> && isOneOf<T, half, float>) || (std::is_same_v<U, int64_t> && isOneOf<T, float, int32_t>) ||
                        (std::is_same_v<U, int8_t> && isOneOf<T, half>) || (std::is_same_v<U, uint8_t> && isOneOf<T, half>) ||
                        (std::is_same_v<U, ReadInt4> && isOneOf<T, half>);
}
#if __CCE_AICORE__ >= 300
#define ASC_CASTS(T, U)
#else
#define ASC_CASTS(T, U) static_assert(Constraint::isCast<T, U>, "Cast has no conversion from the source's to the destination's element type on this chip")
#endif

/// Converts every element to the type of dst.
/// constraint: only the pairs of types of the chip; half to float with CAST_NONE, float to half with CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC or CAST_ODD, float to bfloat16_t never with CAST_NONE.
template <typename T, typename U> __aicore__ inline void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode, const uint32_t count)
{
    ASC_CASTS(T, U);
    KERNELGEN_RUN(Cast, (dst, src, roundMode, count))
}
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode, const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams)
{
    ASC_CASTS(T, U);
    KERNELGEN_RUN(Cast, (dst, src, roundMode, mask, repeatTime, repeatParams))
}
template <typename T, typename U, bool isSetMask = true> __aicore__ inline void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode, const uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams) ASC_MASK(::AscendC::Constraint::wider(sizeof(T), sizeof(U)))
{
    ASC_CASTS(T, U);
    KERNELGEN_RUN(Cast, (dst, src, roundMode, mask, repeatTime, repeatParams))
}
#undef ASC_CASTS
/// Converts int32_t to half times the scale of SetDeqScale.
template <typename T, typename U> __aicore__ inline void CastDeq(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint32_t count);
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true> __aicore__ inline void CastDeq(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask, uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true> __aicore__ inline void CastDeq(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
/// Converts int16_t to int8_t or uint8_t times the scales of SetDeqScale.
template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true> __aicore__ inline void CastDequant(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint32_t count);
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true> __aicore__ inline void CastDequant(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true> __aicore__ inline void CastDequant(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask, uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
/// Sets the scale that converting int32_t to half, and CastDeq, multiply by.
__aicore__ inline void SetDeqScale(half scale);
__aicore__ inline void SetDeqScale(float scale, int16_t offset, bool signMode);
template <typename T> __aicore__ inline void SetDeqScale(const LocalTensor<T> &vdeqTensor, const LocalTensor<uint64_t> &vdeqInfo);
template <typename T> __aicore__ inline void SetDeqScale(const LocalTensor<T> &vdeqTensor, const struct VdeqInfo &vdeqInfo);
/// Scales and offsets of SetDeqScale for a vector.
struct VdeqInfo {
    float vdeqScale[16];
    int16_t vdeqOffset[16];
    bool vdeqSignMode[16];
};
/// Converts one scalar, rounded as said.
template <typename T, typename U, RoundMode roundMode> __aicore__ inline U ScalarCast(T valueIn);
/// A bfloat16_t as float.
__aicore__ inline float ToFloat(const bfloat16_t &value);
/// A float as bfloat16_t, rounded to nearest even.
__aicore__ inline bfloat16_t ToBfloat16(const float &value);
template <typename T, typename U, RoundMode roundMode> __aicore__ inline U Cast(T valueIn);
__aicore__ inline bfloat16_t Cast(const float &value);
__aicore__ inline float Cast(const bfloat16_t &value);
template <typename T, typename U = float, typename = std::enable_if_t<Constraint::isOneOf<T, hifloat8_t, fp8_e5m2_t, fp8_e4m3fn_t, fp4x2_e1m2_t, fp4x2_e2m1_t>>> __aicore__ constexpr U Cast(T value) { return U(); }

}

#endif
