// Time of day.
#ifndef KERNELGEN_STD_TIME_H
#define KERNELGEN_STD_TIME_H
#include <kernelgen_sides.h>
#include <sys/types.h>
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
struct timespec { time_t tv_sec; long tv_nsec; };
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define TIME_UTC 1
KERNELGEN_C {
time_t time(time_t *to);
KERNELGEN_BOTH clock_t clock();
double difftime(time_t end, time_t start);
time_t mktime(struct tm *from);
struct tm *localtime(const time_t *from);
struct tm *localtime_r(const time_t *from, struct tm *to);
struct tm *gmtime(const time_t *from);
struct tm *gmtime_r(const time_t *from, struct tm *to);
char *asctime(const struct tm *from);
char *ctime(const time_t *from);
size_t strftime(char *to, size_t size, const char *format, const struct tm *from);
int clock_gettime(clockid_t clock, struct timespec *to);
int timespec_get(struct timespec *to, int base);
int nanosleep(const struct timespec *wanted, struct timespec *left);
}
#endif
