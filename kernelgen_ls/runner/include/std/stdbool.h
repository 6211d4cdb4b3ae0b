// C's bool; a keyword in C++.
#ifndef KERNELGEN_STD_STDBOOL_H
#define KERNELGEN_STD_STDBOOL_H
#define __bool_true_false_are_defined 1
#endif
