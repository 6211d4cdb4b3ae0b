// Blocks, workspaces, synchronisation, atomics, tiling data, scalars.
#ifndef KERNELGEN_TWIN_SYSTEM_BODIES_H
#define KERNELGEN_TWIN_SYSTEM_BODIES_H

#define KGTWIN_ASSIGN(symbol)                                                                                          \
    template <typename T> inline bfloat16_t &bfloat16_t::operator symbol##=(T value) { return *this = bfloat16_t(float(*this) symbol float(value)); }
KGTWIN_ASSIGN(+)
KGTWIN_ASSIGN(-)
KGTWIN_ASSIGN(*)
KGTWIN_ASSIGN(/)
#undef KGTWIN_ASSIGN

__aicore__ inline __gm__ uint8_t *GetUserWorkspace(__gm__ uint8_t *workspace) { return workspace + ::kgtwin::systemWorkspaceBytes(); }
__aicore__ inline __gm__ uint8_t *GetSysWorkSpacePtr() { return ::kgtwin::systemWorkspace(); }
__aicore__ inline void SetSysWorkspace(__gm__ uint8_t *) {}
__aicore__ inline void SetSysWorkspaceForce(__gm__ uint8_t *) {}

namespace AscendC {

__aicore__ inline int64_t GetBlockIdx() { return ::kgtwin::blockIndex(); }
__aicore__ inline int64_t GetBlockNum() { return ::kgtwin::blockCount(); }
__aicore__ inline int64_t GetSubBlockIdx() { return ::kgtwin::subBlockIndex(); }
__aicore__ inline int64_t GetSubBlockNum() { return ::kgtwin::subBlockCount(); }
__aicore__ inline int64_t GetTaskRation() { return ::kgtwin::taskRatio(); }
template <typename T> __aicore__ inline int64_t GetTaskRatio() { return ::kgtwin::taskRatio(); }
__aicore__ inline int64_t GetDataBlockSizeInBytes() { return 32; }
__aicore__ inline int64_t GetProgramCounter() { return 0; }
__aicore__ inline int64_t GetSystemCycle() { return ::kgtwin::cycles(); }
__aicore__ inline void GetArchVersion(uint32_t &coreVersion) { coreVersion = __NPU_ARCH__; }
__aicore__ inline void InitSocState()
{
    ::kgtwin::setAtomic(0, ::kgtwin::Type::other);
    ::kgtwin::setMaskCounting(false);
    ::kgtwin::setVectorMask(~0ull, ~0ull);
}
template <pipe_t pipe> __aicore__ inline void SetStartPipe() {}

template <pipe_t pipe> __aicore__ inline void PipeBarrier()
{
    KGTWIN_CALL;
    ::kgtwin::pipeBarrier(pipe);
}
template <HardEvent event> __aicore__ inline void SetFlag(TEventID eventID)
{
    KGTWIN_CALL;
    constexpr auto pair = ::kgtwin::pipesOf(event);
    ::kgtwin::setFlag(pair.from, pair.to, eventID);
}
template <HardEvent event> __aicore__ inline void WaitFlag(TEventID eventID)
{
    KGTWIN_CALL;
    constexpr auto pair = ::kgtwin::pipesOf(event);
    ::kgtwin::waitFlag(pair.from, pair.to, eventID);
}
template <bool isAIVOnly> __aicore__ inline void SyncAll()
{
    KGTWIN_CALL;
    ::kgtwin::syncAll(0, isAIVOnly);
}
template <bool isAIVOnly> __aicore__ inline void SyncAll(const GlobalTensor<int32_t> &, const LocalTensor<int32_t> &, const int32_t usedCores)
{
    KGTWIN_CALL;
    ::kgtwin::syncAll(usedCores, true);
}
template <bool isAIVOnly> __aicore__ inline void IBSet(const GlobalTensor<int32_t> &, const LocalTensor<int32_t> &, int32_t blockIdx, int32_t eventID)
{
    KGTWIN_CALL;
    ::kgtwin::blockChainSet(blockIdx, eventID);
}
template <bool isAIVOnly> __aicore__ inline void IBWait(const GlobalTensor<int32_t> &, const LocalTensor<int32_t> &, int32_t blockIdx, int32_t eventID)
{
    KGTWIN_CALL;
    ::kgtwin::blockChainWait(blockIdx, eventID);
}
template <uint8_t modeId, pipe_t pipe> __aicore__ inline void CrossCoreSetFlag(uint16_t flagId)
{
    KGTWIN_CALL;
    ::kgtwin::crossCoreSet(modeId, pipe, flagId);
}
template <uint8_t modeId, pipe_t pipe> __aicore__ inline void CrossCoreWaitFlag(uint16_t flagId)
{
    KGTWIN_CALL;
    ::kgtwin::crossCoreWait(flagId);
}
__aicore__ inline void SetSyncBaseAddr(uint64_t) {}
__aicore__ inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t> &, LocalTensor<int32_t> &) {}
__aicore__ inline void WaitPreBlock(GlobalTensor<int32_t> &, LocalTensor<int32_t> &)
{
    KGTWIN_CALL;
    ::kgtwin::waitPreviousBlock();
}
__aicore__ inline void NotifyNextBlock(GlobalTensor<int32_t> &, LocalTensor<int32_t> &)
{
    KGTWIN_CALL;
    ::kgtwin::notifyNextBlock();
}
template <MemDsbT mode> __aicore__ inline void DataSyncBarrier() {}

template <typename T> __aicore__ inline void SetAtomicAdd()
{
    KGTWIN_CALL;
    ::kgtwin::setAtomic(1, ::kgtwin::typeOf<T>());
}
template <typename T> __aicore__ inline void SetAtomicMax()
{
    KGTWIN_CALL;
    ::kgtwin::setAtomic(2, ::kgtwin::typeOf<T>());
}
template <typename T> __aicore__ inline void SetAtomicMin()
{
    KGTWIN_CALL;
    ::kgtwin::setAtomic(3, ::kgtwin::typeOf<T>());
}
__aicore__ inline void SetAtomicNone() { ::kgtwin::setAtomic(0, ::kgtwin::Type::other); }
__aicore__ inline void DisableDmaAtomic() { ::kgtwin::setAtomic(0, ::kgtwin::Type::other); }

template <typename T> __aicore__ inline void SetAtomicType() { ::kgtwin::setAtomicType(::kgtwin::typeOf<T>()); }

#define KGTWIN_EXCHANGE(name, how)                                                                                     \
    template <typename T> __aicore__ inline T name(__gm__ T *address, T value)                                         \
    {                                                                                                                  \
        KGTWIN_CALL;                                                                                                   \
        T old;                                                                                                         \
        ::kgtwin::exchangeGlobal(reinterpret_cast<uint8_t *>(address), ::kgtwin::Exchange::how, ::kgtwin::typeOf<T>(), sizeof(T), nullptr, &value, &old); \
        return old;                                                                                                    \
    }
KGTWIN_EXCHANGE(AtomicAdd, add)
KGTWIN_EXCHANGE(AtomicMax, max)
KGTWIN_EXCHANGE(AtomicMin, min)
KGTWIN_EXCHANGE(AtomicExch, swap)
#undef KGTWIN_EXCHANGE
template <typename T> __aicore__ inline T AtomicCas(__gm__ T *address, T expected, T value)
{
    KGTWIN_CALL;
    T old;
    ::kgtwin::exchangeGlobal(reinterpret_cast<uint8_t *>(address), ::kgtwin::Exchange::compareAndSwap, ::kgtwin::typeOf<T>(), sizeof(T), &expected, &value, &old);
    return old;
}

template <int8_t startBit, int8_t endBit> __aicore__ inline void SetCtrlSpr(int64_t value) { ::kgtwin::setControl(startBit, endBit, value); }
template <int8_t startBit, int8_t endBit> __aicore__ inline int64_t GetCtrlSpr() { return ::kgtwin::control(startBit, endBit); }
template <int8_t startBit, int8_t endBit> __aicore__ inline void ResetCtrlSpr() { ::kgtwin::resetControl(startBit, endBit); }
template <SaturationMode mode> __aicore__ inline void SetSaturationFlag(bool enableSat)
{
    if (mode == SaturationMode::FLOAT) ::kgtwin::setControl(48, 48, !enableSat);
    else ::kgtwin::notExecuted("SetSaturationFlag of this mode");
}
template <SaturationMode mode> __aicore__ inline bool GetSaturationFlag()
{
    if (mode != SaturationMode::FLOAT) ::kgtwin::notExecuted("GetSaturationFlag of this mode");
    return !::kgtwin::control(48, 48);
}
template <int count> __aicore__ inline void Nop() {}
__aicore__ inline uint32_t GetRuntimeUBSize() { return GetUBSizeInBytes(); }
template <pipe_t vectorPipe, pipe_t cubePipe, bool force> __aicore__ inline void SetNextTaskStart() {}
template <bool force> __aicore__ inline void WaitPreTaskEnd() {}
template <pipe_t pipe, uint16_t index> __aicore__ inline void MarkStamp() {}
template <pipe_t pipe> __aicore__ inline void MarkStamp(uint16_t) {}

template <TPosition pos, typename T> __aicore__ inline bool PopStackBuffer(LocalTensor<T> &popLocal)
{
    KGTWIN_CALL;
    ::kgtwin::restOfMemory(uint8_t(pos), popLocal.twin);
    return true;
}
template <typename T, TPosition pos> __aicore__ inline bool PopStackBuffer(LocalTensor<T> &popLocal)
{
    KGTWIN_CALL;
    ::kgtwin::restOfMemory(uint8_t(pos), popLocal.twin);
    return true;
}

template <typename T, CacheLine entireType, DcciDst dcciDst> __aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst)
{
    KGTWIN_CALL;
    ::kgtwin::lookAtLine(dst.twin.base);
}
template <typename T, CacheLine entireType, DcciDst dcciDst> __aicore__ inline void DataCacheCleanAndInvalid(const LocalTensor<T> &) {}
template <typename T, CacheLine entireType> __aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst)
{
    KGTWIN_CALL;
    ::kgtwin::lookAtLine(dst.twin.base);
}
template <typename T> __aicore__ inline void DataCachePreload(const GlobalTensor<uint64_t> &, const T) {}
__aicore__ inline void ICachePreLoad(const int64_t) {}
__aicore__ inline int64_t GetICachePreloadStatus() { return 0; }
template <typename T> __aicore__ inline void WriteGmByPassDCache(__gm__ T *address, T value)
{
    KGTWIN_CALL;
    ::kgtwin::Global at{reinterpret_cast<uint8_t *>(address), 1, sizeof(T)};
    ::kgtwin::writeGlobalScalar(at, 0, &value);
}
template <typename T> __aicore__ inline T ReadGmByPassDCache(__gm__ T *address)
{
    KGTWIN_CALL;
    T value;
    ::kgtwin::Global at{reinterpret_cast<uint8_t *>(address), 1, sizeof(T)};
    ::kgtwin::readGlobalScalar(at, 0, &value);
    return value;
}

template <typename T> __aicore__ inline void DumpTensor(const LocalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize)
{
    KGTWIN_CALL;
    ::kgtwin::dump(tensor.twin, desc, dumpSize, nullptr, 0);
}
template <typename T> __aicore__ inline void DumpTensor(const GlobalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize)
{
    KGTWIN_CALL;
    ::kgtwin::dump(tensor.twin, ::kgtwin::typeOf<T>(), desc, dumpSize, nullptr, 0);
}
template <typename T> __aicore__ inline void DumpTensor(const LocalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::dump(tensor.twin, desc, dumpSize, shapeInfo.shape, shapeInfo.shapeDim < 8 ? shapeInfo.shapeDim : 8);
}
template <typename T> __aicore__ inline void DumpTensor(const GlobalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo &shapeInfo)
{
    KGTWIN_CALL;
    ::kgtwin::dump(tensor.twin, ::kgtwin::typeOf<T>(), desc, dumpSize, shapeInfo.shape, shapeInfo.shapeDim < 8 ? shapeInfo.shapeDim : 8);
}
template <typename T> __aicore__ inline void DumpAccChkPoint(const LocalTensor<T> &, uint32_t, uint32_t, uint32_t) {}
template <typename T> __aicore__ inline void DumpAccChkPoint(const GlobalTensor<T> &, uint32_t, uint32_t, uint32_t) {}
template <typename... Args> __aicore__ inline void PRINTF(const char *fmt, Args &&...args)
{
    KGTWIN_CALL;
    ::kgtwin::say(fmt, ::kgtwin::printable(args)...);
}
template <typename... Args> __aicore__ inline void printf(const char *fmt, Args &&...args)
{
    KGTWIN_CALL;
    ::kgtwin::say(fmt, ::kgtwin::printable(args)...);
}
__aicore__ inline void PrintTimeStamp(uint32_t) {}
__aicore__ inline void Trap()
{
    KGTWIN_CALL;
    ::kgtwin::trap();
}
__aicore__ inline void TRACE_START(uint32_t) {}
__aicore__ inline void TRACE_STOP(uint32_t) {}
__aicore__ inline void MetricsProfStart() {}
__aicore__ inline void MetricsProfStop() {}
__aicore__ inline void SetMaskedVectorState() {}
__aicore__ inline void CheckLocalMemoryIA(const CheckLocalMemoryIAParam &) {}

__aicore__ inline int32_t AscendCUtils::GetC0Count(const int32_t dtypeSize) { return 32 / dtypeSize; }
__aicore__ inline int32_t AscendCUtils::GetBitSize(int32_t byteSize) { return byteSize * 8; }
template <typename T> __aicore__ inline void AscendCUtils::SetMask(const uint64_t &maskHigh, const uint64_t &maskLow) { ::kgtwin::setVectorMask(maskHigh, maskLow); }
template <typename T> __aicore__ inline void AscendCUtils::SetMask(int32_t len) { SetVectorMask<T>(len); }
template <typename T> __aicore__ inline void AscendCUtils::SetMaskNorm() { ::kgtwin::setMaskCounting(false); }
template <typename T> __aicore__ inline void AscendCUtils::SetMaskCount() { ::kgtwin::setMaskCounting(true); }
__aicore__ inline int64_t AscendCUtils::GetRsvdCnt() { return int64_t(::kgtwin::gatherMaskCount()); }
template <typename T> __aicore__ inline void AscendCUtils::ResetMask() { ::kgtwin::setVectorMask(~0ull, ~0ull); }

namespace Std {
template <typename T> __aicore__ inline T sqrt(const T x) { return T(::sqrt(double(x))); }
}

template <int countValue> __aicore__ inline int64_t ScalarGetCountOfValue(uint64_t value) { return countValue ? __builtin_popcountll(value) : 64 - __builtin_popcountll(value); }
__aicore__ inline int64_t ScalarCountLeadingZero(uint64_t value) { return value ? __builtin_clzll(value) : 64; }
__aicore__ inline int64_t CountBitsCntSameAsSignBit(int64_t value) { return __builtin_clrsbll(value); }
template <int countValue> __aicore__ inline int64_t ScalarGetSFFValue(uint64_t value)
{
    uint64_t bits = countValue ? value : ~value;
    return bits ? __builtin_ctzll(bits) : -1;
}
template <int countValue> __aicore__ inline int64_t GetSFFValue(uint64_t value) { return ScalarGetSFFValue<countValue>(value); }
template <int countValue> __aicore__ inline int64_t GetBitCount(uint64_t value) { return ScalarGetCountOfValue<countValue>(value); }
__aicore__ inline int64_t CountLeadingZero(uint64_t value) { return ScalarCountLeadingZero(value); }

}

template <typename T> inline void kgtwinSumRepeats(T *dst, T *src, int64_t repeats, int64_t dstStep, int64_t srcBlock, int64_t srcStep, bool)
{
    ::kgtwin::sumRepeatsAt(dst, src, ::kgtwin::typeOf<T>(), sizeof(T), uint32_t(repeats), uint32_t(dstStep), uint32_t(srcBlock), uint32_t(srcStep));
}
template <typename T> inline void kgtwinSumRepeats(std::nullptr_t, T *src, int64_t repeats, int64_t dstStep, int64_t srcBlock, int64_t srcStep, bool)
{
    ::kgtwin::sumRepeatsAt(nullptr, src, ::kgtwin::typeOf<T>(), sizeof(T), uint32_t(repeats), uint32_t(dstStep), uint32_t(srcBlock), uint32_t(srcStep));
}
template <typename... Arguments> __aicore__ inline int64_t vcadd(Arguments... arguments)
{
    KGTWIN_CALL;
    kgtwinSumRepeats(arguments...);
    return 0;
}

struct KernelgenBlockIndex {
    operator int64_t() const { return ::kgtwin::groupIndex(); }
};
struct KernelgenBlockCount {
    operator int64_t() const { return ::kgtwin::blockCount(); }
};
constexpr KernelgenBlockIndex block_idx;
constexpr KernelgenBlockCount block_num;
__aicore__ inline int64_t get_block_idx() { return ::kgtwin::groupIndex(); }
__aicore__ inline int64_t get_block_num() { return ::kgtwin::blockCount(); }
__aicore__ inline int64_t get_subblockid() { return ::kgtwin::subBlockIndex(); }
__aicore__ inline int64_t get_subblockdim() { return ::kgtwin::subBlockCount(); }
__aicore__ inline int64_t get_coreid() { return ::kgtwin::blockIndex(); }
__aicore__ inline int64_t get_task_ration() { return ::kgtwin::taskRatio(); }
__aicore__ inline int64_t get_sys_cnt() { return ::kgtwin::cycles(); }
__aicore__ inline void pipe_barrier(pipe_t pipe)
{
    KGTWIN_CALL;
    ::kgtwin::pipeBarrier(pipe);
}
__aicore__ inline void set_flag(pipe_t src, pipe_t dst, event_t id)
{
    KGTWIN_CALL;
    ::kgtwin::setFlag(src, dst, id);
}
__aicore__ inline void set_flag(pipe_t src, pipe_t dst, int64_t id)
{
    KGTWIN_CALL;
    ::kgtwin::setFlag(src, dst, int(id));
}
__aicore__ inline void wait_flag(pipe_t src, pipe_t dst, event_t id)
{
    KGTWIN_CALL;
    ::kgtwin::waitFlag(src, dst, id);
}
__aicore__ inline void wait_flag(pipe_t src, pipe_t dst, int64_t id)
{
    KGTWIN_CALL;
    ::kgtwin::waitFlag(src, dst, int(id));
}
__aicore__ inline void set_atomic_none() { ::kgtwin::setAtomic(0, ::kgtwin::Type::other); }
__aicore__ inline void set_mask_norm() { ::kgtwin::setMaskCounting(false); }
__aicore__ inline void set_mask_count() { ::kgtwin::setMaskCounting(true); }
__aicore__ inline void set_vector_mask(uint64_t high, uint64_t low) { ::kgtwin::setVectorMask(high, low); }
__aicore__ inline void dsb(int) {}
template <typename Address, typename... Arguments> inline void kgtwinLookAtLine(Address address, Arguments...) { ::kgtwin::lookAtLine(const_cast<const void *>(static_cast<const volatile void *>(address))); }
template <typename... Arguments> __aicore__ inline int64_t dcci(Arguments... arguments)
{
    KGTWIN_CALL;
    kgtwinLookAtLine(arguments...);
    return 0;
}
__aicore__ inline void set_ffts_base_addr(uint64_t) {}
// Bits 4 and 5 of the word are the mode, from bit 8 on stands the flag.
__aicore__ inline void ffts_cross_core_sync(pipe_t pipe, uint64_t config)
{
    KGTWIN_CALL;
    ::kgtwin::crossCoreSet(int(config >> 4 & 3), pipe, int(config >> 8 & 15));
}
__aicore__ inline void wait_flag_dev(int64_t id)
{
    KGTWIN_CALL;
    ::kgtwin::crossCoreWait(int(id));
}
__aicore__ inline void trap()
{
    KGTWIN_CALL;
    ::kgtwin::trap();
}

template <typename T> __aicore__ inline void KernelgenReadTiling(T *data, const volatile void *tiling)
{
    if (std::is_same_v<T, KernelgenUnknownTiling>) ::kgtwin::notExecuted("tiling data of which no struct is known");
    ::kgtwin::readTiling(data, sizeof(T), tiling, 0);
}
template <typename T> __aicore__ inline const T *KernelgenTilingAt(const volatile void *tiling) { return reinterpret_cast<const T *>(const_cast<const void *>(tiling)); }
template <typename T> __aicore__ inline void KernelgenTaskType(uint64_t, T) {}

#endif
