// assert(), checked for syntax and types.
#ifndef KERNELGEN_STD_ASSERT_H
#define KERNELGEN_STD_ASSERT_H
#include <kernelgen_sides.h>
extern "C" KERNELGEN_BOTH void __kernelgen_assert_failed(const char *expression);
#define assert(...) (static_cast<bool>(__VA_ARGS__) ? (void)0 : __kernelgen_assert_failed(#__VA_ARGS__))
#endif
