// What a process asks of the system.
#ifndef KERNELGEN_STD_SYS_PRCTL_H
#define KERNELGEN_STD_SYS_PRCTL_H
#define PR_SET_NAME 15
extern "C" int prctl(int option, ...);
#endif
