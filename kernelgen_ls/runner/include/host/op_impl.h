// Registration of an operator's functions with the graph engine.
#pragma once
#ifndef KERNELGEN_TWIN // a file of both halves is executed without the host's
#include "ge.h"
namespace gert {
/// Registers an operator's functions.
class OpImplRegisterV2 {
public:
    KERNELGEN_HOST_STATE(::kernelgen::Registration *kernelgenEntry = nullptr)
    explicit OpImplRegisterV2(const char *type);
    using InferShapeKernel = ge::graphStatus (*)(InferShapeContext *);
    using InferDataTypeKernel = ge::graphStatus (*)(InferDataTypeContext *);
    using TilingKernel = ge::graphStatus (*)(TilingContext *);
    using TilingParse_ = ge::graphStatus (*)(TilingParseContext *);
    OpImplRegisterV2 &InferShape(InferShapeKernel function);
    OpImplRegisterV2 &InferDataType(InferDataTypeKernel function);
    OpImplRegisterV2 &Tiling(TilingKernel function, size_t maxTilingSize = 2048);
    template <typename T> OpImplRegisterV2 &TilingParse(TilingParse_ function);
    OpImplRegisterV2 &InputsDataDependency(std::initializer_list<int32_t> inputs);
    OpImplRegisterV2 &TilingInputsDataDependency(std::initializer_list<int32_t> inputs);
    template <typename F> OpImplRegisterV2 &InferShapeRange(F function);
    template <typename F> OpImplRegisterV2 &GenSimplifiedKey(F function);
    OpImplRegisterV2 &PrivateAttr(const char *name);
    template <typename T> OpImplRegisterV2 &PrivateAttr(const char *name, T value);
};
using OpImplRegister = OpImplRegisterV2;
}
#ifdef KERNELGEN_EXECUTE
#include "../twin/host_registration.h"
#endif
#define KERNELGEN_JOIN_(a, b) a##b
#define KERNELGEN_JOIN(a, b) KERNELGEN_JOIN_(a, b)
/// Registers an operator's functions.
#define IMPL_OP(type) static gert::OpImplRegisterV2 KERNELGEN_JOIN(op_impl_register_##type, __COUNTER__) = gert::OpImplRegisterV2(#type)
/// Registers an operator's tiling functions.
#define IMPL_OP_OPTILING(type) IMPL_OP(type)
/// Registers an operator's shape inference.
#define IMPL_OP_INFERSHAPE(type) IMPL_OP(type)
#define IMPL_OP_INFERDATATYPE(type) IMPL_OP(type)
#endif
