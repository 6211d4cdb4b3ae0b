// Threads of SIMT functions: their numbers and extents, and calls of vector functions.
#ifndef KERNELGEN_ASCENDC_THREADS_H
#define KERNELGEN_ASCENDC_THREADS_H

#include "config.h"

#define __VEC_SCOPE__
#define ASC_IS_AIV (true)
#define ASC_IS_AIC (true)
/// The most threads that a SIMT function is launched with.
#define LAUNCH_BOUND(...)

/// The extent of a call of a SIMT function.
struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
    constexpr dim3(uint32_t xIn = 1, uint32_t yIn = 1, uint32_t zIn = 1) : x(xIn), y(yIn), z(zIn) {}
};
extern const dim3 threadIdx, blockIdx, blockDim, gridDim;
/// How many threads run in step.
constexpr int32_t warpSize = 32;
/// Calls a vector function (SIMD), or a SIMT function with the extent as first argument.
template <auto function, typename... Arguments> __aicore__ inline void asc_vf_call(Arguments &&...arguments);

/// Names of the compiler's own.
namespace cce {
using ::dim3;
template <auto function, typename... Arguments> __aicore__ inline void async_invoke(Arguments &&...arguments);
}

#endif
