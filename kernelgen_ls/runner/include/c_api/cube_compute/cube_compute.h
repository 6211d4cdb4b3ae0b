// Products of matrices, in the C interface.
#ifndef KERNELGEN_C_API_CUBE_COMPUTE_H
#define KERNELGEN_C_API_CUBE_COMPUTE_H

#include "c_api/utils/call.h"

ASC_CALL(asc_set_l0c2gm_config, void, Takes<number, number, number>)
/// Multiplies matrices in L0A and L0B into L0C.
ASC_CALL(asc_mmad, void, Takes<address, address, address, number, number, number, number, number, number, number>, Takes<address, address, address, number, number, number, number, number, number, number, number, number, number>)
ASC_CALL(asc_mmad_sync, void, Takes<address, address, address, number, number, number, number, number, number, number>, Takes<address, address, address, number, number, number, number, number, number, number, number, number, number>)
ASC_CALL(asc_mmad_s4, void, Takes<address, address, address, number, number, number, number, number, number, number>, Takes<address, address, address, number, number, number, number, number, number, number, number, number, number>)
ASC_CALL(asc_mmad_s4_sync, void, Takes<address, address, address, number, number, number, number, number, number, number>, Takes<address, address, address, number, number, number, number, number, number, number, number, number, number>)
ASC_CALL(asc_mmad_sparse, void, Takes<address, address, address, number, number, number, number, number, number>)
ASC_CALL(asc_mmad_sparse_sync, void, Takes<address, address, address, number, number, number, number, number, number>)
ASC_CALL(asc_set_mmad_direction_m, void, Takes<>)
ASC_CALL(asc_set_mmad_direction_n, void, Takes<>)
ASC_CALL(asc_enable_hf32_trans, void, Takes<number>)
ASC_CALL(asc_enable_hf32, void, Takes<>)
ASC_CALL(asc_set_fp32_mode, void, Takes<>)
ASC_CALL(asc_get_l0c2gm_relu, uint64_t, Takes<>)
ASC_CALL(asc_get_l0c2gm_unitflag, uint64_t, Takes<>)
ASC_CALL(asc_get_l0c2gm_prequant, uint64_t, Takes<>)
ASC_CALL(asc_set_l0c2gm_nz2nd, void, Takes<number, number, number>)
ASC_CALL(asc_mmad_mx, void, Takes<address, address, address, number, number, number, number, number, number, number>)
ASC_CALL(asc_mmad_mx_sync, void, Takes<address, address, address, number, number, number, number, number, number, number>)
ASC_CALL(asc_enable_hif8, void, Takes<>)
ASC_CALL(asc_enable_fp8, void, Takes<>)

#endif
