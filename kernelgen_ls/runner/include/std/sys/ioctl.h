// Control of devices.
#ifndef KERNELGEN_STD_SYS_IOCTL_H
#define KERNELGEN_STD_SYS_IOCTL_H
extern "C" int ioctl(int file, unsigned long request, ...);
#endif
