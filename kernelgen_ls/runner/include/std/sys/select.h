// Waiting for files.
#ifndef KERNELGEN_STD_SYS_SELECT_H
#define KERNELGEN_STD_SYS_SELECT_H
#include <sys/time.h>
typedef struct { unsigned long bits[16]; } fd_set;
#define FD_SETSIZE 1024
#define FD_ZERO(set) ((void)(*(set) = fd_set{}))
#define FD_SET(file, set) ((set)->bits[(file) / 64] |= 1ul << (file) % 64)
#define FD_CLR(file, set) ((set)->bits[(file) / 64] &= ~(1ul << (file) % 64))
#define FD_ISSET(file, set) (((set)->bits[(file) / 64] >> (file) % 64 & 1) != 0)
extern "C" int select(int files, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout);
#endif
