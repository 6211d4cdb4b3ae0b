// Memory and C strings.
#ifndef KERNELGEN_STD_STRING_H
#define KERNELGEN_STD_STRING_H
#include <stddef.h>
extern "C" {
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t length);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t length);
char *strcat(char *to, const char *from);
const char *strstr(const char *text, const char *part);
const char *strchr(const char *text, int c);
const char *strrchr(const char *text, int c);
char *strtok(char *text, const char *separators);
char *strerror(int code);
}
#endif
