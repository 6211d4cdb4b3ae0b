// Conversions, bits, caches and address spaces of SIMT threads.
#ifndef KERNELGEN_SIMT_API_DEVICE_FUNCTIONS_H
#define KERNELGEN_SIMT_API_DEVICE_FUNCTIONS_H
#include "simt_api/device_atomic_functions.h"
#include "simt_api/device_sync_functions.h"
#include "simt_api/device_types.h"
#include "simt_api/device_warp_functions.h"
#include "simt_api/math_functions.h"
#include "simt_api/rounding.h"
ASC_ROUNDED(__float2float, float, float)
ASC_ROUNDED(__float2uint, unsigned, float)
ASC_ROUNDED(__float2int, int, float)
ASC_ROUNDED(__float2ull, unsigned long long, float)
ASC_ROUNDED(__float2ll, long long, float)
ASC_ROUNDED(__uint2float, float, unsigned)
ASC_ROUNDED(__int2float, float, int)
ASC_ROUNDED(__ull2float, float, unsigned long long)
ASC_ROUNDED(__ll2float, float, long long)
__aicore__ inline float __int_as_float(int x);
__aicore__ inline float __uint_as_float(unsigned x);
__aicore__ inline int __float_as_int(float x);
__aicore__ inline unsigned __float_as_uint(float x);
/// Reads past L1 cache.
template <typename T> __aicore__ inline AscendC::Constraint::bare<T> asc_ldcg(T *address);
/// Reads through the caches.
template <typename T> __aicore__ inline AscendC::Constraint::bare<T> asc_ldca(T *address);
/// Writes to L2 cache.
template <typename T> __aicore__ inline void asc_stcg(T *address, AscendC::Constraint::bare<T> val);
/// Writes through the caches.
template <typename T> __aicore__ inline void asc_stwt(T *address, AscendC::Constraint::bare<T> val);
__aicore__ inline unsigned __isGlobal(const void *ptr);
__aicore__ inline unsigned __isUbuf(const void *ptr);
__aicore__ inline unsigned __isLocal(const void *ptr);
__aicore__ inline size_t __cvta_generic_to_global(const void *ptr);
__aicore__ inline size_t __cvta_generic_to_ubuf(const void *ptr);
__aicore__ inline size_t __cvta_generic_to_local(const void *ptr);
__aicore__ inline void *__cvta_global_to_generic(size_t rawbits);
__aicore__ inline void *__cvta_ubuf_to_generic(size_t rawbits);
__aicore__ inline void *__cvta_local_to_generic(size_t rawbits);
__aicore__ inline int __mulhi(int x, int y);
__aicore__ inline unsigned __umulhi(unsigned x, unsigned y);
__aicore__ inline long long __mul64hi(long long x, long long y);
__aicore__ inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y);
__aicore__ inline long long __mul_i32toi64(int x, int y);
__aicore__ inline unsigned long long __mul_i32toi64(unsigned x, unsigned y);
template <typename T> __aicore__ inline T __brev(T x);
template <typename T> __aicore__ inline int __clz(T x);
template <typename T> __aicore__ inline int __ffs(T x);
template <typename T> __aicore__ inline int __popc(T x);
__aicore__ inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s);
__aicore__ inline float __saturatef(float x);
__aicore__ inline unsigned __sad(int x, int y, unsigned z);
__aicore__ inline unsigned __usad(unsigned x, unsigned y, unsigned z);
__aicore__ inline int __mul24(int x, int y);
__aicore__ inline unsigned __umul24(unsigned x, unsigned y);
__aicore__ inline float __fdividef(float x, float y);
__aicore__ inline int __hadd(int x, int y);
__aicore__ inline int __rhadd(int x, int y);
__aicore__ inline unsigned __uhadd(unsigned x, unsigned y);
__aicore__ inline unsigned __urhadd(unsigned x, unsigned y);
/// The number of this thread in its warp.
__aicore__ inline int32_t laneid();
__aicore__ inline int32_t lanemask_eq();
__aicore__ inline int32_t lanemask_le();
__aicore__ inline int32_t lanemask_lt();
__aicore__ inline int32_t lanemask_ge();
__aicore__ inline int32_t lanemask_gt();
__aicore__ inline void asc_dcci_entire(void *dst);
__aicore__ inline void asc_dcci_single(void *dst);
__aicore__ inline void asc_nop();
#endif
