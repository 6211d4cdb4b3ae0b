// Waiting for children.
#ifndef KERNELGEN_STD_WAIT_H
#define KERNELGEN_STD_WAIT_H
#include <sys/wait.h>
#endif
