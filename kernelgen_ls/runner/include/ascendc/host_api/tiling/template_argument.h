// Template tiling keys: which combinations of template arguments an operator's kernel is built with.
//
// A compiler of the kernel sees nothing of these lists; the check reads them as text and instantiates the kernel's entry
// function with the combinations that they select.
#ifndef KERNELGEN_TEMPLATE_ARGUMENT_H
#define KERNELGEN_TEMPLATE_ARGUMENT_H

#include <cstdint>
#ifdef KERNELGEN_EXECUTE
#include <initializer_list>
#endif
#include "graph/c_types.h"

#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7
#define ASCENDC_TPL_AICORE 8
#define ASCENDC_TPL_VECTORCORE 9
#define ASCENDC_TPL_MIX_AICORE 10
#define ASCENDC_TPL_MIX_VECTOR_CORE 11
#define ASCENDC_TPL_MAX 12

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8

#define ASCENDC_TPL_DTYPE 0
#define ASCENDC_TPL_FORMAT 1
#define ASCENDC_TPL_UINT 2
#define ASCENDC_TPL_BOOL 3
#define ASCENDC_TPL_KERNEL_TYPE 4
#define ASCENDC_TPL_DETERMINISTIC 5
#define ASCENDC_TPL_SHARED_KERNEL_TYPE 6

/// The element type or format of the operator's input `index`.
#define ASCENDC_TPL_INPUT(index) (100000000 + (index))
/// The element type or format of the operator's output `index`.
#define ASCENDC_TPL_OUTPUT(index) (900000000 + (index))

/// How many ranges follow, then the first and last value of each.
#define ASCENDC_TPL_UI_RANGE 0
/// The values follow.
#define ASCENDC_TPL_UI_LIST 1
/// How many ranges follow, then the first and last value of each, then single values.
#define ASCENDC_TPL_UI_MIX 2

/// A template parameter that is a number for an element type of the operator's own.
#define ASCENDC_TPL_DTYPE_DECL(...)
/// A template parameter that is an element type (`C_DT_...`), or follows an operand's.
#define ASCENDC_TPL_DATATYPE_DECL(...)
/// A template parameter that is a format.
#define ASCENDC_TPL_FORMAT_DECL(...)
/// A template parameter that is an unsigned number: its width in bits, how its values are listed, the values.
#define ASCENDC_TPL_UINT_DECL(...)
/// A template parameter that is 0 or 1.
#define ASCENDC_TPL_BOOL_DECL(...)
/// A template parameter that says which cores the kernel runs on.
#define ASCENDC_TPL_KERNEL_TYPE_DECL(...)
/// The numbers for element types that a combination has.
#define ASCENDC_TPL_DTYPE_SEL(...)
/// The element types that a combination has.
#define ASCENDC_TPL_DATATYPE_SEL(...)
/// The formats that a combination has.
#define ASCENDC_TPL_FORMAT_SEL(...)
/// The numbers that a combination has: how they are listed, the values.
#define ASCENDC_TPL_UINT_SEL(...)
/// The values 0 or 1 that a combination has.
#define ASCENDC_TPL_BOOL_SEL(...)
/// Which cores a combination runs on; no template parameter.
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...)
/// The kernel types that a combination has, as template parameter.
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(...)
/// Whether a combination computes deterministically; no template parameter.
#define ASCENDC_TPL_DETERMINISTIC_SEL(...)
/// The tiling structure of a combination; no template parameter.
#define ASCENDC_TPL_TILING_STRUCT_SEL(...)
/// Combinations: every value of each parameter with every value of the others.
#define ASCENDC_TPL_ARGS_SEL(...)
/// An operator's template parameters, in the order in which its entry function takes them.
#define ASCENDC_TPL_ARGS_DECL(operator, ...)
/// The combinations that the kernel is built with.
#define ASCENDC_TPL_SEL(...)

#ifdef KERNELGEN_EXECUTE
namespace kernelgen {
/// A key that stands for these values of the template parameters, which are told with it.
uint64_t templateKey(std::initializer_list<uint64_t> values);
}
template <typename... Values> uint64_t KernelgenTemplateKey(Values... values) { return kernelgen::templateKey({static_cast<uint64_t>(values)...}); }
#else
template <typename... Values> constexpr uint64_t KernelgenTemplateKey(Values... values) { return (uint64_t{} + ... + static_cast<uint64_t>(values)); }
#endif
/// The tiling key of the combination with these values, in the order of the template parameters.
#define GET_TPL_TILING_KEY(...) (::KernelgenTemplateKey(__VA_ARGS__))
/// Sets the tiling key of the combination with these values, in the order of the template parameters.
#define ASCENDC_TPL_SEL_PARAM(context, ...)                                                                            \
    do {                                                                                                               \
        (context)->SetTilingKey(GET_TPL_TILING_KEY(__VA_ARGS__));                                                      \
    } while (0)

#endif
