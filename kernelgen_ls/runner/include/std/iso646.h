// Operators as words, which C++ has.
#ifndef KERNELGEN_STD_ISO646_H
#define KERNELGEN_STD_ISO646_H

#endif
