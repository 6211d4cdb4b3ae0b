// The templates that are only declared in ../host/op_def.h: nothing of what they set is needed to run a tiling function.
#pragma once
namespace ops {
template <typename F> OpAICoreDef &OpAICoreDef::SetCheckSupport(F) { return *this; }
template <typename F> OpAICoreDef &OpAICoreDef::SetOpSelectFormat(F) { return *this; }
template <typename F> OpAICoreDef &OpAICoreDef::SetOpSupportInfo(F) { return *this; }
template <typename F> OpAICoreDef &OpAICoreDef::SetParamGeneralize(F) { return *this; }
template <typename E> OpDef &OpDef::Comment(E, const char *) { return *this; }
template <typename F> OpDef &OpDef::SetInferShapeRange(F) { return *this; }
}
