// Atomic operations of SIMT threads.
#ifndef KERNELGEN_SIMT_API_DEVICE_ATOMIC_FUNCTIONS_H
#define KERNELGEN_SIMT_API_DEVICE_ATOMIC_FUNCTIONS_H
#include "simt_api/device_types.h"
/// Adds atomically; gives the old value.
template <typename T> __aicore__ inline AscendC::Constraint::bare<T> asc_atomic_add(T *address, AscendC::Constraint::bare<T> val);
#define ASC_ATOMIC(name) template <typename T> __aicore__ inline AscendC::Constraint::bare<T> name(T *address, AscendC::Constraint::bare<T> val);
ASC_ATOMIC(asc_atomic_sub)
ASC_ATOMIC(asc_atomic_exch)
ASC_ATOMIC(asc_atomic_max)
ASC_ATOMIC(asc_atomic_min)
ASC_ATOMIC(asc_atomic_inc)
ASC_ATOMIC(asc_atomic_dec)
ASC_ATOMIC(asc_atomic_and)
ASC_ATOMIC(asc_atomic_or)
ASC_ATOMIC(asc_atomic_xor)
#undef ASC_ATOMIC
/// Writes val where the old value is compare; gives the old value.
template <typename T> __aicore__ inline AscendC::Constraint::bare<T> asc_atomic_cas(T *address, AscendC::Constraint::bare<T> compare, AscendC::Constraint::bare<T> val);
#endif
