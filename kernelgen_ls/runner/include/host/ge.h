// The graph engine's types that host code names: data types, formats, status, shapes and contexts.
#pragma once
#ifndef KERNELGEN_TWIN // a file of both halves is executed without the host's
#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

// The check needs no members and no bodies: they stand behind these macros, for the twin, which executes host code. What
// is only declared here is defined in ../twin/host*.h (templates) and ../twin/host*.cpp, all of it named kernelgen...
#ifdef KERNELGEN_EXECUTE
#define KERNELGEN_HOST_STATE(...)                                                                                      \
public:                                                                                                                \
    __VA_ARGS__;
#define KERNELGEN_HOST_BODY(...)                                                                                       \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
namespace kernelgen {
struct Attribute;
struct Chip;
struct Node;
struct Registration;
}
#else
#define KERNELGEN_HOST_STATE(...)
#define KERNELGEN_HOST_BODY(...) ;
#endif

// Names that the graph engine's headers bring in without a namespace.
using std::map;
using std::string;
using std::vector;

namespace ge {
using char_t = char;
using float32_t = float;
using float64_t = double;
/// Element types.
enum DataType { DT_FLOAT = 0, DT_FLOAT16 = 1, DT_INT8 = 2, DT_INT32 = 3, DT_UINT8 = 4, DT_INT16 = 6, DT_UINT16 = 7, DT_UINT32 = 8, DT_INT64 = 9, DT_UINT64 = 10, DT_DOUBLE = 11, DT_BOOL = 12, DT_STRING = 13, DT_DUAL_SUB_INT8 = 14, DT_DUAL_SUB_UINT8 = 15, DT_COMPLEX64 = 16, DT_COMPLEX128 = 17, DT_QINT8 = 18, DT_QINT16 = 19, DT_QINT32 = 20, DT_QUINT8 = 21, DT_QUINT16 = 22, DT_RESOURCE = 23, DT_STRING_REF = 24, DT_DUAL = 25, DT_VARIANT = 26, DT_BF16 = 27, DT_UNDEFINED = 28, DT_INT4 = 29, DT_UINT1 = 30, DT_INT2 = 31, DT_UINT2 = 32, DT_COMPLEX32 = 33, DT_HIFLOAT8 = 34, DT_FLOAT8_E5M2 = 35, DT_FLOAT8_E4M3FN = 36, DT_FLOAT8_E8M0 = 37, DT_FLOAT6_E3M2 = 38, DT_FLOAT6_E2M3 = 39, DT_FLOAT4_E2M1 = 40, DT_FLOAT4_E1M2 = 41, DT_MAX = 42 };
/// Layouts of a tensor.
enum Format { FORMAT_NCHW = 0, FORMAT_NHWC = 1, FORMAT_ND = 2, FORMAT_NC1HWC0 = 3, FORMAT_FRACTAL_Z = 4, FORMAT_NC1C0HWPAD = 5, FORMAT_NHWC1C0 = 6, FORMAT_FSR_NCHW = 7, FORMAT_FRACTAL_DECONV = 8, FORMAT_C1HWNC0 = 9, FORMAT_FRACTAL_DECONV_TRANSPOSE = 10, FORMAT_HWCN = 16, FORMAT_NC1KHKWHWC0 = 17, FORMAT_CHWN = 14, FORMAT_NDHWC = 27, FORMAT_FRACTAL_NZ = 29, FORMAT_NCDHW = 30, FORMAT_DHWCN = 31, FORMAT_NDC1HWC0 = 32, FORMAT_FRACTAL_Z_3D = 33, FORMAT_CN = 34, FORMAT_NC = 35, FORMAT_FRACTAL_ZN_LSTM = 36, FORMAT_FRACTAL_Z_G = 37, FORMAT_RESERVED = 38, FORMAT_ALL = 39, FORMAT_NULL = 40, FORMAT_NCL = 47, FORMAT_FRACTAL_Z_WINO = 48, FORMAT_C1HWC0 = 49, FORMAT_FRACTAL_NZ_C0_16 = 50, FORMAT_MAX = 255, FORMAT_UNKNOWN = 41 };
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;
constexpr graphStatus GRAPH_NOT_CHANGED = 1343242304;
constexpr graphStatus GRAPH_NODE_WITHOUT_CONST_INPUT = 50331648;
using Status = uint32_t;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 0xFFFFFFFF;
constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_DIM_NUM = -2;
enum Placement { kPlacementHost = 0, kPlacementDevice = 1 };
/// A string of the graph engine.
class AscendString {
public:
    KERNELGEN_HOST_STATE(std::string kernelgenText)
    AscendString();
    AscendString(const char *name);
    /// A string attribute by index.
    const char *GetString() const;
    size_t GetLength() const;
    bool operator<(const AscendString &other) const;
    bool operator==(const AscendString &other) const;
};
class Shape {
public:
    KERNELGEN_HOST_STATE(std::vector<int64_t> kernelgenDims)
    Shape();
    explicit Shape(const std::vector<int64_t> &dims);
    /// How many axes the shape has.
    size_t GetDimNum() const;
    /// The length of an axis.
    int64_t GetDim(size_t idx) const;
    graphStatus SetDim(size_t idx, int64_t value);
    std::vector<int64_t> GetDims() const;
    /// How many elements there are.
    int64_t GetShapeSize() const;
};
class TensorDesc {
public:
    KERNELGEN_HOST_STATE(Shape kernelgenShape, kernelgenOrigin; DataType kernelgenType = DT_FLOAT; Format kernelgenFormat = FORMAT_ND)
    TensorDesc();
    Shape GetShape() const;
    DataType GetDataType() const;
    Format GetFormat() const;
    void SetShape(const Shape &shape);
    void SetDataType(DataType dt);
    void SetFormat(Format format);
    Shape GetOriginShape() const;
    Format GetOriginFormat() const;
};
/// An operator of a graph.
class Operator {
public:
    Operator();
    TensorDesc GetInputDescByName(const char *name) const;
    TensorDesc GetOutputDescByName(const char *name) const;
    TensorDesc GetInputDesc(uint32_t index) const;
    TensorDesc GetOutputDesc(uint32_t index) const;
    graphStatus UpdateOutputDesc(const char *name, const TensorDesc &desc);
    template <typename T> graphStatus GetAttr(const char *name, T &value) const;
    graphStatus GetName(AscendString &name) const;
};
/// The size of an element type in bytes.
int GetSizeByDataType(DataType type);
/// The format itself, without the sub-format that its upper bits hold.
int32_t GetPrimaryFormat(int32_t format);
int64_t GetSizeInBytes(int64_t elements, DataType type);
/// Names of element types and formats.
class TypeUtils {
public:
    static std::string DataTypeToSerialString(DataType type);
    static std::string FormatToSerialString(Format format);
    static AscendString DataTypeToAscendString(const DataType &type);
    static AscendString FormatToAscendString(const Format &format);
    static DataType SerialStringToDataType(const std::string &text);
    static bool GetDataTypeLength(DataType type, uint32_t &length);
};
}

namespace fe {
enum class LocalMemType { L0_A = 0, L0_B, L0_C, L1, L2, UB, HBM, RESERVED };
/// The chip's properties by name.
class PlatFormInfos {
public:
    KERNELGEN_HOST_STATE(const ::kernelgen::Chip *kernelgenChip = nullptr)
    bool GetPlatformRes(const std::string &label, const std::string &key, std::string &value);
    bool GetPlatformResWithLock(const std::string &label, const std::string &key, std::string &value);
    bool GetPlatformResWithLock(const std::string &label, std::map<std::string, std::string> &values);
    uint32_t GetCoreNum() const;
    uint32_t GetCoreNumByType(const std::string &type);
    void SetCoreNumByCoreType(const std::string &type);
    template <typename T> void GetLocalMemSize(const T &type, uint64_t &size);
    template <typename T> void GetLocalMemBw(const T &type, uint64_t &size);
};
struct OptionalInfos {};
struct PlatformInfo {
    std::string soc_info;
};
class PlatformInfoManager {
public:
    static PlatformInfoManager &Instance();
    static PlatformInfoManager &GeInstance();
    uint32_t InitializePlatformInfo();
    uint32_t GetPlatformInfos(const std::string &soc, PlatFormInfos &platform, OptionalInfos &optional);
    uint32_t GetPlatformInfoWithOutSocVersion(PlatFormInfos &platform, OptionalInfos &optional);
};
}

namespace gert {
/// The lengths of a tensor's axes.
class Shape {
public:
    KERNELGEN_HOST_STATE(size_t kernelgenCount = 0; int64_t kernelgenDims[25] = {})
    Shape();
    Shape(const std::initializer_list<int64_t> &dims);
    static constexpr size_t kMaxDimNum = 25;
    static constexpr int64_t kInvalidDimValue = INT64_MIN;
    /// How many axes the shape has.
    size_t GetDimNum() const;
    void SetDimNum(size_t count);
    /// The length of an axis.
    int64_t GetDim(size_t index) const;
    void SetDim(size_t index, int64_t value);
    Shape &AppendDim(int64_t value);
    /// How many elements there are.
    int64_t GetShapeSize() const;
    bool IsScalar() const;
    void SetScalar();
    bool IsUnknownShape() const;
    const int64_t &operator[](size_t index) const;
    int64_t &operator[](size_t index);
    bool operator==(const Shape &other) const;
    bool operator!=(const Shape &other) const;
};
/// A tensor's shape as declared and as stored.
class StorageShape {
public:
    KERNELGEN_HOST_STATE(Shape kernelgenOrigin, kernelgenStorage)
    StorageShape();
    StorageShape(const std::initializer_list<int64_t> &origin, const std::initializer_list<int64_t> &storage);
    const Shape &GetOriginShape() const;
    const Shape &GetStorageShape() const;
    Shape &MutableOriginShape();
    Shape &MutableStorageShape();
    bool operator==(const StorageShape &other) const;
    bool operator!=(const StorageShape &other) const;
};
class ExpandDimsType {};
class StorageFormat {
public:
    KERNELGEN_HOST_STATE(ge::Format kernelgenOrigin = ge::FORMAT_ND, kernelgenStorage = ge::FORMAT_ND)
    ge::Format GetOriginFormat() const;
    ge::Format GetStorageFormat() const;
};
/// A tensor of a tiling or inference context: shape, type and, where it is constant, data.
class Tensor {
public:
    KERNELGEN_HOST_STATE(StorageShape kernelgenShape; StorageFormat kernelgenFormat; ge::DataType kernelgenType = ge::DT_FLOAT; void *kernelgenData = nullptr; size_t kernelgenBytes = 0)
    /// How many elements there are.
    int64_t GetShapeSize() const;
    const Shape &GetOriginShape() const;
    const Shape &GetStorageShape() const;
    const StorageShape &GetShape() const;
    /// The element type.
    ge::DataType GetDataType() const;
    ge::Format GetStorageFormat() const;
    ge::Format GetOriginFormat() const;
    size_t GetSize() const;
    /// The tensor's data, where it is constant.
    template <typename T> const T *GetData() const;
    template <typename T> T *GetData();
    const void *GetAddr() const;
    operator const StorageShape &() const;
};
class CompileTimeTensorDesc {
public:
    KERNELGEN_HOST_STATE(StorageFormat kernelgenFormat; ge::DataType kernelgenType = ge::DT_FLOAT)
    /// The element type.
    ge::DataType GetDataType() const;
    ge::Format GetStorageFormat() const;
    ge::Format GetOriginFormat() const;
    const StorageFormat &GetFormat() const;
    void SetDataType(ge::DataType type);
    int64_t GetExpandDimsType() const;
};
template <typename T>
class TypedContinuousVector {
public:
    KERNELGEN_HOST_STATE(T *kernelgenData = nullptr; size_t kernelgenCount = 0)
    size_t GetSize() const;
    /// How many bytes there is room for.
    size_t GetCapacity() const;
    const T *GetData() const;
    T *MutableData();
};
using ContinuousVector = TypedContinuousVector<int64_t>;
class ContinuousVectorVector {
public:
    KERNELGEN_HOST_STATE(std::vector<ContinuousVector> kernelgenRows)
    size_t GetSize() const;
    const ContinuousVector *Get(size_t index) const;
};
/// The operator's attributes, by index.
class RuntimeAttrs {
public:
    KERNELGEN_HOST_STATE(const std::vector<::kernelgen::Attribute> *kernelgenAttributes = nullptr)
    /// An attribute by index.
    template <typename T> const T *GetAttrPointer(size_t index) const;
    /// An integer attribute by index.
    const int64_t *GetInt(size_t index) const;
    /// A float attribute by index.
    const float *GetFloat(size_t index) const;
    /// A boolean attribute by index.
    const bool *GetBool(size_t index) const;
    /// A string attribute by index.
    const char *GetStr(size_t index) const;
    const TypedContinuousVector<int64_t> *GetListInt(size_t index) const;
    const TypedContinuousVector<float> *GetListFloat(size_t index) const;
    const ContinuousVectorVector *GetListListInt(size_t index) const;
    size_t GetAttrNum() const;
};
/// The bytes of the tiling data.
class TilingData {
public:
    KERNELGEN_HOST_STATE(std::vector<uint64_t> kernelgenWords; size_t kernelgenCapacity = 0, kernelgenCount = 0; void *kernelgenRoom(size_t bytes))
    /// How many bytes there is room for.
    size_t GetCapacity() const;
    size_t GetDataSize() const;
    /// Sets how many bytes of tiling data there are.
    void SetDataSize(size_t size);
    void *GetData();
    const void *GetData() const;
    template <typename T> ge::graphStatus Append(const T &value);
    template <typename T> ge::graphStatus Append(const T *values, size_t count);
};
class AnchorInstanceInfo {
public:
    KERNELGEN_HOST_STATE(size_t kernelgenStart = 0, kernelgenCount = 0)
    size_t GetInstanceNum() const;
    size_t GetInstanceStart() const;
};
class ComputeNodeInfo {
public:
    KERNELGEN_HOST_STATE(::kernelgen::Node *kernelgenNode = nullptr)
    const char *GetNodeType() const;
    const char *GetNodeName() const;
    size_t GetInputsNum() const;
    size_t GetOutputsNum() const;
    const CompileTimeTensorDesc *GetInputTdInfo(size_t index) const;
    const AnchorInstanceInfo *GetInputInstanceInfo(size_t index) const;
    /// The operator's attributes.
    const RuntimeAttrs *GetAttrs() const;
};
class KernelContext {
public:
    KERNELGEN_HOST_STATE(::kernelgen::Node *kernelgenNode = nullptr)
    size_t GetInputNum() const;
    size_t GetOutputNum() const;
    template <typename T> const T *GetInputPointer(size_t index) const;
    template <typename T> T *GetOutputPointer(size_t index);
    template <typename T> T *MutableInputPointer(size_t index);
};
class ExtendedKernelContext : public KernelContext {
public:
    /// The type and format of an input.
    const CompileTimeTensorDesc *GetInputDesc(size_t index) const;
    const CompileTimeTensorDesc *GetOutputDesc(size_t index) const;
    const CompileTimeTensorDesc *GetOptionalInputDesc(size_t index) const;
    const CompileTimeTensorDesc *GetDynamicInputDesc(size_t index, size_t relative) const;
    const CompileTimeTensorDesc *GetRequiredInputDesc(size_t index) const;
    const AnchorInstanceInfo *GetIrInputInstanceInfo(size_t index) const;
    size_t GetComputeNodeInputNum() const;
    size_t GetComputeNodeOutputNum() const;
    /// The operator's attributes.
    const RuntimeAttrs *GetAttrs() const;
    const char *GetNodeType() const;
    const char *GetNodeName() const;
    const ComputeNodeInfo *GetComputeNodeInfo() const;
    const void *GetExtendInfo() const;
};
/// What a tiling function reads and writes.
class TilingContext : public ExtendedKernelContext {
public:
    KERNELGEN_HOST_STATE(const void *kernelgenCompileInfo() const; void *kernelgenTiling(size_t bytes))
    /// The shape of an input.
    const StorageShape *GetInputShape(size_t index) const;
    const StorageShape *GetOptionalInputShape(size_t index) const;
    const StorageShape *GetDynamicInputShape(size_t index, size_t relative) const;
    const StorageShape *GetRequiredInputShape(size_t index) const;
    /// The shape of an output.
    const StorageShape *GetOutputShape(size_t index) const;
    /// An input as a tensor; its data where it is constant.
    const Tensor *GetInputTensor(size_t index) const;
    const Tensor *GetOptionalInputTensor(size_t index) const;
    const Tensor *GetDynamicInputTensor(size_t index, size_t relative) const;
    const Tensor *GetRequiredInputTensor(size_t index) const;
    const void *GetCompileInfo() const;
    /// What the tiling parse function left.
    template <typename T> const T *GetCompileInfo() const;
    /// The chip, for PlatformAscendC.
    fe::PlatFormInfos *GetPlatformInfo() const;
    /// Chooses which of the kernel's variants runs.
    ge::graphStatus SetTilingKey(uint64_t key);
    uint64_t GetTilingKey() const;
    /// Sets how many cores run the kernel.
    ge::graphStatus SetBlockDim(uint32_t cores);
    uint32_t GetBlockDim() const;
    /// Sets how many cores run the kernel.
    ge::graphStatus SetSimdNumBlocks(uint32_t cores);
    ge::graphStatus SetAicpuBlockDim(uint32_t cores);
    ge::graphStatus SetScheduleMode(uint32_t mode);
    uint32_t GetScheduleMode() const;
    ge::graphStatus SetNeedAtomic(bool atomic);
    ge::graphStatus SetLocalMemorySize(uint32_t bytes);
    /// The tiling data as a structure.
    template <typename T> T *GetTilingData();
    /// The bytes that the kernel gets as tiling data.
    TilingData *GetRawTilingData();
    /// The sizes of the workspaces, to be filled in, in bytes.
    size_t *GetWorkspaceSizes(size_t count);
    size_t GetWorkspaceNum() const;
    int32_t GetDeterministic() const;
};
/// What a tiling parse function reads and writes.
class TilingParseContext : public KernelContext {
public:
    KERNELGEN_HOST_STATE(void *kernelgenCompileInfo() const)
    const char *GetCompiledJson() const;
    template <typename T> T *GetCompiledInfo();
    /// The chip, for PlatformAscendC.
    fe::PlatFormInfos *GetPlatformInfo() const;
    const char *GetNodeName() const;
    const char *GetNodeType() const;
};
/// What shape inference reads and writes.
class InferShapeContext : public ExtendedKernelContext {
public:
    const Shape *GetInputShape(size_t index) const;
    const Shape *GetOptionalInputShape(size_t index) const;
    const Shape *GetDynamicInputShape(size_t index, size_t relative) const;
    const Shape *GetRequiredInputShape(size_t index) const;
    /// An input as a tensor; its data where it is constant.
    const Tensor *GetInputTensor(size_t index) const;
    const Tensor *GetOptionalInputTensor(size_t index) const;
    Shape *GetOutputShape(size_t index);
};
template <typename T>
class Range {
public:
    T *GetMin() const;
    T *GetMax() const;
    void SetMin(T *value);
    void SetMax(T *value);
};
/// What range inference reads and writes.
class InferShapeRangeContext : public ExtendedKernelContext {
public:
    const Range<Shape> *GetInputShapeRange(size_t index) const;
    const Range<Shape> *GetOptionalInputShapeRange(size_t index) const;
    Range<Shape> *GetOutputShapeRange(size_t index);
    const Range<Tensor> *GetInputTensorRange(size_t index) const;
};
/// What type inference reads and writes.
class InferDataTypeContext : public ExtendedKernelContext {
public:
    /// The element type of an input.
    ge::DataType GetInputDataType(size_t index) const;
    ge::DataType GetOptionalInputDataType(size_t index) const;
    ge::DataType GetDynamicInputDataType(size_t index, size_t relative) const;
    ge::DataType GetRequiredInputDataType(size_t index) const;
    ge::DataType GetOutputDataType(size_t index) const;
    /// Sets the element type of an output.
    ge::graphStatus SetOutputDataType(size_t index, ge::DataType type);
};
template <typename T> inline T *GetTilingData(TilingContext *context) { return context->GetTilingData<T>(); }
}
#ifdef KERNELGEN_EXECUTE
#include "../twin/host.h"
#endif

// Logging and checks of the operator libraries: for their side effects only.
#ifndef OP_LOGD
#define OP_LOGD(...) ((void)0)
#define OP_LOGI(...) ((void)0)
#define OP_LOGW(...) ((void)0)
#ifdef KERNELGEN_EXECUTE
#define OP_LOGE(...) ::kernelgen::logError(__VA_ARGS__)
#else
#define OP_LOGE(...) ((void)0)
#endif
#define OP_LOGE_IF(condition, value, ...)                                                                              \
    if (condition) {                                                                                                   \
        return value;                                                                                                  \
    }
#endif
#endif
