// Wide characters.
#ifndef KERNELGEN_STD_WCHAR_H
#define KERNELGEN_STD_WCHAR_H
#include <stddef.h>
#include <uchar.h>
#include <wctype.h>
extern "C" {
size_t wcslen(const wchar_t *text);
int wcscmp(const wchar_t *a, const wchar_t *b);
wchar_t *wcscpy(wchar_t *to, const wchar_t *from);
wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *wcscat(wchar_t *to, const wchar_t *from);
long wcstol(const wchar_t *text, wchar_t **end, int base);
size_t wcstombs(char *to, const wchar_t *from, size_t size);
size_t mbstowcs(wchar_t *to, const char *from, size_t size);
int wprintf(const wchar_t *format, ...);
}
#endif
