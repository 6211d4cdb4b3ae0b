// Mapped memory.
#ifndef KERNELGEN_STD_SYS_MMAN_H
#define KERNELGEN_STD_SYS_MMAN_H
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_FAILED ((void *)-1)
#define MS_SYNC 4
extern "C" {
void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
int munmap(void *address, size_t bytes);
int mprotect(void *address, size_t bytes, int protection);
int msync(void *address, size_t bytes, int flags);
int mlock(const void *address, size_t bytes);
int shm_open(const char *name, int flags, mode_t mode);
int shm_unlink(const char *name);
}
#endif
