// Sizes and the null pointer.
#ifndef KERNELGEN_STD_STDDEF_H
#define KERNELGEN_STD_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)
typedef struct { long long align1; long double align2; } max_align_t;
#endif
