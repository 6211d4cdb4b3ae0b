// Alignment, which C++ has.
#ifndef KERNELGEN_STD_STDALIGN_H
#define KERNELGEN_STD_STDALIGN_H
#define __alignas_is_defined 1
#define __alignof_is_defined 1
#endif
