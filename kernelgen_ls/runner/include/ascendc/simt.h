// SIMT functions of Ascend 950 in AscendC's own names: threads, atomic operations, warps, mathematics of one element.
#ifndef KERNELGEN_ASCENDC_SIMT_H
#define KERNELGEN_ASCENDC_SIMT_H

#include "threads.h"
#include "types.h"

namespace AscendC {
namespace Simt {

/// The extent of a call of a SIMT function.
using Dim3 = ::dim3;
/// Whether a conversion saturates.
enum class SatMode { NO_SAT = 0, SAT };

/// Calls a SIMT function with `threadNums` threads.
template <auto function, typename... Arguments> __aicore__ inline void VF_CALL(Dim3 threadNums, Arguments &&...arguments);
/// How many threads run in step.
__aicore__ inline int32_t GetWarpSize();
/// How many threads there are in a dimension.
template <int32_t dim = 0> __aicore__ inline uint32_t GetThreadNum();
/// The number of this thread in a dimension.
template <int32_t dim = 0> __aicore__ inline uint32_t GetThreadIdx();
/// The number of this block.
__aicore__ inline uint32_t GetBlockIdx();
/// How many blocks there are.
__aicore__ inline uint32_t GetBlockNum();
/// Waits for all threads of the block.
__aicore__ inline void ThreadBarrier();
/// Orders this thread's memory accesses.
__aicore__ inline void ThreadFence();
/// Prints from a thread.
template <typename... Arguments> __aicore__ inline void PRINTF(const char *format, Arguments &&...arguments);

/// Adds atomically; gives the old value.
template <typename T> __aicore__ inline Constraint::bare<T> AtomicAdd(T *address, Constraint::bare<T> val);
#define ASC_ATOMIC(name) template <typename T> __aicore__ inline Constraint::bare<T> name(T *address, Constraint::bare<T> val);
ASC_ATOMIC(AtomicSub)
ASC_ATOMIC(AtomicExch)
ASC_ATOMIC(AtomicMax)
ASC_ATOMIC(AtomicMin)
ASC_ATOMIC(AtomicInc)
ASC_ATOMIC(AtomicDec)
ASC_ATOMIC(AtomicAnd)
ASC_ATOMIC(AtomicOr)
ASC_ATOMIC(AtomicXor)
#undef ASC_ATOMIC
/// Writes val where the old value is compare; gives the old value.
template <typename T> __aicore__ inline Constraint::bare<T> AtomicCas(T *address, Constraint::bare<T> compare, Constraint::bare<T> val);

/// Whether the predicate holds for all threads of the warp.
__aicore__ inline int32_t WarpAllSync(int32_t predicate);
/// Whether the predicate holds for any thread of the warp.
__aicore__ inline int32_t WarpAnySync(int32_t predicate);
__aicore__ inline int32_t Uni(int32_t predicate);
/// For which threads of the warp the predicate holds, a bit each.
__aicore__ inline uint32_t WarpBallotSync(int32_t predicate);
__aicore__ inline uint32_t WarpActiveMask();
/// The value of `var` in another thread of the warp.
template <typename T> __aicore__ inline T WarpShflSync(T var, int32_t srcLane, int32_t width = warpSize);
template <typename T> __aicore__ inline T WarpShflUpSync(T var, uint32_t delta, int32_t width = warpSize);
template <typename T> __aicore__ inline T WarpShflDownSync(T var, uint32_t delta, int32_t width = warpSize);
template <typename T> __aicore__ inline T WarpShflXorSync(T var, int32_t laneMask, int32_t width = warpSize);
/// The sum of `val` over the threads of the warp.
template <typename T> __aicore__ inline T WarpReduceAddSync(T val);
template <typename T> __aicore__ inline T WarpReduceMaxSync(T val);
template <typename T> __aicore__ inline T WarpReduceMinSync(T val);

/// A dividend divided by what `magic` and `shift` stand for: GetUintDivMagicAndShift makes them.
template <typename T> __aicore__ inline T UintDiv(T dividend, Constraint::same<T> magic, Constraint::same<T> shift);
/// Another type's value.
template <typename T, typename U, RoundMode mode = RoundMode::CAST_RINT, SatMode saturates = SatMode::NO_SAT> __aicore__ inline T Cast(U x);
template <typename T> __aicore__ inline bool IsFinite(T x);
template <typename T> __aicore__ inline bool IsNan(T x);
template <typename T> __aicore__ inline bool IsInf(T x);
template <typename T> __aicore__ inline int32_t Clz(T x);
template <typename T> __aicore__ inline int32_t Popc(T x);
template <typename T> __aicore__ inline int32_t Ffs(T x);
template <typename T> __aicore__ inline int Ilogb(T x);
template <typename T> __aicore__ inline T Fma(T x, T y, T z);
template <typename T> __aicore__ inline T BytePerm(T x, T y, T s);
template <typename T, typename U> __aicore__ inline T RemQuo(T x, T y, U *quo);
template <typename T, typename U> __aicore__ inline T ScaLbn(T x, U n);
template <typename T, typename U> __aicore__ inline T Frexp(T x, U &exp);
template <typename T, typename U> __aicore__ inline T Ldexp(T x, U exp);
template <typename T> __aicore__ inline void Sincos(T x, T &s, T &c);
template <typename T> __aicore__ inline void Sincospi(T x, T &s, T &c);
template <typename T> __aicore__ inline T Norm3d(T a, T b, T c);
template <typename T> __aicore__ inline T Rnorm3d(T a, T b, T c);
template <typename T> __aicore__ inline T Norm4d(T a, T b, T c, T d);
template <typename T> __aicore__ inline T Rnorm4d(T a, T b, T c, T d);
template <typename T, typename U> __aicore__ inline U Norm(T n, U *a);
template <typename T, typename U> __aicore__ inline U Rnorm(T n, U *a);
template <typename T, typename U> __aicore__ inline U Jn(T n, U x);
template <typename T, typename U> __aicore__ inline U Yn(T n, U x);

#define ASC_OF_ONE(name) template <typename T> __aicore__ inline T name(T x);
ASC_OF_ONE(Abs)
ASC_OF_ONE(Round)
ASC_OF_ONE(Rint)
ASC_OF_ONE(Floor)
ASC_OF_ONE(Ceil)
ASC_OF_ONE(Trunc)
ASC_OF_ONE(NearbyInt)
ASC_OF_ONE(Brev)
ASC_OF_ONE(Tan)
ASC_OF_ONE(Tanh)
ASC_OF_ONE(Tanpi)
ASC_OF_ONE(Atan)
ASC_OF_ONE(Atanh)
ASC_OF_ONE(Cos)
ASC_OF_ONE(Cosh)
ASC_OF_ONE(Cospi)
ASC_OF_ONE(Asin)
ASC_OF_ONE(Asinh)
ASC_OF_ONE(Acos)
ASC_OF_ONE(Acosh)
ASC_OF_ONE(Sin)
ASC_OF_ONE(Sinh)
ASC_OF_ONE(Sinpi)
ASC_OF_ONE(Exp)
ASC_OF_ONE(Exp2)
ASC_OF_ONE(Exp10)
ASC_OF_ONE(Expm1)
ASC_OF_ONE(Sqrt)
ASC_OF_ONE(Rsqrt)
ASC_OF_ONE(Log)
ASC_OF_ONE(Log2)
ASC_OF_ONE(Log10)
ASC_OF_ONE(Log1p)
ASC_OF_ONE(Logb)
ASC_OF_ONE(Cbrt)
ASC_OF_ONE(Rcbrt)
ASC_OF_ONE(Erf)
ASC_OF_ONE(Erfc)
ASC_OF_ONE(Erfinv)
ASC_OF_ONE(Erfcinv)
ASC_OF_ONE(Erfcx)
ASC_OF_ONE(Tgamma)
ASC_OF_ONE(Lgamma)
ASC_OF_ONE(CylBesselI0)
ASC_OF_ONE(CylBesselI1)
ASC_OF_ONE(Normcdf)
ASC_OF_ONE(J0)
ASC_OF_ONE(J1)
ASC_OF_ONE(Y0)
ASC_OF_ONE(Y1)
#undef ASC_OF_ONE
#define ASC_OF_TWO(name) template <typename T> __aicore__ inline T name(T x, T y);
ASC_OF_TWO(Max)
ASC_OF_TWO(Min)
ASC_OF_TWO(Fdim)
ASC_OF_TWO(Mod)
ASC_OF_TWO(Remainder)
ASC_OF_TWO(CopySign)
ASC_OF_TWO(NextAfter)
ASC_OF_TWO(MulHi)
ASC_OF_TWO(Atan2)
ASC_OF_TWO(Hypot)
ASC_OF_TWO(Rhypot)
ASC_OF_TWO(Pow)
#undef ASC_OF_TWO

}
}

#endif
