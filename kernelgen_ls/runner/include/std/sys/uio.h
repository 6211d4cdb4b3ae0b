// Vectors of buffers.
#ifndef KERNELGEN_STD_SYS_UIO_H
#define KERNELGEN_STD_SYS_UIO_H
#include <sys/types.h>
struct iovec { void *iov_base; size_t iov_len; };
extern "C" {
ssize_t readv(int file, const struct iovec *buffers, int count);
ssize_t writev(int file, const struct iovec *buffers, int count);
}
#endif
