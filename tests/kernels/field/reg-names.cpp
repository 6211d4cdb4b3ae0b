#include "kernel_operator.h"
using namespace AscendC;
__simd_vf__ inline void Norm(__ubuf__ float *x, uint32_t n)
{
    Reg::RegTensor<float> a, b;
    Reg::MaskReg mask = Reg::UpdateMask<float>(n), cmp;
    Reg::Reduce<Reg::ReduceType::MAX>(b, a, mask);
    Reg::Compares<float, CMPMODE::GE>(cmp, a, 0.0f, mask);
    Reg::Mula(a, b, b, mask);
}
