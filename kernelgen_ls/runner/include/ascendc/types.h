// Enumerations and parameter records that more than one family of operations takes.
#ifndef KERNELGEN_ASCENDC_TYPES_H
#define KERNELGEN_ASCENDC_TYPES_H

#include "config.h"

namespace AscendC {

/// Where a tensor, queue or buffer lives. VECIN, VECCALC and VECOUT are the unified buffer (UB), A1/B1 are L1, A2/B2 are
/// L0A and L0B, CO1 is L0C, C1/C2 hold the bias, TSCM is L1 as matrix input from vector code, GM is global memory.
enum class TPosition : uint8_t { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM, C2PIPE2LOCAL, MAX };
/// The older name of TPosition.
using QuePosition = TPosition;
/// Names of the physical memories.
enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };
/// Kinds of core.
enum CoreType { AIC = 1, AIV = 2, MIX = 3, DEFAULT = 0, ON_AIV = 4, ON_AIC = 5 };
/// Which cores a kernel runs on: vector, cube, or both in a ratio.
enum KernelMetaType : uint8_t { KERNEL_TYPE_AIV_ONLY, KERNEL_TYPE_AIC_ONLY, KERNEL_TYPE_MIX_AIV_1_0, KERNEL_TYPE_MIX_AIC_1_0, KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2, KERNEL_TYPE_AICORE, KERNEL_TYPE_VECTORCORE, KERNEL_TYPE_MIX_AICORE, KERNEL_TYPE_MIX_VECTOR_CORE, KERNEL_TYPE_MAX };

/// How Cast rounds. CAST_NONE where the conversion loses nothing; CAST_RINT to nearest even, CAST_FLOOR down, CAST_CEIL
/// up, CAST_ROUND to nearest away from zero, CAST_TRUNC towards zero, CAST_ODD to odd.
enum class RoundMode : uint8_t { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD, CAST_HYBRID, UNKNOWN };
/// Comparisons of Compare and CompareScalar.
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
/// What Select chooses between.
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
/// How the result of a comparison is stored.
enum class MaskMode : uint8_t { NORMAL, COUNTER };
/// Which elements a reduction reports: value and index, index and value, value only, index only.
enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
/// Whether a function computes with its highest precision.
enum class HighestPrecision : uint8_t { DISABLE, ENABLE };

/// The pipelines of a core: S scalar, V vector, M cube, MTE1 to L0, MTE2 from GM, MTE3 to GM, FIX from L0C.
enum pipe_t { PIPE_S = 0, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_MTE4, PIPE_MTE5, PIPE_V2, PIPE_FIX, PIPE_NUM };
/// An event identifier of SetFlag and WaitFlag.
enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
using TEventID = int8_t;
/// Which pipeline waits for which: MTE2_V lets the vector unit wait for a copy into UB.
enum class HardEvent : uint8_t { MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, MTE2_V, V_MTE2, MTE3_V, V_MTE3, M_V, V_M, V_V, MTE3_MTE1, MTE1_MTE3, MTE1_V, MTE2_M, M_MTE2, V_MTE1, M_FIX, FIX_M, MTE3_MTE2, MTE2_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S, MTE2_FIX, FIX_MTE2, FIX_S, M_S, FIX_MTE3, MTE1_FIX, FIX_MTE1, FIX_FIX, FIX_V, S_FIX, V_FIX, S_M, MAX };
/// What a data barrier waits for.
enum class MemDsbT : uint8_t { ALL, DDR, UB, SEQ };

/// Layout of a matrix in memory.
enum class CubeFormat : uint8_t { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, COLUMN_MAJOR, ROW_MAJOR };
/// Cache line range of DataCacheCleanAndInvalid.
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
/// Which memory's cache lines DataCacheCleanAndInvalid handles.
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
/// Whether a cache hint is for reads, writes or both.
enum class CacheRwMode : uint8_t { READ = 1, WRITE = 2, RW = 3 };
/// How GlobalTensor::SetL2CacheHint keeps data in L2.
enum class CacheMode : uint8_t { CACHE_MODE_DISABLE = 0, CACHE_MODE_NORMAL = 1, CACHE_MODE_LAST = 2, CACHE_MODE_PERSISTENT = 4 };
/// Element types of atomic copies.
enum class AtomicDtype : uint8_t { ATOMIC_NONE, ATOMIC_F32, ATOMIC_F16, ATOMIC_S16, ATOMIC_S32, ATOMIC_S8, ATOMIC_BF16 };
enum class AtomicOp : uint8_t { ATOMIC_SUM };

/// Layouts of a tensor's axes.
enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };
/// How a copy between matrix positions goes.
enum class BlockMode : uint8_t { BLOCK_MODE_NORMAL, BLOCK_MODE_MATRIX, BLOCK_MODE_VECTOR, BLOCK_MODE_SMALL_CHANNEL, BLOCK_MODE_DEPTHWISE };
/// How a copy out of L0C scales.
enum class DeqScale : uint8_t { DEQ_NONE, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };
/// Kinds of reduction.
enum class ReduceMode : uint8_t { REDUCE_MAX, REDUCE_MIN, REDUCE_SUM };
/// Whether DataCopyPad fills rows up or packs them.
enum class PaddingMode : uint8_t { Normal, Compact };

/// Kinds of reduction, for the operations that take one as a template argument.
enum class ReduceType { NONE = -1, SUM = 0, MAX, MIN };
/// Which arithmetic saturates.
enum class SaturationMode : uint8_t { FLOAT, FLOAT8, INT, CAST };
/// The unit that Async runs a function on.
enum class EngineType : int32_t { AIC = 1, AIV = 2 };
/// Which registers of the core can be read.
enum class SpecialPurposeReg { AR = 0 };

/// Stands for a type that is to be deduced, where template arguments after it are given.
struct BinaryDefaultType {};
/// Which operand of an operation between a tensor and a scalar is the scalar: 0 the first, 1 the second.
struct BinaryConfig {
    int8_t scalarTensorIndex = 1;
};
constexpr BinaryConfig DEFAULT_BINARY_CONFIG = {1};

constexpr uint16_t DEFAULT_DATA_COPY_NBURST = 1;
constexpr uint16_t DEFAULT_DATA_COPY_STRIDE = 0;
constexpr int32_t DEFAULT_C0_SIZE = 32;
constexpr uint32_t CACHE_LINE_SIZE = 64;
/// How Fixpipe and DataCopy quantise what leaves L0C.
enum QuantMode_t { NoQuant, F322F16, F322BF16, DEQF16, VDEQF16, QF322B8_PRE, VQF322B8_PRE, REQ8, VREQ8, QF322F16_PRE, VQF322F16_PRE, QF322BF16_PRE, VQF322BF16_PRE, QF322F32_PRE, VQF322F32_PRE, QS322BF16_PRE, VQS322BF16_PRE, SHIFTS322S16, VSHIFTS322S16, QF322HIF8_PRE, QF322FP8_PRE };

#if __NPU_ARCH__ == 2201
constexpr int32_t TOTAL_VEC_LOCAL_SIZE = 184 * 1024;
#else
constexpr int32_t TOTAL_VEC_LOCAL_SIZE = 248 * 1024;
#endif
constexpr int32_t B8_TRANS_LEN = 1024;
constexpr int32_t B8_TRANS_ROW = 32;
constexpr int32_t B64_DATA_NUM_PER_REPEAT = 32;
constexpr int32_t B32_DATA_NUM_PER_REPEAT = 64;
constexpr int32_t B16_DATA_NUM_PER_REPEAT = 128;
constexpr int32_t HALF_FACTOR = 2;
constexpr int32_t DOUBLE_FACTOR = 2;
constexpr int32_t FULL_MASK_LEN = 128;
constexpr int32_t HALF_MASK_LEN = 64;
constexpr int32_t MIN_REPEAT_TIMES = 0;
constexpr int32_t MAX_REPEAT_FLOAT_SIZE = 64 * 255;
constexpr int32_t MAX_REPEAT_HALF_SIZE = 128 * 255;
constexpr int32_t DEFAULT_BLOCK_SIZE = 256;
constexpr int32_t DEFAULT_REDUCE_DST_REP_STRIDE = 1;
constexpr int32_t ONE_FOURTH_DEFAULT_REPEAT_STRIDE = 2;
constexpr int32_t K_MAX_DIM = 8;
constexpr int32_t MRG_SORT_ELEMENT_LEN = 4;
constexpr int32_t REGION_PROPOSAL_ELEMENT_NUM = 8;
constexpr int32_t PAD_SIZE = 4;
#if __NPU_ARCH__ < 2201
constexpr size_t RESERVED_WORKSPACE = 2 * 1024 * 1024;
#else
constexpr size_t RESERVED_WORKSPACE = 16 * 1024 * 1024;
#endif
constexpr int32_t ONE_BLK_SIZE = 32;
constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr int32_t DEFAULT_BLK_NUM = 8;
constexpr int32_t DEFAULT_BLK_STRIDE = 1;
constexpr int32_t DEFAULT_REPEAT_STRIDE = 8;
constexpr int32_t HALF_DEFAULT_REPEAT_STRIDE = 4;
constexpr int32_t BLOCK_CUBE = 16;
constexpr int32_t CUBE_MAX_SIZE = 256;
constexpr int32_t BYTE_PER_FRACTAL = 512;
constexpr int32_t MAX_REPEAT_TIMES = 255;
constexpr int32_t SCALE_MASK = 0;
constexpr int32_t ONE_BLK_FLOAT_NUM = 8;
constexpr int32_t ONE_BLK_HALF_NUM = 16;
constexpr int32_t ONE_REPEAT_FLOAT_SIZE = 64;
constexpr int32_t ONE_REPEAT_HALF_SIZE = 128;
constexpr int32_t ONE_BYTE_BIT_SIZE = 8;
constexpr int32_t BRCB_BROADCAST_NUMBER = 8;
constexpr int32_t BRCB_MAX_REPEAT_SIZE = 255;
constexpr int32_t MAX_BLOCK_LEN = 65535;
constexpr int32_t MAX_BLOCK_COUNT = 4095;
constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;
constexpr uint32_t VECTOR_REG_WIDTH = 256;
constexpr int32_t TOTAL_UB_SIZE = 192 * 1024;
constexpr int32_t TOTAL_L1_SIZE = 512 * 1024;
constexpr int32_t TOTAL_L0A_SIZE = 64 * 1024;
constexpr int32_t TOTAL_L0B_SIZE = 64 * 1024;
constexpr int32_t TOTAL_L0C_SIZE = 128 * 1024;
constexpr int32_t TMP_UB_SIZE = 8 * 1024;
constexpr int32_t TMP_UB_OFFSET = 248 * 1024;
constexpr int32_t B64_BYTE_SIZE = 8;
constexpr int32_t B32_BYTE_SIZE = 4;
constexpr int32_t B16_BYTE_SIZE = 2;
constexpr int32_t B8_BYTE_SIZE = 1;
constexpr int32_t B32_DATA_NUM_PER_BLOCK = 8;
constexpr int32_t B16_DATA_NUM_PER_BLOCK = 16;
/// Stands for a mask already set by SetVectorMask, in the calls with isSetMask = false.
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};
constexpr uint64_t FULL_MASK = 0xffffffffffffffff;

/// Strides of a one-source vector operation: between the 32-byte blocks of one repeat and between repeats, in blocks.
struct UnaryRepeatParams {
    uint32_t blockNumber = 8;
    uint16_t dstBlkStride = 1;
    uint16_t srcBlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t srcRepStride = 8;
    bool halfBlock = false;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
    constexpr UnaryRepeatParams() = default;
    constexpr UnaryRepeatParams(uint16_t dstBlkStrideIn, uint16_t srcBlkStrideIn, uint8_t dstRepStrideIn, uint8_t srcRepStrideIn)
        : dstBlkStride(dstBlkStrideIn), srcBlkStride(srcBlkStrideIn), dstRepStride(dstRepStrideIn), srcRepStride(srcRepStrideIn) {}
    constexpr UnaryRepeatParams(uint16_t dstBlkStrideIn, uint16_t srcBlkStrideIn, uint8_t dstRepStrideIn, uint8_t srcRepStrideIn, bool halfBlockIn)
        : UnaryRepeatParams(dstBlkStrideIn, srcBlkStrideIn, dstRepStrideIn, srcRepStrideIn) { halfBlock = halfBlockIn; }
};
/// Strides of a two-source vector operation: between the 32-byte blocks of one repeat and between repeats, in blocks.
struct BinaryRepeatParams {
    uint32_t blockNumber = 8;
    uint8_t dstBlkStride = 1;
    uint8_t src0BlkStride = 1;
    uint8_t src1BlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t src0RepStride = 8;
    uint8_t src1RepStride = 8;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
    constexpr BinaryRepeatParams() = default;
    constexpr BinaryRepeatParams(uint8_t dstBlkStrideIn, uint8_t src0BlkStrideIn, uint8_t src1BlkStrideIn, uint8_t dstRepStrideIn, uint8_t src0RepStrideIn, uint8_t src1RepStrideIn)
        : dstBlkStride(dstBlkStrideIn), src0BlkStride(src0BlkStrideIn), src1BlkStride(src1BlkStrideIn), dstRepStride(dstRepStrideIn), src0RepStride(src0RepStrideIn), src1RepStride(src1RepStrideIn) {}
};
/// Strides of Copy between UB tensors, in 32-byte blocks.
struct CopyRepeatParams {
    uint16_t dstStride = 1;
    uint16_t srcStride = 1;
    uint16_t dstRepeatSize = 8;
    uint16_t srcRepeatSize = 8;
    constexpr CopyRepeatParams() = default;
    constexpr CopyRepeatParams(uint16_t dstStrideIn, uint16_t srcStrideIn, uint16_t dstRepeatSizeIn, uint16_t srcRepeatSizeIn)
        : dstStride(dstStrideIn), srcStride(srcStrideIn), dstRepeatSize(dstRepeatSizeIn), srcRepeatSize(srcRepeatSizeIn) {}
};
/// Strides of Brcb: between blocks and between repeats of the destination, in 32-byte blocks.
struct BrcbRepeatParams {
    uint32_t blockNumber = 8;
    uint16_t dstBlkStride = 1;
    uint16_t dstRepStride = 8;
    constexpr BrcbRepeatParams() = default;
    constexpr BrcbRepeatParams(uint16_t dstBlkStrideIn, uint16_t dstRepStrideIn) : dstBlkStride(dstBlkStrideIn), dstRepStride(dstRepStrideIn) {}
};
/// Strides of Gatherb, in 32-byte blocks.
struct GatherRepeatParams {
    uint32_t blockNumber = 8;
    uint16_t dstRepStride = 8;
    uint8_t dstBlkStride = 1;
    constexpr GatherRepeatParams() = default;
    constexpr GatherRepeatParams(uint8_t dstBlkStrideIn, uint8_t dstRepStrideIn) : dstRepStride(dstRepStrideIn), dstBlkStride(dstBlkStrideIn) {}
};
/// Strides of GatherMask: between source blocks, between source repeats and between pattern repeats.
struct GatherMaskParams {
    uint8_t src0BlockStride = 1;
    uint16_t repeatTimes = 0;
    uint16_t src0RepeatStride = 0;
    uint8_t src1RepeatStride = 0;
    constexpr GatherMaskParams() = default;
    constexpr GatherMaskParams(uint8_t src0BlockStrideIn, uint16_t repeatTimesIn, uint16_t src0RepeatStrideIn, uint8_t src1RepeatStrideIn)
        : src0BlockStride(src0BlockStrideIn), repeatTimes(repeatTimesIn), src0RepeatStride(src0RepeatStrideIn), src1RepeatStride(src1RepeatStrideIn) {}
};

/// The logical shape that travels with a tensor.
struct ShapeInfo {
    uint8_t shapeDim = 0;
    uint32_t shape[8] = {};
    uint8_t originalShapeDim = 0;
    uint32_t originalShape[8] = {};
    DataFormat dataFormat = DataFormat::ND;
    ShapeInfo() = default;
    ShapeInfo(uint8_t dimensions, const uint32_t sizes[]);
    ShapeInfo(uint8_t dimensions, const uint32_t sizes[], uint8_t originalDimensions, const uint32_t originalSizes[], DataFormat format);
    ShapeInfo(uint8_t dimensions, const uint32_t sizes[], DataFormat format);
};

}

using AscendC::pipe_t;
using AscendC::event_t;
using AscendC::PIPE_S;
using AscendC::PIPE_V;
using AscendC::PIPE_M;
using AscendC::PIPE_MTE1;
using AscendC::PIPE_MTE2;
using AscendC::PIPE_MTE3;
using AscendC::PIPE_ALL;
using AscendC::PIPE_FIX;
using AscendC::EVENT_ID0;
using AscendC::EVENT_ID1;
using AscendC::EVENT_ID2;
using AscendC::EVENT_ID3;
using AscendC::EVENT_ID4;
using AscendC::EVENT_ID5;
using AscendC::EVENT_ID6;
using AscendC::EVENT_ID7;

#endif
