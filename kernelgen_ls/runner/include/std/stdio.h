// Formatted output and files.
#ifndef KERNELGEN_STD_STDIO_H
#define KERNELGEN_STD_STDIO_H
#include <kernelgen_sides.h>
#include <stddef.h>
#include <stdarg.h>
struct FILE;
KERNELGEN_C {
extern FILE *stdout;
extern FILE *stderr;
extern FILE *stdin;
KERNELGEN_BOTH int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int sprintf(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *to, size_t size, const char *format, va_list arguments);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *file, const char *format, va_list arguments);
int vsprintf(char *to, const char *format, va_list arguments);
int scanf(const char *format, ...);
int sscanf(const char *from, const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int puts(const char *text);
int putchar(int c);
int getchar();
int fputs(const char *text, FILE *file);
int fputc(int c, FILE *file);
int putc(int c, FILE *file);
int fgetc(FILE *file);
int getc(FILE *file);
char *fgets(char *to, int size, FILE *file);
int ungetc(int c, FILE *file);
long getline(char **to, size_t *size, FILE *file);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
size_t fread(void *to, size_t size, size_t count, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
int fflush(FILE *file);
int fseek(FILE *file, long offset, int from);
long ftell(FILE *file);
void rewind(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
int fileno(FILE *file);
FILE *fdopen(int file, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *file);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);
FILE *tmpfile();
int remove(const char *path);
int rename(const char *from, const char *to);
void perror(const char *text);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
void setbuf(FILE *file, char *buffer);
}
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define BUFSIZ 8192
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define FILENAME_MAX 4096
#define stdin stdin
#define stdout stdout
#define stderr stderr
#endif
