// Internet addresses as text.
#ifndef KERNELGEN_STD_ARPA_INET_H
#define KERNELGEN_STD_ARPA_INET_H
#include <netinet/in.h>
extern "C" {
in_addr_t inet_addr(const char *text);
char *inet_ntoa(struct in_addr address);
int inet_pton(int family, const char *text, void *to);
const char *inet_ntop(int family, const void *from, char *to, socklen_t size);
}
#endif
