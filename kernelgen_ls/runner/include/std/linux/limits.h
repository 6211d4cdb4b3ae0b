// Limits of the system.
#ifndef KERNELGEN_STD_LINUX_LIMITS_H
#define KERNELGEN_STD_LINUX_LIMITS_H
#define NAME_MAX 255
#define PATH_MAX 4096
#endif
