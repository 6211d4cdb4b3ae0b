#include "kernel_operator.h"
using namespace AscendC;
static constexpr MicroAPI::CastTrait kWiden = {MicroAPI::RegLayout::ZERO, MicroAPI::SatMode::UNKNOWN, MicroAPI::MaskMergeMode::ZEROING, RoundMode::UNKNOWN};
__simd_vf__ inline void Widen(__ubuf__ half *x, __ubuf__ float *y, uint32_t n)
{
    MicroAPI::RegTensor<half> a;
    MicroAPI::RegTensor<float> b;
    MicroAPI::MaskReg mask = MicroAPI::UpdateMask<float>(n);
    MicroAPI::DataCopy<half, MicroAPI::LoadDist::DIST_UNPACK_B16>(a, x);
    MicroAPI::Cast<float, half, kWiden>(b, a, mask);
    MicroAPI::DataCopy(y, b, mask);
}
