// What the threads of a warp tell each other.
#ifndef KERNELGEN_SIMT_API_DEVICE_WARP_FUNCTIONS_H
#define KERNELGEN_SIMT_API_DEVICE_WARP_FUNCTIONS_H
#include "simt_api/device_types.h"
/// Whether the predicate holds for all active threads of the warp.
__aicore__ inline int32_t asc_all(int32_t predicate);
/// Whether the predicate holds for any active thread of the warp.
__aicore__ inline int32_t asc_any(int32_t predicate);
/// For which threads of the warp the predicate holds, a bit each.
__aicore__ inline uint32_t asc_ballot(int32_t predicate);
/// Which threads of the warp are active, a bit each.
__aicore__ inline uint32_t asc_activemask();
/// The value of `var` in another thread of the warp.
template <typename T> __aicore__ inline T asc_shfl(T var, int32_t src_lane, int32_t width = warpSize);
template <typename T> __aicore__ inline T asc_shfl_up(T var, uint32_t delta, int32_t width = warpSize);
template <typename T> __aicore__ inline T asc_shfl_down(T var, uint32_t delta, int32_t width = warpSize);
template <typename T> __aicore__ inline T asc_shfl_xor(T var, int32_t lane_mask, int32_t width = warpSize);
/// The sum of `val` over the active threads of the warp.
template <typename T> __aicore__ inline T asc_reduce_add(T val);
template <typename T> __aicore__ inline T asc_reduce_max(T val);
template <typename T> __aicore__ inline T asc_reduce_min(T val);
#endif
