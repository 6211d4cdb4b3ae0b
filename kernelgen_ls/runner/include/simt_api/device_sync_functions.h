// Barriers and fences of SIMT threads.
#ifndef KERNELGEN_SIMT_API_DEVICE_SYNC_FUNCTIONS_H
#define KERNELGEN_SIMT_API_DEVICE_SYNC_FUNCTIONS_H
#include "simt_api/device_types.h"
/// Waits for all threads of the block.
__aicore__ inline void asc_syncthreads();
/// Orders this thread's memory accesses for all cores.
__aicore__ inline void asc_threadfence();
/// Orders this thread's memory accesses for the block.
__aicore__ inline void asc_threadfence_block();
#endif
