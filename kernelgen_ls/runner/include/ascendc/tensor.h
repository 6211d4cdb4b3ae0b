// GlobalTensor and LocalTensor: typed views of global and of on-chip memory.
#ifndef KERNELGEN_ASCENDC_TENSOR_H
#define KERNELGEN_ASCENDC_TENSOR_H

#include "types.h"

namespace AscendC {

/// A typed view of global memory (GM). Kernels read and write it only through DataCopy and its relatives, or element
/// by element with GetValue and SetValue.
template <typename T>
class GlobalTensor {
public:
    KERNELGEN_STATE(GlobalTensor)
    using PrimType = T;
    GlobalTensor() = default;
    /// Points the tensor at `buffer`; `bufferSize` is its length in elements.
    __aicore__ inline void SetGlobalBuffer(__gm__ T *buffer, uint64_t bufferSize);
    /// Points the tensor at `buffer` without stating a length.
    __aicore__ inline void SetGlobalBuffer(__gm__ T *buffer);
    /// The address of the first element, or of element `offset`.
    __aicore__ inline const __gm__ T *GetPhyAddr() const;
    __aicore__ inline __gm__ T *GetPhyAddr(uint64_t offset) const;
    /// Reads one element through the scalar unit. Slow: not for loops over data.
    __aicore__ inline T GetValue(uint64_t offset) const;
    /// Writes one element through the scalar unit. Slow: not for loops over data.
    __aicore__ inline void SetValue(uint64_t offset, T value) const;
    /// The length in elements given to SetGlobalBuffer.
    __aicore__ inline uint64_t GetSize() const;
    /// The tensor that starts `offset` elements further.
    __aicore__ inline GlobalTensor operator[](uint64_t offset) const;
    __aicore__ inline T &operator()(uint64_t offset) const;
    /// Stores a logical shape with the tensor.
    __aicore__ inline void SetShapeInfo(const ShapeInfo &shapeInfo);
    __aicore__ inline ShapeInfo GetShapeInfo() const;
    /// Says how accesses through this tensor use the L2 cache.
    template <CacheRwMode mode = CacheRwMode::RW> __aicore__ inline void SetL2CacheHint(CacheMode cacheMode);
    template <typename U> __aicore__ inline GlobalTensor<U> ReinterpretCast() const;
};

/// Where a tensor lies: its length and address in bytes, the handle of its buffer, its position.
struct TBuffAddr {
    uint32_t dataLen;
    uint32_t bufferAddr;
    uint8_t *bufferHandle;
    uint8_t logicPos;
};

/// What an operator between tensors stands for until it is assigned to one: `dst = src0 + src1`.
template <typename T> struct TensorExpression { KERNELGEN_STATE(TensorExpression) };

/// A typed view of on-chip memory (UB, L1, L0A, L0B or L0C). It comes from a queue (AllocTensor, DeQue), a TBuf (Get) or
/// an allocator; the start of an operand has to be aligned to 32 bytes.
template <typename T>
class LocalTensor {
public:
    KERNELGEN_STATE(LocalTensor)
    using PrimType = T;
    LocalTensor() = default;
    /// A tensor at a fixed place: `addr` in bytes from the start of the memory of `pos`, `tileSize` in elements.
    __aicore__ inline LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize);
    __aicore__ inline explicit LocalTensor(uint32_t addr);
    LocalTensor(const LocalTensor &other) = default;
    LocalTensor &operator=(const LocalTensor &other) = default;
    /// Computes an operator's result into this tensor, over all its elements.
    template <typename U> __aicore__ inline void operator=(const TensorExpression<U> &expression);
    /// Reads one element through the scalar unit. Slow: not for loops over data.
    __aicore__ inline T GetValue(uint32_t offset) const;
    /// Writes one element through the scalar unit. Slow: not for loops over data.
    template <typename U> __aicore__ inline void SetValue(uint32_t offset, U value) const
    {
        static_assert(std::is_convertible_v<U, T>, "SetValue takes a value of the tensor's element type");
        KERNELGEN_RUN(SetValue, (*this, offset, value))
    }
    /// The tensor that starts `offset` elements further.
    __aicore__ inline LocalTensor operator[](uint32_t offset) const;
    __aicore__ inline T &operator()(uint32_t offset) const;
    /// The length in elements.
    __aicore__ inline uint32_t GetSize() const;
    /// Sets the length in elements.
    __aicore__ inline void SetSize(uint32_t size);
    __aicore__ inline uint32_t GetLength() const;
    /// The same memory seen as elements of another type.
    template <typename U> __aicore__ inline LocalTensor<U> ReinterpretCast() const;
    /// The address of the first element, or of element `offset`.
    __aicore__ inline uint64_t GetPhyAddr() const;
    __aicore__ inline uint64_t GetPhyAddr(uint32_t offset) const;
    __aicore__ inline int32_t GetPosition() const;
    __aicore__ inline void SetUserTag(int32_t tag);
    __aicore__ inline int32_t GetUserTag() const;
    __aicore__ inline void SetShapeInfo(const ShapeInfo &shapeInfo);
    __aicore__ inline ShapeInfo GetShapeInfo() const;
    __aicore__ inline void SetAddrWithOffset(LocalTensor &src, uint32_t offset);
    template <typename U> __aicore__ inline void SetAddrWithOffset(LocalTensor<U> &src, uint32_t offset);
    __aicore__ inline void SetBufferLen(uint32_t length);
    /// Points the tensor at `bufferSize` elements from `bufferOffset` bytes on.
    __aicore__ inline void InitBuffer(const uint32_t bufferOffset, const uint32_t bufferSize);
    __aicore__ inline void SetAddr(const TBuffAddr &bufferAddress);
    __aicore__ inline void ToFile(const char *fileName);
    __aicore__ inline void Print();
    __aicore__ inline void Print(uint32_t length);
    TBuffAddr address_;
};

template <typename T> __aicore__ inline TensorExpression<T> operator+(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<T> operator-(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<T> operator*(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<T> operator/(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<T> operator|(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<T> operator&(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<uint8_t> operator<(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<uint8_t> operator>(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<uint8_t> operator<=(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<uint8_t> operator>=(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<uint8_t> operator==(const LocalTensor<T> &src0, const LocalTensor<T> &src1);
template <typename T> __aicore__ inline TensorExpression<uint8_t> operator!=(const LocalTensor<T> &src0, const LocalTensor<T> &src1);

/// Reads the tensors of a dynamic input or output: a list of addresses and shapes at `data`.
template <typename T>
class TensorDesc {
public:
    KERNELGEN_STATE(TensorDesc)
    TensorDesc() = default;
    __aicore__ inline void SetShapeAddr(uint64_t *shape);
    __aicore__ inline uint64_t GetDim() const;
    __aicore__ inline uint64_t GetIndex() const;
    __aicore__ inline uint64_t GetShape(uint32_t dimension) const;
    __aicore__ inline T *GetDataPtr() const;
    __aicore__ inline GlobalTensor<T> GetDataObj() const;
};
/// The list of tensors behind a dynamic input or output.
class ListTensorDesc {
public:
    KERNELGEN_STATE(ListTensorDesc)
    ListTensorDesc() = default;
    __aicore__ inline explicit ListTensorDesc(__gm__ void *data, uint64_t length = 0xffffffff, uint32_t shapeSize = 0xffffffff);
    __aicore__ inline void Init(__gm__ void *data, uint64_t length = 0xffffffff, uint32_t shapeSize = 0xffffffff);
    /// Fills `desc` with the tensor at `index`.
    template <typename T> __aicore__ inline void GetDesc(TensorDesc<T> &desc, uint32_t index) const;
    /// The address of the tensor at `index`.
    template <typename T> __aicore__ inline __gm__ T *GetDataPtr(uint32_t index) const;
    /// How many tensors the list has.
    __aicore__ inline uint32_t GetSize() const;
};

}

#endif
