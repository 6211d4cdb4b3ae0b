// Conv3d: the high-level three-dimensional convolution object of a kernel.
#ifndef KERNELGEN_ASCENDC_CONV_H
#define KERNELGEN_ASCENDC_CONV_H

#include "cube.h"
#include "queue.h"

namespace Conv3dApi {

/// Layout of a convolution's tensor.
enum class ConvFormat : uint32_t { ND = 0, NCHW, NHWC, HWCN, DHWNC, DHWCN, NDHWC, NCDHW, NC1HWC0, NDC1HWC0, FRACTAL_Z_3D };
/// One tensor of a convolution: where it is, its layout and element type.
template <AscendC::TPosition position, ConvFormat tensorFormat, typename TYPE>
struct ConvType {
    static constexpr AscendC::TPosition pos = position;
    static constexpr ConvFormat format = tensorFormat;
    using T = TYPE;
};
/// How a convolution is computed: which loop is outermost, what stays in L0.
struct Conv3dConfig {
    int32_t outputOrder = 0;
    int32_t l0PingPong = 0;
    int32_t bl1ByPass = 0;
    int32_t groupType = 0;
};
/// A three-dimensional convolution that a kernel sets up with its tensors and runs block by block or at once.
template <typename INPUT_TYPE, typename WEIGHT_TYPE, typename OUTPUT_TYPE, typename BIAS_TYPE = OUTPUT_TYPE, typename CONFIG = Conv3dConfig>
class Conv3D {
public:
    /// Takes the tiling.
    __aicore__ inline void Init(const void *tiling);
    /// Sets the input.
    __aicore__ inline void SetInput(const AscendC::GlobalTensor<typename INPUT_TYPE::T> &input);
    /// Sets the weight.
    __aicore__ inline void SetWeight(const AscendC::GlobalTensor<typename WEIGHT_TYPE::T> &weight);
    /// Sets the bias.
    __aicore__ inline void SetBias(const AscendC::GlobalTensor<typename BIAS_TYPE::T> &bias);
    /// Sets where in the input this core starts.
    __aicore__ inline void SetInputStartPosition(int64_t diStartPos, int64_t mStartPos);
    __aicore__ inline void SetSingleOutputShape(uint64_t co, uint64_t d, uint64_t m);
    /// Computes all of the output.
    template <bool sync = true> __aicore__ inline void IterateAll(const AscendC::GlobalTensor<typename OUTPUT_TYPE::T> &output, bool enPartialSum = false);
    /// Ends the use of the object.
    __aicore__ inline void End();
};

}

#endif
