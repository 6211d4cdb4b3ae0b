#include "kernel_operator.h"
#include "catlass/gemm/kernel/basic_matmul.hpp"  // expect: embedded/include
using namespace Catlass;
using ShapeA = Gemm::Shape<128, 64, 32>;
using LayoutA = layout::RowMajor;
extern "C" __global__ __aicore__ void k(GM_ADDR x, uint32_t m, uint32_t n)
{
    LayoutA layoutA{m, n};
    typename Gemm::Kernel<ShapeA, LayoutA>::Params params{x, layoutA};
    Gemm::Kernel<ShapeA, LayoutA> op;
    op(params);
}
