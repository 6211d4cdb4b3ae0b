// bfloat16_t in SIMT threads.
#ifndef KERNELGEN_SIMT_API_ASC_BF16_H
#define KERNELGEN_SIMT_API_ASC_BF16_H
#include "simt_api/device_functions.h"
#include "simt_api/pairs.h"
#define ASCRT_INF_BF16 __ushort_as_bfloat16(0x7F80U)
#define ASCRT_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7FU)
#define ASCRT_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001U)
#define ASCRT_NAN_BF16 __ushort_as_bfloat16(0x7FFFU)
#define ASCRT_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000U)
#define ASCRT_ONE_BF16 __ushort_as_bfloat16(0x3F80U)
#define ASCRT_ZERO_BF16 __ushort_as_bfloat16(0x0000U)
/// A float as bfloat16_t, rounded to nearest even.
__aicore__ inline bfloat16_t __float2bfloat16(float x);
/// A bfloat16_t as float.
__aicore__ inline float __bfloat162float(bfloat16_t x);
ASC_ROUNDED_SATURATED(__float2bfloat16, bfloat16_t, float)
ASC_ROUNDED_SATURATED(__float22bfloat162, bfloat16x2_t, float2)
ASC_ROUNDED_SATURATED(__bfloat162half, half, bfloat16_t)
ASC_ROUNDED(__half2bfloat16, bfloat16_t, half)
ASC_ROUNDED(__bfloat162bfloat16, bfloat16_t, bfloat16_t)
ASC_ROUNDED(__bfloat162int, int, bfloat16_t)
ASC_ROUNDED(__bfloat162uint, unsigned, bfloat16_t)
ASC_ROUNDED(__bfloat162ll, long long, bfloat16_t)
ASC_ROUNDED(__bfloat162ull, unsigned long long, bfloat16_t)
ASC_ROUNDED(__int2bfloat16, bfloat16_t, int)
ASC_ROUNDED(__uint2bfloat16, bfloat16_t, unsigned)
ASC_ROUNDED(__ll2bfloat16, bfloat16_t, long long)
ASC_ROUNDED(__ull2bfloat16, bfloat16_t, unsigned long long)
__aicore__ inline float2 __bfloat1622float2(bfloat16x2_t x);
__aicore__ inline bfloat16x2_t __bfloat162bfloat162(bfloat16_t x);
__aicore__ inline bfloat16x2_t __float2bfloat162_rn(float x);
__aicore__ inline bfloat16x2_t __floats2bfloat162_rn(float x, float y);
__aicore__ inline bfloat16x2_t __halves2bfloat162(bfloat16_t x, bfloat16_t y);
__aicore__ inline bfloat16_t __low2bfloat16(bfloat16x2_t x);
__aicore__ inline bfloat16_t __high2bfloat16(bfloat16x2_t x);
__aicore__ inline bfloat16x2_t __low2bfloat162(bfloat16x2_t x);
__aicore__ inline bfloat16x2_t __high2bfloat162(bfloat16x2_t x);
__aicore__ inline bfloat16x2_t __lows2bfloat162(bfloat16x2_t x, bfloat16x2_t y);
__aicore__ inline bfloat16x2_t __highs2bfloat162(bfloat16x2_t x, bfloat16x2_t y);
__aicore__ inline bfloat16x2_t make_bfloat162(bfloat16_t x, bfloat16_t y);
__aicore__ inline bfloat16_t __ushort_as_bfloat16(unsigned short x);
__aicore__ inline unsigned short __bfloat16_as_ushort(bfloat16_t x);
#endif
