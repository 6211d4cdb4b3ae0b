// What operators' host code takes from the base library of operators beside the graph engine: checks with a log line,
// rounding, and tiling classes of which the first that can is taken. Only executed code reads it: nothing here is checked.
#pragma once
#include "../../kernelgen_host.h"
#include "securec.h"

#include <sstream>

#ifndef ASCENDC_EXTERN_C
#define ASCENDC_EXTERN_C
#endif
#define KERNELGEN_SAY(...) ::kernelgen::logError(__VA_ARGS__)
#define OP_LOGE_WITHOUT_REPORT(...) KERNELGEN_SAY(__VA_ARGS__)
#define OPS_LOG_E(...) KERNELGEN_SAY(__VA_ARGS__)
#define OPS_LOG_W(...) ((void)0)
#define OPS_LOG_I(...) ((void)0)
#define OPS_LOG_D(...) ((void)0)
#define OPS_LOG_FULL(...) ((void)0)
#define OPS_REPORT_VECTOR_INNER_ERR(...) KERNELGEN_SAY(__VA_ARGS__)
#define OPS_REPORT_CUBE_INNER_ERR(...) KERNELGEN_SAY(__VA_ARGS__)
#define VECTOR_INNER_ERR_REPORT_TILIING(...) KERNELGEN_SAY(__VA_ARGS__)
#define VECTOR_INNER_ERR_REPORT_TILING(...) KERNELGEN_SAY(__VA_ARGS__)
#define CUBE_INNER_ERR_REPORT(...) KERNELGEN_SAY(__VA_ARGS__)
#define REPORT_INNER_ERR_MSG(...) KERNELGEN_SAY(__VA_ARGS__)
#define REPORT_INNER_ERROR(...) KERNELGEN_SAY(__VA_ARGS__)

#define KERNELGEN_INVALID(...) ::kernelgen::logInvalid(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_DTYPE(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_DTYPES_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_FORMAT(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_FORMATS_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_LISTSIZE(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPE(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPES_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPEDIM(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPEDIMS_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPESIZE(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPESIZE_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPESIZES_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_TENSORNUM(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_VALUE(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_VALUE_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_FOR_INVALID_VALUES_WITH_REASON(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_WITH_INVALID_ATTR(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_WITH_INVALID_INPUT(...) KERNELGEN_INVALID(__VA_ARGS__)
#define OP_LOGE_WITH_INVALID_INPUT_DTYPE(...) KERNELGEN_INVALID(__VA_ARGS__)

// A check: what to log and what to do, each written as a statement, where the condition holds.
#define KERNELGEN_CHECK(condition, log, leave)                                                                         \
    do {                                                                                                               \
        if (condition) {                                                                                               \
            log;                                                                                                       \
            leave;                                                                                                     \
        }                                                                                                              \
    } while (0)
#define OP_CHECK_IF(condition, log, leave) KERNELGEN_CHECK(condition, log, leave)
#define OP_TILING_CHECK(condition, log, leave) KERNELGEN_CHECK(condition, log, leave)
#define OP_CHECK(condition, log, leave) KERNELGEN_CHECK(condition, log, leave)
#define OPS_CHECK(condition, log, leave) KERNELGEN_CHECK(condition, log, leave)
#define OPS_ERR_IF(condition, log, leave) KERNELGEN_CHECK(condition, log, leave)
#define KERNELGEN_CHECK_NULL(context, pointer, leave)                                                                  \
    KERNELGEN_CHECK((pointer) == nullptr, KERNELGEN_SAY(context, "%s is null", #pointer), leave)
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) KERNELGEN_CHECK_NULL(context, pointer, return ge::GRAPH_FAILED)
#define OPS_CHECK_NULL_WITH_CONTEXT(context, pointer) KERNELGEN_CHECK_NULL(context, pointer, return ge::GRAPH_FAILED)
#define OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, value) KERNELGEN_CHECK_NULL(context, pointer, return value)
#define OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, value) KERNELGEN_CHECK_NULL(context, pointer, return value)
#define OPS_LOG_E_IF_NULL(context, pointer, leave) KERNELGEN_CHECK_NULL(context, pointer, leave)
#define OPS_LOG_E_IF(condition, context, leave, ...) KERNELGEN_CHECK(condition, KERNELGEN_SAY(context, __VA_ARGS__), leave)
#define OP_LOGI_IF_RETURN(condition, value, ...) KERNELGEN_CHECK(condition, (void)0, return value)
#define OP_LOGW_IF(condition, ...) ((void)0)

// The levels and modules of a log that nobody keeps.
#define DLOG_DEBUG 0
#define DLOG_INFO 1
#define DLOG_WARN 2
#define DLOG_ERROR 3
enum { OP = 63 };
inline int CheckLogLevel(int, int) { return 0; }

namespace kernelgen {
inline std::string shown(const std::string &text) { return text; }
inline std::string shown(const char *text) { return text == nullptr ? "" : text; }
inline std::string shown(const ge::AscendString &text) { return text.GetString(); }
template <typename T> std::string shown(const T &value) {
    if constexpr (std::is_arithmetic_v<T>) {
        return std::to_string(value);
    } else if constexpr (std::is_convertible_v<T, std::string>) {
        return value;
    } else {
        return "...";
    }
}
/// Keeps what is said about an operand or attribute that an operator refuses: its name, what it is, what it should be.
template <typename Operator, typename... Values> void logInvalid(const Operator &, const Values &...values) {
    std::string message = "refused:";
    ((message += ' ' + shown(values)), ...);
    keepError(message);
}
}

namespace Ops {
namespace Base {
/// Rounded towards plus infinity; the dividend itself where the divisor is 0, as in all of these.
template <typename T, typename U> constexpr T CeilDiv(T value, U by) {
    if (by == 0) {
        return value;
    }
    const T quotient = static_cast<T>(value / by);
    const bool inexact = value % by != 0;
    return inexact && ((value > 0) == (by > 0)) ? quotient + 1 : quotient;
}
template <typename T, typename U> constexpr T FloorDiv(T value, U by) { return by == 0 ? value : static_cast<T>(value / by); }
template <typename T, typename U> constexpr T CeilAlign(T value, U by) { return by == 0 ? value : static_cast<T>(CeilDiv(value, by) * by); }
template <typename T, typename U> constexpr T FloorAlign(T value, U by) { return by == 0 ? value : static_cast<T>(value / by * by); }

template <typename Context> uint32_t GetUbBlockSize(const Context *) { return 32; }
template <typename Context> uint32_t GetVRegSize(const Context *) { return 256; }
template <typename Context> uint32_t GetCacheLineSize(const Context *) { return 128; }
template <typename Context> bool IsRegbaseSocVersion(const Context *context) {
    return platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCurNpuArch() >= NpuArch::DAV_3510;
}

/// The shape, or that of one element where it has no axis.
inline const gert::Shape &EnsureNotScalar(const gert::Shape &shape) {
    static const gert::Shape one = {1};
    return shape.IsScalar() ? one : shape;
}
inline bool IsUnknownRank(const gert::Shape &shape) { return shape.GetDimNum() == 1 && shape.GetDim(0) == ge::UNKNOWN_DIM_NUM; }
inline void SetUnknownRank(gert::Shape &shape) {
    shape.SetDimNum(1);
    shape.SetDim(0, ge::UNKNOWN_DIM_NUM);
}
inline void SetUnknownShape(int64_t rank, gert::Shape &shape) {
    shape.SetDimNum(static_cast<size_t>(rank));
    for (int64_t axis = 0; axis < rank; ++axis) {
        shape.SetDim(static_cast<size_t>(axis), ge::UNKNOWN_DIM);
    }
}
inline bool IsUnknownShape(const gert::Shape &shape) { return shape.IsUnknownShape(); }

inline std::string ToString(ge::DataType type) { return ge::TypeUtils::DataTypeToSerialString(type); }
inline std::string ToString(ge::Format format) { return ge::TypeUtils::FormatToSerialString(format); }
inline std::string ToString(const gert::Shape &shape) {
    std::ostringstream text;
    text << '[';
    for (size_t axis = 0; axis < shape.GetDimNum(); ++axis) {
        text << (axis == 0 ? "" : ", ") << shape.GetDim(axis);
    }
    text << ']';
    return text.str();
}
inline std::string ToString(const gert::Shape *shape) { return shape == nullptr ? "null" : ToString(*shape); }
template <typename T> std::string ToString(const std::vector<T> &values) {
    std::ostringstream text;
    text << '[';
    for (size_t i = 0; i < values.size(); ++i) {
        text << (i == 0 ? "" : ", ") << values[i];
    }
    text << ']';
    return text.str();
}

/// The values of an input that is a list of integers; false where they are not there.
template <typename Context, typename Values> bool GetConstIntData(Context *context, size_t index, Values &values) {
    const gert::Tensor *tensor = context->GetInputTensor(index);
    if (tensor == nullptr || tensor->GetAddr() == nullptr) {
        return false;
    }
    const bool wide = tensor->GetDataType() == ge::DT_INT64 || tensor->GetDataType() == ge::DT_UINT64;
    for (int64_t i = 0; i < tensor->GetShapeSize(); ++i) {
        values.push_back(wide ? tensor->GetData<int64_t>()[i] : tensor->GetData<int32_t>()[i]);
    }
    return true;
}
template <typename Context, typename T> bool GetConstInt(Context *context, size_t index, T &value) {
    std::vector<int64_t> values;
    if (!GetConstIntData(context, index, values) || values.empty()) {
        return false;
    }
    value = static_cast<T>(values[0]);
    return true;
}
template <typename Context> bool GetConstIntToShape(Context *context, size_t index, gert::Shape &shape) {
    std::vector<int64_t> values;
    if (!GetConstIntData(context, index, values)) {
        return false;
    }
    shape.SetScalar();
    for (int64_t value : values) {
        shape.AppendDim(value);
    }
    return true;
}

/// What a core has, sizes in bytes.
struct AiCoreParams {
    uint64_t ubSize = 0, blockDim = 0, aicNum = 0, l1Size = 0, l0aSize = 0, l0bSize = 0, l0cSize = 0;
};

/// A tiling in steps. A step's failure ends it; GRAPH_PARAM_INVALID leaves the operator to the next class.
class TilingBaseClass {
public:
    TilingBaseClass() = default;
    explicit TilingBaseClass(gert::TilingContext *context) : context_(context) {}
    virtual ~TilingBaseClass() = default;
    ge::graphStatus DoTiling() {
        using Step = ge::graphStatus (TilingBaseClass::*)();
        for (Step step : {&TilingBaseClass::GetShapeAttrsInfo, &TilingBaseClass::GetPlatformInfo, &TilingBaseClass::kernelgenCapable, &TilingBaseClass::DoOpTiling, &TilingBaseClass::DoLibApiTiling, &TilingBaseClass::GetWorkspaceSize, &TilingBaseClass::PostTiling}) {
            const ge::graphStatus status = (this->*step)();
            if (status != ge::GRAPH_SUCCESS) {
                return status;
            }
        }
        context_->SetTilingKey(GetTilingKey());
        return ge::GRAPH_SUCCESS;
    }
    virtual void Reset(gert::TilingContext *context) { context_ = context; }

protected:
    virtual bool IsCapable() = 0;
    virtual ge::graphStatus GetPlatformInfo() = 0;
    virtual ge::graphStatus GetShapeAttrsInfo() = 0;
    virtual ge::graphStatus DoOpTiling() = 0;
    virtual ge::graphStatus DoLibApiTiling() = 0;
    virtual uint64_t GetTilingKey() const = 0;
    virtual ge::graphStatus GetWorkspaceSize() = 0;
    virtual ge::graphStatus PostTiling() = 0;
    virtual void DumpTilingInfo() {}

    gert::TilingContext *context_ = nullptr;
    std::unique_ptr<platform_ascendc::PlatformAscendC> ascendcPlatform_;
    uint32_t blockDim_ = 0;
    uint64_t workspaceSize_ = 0, tilingKey_ = 0;
    AiCoreParams aicoreParams_;

private:
    ge::graphStatus kernelgenCapable() { return IsCapable() ? ge::GRAPH_SUCCESS : ge::GRAPH_PARAM_INVALID; }
};

/// The tiling classes of all operators, tried by ascending priority.
class TilingRegistry {
public:
    using Make = std::unique_ptr<TilingBaseClass> (*)(gert::TilingContext *);
    struct Entry {
        int32_t priority;
        std::set<int32_t> families;
        Make make;
    };
    static TilingRegistry &GetInstance() {
        static TilingRegistry one;
        return one;
    }
    ge::graphStatus DoTilingImpl(gert::TilingContext *context) { return kernelgenFirst(context, nullptr); }
    ge::graphStatus DoTilingImpl(gert::TilingContext *context, const std::vector<int32_t> &priorities) { return kernelgenFirst(context, &priorities); }
    void kernelgenAdd(const std::string &type, Entry entry) { classes[type].push_back(std::move(entry)); }

private:
    ge::graphStatus kernelgenFirst(gert::TilingContext *context, const std::vector<int32_t> *priorities) {
        std::vector<Entry> found = classes[context->GetNodeType()];
        std::stable_sort(found.begin(), found.end(), [](const Entry &one, const Entry &other) { return one.priority < other.priority; });
        const auto family = static_cast<int32_t>(platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetSocVersion());
        for (const Entry &entry : found) {
            const bool wanted = priorities == nullptr || std::count(priorities->begin(), priorities->end(), entry.priority) > 0;
            if (!wanted || (!entry.families.empty() && entry.families.count(family) == 0)) {
                continue;
            }
            const ge::graphStatus status = entry.make(context)->DoTiling();
            if (status != ge::GRAPH_PARAM_INVALID) {
                return status;
            }
        }
        kernelgen::keepError("no tiling class takes the operator");
        return ge::GRAPH_FAILED;
    }
    std::map<std::string, std::vector<Entry>> classes;
};
using TilingRegistryNew = TilingRegistry;

/// Adds tiling classes of one operator.
class Register {
public:
    explicit Register(std::string type) : kernelgenType(std::move(type)) {}
    template <typename T> Register &tiling(int32_t priority) { return add<T>(priority, {}); }
    template <typename T> Register &tiling(int32_t priority, int32_t family) { return add<T>(priority, {family}); }
    template <typename T> Register &tiling(int32_t priority, const std::vector<int32_t> &families) {
        return add<T>(priority, std::set<int32_t>(families.begin(), families.end()));
    }

private:
    template <typename T> Register &add(int32_t priority, std::set<int32_t> families) {
        const auto make = [](gert::TilingContext *context) -> std::unique_ptr<TilingBaseClass> { return std::make_unique<T>(context); };
        TilingRegistry::GetInstance().kernelgenAdd(kernelgenType, {priority, std::move(families), make});
        return *this;
    }
    std::string kernelgenType;
};
using RegisterNew = Register;
}
}

// The libraries of operators have them under names of their own too.
#define KERNELGEN_ALSO(name)                                                                                           \
    namespace Ops {                                                                                                    \
    namespace name {                                                                                                   \
    using namespace Ops::Base;                                                                                         \
    namespace OpTiling {                                                                                               \
    using namespace Ops::Base;                                                                                         \
    }                                                                                                                  \
    namespace Optiling {                                                                                               \
    using namespace Ops::Base;                                                                                         \
    }                                                                                                                  \
    }                                                                                                                  \
    }
KERNELGEN_ALSO(Math)
KERNELGEN_ALSO(NN)
KERNELGEN_ALSO(Cv)
KERNELGEN_ALSO(Transformer)

#define KERNELGEN_REGISTER_TILING(type, className, ...)                                                                \
    static ::Ops::Base::Register KERNELGEN_JOIN(kernelgenTilingClass, __COUNTER__) =                                   \
        ::Ops::Base::Register(type).tiling<className>(__VA_ARGS__)
#define REGISTER_TILING_TEMPLATE(type, className, priority) KERNELGEN_REGISTER_TILING(type, className, priority)
#define REGISTER_OPS_TILING_TEMPLATE(type, className, priority) KERNELGEN_REGISTER_TILING(#type, className, priority)
#define REGISTER_TILING_TEMPLATE_NEW(type, className, family, priority) KERNELGEN_REGISTER_TILING(#type, className, priority, family)
#define REGISTER_TILING_TEMPLATE_WITH_SOCVERSION(type, className, families, priority) KERNELGEN_REGISTER_TILING(#type, className, priority, families)
