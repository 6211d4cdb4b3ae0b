// SIMT functions: threads, synchronisation, atomic operations, mathematics.
#ifndef KERNELGEN_SIMT_API_ASC_SIMT_H
#define KERNELGEN_SIMT_API_ASC_SIMT_H
#include "simt_api/common_functions.h"
#include "simt_api/device_functions.h"
#include "simt_api/math_functions.h"
#include "simt_api/vector_functions.h"
#endif
