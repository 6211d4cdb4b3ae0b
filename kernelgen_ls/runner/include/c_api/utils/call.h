// Types of the C interface, and how its functions are declared: by the kinds of their arguments.
#ifndef KERNELGEN_C_API_UTILS_CALL_H
#define KERNELGEN_C_API_UTILS_CALL_H

#include "ascendc/language.h"
#include "ascendc/threads.h"
#include "c_api/utils/enum.h"
#include "c_api/utils/union.h"

namespace AscendC::CInterface {

struct Register {};
template <typename T> struct RegisterOf : Register {};

/// Kinds of arguments: an address, a vector register, a mask, a register that walks through addresses, a number.
struct address {};
struct reg {};
struct mask {};
struct addr {};
struct number {};
template <typename... kinds> struct Takes {};

}

/// A mask: one bit a byte of a vector register.
struct vector_bool {};
/// A register that walks through addresses.
struct addr_reg {};
using vector_half = AscendC::CInterface::RegisterOf<half>;
using vector_float = AscendC::CInterface::RegisterOf<float>;
using vector_bfloat16_t = AscendC::CInterface::RegisterOf<bfloat16_t>;
using vector_int8_t = AscendC::CInterface::RegisterOf<int8_t>;
using vector_uint8_t = AscendC::CInterface::RegisterOf<uint8_t>;
using vector_int16_t = AscendC::CInterface::RegisterOf<int16_t>;
using vector_uint16_t = AscendC::CInterface::RegisterOf<uint16_t>;
using vector_int32_t = AscendC::CInterface::RegisterOf<int32_t>;
using vector_uint32_t = AscendC::CInterface::RegisterOf<uint32_t>;
using vector_int64_t = AscendC::CInterface::RegisterOf<int64_t>;
using vector_uint64_t = AscendC::CInterface::RegisterOf<uint64_t>;
using vector_int4x2_t = AscendC::CInterface::RegisterOf<int4b_t>;
using vector_fp8_e4m3fn_t = AscendC::CInterface::RegisterOf<fp8_e4m3fn_t>;
using vector_fp8_e5m2_t = AscendC::CInterface::RegisterOf<fp8_e5m2_t>;
using vector_fp8_e8m0_t = AscendC::CInterface::RegisterOf<fp8_e8m0_t>;
using vector_hifloat8_t = AscendC::CInterface::RegisterOf<hifloat8_t>;
using vector_fp4x2_e2m1_t = AscendC::CInterface::RegisterOf<fp4x2_e2m1_t>;
using vector_fp4x2_e1m2_t = AscendC::CInterface::RegisterOf<fp4x2_e1m2_t>;
/// What an unaligned load keeps between two of its parts.
struct vector_load_unalign : AscendC::CInterface::Register {};
/// What an unaligned store keeps between two of its parts.
struct vector_store_unalign : AscendC::CInterface::Register {};

using AscendC::QuantMode_t;
/// How a copy out of L0C converts what was scaled already.
enum class QuantMode_post { NoConv, QF162B8_POST, VQF162B8_POST, QF162S4_POST, VQF162S4_POST, QF162S16_POST, VQF162S16_POST };
/// Patterns of masks: which elements are on.
enum Pat { PAT_ALL, PAT_VL1, PAT_VL2, PAT_VL3, PAT_VL4, PAT_VL8, PAT_VL16, PAT_VL32, PAT_VL64, PAT_VL128, PAT_M3, PAT_M4, PAT_H, PAT_Q, PAT_ALLF };
/// What a memory barrier orders.
enum mem_bar_t { VV_ALL, VST_VLD, VLD_VST, VST_VST, VS_ALL, VST_LD, VLD_ST, VST_ST, SV_ALL, ST_VLD, LD_VST, ST_VST };

namespace AscendC::CInterface {

template <typename A> struct KindOf {
    using type = std::conditional_t<std::is_pointer_v<A> || std::is_null_pointer<A>::value, address, std::conditional_t<std::is_base_of_v<Register, A>, reg, number>>;
};
template <> struct KindOf<vector_bool> { using type = mask; };
template <> struct KindOf<addr_reg> { using type = addr; };

template <typename... A> using Given = Takes<typename KindOf<A>::type...>;

}

#define ASC_CALL(name, R, ...)                                                                                         \
    template <typename... A> __aicore__ inline R name(A... arguments)                                                  \
    {                                                                                                                  \
        using namespace AscendC::CInterface;                                                                           \
        static_assert(AscendC::Constraint::isOneOf<Given<A...>, __VA_ARGS__>, #name ": " #__VA_ARGS__);                  \
        return R();                                                                                                    \
    }

#endif
