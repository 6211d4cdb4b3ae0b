// Network interfaces.
#ifndef KERNELGEN_STD_NET_IF_H
#define KERNELGEN_STD_NET_IF_H
#include <sys/socket.h>
#define IFNAMSIZ 16
#define IFF_UP 1
#define IFF_LOOPBACK 8
#define IFF_RUNNING 64
struct ifreq { char ifr_name[IFNAMSIZ]; struct sockaddr ifr_addr; };
extern "C" unsigned if_nametoindex(const char *name);
#endif
