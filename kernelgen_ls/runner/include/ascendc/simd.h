// Vector functions of Ascend 950.
#ifndef KERNELGEN_ASCENDC_SIMD_H
#define KERNELGEN_ASCENDC_SIMD_H

#include "tensor.h"
#if __NPU_ARCH__ >= 3510
#include "simt.h"
#endif

namespace AscendC {

/// The length of a vector register in bytes.
__aicore__ constexpr uint32_t GetVecLen() { return VECTOR_REG_WIDTH; }

}

#endif
