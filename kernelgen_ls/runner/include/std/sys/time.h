// Time of day in microseconds.
#ifndef KERNELGEN_STD_SYS_TIME_H
#define KERNELGEN_STD_SYS_TIME_H
#include <time.h>
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct timezone { int tz_minuteswest, tz_dsttime; };
extern "C" {
int gettimeofday(struct timeval *to, void *zone);
int utimes(const char *path, const struct timeval times[2]);
}
#endif
