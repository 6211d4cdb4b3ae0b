// Error numbers.
#ifndef KERNELGEN_STD_ERRNO_H
#define KERNELGEN_STD_ERRNO_H
extern "C" int *__kernelgen_errno();
#define errno (*__kernelgen_errno())
#endif
