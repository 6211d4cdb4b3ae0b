// How the operators of a library say what they are: kept by name, for the program that runs their tiling functions.
#pragma once

namespace ops {
class OpDef;
}
namespace kernelgen {
/// What is registered under one operator's name.
struct Registration {
    gert::OpImplRegisterV2::TilingKernel tiling = nullptr;
    gert::OpImplRegisterV2::TilingParse_ parse = nullptr;
    gert::OpImplRegisterV2::InferShapeKernel infer = nullptr;
    size_t maxTilingSize = 0;
    std::shared_ptr<void> (*newCompileInfo)() = nullptr;
    std::set<int32_t> valueInputs;
    std::shared_ptr<ops::OpDef> definition;
};
/// All of them; the one of a name is made where there is none.
std::map<std::string, Registration> &registrations();
bool addOperator(const char *type, const std::shared_ptr<ops::OpDef> &definition);
}
namespace gert {
template <typename T> OpImplRegisterV2 &OpImplRegisterV2::TilingParse(TilingParse_ function) {
    kernelgenEntry->parse = function;
    if constexpr (!std::is_void_v<T>) {
        kernelgenEntry->newCompileInfo = []() -> std::shared_ptr<void> { return std::make_shared<T>(); };
    }
    return *this;
}
template <typename F> OpImplRegisterV2 &OpImplRegisterV2::InferShapeRange(F) { return *this; }
template <typename F> OpImplRegisterV2 &OpImplRegisterV2::GenSimplifiedKey(F) { return *this; }
template <typename T> OpImplRegisterV2 &OpImplRegisterV2::PrivateAttr(const char *name, T) { return PrivateAttr(name); }
}
