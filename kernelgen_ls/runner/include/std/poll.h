// Waiting for files.
#ifndef KERNELGEN_STD_POLL_H
#define KERNELGEN_STD_POLL_H
struct pollfd { int fd; short events, revents; };
#define POLLIN 1
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
extern "C" int poll(struct pollfd *files, unsigned long count, int timeout);
#endif
