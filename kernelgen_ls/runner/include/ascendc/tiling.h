// How a kernel reads its tiling data and says what it is.
//
// The structures come from the operator's host code. Where that is at hand the check defines them before this file is
// read, names the registered one KERNELGEN_TILING_STRUCT, and GET_TILING_DATA uses it. Where it is not, the members of
// the tiling data are unknown: KernelgenUnknownTiling stands for them and what is said about it is never an error.
#ifndef KERNELGEN_ASCENDC_TILING_H
#define KERNELGEN_ASCENDC_TILING_H

#include "config.h"

struct KernelgenUnknownTiling {};
#ifndef KERNELGEN_TILING_STRUCT
#define KERNELGEN_TILING_STRUCT KernelgenUnknownTiling
#endif
#ifndef TILING_KEY_VAR
#define TILING_KEY_VAR 0
#endif
#ifndef KERNELGEN_SELECTS_TILING
#define KERNELGEN_SELECTS_TILING false
#endif
extern uint64_t kernelgenTilingKey;
template <typename... Keys> __aicore__ inline bool KernelgenTilingKeyIsOneOf(Keys... keys) { return ((kernelgenTilingKey == static_cast<uint64_t>(keys)) || ...); }

// REGISTER_TILING_DEFAULT hides this name with an alias in the entry function. What a combination of template arguments
// selects comes before that, what the host registers after it.
struct KernelgenNothingRegistered {};
using KernelgenRegisteredTiling = KernelgenNothingRegistered;
template <bool selects, typename Registered, typename Host> using KernelgenTiling = std::conditional_t<selects || std::is_same_v<Registered, KernelgenNothingRegistered>, Host, Registered>;

/// Declares `tiling_data` and fills it from the entry function's tiling address.
#define GET_TILING_DATA(tiling_data, tiling_arg)                                                                       \
    ::KernelgenTiling<KERNELGEN_SELECTS_TILING, KernelgenRegisteredTiling, KERNELGEN_TILING_STRUCT> tiling_data;                                                                               \
    ::KernelgenReadTiling(&tiling_data, tiling_arg)
/// Declares `tiling_data` of a stated structure and fills it from the entry function's tiling address.
#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, tiling_data, tiling_arg)                                            \
    tiling_struct tiling_data;                                                                                         \
    ::KernelgenReadTiling(&tiling_data, tiling_arg)
/// Declares `var` as one member of a tiling structure and fills it.
#define GET_TILING_DATA_MEMBER(tiling_struct, member, var, tiling_arg)                                                 \
    decltype(tiling_struct::member) var;                                                                               \
    ::KernelgenReadTiling(&var, (const volatile __gm__ uint8_t *)(tiling_arg) + offsetof(tiling_struct, member))
/// Declares a pointer to the tiling data in global memory.
#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, dst_ptr, tiling_ptr)                                            \
    const __gm__ tiling_struct *dst_ptr = ::KernelgenTilingAt<tiling_struct>(tiling_ptr)
/// Copies a part of the tiling data from global memory.
#define COPY_TILING_WITH_STRUCT(tiling_struct, src_ptr, dst_ptr)                                                       \
    tiling_struct kernelgenCopyOf_##dst_ptr;                                                                           \
    ::KernelgenReadTiling(&kernelgenCopyOf_##dst_ptr, src_ptr);                                                        \
    const tiling_struct *dst_ptr = &kernelgenCopyOf_##dst_ptr
#define COPY_TILING_WITH_ARRAY(arr_type, arr_count, src_ptr, dst_ptr)                                                  \
    arr_type kernelgenCopyOf_##dst_ptr[arr_count];                                                                     \
    ::KernelgenReadTiling(&kernelgenCopyOf_##dst_ptr, src_ptr);                                                        \
    const arr_type(*dst_ptr)[arr_count] = &kernelgenCopyOf_##dst_ptr
/// Says which structure GET_TILING_DATA uses.
#define REGISTER_TILING_DEFAULT(tiling_struct) using KernelgenRegisteredTiling = tiling_struct
/// Says which structure GET_TILING_DATA uses for some tiling keys.
#define REGISTER_TILING_FOR_TILINGKEY(expression, tiling_struct) static_assert(sizeof(tiling_struct) > 0, "")
#define REGISTER_NONE_TILING static_assert(true, "")
#define KERNELGEN_REGISTERS_TILING
/// Whether the kernel runs with tiling key `k`.
#define TILING_KEY_IS(k) (::kernelgenTilingKey == static_cast<uint64_t>(k))
/// Whether the kernel runs with one of several tiling keys.
#define TILING_KEY_LIST(...) ::KernelgenTilingKeyIsOneOf(__VA_ARGS__)
/// Says which cores a kernel runs on, for one tiling key or for all.
#define KERNEL_TASK_TYPE(key, value) ::KernelgenTaskType(key, ::AscendC::value);
/// Says which cores a kernel runs on.
#define KERNEL_TASK_TYPE_DEFAULT(value) ::KernelgenTaskType(0, ::AscendC::value);

template <typename T> __aicore__ inline void KernelgenReadTiling(T *data, const volatile __gm__ void *tiling);
template <typename T> __aicore__ inline const __gm__ T *KernelgenTilingAt(const volatile __gm__ void *tiling);
template <typename T> __aicore__ inline void KernelgenTaskType(uint64_t key, T type);

/// Runs a statement on one kind of core only.
#define ASCEND_IS_AIC constexpr(::kernelgenIsCube)
/// Runs a statement on vector cores only.
#define ASCEND_IS_AIV constexpr(::kernelgenIsVector)
#define ASCEND_IS_NOT_AIC constexpr(::kernelgenIsVector)
#define ASCEND_IS_NOT_AIV constexpr(::kernelgenIsCube)
#ifdef KERNELGEN_TWIN
constexpr bool kernelgenIsCube = (KERNELGEN_TWIN & 1) != 0;
constexpr bool kernelgenIsVector = (KERNELGEN_TWIN & 2) != 0;
constexpr int g_coreType = KERNELGEN_TWIN;
#else
constexpr bool kernelgenIsCube = true;
constexpr bool kernelgenIsVector = true;
constexpr int g_coreType = 3;
#endif

/// Checks of the debug build; nothing in the others.
#define ASSERT(...)
#define ASSERT_MSG(...)
/// Checks of the debug build; nothing in the others.
#define ASCENDC_ASSERT(...)
/// Checks of the debug build; nothing in the others.
#define ascendc_assert(...)
#define ASCENDC_DEBUG_ASSERT(...)
#define KERNEL_LOG(...)
#define KERNEL_LOG_INTERNAL(...)
#define ASCENDC_REPORT_NOT_SUPPORT(...)
#define VALUE_OUT_OF_RANGE(...)
#define OOMCheckAddrRange(...)
/// Runs a kernel on the CPU, in the CPU debugging mode.
#define ICPU_RUN_KF(function, blocks, ...) function(__VA_ARGS__)
#define ICPU_SET_TILING_KEY(key) ((void)(key))

namespace AscendC {
/// Allocates shared memory for the CPU debugging mode.
void *GmAlloc(size_t size);
/// Frees memory of GmAlloc.
void GmFree(void *address);
/// How ICPU_RUN_KF runs cores.
enum class KernelMode : uint8_t { MIX_MODE, AIC_MODE, AIV_MODE, MIX_AIC_1_1 };
/// How ICPU_RUN_KF runs cores.
void SetKernelMode(KernelMode mode);
}

#endif
