// half in SIMT threads.
#ifndef KERNELGEN_SIMT_API_ASC_FP16_H
#define KERNELGEN_SIMT_API_ASC_FP16_H
#include "simt_api/device_functions.h"
#include "simt_api/pairs.h"
#define ASCRT_INF_FP16 __ushort_as_half(0x7C00U)
#define ASCRT_MAX_NORMAL_FP16 __ushort_as_half(0x7BFFU)
#define ASCRT_MIN_DENORM_FP16 __ushort_as_half(0x0001U)
#define ASCRT_NAN_FP16 __ushort_as_half(0x7FFFU)
#define ASCRT_NEG_ZERO_FP16 __ushort_as_half(0x8000U)
#define ASCRT_ONE_FP16 __ushort_as_half(0x3C00U)
#define ASCRT_ZERO_FP16 __ushort_as_half(0x0000U)
/// A float as half, rounded to nearest even.
__aicore__ inline half __float2half(float x);
/// A half as float.
__aicore__ inline float __half2float(half x);
__aicore__ inline half __float2half_ro(float x);
__aicore__ inline half __float2half_ro_sat(float x);
__aicore__ inline half2 __float22half2_ro(float2 x);
__aicore__ inline half2 __float22half2_ro_sat(float2 x);
ASC_ROUNDED_SATURATED(__float2half, half, float)
ASC_ROUNDED_SATURATED(__float22half2, half2, float2)
ASC_ROUNDED_SATURATED(__int2half, half, int)
ASC_ROUNDED_SATURATED(__uint2half, half, unsigned)
ASC_ROUNDED(__ll2half, half, long long)
ASC_ROUNDED(__ull2half, half, unsigned long long)
ASC_ROUNDED(__half2half, half, half)
ASC_ROUNDED(__half2int, int, half)
ASC_ROUNDED(__half2uint, unsigned, half)
ASC_ROUNDED(__half2ll, long long, half)
ASC_ROUNDED(__half2ull, unsigned long long, half)
__aicore__ inline float2 __half22float2(half2 x);
__aicore__ inline half2 __floats2half2_rn(float x, float y);
__aicore__ inline half2 __halves2half2(half x, half y);
__aicore__ inline half __low2half(half2 x);
__aicore__ inline half __high2half(half2 x);
__aicore__ inline half2 __low2half2(half2 x);
__aicore__ inline half2 __high2half2(half2 x);
__aicore__ inline half2 __lows2half2(half2 x, half2 y);
__aicore__ inline half2 __highs2half2(half2 x, half2 y);
__aicore__ inline half2 __half2half2(half x);
__aicore__ inline half2 make_half2(half x, half y);
__aicore__ inline half __ushort_as_half(unsigned short x);
__aicore__ inline unsigned short __half_as_ushort(half x);
__aicore__ inline half __short_as_half(short x);
__aicore__ inline short __half_as_short(half x);
#endif
