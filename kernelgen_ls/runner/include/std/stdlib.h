// Allocation, conversion, process.
#ifndef KERNELGEN_STD_STDLIB_H
#define KERNELGEN_STD_STDLIB_H
#include <kernelgen_sides.h>
#include <stddef.h>
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
KERNELGEN_C {
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *memory, size_t bytes);
void free(void *memory);
[[noreturn]] void exit(int code);
[[noreturn]] KERNELGEN_BOTH void abort();
int system(const char *command);
int atexit(void (*function)());
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
char *realpath(const char *path, char *to);
int mkstemp(char *pattern);
char *mkdtemp(char *pattern);
void *aligned_alloc(size_t alignment, size_t bytes);
int posix_memalign(void **to, size_t alignment, size_t bytes);
[[noreturn]] void _Exit(int code);
[[noreturn]] void quick_exit(int code);
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
float strtof(const char *text, char **end);
double strtod(const char *text, char **end);
char *getenv(const char *name);
int rand();
void srand(unsigned seed);
void qsort(void *first, size_t count, size_t bytes, int (*order)(const void *, const void *));
void *bsearch(const void *key, const void *first, size_t count, size_t bytes, int (*order)(const void *, const void *));
int rand_r(unsigned *seed);
div_t div(int x, int y);
KERNELGEN_BOTH int abs(int x);
KERNELGEN_BOTH long long llabs(long long x);
KERNELGEN_BOTH long labs(long x);
}
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#endif
