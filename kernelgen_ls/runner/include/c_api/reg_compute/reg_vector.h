// Computation in vector registers, in the C interface.
#ifndef KERNELGEN_C_API_REG_VECTOR_H
#define KERNELGEN_C_API_REG_VECTOR_H

#include "c_api/utils/call.h"

ASC_CALL(asc_update_addr_reg_b32, addr_reg, Takes<number>, Takes<number, number>, Takes<number, number, number>, Takes<number, number, number, number>)
ASC_CALL(asc_update_addr_reg_b16, addr_reg, Takes<number>, Takes<number, number>, Takes<number, number, number>, Takes<number, number, number, number>)
ASC_CALL(asc_update_addr_reg_b8, addr_reg, Takes<number>, Takes<number, number>, Takes<number, number, number>, Takes<number, number, number, number>)
ASC_CALL(asc_create_iter_reg_b32, addr_reg, Takes<number>, Takes<number, number>, Takes<number, number, number>, Takes<number, number, number, number>)
ASC_CALL(asc_create_iter_reg_b16, addr_reg, Takes<number>, Takes<number, number>, Takes<number, number, number>, Takes<number, number, number, number>)
ASC_CALL(asc_create_iter_reg_b8, addr_reg, Takes<number>, Takes<number, number>, Takes<number, number, number>, Takes<number, number, number, number>)
ASC_CALL(asc_subc, void, Takes<mask, reg, reg, reg, mask, mask>)
ASC_CALL(asc_shiftleft_scalar, void, Takes<reg, reg, number, mask>)
ASC_CALL(asc_shiftright_scalar, void, Takes<reg, reg, number, mask>)
ASC_CALL(asc_duplicate_scalar, void, Takes<reg, number>, Takes<reg, number, mask>)
ASC_CALL(asc_abs_sub, void, Takes<reg, reg, reg, mask>)
ASC_CALL(asc_neg, void, Takes<reg, reg, mask>)
ASC_CALL(asc_reduce_max, void, Takes<reg, reg, mask>)
ASC_CALL(asc_reduce_min, void, Takes<reg, reg, mask>)
ASC_CALL(asc_reduce_min_datablock, void, Takes<reg, reg, mask>)
ASC_CALL(asc_mull, void, Takes<reg, reg, reg, reg, mask>)
ASC_CALL(asc_squeeze_v2, void, Takes<reg, reg, mask>)
ASC_CALL(asc_squeeze_with_status, void, Takes<reg, reg, mask>)
ASC_CALL(asc_intlv_b8, void, Takes<mask, mask, mask, mask>)
ASC_CALL(asc_intlv_b16, void, Takes<mask, mask, mask, mask>)
ASC_CALL(asc_intlv_b32, void, Takes<mask, mask, mask, mask>)
ASC_CALL(asc_intlv, void, Takes<reg, reg, reg, reg>)
ASC_CALL(asc_unsqueeze, void, Takes<reg, mask>)
ASC_CALL(asc_arange, void, Takes<reg, number>)
ASC_CALL(asc_arange_descend, void, Takes<reg, number>)
ASC_CALL(asc_cumulative_histogram_bin0, void, Takes<reg, reg, mask>)
ASC_CALL(asc_cumulative_histogram_bin1, void, Takes<reg, reg, mask>)
ASC_CALL(asc_frequency_histogram_bin0, void, Takes<reg, reg, mask>)
ASC_CALL(asc_frequency_histogram_bin1, void, Takes<reg, reg, mask>)
/// A mask for what is left of a count of 8-bit elements, which it counts down.
ASC_CALL(asc_update_mask_b8, vector_bool, Takes<number>)
/// A mask for what is left of a count of 16-bit elements, which it counts down.
ASC_CALL(asc_update_mask_b16, vector_bool, Takes<number>)
/// A mask for what is left of a count of 32-bit elements, which it counts down.
ASC_CALL(asc_update_mask_b32, vector_bool, Takes<number>)
ASC_CALL(asc_muls, void, Takes<reg, reg, number, mask>)
ASC_CALL(asc_muls_v2, void, Takes<reg, reg, number, mask>)
ASC_CALL(asc_addc, void, Takes<mask, reg, reg, reg, mask, mask>)
ASC_CALL(asc_madd, void, Takes<reg, reg, reg, mask>)
ASC_CALL(asc_reduce_max_datablock, void, Takes<reg, reg, mask>)
ASC_CALL(asc_pack, void, Takes<mask, mask>, Takes<reg, reg>)
ASC_CALL(asc_pack_v2, void, Takes<mask, mask>, Takes<reg, reg>)
ASC_CALL(asc_pack_to_low, void, Takes<mask, mask>, Takes<reg, reg>)
ASC_CALL(asc_pack_to_high, void, Takes<mask, mask>, Takes<reg, reg>)
ASC_CALL(asc_exp_sub, void, Takes<reg, reg, reg, mask>)
ASC_CALL(asc_exp_sub_v2, void, Takes<reg, reg, reg, mask>)
ASC_CALL(asc_ln, void, Takes<reg, reg, mask>)
ASC_CALL(asc_deintlv, void, Takes<reg, reg, reg, reg>)
ASC_CALL(asc_deintlv_b8, void, Takes<mask, mask, mask, mask>)
ASC_CALL(asc_deintlv_b16, void, Takes<mask, mask, mask, mask>)
ASC_CALL(asc_deintlv_b32, void, Takes<mask, mask, mask, mask>)
ASC_CALL(asc_reduce_sum, void, Takes<reg, reg, mask>)
ASC_CALL(asc_reduce_sum_datablock, void, Takes<reg, reg, mask>)
ASC_CALL(asc_unpack_upper, void, Takes<mask, mask>, Takes<reg, reg>)
ASC_CALL(asc_unpack_lower, void, Takes<mask, mask>, Takes<reg, reg>)
ASC_CALL(asc_xor, void, Takes<mask, mask, mask, mask>, Takes<reg, reg, reg, mask>)
ASC_CALL(asc_prelu, void, Takes<reg, reg, reg, mask>)
ASC_CALL(asc_clear_ar_spr, void, Takes<>)
/// A mask by a pattern, for 8-bit elements.
ASC_CALL(asc_create_mask_b8, vector_bool, Takes<number>)
/// A mask by a pattern, for 16-bit elements.
ASC_CALL(asc_create_mask_b16, vector_bool, Takes<number>)
/// A mask by a pattern, for 32-bit elements.
ASC_CALL(asc_create_mask_b32, vector_bool, Takes<number>)

#endif
