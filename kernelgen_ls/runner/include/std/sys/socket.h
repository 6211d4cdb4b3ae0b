// Sockets.
#ifndef KERNELGEN_STD_SYS_SOCKET_H
#define KERNELGEN_STD_SYS_SOCKET_H
#include <sys/types.h>
typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { sa_family_t ss_family; char data[126]; };
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_REUSEPORT 15
#define SHUT_RDWR 2
#define MSG_NOSIGNAL 0x4000
#define MSG_WAITALL 0x100
extern "C" {
int socket(int domain, int type, int protocol);
int bind(int socket, const struct sockaddr *address, socklen_t size);
int listen(int socket, int backlog);
int accept(int socket, struct sockaddr *address, socklen_t *size);
int connect(int socket, const struct sockaddr *address, socklen_t size);
ssize_t send(int socket, const void *from, size_t bytes, int flags);
ssize_t recv(int socket, void *to, size_t bytes, int flags);
ssize_t sendto(int socket, const void *from, size_t bytes, int flags, const struct sockaddr *address, socklen_t size);
ssize_t recvfrom(int socket, void *to, size_t bytes, int flags, struct sockaddr *address, socklen_t *size);
int setsockopt(int socket, int level, int option, const void *value, socklen_t size);
int getsockopt(int socket, int level, int option, void *value, socklen_t *size);
int getsockname(int socket, struct sockaddr *address, socklen_t *size);
int shutdown(int socket, int how);
}
#endif
