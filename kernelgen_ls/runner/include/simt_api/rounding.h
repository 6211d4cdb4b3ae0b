// Conversions come one for each rounding: to nearest even, to zero, down, up, to nearest away from zero.
#ifndef KERNELGEN_SIMT_API_ROUNDING_H
#define KERNELGEN_SIMT_API_ROUNDING_H
#include "ascendc/config.h"
#define ASC_ROUNDED(name, R, A)                                                                                        \
    __aicore__ inline R name##_rn(A x);                                                                                \
    __aicore__ inline R name##_rz(A x);                                                                                \
    __aicore__ inline R name##_rd(A x);                                                                                \
    __aicore__ inline R name##_ru(A x);                                                                                \
    __aicore__ inline R name##_rna(A x);
#define ASC_ROUNDED_SATURATED(name, R, A)                                                                              \
    ASC_ROUNDED(name, R, A)                                                                                            \
    __aicore__ inline R name##_rn_sat(A x);                                                                            \
    __aicore__ inline R name##_rz_sat(A x);                                                                            \
    __aicore__ inline R name##_rd_sat(A x);                                                                            \
    __aicore__ inline R name##_ru_sat(A x);                                                                            \
    __aicore__ inline R name##_rna_sat(A x);
#endif
