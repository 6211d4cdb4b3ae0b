// Qualifiers, chip macros and the constraint macros that the other declarations use.
//
// Everything under ascendc/ declares; nothing here computes. A function with element constraints has a body that only
// states them (ASC_DEFINE, or a static_assert). Where KERNELGEN_TWIN is defined the same declarations are executed:
// twin/state.h gives classes their members (KERNELGEN_STATE) and says what those bodies call (KERNELGEN_EXECUTE,
// KERNELGEN_RUN, KERNELGEN_RUN_CUBE), and twin/bodies.h defines what is only declared.
#ifndef KERNELGEN_ASCENDC_CONFIG_H
#define KERNELGEN_ASCENDC_CONFIG_H

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#ifndef __CCE_AICORE__
#define __CCE_AICORE__ 220
#endif
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif

#ifdef KERNELGEN_TWIN
#include "../twin/state.h"
#else
#define KERNELGEN_STATE(name)
#define KERNELGEN_RUN(name, arguments)
#define KERNELGEN_RUN_CUBE(name, arguments)
#define KERNELGEN_LIMIT(name) T()
#endif
// The compiler's other names of half and bfloat16_t, and its mark of a variable that every core has for itself.
#define __fp16 _Float16
#define __bf16 bfloat16_t
#define __BLOCK_LOCAL__
// KERNELGEN_DEVICE: read by clang with its split of host and device, where what a qualifier forbids is an error.
#ifdef KERNELGEN_DEVICE
#define __aicore__ __attribute__((device))
// Both sides', for the host launches it. One that is the device's alone in clang's words cannot be __aicore__ too.
#define __global__ __attribute__((host, device, annotate("ascendc_entry")))
#define __host_aicore__ __attribute__((host, device))
#define __host__ __attribute__((host))
#define __vector__ __aicore__
#define __cube__ __aicore__
#define __mix__(...) __aicore__
#define __simd_vf__ __aicore__
#define __simd_callee__ __aicore__
#define __simt_vf__ __aicore__
#define __simt_callee__ __aicore__
#define __gm__ __attribute__((address_space(1)))
#else
#ifdef KERNELGEN_TWIN
#define __aicore__ __attribute__((noinline)) // what a function of AscendC was called from is its return address
#else
#define __aicore__
#endif
#define __global__ __attribute__((annotate("ascendc_entry")))
#define __host_aicore__
#define __host__
#define __vector__
#define __cube__
#define __mix__(...)
#define __simd_vf__
#define __simd_callee__
#define __simt_vf__
#define __simt_callee__
#define __gm__
#endif
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __ssbuf__
#define __biasbuf__
#define __kfc_workspace__
/// Where GET_TILING_DATA_PTR_WITH_STRUCT points to.
#define __tiling_data_ptr__ __gm__ const
#define __local_mem__
#define __BLOCK_LOCAL__
#define __forceinline__ inline
#define __inline__ inline
#define __kfc_workspace__
#define __sync_noalias__
#define __sync_alias__
#define __check_sync_alias__
#define __sync_in__
#define __sync_out__
#define __inout_pipe__(...)
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __no_simd_vf_fusion__
#define __kfc_workspace__
#define __schedmode__(...)
#define __launch_bounds__(...)
#define __restrict __restrict__
/// The type of an entry function's parameters: an address in global memory.
#define GM_ADDR __gm__ uint8_t *
#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif
#define PREDICTED_TRUE(x) (x)
#define __kfc_workspace__
/// Loads instructions ahead of time, `len` of 2 KiB each.
#define PRELOAD(len)

/// An address in global memory, as entry functions receive it.
using gm_addr_t = __gm__ uint8_t *;

/// 16-bit floating point, IEEE binary16.
using half = _Float16;
using float16_t = half;
using float32_t = float;
/// 16-bit floating point with the exponent of float. Not on Ascend310P and Ascend910A.
struct bfloat16_t {
    uint16_t bits;
    bfloat16_t() = default;
#ifdef KERNELGEN_TWIN
    template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T> || std::is_same_v<T, half>>> constexpr bfloat16_t(T value) : bits(::kgtwin::bfloat16Bits(static_cast<float>(value))) {}
    constexpr operator float() const { return ::kgtwin::floatOfBfloat16(bits); }
#else
    template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> constexpr bfloat16_t(T value) : bits(value > 0 && value < 65536 ? static_cast<uint16_t>(value) : 0) {}
    constexpr operator float() const { return bits; }
#endif
    template <typename T> bfloat16_t &operator+=(T value);
    template <typename T> bfloat16_t &operator-=(T value);
    template <typename T> bfloat16_t &operator*=(T value);
    template <typename T> bfloat16_t &operator/=(T value);
};
using bfloat16 = bfloat16_t;

/// Four-bit integers, packed two to a byte.
struct int4b_t {
    int8_t pair;
    int4b_t() = default;
    constexpr int4b_t(int8_t value) : pair(value) {}
};
/// One-bit integers, packed eight to a byte.
struct uint1b_t {
    uint8_t octet;
};
struct int2b_t {
    uint8_t quad;
};
/// 8-bit floating point with 4 exponent bits.
struct fp8_e4m3fn_t {
    uint8_t bits;
};
/// 8-bit floating point with 5 exponent bits.
struct fp8_e5m2_t {
    uint8_t bits;
};
/// An 8-bit exponent, the scale of a block.
struct fp8_e8m0_t {
    uint8_t bits;
};
/// 8-bit floating point with a varying split.
struct hifloat8_t {
    uint8_t bits;
};
struct fp4x2_e2m1_t {
    uint8_t bits;
};
struct fp4x2_e1m2_t {
    uint8_t bits;
};
using int4x2_t = int4b_t;
/// What a copy fills with, of the older chips.
enum pad_t { PAD_NONE, PAD_MODE1, PAD_MODE2, PAD_MODE3, PAD_MODE4, PAD_MODE5, PAD_MODE6, PAD_MODE7, PAD_MODE8 };
/// A complex number of two halfs.
struct complex32 {
    half real;
    half imag;
};
/// A complex number of two floats.
struct complex64 {
    float real;
    float imag;
};

namespace AscendC {
using ::bfloat16_t;
using ::half;
using ::int4b_t;
using ::uint1b_t;
using ::int2b_t;
using ::int4x2_t;
using ::pad_t;
using ::fp8_e4m3fn_t;
using ::fp8_e5m2_t;
using ::fp8_e8m0_t;
using ::hifloat8_t;
using ::fp4x2_e2m1_t;
using ::fp4x2_e1m2_t;
using ::complex32;
using ::complex64;
using ::float16_t;
using ::float32_t;

namespace Constraint {
template <typename T, typename... Allowed> constexpr bool isOneOf = (std::is_same_v<T, Allowed> || ...);
template <typename T> constexpr bool always = true;
template <typename T> constexpr bool never = false;
template <int bits, typename T> constexpr bool isWide = sizeof(T) * 8 == bits;
/// The bytes of `count` elements; 0 for what is packed several to a byte.
template <typename T> constexpr uint64_t bytesOf(uint64_t count)
{
    return std::is_arithmetic_v<T> || isOneOf<T, half, bfloat16_t> ? count * sizeof(T) : 0;
}
constexpr uint64_t wider(uint64_t one, uint64_t other) { return one > other ? one : other; }
/// bfloat16_t where the chip has it, a type no tensor has where it does not.
struct Absent {};
#if __CCE_AICORE__ == 200 || __CCE_AICORE__ == 100
using Bf16 = Absent;
#else
using Bf16 = bfloat16_t;
#endif
/// A type without its address space.
template <typename T> struct Bare { using type = std::remove_cv_t<T>; };
#ifdef KERNELGEN_DEVICE
template <typename T> struct Bare<__gm__ T> { using type = std::remove_cv_t<T>; };
template <typename T> struct Bare<const __gm__ T> { using type = std::remove_cv_t<T>; };
template <typename T> struct Bare<volatile __gm__ T> { using type = std::remove_cv_t<T>; };
#endif
template <typename T> using bare = typename Bare<T>::type;
/// Stops template argument deduction: the argument is converted to the type the tensors have.
template <typename T> struct Same { using type = T; };
template <typename T> using same = typename Same<T>::type;
}
}

// Before a function with a body that few kernels call: a template is read from the precompiled header where it is named,
// every other such function with every parse.
#define ASC_LAZY template <int = 0>
// In a list of element types: those that operations take from an instruction set on.
#if __NPU_ARCH__ >= 2002
#define ASC_FROM_2002(...) , __VA_ARGS__
#else
#define ASC_FROM_2002(...)
#endif
#if __NPU_ARCH__ >= 2201
#define ASC_FROM_2201(...) , __VA_ARGS__
#else
#define ASC_FROM_2201(...)
#endif
#if __NPU_ARCH__ >= 3510
#define ASC_FROM_3510(...) , __VA_ARGS__
#else
#define ASC_FROM_3510(...)
#endif

// Before a declaration: the chip lacks the operation, and what to use instead. What newer chips brought is a warning.
#define ASC_ABSENT(name, instead, severity) __attribute__((diagnose_if(true, "not on this chip: " name "; " instead, severity)))
#if __NPU_ARCH__ < 2201
#define ASC_ABSENT_BEFORE_2201(name, instead) ASC_ABSENT(name, instead, "error")
#else
#define ASC_ABSENT_BEFORE_2201(name, instead)
#endif
#if __NPU_ARCH__ < 3510
#define ASC_ABSENT_BEFORE_3510(name, instead) ASC_ABSENT(name, instead, "warning")
#else
#define ASC_ABSENT_BEFORE_3510(name, instead)
#endif

// What a lint says of a call whose arguments are constants: `condition` is over the parameters and is evaluated by the
// front end in every instantiation. The message begins with the lint's code.
#if defined(__clang__) && !defined(KERNELGEN_TWIN)
#define ASC_LINT(condition, said) __attribute__((diagnose_if(condition, said, "warning")))
#else
#define ASC_LINT(condition, said)
#endif
#define ASC_BLOCKS(count, T)                                                                                           \
    ASC_LINT(::AscendC::Constraint::bytesOf<T>(count) % 32 != 0,                                                       \
             "kernel/copy-alignment: DataCopy moves blocks of 32 bytes, and this length is not a whole number of them: " \
             "copy a multiple of 32 bytes, or use DataCopyPad")
#define ASC_MASK(bytes)                                                                                                \
    ASC_LINT(isSetMask && mask > 256 / (bytes),                                                                        \
             "kernel/mask-range: the mask takes more elements than a repeat of this instruction has: 128 of two bytes, " \
             "64 of four")
#define ASC_ROWS(parameters)                                                                                           \
    ASC_LINT(parameters.blockCount > 4095, "kernel/pad-stride: DataCopyPad takes at most 4,095 rows")                  \
    ASC_LINT(parameters.blockLen % sizeof(T) != 0,                                                                     \
             "kernel/pad-stride: blockLen is in bytes, and these are not a whole number of the tensor's elements")

// States which element types `name` takes. The message names the operation and the types.
#define ASC_TAKES(name, T, ...)                                                                                        \
    static_assert(::AscendC::Constraint::isOneOf<T, __VA_ARGS__>, name " takes elements of type " #__VA_ARGS__)

#ifdef KERNELGEN_EXECUTE
#define ASC_DEFINE(name, arguments, T, ...)                                                                            \
    {                                                                                                                  \
        ASC_TAKES(#name, T, __VA_ARGS__);                                                                              \
        KERNELGEN_EXECUTE(name, arguments)                                                                             \
    }
#else
#define ASC_DEFINE(name, arguments, T, ...)                                                                            \
    {                                                                                                                  \
        ASC_TAKES(#name, T, __VA_ARGS__);                                                                              \
    }
#endif

#endif
