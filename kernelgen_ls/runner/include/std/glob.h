// Files by pattern.
#ifndef KERNELGEN_STD_GLOB_H
#define KERNELGEN_STD_GLOB_H
#include <stddef.h>
typedef struct { size_t gl_pathc; char **gl_pathv; size_t gl_offs; } glob_t;
#define GLOB_NOSORT 4
extern "C" {
int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *to);
void globfree(glob_t *list);
}
#endif
