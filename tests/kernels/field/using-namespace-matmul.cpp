#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace matmul;
extern "C" __global__ __aicore__ void k(GM_ADDR a, GM_ADDR b)
{
    if (GetBlockIdx() >= GetBlockNum()) { return; }
    DataCopyParams params;
    params.blockCount = 1;
}
