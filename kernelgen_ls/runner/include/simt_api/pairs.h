// Arithmetic of the 16-bit types of SIMT threads and of pairs of them: one text for half and bfloat16_t.
#ifndef KERNELGEN_SIMT_API_PAIRS_H
#define KERNELGEN_SIMT_API_PAIRS_H
#include "simt_api/device_types.h"
#include "simt_api/rounding.h"
#define ASC_OF_PAIRS(name)                                                                                             \
    __aicore__ inline half2 name(half2 x, half2 y);                                                                    \
    __aicore__ inline bfloat16x2_t name(bfloat16x2_t x, bfloat16x2_t y);
#define ASC_COMPARISON(name)                                                                                           \
    __aicore__ inline bool __h##name(half x, half y);                                                                  \
    __aicore__ inline bool __h##name(bfloat16_t x, bfloat16_t y);                                                      \
    __aicore__ inline bool __hb##name##x2(half2 x, half2 y);                                                           \
    __aicore__ inline bool __hb##name##x2(bfloat16x2_t x, bfloat16x2_t y);                                             \
    __aicore__ inline unsigned __h##name##x2_mask(half2 x, half2 y);                                                   \
    __aicore__ inline unsigned __h##name##x2_mask(bfloat16x2_t x, bfloat16x2_t y);                                     \
    ASC_OF_PAIRS(__h##name##x2)
#define ASC_FUNCTION(name)                                                                                             \
    __aicore__ inline half h##name(half x);                                                                            \
    __aicore__ inline bfloat16_t h##name(bfloat16_t x);                                                                \
    __aicore__ inline half2 h2##name(half2 x);                                                                         \
    __aicore__ inline bfloat16x2_t h2##name(bfloat16x2_t x);
#define ASC_ARITHMETIC(name)                                                                                           \
    __aicore__ inline half name(half x, half y);                                                                       \
    __aicore__ inline bfloat16_t name(bfloat16_t x, bfloat16_t y);
ASC_COMPARISON(eq)
ASC_COMPARISON(ne)
ASC_COMPARISON(le)
ASC_COMPARISON(ge)
ASC_COMPARISON(lt)
ASC_COMPARISON(gt)
ASC_COMPARISON(equ)
ASC_COMPARISON(neu)
ASC_COMPARISON(leu)
ASC_COMPARISON(geu)
ASC_COMPARISON(ltu)
ASC_COMPARISON(gtu)
ASC_FUNCTION(tanh)
ASC_FUNCTION(exp)
ASC_FUNCTION(exp2)
ASC_FUNCTION(exp10)
ASC_FUNCTION(log)
ASC_FUNCTION(log2)
ASC_FUNCTION(log10)
ASC_FUNCTION(cos)
ASC_FUNCTION(sin)
ASC_FUNCTION(sqrt)
ASC_FUNCTION(rsqrt)
ASC_FUNCTION(rcp)
ASC_FUNCTION(rint)
ASC_FUNCTION(floor)
ASC_FUNCTION(ceil)
ASC_FUNCTION(trunc)
ASC_ARITHMETIC(__hadd)
ASC_ARITHMETIC(__hsub)
ASC_ARITHMETIC(__hmul)
ASC_ARITHMETIC(__hdiv)
ASC_ARITHMETIC(__hmax)
ASC_ARITHMETIC(__hmin)
ASC_ARITHMETIC(__hmax_nan)
ASC_ARITHMETIC(__hmin_nan)
ASC_OF_PAIRS(__haddx2)
ASC_OF_PAIRS(__hsubx2)
ASC_OF_PAIRS(__hmulx2)
ASC_OF_PAIRS(__hdivx2)
ASC_OF_PAIRS(__hmaxx2)
ASC_OF_PAIRS(__hminx2)
ASC_OF_PAIRS(__hmaxx2_nan)
ASC_OF_PAIRS(__hminx2_nan)
ASC_OF_PAIRS(operator+)
ASC_OF_PAIRS(operator-)
ASC_OF_PAIRS(operator*)
ASC_OF_PAIRS(operator/)
#undef ASC_OF_PAIRS
#undef ASC_COMPARISON
#undef ASC_FUNCTION
#undef ASC_ARITHMETIC
#define ASC_OF_EITHER(T, P)                                                                                            \
    __aicore__ inline T __habs(T x);                                                                                   \
    __aicore__ inline T __hneg(T x);                                                                                   \
    __aicore__ inline T __hfma(T x, T y, T z);                                                                         \
    __aicore__ inline T __hfma_relu(T x, T y, T z);                                                                    \
    __aicore__ inline bool __hisnan(T x);                                                                              \
    __aicore__ inline bool __hisinf(T x);                                                                              \
    __aicore__ inline P __habsx2(P x);                                                                                 \
    __aicore__ inline P __hnegx2(P x);                                                                                 \
    __aicore__ inline P __isnanx2(P x);                                                                                \
    __aicore__ inline P __hfmax2(P x, P y, P z);                                                                       \
    __aicore__ inline P __hfmax2_relu(P x, P y, P z);                                                                  \
    __aicore__ inline P __hcmadd(P x, P y, P z);                                                                       \
    __aicore__ inline P __lowhigh2highlow(P x);                                                                        \
    __aicore__ inline float __low2float(P x);                                                                          \
    __aicore__ inline float __high2float(P x);
ASC_OF_EITHER(half, half2)
ASC_OF_EITHER(bfloat16_t, bfloat16x2_t)
#undef ASC_OF_EITHER
#endif
