// Cache modes of the C interface.
#pragma once
#include <stdint.h>
/// How a load uses the L2 cache.
enum class asc_load_l2_cache_mode : uint8_t { NORMAL_FIRST_VICTIM = 0, NORMAL_LAST_VICTIM = 1, NORMAL_PERSISTENT = 2, NOTALLOC_KEEP = 4, NOTALLOC_CLEAN = 5, NOTALLOC_DROP = 6 };
/// How a store uses the L2 cache.
enum class asc_store_l2_cache_mode : uint8_t { NORMAL_FIRST_VICTIM = 0, NORMAL_LAST_VICTIM = 1, NORMAL_PERSISTENT = 2, NOTALLOC_CLEAN = 4 };
