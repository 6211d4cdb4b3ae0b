// TPipe, TQue, TBuf, TBufPool, LocalMemAllocator.
#ifndef KERNELGEN_TWIN_QUEUE_BODIES_H
#define KERNELGEN_TWIN_QUEUE_BODIES_H

namespace kgtwin {

/// The pipes of a HardEvent, source and target.
struct Pair {
    int from, to;
};
constexpr Pair pipesOf(AscendC::HardEvent event)
{
    using AscendC::PIPE_S;
    constexpr int S = AscendC::PIPE_S, V = AscendC::PIPE_V, M = AscendC::PIPE_M, MTE1 = AscendC::PIPE_MTE1, MTE2 = AscendC::PIPE_MTE2, MTE3 = AscendC::PIPE_MTE3, FIX = AscendC::PIPE_FIX;
    switch (event) {
#define KGTWIN_EVENT(a, b) case AscendC::HardEvent::a##_##b: return {a, b};
        KGTWIN_EVENT(MTE2, MTE1) KGTWIN_EVENT(MTE1, MTE2) KGTWIN_EVENT(MTE1, M) KGTWIN_EVENT(M, MTE1) KGTWIN_EVENT(MTE2, V) KGTWIN_EVENT(V, MTE2)
        KGTWIN_EVENT(MTE3, V) KGTWIN_EVENT(V, MTE3) KGTWIN_EVENT(M, V) KGTWIN_EVENT(V, M) KGTWIN_EVENT(V, V) KGTWIN_EVENT(MTE3, MTE1)
        KGTWIN_EVENT(MTE1, MTE3) KGTWIN_EVENT(MTE1, V) KGTWIN_EVENT(MTE2, M) KGTWIN_EVENT(M, MTE2) KGTWIN_EVENT(V, MTE1) KGTWIN_EVENT(M, FIX)
        KGTWIN_EVENT(FIX, M) KGTWIN_EVENT(MTE3, MTE2) KGTWIN_EVENT(MTE2, MTE3) KGTWIN_EVENT(S, V) KGTWIN_EVENT(V, S) KGTWIN_EVENT(S, MTE2)
        KGTWIN_EVENT(MTE2, S) KGTWIN_EVENT(S, MTE3) KGTWIN_EVENT(MTE3, S) KGTWIN_EVENT(MTE2, FIX) KGTWIN_EVENT(FIX, MTE2) KGTWIN_EVENT(FIX, S)
        KGTWIN_EVENT(M, S) KGTWIN_EVENT(FIX, MTE3) KGTWIN_EVENT(MTE1, FIX) KGTWIN_EVENT(FIX, MTE1) KGTWIN_EVENT(FIX, FIX) KGTWIN_EVENT(FIX, V)
        KGTWIN_EVENT(S, FIX) KGTWIN_EVENT(V, FIX) KGTWIN_EVENT(S, M)
#undef KGTWIN_EVENT
    default: return {0, 0};
    }
}

}

namespace AscendC {

#define KGTWIN_QUEUE template <TPosition src, TPosition dst, int32_t depth, auto mask>
#define KGTWIN_OF TQueBind<src, dst, depth, mask>
KGTWIN_QUEUE template <typename T> __aicore__ inline LocalTensor<T> KGTWIN_OF::AllocTensor()
{
    KGTWIN_CALL;
    LocalTensor<T> tensor;
    ::kgtwin::allocTensor(twin, tensor.twin);
    return tensor;
}
KGTWIN_QUEUE template <typename T> __aicore__ inline void KGTWIN_OF::AllocTensor(LocalTensor<T> &tensor)
{
    KGTWIN_CALL;
    ::kgtwin::allocTensor(twin, tensor.twin);
}
KGTWIN_QUEUE template <typename T> __aicore__ inline void KGTWIN_OF::FreeTensor(LocalTensor<T> &tensor)
{
    KGTWIN_CALL;
    ::kgtwin::freeTensor(twin, tensor.twin);
}
KGTWIN_QUEUE template <typename T> __aicore__ inline void KGTWIN_OF::FreeTensor(LocalTensor<T> &&tensor)
{
    KGTWIN_CALL;
    ::kgtwin::freeTensor(twin, tensor.twin);
}
KGTWIN_QUEUE template <typename T> __aicore__ inline bool KGTWIN_OF::EnQue(const LocalTensor<T> &tensor)
{
    KGTWIN_CALL;
    ::kgtwin::enqueTensor(twin, tensor.twin);
    return true;
}
KGTWIN_QUEUE template <TPosition srcUser, TPosition dstUser, typename T> __aicore__ inline bool KGTWIN_OF::EnQue(const LocalTensor<T> &tensor)
{
    KGTWIN_CALL;
    ::kgtwin::enqueTensor(twin, tensor.twin);
    return true;
}
KGTWIN_QUEUE template <typename T> __aicore__ inline LocalTensor<T> KGTWIN_OF::DeQue()
{
    KGTWIN_CALL;
    LocalTensor<T> tensor;
    ::kgtwin::dequeTensor(twin, tensor.twin);
    return tensor;
}
KGTWIN_QUEUE template <typename T> __aicore__ inline void KGTWIN_OF::DeQue(LocalTensor<T> &tensor)
{
    KGTWIN_CALL;
    ::kgtwin::dequeTensor(twin, tensor.twin);
}
KGTWIN_QUEUE template <TPosition srcUser, TPosition dstUser, typename T> __aicore__ inline LocalTensor<T> KGTWIN_OF::DeQue()
{
    KGTWIN_CALL;
    LocalTensor<T> tensor;
    ::kgtwin::dequeTensor(twin, tensor.twin);
    return tensor;
}
KGTWIN_QUEUE __aicore__ inline bool KGTWIN_OF::VacantInQue()
{
    KGTWIN_CALL;
    return ::kgtwin::queuedTensors(twin) < (depth > 0 ? depth : 1);
}
KGTWIN_QUEUE __aicore__ inline bool KGTWIN_OF::HasTensorInQue()
{
    KGTWIN_CALL;
    return ::kgtwin::queuedTensors(twin) > 0;
}
KGTWIN_QUEUE __aicore__ inline int32_t KGTWIN_OF::GetTensorCountInQue()
{
    KGTWIN_CALL;
    return ::kgtwin::queuedTensors(twin);
}
KGTWIN_QUEUE __aicore__ inline bool KGTWIN_OF::HasIdleBuffer()
{
    KGTWIN_CALL;
    return ::kgtwin::idleBuffer(twin);
}
KGTWIN_QUEUE __aicore__ inline void KGTWIN_OF::FreeAllEvent() {}
KGTWIN_QUEUE __aicore__ inline TPosition KGTWIN_OF::GetPosition() const { return src; }
#undef KGTWIN_QUEUE
#undef KGTWIN_OF

template <TPosition pos> template <typename T> __aicore__ inline LocalTensor<T> TBuf<pos>::Get()
{
    KGTWIN_CALL;
    LocalTensor<T> tensor;
    ::kgtwin::bufferTensor(twin, tensor.twin, 0, -1);
    return tensor;
}
template <TPosition pos> template <typename T> __aicore__ inline LocalTensor<T> TBuf<pos>::Get(uint32_t len)
{
    KGTWIN_CALL;
    LocalTensor<T> tensor;
    ::kgtwin::bufferTensor(twin, tensor.twin, 0, len);
    return tensor;
}
template <TPosition pos> template <typename T> __aicore__ inline LocalTensor<T> TBuf<pos>::GetWithOffset(uint32_t size, uint32_t bufOffset)
{
    KGTWIN_CALL;
    LocalTensor<T> tensor;
    ::kgtwin::bufferTensor(twin, tensor.twin, bufOffset, size);
    return tensor;
}
template <TPosition pos> template <typename T> __aicore__ inline LocalTensor<T> TBuf<pos>::AllocTensor()
{
    KGTWIN_CALL;
    return Get<T>();
}
template <TPosition pos> template <typename T> __aicore__ inline void TBuf<pos>::FreeTensor(LocalTensor<T> &) {}
template <TPosition pos> template <typename T> __aicore__ inline void TBuf<pos>::EnQue(LocalTensor<T> &) {}
template <TPosition pos> template <typename T> __aicore__ inline LocalTensor<T> TBuf<pos>::DeQue()
{
    KGTWIN_CALL;
    return Get<T>();
}
template <TPosition pos> __aicore__ inline uint32_t TBuf<pos>::GetBufferSize() { return ::kgtwin::bufferBytes(twin); }
template <TPosition pos> __aicore__ inline uint32_t TBuf<pos>::GetBufLen() const { return ::kgtwin::bufferBytes(twin); }

template <TPosition pos, uint32_t ids> template <typename Q> __aicore__ inline bool TBufPool<pos, ids>::InitBuffer(Q &que, uint8_t num, uint32_t len)
{
    KGTWIN_CALL;
    que.twin = ::kgtwin::initQueue(uint8_t(Q::srcPosition), uint8_t(Q::dstPosition), num, len, twin);
    return true;
}
template <TPosition pos, uint32_t ids> template <TPosition bufPos> __aicore__ inline bool TBufPool<pos, ids>::InitBuffer(TBuf<bufPos> &buf, uint32_t len)
{
    KGTWIN_CALL;
    buf.twin = ::kgtwin::initBuffer(uint8_t(bufPos), len, twin);
    return true;
}
template <TPosition pos, uint32_t ids> template <typename P> __aicore__ inline bool TBufPool<pos, ids>::InitBufPool(P &bufPool, uint32_t len)
{
    KGTWIN_CALL;
    bufPool.twin = ::kgtwin::initPool(uint8_t(pos), len, twin);
    return true;
}
template <TPosition pos, uint32_t ids> template <typename P, typename Shared> __aicore__ inline bool TBufPool<pos, ids>::InitBufPool(P &bufPool, uint32_t len, Shared &shareBuf)
{
    KGTWIN_CALL;
    bufPool.twin = ::kgtwin::sharePool(shareBuf.twin, len);
    return true;
}
template <TPosition pos, uint32_t ids> __aicore__ inline void TBufPool<pos, ids>::Reset()
{
    KGTWIN_CALL;
    ::kgtwin::resetPool(twin);
}

__aicore__ inline TPipe::TPipe()
{
    KGTWIN_CALL;
    ::kgtwin::pipeBegin(this);
}
__aicore__ inline TPipe::~TPipe()
{
    KGTWIN_CALL;
    ::kgtwin::pipeEnd(this);
}
__aicore__ inline void TPipe::Init() {}
template <TPosition src, TPosition dst, int32_t depth, auto mask> __aicore__ inline bool TPipe::InitBuffer(TQueBind<src, dst, depth, mask> &que, uint8_t num, uint32_t len)
{
    KGTWIN_CALL;
    que.twin = ::kgtwin::initQueue(uint8_t(src), uint8_t(dst), num, len, 0);
    return true;
}
template <TPosition pos> __aicore__ inline bool TPipe::InitBuffer(TBuf<pos> &buf, uint32_t len)
{
    KGTWIN_CALL;
    buf.twin = ::kgtwin::initBuffer(uint8_t(pos), len, 0);
    return true;
}
template <TPosition pos, uint32_t ids> __aicore__ inline bool TPipe::InitBufPool(TBufPool<pos, ids> &bufPool, uint32_t len)
{
    KGTWIN_CALL;
    bufPool.twin = ::kgtwin::initPool(uint8_t(pos), len, 0);
    return true;
}
template <TPosition pos, uint32_t ids, typename P> __aicore__ inline bool TPipe::InitBufPool(TBufPool<pos, ids> &bufPool, uint32_t len, P &shareBuf)
{
    KGTWIN_CALL;
    bufPool.twin = ::kgtwin::sharePool(shareBuf.twin, len);
    return true;
}
__aicore__ inline TEventID TPipe::FetchEventID(HardEvent event)
{
    KGTWIN_CALL;
    constexpr auto pipes = [](HardEvent e) { return ::kgtwin::pipesOf(e); };
    auto pair = pipes(event);
    return TEventID(::kgtwin::fetchEvent(pair.from, pair.to));
}
template <HardEvent event> __aicore__ inline TEventID TPipe::FetchEventID()
{
    KGTWIN_CALL;
    constexpr auto pair = ::kgtwin::pipesOf(event);
    return TEventID(::kgtwin::fetchEvent(pair.from, pair.to));
}
template <HardEvent event> __aicore__ inline TEventID TPipe::AllocEventID()
{
    KGTWIN_CALL;
    constexpr auto pair = ::kgtwin::pipesOf(event);
    return TEventID(::kgtwin::allocEvent(pair.from, pair.to));
}
template <HardEvent event> __aicore__ inline void TPipe::ReleaseEventID(TEventID id)
{
    KGTWIN_CALL;
    constexpr auto pair = ::kgtwin::pipesOf(event);
    ::kgtwin::releaseEvent(pair.from, pair.to, id);
}
__aicore__ inline void TPipe::Reset()
{
    KGTWIN_CALL;
    ::kgtwin::pipeReset();
}
__aicore__ inline void TPipe::Destroy()
{
    KGTWIN_CALL;
    ::kgtwin::pipeEnd(this);
}
template <TPosition pos, typename T> __aicore__ inline LocalTensor<T> TPipe::GetAbsAddr(int32_t offset, int32_t size) const
{
    KGTWIN_CALL;
    return LocalTensor<T>(pos, uint32_t(offset), uint32_t(size) / uint32_t(sizeof(T)));
}

template <Hardware hardware> template <TPosition pos, typename T, uint32_t tileSize> __aicore__ inline LocalTensor<T> LocalMemAllocator<hardware>::Alloc()
{
    KGTWIN_CALL;
    return Alloc<pos, T>(tileSize);
}
template <Hardware hardware> template <typename T, uint32_t tileSize> __aicore__ inline LocalTensor<T> LocalMemAllocator<hardware>::Alloc()
{
    KGTWIN_CALL;
    return Alloc<T>(tileSize);
}
template <Hardware hardware> template <TPosition pos, typename T> __aicore__ inline LocalTensor<T> LocalMemAllocator<hardware>::Alloc(uint32_t tileSize)
{
    KGTWIN_CALL;
    LocalTensor<T> tensor(pos, twin, tileSize);
    twin += (tileSize * uint32_t(sizeof(T)) + 31) / 32 * 32;
    return tensor;
}
template <Hardware hardware> template <typename T> __aicore__ inline LocalTensor<T> LocalMemAllocator<hardware>::Alloc(uint32_t tileSize)
{
    KGTWIN_CALL;
    constexpr TPosition places[] = {TPosition::GM, TPosition::VECCALC, TPosition::A1, TPosition::A2, TPosition::B2, TPosition::CO1, TPosition::C2, TPosition::C2PIPE2GM};
    return Alloc<places[int(hardware)], T>(tileSize);
}
template <Hardware hardware> __aicore__ inline uint32_t LocalMemAllocator<hardware>::GetCurAddr() const { return twin; }

template <pipe_t src, pipe_t dst> __aicore__ inline void TQueSync<src, dst>::SetFlag(TEventID id)
{
    KGTWIN_CALL;
    ::kgtwin::setFlag(src, dst, id);
}
template <pipe_t src, pipe_t dst> __aicore__ inline void TQueSync<src, dst>::WaitFlag(TEventID id)
{
    KGTWIN_CALL;
    ::kgtwin::waitFlag(src, dst, id);
}

}

__aicore__ inline AscendC::TPipe *GetTPipePtr() { return static_cast<AscendC::TPipe *>(::kgtwin::currentPipe()); }

#endif
