// Blocks, workspaces, synchronisation, atomics, cache and debugging.
#ifndef KERNELGEN_ASCENDC_SYSTEM_H
#define KERNELGEN_ASCENDC_SYSTEM_H

#include "intrinsics.h"
#include "queue.h"

/// The part of the workspace that belongs to the kernel: `workspace` after what the system keeps.
__aicore__ inline __gm__ uint8_t *GetUserWorkspace(__gm__ uint8_t *workspace);
/// The part of the workspace that the system and Matmul use.
__aicore__ inline __gm__ uint8_t *GetSysWorkSpacePtr();
/// Tells the system its part of the workspace.
__aicore__ inline void SetSysWorkspace(__gm__ uint8_t *workspace);
__aicore__ inline void SetSysWorkspaceForce(__gm__ uint8_t *workspace);

namespace AscendC {
using ::GetSysWorkSpacePtr;
using ::GetUserWorkspace;
using ::SetSysWorkspace;
using ::SetSysWorkspaceForce;

/// The number of this core among those that run the kernel, from 0.
__aicore__ inline int64_t GetBlockIdx();
/// How many cores run the kernel.
__aicore__ inline int64_t GetBlockNum();
/// The number of this vector core within its group of cube and vector cores.
__aicore__ inline int64_t GetSubBlockIdx();
/// How many vector cores a group has.
__aicore__ inline int64_t GetSubBlockNum();
/// How many vector cores go with a cube core.
__aicore__ inline int64_t GetTaskRation();
template <typename T = void> __aicore__ inline int64_t GetTaskRatio();
__aicore__ inline int64_t GetDataBlockSizeInBytes();
/// The program counter.
__aicore__ inline int64_t GetProgramCounter();
/// Cycles since the core started.
__aicore__ inline int64_t GetSystemCycle();
/// The version of the core.
__aicore__ inline void GetArchVersion(uint32_t &coreVersion);
/// Brings the core's special registers to their default state at the start of a kernel.
__aicore__ inline void InitSocState();
template <pipe_t pipe> __aicore__ inline void SetStartPipe();

/// Waits for a pipeline: what comes after starts when what was issued before on `pipe` has finished.
template <pipe_t pipe> __aicore__ inline void PipeBarrier();
/// Sets an event when the source pipeline of `event` gets here.
template <HardEvent event> __aicore__ inline void SetFlag(TEventID eventID);
/// Lets the target pipeline of `event` wait for the event.
template <HardEvent event> __aicore__ inline void WaitFlag(TEventID eventID);
/// Waits for all cores. With a workspace in GM and UB for the soft form, else by hardware.
template <bool isAIVOnly = true> __aicore__ inline void SyncAll();
template <bool isAIVOnly = true> __aicore__ inline void SyncAll(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace, const int32_t usedCores = 0);
/// Tells the next core of a chain to go on.
template <bool isAIVOnly = true> __aicore__ inline void IBSet(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace, int32_t blockIdx, int32_t eventID);
/// Waits until a core of a chain has called IBSet.
template <bool isAIVOnly = true> __aicore__ inline void IBWait(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace, int32_t blockIdx, int32_t eventID);
/// Sets a flag that other cores wait for: mode 0 all cores, 1 the vector cores of a group, 2 cube and vector of a group.
template <uint8_t modeId, pipe_t pipe> __aicore__ inline void CrossCoreSetFlag(uint16_t flagId);
/// Waits for a flag of CrossCoreSetFlag.
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S> __aicore__ inline void CrossCoreWaitFlag(uint16_t flagId);
/// Sets a flag for other cores.
template <pipe_t pipe> __aicore__ inline void NotifyEvent(uint16_t flagId);
/// Waits for a flag of another core.
template <pipe_t pipe = PIPE_S> __aicore__ inline void WaitEvent(uint16_t flagId);
/// Waits for the memory accesses of a kind.
template <MemDsbT mode> __aicore__ inline void DataSyncBarrier();
/// Prepares the workspace of WaitPreBlock and NotifyNextBlock.
__aicore__ inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &ubWorkspace);
/// Waits for the core before this one: cores go in order.
__aicore__ inline void WaitPreBlock(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &ubWorkspace);
/// Lets the core after this one go on.
__aicore__ inline void NotifyNextBlock(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &ubWorkspace);
/// The number of a mutex between pipelines.
using MutexID = uint8_t;
/// Reserves a mutex.
__aicore__ inline MutexID AllocMutexID();
/// Gives a mutex of AllocMutexID back.
__aicore__ inline void ReleaseMutexID(MutexID id);
/// Held by one pipeline at a time.
class Mutex {
public:
    /// Lets `pipe` wait until it holds the mutex.
    template <pipe_t pipe> static __aicore__ inline void Lock(MutexID id);
    /// Lets `pipe` give the mutex up.
    template <pipe_t pipe> static __aicore__ inline void Unlock(MutexID id);
};
/// Lets the next task of a super kernel start, once these pipelines are done.
template <pipe_t vectorPipe = PIPE_MTE3, pipe_t cubePipe = PIPE_FIX, bool force = false> __aicore__ inline void SetNextTaskStart();
/// Waits for the task before in a super kernel.
template <bool force = false> __aicore__ inline void WaitPreTaskEnd();
/// Tells the core where its flags of synchronisation between cores lie.
__aicore__ inline void SetSyncBaseAddr(uint64_t config);
/// Runs a function on one kind of core.
template <EngineType engine, auto function, typename... Arguments> __aicore__ inline void Async(Arguments... arguments);
/// The size of UB in bytes, as the chip has it.
__aicore__ constexpr uint32_t GetUBSizeInBytes() { return TOTAL_UB_SIZE; }
/// The size of UB in bytes that this kernel may use.
__aicore__ inline uint32_t GetRuntimeUBSize();
/// Where the memory lies that cube and vector cores share.
__aicore__ inline __ssbuf__ void *GetSsbufBaseAddr();
/// Does nothing for some cycles.
template <int count = 1> __aicore__ inline void Nop();
/// Sets bits of the core's control register.
template <int8_t startBit, int8_t endBit> __aicore__ inline void SetCtrlSpr(int64_t value);
/// Reads bits of the core's control register.
template <int8_t startBit, int8_t endBit> __aicore__ inline int64_t GetCtrlSpr();
/// Sets bits of the core's control register back.
template <int8_t startBit, int8_t endBit> __aicore__ inline void ResetCtrlSpr();
/// Reads a special register.
template <SpecialPurposeReg spr> __aicore__ inline int64_t GetSpr();
/// Clears a special register.
template <SpecialPurposeReg spr> __aicore__ inline void ClearSpr();
/// Sets whether results that do not fit saturate.
template <SaturationMode mode> __aicore__ inline void SetSaturationFlag(bool enableSat);
/// Whether results that do not fit saturate.
template <SaturationMode mode> __aicore__ inline bool GetSaturationFlag();

/// Copies to global memory add to what is there from here on.
template <typename T> __aicore__ inline void SetAtomicAdd();
/// Copies to global memory keep the larger value from here on.
template <typename T> __aicore__ inline void SetAtomicMax();
/// Copies to global memory keep the smaller value from here on.
template <typename T> __aicore__ inline void SetAtomicMin();
template <typename T> __aicore__ inline void SetAtomicType();
/// Copies to global memory overwrite again.
__aicore__ inline void SetAtomicNone();
/// Copies to global memory overwrite again.
__aicore__ inline void DisableDmaAtomic();
template <AtomicDtype type, AtomicOp op> __aicore__ inline void SetStoreAtomicConfig();
__aicore__ inline void GetStoreAtomicConfig(uint16_t &atomicType, uint16_t &atomicOp);
/// What is left of UB, as a tensor for temporary data.
template <TPosition pos, typename T> __aicore__ inline bool PopStackBuffer(LocalTensor<T> &popLocal);
template <typename T, TPosition pos> __aicore__ inline bool PopStackBuffer(LocalTensor<T> &popLocal);
/// Adds to a value in global memory, atomically.
template <typename T> __aicore__ inline T AtomicAdd(__gm__ T *address, T value);
/// Keeps the larger value in global memory, atomically.
template <typename T> __aicore__ inline T AtomicMax(__gm__ T *address, T value);
/// Keeps the smaller value in global memory, atomically.
template <typename T> __aicore__ inline T AtomicMin(__gm__ T *address, T value);
/// Compares and exchanges a value in global memory, atomically.
template <typename T> __aicore__ inline T AtomicCas(__gm__ T *address, T expected, T value);
/// Exchanges a value in global memory, atomically.
template <typename T> __aicore__ inline T AtomicExch(__gm__ T *address, T value);

/// Writes the data cache back to global memory and drops it: needed around scalar access to what other cores write.
template <typename T, CacheLine entireType, DcciDst dcciDst> __aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst);
template <typename T, CacheLine entireType, DcciDst dcciDst> __aicore__ inline void DataCacheCleanAndInvalid(const LocalTensor<T> &dst);
template <typename T, CacheLine entireType> __aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst);
/// Loads global memory into the data cache ahead of time.
template <typename T> __aicore__ inline void DataCachePreload(const GlobalTensor<uint64_t> &src, const T cacheOffset);
/// Loads instructions ahead of time.
__aicore__ inline void ICachePreLoad(const int64_t preFetchLen);
__aicore__ inline int64_t GetICachePreloadStatus();
/// Writes a scalar to global memory past the data cache.
template <typename T> __aicore__ inline void WriteGmByPassDCache(__gm__ T *address, T value);
/// Reads a scalar from global memory past the data cache.
template <typename T> __aicore__ inline T ReadGmByPassDCache(__gm__ T *address);

/// Prints a tensor's first `dumpSize` elements with the number `desc`, for debugging.
template <typename T> __aicore__ inline void DumpTensor(const LocalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize);
template <typename T> __aicore__ inline void DumpTensor(const GlobalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize);
template <typename T> __aicore__ inline void DumpTensor(const LocalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo &shapeInfo);
template <typename T> __aicore__ inline void DumpTensor(const GlobalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo &shapeInfo);
template <typename T> __aicore__ inline void DumpAccChkPoint(const LocalTensor<T> &tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize);
template <typename T> __aicore__ inline void DumpAccChkPoint(const GlobalTensor<T> &tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize);
/// Prints from a kernel, for debugging; the format is that of printf.
template <typename... Args> __aicore__ inline void PRINTF(const char *fmt, Args &&...args);
/// Prints from a kernel, for debugging; the format is that of printf.
template <typename... Args> __aicore__ inline void printf(const char *fmt, Args &&...args);
/// Prints the time, for debugging.
__aicore__ inline void PrintTimeStamp(uint32_t descId);
/// Stops the kernel with an error.
__aicore__ inline void Trap();
__aicore__ inline void TRACE_START(uint32_t id);
__aicore__ inline void TRACE_STOP(uint32_t id);
/// Marks a place of a pipeline in a profile.
template <pipe_t pipe, uint16_t index> __aicore__ inline void MarkStamp();
template <pipe_t pipe> __aicore__ inline void MarkStamp(uint16_t index);
__aicore__ inline void MetricsProfStart();
__aicore__ inline void MetricsProfStop();
__aicore__ inline void SetMaskedVectorState();

/// Small computations of the library.
struct AscendCUtils {
    static __aicore__ inline int32_t GetC0Count(const int32_t dtypeSize);
    static __aicore__ inline int32_t GetBitSize(int32_t byteSize);
    template <typename T> static __aicore__ inline void SetMask(const uint64_t &maskHigh, const uint64_t &maskLow);
    template <typename T> static __aicore__ inline void SetMask(int32_t len);
    template <typename T = void> static __aicore__ inline void SetMaskNorm();
    template <typename T = void> static __aicore__ inline void SetMaskCount();
    static __aicore__ inline int64_t GetRsvdCnt();
    template <typename T> static __aicore__ inline void ResetMask();
    static __aicore__ inline void SetOverflow(uint64_t ctrlValue);
};

}

#endif
