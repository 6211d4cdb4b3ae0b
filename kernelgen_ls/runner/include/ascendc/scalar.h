// Scalar helpers.
#ifndef KERNELGEN_ASCENDC_SCALAR_H
#define KERNELGEN_ASCENDC_SCALAR_H

#include "config.h"

namespace AscendC {

/// How many bits of `valueIn` are `countValue` (0 or 1).
template <int countValue> __aicore__ inline int64_t ScalarGetCountOfValue(uint64_t valueIn);
/// How many zero bits lead.
__aicore__ inline int64_t ScalarCountLeadingZero(uint64_t valueIn);
/// How many bits repeat the sign bit.
__aicore__ inline int64_t CountBitsCntSameAsSignBit(int64_t valueIn);
/// The place of the first bit that is `countValue` (0 or 1).
template <int countValue> __aicore__ inline int64_t ScalarGetSFFValue(uint64_t valueIn);
template <int countValue> __aicore__ inline int64_t GetSFFValue(uint64_t valueIn);
template <int countValue> __aicore__ inline int64_t GetBitCount(uint64_t valueIn);
__aicore__ inline int64_t CountLeadingZero(uint64_t valueIn);
/// x divided by y, rounded up.
__aicore__ constexpr int32_t CeilDivision(int32_t x, int32_t y) { return y == 0 ? 0 : (x + y - 1) / y; }
/// x divided by y, rounded up.
__aicore__ constexpr uint32_t DivCeil(uint32_t x, uint32_t y) { return (x + y - 1) / y; }
/// x divided by y, rounded up.
__aicore__ constexpr uint32_t ConstCeil(uint32_t x, uint32_t y) { return (x + y - 1) / y; }
/// x divided by y, rounded up.
__aicore__ constexpr uint32_t Ceil(uint32_t x, uint32_t y) { return (x + y - 1) / y; }
/// x rounded up to a multiple of y.
__aicore__ constexpr uint32_t AlignUp(uint32_t x, uint32_t y) { return (x + y - 1) / y * y; }
/// x rounded up to a multiple of y.
__aicore__ constexpr uint16_t CeilAlign(uint16_t x, uint16_t y) { return (x + y - 1) / y * y; }
/// The factor and the shift that divide by `divisor` with a multiplication.
template <typename T> __aicore__ inline void GetUintDivMagicAndShift(T &magic, T &shift, T divisor);

/// A truth value as a type.
template <bool truth> struct BoolInst {
    static constexpr bool value = truth;
};
/// The type of a condition that holds.
using TrueType = BoolInst<true>;
/// The type of a condition that does not hold.
using FalseType = BoolInst<false>;

/// Whether two types are the same, as `value`.
template <typename T, typename U> struct IsSameType {
    static constexpr bool value = std::is_same_v<T, U>;
};

/// One of two types by a condition, as `type`.
template <bool condition, typename A, typename B> using Conditional = std::conditional<condition, A, B>;

}

/// The smaller of two scalars.
template <typename T> constexpr T min(T a, T b) { return b < a ? b : a; }
/// The larger of two scalars.
template <typename T> constexpr T max(T a, T b) { return a < b ? b : a; }

#endif
