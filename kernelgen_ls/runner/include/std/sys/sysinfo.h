// Memory and processors of the machine.
#ifndef KERNELGEN_STD_SYS_SYSINFO_H
#define KERNELGEN_STD_SYS_SYSINFO_H
struct sysinfo { long uptime; unsigned long loads[3], totalram, freeram; };
extern "C" {
int sysinfo(struct sysinfo *to);
int get_nprocs();
}
#endif
