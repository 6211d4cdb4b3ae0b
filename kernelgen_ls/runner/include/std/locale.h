// Locales of C.
#ifndef KERNELGEN_STD_LOCALE_H
#define KERNELGEN_STD_LOCALE_H
struct lconv { char *decimal_point; char *thousands_sep; };
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_ALL 6
extern "C" {
char *setlocale(int category, const char *name);
struct lconv *localeconv();
}
#endif
