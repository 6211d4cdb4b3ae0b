// Bits and scalars, in the C interface.
#ifndef KERNELGEN_C_API_SCALAR_COMPUTE_H
#define KERNELGEN_C_API_SCALAR_COMPUTE_H

#include "c_api/utils/call.h"

ASC_CALL(asc_sflbits, int64_t, Takes<number>)
ASC_CALL(asc_ffz, int64_t, Takes<number>)
ASC_CALL(asc_ffs, int64_t, Takes<number>)
ASC_CALL(asc_popc, int64_t, Takes<number>)
ASC_CALL(asc_clz, int64_t, Takes<number>)
ASC_CALL(asc_zero_bits_cnt, int64_t, Takes<number>)
ASC_CALL(asc_set_nthbit, uint64_t, Takes<number, number>)
ASC_CALL(asc_clear_nthbit, uint64_t, Takes<number, number>)
ASC_CALL(asc_store_dev, void, Takes<address, number>)
__aicore__ inline int32_t asc_float2int32_rd(float value);
template <typename... A> __aicore__ inline void asc_float2int32_rd(A... arguments);
__aicore__ inline int32_t asc_float2int32_ru(float value);
template <typename... A> __aicore__ inline void asc_float2int32_ru(A... arguments);
__aicore__ inline int32_t asc_float2int32_rn(float value);
template <typename... A> __aicore__ inline void asc_float2int32_rn(A... arguments);
__aicore__ inline int32_t asc_float2int32_rna(float value);
template <typename... A> __aicore__ inline void asc_float2int32_rna(A... arguments);

#endif
