// Assertions in a kernel: a condition, and a message where one is wanted.
#pragma once
#include <assert.h>
#undef assert
#define assert(condition, ...) (static_cast<bool>(condition) ? (void)0 : __kernelgen_assert_failed(#condition))
#define ascendc_assert(condition, ...) assert(condition, ##__VA_ARGS__)
