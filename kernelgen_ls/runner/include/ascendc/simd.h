// Vector functions and the C interface of Ascend 950.
//
// Of the C interface only names are checked here.
#ifndef KERNELGEN_ASCENDC_SIMD_H
#define KERNELGEN_ASCENDC_SIMD_H

#include "tensor.h"

namespace AscendC {

/// The length of a vector register in bytes.
__aicore__ constexpr uint32_t GetVecLen() { return VECTOR_REG_WIDTH; }

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
