// The machine's addresses.
#ifndef KERNELGEN_STD_IFADDRS_H
#define KERNELGEN_STD_IFADDRS_H
#include <sys/socket.h>
struct ifaddrs { struct ifaddrs *ifa_next; char *ifa_name; unsigned ifa_flags; struct sockaddr *ifa_addr, *ifa_netmask; };
extern "C" {
int getifaddrs(struct ifaddrs **list);
void freeifaddrs(struct ifaddrs *list);
}
#endif
