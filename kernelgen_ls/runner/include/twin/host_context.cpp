// What a tiling function reads and writes. Inputs and outputs are counted as they are there; operands as they are defined.

namespace kernelgen {
namespace {
std::string lastError;
/// The instance of an operand, null where the operand has none there.
template <typename Instances> auto *instance(Instances &all, const std::vector<gert::AnchorInstanceInfo> &anchors, size_t operand, size_t relative) {
    const bool there = operand < anchors.size() && relative < anchors[operand].kernelgenCount;
    return there ? &all[anchors[operand].kernelgenStart + relative] : nullptr;
}
template <typename Instances> auto *instance(Instances &all, size_t index) { return index < all.size() ? &all[index] : nullptr; }
const gert::CompileTimeTensorDesc *descOf(const Instance *found) { return found == nullptr ? nullptr : &found->desc; }
const gert::StorageShape *shapeOf(const Instance *found) { return found == nullptr ? nullptr : &found->tensor.kernelgenShape; }
const gert::Tensor *tensorOf(const Instance *found) { return found == nullptr ? nullptr : &found->tensor; }
constexpr size_t maxWorkspaces = 64;
constexpr uint32_t maxBlocks = 65535;
}
void keepError(const std::string &message) { lastError = message; }
}

namespace gert {
using kernelgen::descOf;
using kernelgen::instance;
using kernelgen::shapeOf;
using kernelgen::tensorOf;

size_t AnchorInstanceInfo::GetInstanceNum() const { return kernelgenCount; }
size_t AnchorInstanceInfo::GetInstanceStart() const { return kernelgenStart; }

const char *ComputeNodeInfo::GetNodeType() const { return kernelgenNode->type.c_str(); }
const char *ComputeNodeInfo::GetNodeName() const { return kernelgenNode->type.c_str(); }
size_t ComputeNodeInfo::GetInputsNum() const { return kernelgenNode->inputs.size(); }
size_t ComputeNodeInfo::GetOutputsNum() const { return kernelgenNode->outputs.size(); }
const CompileTimeTensorDesc *ComputeNodeInfo::GetInputTdInfo(size_t index) const { return descOf(instance(kernelgenNode->inputs, index)); }
const AnchorInstanceInfo *ComputeNodeInfo::GetInputInstanceInfo(size_t index) const { return instance(kernelgenNode->inputAnchors, index); }
const RuntimeAttrs *ComputeNodeInfo::GetAttrs() const { return &kernelgenNode->attributeView; }

size_t KernelContext::GetInputNum() const { return kernelgenNode->inputs.size(); }
size_t KernelContext::GetOutputNum() const { return kernelgenNode->outputs.size(); }

const CompileTimeTensorDesc *ExtendedKernelContext::GetInputDesc(size_t index) const { return descOf(instance(kernelgenNode->inputs, index)); }
const CompileTimeTensorDesc *ExtendedKernelContext::GetOutputDesc(size_t index) const { return descOf(instance(kernelgenNode->outputs, index)); }
const CompileTimeTensorDesc *ExtendedKernelContext::GetOptionalInputDesc(size_t index) const { return GetDynamicInputDesc(index, 0); }
const CompileTimeTensorDesc *ExtendedKernelContext::GetRequiredInputDesc(size_t index) const { return GetDynamicInputDesc(index, 0); }
const CompileTimeTensorDesc *ExtendedKernelContext::GetDynamicInputDesc(size_t index, size_t relative) const {
    return descOf(instance(kernelgenNode->inputs, kernelgenNode->inputAnchors, index, relative));
}
const AnchorInstanceInfo *ExtendedKernelContext::GetIrInputInstanceInfo(size_t index) const { return instance(kernelgenNode->inputAnchors, index); }
size_t ExtendedKernelContext::GetComputeNodeInputNum() const { return kernelgenNode->inputs.size(); }
size_t ExtendedKernelContext::GetComputeNodeOutputNum() const { return kernelgenNode->outputs.size(); }
const RuntimeAttrs *ExtendedKernelContext::GetAttrs() const { return &kernelgenNode->attributeView; }
const char *ExtendedKernelContext::GetNodeType() const { return kernelgenNode->type.c_str(); }
const char *ExtendedKernelContext::GetNodeName() const { return kernelgenNode->type.c_str(); }
const ComputeNodeInfo *ExtendedKernelContext::GetComputeNodeInfo() const { return &kernelgenNode->info; }

namespace {
const Shape *originOf(const kernelgen::Instance *found) { return found == nullptr ? nullptr : &found->tensor.kernelgenShape.GetOriginShape(); }
}
const Shape *InferShapeContext::GetInputShape(size_t index) const { return originOf(instance(kernelgenNode->inputs, index)); }
const Shape *InferShapeContext::GetOptionalInputShape(size_t index) const { return GetDynamicInputShape(index, 0); }
const Shape *InferShapeContext::GetRequiredInputShape(size_t index) const { return GetDynamicInputShape(index, 0); }
const Shape *InferShapeContext::GetDynamicInputShape(size_t index, size_t relative) const {
    return originOf(instance(kernelgenNode->inputs, kernelgenNode->inputAnchors, index, relative));
}
const Tensor *InferShapeContext::GetInputTensor(size_t index) const { return tensorOf(instance(kernelgenNode->inputs, index)); }
const Tensor *InferShapeContext::GetOptionalInputTensor(size_t index) const {
    return tensorOf(instance(kernelgenNode->inputs, kernelgenNode->inputAnchors, index, 0));
}
Shape *InferShapeContext::GetOutputShape(size_t index) { return instance(kernelgenNode->inferred, index); }

const StorageShape *TilingContext::GetInputShape(size_t index) const { return shapeOf(instance(kernelgenNode->inputs, index)); }
const StorageShape *TilingContext::GetOptionalInputShape(size_t index) const { return GetDynamicInputShape(index, 0); }
const StorageShape *TilingContext::GetRequiredInputShape(size_t index) const { return GetDynamicInputShape(index, 0); }
const StorageShape *TilingContext::GetDynamicInputShape(size_t index, size_t relative) const {
    return shapeOf(instance(kernelgenNode->inputs, kernelgenNode->inputAnchors, index, relative));
}
const StorageShape *TilingContext::GetOutputShape(size_t index) const { return shapeOf(instance(kernelgenNode->outputs, index)); }
const Tensor *TilingContext::GetInputTensor(size_t index) const { return tensorOf(instance(kernelgenNode->inputs, index)); }
const Tensor *TilingContext::GetOptionalInputTensor(size_t index) const { return GetDynamicInputTensor(index, 0); }
const Tensor *TilingContext::GetRequiredInputTensor(size_t index) const { return GetDynamicInputTensor(index, 0); }
const Tensor *TilingContext::GetDynamicInputTensor(size_t index, size_t relative) const {
    return tensorOf(instance(kernelgenNode->inputs, kernelgenNode->inputAnchors, index, relative));
}
const void *TilingContext::GetCompileInfo() const { return kernelgenCompileInfo(); }
const void *TilingContext::kernelgenCompileInfo() const { return kernelgenNode->compileInfo.get(); }
fe::PlatFormInfos *TilingContext::GetPlatformInfo() const { return &kernelgenNode->platform; }
ge::graphStatus TilingContext::SetTilingKey(uint64_t key) {
    kernelgenNode->tilingKey = key;
    return ge::GRAPH_SUCCESS;
}
uint64_t TilingContext::GetTilingKey() const { return kernelgenNode->tilingKey; }
ge::graphStatus TilingContext::SetBlockDim(uint32_t cores) {
    if (cores == 0 || cores > kernelgen::maxBlocks) {
        return ge::GRAPH_FAILED;
    }
    kernelgenNode->blocks = cores;
    return ge::GRAPH_SUCCESS;
}
ge::graphStatus TilingContext::SetSimdNumBlocks(uint32_t cores) { return SetBlockDim(cores); }
uint32_t TilingContext::GetBlockDim() const { return kernelgenNode->blocks; }
ge::graphStatus TilingContext::SetAicpuBlockDim(uint32_t) { return ge::GRAPH_SUCCESS; }
ge::graphStatus TilingContext::SetScheduleMode(uint32_t mode) {
    kernelgenNode->scheduleMode = mode;
    return ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetScheduleMode() const { return kernelgenNode->scheduleMode; }
ge::graphStatus TilingContext::SetNeedAtomic(bool) { return ge::GRAPH_SUCCESS; }
ge::graphStatus TilingContext::SetLocalMemorySize(uint32_t) { return ge::GRAPH_SUCCESS; }
void *TilingContext::kernelgenTiling(size_t bytes) {
    TilingData &tiling = kernelgenNode->tiling;
    if (bytes > tiling.GetCapacity()) {
        return nullptr;
    }
    tiling.SetDataSize(bytes);
    return tiling.GetData();
}
TilingData *TilingContext::GetRawTilingData() { return &kernelgenNode->tiling; }
size_t *TilingContext::GetWorkspaceSizes(size_t count) {
    if (count > kernelgen::maxWorkspaces) {
        return nullptr;
    }
    // Never moved: a tiling function may hold the address of an earlier call.
    kernelgenNode->workspaces.reserve(kernelgen::maxWorkspaces);
    kernelgenNode->workspaces.resize(std::max(count, kernelgenNode->workspaces.size()));
    return kernelgenNode->workspaces.data();
}
size_t TilingContext::GetWorkspaceNum() const { return kernelgenNode->workspaces.size(); }
int32_t TilingContext::GetDeterministic() const { return 0; }

const char *TilingParseContext::GetCompiledJson() const { return "{}"; }
void *TilingParseContext::kernelgenCompileInfo() const { return kernelgenNode->compileInfo.get(); }
fe::PlatFormInfos *TilingParseContext::GetPlatformInfo() const { return &kernelgenNode->platform; }
const char *TilingParseContext::GetNodeName() const { return kernelgenNode->type.c_str(); }
const char *TilingParseContext::GetNodeType() const { return kernelgenNode->type.c_str(); }

size_t TilingData::GetCapacity() const { return kernelgenCapacity; }
size_t TilingData::GetDataSize() const { return kernelgenCount; }
void TilingData::SetDataSize(size_t size) { kernelgenCount = size; }
void *TilingData::GetData() { return kernelgenWords.data(); }
const void *TilingData::GetData() const { return kernelgenWords.data(); }
void *TilingData::kernelgenRoom(size_t bytes) {
    if (bytes > kernelgenCapacity - kernelgenCount) {
        return nullptr;
    }
    uint8_t *room = reinterpret_cast<uint8_t *>(kernelgenWords.data()) + kernelgenCount;
    kernelgenCount += bytes;
    return room;
}
}

namespace optiling {
TilingDef::~TilingDef() = default;
size_t TilingDef::kernelgenNest(const TilingDef &field) {
    const size_t offset = kernelgenLayout.room(field.kernelgenLayout.bytes(), field.kernelgenLayout.alignment());
    kernelgenLayout.nested.emplace_back(offset, reinterpret_cast<const char *>(&field) - reinterpret_cast<const char *>(this));
    return offset;
}
void TilingDef::SaveToBuffer(void *data, size_t capacity) {
    if (data == nullptr || kernelgenLayout.bytes() > capacity) {
        kernelgen::keepError("the tiling data are larger than the room for them");
        return;
    }
    std::memmove(data, kernelgenLayout.data(), kernelgenLayout.bytes());
    for (const auto &[offset, distance] : kernelgenLayout.nested) {
        auto &field = *reinterpret_cast<TilingDef *>(reinterpret_cast<char *>(this) + distance);
        field.SaveToBuffer(static_cast<uint8_t *>(data) + offset, capacity - offset);
    }
}
size_t TilingDef::GetDataSize() const { return kernelgenLayout.bytes(); }
void TilingDef::SetDataPtr(void *data) {
    kernelgenLayout.bind(static_cast<uint8_t *>(data));
    for (const auto &[offset, distance] : kernelgenLayout.nested) {
        auto &field = *reinterpret_cast<TilingDef *>(reinterpret_cast<char *>(this) + distance);
        field.SetDataPtr(data == nullptr ? nullptr : static_cast<uint8_t *>(data) + offset);
    }
}
void TilingDef::InitData() {}
void TilingDef::GeLogError(const std::string &message) const { kernelgen::keepError(message); }
}
