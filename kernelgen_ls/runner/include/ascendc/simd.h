// Register programming and the C interface of Ascend 950: registers, masks, and calls of vector functions.
//
// Only names are checked here: what a call takes depends on modes that are template arguments.
#ifndef KERNELGEN_ASCENDC_SIMD_H
#define KERNELGEN_ASCENDC_SIMD_H

#include "tensor.h"

namespace AscendC {

/// The length of a vector register in bytes.
__aicore__ constexpr uint32_t GetVecLen() { return VECTOR_REG_WIDTH; }

namespace MicroAPI {

/// How a load spreads what it reads over a register.
enum class LoadDist { DIST_NORM, DIST_BRC_B8, DIST_BRC_B16, DIST_BRC_B32, DIST_US_B8, DIST_US_B16, DIST_DS_B8, DIST_DS_B16, DIST_UNPACK_B8, DIST_UNPACK_B16, DIST_UNPACK_B32, DIST_UNPACK4_B8, DIST_BLK, DIST_E2B_B16, DIST_E2B_B32, DIST_DINTLV_B8, DIST_DINTLV_B16, DIST_DINTLV_B32 };
/// How a store picks what it writes from a register.
enum class StoreDist { DIST_NORM, DIST_NORM_B8, DIST_NORM_B16, DIST_NORM_B32, DIST_FIRST_ELEMENT_B8, DIST_FIRST_ELEMENT_B16, DIST_FIRST_ELEMENT_B32, DIST_PACK_B16, DIST_PACK_B32, DIST_PACK_B64, DIST_PACK4_B32, DIST_INTLV_B8, DIST_INTLV_B16, DIST_INTLV_B32 };
enum class MaskDist { DIST_NORM, DIST_US, DIST_DS, DIST_PACK };
/// Which elements a mask made by CreateMask selects.
enum class MaskPattern { ALL, ALLF, VL1, VL2, VL3, VL4, VL8, VL16, VL32, VL64, VL128, M3, M4, H, Q };
/// What happens to the elements a mask leaves out: kept or set to zero.
enum class MaskMergeMode { ZEROING, MERGING, UNKNOWN };
/// Whether a load or store moves its address on.
enum class PostLiteral { POST_MODE_NORMAL, POST_MODE_UPDATE };
/// Whether a load or store is contiguous or by blocks.
enum class DataCopyMode { NORM, DATA_BLOCK_COPY, DATA_BLOCK_LOAD };
/// Which part of a register a conversion uses.
enum class RegLayout { UNKNOWN, ZERO, ONE, TWO, THREE };
/// Whether a conversion saturates.
enum class SatMode { UNKNOWN, NO_SAT, SAT };
/// Kinds of memory access that LocalMemBar orders.
enum class MemType { VEC_STORE, VEC_LOAD, SCALAR_STORE, SCALAR_LOAD, VEC_ALL, SCALAR_ALL };
enum class HighLowPart { LOWEST, HIGHEST };
/// How a register conversion rounds, saturates and masks.
struct CastTrait {
    RegLayout layoutMode = RegLayout::UNKNOWN;
    SatMode satMode = SatMode::UNKNOWN;
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    RoundMode roundMode = RoundMode::CAST_NONE;
};
struct DivSpecificMode {
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    bool precisionMode = false;
};
struct RegTraitNumOne {};
struct RegTraitNumTwo {};
/// A vector register.
template <typename T, typename Trait = RegTraitNumOne> struct RegTensor {
    using ActualT = T;
    template <typename U, typename V> operator RegTensor<U, V> &();
};
/// A mask register: one bit a byte of a vector register.
struct MaskReg {};
/// The state of unaligned loads and stores.
struct UnalignReg {};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;
struct AddrReg {};

#define ASC_REGISTER(name)                                                                                             \
    template <typename T = void, auto... modes, typename... Arguments> __aicore__ inline void name(Arguments &&...arguments);       \
    template <typename T, typename U, auto... modes, typename... Arguments> __aicore__ inline void name(Arguments &&...arguments); \
    template <auto mode, auto... modes, typename... Arguments> __aicore__ inline void name(Arguments &&...arguments);
ASC_REGISTER(DataCopy)
ASC_REGISTER(LoadAlign)
ASC_REGISTER(StoreAlign)
ASC_REGISTER(LoadUnAlign)
ASC_REGISTER(StoreUnAlign)
ASC_REGISTER(LoadUnAlignPre)
ASC_REGISTER(StoreUnAlignPost)
ASC_REGISTER(DataCopyUnAlign)
ASC_REGISTER(DataCopyUnAlignPre)
ASC_REGISTER(DataCopyUnAlignPost)
ASC_REGISTER(DataCopyGather)
ASC_REGISTER(DataCopyScatter)
ASC_REGISTER(Gather)
ASC_REGISTER(GatherB)
ASC_REGISTER(Scatter)
ASC_REGISTER(Add)
ASC_REGISTER(Sub)
ASC_REGISTER(Mul)
ASC_REGISTER(Div)
ASC_REGISTER(Max)
ASC_REGISTER(Min)
ASC_REGISTER(Adds)
ASC_REGISTER(Muls)
ASC_REGISTER(Maxs)
ASC_REGISTER(Mins)
ASC_REGISTER(Exp)
ASC_REGISTER(Ln)
ASC_REGISTER(Log)
ASC_REGISTER(Abs)
ASC_REGISTER(Sqrt)
ASC_REGISTER(Neg)
ASC_REGISTER(Not)
ASC_REGISTER(And)
ASC_REGISTER(Or)
ASC_REGISTER(Xor)
ASC_REGISTER(Relu)
ASC_REGISTER(Axpy)
ASC_REGISTER(MulAddDst)
ASC_REGISTER(FusedMulDstAdd)
ASC_REGISTER(Cast)
ASC_REGISTER(Duplicate)
ASC_REGISTER(Arange)
ASC_REGISTER(Copy)
ASC_REGISTER(Compare)
ASC_REGISTER(CompareScalar)
ASC_REGISTER(Select)
ASC_REGISTER(Reduce)
ASC_REGISTER(ReduceSum)
ASC_REGISTER(ReduceMax)
ASC_REGISTER(ReduceMin)
ASC_REGISTER(ReduceDataBlock)
ASC_REGISTER(PairReduceSum)
ASC_REGISTER(Interleave)
ASC_REGISTER(DeInterleave)
ASC_REGISTER(Pack)
ASC_REGISTER(UnPack)
ASC_REGISTER(MaskPack)
ASC_REGISTER(MaskUnPack)
ASC_REGISTER(MaskXor)
ASC_REGISTER(MaskAnd)
ASC_REGISTER(MaskOr)
ASC_REGISTER(MaskNot)
ASC_REGISTER(MaskSel)
ASC_REGISTER(MaskMov)
ASC_REGISTER(Squeeze)
ASC_REGISTER(UnSqueeze)
ASC_REGISTER(ShiftLeft)
ASC_REGISTER(ShiftLefts)
ASC_REGISTER(ShiftRight)
ASC_REGISTER(ShiftRights)
ASC_REGISTER(Truncate)
ASC_REGISTER(Prelu)
ASC_REGISTER(LeakyRelu)
ASC_REGISTER(Mull)
ASC_REGISTER(FusedExpSub)
ASC_REGISTER(FusedAbsSub)
ASC_REGISTER(ExpSub)
ASC_REGISTER(AbsSub)
ASC_REGISTER(Histograms)
ASC_REGISTER(LocalMemBar)
ASC_REGISTER(GetSpr)
ASC_REGISTER(ClearSpr)
#undef ASC_REGISTER
/// A mask by pattern.
template <typename T, MaskPattern pattern = MaskPattern::ALL, typename Trait = RegTraitNumOne> __aicore__ inline MaskReg CreateMask();
/// A mask for what is left of `scalarValue` elements, which it counts down.
template <typename T, typename Trait = RegTraitNumOne> __aicore__ inline MaskReg UpdateMask(uint32_t &scalarValue);
template <typename T, typename Trait = RegTraitNumOne> __aicore__ inline AddrReg CreateAddrReg(uint16_t index, uint32_t stride);
template <typename T> __aicore__ inline MaskReg MoveMask();

}
namespace Reg = MicroAPI;
#if __NPU_ARCH__ >= 3510
using MicroAPI::MaskReg;
using MicroAPI::RegTensor;
using MicroAPI::PostLiteral;
#endif

}

#if __NPU_ARCH__ >= 3510
#define __VEC_SCOPE__
#define ASC_IS_AIV (true)
#define ASC_IS_AIC (true)
/// The extent of a call of a SIMT function.
struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
    constexpr dim3(uint32_t xIn = 1, uint32_t yIn = 1, uint32_t zIn = 1) : x(xIn), y(yIn), z(zIn) {}
};
extern const dim3 threadIdx, blockIdx, blockDim, gridDim;
/// How a load or store uses the L2 cache.
enum asc_load_l2_cache_mode { ASC_LOAD_L2_NORMAL };
/// How a store uses the L2 cache.
enum asc_store_l2_cache_mode { ASC_STORE_L2_NORMAL };
/// Calls a vector function (SIMD), or a SIMT function with the extent as first argument.
template <auto function, typename... Arguments> __aicore__ inline void asc_vf_call(Arguments &&...arguments);
/// Prepares the core at the start of a kernel written with the C interface.
__aicore__ inline void asc_init();
/// Sets an event when pipeline `src` gets here, for pipeline `dst`.
__aicore__ inline void asc_sync_notify(pipe_t src, pipe_t dst, event_t id);
/// Lets pipeline `dst` wait for an event of pipeline `src`.
__aicore__ inline void asc_sync_wait(pipe_t src, pipe_t dst, event_t id);
/// Waits for all pipelines, or for one.
__aicore__ inline void asc_sync();
__aicore__ inline void asc_sync(pipe_t pipe);
/// The length of a vector register in bytes.
__aicore__ constexpr uint32_t asc_get_vf_len() { return 256; }
/// Copies from GM to UB, rows of any length in bytes.
template <typename... Arguments> __aicore__ inline int64_t asc_copy_gm2ub_align(Arguments &&...arguments);
/// Copies from UB to GM, rows of any length in bytes.
template <typename... Arguments> __aicore__ inline int64_t asc_copy_ub2gm_align(Arguments &&...arguments);
/// Copies 32-byte blocks from GM to UB.
template <typename... Arguments> __aicore__ inline int64_t asc_copy_gm2ub(Arguments &&...arguments);
/// Copies 32-byte blocks from UB to GM.
template <typename... Arguments> __aicore__ inline int64_t asc_copy_ub2gm(Arguments &&...arguments);
/// Loads a register from an aligned UB address.
template <typename... Arguments> __aicore__ inline int64_t asc_loadalign(Arguments &&...arguments);
/// Stores a register to an aligned UB address.
template <typename... Arguments> __aicore__ inline int64_t asc_storealign(Arguments &&...arguments);
/// The number of this core.
template <typename... Arguments> __aicore__ inline int64_t asc_get_block_idx(Arguments &&...arguments);
/// How many cores run the kernel.
template <typename... Arguments> __aicore__ inline int64_t asc_get_block_num(Arguments &&...arguments);
/// Multiplies matrices in L0A and L0B into L0C.
template <typename... Arguments> __aicore__ inline int64_t asc_mmad(Arguments &&...arguments);
/// Chooses between two registers by a mask.
template <typename... Arguments> __aicore__ inline int64_t asc_select(Arguments &&...arguments);
/// Copies a row-major matrix from GM to L1 as fractals.
template <typename... Arguments> __aicore__ inline int64_t asc_copy_gm2l1_nd2nz(Arguments &&...arguments);
/// Sets the strides of a copy of fractals to L1.
template <typename... Arguments> __aicore__ inline int64_t asc_set_gm2l1_nz_para(Arguments &&...arguments);
/// Orders the memory accesses of a SIMT thread.
template <typename... Arguments> __aicore__ inline int64_t asc_threadfence(Arguments &&...arguments);
/// Waits for all threads of a SIMT function.
template <typename... Arguments> __aicore__ inline int64_t asc_syncthreads(Arguments &&...arguments);
/// Adds atomically.
template <typename... Arguments> __aicore__ inline int64_t asc_atomic_add(Arguments &&...arguments);
/// Reads a register of another SIMT thread.
template <typename... Arguments> __aicore__ inline int64_t asc_shfl(Arguments &&...arguments);
/// Multiplies registers.
template <typename... Arguments> __aicore__ inline int64_t asc_mul(Arguments &&...arguments);
/// Divides registers.
template <typename... Arguments> __aicore__ inline int64_t asc_div(Arguments &&...arguments);
/// Adds registers.
template <typename... Arguments> __aicore__ inline int64_t asc_add(Arguments &&...arguments);
/// A mask for 16-bit elements.
template <typename... Arguments> __aicore__ inline int64_t asc_create_mask_b16(Arguments &&...arguments);
/// A mask for 8-bit elements.
template <typename... Arguments> __aicore__ inline int64_t asc_create_mask_b8(Arguments &&...arguments);
/// Copies from GM to L1.
template <typename... Arguments> __aicore__ inline int64_t asc_copy_gm2l1(Arguments &&...arguments);
/// Loads fractals from L1 to L0B.
template <typename... Arguments> __aicore__ inline int64_t asc_copy_l12l0b(Arguments &&...arguments);
/// Copies a bias from L1.
template <typename... Arguments> __aicore__ inline int64_t asc_copy_l12bt(Arguments &&...arguments);
#endif

#endif
