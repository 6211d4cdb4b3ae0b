#include "kernel_operator.h"
#include "mylib/vec_ops.h"  // expect: embedded/include
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x) { mylib::Chain<half, 2>::Run(x); }
