// Communication between devices: the client of HCCL that kernels call.
#ifndef KERNELGEN_ASCENDC_HCCL_H
#define KERNELGEN_ASCENDC_HCCL_H

#include "types.h"

namespace AscendC {

/// Element types of a communication.
enum HcclDataType { HCCL_DATA_TYPE_INT8 = 0, HCCL_DATA_TYPE_INT16, HCCL_DATA_TYPE_INT32, HCCL_DATA_TYPE_FP16, HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_INT64, HCCL_DATA_TYPE_UINT64, HCCL_DATA_TYPE_UINT8, HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32, HCCL_DATA_TYPE_FP64, HCCL_DATA_TYPE_BFP16, HCCL_DATA_TYPE_INT128, HCCL_DATA_TYPE_HIF8 = 14, HCCL_DATA_TYPE_FP8E4M3, HCCL_DATA_TYPE_FP8E5M2, HCCL_DATA_TYPE_FP8E8M0, HCCL_DATA_TYPE_MXFP8, HCCL_DATA_TYPE_RESERVED = 255 };
/// What a reducing communication computes.
enum HcclReduceOp { HCCL_REDUCE_SUM = 0, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN, HCCL_REDUCE_RESERVED };
/// Kinds of communication.
enum class HcclCMDType { HCCL_CMD_INVALID = 0, HCCL_CMD_BROADCAST = 1, HCCL_CMD_ALLREDUCE, HCCL_CMD_REDUCE, HCCL_CMD_SEND, HCCL_CMD_RECEIVE, HCCL_CMD_ALLGATHER, HCCL_CMD_REDUCE_SCATTER, HCCL_CMD_ALLTOALLV, HCCL_CMD_ALLTOALLVC, HCCL_CMD_ALLTOALL, HCCL_CMD_GATHER, HCCL_CMD_SCATTER, HCCL_CMD_BATCH_SEND_RECV, HCCL_CMD_BATCH_PUT, HCCL_CMD_BATCH_GET, HCCL_CMD_ALLGATHER_V, HCCL_CMD_REDUCE_SCATTER_V, HCCL_CMD_BATCH_WRITE, HCCL_CMD_HALF_ALLTOALLV = 20, HCCL_CMD_ALL };
/// What serves the communications.
enum HcclServerType { HCCL_SERVER_TYPE_AICPU = 0, HCCL_SERVER_TYPE_CCU = 5, HCCL_SERVER_TYPE_END };
/// What QueueBarrier waits for.
enum class ScopeType : uint8_t { ALL, QUEUE, BLOCK, INVALID_TYPE };
/// The number of a communication that was begun; negative where it could not be.
using HcclHandle = int8_t;
/// Which cores talk to the server.
struct HcclServerConfig {
    CoreType type;
    int64_t blockId;
};
constexpr HcclServerConfig DEFAULT_CFG = {CoreType::DEFAULT, 0};
constexpr uint32_t HCCL_GROUP_ID_0 = 0;
constexpr HcclHandle INVALID_HANDLE_ID = -1;

/// Begins communications between the devices of a group, and waits for them.
template <HcclServerType serverType = HcclServerType::HCCL_SERVER_TYPE_AICPU, const auto &config = DEFAULT_CFG>
class Hccl {
public:
    Hccl() = default;
    /// Takes the context of GetHcclContext, and the tiling of the initialisation.
    __aicore__ inline void Init(GM_ADDR context, __gm__ void *initTiling = nullptr);
    __aicore__ inline void InitV2(GM_ADDR context, const void *initTiling);
    /// Takes the tiling of one kind of communication.
    __aicore__ inline int32_t SetCcTiling(__gm__ void *ccOpTilingData);
    __aicore__ inline int32_t SetCcTilingV2(uint64_t offset);
    /// Reduces over the devices; each receives the result.
    template <bool commit = false> __aicore__ inline HcclHandle AllReduce(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op, uint8_t repeat = 1);
    /// Each device receives what all send.
    template <bool commit = false> __aicore__ inline HcclHandle AllGather(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t sendCount, HcclDataType dataType, uint64_t strideCount, uint8_t repeat = 1);
    /// Reduces over the devices; each receives a part of the result.
    template <bool commit = false> __aicore__ inline HcclHandle ReduceScatter(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, uint64_t strideCount, uint8_t repeat = 1);
    /// Each device sends a part to each.
    template <bool commit = false> __aicore__ inline HcclHandle AlltoAll(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t dataCount, HcclDataType dataType, uint64_t strideCount = 0, uint8_t repeat = 1);
    /// Each device sends a part to each, of lengths and at offsets of their own.
    template <bool commit = false> __aicore__ inline HcclHandle AlltoAllV(GM_ADDR sendBuf, void *sendCounts, void *sdispls, HcclDataType sendType, GM_ADDR recvBuf, void *recvCounts, void *rdispls, HcclDataType recvType, uint8_t repeat = 1);
    template <bool commit = false> __aicore__ inline HcclHandle AlltoAllvWrite(GM_ADDR usrIn, GM_ADDR sendOffsets, GM_ADDR sendSizes, uint64_t remoteWinOffset, uint64_t localDataSize);
    /// Writes to other devices what a list of items says.
    template <bool commit = false> __aicore__ inline HcclHandle BatchWrite(GM_ADDR batchWriteInfo, uint32_t itemNum, uint16_t queueID = 0);
    /// Lets a communication start.
    __aicore__ inline void Commit(HcclHandle handleId);
    /// Waits for a communication.
    __aicore__ inline int32_t Wait(HcclHandle handleId);
    /// How many repeats of a communication have finished.
    __aicore__ inline int32_t Query(HcclHandle handleId);
    template <bool sync = true> __aicore__ inline int32_t Iterate(HcclHandle handleId, uint16_t *seqSlices, uint16_t seqSliceLen);
    /// Waits for a communication of another group.
    __aicore__ inline void InterHcclGroupSync(int8_t srcGroupID, HcclHandle srcHandleID);
    template <ScopeType type = ScopeType::ALL> __aicore__ inline void QueueBarrier(uint16_t queueID);
    /// Ends the communications.
    template <bool sync = true> __aicore__ inline void Finalize();
    /// Where another device's window for what it receives is mapped.
    __aicore__ inline GM_ADDR GetWindowsInAddr(uint32_t rankId);
    /// Where another device's window for what it sends is mapped.
    __aicore__ inline GM_ADDR GetWindowsOutAddr(uint32_t rankId);
    /// The number of this device in the group.
    __aicore__ inline uint32_t GetRankId();
    /// How many devices the group has.
    __aicore__ inline uint32_t GetRankDim();
    __aicore__ inline uint16_t GetQueueNum();
};
/// The context of the communications of a group.
template <uint32_t index> __aicore__ inline __gm__ uint8_t *GetHcclContext();
/// Sets the context of the communications of a group.
template <uint32_t index> __aicore__ inline void SetHcclContext(__gm__ uint8_t *context);

}

#endif
