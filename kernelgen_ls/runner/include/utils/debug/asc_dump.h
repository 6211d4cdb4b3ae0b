// Dumps of memory from a kernel.
#pragma once
#include "ascendc/language.h"
/// Prints elements at an address, for debugging.
template <typename T> __aicore__ inline void asc_dump(T *input, uint32_t desc, uint32_t dump_size);
template <typename T> __aicore__ inline void asc_dump(__gm__ T *input, uint32_t desc, uint32_t dump_size);
/// Prints a register's elements, for debugging.
template <typename T, typename U> __aicore__ inline void asc_dump(U &input, uint32_t desc, uint32_t dump_size);
template <typename T> __aicore__ inline void asc_dump_gm(__gm__ T *input, uint32_t desc, uint32_t dump_size);
template <typename T> __aicore__ inline void asc_dump_ubuf(T *input, uint32_t desc, uint32_t dump_size);
template <typename T> __aicore__ inline void asc_dump_cbuf(T *input, uint32_t desc, uint32_t dump_size);
template <typename T> __aicore__ inline void asc_dump_l1buf(T *input, uint32_t desc, uint32_t dump_size);
template <typename T, typename U> __aicore__ inline void asc_dump_reg(U &input, uint32_t desc, uint32_t dump_size);
