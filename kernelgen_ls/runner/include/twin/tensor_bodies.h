// GlobalTensor and LocalTensor.
#ifndef KERNELGEN_TWIN_TENSOR_BODIES_H
#define KERNELGEN_TWIN_TENSOR_BODIES_H

namespace AscendC {

inline ShapeInfo::ShapeInfo(uint8_t dimensions, const uint32_t sizes[]) : shapeDim(dimensions), originalShapeDim(dimensions)
{
    for (int i = 0; i < dimensions && i < 8; ++i) shape[i] = originalShape[i] = sizes[i];
}
inline ShapeInfo::ShapeInfo(uint8_t dimensions, const uint32_t sizes[], uint8_t originalDimensions, const uint32_t originalSizes[], DataFormat format)
    : shapeDim(dimensions), originalShapeDim(originalDimensions), dataFormat(format)
{
    for (int i = 0; i < dimensions && i < 8; ++i) shape[i] = sizes[i];
    for (int i = 0; i < originalDimensions && i < 8; ++i) originalShape[i] = originalSizes[i];
}
inline ShapeInfo::ShapeInfo(uint8_t dimensions, const uint32_t sizes[], DataFormat format) : ShapeInfo(dimensions, sizes) { dataFormat = format; }

template <typename T> __aicore__ inline void GlobalTensor<T>::SetGlobalBuffer(__gm__ T *buffer, uint64_t bufferSize)
{
    twin.base = const_cast<uint8_t *>(reinterpret_cast<const uint8_t *>(buffer));
    twin.count = bufferSize;
    twin.width = sizeof(T);
}
template <typename T> __aicore__ inline void GlobalTensor<T>::SetGlobalBuffer(__gm__ T *buffer) { SetGlobalBuffer(buffer, 0); }
template <typename T> __aicore__ inline const __gm__ T *GlobalTensor<T>::GetPhyAddr() const { return reinterpret_cast<T *>(twin.base); }
template <typename T> __aicore__ inline __gm__ T *GlobalTensor<T>::GetPhyAddr(uint64_t offset) const { return reinterpret_cast<T *>(twin.base) + offset; }
template <typename T> __aicore__ inline T GlobalTensor<T>::GetValue(uint64_t offset) const
{
    KGTWIN_CALL;
    alignas(T) uint8_t bytes[sizeof(T)];
    ::kgtwin::readGlobalScalar(twin, int64_t(offset), bytes);
    T value;
    memcpy(&value, bytes, sizeof(T));
    return value;
}
template <typename T> __aicore__ inline void GlobalTensor<T>::SetValue(uint64_t offset, T value) const
{
    KGTWIN_CALL;
    ::kgtwin::writeGlobalScalar(twin, int64_t(offset), &value);
}
template <typename T> __aicore__ inline uint64_t GlobalTensor<T>::GetSize() const { return twin.count; }
template <typename T> __aicore__ inline GlobalTensor<T> GlobalTensor<T>::operator[](uint64_t offset) const
{
    GlobalTensor other = *this;
    other.twin.base += offset * sizeof(T);
    return other;
}
template <typename T> __aicore__ inline T &GlobalTensor<T>::operator()(uint64_t offset) const { return reinterpret_cast<T *>(twin.base)[offset]; }
template <typename T> __aicore__ inline void GlobalTensor<T>::SetShapeInfo(const ShapeInfo &info) { shapeInfo_ = info; }
template <typename T> __aicore__ inline ShapeInfo GlobalTensor<T>::GetShapeInfo() const { return shapeInfo_; }
template <typename T> template <CacheRwMode mode> __aicore__ inline void GlobalTensor<T>::SetL2CacheHint(CacheMode) {}
template <typename T> template <typename U> __aicore__ inline GlobalTensor<U> GlobalTensor<T>::ReinterpretCast() const
{
    GlobalTensor<U> other;
    other.SetGlobalBuffer(reinterpret_cast<U *>(twin.base), twin.count * sizeof(T) / sizeof(U));
    return other;
}

template <typename T> __aicore__ inline LocalTensor<T>::LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize)
{
    KGTWIN_CALL;
    ::kgtwin::placeTensor(uint8_t(pos), addr, tileSize, twin);
}
template <typename T> __aicore__ inline LocalTensor<T>::LocalTensor(uint32_t addr) : LocalTensor(TPosition::VECCALC, addr, 0) {}
template <typename T> template <typename U> __aicore__ inline void LocalTensor<T>::operator=(const TensorExpression<U> &expression)
{
    KGTWIN_CALL;
    if (expression.comparison >= 0) ::kgtwin::compare(&twin, expression.a, &expression.b, 0, expression.comparison, ::kgtwin::counted(expression.a.count));
    else ::kgtwin::elementwise(expression.op, twin, &expression.a, &expression.b, 0, ::kgtwin::counted(twin.count));
}
template <typename T> __aicore__ inline T LocalTensor<T>::GetValue(uint32_t offset) const
{
    KGTWIN_CALL;
    T value;
    ::kgtwin::readScalar(twin, offset, &value);
    return value;
}
template <typename T, typename U> inline void kgRunSetValue(const LocalTensor<T> &tensor, uint32_t offset, U value)
{
    T converted = static_cast<T>(value);
    ::kgtwin::writeScalar(tensor.twin, offset, &converted);
}
template <typename T> __aicore__ inline LocalTensor<T> LocalTensor<T>::operator[](uint32_t offset) const
{
    LocalTensor other = *this;
    other.twin.address += offset * uint32_t(sizeof(T));
    other.twin.count -= offset < other.twin.count ? offset : other.twin.count;
    return other;
}
template <typename T> __aicore__ inline T &LocalTensor<T>::operator()(uint32_t offset) const
{
    KGTWIN_CALL;
    return *reinterpret_cast<T *>(::kgtwin::scalarReference(twin, offset));
}
template <typename T> __aicore__ inline uint32_t LocalTensor<T>::GetSize() const { return twin.count; }
template <typename T> __aicore__ inline void LocalTensor<T>::SetSize(uint32_t size) { twin.count = size; }
template <typename T> __aicore__ inline uint32_t LocalTensor<T>::GetLength() const { return twin.count * uint32_t(sizeof(T)); }
template <typename T> template <typename U> __aicore__ inline LocalTensor<U> LocalTensor<T>::ReinterpretCast() const
{
    LocalTensor<U> other;
    ::kgtwin::Local cast = twin;
    cast.type = ::kgtwin::typeOf<U>();
    cast.width = sizeof(U);
    cast.count = uint32_t(uint64_t(twin.count) * sizeof(T) / sizeof(U));
    other.twin = cast;
    return other;
}
template <typename T> __aicore__ inline uint64_t LocalTensor<T>::GetPhyAddr() const { return reinterpret_cast<uint64_t>(::kgtwin::hostAddress(twin, 0)); }
template <typename T> __aicore__ inline uint64_t LocalTensor<T>::GetPhyAddr(uint32_t offset) const { return reinterpret_cast<uint64_t>(::kgtwin::hostAddress(twin, offset)); }
template <typename T> __aicore__ inline int32_t LocalTensor<T>::GetPosition() const { return twin.position; }
template <typename T> __aicore__ inline void LocalTensor<T>::SetUserTag(int32_t tag) { twin.tag = tag; }
template <typename T> __aicore__ inline int32_t LocalTensor<T>::GetUserTag() const { return twin.tag; }
template <typename T> __aicore__ inline void LocalTensor<T>::SetShapeInfo(const ShapeInfo &info) { shapeInfo_ = info; }
template <typename T> __aicore__ inline ShapeInfo LocalTensor<T>::GetShapeInfo() const { return shapeInfo_; }
template <typename T> __aicore__ inline void LocalTensor<T>::SetAddrWithOffset(LocalTensor &src, uint32_t offset)
{
    twin = src.twin;
    twin.address += offset * uint32_t(sizeof(T));
}
template <typename T> template <typename U> __aicore__ inline void LocalTensor<T>::SetAddrWithOffset(LocalTensor<U> &src, uint32_t offset)
{
    twin = src.template ReinterpretCast<T>().twin;
    twin.address += offset * uint32_t(sizeof(U));
}
template <typename T> __aicore__ inline void LocalTensor<T>::SetBufferLen(uint32_t length) { twin.count = length; }
template <typename T> __aicore__ inline void LocalTensor<T>::Print() {}
template <typename T> __aicore__ inline void LocalTensor<T>::Print(uint32_t) {}

#define KGTWIN_EXPRESSION(symbol, operation, mode, R)                                                                  \
    template <typename T> __aicore__ inline TensorExpression<R> operator symbol(const LocalTensor<T> &src0, const LocalTensor<T> &src1) \
    {                                                                                                                  \
        return {::kgtwin::Op::operation, mode, src0.twin, src1.twin};                                                  \
    }
KGTWIN_EXPRESSION(+, add, -1, T)
KGTWIN_EXPRESSION(-, sub, -1, T)
KGTWIN_EXPRESSION(*, mul, -1, T)
KGTWIN_EXPRESSION(/, div, -1, T)
KGTWIN_EXPRESSION(|, bitOr, -1, T)
KGTWIN_EXPRESSION(&, bitAnd, -1, T)
KGTWIN_EXPRESSION(<, copy, 0, uint8_t)
KGTWIN_EXPRESSION(>, copy, 1, uint8_t)
KGTWIN_EXPRESSION(==, copy, 2, uint8_t)
KGTWIN_EXPRESSION(<=, copy, 3, uint8_t)
KGTWIN_EXPRESSION(>=, copy, 4, uint8_t)
KGTWIN_EXPRESSION(!=, copy, 5, uint8_t)
#undef KGTWIN_EXPRESSION

// The list behind a dynamic operand: the offset of the addresses in bytes; for each tensor its number and dimensions in one
// word and then its axes; the addresses.
template <typename T> __aicore__ inline void TensorDesc<T>::SetShapeAddr(uint64_t *shape) { twinShape = shape; }
template <typename T> __aicore__ inline uint64_t TensorDesc<T>::GetDim() const { return twinDimensions; }
template <typename T> __aicore__ inline uint64_t TensorDesc<T>::GetIndex() const { return twinIndex; }
template <typename T> __aicore__ inline uint64_t TensorDesc<T>::GetShape(uint32_t dimension) const { return twinShape[dimension]; }
template <typename T> __aicore__ inline T *TensorDesc<T>::GetDataPtr() const { return reinterpret_cast<T *>(twinData); }
template <typename T> __aicore__ inline GlobalTensor<T> TensorDesc<T>::GetDataObj() const
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T *>(twinData));
    return tensor;
}
__aicore__ inline ListTensorDesc::ListTensorDesc(__gm__ void *data, uint64_t, uint32_t) : twinList(static_cast<uint64_t *>(data)) {}
__aicore__ inline void ListTensorDesc::Init(__gm__ void *data, uint64_t, uint32_t) { twinList = static_cast<uint64_t *>(data); }
__aicore__ inline uint32_t ListTensorDesc::GetSize() const
{
    uint32_t count = 0;
    for (uint64_t at = 1; at < twinList[0] / 8; at += 1 + (twinList[at] & 0xffffffff)) ++count;
    return count;
}
template <typename T> __aicore__ inline __gm__ T *ListTensorDesc::GetDataPtr(uint32_t index) const { return reinterpret_cast<T *>(twinList[twinList[0] / 8 + index]); }
template <typename T> __aicore__ inline void ListTensorDesc::GetDesc(TensorDesc<T> &desc, uint32_t index) const
{
    uint64_t at = 1;
    for (uint32_t i = 0; i < index; ++i) at += 1 + (twinList[at] & 0xffffffff);
    desc.twinDimensions = twinList[at] & 0xffffffff;
    desc.twinIndex = twinList[at] >> 32;
    if (desc.twinShape)
        for (uint64_t i = 0; i < desc.twinDimensions; ++i) desc.twinShape[i] = twinList[at + 1 + i];
    else
        desc.twinShape = twinList + at + 1;
    desc.twinData = twinList[twinList[0] / 8 + index];
}

}

#endif
