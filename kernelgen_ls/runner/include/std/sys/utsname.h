// The system's name.
#ifndef KERNELGEN_STD_SYS_UTSNAME_H
#define KERNELGEN_STD_SYS_UTSNAME_H
struct utsname { char sysname[65], nodename[65], release[65], version[65], machine[65]; };
extern "C" int uname(struct utsname *to);
#endif
