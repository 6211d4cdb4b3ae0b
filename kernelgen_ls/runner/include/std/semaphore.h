// Semaphores.
#ifndef KERNELGEN_STD_SEMAPHORE_H
#define KERNELGEN_STD_SEMAPHORE_H
#include <time.h>
typedef struct { long state[4]; } sem_t;
#define SEM_FAILED ((sem_t *)0)
extern "C" {
int sem_init(sem_t *semaphore, int shared, unsigned value);
int sem_destroy(sem_t *semaphore);
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *semaphore);
int sem_unlink(const char *name);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *until);
int sem_post(sem_t *semaphore);
}
#endif
