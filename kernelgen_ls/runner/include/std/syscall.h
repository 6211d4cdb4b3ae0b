// System calls by number.
#ifndef KERNELGEN_STD_SYSCALL_H
#define KERNELGEN_STD_SYSCALL_H
#include <sys/syscall.h>
#endif
