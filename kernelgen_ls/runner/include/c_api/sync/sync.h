// Synchronisation of pipelines and cores, in the C interface.
#ifndef KERNELGEN_C_API_SYNC_H
#define KERNELGEN_C_API_SYNC_H

#include "c_api/utils/call.h"

ASC_CALL(asc_sync_vec, void, Takes<>)
ASC_CALL(asc_sync_mte3, void, Takes<number>)
ASC_CALL(asc_sync_mte2, void, Takes<number>)
/// Waits for all pipelines.
ASC_CALL(asc_sync, void, Takes<>)
/// Sets an event when pipeline `src` gets here, for pipeline `dst`.
ASC_CALL(asc_sync_notify, void, Takes<number, number, number>)
/// Lets pipeline `dst` wait for an event of pipeline `src`.
ASC_CALL(asc_sync_wait, void, Takes<number, number, number>)
/// Waits for a pipeline.
ASC_CALL(asc_sync_pipe, void, Takes<number>)
ASC_CALL(asc_sync_data_barrier, void, Takes<number>)
ASC_CALL(asc_sync_block_arrive, void, Takes<number, number>)
ASC_CALL(asc_sync_block_wait, void, Takes<number, number>)
ASC_CALL(asc_sync_inter_arrive, void, Takes<number, number>)
ASC_CALL(asc_sync_inter_wait, void, Takes<number, number>)
ASC_CALL(asc_sync_intra_arrive, void, Takes<number, number>)
ASC_CALL(asc_sync_intra_wait, void, Takes<number, number>)
ASC_CALL(asc_sync_subblock_arrive, void, Takes<number, number>)
ASC_CALL(asc_sync_subblock_wait, void, Takes<number, number>)
ASC_CALL(asc_mem_bar, void, Takes<number>)
enum ascMutexExecuteMode { ASC_LOCK_NON_BLOCK = 0, ASC_LOCK_BLOCK = 1 };
/// Takes a lock of a pipeline.
ASC_CALL(asc_lock, void, Takes<number, number>, Takes<number, number, number>)
/// Gives a lock of a pipeline back.
ASC_CALL(asc_unlock, void, Takes<number, number>, Takes<number, number, number>)

#endif
