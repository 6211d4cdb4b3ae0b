// What every SIMT function may use.
#ifndef KERNELGEN_SIMT_API_COMMON_FUNCTIONS_H
#define KERNELGEN_SIMT_API_COMMON_FUNCTIONS_H
#include "simt_api/device_sync_functions.h"
#include "simt_api/device_types.h"
#endif
