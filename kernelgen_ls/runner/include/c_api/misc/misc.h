// The beginning of a kernel in the C interface.
#ifndef KERNELGEN_C_API_MISC_H
#define KERNELGEN_C_API_MISC_H

#include "c_api/utils/call.h"

/// Prepares the core at the start of a kernel.
ASC_CALL(asc_init, void, Takes<>)

#endif
