// The floating-point environment.
#ifndef KERNELGEN_STD_FENV_H
#define KERNELGEN_STD_FENV_H
typedef unsigned short fexcept_t;
typedef struct { unsigned state; } fenv_t;
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 1024
#define FE_UPWARD 2048
#define FE_TOWARDZERO 3072
extern "C" {
int feclearexcept(int which);
int feraiseexcept(int which);
int fetestexcept(int which);
int fegetround();
int fesetround(int mode);
int fegetenv(fenv_t *environment);
int fesetenv(const fenv_t *environment);
}
#endif
