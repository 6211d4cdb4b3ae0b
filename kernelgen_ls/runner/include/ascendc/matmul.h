// Matmul: the high-level matrix multiplication object of a kernel.
#ifndef KERNELGEN_ASCENDC_MATMUL_H
#define KERNELGEN_ASCENDC_MATMUL_H

#include "cube.h"
#include "queue.h"
#include "tiling.h"
#include "../kernel_tiling/kernel_tiling.h"

namespace AscendC {

/// Layout of a batch of matrices.
enum class LayoutMode : uint8_t { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };
/// How a batch of matrices fits into L1.
enum class BatchMode : uint8_t { NONE = 0, BATCH_LESS_THAN_L1, BATCH_LARGE_THAN_L1, SINGLE_LARGE_THAN_L1 };
enum class BatchOutMode : uint8_t { SINGLE_BATCH, MULTI_BATCH, DYNAMIC };
/// Which way Matmul goes through the result's blocks.
enum class IterateOrder : uint8_t { ORDER_M = 0, ORDER_N, UNDEF };
/// Which ways of iterating a Matmul is compiled for.
enum IterateMode : uint8_t { ITERATE_MODE_NORMAL = 1, ITERATE_MODE_ALL = 2, ITERATE_MODE_BATCH = 4, ITERATE_MODE_N_BATCH = 8, ITERATE_MODE_DEFAULT = 255 };
/// Which product Matmul builds results from: inner or outer.
enum class ScheduleType : uint8_t { INNER_PRODUCT = 0, OUTER_PRODUCT, N_BUFFER_33 };
/// Kinds of Matmul options for GetMMConfig.
enum class MatmulConfigMode : uint8_t { CONFIG_NORM, CONFIG_MDL, CONFIG_SPECIALMDL, CONFIG_IBSHARE };
enum class MatmulPolicyType : uint8_t { NORMAL };
/// Fixed shapes for GetMMConfig.
struct MatmulShapeParams {
    uint32_t singleCoreM = 0;
    uint32_t singleCoreN = 0;
    uint32_t singleCoreK = 0;
    uint32_t basicM = 0;
    uint32_t basicN = 0;
    uint32_t basicK = 0;
};
/// Quantisation for GetMMConfig.
struct MatmulQuantParams {
    bool isPerTensor = false;
    bool hasAntiQuantOffset = false;
};
/// Batches for GetMMConfig.
struct MatmulBatchParams {
    bool isNBatch = false;
    BatchMode batchMode = BatchMode::BATCH_LESS_THAN_L1;
    bool isBiasBatch = true;
    BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
/// How Matmul unpacks a compressed matrix.
enum class DecompressionMode { DECOMP_NONE = 0, DECOMP_2bitTo8bit, DECOMP_3bitTo8bit, DECOMP_4bitTo8bit, DECOMP_16bitTo64bit, DECOMP_1bitTo8bit, DECOMP_1bitTo4bit, DECOMP_2bitTo4bit, DECOMP_3bitTo4bit };
/// Switches for GetMMConfig.
struct MatmulFuncParams {
    bool intrinsicsCheck = false;
    bool enVecND2NZ = false;
    bool enableDoubleCache = false;
    bool enableL1CacheUB = false;
    uint32_t doMTE2Preload = 0;
    IterateOrder iterateOrder = IterateOrder::UNDEF;
    ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
    bool enableReuse = true;
    bool enableUBReuse = true;
    bool isPartialOutput = false;
    bool isA2B2Shared = false;
    bool isEnableChannelSplit = false;
    bool enableKdimReorderLoad = false;
    bool enableL1BankConflictOptimise = false;
    bool enableRelu = false;
    DecompressionMode decompMode = DecompressionMode::DECOMP_NONE;
};
/// Options of a Matmul, fixed when it is compiled. Made by GetNormalConfig, GetMDLConfig and the like.
struct MatmulConfig {
    bool doNorm = true;
    bool doBasicBlock = false;
    bool doMultiDataLoad = false;
    uint32_t basicM = 0;
    uint32_t basicN = 0;
    uint32_t basicK = 0;
    bool intrinsicsCheck = false;
    bool isNBatch = false;
    bool enVecND2NZ = false;
    bool doSpecialBasicBlock = false;
    uint32_t doMTE2Preload = 0;
    uint32_t singleCoreM = 0;
    uint32_t singleCoreN = 0;
    uint32_t singleCoreK = 0;
    uint32_t stepM = 0;
    uint32_t stepN = 0;
    uint32_t baseMN = 0;
    uint32_t singleCoreMN = 0;
    bool enUnitFlag = true;
    bool isPerTensor = false;
    bool hasAntiQuantOffset = false;
    bool doIBShareNorm = false;
    bool doSpecialMDL = false;
    bool enableInit = true;
    BatchMode batchMode = BatchMode::BATCH_LESS_THAN_L1;
    bool enableEnd = true;
    bool enableGetTensorC = true;
    bool enableSetOrgShape = true;
    bool enableSetBias = true;
    bool enableSetTail = true;
    bool enableQuantVector = true;
    bool enableSetDefineData = true;
    uint8_t iterateMode = 255;
    bool enableReuse = true;
    bool enableUBReuse = true;
    bool enableL1CacheUB = false;
    bool intraBlockPartSum = false;
    IterateOrder iterateOrder = IterateOrder::UNDEF;
    ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
    bool enableDoubleCache = false;
    bool isBiasBatch = true;
    bool enableStaticPadZeros = false;
    bool isPartialOutput = false;
    bool enableMixDualMaster = false;
    bool isA2B2Shared = false;
    bool isEnableChannelSplit = false;
    bool enableKdimReorderLoad = false;
    bool isCO1Shared = false;
    uint32_t sharedCO1BufferSize = 64 * 1024;
    BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
    bool enableL1BankConflictOptimise = false;
    bool enableRelu = false;
    DecompressionMode decompMode = DecompressionMode::DECOMP_NONE;
};
/// A tiling that is known when the kernel is compiled.
struct MatmulApiStaticTiling {
    int32_t usedCoreNum = -1;
    int32_t M = -1;
    int32_t N = -1;
    int32_t Ka = -1;
    int32_t Kb = -1;
    int32_t singleCoreM = -1;
    int32_t singleCoreN = -1;
    int32_t singleCoreK = -1;
    int32_t baseM = -1;
    int32_t baseN = -1;
    int32_t baseK = -1;
    int32_t depthA1 = -1;
    int32_t depthB1 = -1;
    int32_t stepM = -1;
    int32_t stepN = -1;
    int32_t isBias = -1;
    int32_t transLength = -1;
    int32_t iterateOrder = -1;
    int32_t shareMode = -1;
    int32_t shareL1Size = -1;
    int32_t shareL0CSize = -1;
    int32_t shareUbSize = -1;
    int32_t stepKa = -1;
    int32_t stepKb = -1;
    int32_t depthAL1CacheUB = -1;
    int32_t depthBL1CacheUB = -1;
    int32_t dbL0A = -1;
    int32_t dbL0B = -1;
    int32_t dbL0C = -1;
    int32_t ALayoutInfoB = -1;
    int32_t ALayoutInfoS = -1;
    int32_t ALayoutInfoN = -1;
    int32_t ALayoutInfoG = -1;
    int32_t ALayoutInfoD = -1;
    int32_t BLayoutInfoB = -1;
    int32_t BLayoutInfoS = -1;
    int32_t BLayoutInfoN = -1;
    int32_t BLayoutInfoG = -1;
    int32_t BLayoutInfoD = -1;
    int32_t CLayoutInfoB = -1;
    int32_t CLayoutInfoS1 = -1;
    int32_t CLayoutInfoN = -1;
    int32_t CLayoutInfoG = -1;
    int32_t CLayoutInfoS2 = -1;
    int32_t BatchNum = -1;
    int32_t mxTypePara = -1;
    MatmulConfig cfg;
};
/// Options of a Matmul that loads one block at a time.
ASC_LAZY __aicore__ constexpr MatmulConfig GetNormalConfig(const bool intrinsicsLimit = false, const bool batchLoop = false, const bool isVecND2NZ = false, const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1, const bool isMsgReuse = true, const IterateOrder iterateOrder = IterateOrder::UNDEF, const ScheduleType scheduleType = ScheduleType::INNER_PRODUCT, const bool enUnitFlag = true, const bool enableMixDualMaster = false, const BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH)
{
    MatmulConfig config;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.enVecND2NZ = isVecND2NZ;
    config.batchMode = bmmMode;
    config.enableReuse = isMsgReuse;
    config.iterateOrder = iterateOrder;
    config.scheduleType = scheduleType;
    config.enUnitFlag = enUnitFlag;
    config.enableMixDualMaster = enableMixDualMaster;
    config.bmmOutMode = bmmOutMode;
    return config;
}
/// Options of a Matmul that loads several blocks at a time.
ASC_LAZY __aicore__ constexpr MatmulConfig GetMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false, const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false, const bool isPerTensor = false, const bool hasAntiQuantOffset = false, const bool enUnitFlag = false, const bool isMsgReuse = true, const bool enableUBReuse = true, const bool enableL1CacheUB = false, const bool enableMixDualMaster = false, const bool enableKdimReorderLoad = false, const bool enableL1BankConflictOptimise = false)
{
    MatmulConfig config;
    config.doNorm = false;
    config.doMultiDataLoad = true;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.doMTE2Preload = doMTE2Preload;
    config.enVecND2NZ = isVecND2NZ;
    config.isPerTensor = isPerTensor;
    config.hasAntiQuantOffset = hasAntiQuantOffset;
    config.enUnitFlag = enUnitFlag;
    config.enableReuse = isMsgReuse;
    config.enableUBReuse = enableUBReuse;
    config.enableL1CacheUB = enableL1CacheUB;
    config.enableMixDualMaster = enableMixDualMaster;
    config.enableKdimReorderLoad = enableKdimReorderLoad;
    config.enableL1BankConflictOptimise = enableL1BankConflictOptimise;
    return config;
}
/// Options of a Matmul that loads several blocks along k as well.
ASC_LAZY __aicore__ constexpr MatmulConfig GetSpecialMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false, const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false, const bool isPerTensor = false, const bool hasAntiQuantOffset = false)
{
    MatmulConfig config;
    config.doNorm = false;
    config.doSpecialMDL = true;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.doMTE2Preload = doMTE2Preload;
    config.enVecND2NZ = isVecND2NZ;
    config.isPerTensor = isPerTensor;
    config.hasAntiQuantOffset = hasAntiQuantOffset;
    return config;
}
/// Options of a Matmul whose cores share the left or right matrix.
ASC_LAZY __aicore__ constexpr MatmulConfig GetIBShareNormConfig(const bool intrinsicsLimit = false, const bool batchLoop = false, const bool isVecND2NZ = false, const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1, const bool isDoubleCache = false, const bool enUnitFlag = true)
{
    MatmulConfig config;
    config.doNorm = false;
    config.doIBShareNorm = true;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.enVecND2NZ = isVecND2NZ;
    config.batchMode = bmmMode;
    config.enableDoubleCache = isDoubleCache;
    config.enUnitFlag = enUnitFlag;
    return config;
}
/// Options of a Matmul with a fixed block.
ASC_LAZY __aicore__ constexpr MatmulConfig GetBasicConfig(const uint32_t basicM, const uint32_t basicN, const uint32_t basicK, const bool intrinsicsLimit = false, const bool batchLoop = false, const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1)
{
    MatmulConfig config;
    config.doNorm = false;
    config.doBasicBlock = true;
    config.basicM = basicM;
    config.basicN = basicN;
    config.basicK = basicK;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.batchMode = bmmMode;
    return config;
}
/// Options of a Matmul with fixed blocks and shapes.
ASC_LAZY __aicore__ constexpr MatmulConfig GetSpecialBasicConfig(const uint32_t basicM, const uint32_t basicN, const uint32_t basicK, const uint32_t singleCoreM, const uint32_t singleCoreN, const uint32_t singleCoreK, const uint32_t stepM, const uint32_t stepN, const bool intrinsicsLimit = false, const bool batchLoop = false, const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1)
{
    MatmulConfig config;
    config.doNorm = false;
    config.doSpecialBasicBlock = true;
    config.basicM = basicM;
    config.basicN = basicN;
    config.basicK = basicK;
    config.singleCoreM = singleCoreM;
    config.singleCoreN = singleCoreN;
    config.singleCoreK = singleCoreK;
    config.stepM = stepM;
    config.stepN = stepN;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.batchMode = bmmMode;
    return config;
}
/// Takes a group of options into a configuration.
template <typename Config> constexpr void KernelgenTake(Config &config, const MatmulShapeParams &shape)
{
    config.singleCoreM = shape.singleCoreM;
    config.singleCoreN = shape.singleCoreN;
    config.singleCoreK = shape.singleCoreK;
    config.basicM = shape.basicM;
    config.basicN = shape.basicN;
    config.basicK = shape.basicK;
}
template <typename Config> constexpr void KernelgenTake(Config &config, const MatmulQuantParams &quant)
{
    config.isPerTensor = quant.isPerTensor;
    config.hasAntiQuantOffset = quant.hasAntiQuantOffset;
}
template <typename Config> constexpr void KernelgenTake(Config &config, const MatmulBatchParams &batch)
{
    config.isNBatch = batch.isNBatch;
    config.batchMode = batch.batchMode;
    config.isBiasBatch = batch.isBiasBatch;
    config.bmmOutMode = batch.bmmOutMode;
}
template <typename Config> constexpr void KernelgenTake(Config &config, const MatmulFuncParams &switches)
{
    config.intrinsicsCheck = switches.intrinsicsCheck;
    config.enVecND2NZ = switches.enVecND2NZ;
    config.enableDoubleCache = switches.enableDoubleCache;
    config.enableL1CacheUB = switches.enableL1CacheUB;
    config.doMTE2Preload = switches.doMTE2Preload;
    config.iterateOrder = switches.iterateOrder;
    config.scheduleType = switches.scheduleType;
    config.enableReuse = switches.enableReuse;
    config.enableUBReuse = switches.enableUBReuse;
    config.isPartialOutput = switches.isPartialOutput;
    config.isA2B2Shared = switches.isA2B2Shared;
    config.isEnableChannelSplit = switches.isEnableChannelSplit;
    config.enableKdimReorderLoad = switches.enableKdimReorderLoad;
    config.enableL1BankConflictOptimise = switches.enableL1BankConflictOptimise;
    config.enableRelu = switches.enableRelu;
    config.decompMode = switches.decompMode;
}
/// Options of a Matmul from groups of options.
template <MatmulConfigMode configMode, typename... Parameters> __aicore__ constexpr MatmulConfig GetMMConfig(Parameters &&...parameters)
{
    MatmulConfig config;
    config.doNorm = configMode == MatmulConfigMode::CONFIG_NORM;
    config.doMultiDataLoad = configMode == MatmulConfigMode::CONFIG_MDL;
    config.doSpecialMDL = configMode == MatmulConfigMode::CONFIG_SPECIALMDL;
    config.doIBShareNorm = configMode == MatmulConfigMode::CONFIG_IBSHARE;
    (KernelgenTake(config, parameters), ...);
    return config;
}
/// A tiling that is known when the kernel is compiled.
template <typename MmImpl> __aicore__ constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig &config, int32_t l1Size = 512 * 1024) { return MatmulApiStaticTiling(); }
template <typename A, typename B, typename C, typename Bias> __aicore__ constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig &config, int32_t l1Size = 512 * 1024)
{
    MatmulApiStaticTiling tiling;
    if (config.singleCoreM > 0) {
        tiling.singleCoreM = static_cast<int32_t>(config.singleCoreM);
        tiling.singleCoreN = static_cast<int32_t>(config.singleCoreN);
        tiling.singleCoreK = static_cast<int32_t>(config.singleCoreK);
    }
    if (config.basicM > 0) {
        tiling.baseM = static_cast<int32_t>(config.basicM);
        tiling.baseN = static_cast<int32_t>(config.basicN);
        tiling.baseK = static_cast<int32_t>(config.basicK);
    }
    tiling.cfg = config;
    return tiling;
}
constexpr MatmulConfig CFG_NORM{};
constexpr MatmulConfig CFG_MDL{};
constexpr MatmulConfig CFG_SPECIAL_MDL{};
constexpr MatmulConfig CFG_IBSHARE_NORM{};
constexpr MatmulConfig MM_CFG_BB{};

/// One matrix of a Matmul: where it is, its layout and element type, whether it is transposed.
template <TPosition position, CubeFormat matrixFormat, typename TYPE, bool isTransposed = false, LayoutMode batchLayout = LayoutMode::NONE, bool isIBShare = false, TPosition source = TPosition::GM>
struct MatmulType {
    static constexpr TPosition pos = position;
    static constexpr CubeFormat format = matrixFormat;
    using T = TYPE;
    static constexpr bool isTrans = isTransposed;
    static constexpr LayoutMode layout = batchLayout;
    static constexpr bool ibShare = isIBShare;
    static constexpr TPosition srcPos = source;
};
/// The type in which the cube unit holds a result of matrices of T.
template <typename T> struct GetMmDstType { using Type = std::conditional_t<Constraint::isOneOf<T, int8_t, int4b_t>, int32_t, float>; };
/// A matrix of a sparse Matmul.
template <TPosition position, TPosition indexPosition, CubeFormat matrixFormat, typename TYPE, bool isTransposed = false, LayoutMode batchLayout = LayoutMode::NONE, bool isIBShare = false>
struct SparseMatmulType : MatmulType<position, matrixFormat, TYPE, isTransposed, batchLayout, isIBShare> {};
/// A matrix of a Matmul and its scales: where they are, their layouts, whether they are transposed.
template <TPosition position, TPosition scalePosition, CubeFormat matrixFormat, typename TYPE, bool isTransposed = false, TPosition source = TPosition::GM, CubeFormat scaleMatrixFormat = matrixFormat, bool isScaleTransposed = isTransposed, TPosition scaleSource = source>
struct MatmulTypeWithScale : MatmulType<position, matrixFormat, TYPE, isTransposed, LayoutMode::NONE, false, source> {
    static constexpr TPosition scalePos = scalePosition;
    static constexpr CubeFormat scaleFormat = scaleMatrixFormat;
    static constexpr bool isScaleTrans = isScaleTransposed;
    static constexpr TPosition srcScalePos = scaleSource;
};

/// Callbacks of a Matmul: copy out, copy in of A and B.
template <void (*dataCopyOut)(const __gm__ void *gm, const LocalTensor<int8_t> &co1Local, const void *dataCopyOutParams, const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr,
          void (*copyA1)(const LocalTensor<int8_t> &aMatrix, const __gm__ void *gm, int row, int col, int useM, int useK, const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr,
          void (*copyB1)(const LocalTensor<int8_t> &bMatrix, const __gm__ void *gm, int row, int col, int useK, int useN, const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr>
struct MatmulCallBackFunc {
    /// Whether there is one.
    static constexpr bool any = dataCopyOut != nullptr || copyA1 != nullptr || copyB1 != nullptr;
};
template <const auto &config, typename Implementation, typename A, typename B, typename C, typename Bias> struct MatmulPolicy {};
namespace Impl::Detail {
using AscendC::MatmulPolicy;
/// Computes the blocks on and above the diagonal only.
template <const auto &config, typename Implementation, typename A, typename B, typename C, typename Bias> struct TrianUpperMatmulPolicy {};
/// Computes the blocks on and below the diagonal only.
template <const auto &config, typename Implementation, typename A, typename B, typename C, typename Bias> struct TrianLowerMatmulPolicy {};
/// Keeps three by three blocks of A in L1.
template <const auto &config, typename Implementation, typename A, typename B, typename C, typename Bias> struct NBuffer33MatmulPolicy {};
/// Multiplies matrices that have scales. On Ascend 950.
template <const auto &config, typename Implementation, typename A, typename B, typename C, typename Bias> struct MatmulWithScalePolicy {};
/// Gives each vector core half of a block's rows. On Ascend 950.
template <const auto &config, typename Implementation, typename A, typename B, typename C, typename Bias> struct SplitMMatmulPolicy {};
/// Gives each vector core half of a block's columns. On Ascend 950.
template <const auto &config, typename Implementation, typename A, typename B, typename C, typename Bias> struct SplitNMatmulPolicy {};
}
#ifdef KERNELGEN_TWIN
/// What a policy changes of the result.
enum class KernelgenPolicy : uint8_t { NOTHING, UPPER, LOWER, OTHER };
template <template <const auto &, typename, typename, typename, typename, typename> class POLICY> constexpr KernelgenPolicy kernelgenPolicy = KernelgenPolicy::NOTHING;
template <> constexpr KernelgenPolicy kernelgenPolicy<Impl::Detail::TrianUpperMatmulPolicy> = KernelgenPolicy::UPPER;
template <> constexpr KernelgenPolicy kernelgenPolicy<Impl::Detail::TrianLowerMatmulPolicy> = KernelgenPolicy::LOWER;
template <> constexpr KernelgenPolicy kernelgenPolicy<Impl::Detail::MatmulWithScalePolicy> = KernelgenPolicy::OTHER;
template <> constexpr KernelgenPolicy kernelgenPolicy<Impl::Detail::SplitMMatmulPolicy> = KernelgenPolicy::OTHER;
template <> constexpr KernelgenPolicy kernelgenPolicy<Impl::Detail::SplitNMatmulPolicy> = KernelgenPolicy::OTHER;
#endif

/// The last template parameter of a kernel's own template over Matmul: its policy.
#define MATMUL_POLICY_DEFAULT_OF(DEFAULT) template <const auto &, typename...> class MATMUL_POLICY = ::AscendC::DEFAULT
/// A matrix multiplication C = A * B + bias that a kernel sets up with its matrices and runs block by block or at once.
template <typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE = C_TYPE, const auto &MM_CFG = CFG_NORM, typename CALL_BACK = MatmulCallBackFunc<nullptr, nullptr, nullptr>, template <const auto &, typename, typename, typename, typename, typename> class POLICY = MatmulPolicy>
class MatmulImpl {
public:
    KERNELGEN_STATE(MatmulImpl)
    /// The left matrix's MatmulType.
    using AType = A_TYPE;
    /// The right matrix's MatmulType.
    using BType = B_TYPE;
    /// The result's MatmulType.
    using CType = C_TYPE;
    /// The bias's MatmulType.
    using BiasType = BIAS_TYPE;
    /// The left matrix's element type.
    using SrcAT = typename A_TYPE::T;
    /// The right matrix's element type.
    using SrcBT = typename B_TYPE::T;
    /// The left matrix's element type.
    using SrcT = typename A_TYPE::T;
    /// The result's element type.
    using DstT = typename C_TYPE::T;
    /// The bias's element type.
    using BiasT = typename BIAS_TYPE::T;
    MatmulImpl() = default;
    /// Takes the tiling; called by REGIST_MATMUL_OBJ where that is used.
    __aicore__ inline void Init(const TCubeTiling *cubeTiling, TPipe *pipe = nullptr);
    __aicore__ inline void SetOrgShape(int orgM, int orgN, int orgK);
    /// Sets the sizes of the whole matrices: rows of A, columns of B, the common size (of A and of B), columns of C.
    __aicore__ inline void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0);
    /// Sets the sizes of the part that this core computes.
    __aicore__ inline void SetSingleShape(int singleM, int singleN, int singleK);
    /// Sets the sizes of the part that this core computes, at the matrices' edges.
    __aicore__ inline void SetTail(int tailM = -1, int tailN = -1, int tailK = -1);
    /// Sets the left matrix.
    __aicore__ inline void SetTensorA(const GlobalTensor<SrcAT> &gm, bool isTransposeA = false);
    __aicore__ inline void SetTensorA(const LocalTensor<SrcAT> &leftMatrix, bool isTransposeA = false);
    __aicore__ inline void SetTensorA(SrcAT aScalar);
    /// Sets the right matrix.
    __aicore__ inline void SetTensorB(const GlobalTensor<SrcBT> &gm, bool isTransposeB = false);
    __aicore__ inline void SetTensorB(const LocalTensor<SrcBT> &rightMatrix, bool isTransposeB = false);
    __aicore__ inline void SetTensorB(SrcBT bScalar);
    /// Sets the scales of the left matrix.
    template <typename T> __aicore__ inline void SetTensorScaleA(const GlobalTensor<T> &gm, bool isTransposeScaleA = false);
    /// Sets the scales of the right matrix.
    template <typename T> __aicore__ inline void SetTensorScaleB(const GlobalTensor<T> &gm, bool isTransposeScaleB = false);
    __aicore__ inline void SetSparseIndex(const GlobalTensor<uint8_t> &indexGlobal);
    /// Sets the bias, one element a column.
    __aicore__ inline void SetBias(const GlobalTensor<BiasT> &biasGlobal);
    __aicore__ inline void SetBias(const LocalTensor<BiasT> &inputBias);
    /// Takes the bias away again.
    __aicore__ inline void DisableBias();
    __aicore__ inline void ClearBias();
    /// Sets one scale, or one a column, to quantise the result with.
    __aicore__ inline void SetQuantScalar(const uint64_t quantScalar);
    __aicore__ inline void SetQuantVector(const GlobalTensor<uint64_t> &quantTensor);
    __aicore__ inline void SetQuantVector(const LocalTensor<uint64_t> &quantTensor);
    /// Sets one offset and scale for the left matrix.
    __aicore__ inline void SetAntiQuantScalar(const SrcT offsetScalar, const SrcT scaleScalar);
    /// Sets offsets and scales for the left matrix.
    __aicore__ inline void SetAntiQuantVector(const LocalTensor<SrcT> &offsetTensor, const LocalTensor<SrcT> &scaleTensor);
    /// Computes the next block of C; false when all are done.
    template <bool sync = true> __aicore__ inline bool Iterate(bool enPartialSum = false);
    template <bool sync = true, typename T> __aicore__ inline bool Iterate(bool enPartialSum, const LocalTensor<T> &localCmatrix);
    /// Computes all of C and writes it.
    template <bool sync = true> __aicore__ inline void IterateAll(const GlobalTensor<DstT> &gm, uint8_t enAtomic = 0, bool enSequentialWrite = false, bool waitIterateAll = false, bool fakeMsg = false);
    template <bool sync = true> __aicore__ inline void IterateAll(const LocalTensor<DstT> &ubCmatrix, uint8_t enAtomic = 0);
    /// Computes several matrices of a batch.
    template <bool sync = true, bool waitIterateBatch = false> __aicore__ inline void IterateBatch(const GlobalTensor<DstT> &gm, uint32_t batchA, uint32_t batchB, bool enSequentialWrite, const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0, const bool enPartialSum = false, const uint8_t enAtomic = 0);
    template <bool sync = true> __aicore__ inline void IterateBatch(const LocalTensor<DstT> &ubCmatrix, uint32_t batchA, uint32_t batchB, bool enSequentialWrite, const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0, const bool enPartialSum = false, const uint8_t enAtomic = 0);
    /// Computes several batches.
    template <bool sync = true, bool waitIterateBatch = false> __aicore__ inline void IterateNBatch(const uint32_t batchLoop, uint32_t batchA, uint32_t batchB, bool enSequentialWrite, const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0);
    /// Writes the block of C that Iterate computed.
    template <bool sync = true> __aicore__ inline void GetTensorC(const LocalTensor<DstT> &co2Local, uint8_t enAtomic = 0, bool enSequentialWrite = false);
    template <bool sync = true> __aicore__ inline void GetTensorC(const GlobalTensor<DstT> &gm, uint8_t enAtomic = 0, bool enSequentialWrite = false);
    template <bool sync = true> __aicore__ inline void GetTensorC(const GlobalTensor<DstT> &gm, const LocalTensor<DstT> &co2Local, uint8_t enAtomic = 0, bool enSequentialWrite = false);
    template <bool sync = true> __aicore__ inline GlobalTensor<DstT> GetTensorC(uint8_t enAtomic = 0, bool enSequentialWrite = false);
    template <bool sync = true> __aicore__ inline GlobalTensor<DstT> GetBatchTensorC(uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false);
    template <bool sync = true> __aicore__ inline LocalTensor<DstT> GetBatchC(uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false);
    template <bool isTurnOnDebug = true> __aicore__ inline auto GetMatmulApiTiling();
    /// Waits for an IterateAll that was started without waiting.
    __aicore__ inline void WaitIterateAll();
    /// Waits for an IterateBatch that was started without waiting.
    __aicore__ inline void WaitIterateBatch();
    /// Waits for a GetTensorC that was started without waiting.
    __aicore__ inline void WaitGetTensorC();
    /// Ends the use of the object.
    __aicore__ inline void End();
    /// Lets the cube unit round float to its internal format.
    __aicore__ inline void SetHF32(bool enableHF32 = false, int32_t transMode = 0);
    /// Gives Matmul temporary memory in UB.
    __aicore__ inline void SetLocalWorkspace(const LocalTensor<uint8_t> &tmpBuffer);
    /// Gives Matmul temporary memory in GM.
    __aicore__ inline void SetWorkspace(GlobalTensor<uint8_t> &addr);
    template <typename T> __aicore__ inline void SetWorkspace(const __gm__ T *addr, int size);
    template <typename T> __aicore__ inline void SetWorkspace(GlobalTensor<T> &addr);
    /// Hands an address to the callbacks.
    template <typename T> __aicore__ inline void SetUserDefInfo(const T tilingPtr);
    /// Hands data to the callbacks.
    template <typename T> __aicore__ inline void SetSelfDefineData(T dataPtr);
    __aicore__ inline void SetSelfDefineData(const uint64_t dataPtr);
    /// Sets which vector core of a group this is.
    __aicore__ inline void SetSubBlockIdx(uint8_t subBlockIdx);
    __aicore__ inline uint8_t GetSubBlockIdx();
    /// Sets the number of matrices of a batch.
    __aicore__ inline void SetBatchNum(int32_t batchA, int32_t batchB);
    __aicore__ inline void AsyncGetTensorC(const LocalTensor<DstT> &c);
    struct OffsetC { int32_t row; int32_t col; int32_t height; int32_t width; };
    __aicore__ inline OffsetC GetOffsetC();
    __aicore__ inline bool GetNBatchIterateResult();
    TCubeTiling *cubeTiling;
};
/// A matrix multiplication object for kernels whose cube and vector cores work together.
template <typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE = C_TYPE, const auto &MM_CFG = CFG_NORM, typename CALL_BACK = MatmulCallBackFunc<nullptr, nullptr, nullptr>, template <const auto &, typename, typename, typename, typename, typename> class POLICY = MatmulPolicy>
class Matmul : public MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, CALL_BACK, POLICY> {
public:
    Matmul() = default;
};
template <typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE = C_TYPE, const auto &MM_CFG = CFG_NORM, typename CALL_BACK = MatmulCallBackFunc<nullptr, nullptr, nullptr>, template <const auto &, typename, typename, typename, typename, typename> class POLICY = MatmulPolicy>
using MatmulClient = Matmul<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, CALL_BACK, POLICY>;
/// Prepares Matmul objects. `cubeOnly`: the kernel's cube cores run its text themselves.
template <bool cubeOnly, typename... Objects> __aicore__ inline void KernelgenRegisterMatmul(TPipe *pipe, __gm__ void *workspace, Objects &&...objects);

}

// A macro that is defined is not spelled by its own name any more.
#define KERNELGEN_SPELLED(name) #name
#define KERNELGEN_IS_DEFINED(name) (sizeof(KERNELGEN_SPELLED(name)) != sizeof(#name))
/// Prepares Matmul objects: the pipe, the system workspace, then each object with its tiling.
#define REGIST_MATMUL_OBJ(pipe, workspace, ...)                                                                        \
    ::AscendC::KernelgenRegisterMatmul<KERNELGEN_IS_DEFINED(ASCENDC_CUBE_ONLY)>(pipe, workspace, __VA_ARGS__)
#define REGIST_CUBE_OBJ(pipe, workspace, ...) REGIST_MATMUL_OBJ(pipe, workspace, __VA_ARGS__)

/// The older namespace of Matmul.
namespace matmul {
using namespace AscendC;
using AscendC::CFG_IBSHARE_NORM;
using AscendC::CFG_MDL;
using AscendC::CFG_NORM;
using AscendC::CFG_SPECIAL_MDL;
using AscendC::GetBasicConfig;
using AscendC::GetIBShareNormConfig;
using AscendC::GetMDLConfig;
using AscendC::GetMMConfig;
using AscendC::GetMatmulApiTiling;
using AscendC::GetNormalConfig;
using AscendC::GetSpecialBasicConfig;
using AscendC::GetSpecialMDLConfig;
using AscendC::IterateOrder;
using AscendC::MatmulApiStaticTiling;
using AscendC::MatmulConfig;
using AscendC::MatmulConfigMode;
using AscendC::MatmulBatchParams;
using AscendC::MatmulFuncParams;
using AscendC::MatmulQuantParams;
using AscendC::MatmulShapeParams;
using AscendC::Matmul;
using AscendC::MatmulCallBackFunc;
using AscendC::MatmulImpl;
using AscendC::MatmulType;
using AscendC::CubeFormat;
using AscendC::LayoutMode;
using AscendC::ScheduleType;
using AscendC::TPosition;
}

// Kernels name these without a namespace as well.
using AscendC::CFG_IBSHARE_NORM;
using AscendC::CFG_MDL;
using AscendC::CFG_NORM;
using AscendC::CubeFormat;
using AscendC::GetIBShareNormConfig;
using AscendC::GetMDLConfig;
using AscendC::GetNormalConfig;
using AscendC::BatchMode;
using AscendC::BatchOutMode;
using AscendC::IterateMode;
using AscendC::IterateOrder;
using AscendC::ScheduleType;
using AscendC::MatmulConfigMode;
using AscendC::MatmulShapeParams;
using AscendC::MatmulQuantParams;
using AscendC::MatmulBatchParams;
using AscendC::MatmulFuncParams;
using AscendC::MatmulApiStaticTiling;
using AscendC::DecompressionMode;
using AscendC::GetBasicConfig;
using AscendC::GetSpecialBasicConfig;
using AscendC::GetSpecialMDLConfig;
using AscendC::GetMMConfig;
using AscendC::LayoutMode;
using AscendC::MatmulConfig;

#endif
