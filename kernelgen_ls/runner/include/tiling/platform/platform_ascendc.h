// The chip as a tiling function asks for it.
#pragma once
#ifndef KERNELGEN_TWIN // a file of both halves is executed without the host's
#include "../../host/ge.h"
/// Instruction sets.
enum class NpuArch : uint32_t { DAV_1001 = 1001, DAV_2002 = 2002, DAV_2201 = 2201, DAV_3002 = 3002, DAV_3003 = 3003, DAV_3102 = 3102, DAV_3113 = 3113, DAV_3510 = 3510, DAV_5102 = 5102, DAV_RESV = 0xFFFF };
namespace platform_ascendc {
/// The on-chip memories.
enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };
/// Chip families.
enum class SocVersion { ASCEND910 = 0, ASCEND910B, ASCEND310P, ASCEND310B, ASCEND910_95, ASCEND950 = ASCEND910_95, ASCEND910_55, ASCEND910_93, AS31XM1, KIRIN9030, KIRINX90, MC62CM12A, RESERVED_VERSION = 99999 };
/// How much of the unified buffer is kept for other purposes.
enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };
/// The chip that the tiling is for: cores and memory sizes (bytes).
class PlatformAscendC {
public:
    KERNELGEN_HOST_STATE(fe::PlatFormInfos *kernelgenInfos = nullptr; uint64_t kernelgenReserved = 0)
    PlatformAscendC() = delete;
    explicit PlatformAscendC(fe::PlatFormInfos *platformInfo);
    ~PlatformAscendC();
    /// How many cores the chip has.
    uint32_t GetCoreNum() const;
    /// How many cube cores the chip has.
    uint32_t GetCoreNumAic() const;
    /// How many vector cores the chip has.
    uint32_t GetCoreNumAiv() const;
    /// How many vector cores the chip has beside its AI cores.
    uint32_t GetCoreNumVector() const;
    /// The chip's family.
    SocVersion GetSocVersion() const;
    /// The size of one of a core's memories, in bytes.
    void GetCoreMemSize(const CoreMemType &memType, uint64_t &size) const;
    /// The bandwidth of one of a core's memories, in bytes a cycle.
    void GetCoreMemBw(const CoreMemType &memType, uint64_t &bwSize) const;
    /// How many blocks to launch for kernels on both kinds of core.
    uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const;
    uint32_t CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const;
    /// How much workspace the library needs, in bytes.
    uint32_t GetLibApiWorkSpaceSize() const;
    uint32_t GetResCubeGroupWorkSpaceSize() const;
    uint32_t GetResGroupBarrierWorkSpaceSize() const;
    fe::PlatFormInfos *GetPlatFormInfo() const;
    /// Keeps a part of the unified buffer for other purposes; the latest call counts.
    void ReserveLocalMemory(ReservedSize size);
    /// The chip's architecture.
    NpuArch GetCurNpuArch() const;
};
/// The chip of this process, for host programs that launch kernels themselves.
class PlatformAscendCManager {
public:
    /// The chip of this process.
    static PlatformAscendC *GetInstance();
    static PlatformAscendC *GetInstance(const char *socVersion);
};
}
#endif
