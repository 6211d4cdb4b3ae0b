// Memory and C strings.
#ifndef KERNELGEN_STD_MEMORY_H
#define KERNELGEN_STD_MEMORY_H
#include <string.h>
#endif
