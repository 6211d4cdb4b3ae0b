// Compiler intrinsics that kernels still call directly. Only that they exist is checked: their arguments depend on the
// chip, and AscendC's own functions say the same with types.
#ifndef KERNELGEN_ASCENDC_INTRINSICS_H
#define KERNELGEN_ASCENDC_INTRINSICS_H

#include <time.h>

#include "types.h"

#define ASC_INTRINSIC(name) template <typename... Arguments> __aicore__ inline int64_t name(Arguments... arguments);
ASC_INTRINSIC(vadd)
ASC_INTRINSIC(vsub)
ASC_INTRINSIC(vmul)
ASC_INTRINSIC(vdiv)
ASC_INTRINSIC(vmax)
ASC_INTRINSIC(vmin)
ASC_INTRINSIC(vabs)
ASC_INTRINSIC(vexp)
ASC_INTRINSIC(vln)
ASC_INTRINSIC(vsqrt)
ASC_INTRINSIC(vrsqrt)
ASC_INTRINSIC(vrec)
ASC_INTRINSIC(vrelu)
ASC_INTRINSIC(vnot)
ASC_INTRINSIC(vand)
ASC_INTRINSIC(vor)
ASC_INTRINSIC(vadds)
ASC_INTRINSIC(vmuls)
ASC_INTRINSIC(vmaxs)
ASC_INTRINSIC(vmins)
ASC_INTRINSIC(vaxpy)
ASC_INTRINSIC(vmadd)
ASC_INTRINSIC(vmla)
ASC_INTRINSIC(vcadd)
ASC_INTRINSIC(vcgadd)
ASC_INTRINSIC(vcpadd)
ASC_INTRINSIC(vcmax)
ASC_INTRINSIC(vcmin)
ASC_INTRINSIC(vcgmax)
ASC_INTRINSIC(vcgmin)
ASC_INTRINSIC(vector_dup)
ASC_INTRINSIC(vconv_f162f32)
ASC_INTRINSIC(vconv_f322f16r)
ASC_INTRINSIC(vconv_f322s32r)
ASC_INTRINSIC(vconv_s322f32)
ASC_INTRINSIC(vsel)
ASC_INTRINSIC(vcmpv_lt)
ASC_INTRINSIC(vcmpv_gt)
ASC_INTRINSIC(vcmpv_eq)
ASC_INTRINSIC(vtranspose)
ASC_INTRINSIC(vbrcb)
ASC_INTRINSIC(vgather)
ASC_INTRINSIC(vreducev2)
ASC_INTRINSIC(vnchwconv)
ASC_INTRINSIC(vbitsort)
ASC_INTRINSIC(vmrgsort4)
ASC_INTRINSIC(scatter_vnchwconv_b8)
ASC_INTRINSIC(scatter_vnchwconv_b16)
ASC_INTRINSIC(scatter_vnchwconv_b32)
ASC_INTRINSIC(set_va_reg_sb)
ASC_INTRINSIC(set_deqscale)
ASC_INTRINSIC(set_cmpmask)
ASC_INTRINSIC(get_cmpmask)
ASC_INTRINSIC(copy_ubuf_to_ubuf)
ASC_INTRINSIC(copy_gm_to_ubuf)
ASC_INTRINSIC(copy_ubuf_to_gm)
ASC_INTRINSIC(copy_gm_to_ubuf_align_b8)
ASC_INTRINSIC(copy_gm_to_ubuf_align_b16)
ASC_INTRINSIC(copy_gm_to_ubuf_align_b32)
ASC_INTRINSIC(copy_ubuf_to_gm_align_b8)
ASC_INTRINSIC(copy_ubuf_to_gm_align_b16)
ASC_INTRINSIC(copy_ubuf_to_gm_align_b32)
ASC_INTRINSIC(copy_gm_to_cbuf)
ASC_INTRINSIC(copy_gm_to_cbuf_multi_nd2nz_b16)
ASC_INTRINSIC(copy_cbuf_to_ubuf)
ASC_INTRINSIC(copy_matrix_cc_to_gm)
ASC_INTRINSIC(load_cbuf_to_ca)
ASC_INTRINSIC(load_cbuf_to_cb)
ASC_INTRINSIC(load_gm_to_cbuf)
ASC_INTRINSIC(mad)
ASC_INTRINSIC(set_atomic_add)
ASC_INTRINSIC(set_atomic_f32)
ASC_INTRINSIC(set_atomic_f16)
ASC_INTRINSIC(set_atomic_s32)
ASC_INTRINSIC(set_padding)
ASC_INTRINSIC(set_fmatrix)
ASC_INTRINSIC(set_nd_para)
ASC_INTRINSIC(set_quant_pre)
ASC_INTRINSIC(set_fpc)
ASC_INTRINSIC(get_acc_val)
ASC_INTRINSIC(get_max_min_cnt)
ASC_INTRINSIC(get_rsvd_cnt)
ASC_INTRINSIC(dcci)
ASC_INTRINSIC(dci)
ASC_INTRINSIC(set_ctrl)
ASC_INTRINSIC(get_ctrl)
ASC_INTRINSIC(set_flag_dev)
ASC_INTRINSIC(set_nthreads)
ASC_INTRINSIC(clz)
ASC_INTRINSIC(bcnt0)
ASC_INTRINSIC(bcnt1)
ASC_INTRINSIC(sff0)
ASC_INTRINSIC(sff1)
ASC_INTRINSIC(sflbits)
#undef ASC_INTRINSIC

enum ub_addr8_t { VA0 = 0, VA1, VA2, VA3, VA4, VA5, VA6, VA7 };

// Scalar intrinsics and the older spellings that kernels still use outside AscendC::.
#ifndef KERNELGEN_TWIN // objects there, and the C library has a square root
extern int64_t block_idx;
extern int64_t block_num;
/// The square root of a scalar.
__aicore__ inline float sqrt(float x);
template <typename T> __aicore__ inline float sqrt(T x);
#endif
/// The intrinsic behind GetBlockIdx.
__aicore__ inline int64_t get_block_idx();
/// The intrinsic behind GetBlockNum.
__aicore__ inline int64_t get_block_num();
__aicore__ inline int64_t get_subblockid();
__aicore__ inline int64_t get_subblockdim();
__aicore__ inline int64_t get_coreid();
__aicore__ inline int64_t get_task_ration();
__aicore__ inline int64_t get_sys_cnt();
/// The intrinsic behind PipeBarrier.
__aicore__ inline void pipe_barrier(pipe_t pipe);
/// The intrinsic behind SetFlag.
__aicore__ inline void set_flag(pipe_t src, pipe_t dst, event_t id);
__aicore__ inline void set_flag(pipe_t src, pipe_t dst, int64_t id);
/// The intrinsic behind WaitFlag.
__aicore__ inline void wait_flag(pipe_t src, pipe_t dst, event_t id);
__aicore__ inline void wait_flag(pipe_t src, pipe_t dst, int64_t id);
/// The intrinsic behind SetAtomicNone.
__aicore__ inline void set_atomic_none();
__aicore__ inline void set_mask_norm();
__aicore__ inline void set_mask_count();
__aicore__ inline void set_vector_mask(uint64_t high, uint64_t low);
__aicore__ inline void dsb(int mode);
__aicore__ inline void trap();
__aicore__ inline void ffts_cross_core_sync(pipe_t pipe, uint64_t config);
__aicore__ inline void wait_flag_dev(int64_t id);
__aicore__ inline void set_ffts_base_addr(uint64_t address);

#endif
