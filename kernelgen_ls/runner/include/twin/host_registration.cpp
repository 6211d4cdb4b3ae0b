// Operators as they register themselves before the program's main function.

namespace kernelgen {
std::map<std::string, Registration> &registrations() {
    static std::map<std::string, Registration> all;
    return all;
}
bool addOperator(const char *type, const std::shared_ptr<ops::OpDef> &definition) {
    Registration &entry = registrations()[type];
    entry.definition = definition;
    if (entry.tiling == nullptr) {
        entry.tiling = definition->kernelgenCore.kernelgenTiling;
    }
    if (entry.infer == nullptr) {
        entry.infer = definition->kernelgenInfer;
    }
    return true;
}
}

namespace gert {
OpImplRegisterV2::OpImplRegisterV2(const char *type) : kernelgenEntry(&kernelgen::registrations()[type]) {}
OpImplRegisterV2 &OpImplRegisterV2::InferShape(InferShapeKernel function) {
    kernelgenEntry->infer = function;
    return *this;
}
OpImplRegisterV2 &OpImplRegisterV2::InferDataType(InferDataTypeKernel) { return *this; }
OpImplRegisterV2 &OpImplRegisterV2::Tiling(TilingKernel function, size_t maxTilingSize) {
    kernelgenEntry->tiling = function;
    kernelgenEntry->maxTilingSize = maxTilingSize;
    return *this;
}
OpImplRegisterV2 &OpImplRegisterV2::InputsDataDependency(std::initializer_list<int32_t> inputs) {
    kernelgenEntry->valueInputs.insert(inputs.begin(), inputs.end());
    return *this;
}
OpImplRegisterV2 &OpImplRegisterV2::TilingInputsDataDependency(std::initializer_list<int32_t> inputs) {
    return InputsDataDependency(inputs);
}
OpImplRegisterV2 &OpImplRegisterV2::PrivateAttr(const char *) { return *this; }
}

namespace ops {
OpParamDef &OpParamDef::ParamType(Option paramType) {
    kernelgenOption = paramType;
    return *this;
}
OpParamDef &OpParamDef::DataType(std::vector<ge::DataType>) { return *this; }
OpParamDef &OpParamDef::DataTypeList(std::vector<ge::DataType>) { return *this; }
OpParamDef &OpParamDef::DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
OpParamDef &OpParamDef::Format(std::vector<ge::Format>) { return *this; }
OpParamDef &OpParamDef::FormatList(std::vector<ge::Format>) { return *this; }
OpParamDef &OpParamDef::FormatForBinQuery(std::vector<ge::Format>) { return *this; }
OpParamDef &OpParamDef::UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
OpParamDef &OpParamDef::ValueDepend(Option) {
    kernelgenValue = true;
    return *this;
}
OpParamDef &OpParamDef::ValueDepend(Option valueDepend, DependScope) { return ValueDepend(valueDepend); }
OpParamDef &OpParamDef::IgnoreContiguous() { return *this; }
OpParamDef &OpParamDef::AutoContiguous() { return *this; }
OpParamDef &OpParamDef::Scalar() {
    kernelgenValue = true;
    return *this;
}
OpParamDef &OpParamDef::ScalarList() { return Scalar(); }
OpParamDef &OpParamDef::To(ge::DataType) { return *this; }
OpParamDef &OpParamDef::To(const char *) { return *this; }
OpParamDef &OpParamDef::Version(uint32_t) { return *this; }
OpParamDef &OpParamDef::InitValue(uint64_t) { return *this; }
OpParamDef &OpParamDef::InitValue(const ScalarVar &) { return *this; }
OpParamDef &OpParamDef::InitValue(const std::vector<ScalarVar> &) { return *this; }
bool ScalarVar::operator==(const ScalarVar &other) const {
    return scalar_type == other.scalar_type && scalar_num.value_u64 == other.scalar_num.value_u64;
}
OpParamDef &OpParamDef::OutputShapeDependOnCompute() { return *this; }
OpParamDef &OpParamDef::Follow(const char *) { return *this; }
OpParamDef &OpParamDef::Follow(const char *, FollowType) { return *this; }
OpParamDef &OpParamDef::Comment(const char *) { return *this; }

OpAttrDef &OpAttrDef::AttrType(Option) { return *this; }
OpAttrDef &OpAttrDef::Bool() { return *this; }
OpAttrDef &OpAttrDef::Bool(bool value) {
    kernelgenDefault->setFlag(value);
    return *this;
}
OpAttrDef &OpAttrDef::Float() { return *this; }
OpAttrDef &OpAttrDef::Float(float value) {
    kernelgenDefault->setReal(value);
    return *this;
}
OpAttrDef &OpAttrDef::Int() { return *this; }
OpAttrDef &OpAttrDef::Int(int64_t value) {
    kernelgenDefault->setInteger(value);
    return *this;
}
OpAttrDef &OpAttrDef::String() { return *this; }
OpAttrDef &OpAttrDef::String(const char *value) {
    kernelgenDefault->setText(value);
    return *this;
}
OpAttrDef &OpAttrDef::ListBool() { return *this; }
OpAttrDef &OpAttrDef::ListBool(std::vector<bool> value) {
    kernelgenDefault->setFlags(value);
    return *this;
}
OpAttrDef &OpAttrDef::ListFloat() { return *this; }
OpAttrDef &OpAttrDef::ListFloat(std::vector<float> value) {
    kernelgenDefault->setReals(value);
    return *this;
}
OpAttrDef &OpAttrDef::ListInt() { return *this; }
OpAttrDef &OpAttrDef::ListInt(std::vector<int64_t> value) {
    kernelgenDefault->setIntegers(value);
    return *this;
}
OpAttrDef &OpAttrDef::ListListInt() { return *this; }
OpAttrDef &OpAttrDef::ListListInt(std::vector<std::vector<int64_t>> value) {
    kernelgenDefault->setRows(value);
    return *this;
}
OpAttrDef &OpAttrDef::Version(uint32_t) { return *this; }
OpAttrDef &OpAttrDef::Comment(const char *) { return *this; }

namespace {
/// The operand called `name`, made at the end of `all` where there is none yet.
OpParamDef &operand(std::list<OpParamDef> &all, const char *name) {
    for (OpParamDef &one : all) {
        if (one.kernelgenName == name) {
            return one;
        }
    }
    all.emplace_back().kernelgenName = name;
    return all.back();
}
}
OpAICoreConfig::OpAICoreConfig() = default;
OpAICoreConfig::OpAICoreConfig(const char *) {}
OpParamDef &OpAICoreConfig::Input(const char *name) { return operand(kernelgenInputs, name); }
OpParamDef &OpAICoreConfig::Output(const char *name) { return operand(kernelgenOutputs, name); }
OpAICoreConfig &OpAICoreConfig::DynamicCompileStaticFlag(bool) { return *this; }
OpAICoreConfig &OpAICoreConfig::DynamicFormatFlag(bool) { return *this; }
OpAICoreConfig &OpAICoreConfig::DynamicRankSupportFlag(bool) { return *this; }
OpAICoreConfig &OpAICoreConfig::DynamicShapeSupportFlag(bool) { return *this; }
OpAICoreConfig &OpAICoreConfig::NeedCheckSupportFlag(bool) { return *this; }
OpAICoreConfig &OpAICoreConfig::PrecisionReduceFlag(bool) { return *this; }
OpAICoreConfig &OpAICoreConfig::ExtendCfgInfo(const char *, const char *) { return *this; }
OpAICoreDef &OpAICoreDef::SetTiling(TilingFunction function) {
    kernelgenTiling = function;
    return *this;
}
OpAICoreDef &OpAICoreDef::AddConfig(const char *) { return *this; }
OpAICoreDef &OpAICoreDef::AddConfig(const char *, OpAICoreConfig &) { return *this; }
OpMC2Def &OpMC2Def::HcclGroup(const char *) { return *this; }
OpMC2Def &OpMC2Def::HcclGroup(std::vector<const char *>) { return *this; }

OpDef::OpDef(const char *type) : kernelgenType(type) {}
OpParamDef &OpDef::Input(const char *name) { return operand(kernelgenInputs, name); }
OpParamDef &OpDef::Output(const char *name) { return operand(kernelgenOutputs, name); }
OpAttrDef &OpDef::Attr(const char *name) {
    kernelgenAttributes.emplace_back();
    kernelgenAttributes.back().kernelgenName = name;
    kernelgenAttributes.back().kernelgenDefault = std::make_shared<kernelgen::Attribute>();
    return kernelgenAttributes.back();
}
OpDef &OpDef::Comment(const char *) { return *this; }
OpDef &OpDef::SetInferShape(ge::graphStatus (*function)(gert::InferShapeContext *)) {
    kernelgenInfer = function;
    return *this;
}
OpDef &OpDef::SetInferDataType(ge::graphStatus (*)(gert::InferDataTypeContext *)) { return *this; }
OpAICoreDef &OpDef::AICore() { return kernelgenCore; }
OpMC2Def &OpDef::MC2() { return kernelgenCommunication; }
OpDef &OpDef::FormatMatchMode(FormatCheckOption) { return *this; }
OpDef &OpDef::EnableFallBack() { return *this; }
}
