// Comparisons that ignore case.
#ifndef KERNELGEN_STD_STRINGS_H
#define KERNELGEN_STD_STRINGS_H
#include <stddef.h>
extern "C" {
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t length);
void bzero(void *memory, size_t bytes);
}
#endif
