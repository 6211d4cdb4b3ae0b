#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;
template <typename T>
__simt_vf__ __aicore__ LAUNCH_BOUND(1024) inline void Fill(__gm__ T *y, uint32_t n)
{
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) { y[i] = static_cast<T>(0); }
}
extern "C" __global__ __aicore__ void k(GM_ADDR y, uint32_t n) { asc_vf_call<Fill<float>>(dim3(1024), (__gm__ float *)y, n); }
