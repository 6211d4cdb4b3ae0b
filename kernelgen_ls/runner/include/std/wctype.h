// Classes of wide characters.
#ifndef KERNELGEN_STD_WCTYPE_H
#define KERNELGEN_STD_WCTYPE_H
typedef unsigned int wint_t;
extern "C" {
int iswalnum(wint_t c);
int iswalpha(wint_t c);
int iswdigit(wint_t c);
int iswspace(wint_t c);
wint_t towlower(wint_t c);
wint_t towupper(wint_t c);
}
#endif
