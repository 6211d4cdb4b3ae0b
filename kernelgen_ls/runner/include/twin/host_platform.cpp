// The chip that a tiling is computed for, as host code asks for it.

namespace kernelgen {
namespace {
/// What the library takes of the workspace before the operator's own part. No public page says how much that is on which
/// chip; operators that write the figure down themselves take 16 MiB where cube and vector cores are apart, 2 MiB elsewhere.
constexpr uint32_t libraryWorkspaceApart = 16 * 1024 * 1024;
constexpr uint32_t libraryWorkspaceOther = 2 * 1024 * 1024;
constexpr uint64_t fixpipeBytes = 2 * 1024;
constexpr uint64_t biasTableBytes = 1024;

bool coresApart(const Chip &chip) { return chip.vectorCores > chip.cubeCores && chip.architecture != 2002; }
}

std::map<std::string, std::string> Chip::properties() const {
    const auto number = [](uint64_t value) { return std::to_string(value); };
    return {
        {"ai_core_cnt", number(cubeCores)},  {"cube_core_cnt", number(cubeCores)}, {"vector_core_cnt", number(vectorCores)},
        {"l2_size", number(l2)},             {"memory_size", number(hbm)},         {"ub_size", number(ub)},
        {"l1_size", number(l1)},             {"l0_a_size", number(l0a)},           {"l0_b_size", number(l0a)},
        {"l0_c_size", number(l0c)},          {"bt_size", number(biasTableBytes)},  {"fb_size", number(fixpipeBytes)},
        {"SoC_version", soc},                {"Short_SoC_version", family},        {"NpuArch", number(architecture)},
        {"cube_vector_combine", coresApart(*this) ? "split" : "fuse"},
    };
}

/// The chip of this process; the figures are read once, before the first tiling function runs.
Chip &chip() {
    static Chip one;
    return one;
}
}

namespace fe {
bool PlatFormInfos::GetPlatformRes(const std::string &, const std::string &key, std::string &value) {
    const auto all = kernelgenChip->properties();
    const auto found = all.find(key);
    if (found == all.end()) {
        return false;
    }
    value = found->second;
    return true;
}
bool PlatFormInfos::GetPlatformResWithLock(const std::string &label, const std::string &key, std::string &value) {
    return GetPlatformRes(label, key, value);
}
bool PlatFormInfos::GetPlatformResWithLock(const std::string &, std::map<std::string, std::string> &values) {
    values = kernelgenChip->properties();
    return true;
}
uint32_t PlatFormInfos::GetCoreNum() const { return kernelgenChip->cubeCores; }
uint32_t PlatFormInfos::GetCoreNumByType(const std::string &type) {
    return type.find("Vector") != std::string::npos ? kernelgenChip->vectorCores : kernelgenChip->cubeCores;
}
void PlatFormInfos::SetCoreNumByCoreType(const std::string &) {}
template <> void PlatFormInfos::GetLocalMemSize(const LocalMemType &type, uint64_t &size) {
    switch (type) {
        case LocalMemType::L0_A: size = kernelgenChip->l0a; break;
        case LocalMemType::L0_B: size = kernelgenChip->l0a; break;
        case LocalMemType::L0_C: size = kernelgenChip->l0c; break;
        case LocalMemType::L1: size = kernelgenChip->l1; break;
        case LocalMemType::L2: size = kernelgenChip->l2; break;
        case LocalMemType::UB: size = kernelgenChip->ub; break;
        case LocalMemType::HBM: size = kernelgenChip->hbm; break;
        default: size = 0; break;
    }
}
PlatformInfoManager &PlatformInfoManager::Instance() {
    static PlatformInfoManager one;
    return one;
}
PlatformInfoManager &PlatformInfoManager::GeInstance() { return Instance(); }
uint32_t PlatformInfoManager::InitializePlatformInfo() { return 0; }
uint32_t PlatformInfoManager::GetPlatformInfos(const std::string &, PlatFormInfos &platform, OptionalInfos &) {
    platform.kernelgenChip = &kernelgen::chip();
    return 0;
}
uint32_t PlatformInfoManager::GetPlatformInfoWithOutSocVersion(PlatFormInfos &platform, OptionalInfos &optional) {
    return GetPlatformInfos("", platform, optional);
}
}

namespace platform_ascendc {
namespace {
const kernelgen::Chip &chipOf(const PlatformAscendC &platform) {
    const fe::PlatFormInfos *infos = platform.GetPlatFormInfo();
    return infos != nullptr && infos->kernelgenChip != nullptr ? *infos->kernelgenChip : kernelgen::chip();
}
}
PlatformAscendC::PlatformAscendC(fe::PlatFormInfos *platformInfo) : kernelgenInfos(platformInfo) {}
PlatformAscendC::~PlatformAscendC() = default;
uint32_t PlatformAscendC::GetCoreNum() const {
    const kernelgen::Chip &chip = chipOf(*this);
    return kernelgen::coresApart(chip) ? chip.vectorCores : chip.cubeCores;
}
uint32_t PlatformAscendC::GetCoreNumAic() const { return chipOf(*this).cubeCores; }
uint32_t PlatformAscendC::GetCoreNumAiv() const {
    const kernelgen::Chip &chip = chipOf(*this);
    return kernelgen::coresApart(chip) ? chip.vectorCores : chip.cubeCores;
}
uint32_t PlatformAscendC::GetCoreNumVector() const {
    const kernelgen::Chip &chip = chipOf(*this);
    return chip.architecture == 2002 ? chip.vectorCores - chip.cubeCores : 0;
}
SocVersion PlatformAscendC::GetSocVersion() const {
    // Documented: an Atlas A3 says that it is an A2, for whose binaries it takes.
    static const std::map<std::string, SocVersion> families = {
        {"ascend910", SocVersion::ASCEND910},       {"ascend910b", SocVersion::ASCEND910B},
        {"ascend910_93", SocVersion::ASCEND910B}, {"ascend310p", SocVersion::ASCEND310P},
        {"ascend310b", SocVersion::ASCEND310B},     {"ascend950", SocVersion::ASCEND950},
    };
    const auto found = families.find(chipOf(*this).family);
    return found == families.end() ? SocVersion::RESERVED_VERSION : found->second;
}
NpuArch PlatformAscendC::GetCurNpuArch() const { return static_cast<NpuArch>(chipOf(*this).architecture); }
void PlatformAscendC::GetCoreMemSize(const CoreMemType &memType, uint64_t &size) const {
    const kernelgen::Chip &chip = chipOf(*this);
    switch (memType) {
        case CoreMemType::L0_A: size = chip.l0a; break;
        case CoreMemType::L0_B: size = chip.l0a; break;
        case CoreMemType::L0_C: size = chip.l0c; break;
        case CoreMemType::L1: size = chip.l1; break;
        case CoreMemType::L2: size = chip.l2; break;
        case CoreMemType::UB: size = chip.ub - kernelgenReserved; break;
        case CoreMemType::HBM: size = chip.hbm; break;
        case CoreMemType::FB: size = kernelgen::fixpipeBytes; break;
        case CoreMemType::BT: size = kernelgen::biasTableBytes; break;
        default: size = 0; break;
    }
}
uint32_t PlatformAscendC::CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const {
    // One block is a cube core with the vector cores that belong to it.
    if (aicCoreNum == 0 || aivCoreNum == 0 || aicCoreNum > aivCoreNum || !kernelgen::coresApart(chipOf(*this))) {
        return sliceNum;
    }
    const uint32_t ratio = aivCoreNum / aicCoreNum;
    return (sliceNum + ratio - 1) / ratio;
}
uint32_t PlatformAscendC::CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const {
    return CalcTschBlockDim(sliceNum, aicCoreNum, aivCoreNum);
}
uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const {
    return kernelgen::coresApart(chipOf(*this)) ? kernelgen::libraryWorkspaceApart : kernelgen::libraryWorkspaceOther;
}
fe::PlatFormInfos *PlatformAscendC::GetPlatFormInfo() const { return kernelgenInfos; }
void PlatformAscendC::ReserveLocalMemory(ReservedSize size) { kernelgenReserved = uint64_t{8 * 1024} << static_cast<int>(size); }

PlatformAscendC *PlatformAscendCManager::GetInstance() {
    static fe::PlatFormInfos infos;
    infos.kernelgenChip = &kernelgen::chip();
    static PlatformAscendC one(&infos);
    return &one;
}
PlatformAscendC *PlatformAscendCManager::GetInstance(const char *) { return GetInstance(); }
}
