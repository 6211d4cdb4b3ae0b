// Names of hosts.
#ifndef KERNELGEN_STD_NETDB_H
#define KERNELGEN_STD_NETDB_H
#include <netinet/in.h>
struct addrinfo { int ai_flags, ai_family, ai_socktype, ai_protocol; socklen_t ai_addrlen; struct sockaddr *ai_addr; char *ai_canonname; struct addrinfo *ai_next; };
struct hostent { char *h_name; char **h_aliases; int h_addrtype, h_length; char **h_addr_list; };
#define NI_MAXHOST 1025
#define NI_NUMERICHOST 1
extern "C" {
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result);
void freeaddrinfo(struct addrinfo *result);
int getnameinfo(const struct sockaddr *address, socklen_t size, char *host, socklen_t hostSize, char *service, socklen_t serviceSize, int flags);
struct hostent *gethostbyname(const char *name);
const char *gai_strerror(int code);
}
#endif
