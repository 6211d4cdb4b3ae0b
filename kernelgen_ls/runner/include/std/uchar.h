// Characters of UTF-16 and UTF-32.
#ifndef KERNELGEN_STD_UCHAR_H
#define KERNELGEN_STD_UCHAR_H
#include <stddef.h>
typedef struct { int state[2]; } mbstate_t;
extern "C" {
size_t mbrtoc16(char16_t *to, const char *from, size_t size, mbstate_t *state);
size_t c16rtomb(char *to, char16_t c, mbstate_t *state);
size_t mbrtoc32(char32_t *to, const char *from, size_t size, mbstate_t *state);
size_t c32rtomb(char *to, char32_t c, mbstate_t *state);
}
#endif
