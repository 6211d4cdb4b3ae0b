// Small vectors of SIMT functions, and what makes them.
#ifndef KERNELGEN_SIMT_API_DEVICE_TYPES_H
#define KERNELGEN_SIMT_API_DEVICE_TYPES_H
#include "ascendc/threads.h"
#define ASC_VECTORS(name, T)                                                                                           \
    struct name##2 { T x, y; };                                                                                        \
    struct name##3 { T x, y, z; };                                                                                     \
    struct name##4 { T x, y, z, w; };                                                                                  \
    __aicore__ inline name##2 make_##name##2(T x, T y);                                                                \
    __aicore__ inline name##3 make_##name##3(T x, T y, T z);                                                           \
    __aicore__ inline name##4 make_##name##4(T x, T y, T z, T w);
ASC_VECTORS(char, signed char)
ASC_VECTORS(uchar, unsigned char)
ASC_VECTORS(short, short)
ASC_VECTORS(ushort, unsigned short)
ASC_VECTORS(int, int)
ASC_VECTORS(uint, unsigned int)
ASC_VECTORS(long, long)
ASC_VECTORS(ulong, unsigned long)
ASC_VECTORS(longlong, long long)
ASC_VECTORS(ulonglong, unsigned long long)
ASC_VECTORS(float, float)
#undef ASC_VECTORS
/// Two halfs.
struct half2 { half x, y; };
/// Two bfloat16_t.
struct bfloat16x2_t { bfloat16_t x, y; };
struct hifloat8x2_t { uint8_t x, y; };
struct float8_e4m3x2_t { uint8_t x, y; };
struct float8_e5m2x2_t { uint8_t x, y; };
#endif
