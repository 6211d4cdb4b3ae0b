// Scheduling.
#ifndef KERNELGEN_STD_SCHED_H
#define KERNELGEN_STD_SCHED_H
#include <sys/types.h>
typedef struct { unsigned long bits[16]; } cpu_set_t;
struct sched_param { int sched_priority; };
#define CPU_SETSIZE 1024
#define CPU_ZERO(set) ((void)(*(set) = cpu_set_t{}))
#define CPU_SET(cpu, set) ((set)->bits[(cpu) / 64] |= 1ul << (cpu) % 64)
#define CPU_ISSET(cpu, set) (((set)->bits[(cpu) / 64] >> (cpu) % 64 & 1) != 0)
extern "C" {
int sched_yield();
int sched_getcpu();
int sched_setaffinity(pid_t process, size_t bytes, const cpu_set_t *set);
int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set);
}
#endif
