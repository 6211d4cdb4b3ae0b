// Allocation, conversion, process.
#ifndef KERNELGEN_STD_STDLIB_H
#define KERNELGEN_STD_STDLIB_H
#include <stddef.h>
extern "C" {
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *memory, size_t bytes);
void free(void *memory);
[[noreturn]] void exit(int code);
[[noreturn]] void abort();
int atoi(const char *text);
long atol(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
double strtod(const char *text, char **end);
char *getenv(const char *name);
int rand();
void srand(unsigned seed);
int abs(int x);
long labs(long x);
}
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#endif
