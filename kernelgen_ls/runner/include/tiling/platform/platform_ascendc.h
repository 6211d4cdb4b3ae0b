// The chip as a tiling function asks for it.
#pragma once
#include "../../host/ge.h"
namespace platform_ascendc {
/// The on-chip memories.
enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };
/// Chip families.
enum class SocVersion { ASCEND910 = 0, ASCEND910B, ASCEND310P, ASCEND310B, ASCEND910_95, ASCEND910_55, ASCEND910_93, AS31XM1, KIRIN9030, KIRINX90, MC62CM12A, RESERVED_VERSION = 99999 };
/// The chip that the tiling is for: cores and memory sizes (bytes).
class PlatformAscendC {
public:
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
    /// How much workspace the library needs, in bytes.
    uint32_t GetLibApiWorkSpaceSize() const;
    uint32_t GetResCubeGroupWorkSpaceSize() const;
    uint32_t GetResGroupBarrierWorkSpaceSize() const;
    fe::PlatFormInfos *GetPlatFormInfo() const;
    void ReserveLocalMemory(uint64_t bytes);
};
/// The chip of this process, for host programs that launch kernels themselves.
class PlatformAscendCManager {
public:
    /// The chip of this process.
    static PlatformAscendC *GetInstance();
    static PlatformAscendC *GetInstance(const char *socVersion);
};
}
