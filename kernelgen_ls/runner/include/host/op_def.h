// OpDef: an operator's interface, as op_host declares it.
#pragma once
#ifndef KERNELGEN_TWIN // a file of both halves is executed without the host's
#include "op_impl.h"
namespace ops {
/// Whether an operand or attribute has to be given.
enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
/// How formats are matched.
enum class FormatCheckOption : uint32_t { DEFAULT = 0, STRICT = 1 };
/// Where an input's value is needed.
enum class DependScope : uint32_t { ALL = 0, TILING = 1, INVALID_SCOPE };
/// What an operand takes over from another.
enum class FollowType : uint32_t { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE };
/// The type of an initial value.
enum class ScalarType : uint32_t { UINT64 = 0, INT64 = 1, UINT32 = 2, INT32 = 3, UINT16 = 4, INT16 = 5, UINT8 = 6, INT8 = 7, FLOAT32 = 8, FLOAT16 = 9, INVALID_DTYPE = static_cast<uint32_t>(-1) };
/// The bits of an initial value.
union ScalarNum {
    uint64_t value_u64;
    int64_t value_i64;
    float value_f32;
    ScalarNum() : value_u64(0) {}
    explicit ScalarNum(uint64_t value) : value_u64(value) {}
    explicit ScalarNum(int64_t value) : value_i64(value) {}
    explicit ScalarNum(float value) : value_f32(value) {}
};
/// An output's initial value.
struct ScalarVar {
    ScalarType scalar_type = ScalarType::INVALID_DTYPE;
    ScalarNum scalar_num;
    ScalarVar() {}
    ScalarVar(ScalarType type, uint64_t number) : scalar_type(type), scalar_num(number) {}
    ScalarVar(ScalarType type, int64_t number) : scalar_type(type), scalar_num(number) {}
    ScalarVar(ScalarType type, int number) : ScalarVar(type, int64_t(number)) {}
    ScalarVar(ScalarType type, unsigned int number) : ScalarVar(type, uint64_t(number)) {}
    ScalarVar(ScalarType type, float number) : scalar_type(type), scalar_num(number) {}
    ScalarVar(ScalarType type, double number) : ScalarVar(type, float(number)) {}
    bool operator==(const ScalarVar &other) const;
};
class OpDef;
/// An input or output.
class OpParamDef {
public:
    KERNELGEN_HOST_STATE(std::string kernelgenName; Option kernelgenOption = REQUIRED; bool kernelgenValue = false)
    /// Whether the operand has to be given.
    OpParamDef &ParamType(Option paramType);
    /// The element types, one a column.
    OpParamDef &DataType(std::vector<ge::DataType> types);
    OpParamDef &DataTypeList(std::vector<ge::DataType> types);
    OpParamDef &DataTypeForBinQuery(std::vector<ge::DataType> types);
    /// The formats, one a column.
    OpParamDef &Format(std::vector<ge::Format> formats);
    OpParamDef &FormatList(std::vector<ge::Format> formats);
    OpParamDef &FormatForBinQuery(std::vector<ge::Format> formats);
    /// The formats for shapes that are not known, one a column.
    OpParamDef &UnknownShapeFormat(std::vector<ge::Format> formats);
    /// Says that tiling needs the operand's value.
    OpParamDef &ValueDepend(Option valueDepend);
    OpParamDef &ValueDepend(Option valueDepend, DependScope scope);
    OpParamDef &IgnoreContiguous();
    /// Lets the framework make the operand contiguous.
    OpParamDef &AutoContiguous();
    OpParamDef &Scalar();
    OpParamDef &ScalarList();
    OpParamDef &To(ge::DataType type);
    OpParamDef &To(const char *name);
    OpParamDef &Version(uint32_t version);
    /// Has an output filled before the kernel runs, with a value a column.
    OpParamDef &InitValue(uint64_t value);
    OpParamDef &InitValue(const ScalarVar &value);
    OpParamDef &InitValue(const std::vector<ScalarVar> &values);
    OpParamDef &OutputShapeDependOnCompute();
    OpParamDef &Follow(const char *name);
    OpParamDef &Follow(const char *name, FollowType type);
    OpParamDef &Comment(const char *text);
};
/// An attribute.
class OpAttrDef {
public:
    KERNELGEN_HOST_STATE(std::string kernelgenName; std::shared_ptr<::kernelgen::Attribute> kernelgenDefault)
    /// Whether the attribute has to be given.
    OpAttrDef &AttrType(Option attrType);
    OpAttrDef &Bool();
    OpAttrDef &Bool(bool value);
    OpAttrDef &Float();
    OpAttrDef &Float(float value);
    OpAttrDef &Int();
    OpAttrDef &Int(int64_t value);
    OpAttrDef &String();
    OpAttrDef &String(const char *value);
    OpAttrDef &ListBool();
    OpAttrDef &ListBool(std::vector<bool> value);
    OpAttrDef &ListFloat();
    OpAttrDef &ListFloat(std::vector<float> value);
    OpAttrDef &ListInt();
    OpAttrDef &ListInt(std::vector<int64_t> value);
    OpAttrDef &ListListInt();
    OpAttrDef &ListListInt(std::vector<std::vector<int64_t>> value);
    OpAttrDef &Version(uint32_t version);
    OpAttrDef &Comment(const char *text);
};
/// The settings of one chip family.
class OpAICoreConfig {
public:
    KERNELGEN_HOST_STATE(std::list<OpParamDef> kernelgenInputs, kernelgenOutputs)
    OpAICoreConfig();
    explicit OpAICoreConfig(const char *soc);
    /// Adds an input.
    OpParamDef &Input(const char *name);
    /// Adds an output.
    OpParamDef &Output(const char *name);
    OpAICoreConfig &DynamicCompileStaticFlag(bool flag);
    OpAICoreConfig &DynamicFormatFlag(bool flag);
    OpAICoreConfig &DynamicRankSupportFlag(bool flag);
    OpAICoreConfig &DynamicShapeSupportFlag(bool flag);
    OpAICoreConfig &NeedCheckSupportFlag(bool flag);
    OpAICoreConfig &PrecisionReduceFlag(bool flag);
    OpAICoreConfig &ExtendCfgInfo(const char *key, const char *value);
};
/// What runs on the AI core: the tiling function and the chips.
class OpAICoreDef {
public:
    KERNELGEN_HOST_STATE(ge::graphStatus (*kernelgenTiling)(gert::TilingContext *) = nullptr)
    using TilingFunction = ge::graphStatus (*)(gert::TilingContext *);
    /// Sets the tiling function.
    OpAICoreDef &SetTiling(TilingFunction function);
    template <typename F> OpAICoreDef &SetCheckSupport(F function);
    template <typename F> OpAICoreDef &SetOpSelectFormat(F function);
    template <typename F> OpAICoreDef &SetOpSupportInfo(F function);
    template <typename F> OpAICoreDef &SetParamGeneralize(F function);
    /// Adds a chip family.
    OpAICoreDef &AddConfig(const char *soc);
    OpAICoreDef &AddConfig(const char *soc, OpAICoreConfig &config);
};
/// The communication settings of an operator.
class OpMC2Def {
public:
    OpMC2Def &HcclGroup(const char *name);
    OpMC2Def &HcclGroup(std::vector<const char *> names);
};
/// An operator's interface: inputs, outputs, attributes, inference and the AI core settings.
class OpDef {
public:
    KERNELGEN_HOST_STATE(std::string kernelgenType; std::list<OpParamDef> kernelgenInputs, kernelgenOutputs; std::list<OpAttrDef> kernelgenAttributes; OpAICoreDef kernelgenCore; OpMC2Def kernelgenCommunication; ge::graphStatus (*kernelgenInfer)(gert::InferShapeContext *) = nullptr)
    explicit OpDef(const char *type);
    OpParamDef &Input(const char *name);
    OpParamDef &Output(const char *name);
    /// Adds an attribute.
    OpAttrDef &Attr(const char *name);
    OpDef &Comment(const char *text);
    template <typename E> OpDef &Comment(E section, const char *text);
    /// Sets the shape inference.
    OpDef &SetInferShape(ge::graphStatus (*function)(gert::InferShapeContext *));
    template <typename F> OpDef &SetInferShapeRange(F function);
    /// Sets the type inference.
    OpDef &SetInferDataType(ge::graphStatus (*function)(gert::InferDataTypeContext *));
    /// What runs on the AI core.
    OpAICoreDef &AICore();
    OpMC2Def &MC2();
    OpDef &FormatMatchMode(FormatCheckOption option);
    OpDef &EnableFallBack();
};
}
#ifdef KERNELGEN_EXECUTE
#include "../twin/host_definition.h"
#endif
#ifdef KERNELGEN_EXECUTE
#define KERNELGEN_ADDED(opType) ::kernelgen::addOperator(#opType, std::make_shared<::ops::opType>(#opType))
#else
#define KERNELGEN_ADDED(opType) sizeof(::ops::opType)
#endif
/// Registers an OpDef class.
#define OP_ADD(opType, ...) static int KERNELGEN_JOIN(op_add_##opType, __COUNTER__) = KERNELGEN_ADDED(opType) ? 0 : 1
#endif
