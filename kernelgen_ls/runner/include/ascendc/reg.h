// The register-level interface of Ascend 950: vector registers, masks and what vector functions compute with them.
//
// Only this instruction set has it. Every operation takes registers of one element type and layout, by reference; a mask
// says which elements it computes. AscendC::MicroAPI is the older name of AscendC::Reg.
#ifndef KERNELGEN_ASCENDC_REG_H
#define KERNELGEN_ASCENDC_REG_H

#include "tensor.h"

#if __NPU_ARCH__ == 3510

namespace AscendC {

/// Reads a special register.
template <SpecialPurposeReg spr> __aicore__ inline int64_t GetSpr();
/// Sets a special register to zero.
template <SpecialPurposeReg spr> __aicore__ inline void ClearSpr();

/// How exactly Exp computes.
enum class ExpAlgo { INTRINSIC, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
/// How exactly Ln computes.
enum class LnAlgo { INTRINSIC, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
/// How exactly Log computes.
enum class LogAlgo { INTRINSIC, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
/// How exactly Log2 computes.
enum class Log2Algo { INTRINSIC, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
/// How exactly Log10 computes.
enum class Log10Algo { INTRINSIC, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
/// How exactly Reciprocal computes.
enum class ReciprocalAlgo { INTRINSIC, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
/// How exactly Div computes.
enum class DivAlgo { INTRINSIC, DIFF_COMPENSATION, PRECISION_1ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_FALSE, PRECISION_1ULP_FTZ_FALSE };
/// How exactly Sqrt computes.
enum class SqrtAlgo { INTRINSIC, FAST_INVERSE, PRECISION_1ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_FALSE, PRECISION_1ULP_FTZ_FALSE };
/// How exactly Rsqrt computes.
enum class RsqrtAlgo { INTRINSIC, FAST_INVERSE, PRECISION_1ULP_FTZ_TRUE, PRECISION_0ULP_FTZ_FALSE, PRECISION_1ULP_FTZ_FALSE };
/// How exactly Exp computes.
struct ExpConfig {
    ExpAlgo algo = ExpAlgo::INTRINSIC;
};
constexpr ExpConfig DEFAULT_EXP_CONFIG = {};
/// How exactly Ln computes.
struct LnConfig {
    LnAlgo algo = LnAlgo::INTRINSIC;
};
constexpr LnConfig DEFAULT_LN_CONFIG = {};
/// How exactly Log computes.
struct LogConfig {
    LogAlgo algo = LogAlgo::INTRINSIC;
};
constexpr LogConfig DEFAULT_Log_CONFIG = {};
/// How exactly Log2 computes.
struct Log2Config {
    Log2Algo algo = Log2Algo::INTRINSIC;
};
constexpr Log2Config DEFAULT_Log2_CONFIG = {};
/// How exactly Log10 computes.
struct Log10Config {
    Log10Algo algo = Log10Algo::INTRINSIC;
};
constexpr Log10Config DEFAULT_Log10_CONFIG = {};
/// How exactly Reciprocal computes.
struct ReciprocalConfig {
    ReciprocalAlgo algo = ReciprocalAlgo::INTRINSIC;
};
constexpr ReciprocalConfig DEFAULT_RECIPROCAL_CONFIG = {};
/// How exactly Div computes.
struct DivConfig {
    DivAlgo algo = DivAlgo::INTRINSIC;
};
constexpr DivConfig DEFAULT_DIV_CONFIG = {};
/// How exactly Sqrt computes.
struct SqrtConfig {
    SqrtAlgo algo = SqrtAlgo::INTRINSIC;
};
constexpr SqrtConfig DEFAULT_SQRT_CONFIG = {};
/// How exactly Rsqrt computes.
struct RsqrtConfig {
    RsqrtAlgo algo = RsqrtAlgo::INTRINSIC;
};
constexpr RsqrtConfig DEFAULT_RSQRT_CONFIG = {};

// The same of tensors, told how exactly.
template <typename T, const ExpConfig &config> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count);
template <typename T, bool isSetMask, const ExpConfig &config> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, bool isSetMask, const ExpConfig &config> __aicore__ inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, const LnConfig &config> __aicore__ inline void Ln(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count);
template <typename T, bool isSetMask, const LnConfig &config> __aicore__ inline void Ln(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, bool isSetMask, const LnConfig &config> __aicore__ inline void Ln(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, const ReciprocalConfig &config> __aicore__ inline void Reciprocal(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count);
template <typename T, bool isSetMask, const ReciprocalConfig &config> __aicore__ inline void Reciprocal(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, bool isSetMask, const ReciprocalConfig &config> __aicore__ inline void Reciprocal(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, const SqrtConfig &config> __aicore__ inline void Sqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count);
template <typename T, bool isSetMask, const SqrtConfig &config> __aicore__ inline void Sqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, bool isSetMask, const SqrtConfig &config> __aicore__ inline void Sqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, const RsqrtConfig &config> __aicore__ inline void Rsqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count);
template <typename T, bool isSetMask, const RsqrtConfig &config> __aicore__ inline void Rsqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, bool isSetMask, const RsqrtConfig &config> __aicore__ inline void Rsqrt(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, const DivConfig &config> __aicore__ inline void Div(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const int32_t &count);
template <typename T, bool isSetMask, const DivConfig &config> __aicore__ inline void Div(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, bool isSetMask, const DivConfig &config> __aicore__ inline void Div(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);

namespace Reg {
using AscendC::ReduceType;

/// How a load spreads what it reads over a register.
enum class LoadDist { DIST_NORM, DIST_BRC_B8, DIST_BRC_B16, DIST_BRC_B32, DIST_US_B8 = 6, DIST_US_B16, DIST_DS_B8, DIST_DS_B16, DIST_BDINTLV, DIST_DINTLV_B8, DIST_DINTLV_B16, DIST_UNPACK_B8, DIST_UNPACK_B16, DIST_BLK, DIST_E2B_B16, DIST_E2B_B32, DIST_UNPACK_B32, DIST_DINTLV_B32, DIST_UNPACK4_B8, DIST_SPLT4CHN_B8, DIST_SPLT2CHN_B8, DIST_SPLT2CHN_B16 };
/// How a store picks what it writes from a register.
enum class StoreDist { DIST_NORM_B8, DIST_NORM_B16, DIST_NORM_B32, DIST_FIRST_ELEMENT_B8, DIST_FIRST_ELEMENT_B16, DIST_FIRST_ELEMENT_B32, DIST_PACK_B16, DIST_PACK_B32, DIST_INTLV_B8, DIST_INTLV_B16, DIST_PACK_B64, DIST_INTLV_B32, DIST_PACK4_B32, DIST_MRG4CHN_B8, DIST_MRG2CHN_B8, DIST_MRG2CHN_B16, DIST_NORM };
/// How a load or store of a mask spreads its bits.
enum class MaskDist { DIST_NORM, DIST_US = 1, DIST_DS = 2, DIST_PACK = 1 };
/// Which elements a mask made by CreateMask selects.
enum class MaskPattern { ALL, VL1, VL2, VL3, VL4, VL8, VL16, VL32, VL64, VL128, M3, M4, H, Q, ALLF = 15 };
/// What happens to the elements a mask leaves out: kept or set to zero.
enum class MaskMergeMode { UNKNOWN, MERGING, ZEROING };
/// Whether a load or store moves its address on.
enum class PostLiteral { POST_MODE_NORMAL, POST_MODE_UPDATE };
/// How a load or store goes that is not contiguous: by 32-byte blocks.
enum class DataCopyMode { DATA_BLOCK_COPY };
/// Which part of a register a conversion uses.
enum class RegLayout { UNKNOWN = -1, ZERO, ONE, TWO, THREE };
/// Whether a conversion saturates.
enum class SatMode { UNKNOWN = -1, NO_SAT, SAT };
/// Which way the values of Arange go.
enum class IndexOrder { INCREASE_ORDER, DECREASE_ORDER };
/// Kinds of memory access that LocalMemBar orders.
enum class MemType { VEC_STORE, VEC_LOAD, SCALAR_STORE, SCALAR_LOAD, VEC_ALL, SCALAR_ALL };
/// Which half of a register is meant.
enum class HighLowPart { LOWEST, HIGHEST };
/// Whether Squeeze keeps how many elements it selected for StoreUnAlign.
enum class GatherMaskMode { NO_STORE_REG, STORE_REG };
enum class StoreMode { NOSTORED, STORED };
/// Whether an operation rounds.
enum class RoundControl { NO_ROUND, ROUND };
/// What PairReduceElem computes.
enum class PairReduce { SUM };
/// Which bins Histograms fills.
enum class HistogramsBinType { BIN0, BIN1, BIN2, BIN3, BIN4, BIN5, BIN6, BIN7 };
/// Whether Histograms counts values in a bin or up to it.
enum class HistogramsType { FREQUENCY, ACCUMULATE };

/// Stands for the element type of an operation's registers.
struct DefaultType {};
/// How a register conversion rounds, saturates and masks.
struct CastTrait {
    RegLayout layoutMode = RegLayout::UNKNOWN;
    SatMode satMode = SatMode::UNKNOWN;
    MaskMergeMode mrgMode = MaskMergeMode::UNKNOWN;
    RoundMode roundMode = RoundMode::UNKNOWN;
};
constexpr CastTrait castTrait = {RegLayout::UNKNOWN, SatMode::UNKNOWN, MaskMergeMode::UNKNOWN, RoundMode::UNKNOWN};
/// How Exp masks and how exactly it computes; its address is Exp's mode.
struct ExpSpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    ExpAlgo algo = ExpAlgo::INTRINSIC;
};
/// How Ln masks and how exactly it computes; its address is Ln's mode.
struct LnSpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    LnAlgo algo = LnAlgo::INTRINSIC;
};
/// How Log masks and how exactly it computes; its address is Log's mode.
struct LogSpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    LogAlgo algo = LogAlgo::INTRINSIC;
};
/// How Log2 masks and how exactly it computes; its address is Log2's mode.
struct Log2SpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    Log2Algo algo = Log2Algo::INTRINSIC;
};
/// How Log10 masks and how exactly it computes; its address is Log10's mode.
struct Log10SpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    Log10Algo algo = Log10Algo::INTRINSIC;
};
/// How Div masks and how exactly it computes; its address is Div's mode.
struct DivSpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    bool precisionMode = false;
    DivAlgo algo = DivAlgo::INTRINSIC;
};
/// How Sqrt masks and how exactly it computes; its address is Sqrt's mode.
struct SqrtSpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    bool precisionMode = false;
    SqrtAlgo algo = SqrtAlgo::INTRINSIC;
};
/// How many physical registers a RegTensor has.
struct RegTrait {
    int REG_NUM = 1;
};
constexpr RegTrait RegTraitNumOne = {1};
constexpr RegTrait RegTraitNumTwo = {2};
// States that an element type that a call names is that of its registers.
#define ASC_REGISTERS_OF(T, E) static_assert(std::is_same_v<T, DefaultType> || std::is_same_v<T, E>, "the element type of the call is not that of its registers")
/// A vector register of 256 bytes, or two of them for elements of 64 bits.
template <typename T, const RegTrait &regTrait = RegTraitNumOne> struct RegTensor {
    using ActualT = T;
    using RegType = T;
    static constexpr RegTrait trait = regTrait;
    static constexpr int REG_NUM = trait.REG_NUM;
    RegType reg[REG_NUM];
    __aicore__ inline void Print() const;
};
/// A mask register: one bit a byte of a vector register.
struct MaskReg {};
/// The state of unaligned loads and stores.
struct UnalignReg {};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;
/// An address that steps with the loops around it.
struct AddrReg {};

/// The negative of every element.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Neg(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Neg", E, int8_t, int16_t, int32_t, int64_t, half, float); ASC_REGISTERS_OF(T, E); }
/// Zero for every negative element.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Relu(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Relu", E, int32_t, half, float, int64_t); ASC_REGISTERS_OF(T, E); }
/// e to the power of every element.
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Exp(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Exp", E, half, float); ASC_REGISTERS_OF(T, E); }
/// The natural logarithm of every element.
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Ln(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Ln", E, half, float); ASC_REGISTERS_OF(T, E); }
/// The natural logarithm of every element.
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Log(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Log", E, half, float); ASC_REGISTERS_OF(T, E); }
/// The logarithm to base 2 of every element.
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Log2(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Log2", E, half, float); ASC_REGISTERS_OF(T, E); }
/// The logarithm to base 10 of every element.
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Log10(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Log10", E, half, float); ASC_REGISTERS_OF(T, E); }
/// The square root of every element.
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Sqrt(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Sqrt", E, half, float); ASC_REGISTERS_OF(T, E); }
/// The absolute value of every element; of complex numbers into a register of their parts' type.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Abs(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask);
template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void Abs(RegTensor<E, trait> &dst, RegTensor<F, other> &src, MaskReg &mask);
/// src0 + src1; with `carry`, which elements carry.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Add(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Add", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t, complex32, complex64); ASC_REGISTERS_OF(T, E); }
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Add(MaskReg &carry, RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Add", E, uint32_t, int32_t); ASC_REGISTERS_OF(T, E); }
/// src0 - src1; with `carry`, which elements borrow.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Sub(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Sub", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t, complex32, complex64); ASC_REGISTERS_OF(T, E); }
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Sub(MaskReg &carry, RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Sub", E, uint32_t, int32_t); ASC_REGISTERS_OF(T, E); }
/// src0 + src1 + carry.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void AddC(MaskReg &carry, RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &carrySrc, MaskReg &mask) { ASC_TAKES("AddC", E, uint32_t, int32_t); ASC_REGISTERS_OF(T, E); }
/// src0 - src1 - borrow.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void SubC(MaskReg &carry, RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &carrySrc, MaskReg &mask) { ASC_TAKES("SubC", E, uint32_t, int32_t); ASC_REGISTERS_OF(T, E); }
/// src0 * src1.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Mul(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Mul", E, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t, complex32, complex64); ASC_REGISTERS_OF(T, E); }
/// The larger of src0 and src1.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Max(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Max", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// The smaller of src0 and src1.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Min(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Min", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// src0, or src0 * src1 where it is negative.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Prelu(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Prelu", E, half, float); ASC_REGISTERS_OF(T, E); }
/// |src0 - src1|.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void AbsSub(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("AbsSub", E, half, float, int64_t); ASC_REGISTERS_OF(T, E); }
/// dst + src0 * src1.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void MulAddDst(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("MulAddDst", E, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, int64_t, uint64_t); ASC_REGISTERS_OF(T, E); }
/// The older name of MulAddDst.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Mula(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Mula", E, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, int64_t, uint64_t); ASC_REGISTERS_OF(T, E); }
/// dst * src0 + src1.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void MulDstAdd(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("MulDstAdd", E, half, float, bfloat16_t); ASC_REGISTERS_OF(T, E); }
/// The older name of MulDstAdd.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void FusedMulDstAdd(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("FusedMulDstAdd", E, half, float, bfloat16_t); ASC_REGISTERS_OF(T, E); }
/// src0 / src1.
template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Div(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Div", E, uint16_t, int16_t, uint32_t, int32_t, half, float, int64_t, uint64_t, complex32, complex64); ASC_REGISTERS_OF(T, E); }
/// src0 * src1 in full: the low half into dst0, the high one into dst1.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Mull(RegTensor<E, trait> &dst0, RegTensor<E, trait> &dst1, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Mull", E, uint32_t, int32_t); ASC_REGISTERS_OF(T, E); }
/// src + scalarValue.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Adds(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, U scalarValue, MaskReg &mask) { ASC_TAKES("Adds", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t, complex32, complex64); ASC_REGISTERS_OF(T, E); }
/// src * scalarValue.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Muls(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, U scalarValue, MaskReg &mask) { ASC_TAKES("Muls", E, uint16_t, int16_t, uint32_t, int32_t, half, float, uint64_t, int64_t, complex32, complex64); ASC_REGISTERS_OF(T, E); }
/// The larger of src and scalarValue.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Maxs(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, U scalarValue, MaskReg &mask) { ASC_TAKES("Maxs", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// The smaller of src and scalarValue.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Mins(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, U scalarValue, MaskReg &mask) { ASC_TAKES("Mins", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// src, or src * scalarValue where it is negative.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void LeakyRelu(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, U scalarValue, MaskReg &mask) { ASC_TAKES("LeakyRelu", E, half, float); ASC_REGISTERS_OF(T, E); }
/// dst + src * scalarValue.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Axpy(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, U scalarValue, MaskReg &mask) { ASC_TAKES("Axpy", E, half, float, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// src shifted left by scalarValue bits.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void ShiftLefts(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, U scalarValue, MaskReg &mask) { ASC_TAKES("ShiftLefts", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// src shifted right by scalarValue bits.
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void ShiftRights(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, U scalarValue, MaskReg &mask) { ASC_TAKES("ShiftRights", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// src0 shifted left by src1 bits.
template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void ShiftLeft(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<F, other> &src1, MaskReg &mask);
/// src0 shifted right by src1 bits.
template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void ShiftRight(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<F, other> &src1, MaskReg &mask);
/// src * scalarValue, converted to dst's element type.
template <typename T = DefaultType, typename U = DefaultType, typename S, RegLayout layout = RegLayout::ZERO, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void MulsCast(RegTensor<E, trait> &dst, RegTensor<F, other> &src, S scalarValue, MaskReg &mask);
/// e to the power of src0 - src1.
template <typename T = DefaultType, typename U = DefaultType, RegLayout layout = RegLayout::ZERO, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void ExpSub(RegTensor<E, trait> &dst, RegTensor<F, other> &src0, RegTensor<F, other> &src1, MaskReg &mask);
/// The older name of ExpSub.
template <typename T = DefaultType, typename U = DefaultType, RegLayout layout = RegLayout::ZERO, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void FusedExpSub(RegTensor<E, trait> &dst, RegTensor<F, other> &src0, RegTensor<F, other> &src1, MaskReg &mask);
/// src0 and src1, bit by bit.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void And(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("And", E, bool, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
__aicore__ inline void And(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask);
/// src0 or src1, bit by bit.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Or(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Or", E, bool, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
__aicore__ inline void Or(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask);
/// Where src0 and src1 differ, bit by bit.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Xor(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Xor", E, bool, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
__aicore__ inline void Xor(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask);
/// Every bit of src inverted.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Not(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask);
__aicore__ inline void Not(MaskReg &dst, MaskReg &src, MaskReg &mask);
/// src converted to dst's element type, in the way that `castMode` states.
template <typename T = DefaultType, typename U = DefaultType, const CastTrait &castMode = castTrait, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void Cast(RegTensor<E, trait> &dst, RegTensor<F, other> &src, MaskReg &mask);
/// src rounded to whole numbers, in its own type.
template <typename T = DefaultType, RoundMode roundMode = RoundMode::CAST_NONE, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Truncate(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Truncate", E, half, float, bfloat16_t); ASC_REGISTERS_OF(T, E); }
/// Fills a register with a scalar, or with the first or last element of another.
template <typename T = DefaultType, typename U, typename E, const RegTrait &trait> __aicore__ inline void Duplicate(RegTensor<E, trait> &dst, U scalarValue);
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U, typename E, const RegTrait &trait> __aicore__ inline void Duplicate(RegTensor<E, trait> &dst, U scalarValue, MaskReg &mask);
template <typename T = DefaultType, HighLowPart position = HighLowPart::LOWEST, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void Duplicate(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask);
/// scalarValue, and one more (or less) with every element.
template <typename T = DefaultType, IndexOrder order = IndexOrder::INCREASE_ORDER, typename U, typename E, const RegTrait &trait> __aicore__ inline void Arange(RegTensor<E, trait> &dst, U scalarValue) { ASC_TAKES("Arange", E, int8_t, int16_t, int32_t, float, half, int64_t); ASC_REGISTERS_OF(T, E); }
/// Copies a register, or a mask.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::MERGING, typename E, const RegTrait &trait> __aicore__ inline void Move(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg mask) { ASC_REGISTERS_OF(T, E); }
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Move(RegTensor<E, trait> &dst, RegTensor<E, trait> &src) { ASC_REGISTERS_OF(T, E); }
__aicore__ inline void Move(MaskReg &dst, MaskReg &src, MaskReg &mask);
__aicore__ inline void Move(MaskReg &dst, MaskReg &src);
/// The older name of Move.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::MERGING, typename E, const RegTrait &trait> __aicore__ inline void Copy(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg mask) { ASC_REGISTERS_OF(T, E); }
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Copy(RegTensor<E, trait> &dst, RegTensor<E, trait> &src) { ASC_REGISTERS_OF(T, E); }
/// Compares two registers into a mask.
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename E, const RegTrait &trait> __aicore__ inline void Compare(MaskReg &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_TAKES("Compare", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// Compares a register with a scalar into a mask.
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename E, const RegTrait &trait, typename S> __aicore__ inline void Compares(MaskReg &dst, RegTensor<E, trait> &src, S scalarValue, MaskReg &mask) { ASC_TAKES("Compares", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// The older name of Compares.
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename E, const RegTrait &trait, typename S> __aicore__ inline void CompareScalar(MaskReg &dst, RegTensor<E, trait> &src, S scalarValue, MaskReg &mask) { ASC_TAKES("CompareScalar", E, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, half, float, bfloat16_t, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// src0 where the mask is set, src1 elsewhere.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Select(RegTensor<E, trait> &dst, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask) { ASC_REGISTERS_OF(T, E); }
__aicore__ inline void Select(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask);
/// The selected elements, moved together.
template <typename T = DefaultType, GatherMaskMode store = GatherMaskMode::NO_STORE_REG, typename E, const RegTrait &trait> __aicore__ inline void Squeeze(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("Squeeze", E, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, half, float); ASC_REGISTERS_OF(T, E); }
/// The older name of Squeeze.
template <typename T = DefaultType, GatherMaskMode store = GatherMaskMode::NO_STORE_REG, typename E, const RegTrait &trait> __aicore__ inline void GatherMask(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, MaskReg &mask) { ASC_TAKES("GatherMask", E, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, half, float); ASC_REGISTERS_OF(T, E); }
/// How many selected elements come before each element.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Unsqueeze(RegTensor<E, trait> &dst, MaskReg &mask);
/// The older name of Unsqueeze.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void UnSqueeze(RegTensor<E, trait> &dst, MaskReg &mask);
/// The sum, the largest or the smallest of all elements, in element 0 (and its index in element 1).
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void Reduce(RegTensor<E, trait> &dst, RegTensor<F, other> src, MaskReg mask);
/// The sum of all elements.
template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void ReduceSum(RegTensor<E, trait> &dst, RegTensor<F, other> src, MaskReg mask);
/// The largest element and its index.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void ReduceMax(RegTensor<E, trait> &dst, RegTensor<E, trait> src, MaskReg mask) { ASC_TAKES("ReduceMax", E, uint16_t, int16_t, uint32_t, int32_t, half, float, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// The smallest element and its index.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void ReduceMin(RegTensor<E, trait> &dst, RegTensor<E, trait> src, MaskReg mask) { ASC_TAKES("ReduceMin", E, uint16_t, int16_t, uint32_t, int32_t, half, float, uint64_t, int64_t); ASC_REGISTERS_OF(T, E); }
/// The sum, the largest or the smallest of each 32-byte block.
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void ReduceDataBlock(RegTensor<E, trait> &dst, RegTensor<E, trait> src, MaskReg mask);
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void ReduceDataBlock(RegTensor<E, trait> &dst, RegTensor<F, other> src, MaskReg mask);
/// The older name of ReduceDataBlock for sums.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void ReduceSumWithDataBlock(RegTensor<E, trait> &dst, RegTensor<E, trait> src, MaskReg mask) { ASC_TAKES("ReduceSumWithDataBlock", E, uint16_t, int16_t, uint32_t, int32_t, half, float); ASC_REGISTERS_OF(T, E); }
/// The older name of ReduceDataBlock for largest elements.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void ReduceMaxWithDataBlock(RegTensor<E, trait> &dst, RegTensor<E, trait> src, MaskReg mask) { ASC_TAKES("ReduceMaxWithDataBlock", E, uint16_t, int16_t, uint32_t, int32_t, half, float); ASC_REGISTERS_OF(T, E); }
/// The older name of ReduceDataBlock for smallest elements.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void ReduceMinWithDataBlock(RegTensor<E, trait> &dst, RegTensor<E, trait> src, MaskReg mask) { ASC_TAKES("ReduceMinWithDataBlock", E, uint16_t, int16_t, uint32_t, int32_t, half, float); ASC_REGISTERS_OF(T, E); }
/// The sum of each pair of neighbours.
template <PairReduce type = PairReduce::SUM, typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void PairReduceElem(RegTensor<E, trait> &dst, RegTensor<E, trait> src, MaskReg mask) { ASC_TAKES("PairReduceElem", E, half, float); ASC_REGISTERS_OF(T, E); }
/// The older name of PairReduceElem.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename E, const RegTrait &trait> __aicore__ inline void PairReduceSum(RegTensor<E, trait> &dst, RegTensor<E, trait> src, MaskReg mask) { ASC_TAKES("PairReduceSum", E, half, float); ASC_REGISTERS_OF(T, E); }
/// The elements of two registers, or of two masks, in turn.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Interleave(RegTensor<E, trait> &dst0, RegTensor<E, trait> &dst1, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1) { ASC_REGISTERS_OF(T, E); }
template <typename T> __aicore__ inline void Interleave(MaskReg &dst0, MaskReg &dst1, MaskReg &src0, MaskReg &src1);
/// The older name of Interleave for masks.
template <typename T> __aicore__ inline void MaskInterleave(MaskReg &dst0, MaskReg &dst1, MaskReg &src0, MaskReg &src1);
/// The even elements into one register or mask, the odd ones into another.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void DeInterleave(RegTensor<E, trait> &dst0, RegTensor<E, trait> &dst1, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1) { ASC_REGISTERS_OF(T, E); }
template <typename T> __aicore__ inline void DeInterleave(MaskReg &dst0, MaskReg &dst1, MaskReg &src0, MaskReg &src1);
/// The older name of DeInterleave for masks.
template <typename T> __aicore__ inline void MaskDeInterleave(MaskReg &dst0, MaskReg &dst1, MaskReg &src0, MaskReg &src1);
/// Every element's lower half, or every second bit of a mask, moved together.
template <typename T = DefaultType, typename U = DefaultType, HighLowPart part = HighLowPart::LOWEST, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void Pack(RegTensor<E, trait> &dst, RegTensor<F, other> &src);
template <HighLowPart part = HighLowPart::LOWEST> __aicore__ inline void Pack(MaskReg &dst, MaskReg &src);
/// The older name of Pack for masks.
template <HighLowPart part = HighLowPart::LOWEST> __aicore__ inline void MaskPack(MaskReg &dst, MaskReg &src);
/// One half of the elements, each widened; of a mask, each bit twice.
template <typename T = DefaultType, typename U = DefaultType, HighLowPart part = HighLowPart::LOWEST, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void UnPack(RegTensor<E, trait> &dst, RegTensor<F, other> &src);
template <HighLowPart part = HighLowPart::LOWEST> __aicore__ inline void UnPack(MaskReg &dst, MaskReg &src);
/// The older name of UnPack for masks.
template <HighLowPart part = HighLowPart::LOWEST> __aicore__ inline void MaskUnPack(MaskReg &dst, MaskReg &src);
/// The older name of And for masks.
__aicore__ inline void MaskAnd(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask);
/// The older name of Or for masks.
__aicore__ inline void MaskOr(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask);
/// The older name of Xor for masks.
__aicore__ inline void MaskXor(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask);
/// The older name of Not for masks.
__aicore__ inline void MaskNot(MaskReg &dst, MaskReg &src, MaskReg &mask);
/// The older name of Select for masks.
__aicore__ inline void MaskSel(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask);
/// The older name of Move for masks.
__aicore__ inline void MaskMov(MaskReg &dst, MaskReg &src, MaskReg &mask);
__aicore__ inline void MaskMov(MaskReg &dst, MaskReg &src);
/// A mask from the bits of a register that begin at `offset`.
template <typename T = DefaultType, int16_t offset, typename E, const RegTrait &trait> __aicore__ inline void MaskGenWithRegTensor(MaskReg &dst, RegTensor<E, trait> &src);
/// Counts of values up to, or in, 256 bins.
template <typename T = DefaultType, typename U = DefaultType, HistogramsBinType mode, HistogramsType type, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void Histograms(RegTensor<E, trait> &dst, RegTensor<F, other> &src, MaskReg &mask);
/// The elements of src that `index` names; or those of UB at `baseAddr`.
template <typename T = DefaultType, typename U = DefaultType, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void Gather(RegTensor<E, trait> &dst, RegTensor<E, trait> &src, RegTensor<F, other> &index);
template <typename T0 = DefaultType, typename T1, typename T2 = DefaultType, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void Gather(RegTensor<E, trait> &dst, __ubuf__ T1 *baseAddr, RegTensor<F, other> &index, MaskReg &mask);
/// The older name of Gather from UB.
template <typename T0 = DefaultType, typename T1, typename T2 = DefaultType, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void DataCopyGather(RegTensor<E, trait> &dst, __ubuf__ T1 *baseAddr, RegTensor<F, other> &index, MaskReg &mask);
/// 32-byte blocks of UB at byte offsets.
template <typename T = DefaultType, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void GatherB(RegTensor<E, trait> &dst, __ubuf__ T *baseAddr, RegTensor<F, other> &index, MaskReg &mask);
template <typename T = DefaultType, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void GatherB(RegTensor<E, trait> &dst, __ubuf__ T *baseAddr, RegTensor<F, other> &index);
/// The older name of GatherB.
template <typename T = DefaultType, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void DataCopyGatherB(RegTensor<E, trait> &dst, __ubuf__ T *baseAddr, RegTensor<F, other> &index, MaskReg &mask);
template <typename T = DefaultType, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void DataCopyGatherB(RegTensor<E, trait> &dst, __ubuf__ T *baseAddr, RegTensor<F, other> &index);
/// Stores elements to the places of UB that `index` names.
template <typename T = DefaultType, typename U = DefaultType, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void Scatter(__ubuf__ T *baseAddr, RegTensor<E, trait> &src, RegTensor<F, other> &index, MaskReg &mask);
/// The older name of Scatter.
template <typename T = DefaultType, typename U = DefaultType, typename E, const RegTrait &trait, typename F, const RegTrait &other> __aicore__ inline void DataCopyScatter(__ubuf__ T *baseAddr, RegTensor<E, trait> &src, RegTensor<F, other> &index, MaskReg &mask);
/// Loads registers or masks from an aligned address of UB.
template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void LoadAlign(RegTensor<E, trait> &dst, __ubuf__ T *srcAddr);
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void LoadAlign(RegTensor<E, trait> &dst, __ubuf__ T *&srcAddr, int32_t postUpdateStride);
template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void LoadAlign(RegTensor<E, trait> &dst, __ubuf__ T *srcAddr, AddrReg offset);
template <typename T = DefaultType, LoadDist dist, typename E, const RegTrait &trait> __aicore__ inline void LoadAlign(RegTensor<E, trait> &dst0, RegTensor<E, trait> &dst1, __ubuf__ T *srcAddr);
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist, typename E, const RegTrait &trait> __aicore__ inline void LoadAlign(RegTensor<E, trait> &dst0, RegTensor<E, trait> &dst1, __ubuf__ T *&srcAddr, int32_t postUpdateStride);
template <typename T = DefaultType, LoadDist dist, typename E, const RegTrait &trait> __aicore__ inline void LoadAlign(RegTensor<E, trait> &dst0, RegTensor<E, trait> &dst1, __ubuf__ T *srcAddr, AddrReg offset);
template <typename T = DefaultType, DataCopyMode dataMode, typename E, const RegTrait &trait> __aicore__ inline void LoadAlign(RegTensor<E, trait> &dst, __ubuf__ T *srcAddr, uint32_t dataBlockStride, MaskReg &mask);
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename E, const RegTrait &trait> __aicore__ inline void LoadAlign(RegTensor<E, trait> &dst, __ubuf__ T *&srcAddr, uint32_t dataBlockStride, uint32_t repeatStride, MaskReg &mask);
template <typename T, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void LoadAlign(MaskReg &mask, __ubuf__ T *srcAddr);
template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void LoadAlign(MaskReg &mask, __ubuf__ T *&srcAddr, int32_t offset);
template <typename T, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void LoadAlign(MaskReg &mask, __ubuf__ T *srcAddr, AddrReg offset);
/// Stores registers or masks to an aligned address of UB.
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void StoreAlign(__ubuf__ T *dstAddr, RegTensor<E, trait> &src, MaskReg &mask);
template <typename T = DefaultType, PostLiteral postMode, StoreDist dist = StoreDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void StoreAlign(__ubuf__ T *&dstAddr, RegTensor<E, trait> &src, int32_t postUpdateStride, MaskReg &mask);
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void StoreAlign(__ubuf__ T *dstAddr, RegTensor<E, trait> &src, AddrReg offset, MaskReg &mask);
template <typename T = DefaultType, StoreDist dist, typename E, const RegTrait &trait> __aicore__ inline void StoreAlign(__ubuf__ T *dstAddr, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask);
template <typename T = DefaultType, StoreDist dist, typename E, const RegTrait &trait> __aicore__ inline void StoreAlign(__ubuf__ T *dstAddr, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, AddrReg offset, MaskReg &mask);
template <typename T = DefaultType, DataCopyMode dataMode, typename E, const RegTrait &trait> __aicore__ inline void StoreAlign(__ubuf__ T *dstAddr, RegTensor<E, trait> &src, uint32_t dataBlockStride, MaskReg &mask);
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename E, const RegTrait &trait> __aicore__ inline void StoreAlign(__ubuf__ T *&dstAddr, RegTensor<E, trait> &src, uint32_t dataBlockStride, uint32_t repeatStride, MaskReg &mask);
template <typename T, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void StoreAlign(__ubuf__ T *dstAddr, MaskReg &mask);
template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void StoreAlign(__ubuf__ T *&dstAddr, MaskReg &mask, int32_t offset);
template <typename T, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void StoreAlign(__ubuf__ T *dstAddr, MaskReg &mask, AddrReg offset);
/// The older name of LoadAlign and StoreAlign.
template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(RegTensor<E, trait> &dst, __ubuf__ T *srcAddr);
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(RegTensor<E, trait> &dst, __ubuf__ T *&srcAddr, int32_t postUpdateStride);
template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(RegTensor<E, trait> &dst, __ubuf__ T *srcAddr, AddrReg offset);
template <typename T = DefaultType, LoadDist dist, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(RegTensor<E, trait> &dst0, RegTensor<E, trait> &dst1, __ubuf__ T *srcAddr);
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(RegTensor<E, trait> &dst0, RegTensor<E, trait> &dst1, __ubuf__ T *&srcAddr, int32_t postUpdateStride);
template <typename T = DefaultType, LoadDist dist, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(RegTensor<E, trait> &dst0, RegTensor<E, trait> &dst1, __ubuf__ T *srcAddr, AddrReg offset);
template <typename T = DefaultType, DataCopyMode dataMode, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(RegTensor<E, trait> &dst, __ubuf__ T *srcAddr, uint32_t dataBlockStride, MaskReg &mask);
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(RegTensor<E, trait> &dst, __ubuf__ T *&srcAddr, uint32_t dataBlockStride, uint32_t repeatStride, MaskReg &mask);
template <typename T, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void DataCopy(MaskReg &mask, __ubuf__ T *srcAddr);
template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void DataCopy(MaskReg &mask, __ubuf__ T *&srcAddr, int32_t offset);
template <typename T, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void DataCopy(MaskReg &mask, __ubuf__ T *srcAddr, AddrReg offset);
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(__ubuf__ T *dstAddr, RegTensor<E, trait> &src, MaskReg &mask);
template <typename T = DefaultType, PostLiteral postMode, StoreDist dist = StoreDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(__ubuf__ T *&dstAddr, RegTensor<E, trait> &src, int32_t postUpdateStride, MaskReg &mask);
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(__ubuf__ T *dstAddr, RegTensor<E, trait> &src, AddrReg offset, MaskReg &mask);
template <typename T = DefaultType, StoreDist dist, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(__ubuf__ T *dstAddr, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, MaskReg &mask);
template <typename T = DefaultType, StoreDist dist, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(__ubuf__ T *dstAddr, RegTensor<E, trait> &src0, RegTensor<E, trait> &src1, AddrReg offset, MaskReg &mask);
template <typename T = DefaultType, DataCopyMode dataMode, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(__ubuf__ T *dstAddr, RegTensor<E, trait> &src, uint32_t dataBlockStride, MaskReg &mask);
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename E, const RegTrait &trait> __aicore__ inline void DataCopy(__ubuf__ T *&dstAddr, RegTensor<E, trait> &src, uint32_t dataBlockStride, uint32_t repeatStride, MaskReg &mask);
template <typename T, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void DataCopy(__ubuf__ T *dstAddr, MaskReg &mask);
template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void DataCopy(__ubuf__ T *&dstAddr, MaskReg &mask, int32_t offset);
template <typename T, MaskDist dist = MaskDist::DIST_NORM> __aicore__ inline void DataCopy(__ubuf__ T *dstAddr, MaskReg &mask, AddrReg offset);
/// Loads a whole register from UB.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Load(RegTensor<E, trait> &dst, __ubuf__ T *srcAddr);
/// Stores a register, or its first elements, to UB.
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Store(__ubuf__ T *dstAddr, RegTensor<E, trait> &src);
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void Store(__ubuf__ T *dstAddr, RegTensor<E, trait> &src, uint32_t count);
/// Begins unaligned loads.
template <typename T> __aicore__ inline void LoadUnAlignPre(UnalignRegForLoad &ureg, __ubuf__ T *srcAddr);
template <typename T> __aicore__ inline void LoadUnAlignPre(UnalignRegForLoad &ureg, __ubuf__ T *srcAddr, AddrReg &areg);
/// Loads a register from any address of UB.
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename E, const RegTrait &trait> __aicore__ inline void LoadUnAlign(RegTensor<E, trait> &dst, UnalignRegForLoad &ureg, __ubuf__ T *&srcAddr, uint32_t postUpdateStride);
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void LoadUnAlign(RegTensor<E, trait> &dst, UnalignRegForLoad &ureg, __ubuf__ T *srcAddr);
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void LoadUnAlign(RegTensor<E, trait> &dst, UnalignRegForLoad &ureg, __ubuf__ T *&srcAddr, AddrReg &areg, uint32_t increment);
/// Stores a register or a mask to any address of UB.
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename E, const RegTrait &trait> __aicore__ inline void StoreUnAlign(__ubuf__ T *&dstAddr, RegTensor<E, trait> &src, UnalignRegForStore &ureg, uint32_t postUpdateStride);
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename E, const RegTrait &trait> __aicore__ inline void StoreUnAlign(__ubuf__ T *&dstAddr, RegTensor<E, trait> &src, UnalignRegForStore &ureg, AddrReg &areg);
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename E, const RegTrait &trait> __aicore__ inline void StoreUnAlign(__ubuf__ T *dstAddr, RegTensor<E, trait> &src, UnalignRegForStore &ureg);
template <typename T> __aicore__ inline void StoreUnAlign(__ubuf__ T *&dstAddr, MaskReg &mask, UnalignRegForStore &ureg);
/// Ends unaligned stores.
template <typename T, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE> __aicore__ inline void StoreUnAlignPost(__ubuf__ T *&dstAddr, UnalignRegForStore &ureg, int32_t postUpdateStride);
template <typename T> __aicore__ inline void StoreUnAlignPost(__ubuf__ T *&dstAddr, UnalignRegForStore &ureg, AddrReg &areg);
template <typename T> __aicore__ inline void StoreUnAlignPost(__ubuf__ T *dstAddr, UnalignRegForStore &ureg);
/// The older name of LoadUnAlignPre.
template <typename T> __aicore__ inline void DataCopyUnAlignPre(UnalignRegForLoad &ureg, __ubuf__ T *srcAddr);
template <typename T> __aicore__ inline void DataCopyUnAlignPre(UnalignRegForLoad &ureg, __ubuf__ T *srcAddr, AddrReg &areg);
/// The older name of LoadUnAlign and StoreUnAlign.
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename E, const RegTrait &trait> __aicore__ inline void DataCopyUnAlign(RegTensor<E, trait> &dst, UnalignRegForLoad &ureg, __ubuf__ T *&srcAddr, uint32_t postUpdateStride);
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void DataCopyUnAlign(RegTensor<E, trait> &dst, UnalignRegForLoad &ureg, __ubuf__ T *srcAddr);
template <typename T = DefaultType, typename E, const RegTrait &trait> __aicore__ inline void DataCopyUnAlign(RegTensor<E, trait> &dst, UnalignRegForLoad &ureg, __ubuf__ T *&srcAddr, AddrReg &areg, uint32_t increment);
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename E, const RegTrait &trait> __aicore__ inline void DataCopyUnAlign(__ubuf__ T *&dstAddr, RegTensor<E, trait> &src, UnalignRegForStore &ureg, uint32_t postUpdateStride);
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename E, const RegTrait &trait> __aicore__ inline void DataCopyUnAlign(__ubuf__ T *&dstAddr, RegTensor<E, trait> &src, UnalignRegForStore &ureg, AddrReg &areg);
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename E, const RegTrait &trait> __aicore__ inline void DataCopyUnAlign(__ubuf__ T *dstAddr, RegTensor<E, trait> &src, UnalignRegForStore &ureg);
template <typename T> __aicore__ inline void DataCopyUnAlign(__ubuf__ T *&dstAddr, MaskReg &mask, UnalignRegForStore &ureg);
/// The older name of StoreUnAlignPost.
template <typename T, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE> __aicore__ inline void DataCopyUnAlignPost(__ubuf__ T *&dstAddr, UnalignRegForStore &ureg, int32_t postUpdateStride);
template <typename T> __aicore__ inline void DataCopyUnAlignPost(__ubuf__ T *&dstAddr, UnalignRegForStore &ureg, AddrReg &areg);
template <typename T> __aicore__ inline void DataCopyUnAlignPost(__ubuf__ T *dstAddr, UnalignRegForStore &ureg);
/// A mask by pattern.
template <typename T, MaskPattern mode = MaskPattern::ALL, const RegTrait &trait = RegTraitNumOne> __aicore__ inline MaskReg CreateMask();
/// A mask for what is left of `scalarValue` elements, which it counts down.
template <typename T, const RegTrait &trait = RegTraitNumOne> __aicore__ inline MaskReg UpdateMask(uint32_t &scalarValue);
/// The mask that SetVectorMask has set.
template <typename T> __aicore__ inline MaskReg MoveMask();
/// An address that steps with up to four loops: each loop's variable and its step in elements.
template <typename T> __aicore__ inline AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0);
template <typename T> __aicore__ inline AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1, uint32_t stride1);
template <typename T> __aicore__ inline AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1, uint32_t stride1, uint16_t index2, uint32_t stride2);
template <typename T> __aicore__ inline AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1, uint32_t stride1, uint16_t index2, uint32_t stride2, uint16_t index3, uint32_t stride3);
/// Orders memory accesses of a vector function: those of `dst` wait for those of `src`.
template <MemType src, MemType dst> __aicore__ inline void LocalMemBar();
using AscendC::ClearSpr;
using AscendC::GetSpr;

}
namespace MicroAPI = Reg;
using Reg::MaskReg;
using Reg::PostLiteral;
using Reg::RegTensor;
/// Calls a vector function.
template <auto function, typename... Arguments> __aicore__ inline void VF_CALL(Arguments &&...arguments);

}

#endif

#endif
