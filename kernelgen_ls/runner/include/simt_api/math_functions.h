// Mathematical functions of SIMT threads, beside those of C.
#ifndef KERNELGEN_SIMT_API_MATH_FUNCTIONS_H
#define KERNELGEN_SIMT_API_MATH_FUNCTIONS_H
#include <cmath>
#include <cstdlib>
#include "ascendc/scalar.h"
#include "simt_api/device_types.h"
#include "simt_api/math_constants.h"
#define ASC_OF_ONE(name) __aicore__ inline float name(float x);
#define ASC_OF_TWO(name) __aicore__ inline float name(float x, float y);
ASC_OF_ONE(rsqrtf)
ASC_OF_ONE(rcbrtf)
ASC_OF_ONE(exp10f)
ASC_OF_ONE(tanpif)
ASC_OF_ONE(cospif)
ASC_OF_ONE(sinpif)
ASC_OF_ONE(erfinvf)
ASC_OF_ONE(erfcinvf)
ASC_OF_ONE(erfcxf)
ASC_OF_ONE(normcdff)
ASC_OF_ONE(normcdfinvf)
ASC_OF_ONE(cyl_bessel_i0f)
ASC_OF_ONE(cyl_bessel_i1f)
ASC_OF_ONE(j0f)
ASC_OF_ONE(j1f)
ASC_OF_ONE(y0f)
ASC_OF_ONE(y1f)
ASC_OF_TWO(rhypotf)
ASC_OF_TWO(fdividef)
#undef ASC_OF_ONE
#undef ASC_OF_TWO
__aicore__ inline float jnf(int n, float x);
__aicore__ inline float ynf(int n, float x);
__aicore__ inline float scalblnf(float x, int64_t n);
__aicore__ inline float norm3df(float a, float b, float c);
__aicore__ inline float rnorm3df(float a, float b, float c);
__aicore__ inline float norm4df(float a, float b, float c, float d);
__aicore__ inline float rnorm4df(float a, float b, float c, float d);
__aicore__ inline float normf(int n, float *a);
__aicore__ inline float rnormf(int n, float *a);
/// The sine and the cosine of an angle.
__aicore__ inline void sincosf(float x, float *s, float *c);
__aicore__ inline void sincospif(float x, float *s, float *c);
__aicore__ inline long long llmax(long long x, long long y);
__aicore__ inline long long llmin(long long x, long long y);
__aicore__ inline unsigned long long ullmax(unsigned long long x, unsigned long long y);
__aicore__ inline unsigned long long ullmin(unsigned long long x, unsigned long long y);
__aicore__ inline unsigned umax(unsigned x, unsigned y);
__aicore__ inline unsigned umin(unsigned x, unsigned y);
template <typename T, typename U, typename = std::enable_if_t<!std::is_same_v<T, U>>> constexpr std::common_type_t<T, U> min(T x, U y) { return y < x ? y : x; }
template <typename T, typename U, typename = std::enable_if_t<!std::is_same_v<T, U>>> constexpr std::common_type_t<T, U> max(T x, U y) { return x < y ? y : x; }
#endif
