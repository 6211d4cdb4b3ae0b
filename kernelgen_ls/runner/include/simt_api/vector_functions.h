// Small vectors of SIMT functions.
#ifndef KERNELGEN_SIMT_API_VECTOR_FUNCTIONS_H
#define KERNELGEN_SIMT_API_VECTOR_FUNCTIONS_H
#include "simt_api/device_types.h"
#endif
