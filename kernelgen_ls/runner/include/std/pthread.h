// Threads of the system.
#ifndef KERNELGEN_STD_PTHREAD_H
#define KERNELGEN_STD_PTHREAD_H
#include <sched.h>
#include <time.h>
typedef unsigned long pthread_t;
typedef unsigned pthread_key_t;
typedef int pthread_once_t;
typedef struct { long state[8]; } pthread_attr_t;
typedef struct { long state[5]; } pthread_mutex_t;
typedef struct { int state; } pthread_mutexattr_t;
typedef struct { long state[6]; } pthread_cond_t;
typedef struct { int state; } pthread_condattr_t;
typedef struct { long state[7]; } pthread_rwlock_t;
typedef struct { long state[4]; } pthread_barrier_t;
#define PTHREAD_MUTEX_INITIALIZER {}
#define PTHREAD_COND_INITIALIZER {}
#define PTHREAD_ONCE_INIT 0
extern "C" {
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
pthread_t pthread_self();
[[noreturn]] void pthread_exit(void *result);
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
int pthread_once(pthread_once_t *once, void (*function)());
int pthread_setname_np(pthread_t thread, const char *name);
int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);
int pthread_barrier_init(pthread_barrier_t *barrier, const void *attributes, unsigned count);
int pthread_barrier_wait(pthread_barrier_t *barrier);
int pthread_key_create(pthread_key_t *key, void (*destroy)(void *));
void *pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);
}
#endif
