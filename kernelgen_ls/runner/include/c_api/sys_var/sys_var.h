// What a core knows of itself, in the C interface.
#ifndef KERNELGEN_C_API_SYS_VAR_H
#define KERNELGEN_C_API_SYS_VAR_H

#include "c_api/utils/call.h"

ASC_CALL(asc_get_smmu_tag_version, int64_t, Takes<>)
ASC_CALL(asc_get_phy_stack_base, int64_t, Takes<>)
ASC_CALL(asc_get_status, int64_t, Takes<>)
ASC_CALL(asc_get_sys_virtual_base, int64_t, Takes<>)
ASC_CALL(asc_get_ctrl, int64_t, Takes<>)
/// How many cores run the kernel.
ASC_CALL(asc_get_block_num, int64_t, Takes<>)
/// The number of this core.
ASC_CALL(asc_get_block_idx, int64_t, Takes<>)
ASC_CALL(asc_get_sub_block_num, int64_t, Takes<>)
ASC_CALL(asc_get_sub_block_id, int64_t, Takes<>)
/// The cycles that the system has counted.
ASC_CALL(asc_get_system_cycle, int64_t, Takes<>)
ASC_CALL(asc_set_ctrl, void, Takes<number>)
ASC_CALL(asc_get_ffts_base_addr, int64_t, Takes<>)
ASC_CALL(asc_get_core_id, int64_t, Takes<>)
ASC_CALL(asc_get_overflow_status, uint64_t, Takes<>)
ASC_CALL(asc_get_phy_buf_addr, uint64_t, Takes<number>)
ASC_CALL(asc_get_program_counter, int64_t, Takes<>)
ASC_CALL(asc_get_arch_ver, void, Takes<number>)
ASC_CALL(asc_get_ar_spr, int64_t, Takes<>)
ASC_CALL(asc_set_ffts_base_addr, void, Takes<number>)
/// The length of a vector register in bytes.
__aicore__ constexpr int64_t asc_get_vf_len() { return 256; }
ASC_CALL(asc_set_l0c2gm_channel_para, void, Takes<number>)
ASC_CALL(asc_set_l3d_rpt_b, void, Takes<number>)
/// Sets the strides of a copy of fractals to L1.
ASC_CALL(asc_set_gm2l1_nz_para, void, Takes<number>)
ASC_CALL(asc_set_l13d_padding, void, Takes<number>)
ASC_CALL(asc_set_l12l0_padding_val, void, Takes<number>)
ASC_CALL(asc_set_l0c2gm_quant_post, void, Takes<number>)
ASC_CALL(asc_set_l0c2gm_relu_alpha, void, Takes<number>)
ASC_CALL(asc_get_squeeze_status, int64_t, Takes<>)

#endif
