// Copies between GM and UB, in the C interface.
#ifndef KERNELGEN_C_API_VECTOR_DATAMOVE_H
#define KERNELGEN_C_API_VECTOR_DATAMOVE_H

#include "c_api/utils/call.h"

ASC_CALL(asc_set_copy_pad_val, void, Takes<number>)
ASC_CALL(asc_copy_ub2ub, void, Takes<address, address, number>, Takes<address, address, number, number, number, number>)
ASC_CALL(asc_copy_ub2ub_sync, void, Takes<address, address, number>)
/// Copies 32-byte blocks from GM to UB.
ASC_CALL(asc_copy_gm2ub, void, Takes<address, address, number>, Takes<address, address, number, number, number, number>)
ASC_CALL(asc_copy_gm2ub_sync, void, Takes<address, address, number>)
/// Copies 32-byte blocks from UB to GM.
ASC_CALL(asc_copy_ub2gm, void, Takes<address, address, number>, Takes<address, address, number, number, number, number>)
ASC_CALL(asc_copy_ub2gm_sync, void, Takes<address, address, number>)
/// Copies from GM to UB, rows of any length in bytes.
ASC_CALL(asc_copy_gm2ub_align, void, Takes<address, address, number>, Takes<address, address, number, number, number, number, number, number>, Takes<address, address, number, number, number, number, number, number, number, number>)
ASC_CALL(asc_copy_gm2ub_align_sync, void, Takes<address, address, number>)
/// Copies from UB to GM, rows of any length in bytes.
ASC_CALL(asc_copy_ub2gm_align, void, Takes<address, address, number>, Takes<address, address, number, number, number, number, number>, Takes<address, address, number, number, number, number, number, number>)
ASC_CALL(asc_copy_ub2gm_align_sync, void, Takes<address, address, number>)
ASC_CALL(asc_set_ub2gm_loop_size, void, Takes<number, number>)
ASC_CALL(asc_set_ub2gm_loop1_stride, void, Takes<number, number>)
ASC_CALL(asc_set_ub2gm_loop2_stride, void, Takes<number, number>)
ASC_CALL(asc_set_gm2ub_loop_size, void, Takes<number, number>)
ASC_CALL(asc_set_gm2ub_loop1_stride, void, Takes<number, number>)
ASC_CALL(asc_set_gm2ub_loop2_stride, void, Takes<number, number>)
ASC_CALL(asc_set_ndim_loop0_stride, void, Takes<number, number>)
ASC_CALL(asc_set_ndim_loop1_stride, void, Takes<number, number>)
ASC_CALL(asc_set_ndim_loop2_stride, void, Takes<number, number>)
ASC_CALL(asc_set_ndim_loop3_stride, void, Takes<number, number>)
ASC_CALL(asc_set_ndim_loop4_stride, void, Takes<number, number>)
ASC_CALL(asc_set_ndim_pad_count, void, Takes<number>)
ASC_CALL(asc_set_ndim_pad_value, void, Takes<number>)
ASC_CALL(asc_ndim_copy_gm2ub, void, Takes<address, address, number, number, number, number, number, number, number, number, number>)
ASC_CALL(asc_ndim_copy_dci, void, Takes<>)
ASC_CALL(asc_copy_ub2l1, void, Takes<address, address, number>, Takes<address, address, number, number, number, number>)
ASC_CALL(asc_copy_ub2l1_sync, void, Takes<address, address, number>)
ASC_CALL(asc_set_gm2ub_pad, void, Takes<number>)

#endif
