#include "kernel_operator.h"
__global__ __aicore__ void no_extern(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) { }
extern "C" __global__ __aicore__ int32_t returns_int(GM_ADDR x) { return 0; }     // must be void  // expect: embedded/agreement
extern "C" __global__ __aicore__ void by_ref(AscendC::GlobalTensor<float> &g) { }  // not a kernel parameter  // expect: embedded/agreement
extern "C" __global__ __aicore__ void no_gm(uint8_t *x, float *z) { }              // __gm__ is missing  // expect: embedded/agreement embedded/agreement
