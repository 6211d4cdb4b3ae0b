// Character classes.
#ifndef KERNELGEN_STD_CTYPE_H
#define KERNELGEN_STD_CTYPE_H
extern "C" {
int isalnum(int c);
int isalpha(int c);
int isblank(int c);
int iscntrl(int c);
int isdigit(int c);
int isgraph(int c);
int islower(int c);
int isprint(int c);
int ispunct(int c);
int isspace(int c);
int isupper(int c);
int isxdigit(int c);
int toupper(int c);
int tolower(int c);
}
#endif
