// Atomic operations of the C interface.
#ifndef KERNELGEN_C_API_ATOMIC_H
#define KERNELGEN_C_API_ATOMIC_H

#include "c_api/utils/call.h"
#include "simt_api/device_atomic_functions.h"

ASC_CALL(asc_set_atomic_add_float, void, Takes<>)
ASC_CALL(asc_set_atomic_max_float16, void, Takes<>)
ASC_CALL(asc_set_atomic_add_int, void, Takes<>)
ASC_CALL(asc_set_atomic_add_int8, void, Takes<>)
ASC_CALL(asc_set_atomic_add_int16, void, Takes<>)
ASC_CALL(asc_set_atomic_none, void, Takes<>)
ASC_CALL(asc_get_store_atomic_config, void, Takes<number>)
ASC_CALL(asc_set_store_atomic_config_v1, void, Takes<number, number>)
ASC_CALL(asc_set_atomic_add_bfloat, void, Takes<>)
ASC_CALL(asc_set_atomic_add_float16, void, Takes<>)
ASC_CALL(asc_set_atomic_max_bfloat, void, Takes<>)
ASC_CALL(asc_set_atomic_max_float, void, Takes<>)
ASC_CALL(asc_set_atomic_max_int, void, Takes<>)
ASC_CALL(asc_set_atomic_max_int8, void, Takes<>)
ASC_CALL(asc_set_atomic_max_int16, void, Takes<>)
ASC_CALL(asc_set_atomic_min_bfloat, void, Takes<>)
ASC_CALL(asc_set_atomic_min_float, void, Takes<>)
ASC_CALL(asc_set_atomic_min_float16, void, Takes<>)
ASC_CALL(asc_set_atomic_min_int, void, Takes<>)
ASC_CALL(asc_set_atomic_min_int8, void, Takes<>)
ASC_CALL(asc_set_atomic_min_int16, void, Takes<>)
ASC_CALL(asc_set_store_atomic_config_v2, void, Takes<number, number>)

#endif
