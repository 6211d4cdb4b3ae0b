// Limits and use of resources.
#ifndef KERNELGEN_STD_SYS_RESOURCE_H
#define KERNELGEN_STD_SYS_RESOURCE_H
#include <sys/time.h>
struct rlimit { unsigned long rlim_cur, rlim_max; };
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss; };
#define RLIMIT_STACK 3
#define RLIMIT_NOFILE 7
#define RLIMIT_AS 9
#define RUSAGE_SELF 0
extern "C" {
int getrlimit(int resource, struct rlimit *to);
int setrlimit(int resource, const struct rlimit *from);
int getrusage(int who, struct rusage *to);
int getpriority(int which, unsigned who);
int setpriority(int which, unsigned who, int value);
}
#endif
