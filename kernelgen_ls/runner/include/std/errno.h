// Error numbers.
#ifndef KERNELGEN_STD_ERRNO_H
#define KERNELGEN_STD_ERRNO_H
extern "C" int *__kernelgen_errno();
#define errno (*__kernelgen_errno())
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENOSPC 28
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define ETIMEDOUT 110
#define EWOULDBLOCK EAGAIN
#endif
