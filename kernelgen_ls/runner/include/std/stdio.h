// Formatted output and files.
#ifndef KERNELGEN_STD_STDIO_H
#define KERNELGEN_STD_STDIO_H
#include <stddef.h>
#include <stdarg.h>
struct FILE;
extern "C" {
extern FILE *stdout;
extern FILE *stderr;
extern FILE *stdin;
int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int sprintf(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *to, size_t size, const char *format, va_list arguments);
int puts(const char *text);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
size_t fread(void *to, size_t size, size_t count, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
int fflush(FILE *file);
}
#define EOF (-1)
#endif
