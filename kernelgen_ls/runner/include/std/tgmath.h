// Mathematical functions of any type.
#ifndef KERNELGEN_STD_TGMATH_H
#define KERNELGEN_STD_TGMATH_H
#include <cmath>
#include <complex>
#endif
