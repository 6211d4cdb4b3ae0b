// Cycles and marks from a kernel.
#pragma once
#include <time.h>
#include "ascendc/language.h"
__aicore__ inline void asc_time_stamp(uint32_t desc_id);
__aicore__ inline void asc_prof_start();
__aicore__ inline void asc_prof_stop();
template <pipe_t pipe = PIPE_S> __aicore__ inline void asc_mark_stamp(uint16_t idx);
template <pipe_t pipe = PIPE_S, uint16_t idx> __aicore__ inline void asc_mark_stamp();
#define TRACE_START(...)
#define TRACE_STOP(...)
