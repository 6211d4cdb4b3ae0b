// How host code is executed: what stands behind the contexts, and the templates that are only declared in ../host/ge.h.
#pragma once
#include <cstdio>
#include <list>

namespace kernelgen {
/// What an operator's attribute is given as; `address` is where `GetAttrPointer` points, null where nothing was given.
struct Attribute {
    std::string name;
    const void *address = nullptr;
    int64_t integer = 0;
    float real = 0;
    bool flag = false;
    std::string text;
    std::vector<int64_t> integers;
    std::vector<float> reals;
    std::shared_ptr<bool[]> flags;
    std::vector<std::vector<int64_t>> rows;
    gert::TypedContinuousVector<int64_t> integerList;
    gert::TypedContinuousVector<float> realList;
    gert::TypedContinuousVector<bool> flagList;
    gert::ContinuousVectorVector rowList;

    void setInteger(int64_t value);
    void setReal(float value);
    void setFlag(bool value);
    void setText(const std::string &value);
    void setIntegers(const std::vector<int64_t> &values);
    void setReals(const std::vector<float> &values);
    void setFlags(const std::vector<bool> &values);
    void setRows(const std::vector<std::vector<int64_t>> &values);
};

/// An input or output as it is there: an operand that is left out has none, a dynamic one has several. The shape of an
/// unshaped output is what shape inference says.
struct Instance {
    gert::Tensor tensor;
    gert::CompileTimeTensorDesc desc;
    std::vector<uint64_t> data;
    bool unshaped = false;
};

/// The chip's figures; sizes in bytes, `properties` by label and key as PlatFormInfos is asked for them.
struct Chip {
    std::string soc, family;
    uint32_t architecture = 0, cubeCores = 0, vectorCores = 0;
    uint64_t ub = 0, l1 = 0, l0a = 0, l0c = 0, l2 = 0, hbm = 0;
    std::map<std::string, std::string> properties() const;
};

/// An operator of one case: what its tiling function reads and what it leaves.
struct Node {
    std::string type;
    std::vector<Instance> inputs, outputs;
    std::vector<gert::AnchorInstanceInfo> inputAnchors, outputAnchors;
    std::vector<gert::Shape> inferred; // one an output
    std::vector<Attribute> attributes;
    gert::RuntimeAttrs attributeView;
    gert::ComputeNodeInfo info;
    fe::PlatFormInfos platform;
    std::shared_ptr<void> compileInfo;
    gert::TilingData tiling;
    std::vector<size_t> workspaces;
    uint64_t tilingKey = 0;
    uint32_t blocks = 1, scheduleMode = 0;
};

/// Keeps a message of the operator's own, to be told where its tiling function fails.
void keepError(const std::string &message);

inline const char *plain(const std::string &text) { return text.c_str(); }
template <typename T> auto plain(const T &value) {
    if constexpr (std::is_array_v<T>) {
        return &value[0];
    } else if constexpr (std::is_scalar_v<T>) {
        return value;
    } else {
        return "...";
    }
}
inline void logError() {}
template <typename Operator> void logError(const Operator &) {}
template <typename Operator, typename Text, typename... Values> void logError(const Operator &, const Text &text, const Values &...values) {
    const auto format = plain(text);
    if constexpr (std::is_convertible_v<decltype(format), const char *>) {
        char message[512] = "";
        std::snprintf(message, sizeof(message), format, plain(values)...);
        keepError(message);
    }
}
}

namespace gert {
template <typename T> const T *Tensor::GetData() const { return static_cast<const T *>(kernelgenData); }
template <typename T> T *Tensor::GetData() { return static_cast<T *>(kernelgenData); }
template <typename T> size_t TypedContinuousVector<T>::GetSize() const { return kernelgenCount; }
template <typename T> size_t TypedContinuousVector<T>::GetCapacity() const { return kernelgenCount; }
template <typename T> const T *TypedContinuousVector<T>::GetData() const { return kernelgenData; }
template <typename T> T *TypedContinuousVector<T>::MutableData() { return kernelgenData; }
template <typename T> const T *RuntimeAttrs::GetAttrPointer(size_t index) const {
    return index < kernelgenAttributes->size() ? static_cast<const T *>((*kernelgenAttributes)[index].address) : nullptr;
}
template <typename T> ge::graphStatus TilingData::Append(const T &value) { return Append(&value, 1); }
template <typename T> ge::graphStatus TilingData::Append(const T *values, size_t count) {
    void *room = kernelgenRoom(count * sizeof(T));
    if (room == nullptr) {
        return ge::GRAPH_FAILED;
    }
    std::memcpy(room, values, count * sizeof(T));
    return ge::GRAPH_SUCCESS;
}
template <typename T> const T *TilingContext::GetCompileInfo() const { return static_cast<const T *>(kernelgenCompileInfo()); }
template <typename T> T *TilingContext::GetTilingData() { return static_cast<T *>(kernelgenTiling(sizeof(T))); }
template <typename T> T *TilingParseContext::GetCompiledInfo() { return static_cast<T *>(kernelgenCompileInfo()); }
}
