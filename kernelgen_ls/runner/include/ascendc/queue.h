// TPipe, TQue, TBuf: who owns on-chip memory and how the stages of a kernel hand it on.
#ifndef KERNELGEN_ASCENDC_QUEUE_H
#define KERNELGEN_ASCENDC_QUEUE_H

#include "tensor.h"

namespace AscendC {

using TBufHandle = uint8_t *;

namespace Constraint {
constexpr bool isQueuePosition(TPosition position)
{
    return position != TPosition::GM && position != TPosition::MAX;
}
}

/// Options of a queue, for GetTQueConfig.
struct TQueConfig {
    bool nd2nz = false;
    bool nz2nd = false;
    bool scmBlockGroup = false;
    uint32_t bufferLen = 0;
    uint32_t bufferNumber = 0;
    uint32_t consumerSize = 0;
    TPosition consumer[8] = {};
    bool enableStaticEvtId = false;
    bool enableLoopQueue = false;
};
/// Options of a queue for its template argument.
__aicore__ constexpr TQueConfig GetTQueConfig(const TQueConfig &config) { return config; }

/// A queue between two positions; TQue is the usual one. `depth` is how many tensors may wait in it.
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
    static_assert(Constraint::isQueuePosition(src) || Constraint::isQueuePosition(dst), "a queue cannot live in global memory");
    static_assert(depth >= 0, "a queue's depth cannot be negative");

public:
    KERNELGEN_STATE(TQueBind)
    static constexpr TPosition srcPosition = src;
    static constexpr TPosition dstPosition = dst;
    TQueBind() = default;
    /// Takes a free buffer of the queue as a tensor to fill.
    template <typename T> __aicore__ inline LocalTensor<T> AllocTensor();
    template <typename T> __aicore__ inline void AllocTensor(LocalTensor<T> &tensor);
    /// Gives a tensor's buffer back to the queue.
    template <typename T> __aicore__ inline void FreeTensor(LocalTensor<T> &tensor);
    template <typename T> __aicore__ inline void FreeTensor(LocalTensor<T> &&tensor);
    /// Hands a filled tensor to the next stage.
    template <typename T> __aicore__ inline bool EnQue(const LocalTensor<T> &tensor);
    template <TPosition srcUser, TPosition dstUser, typename T> __aicore__ inline bool EnQue(const LocalTensor<T> &tensor);
    __aicore__ inline bool EnQue(TBufHandle buffer);
    /// Waits for the next tensor that the earlier stage has handed on.
    template <typename T> __aicore__ inline LocalTensor<T> DeQue();
    template <typename T> __aicore__ inline void DeQue(LocalTensor<T> &tensor);
    __aicore__ inline TBufHandle DeQue();
    template <TPosition srcUser, TPosition dstUser, typename T> __aicore__ inline LocalTensor<T> DeQue();
    /// Whether the queue can take another tensor.
    __aicore__ inline bool VacantInQue();
    /// Whether a handed-on tensor is waiting.
    __aicore__ inline bool HasTensorInQue();
    /// How many tensors wait in the queue.
    __aicore__ inline int32_t GetTensorCountInQue();
    /// Whether AllocTensor finds a free buffer.
    __aicore__ inline bool HasIdleBuffer();
    /// Frees the events of the queue.
    __aicore__ inline void FreeAllEvent();
    __aicore__ inline TBufHandle AllocBuffer();
    __aicore__ inline void FreeBuffer(TBufHandle buffer);
    template <typename T> __aicore__ inline LocalTensor<T> Buf2Tensor(TBufHandle buffer);
    template <typename T> __aicore__ inline void InitBufHandle(T *bufPool, uint32_t index, TBufHandle bufhandle, uint32_t curPoolAddr, uint32_t len);
    __aicore__ inline void InitStartBufHandle(uint8_t *start, uint8_t number, uint32_t length);
    __aicore__ inline TPosition GetPosition() const;
};

/// A queue of tensors at position `pos`: VECIN for data copied in, VECOUT for data to copy out, and the matrix positions.
template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<pos, pos, depth, mask> {
public:
    TQue() = default;
};

/// A buffer without a queue: temporary memory that a kernel uses alone.
template <TPosition pos = TPosition::LCM>
class TBuf {
    static_assert(Constraint::isQueuePosition(pos), "a TBuf cannot live in global memory");

public:
    KERNELGEN_STATE(TBuf)
    static constexpr TPosition position = pos;
    TBuf() = default;
    /// The whole buffer as a tensor, or its first `len` elements.
    template <typename T> __aicore__ inline LocalTensor<T> Get();
    template <typename T> __aicore__ inline LocalTensor<T> Get(uint32_t len);
    /// `size` elements that start `bufOffset` bytes into the buffer.
    template <typename T> __aicore__ inline LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset);
    template <typename T> __aicore__ inline LocalTensor<T> AllocTensor();
    template <typename T> __aicore__ inline void FreeTensor(LocalTensor<T> &tensor);
    template <typename T> __aicore__ inline void EnQue(LocalTensor<T> &tensor);
    template <typename T> __aicore__ inline LocalTensor<T> DeQue();
    /// The buffer's length in bytes.
    __aicore__ inline uint32_t GetBufferSize();
    __aicore__ inline uint32_t GetBufLen() const;
    template <typename P> __aicore__ inline void InitBufHandle(P *bufPool, uint32_t index, TBufHandle bufhandle, uint32_t curPoolAddr, uint32_t len);
    __aicore__ inline void InitStartBufHandle(TBufHandle start, uint8_t number, uint32_t length);
};

/// A queue in L1 for matrix input written by vector code.
template <TPosition pos, int32_t depth = 1, auto mask = 0>
class TSCM : public TQueBind<pos, TPosition::TSCM, depth, mask> {
public:
    TSCM() = default;
};

/// A pool of buffers that several queues share.
template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool {
public:
    KERNELGEN_STATE(TBufPool)
    TBufPool() = default;
    /// Gives a queue or buffer a part of the pool.
    template <typename Q> __aicore__ inline bool InitBuffer(Q &que, uint8_t num, uint32_t len);
    template <TPosition bufPos> __aicore__ inline bool InitBuffer(TBuf<bufPos> &buf, uint32_t len);
    template <typename P> __aicore__ inline bool InitBufPool(P &bufPool, uint32_t len);
    template <typename P, typename Shared> __aicore__ inline bool InitBufPool(P &bufPool, uint32_t len, Shared &shareBuf);
    __aicore__ inline void Reset();
};

/// Owns the on-chip memory and the event identifiers of a kernel.
class TPipe {
public:
    TPipe();
    ~TPipe();
    __aicore__ inline void Init();
    /// Gives a queue `num` buffers of `len` bytes each (rounded up to 32).
    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    __aicore__ inline bool InitBuffer(TQueBind<src, dst, depth, mask> &que, uint8_t num, uint32_t len);
    /// Gives a TBuf `len` bytes (rounded up to 32).
    template <TPosition pos> __aicore__ inline bool InitBuffer(TBuf<pos> &buf, uint32_t len);
    /// Gives a pool `len` bytes, of its own or shared with another pool.
    template <TPosition pos, uint32_t ids> __aicore__ inline bool InitBufPool(TBufPool<pos, ids> &bufPool, uint32_t len);
    template <TPosition pos, uint32_t ids, typename P> __aicore__ inline bool InitBufPool(TBufPool<pos, ids> &bufPool, uint32_t len, P &shareBuf);
    /// Gives bytes to a pool that the kernel writes itself, with EXTERN_IMPL_BUFPOOL.
    template <typename P> __aicore__ inline bool InitBufPool(P &bufPool, uint32_t len);
    template <typename P, typename Shared> __aicore__ inline bool InitBufPool(P &bufPool, uint32_t len, Shared &shareBuf);
    /// An event identifier for one use of SetFlag and WaitFlag; nothing is reserved.
    __aicore__ inline TEventID FetchEventID(HardEvent event);
    template <HardEvent event> __aicore__ inline TEventID FetchEventID();
    /// Reserves an event identifier until ReleaseEventID.
    template <HardEvent event> __aicore__ inline TEventID AllocEventID();
    /// Gives an event identifier of AllocEventID back.
    template <HardEvent event> __aicore__ inline void ReleaseEventID(TEventID id);
    /// Frees all buffers and events, so that InitBuffer can start again.
    __aicore__ inline void Reset();
    /// Ends the use of the pipe early: waits for what is running and frees its events.
    __aicore__ inline void Destroy();
    __aicore__ inline void DestroyWithoutPipeAll();
    /// Reserves a mutex.
    __aicore__ inline uint8_t AllocMutexID();
    /// Gives a mutex of AllocMutexID back.
    __aicore__ inline void ReleaseMutexID(uint8_t id);
    template <TPosition pos, typename T> __aicore__ inline bool GetShareInfo();
    /// A tensor at a fixed offset of a memory.
    template <TPosition pos> __aicore__ inline TBufHandle GetAbsAddr(int32_t offset, int32_t size) const;
    template <TPosition pos, typename T> __aicore__ inline LocalTensor<T> GetAbsAddr(int32_t offset, int32_t size) const;
    __aicore__ inline uint32_t GetBaseAddr(int8_t logicPos);
    __aicore__ inline void InitSpmBuffer(__gm__ uint8_t *workspace, int32_t bufferSize);
    template <typename T> __aicore__ inline void WriteSpmBuffer(const LocalTensor<T> &writeLocal, int32_t writeSize);
    template <typename T> __aicore__ inline void ReadSpmBuffer(const LocalTensor<T> &readLocal, int32_t readSize);
};


}

/// The pipe of this kernel.
__aicore__ inline AscendC::TPipe *GetTPipePtr();

namespace AscendC {
using ::GetTPipePtr;

/// Hands out parts of one on-chip memory by address, for kernels that do without TPipe.
template <Hardware hardware = Hardware::UB>
class LocalMemAllocator {
public:
    KERNELGEN_STATE(LocalMemAllocator)
    LocalMemAllocator() = default;
    /// `tileSize` elements at `pos`, as a tensor.
    template <TPosition pos, typename T, uint32_t tileSize> __aicore__ inline LocalTensor<T> Alloc();
    template <typename T, uint32_t tileSize> __aicore__ inline LocalTensor<T> Alloc();
    template <TPosition pos, typename T> __aicore__ inline LocalTensor<T> Alloc(uint32_t tileSize);
    template <typename T> __aicore__ inline LocalTensor<T> Alloc(uint32_t tileSize);
    __aicore__ inline uint32_t GetCurAddr() const;
};

/// Keeps two kernels' writes to one place in order.
class TQueSyncBase {};
template <pipe_t src, pipe_t dst>
/// Orders two pipelines by hand.
class TQueSync : public TQueSyncBase {
public:
    __aicore__ inline void SetFlag(TEventID id);
    __aicore__ inline void WaitFlag(TEventID id);
};

}

#endif
