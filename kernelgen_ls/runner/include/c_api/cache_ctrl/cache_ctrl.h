// Caches, in the C interface.
#ifndef KERNELGEN_C_API_CACHE_CTRL_H
#define KERNELGEN_C_API_CACHE_CTRL_H

#include "c_api/utils/call.h"

ASC_CALL(asc_icache_preload, void, Takes<address, number>)
ASC_CALL(asc_dcci_single, void, Takes<address>)
ASC_CALL(asc_ub_dcci_single, void, Takes<address>)
ASC_CALL(asc_dcci_entire_ub, void, Takes<>)
ASC_CALL(asc_dcci_entire_out, void, Takes<>)
ASC_CALL(asc_dcci_entire_all, void, Takes<>)
ASC_CALL(asc_dcci_entire_atomic, void, Takes<>)
ASC_CALL(asc_get_icache_preload_status, int64_t, Takes<>)
ASC_CALL(asc_datacache_preload, void, Takes<address, number>)
ASC_CALL(asc_dci, void, Takes<>)

#endif
