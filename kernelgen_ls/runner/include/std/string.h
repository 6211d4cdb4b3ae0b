// Memory and C strings.
#ifndef KERNELGEN_STD_STRING_H
#define KERNELGEN_STD_STRING_H
#include <kernelgen_sides.h>
#include <stddef.h>
KERNELGEN_C {
KERNELGEN_BOTH void *memcpy(void *to, const void *from, size_t bytes);
KERNELGEN_BOTH void *memmove(void *to, const void *from, size_t bytes);
KERNELGEN_BOTH void *memset(void *to, int value, size_t bytes);
KERNELGEN_BOTH int memcmp(const void *a, const void *b, size_t bytes);
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
char *strtok_r(char *text, const char *separators, char **rest);
char *strncat(char *to, const char *from, size_t length);
char *strdup(const char *text);
char *strndup(const char *text, size_t length);
size_t strnlen(const char *text, size_t length);
size_t strspn(const char *text, const char *characters);
size_t strcspn(const char *text, const char *characters);
const char *strpbrk(const char *text, const char *characters);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t length);
int strcoll(const char *a, const char *b);
const void *memchr(const void *memory, int c, size_t bytes);
char *strerror(int code);
char *strsignal(int number);
}
char *strstr(char *text, const char *part);
char *strchr(char *text, int c);
char *strrchr(char *text, int c);
char *strpbrk(char *text, const char *characters);
void *memchr(void *memory, int c, size_t bytes);
#endif
