// 8-bit floating point in SIMT threads.
#ifndef KERNELGEN_SIMT_API_ASC_FP8_H
#define KERNELGEN_SIMT_API_ASC_FP8_H
#include "simt_api/asc_bf16.h"
#include "simt_api/asc_fp16.h"
using __asc_fp8x2_storage_t = unsigned short;
enum __asc_saturation_t { __ASC_NOSAT, __ASC_SATFINITE };
enum __asc_fp8_interpretation_t { __ASC_E4M3, __ASC_E5M2 };
__aicore__ inline __asc_fp8x2_storage_t __asc_cvt_float2_to_fp8x2(float2 x, __asc_saturation_t saturate, __asc_fp8_interpretation_t interpretation);
__aicore__ inline hifloat8x2_t __float22hif82_rna(float2 x);
__aicore__ inline hifloat8x2_t __float22hif82_rna_sat(float2 x);
__aicore__ inline hifloat8x2_t __float22hif82_rh(float2 x);
__aicore__ inline hifloat8x2_t __float22hif82_rh_sat(float2 x);
__aicore__ inline hifloat8x2_t __half22hif82_rna(half2 x);
__aicore__ inline hifloat8x2_t __half22hif82_rna_sat(half2 x);
__aicore__ inline hifloat8x2_t __half22hif82_rh(half2 x);
__aicore__ inline hifloat8x2_t __half22hif82_rh_sat(half2 x);
__aicore__ inline float2 __hif822float2(hifloat8x2_t x);
__aicore__ inline half2 __hif822half2(hifloat8x2_t x);
__aicore__ inline float2 __e4m3x22float2(float8_e4m3x2_t x);
__aicore__ inline float2 __e5m2x22float2(float8_e5m2x2_t x);
#endif
