// System calls by number.
#ifndef KERNELGEN_STD_SYS_SYSCALL_H
#define KERNELGEN_STD_SYS_SYSCALL_H
#define SYS_getpid 39
#define SYS_gettid 186
#define __NR_gettid 186
#endif
