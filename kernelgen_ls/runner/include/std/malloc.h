// Allocation.
#ifndef KERNELGEN_STD_MALLOC_H
#define KERNELGEN_STD_MALLOC_H
#include <stdlib.h>
extern "C" {
void *memalign(size_t alignment, size_t bytes);
size_t malloc_usable_size(void *memory);
int malloc_trim(size_t kept);
}
#endif
