// Names of types.
#ifndef KERNELGEN_STD_CXXABI_H
#define KERNELGEN_STD_CXXABI_H
#include <stddef.h>
namespace __cxxabiv1 {
extern "C" char *__cxa_demangle(const char *name, char *to, size_t *size, int *status);
}
namespace abi = __cxxabiv1;
#endif
