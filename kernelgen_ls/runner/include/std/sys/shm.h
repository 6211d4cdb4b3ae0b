// Shared memory.
#ifndef KERNELGEN_STD_SYS_SHM_H
#define KERNELGEN_STD_SYS_SHM_H
#include <sys/types.h>
#define IPC_CREAT 01000
#define IPC_PRIVATE 0
#define IPC_RMID 0
extern "C" {
int shmget(key_t key, size_t bytes, int flags);
void *shmat(int id, const void *address, int flags);
int shmdt(const void *address);
int shmctl(int id, int command, void *buffer);
}
#endif
