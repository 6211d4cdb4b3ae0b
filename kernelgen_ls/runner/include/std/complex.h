// Complex numbers.
#ifndef KERNELGEN_STD_COMPLEX_H
#define KERNELGEN_STD_COMPLEX_H
#include <complex>
#endif
