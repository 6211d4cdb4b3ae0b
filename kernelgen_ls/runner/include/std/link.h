// Loaded libraries.
#ifndef KERNELGEN_STD_LINK_H
#define KERNELGEN_STD_LINK_H
#include <stddef.h>
struct dl_phdr_info { unsigned long dlpi_addr; const char *dlpi_name; };
extern "C" int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data);
#endif
