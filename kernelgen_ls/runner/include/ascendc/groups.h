// Cube cores as servers of vector cores, barriers between cores, and what is rarely called beside them.
#ifndef KERNELGEN_ASCENDC_GROUPS_H
#define KERNELGEN_ASCENDC_GROUPS_H

#include "system.h"

namespace AscendC {

/// The state of a message in a queue of CubeResGroupHandle.
enum class CubeMsgState : uint8_t { FREE = 0, VALID, QUIT, FAKE };
/// Which pipeline writes a message.
enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };
/// The part of the workspace that messages between cube and vector cores lie in.
class KfcWorkspace {
public:
    __aicore__ inline KfcWorkspace(GM_ADDR workspace);
    __aicore__ inline ~KfcWorkspace();
    /// Moves on by `offset` bytes.
    __aicore__ inline void UpdateKfcWorkspace(uint32_t offset);
    __aicore__ inline GM_ADDR GetKfcWorkspace();
};
/// A group of cube cores that serves messages of vector cores.
template <typename CubeMsgType>
class CubeResGroupHandle {
public:
    CubeResGroupHandle() = default;
    __aicore__ inline CubeResGroupHandle(GM_ADDR workspace, uint8_t blockStart, uint8_t blockSize, uint8_t msgQueueSize, uint8_t evtIDIn);
    /// Chooses this core's queue.
    __aicore__ inline void AssignQueue(uint8_t queueIdIn);
    /// A free place for a message.
    template <PipeMode pipeMode = PipeMode::SCALAR_MODE> __aicore__ inline __gm__ CubeMsgType *AllocMessage();
    /// Sends a message; what comes back is its number for Wait.
    template <PipeMode pipeMode = PipeMode::SCALAR_MODE> __aicore__ inline uint16_t PostMessage(__gm__ CubeMsgType *msg, CubeMsgType &msgInput);
    __aicore__ inline uint16_t PostFakeMsg(__gm__ CubeMsgType *msg);
    /// Gives a message's place back.
    __aicore__ inline uint16_t FreeMessage(__gm__ CubeMsgType *msg);
    __aicore__ inline uint16_t FreeMessage(__gm__ CubeMsgType *msg, CubeMsgState waitState);
    /// Ends this core's use of the group.
    __aicore__ inline void SetQuit(__gm__ CubeMsgType *msg);
    __aicore__ inline void SetSkipMsg(uint8_t skipCnt);
    /// Waits until a message was served.
    template <bool sync = true> __aicore__ inline bool Wait(uint16_t offset);
};
/// Makes a group of cube cores.
template <int groupID, class MatmulApiType, template <class, class> class CallBack, typename CubeMsgType> __aicore__ inline CubeResGroupHandle<CubeMsgType> CreateCubeResGroup(KfcWorkspace &desc, uint8_t blockStart, uint8_t blockSize, uint8_t msgQueueSize, GM_ADDR tiling);
/// Lets some cores wait until others have arrived.
template <PipeMode pipeMode>
class GroupBarrier {
public:
    __aicore__ inline GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn);
    /// Says that this core has arrived.
    __aicore__ inline void Arrive(uint32_t arriveIndex);
    /// Waits until all have arrived.
    __aicore__ inline void Wait(uint32_t waitIndex);
    __aicore__ inline uint64_t GetWorkspaceLen();
};

/// The limits of an element type: as a value, or written to a tensor.
template <typename T> struct NumericLimits {
    static __aicore__ constexpr T Max() { return KERNELGEN_LIMIT(Max); }
    static __aicore__ constexpr T Lowest() { return KERNELGEN_LIMIT(Lowest); }
    static __aicore__ constexpr T Min() { return KERNELGEN_LIMIT(Min); }
    static __aicore__ constexpr T Infinity() { return KERNELGEN_LIMIT(Infinity); }
    static __aicore__ constexpr T NegativeInfinity() { return KERNELGEN_LIMIT(NegativeInfinity); }
    static __aicore__ constexpr T QuietNaN() { return KERNELGEN_LIMIT(QuietNaN); }
    static __aicore__ constexpr T SignalingNaN() { return KERNELGEN_LIMIT(SignalingNaN); }
    static __aicore__ constexpr T DeNormMin() { return KERNELGEN_LIMIT(DeNormMin); }
    static __aicore__ inline void Max(const LocalTensor<T> &dst, uint32_t count);
    static __aicore__ inline void Lowest(const LocalTensor<T> &dst, uint32_t count);
    static __aicore__ inline void Min(const LocalTensor<T> &dst, uint32_t count);
    static __aicore__ inline void Infinity(const LocalTensor<T> &dst, uint32_t count);
    static __aicore__ inline void NegativeInfinity(const LocalTensor<T> &dst, uint32_t count);
    static __aicore__ inline void QuietNaN(const LocalTensor<T> &dst, uint32_t count);
    static __aicore__ inline void SignalingNaN(const LocalTensor<T> &dst, uint32_t count);
    static __aicore__ inline void DeNormMin(const LocalTensor<T> &dst, uint32_t count);
};

/// Formats of an image that SetAippFunctions converts.
enum class AippInputFormat : uint8_t { YUV420SP_U8 = 0, XRGB8888_U8 = 1, RGB888_U8 = 4, YUV400_U8 = 9 };
/// What an image is filled up with, one value a channel.
template <typename T> struct AippPaddingParams {
    uint32_t paddingMode = 0;
    T paddingValueCh0 = 0;
    T paddingValueCh1 = 0;
    T paddingValueCh2 = 0;
    T paddingValueCh3 = 0;
};
/// Which channels of an image change places.
struct AippSwapParams {
    bool isSwapRB = false;
    bool isSwapUV = false;
    bool isSwapAX = false;
};
/// Whether only one line of an image is copied.
struct AippSingleLineParams {
    bool isSingleLineCopy = false;
};
/// How the values of an image become floating point: mean, minimum and factor of each channel.
struct AippDataTypeConvParams {
    uint8_t dtcMeanCh0 = 0;
    uint8_t dtcMeanCh1 = 0;
    uint8_t dtcMeanCh2 = 0;
    half dtcMinCh0 = 0;
    half dtcMinCh1 = 0;
    half dtcMinCh2 = 0;
    half dtcVarCh0 = 1;
    half dtcVarCh1 = 1;
    half dtcVarCh2 = 1;
    uint32_t dtcRoundMode = 0;
};
/// What channels an image has not are filled with.
template <typename T> struct AippChannelPaddingParams {
    uint32_t cPaddingMode = 0;
    T cPaddingValue = 0;
};
/// The matrix and offsets of a conversion of colours.
struct AippColorSpaceConvParams {
    bool isEnableCsc = false;
    int16_t cscMatrixR0C0 = 0;
    int16_t cscMatrixR0C1 = 0;
    int16_t cscMatrixR0C2 = 0;
    int16_t cscMatrixR1C0 = 0;
    int16_t cscMatrixR1C1 = 0;
    int16_t cscMatrixR1C2 = 0;
    int16_t cscMatrixR2C0 = 0;
    int16_t cscMatrixR2C1 = 0;
    int16_t cscMatrixR2C2 = 0;
    uint8_t cscBiasIn0 = 0;
    uint8_t cscBiasIn1 = 0;
    uint8_t cscBiasIn2 = 0;
    uint8_t cscBiasOut0 = 0;
    uint8_t cscBiasOut1 = 0;
    uint8_t cscBiasOut2 = 0;
};
/// All that LoadImageToLocal does to an image on the way.
template <typename T> struct AippParams {
    AippPaddingParams<T> paddingParams;
    AippSwapParams swapParams;
    AippSingleLineParams singleLineParams;
    AippDataTypeConvParams dtcParams;
    AippChannelPaddingParams<T> cPaddingParams;
    AippColorSpaceConvParams cscParams;
};
/// Sets the image that LoadImageToLocal reads and what is done to it on the way.
template <typename T, typename U> __aicore__ inline void SetAippFunctions(const GlobalTensor<T> &src0, AippInputFormat format, AippParams<U> config);
template <typename T, typename U> __aicore__ inline void SetAippFunctions(const GlobalTensor<T> &src0, const GlobalTensor<T> &src1, AippInputFormat format, AippParams<U> config);

/// Bounds of an area of memory that is watched, and which accesses to it are errors.
struct CheckLocalMemoryIAParam {
    uint8_t enableBit = 0;
    uint32_t startAddr = 0;
    uint32_t endAddr = 0;
    bool isScalarRead = false;
    bool isScalarWrite = false;
    bool isVectorRead = false;
    bool isVectorWrite = false;
    bool isMteRead = false;
    bool isMteWrite = false;
    bool isEnable = false;
    uint32_t reserved = 0;
    constexpr CheckLocalMemoryIAParam() = default;
    constexpr CheckLocalMemoryIAParam(uint8_t enableBitIn, uint32_t startAddrIn, uint32_t endAddrIn, bool scalarRead, bool scalarWrite, bool vectorRead, bool vectorWrite, bool mteRead, bool mteWrite, bool enable)
        : enableBit(enableBitIn), startAddr(startAddrIn), endAddr(endAddrIn), isScalarRead(scalarRead), isScalarWrite(scalarWrite), isVectorRead(vectorRead), isVectorWrite(vectorWrite), isMteRead(mteRead), isMteWrite(mteWrite), isEnable(enable) {}
};
/// Watches an area of memory for accesses that are errors.
__aicore__ inline void CheckLocalMemoryIA(const CheckLocalMemoryIAParam &checkParams);

/// The members of a pool of buffers that a kernel writes itself.
#define EXTERN_IMPL_BUFPOOL(pool, position, bufIDSize)                                                                 \
public:                                                                                                                \
    static constexpr AscendC::TPosition poolPos = position;                                                            \
    __aicore__ inline void Init();                                                                                     \
    __aicore__ inline void Reset();                                                                                    \
    __aicore__ inline AscendC::TBufHandle GetBufHandle(uint8_t offset);                                                \
    __aicore__ inline void SetCurAddr(uint32_t curAddr);                                                               \
    __aicore__ inline uint32_t GetCurAddr();                                                                           \
    __aicore__ inline void SetCurBufSize(uint8_t curBufSize);                                                          \
    __aicore__ inline uint8_t GetCurBufSize();

}

#endif
