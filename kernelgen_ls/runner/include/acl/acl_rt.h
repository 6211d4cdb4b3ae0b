// The runtime on the host: devices, streams, events, memory, loaded kernels; declared.
#pragma once
#include "acl_base.h"

using aclrtStream = void *;
using aclrtContext = void *;
using aclrtEvent = void *;
using aclrtNotify = void *;
using aclrtBinary = void *;
using aclrtBinHandle = void *;
using aclrtFuncHandle = void *;
using aclrtArgsHandle = void *;
using aclrtParamHandle = void *;
using aclrtDrvMemHandle = void *;
using aclrtCallback = void (*)(void *);
using aclrtExceptionInfo = struct aclrtExceptionInfoRecord;
using aclrtExceptionInfoCallback = void (*)(aclrtExceptionInfo *);
using aclmdlRI = void *;

/// How device memory is taken: in huge pages where there are, or only, or not.
enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST,
    ACL_MEM_MALLOC_HUGE_ONLY,
    ACL_MEM_MALLOC_NORMAL_ONLY,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P,
    ACL_MEM_MALLOC_HUGE_ONLY_P2P,
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P,
    ACL_MEM_MALLOC_HUGE1G_ONLY,
    ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x0100,
    ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
};
/// From where to where a copy goes.
enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST,
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEVICE_TO_DEVICE,
    ACL_MEMCPY_DEFAULT,
    ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
};
enum aclrtRunMode { ACL_DEVICE, ACL_HOST };
enum aclrtEventRecordedStatus { ACL_EVENT_RECORDED_STATUS_NOT_READY = 0, ACL_EVENT_RECORDED_STATUS_COMPLETE = 1 };
enum aclrtMemAttr { ACL_DDR_MEM, ACL_HBM_MEM, ACL_DDR_MEM_HUGE, ACL_DDR_MEM_NORMAL, ACL_HBM_MEM_HUGE, ACL_HBM_MEM_NORMAL };
enum aclrtDevAttr {
    ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
    ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
    ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
    ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
    ACL_DEV_ATTR_WARP_SIZE = 202,
    ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
    ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
    ACL_DEV_ATTR_L2_CACHE_SIZE = 302,
};
enum aclrtDevResLimitType { ACL_RT_DEV_RES_CUBE_CORE = 0, ACL_RT_DEV_RES_VECTOR_CORE };
enum aclrtFloatOverflowMode { ACL_RT_OVERFLOW_MODE_SATURATION = 0, ACL_RT_OVERFLOW_MODE_INFNAN, ACL_RT_OVERFLOW_MODE_UNDEF };
enum aclrtEngineType { ACL_RT_ENGINE_TYPE_AIC = 0, ACL_RT_ENGINE_TYPE_AIV };
enum aclrtBinaryLoadOptionType { ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1, ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2, ACL_RT_BINARY_LOAD_OPT_MAGIC = 2, ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3 };
struct aclrtBinaryLoadOption {
    aclrtBinaryLoadOptionType type;
    union { uint32_t isLazyLoad, magic; int32_t cpuKernelMode; uint32_t rsv[4]; } value;
};
struct aclrtBinaryLoadOptions {
    aclrtBinaryLoadOption *options;
    size_t numOpt;
};
enum aclrtLaunchKernelAttrId { ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1, ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2, ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5, ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7 };
union aclrtLaunchKernelAttrValue { uint8_t schemMode; uint32_t dynUBufSize, localMemorySize; aclrtEngineType engineType; uint32_t blockDimOffset; uint8_t isBlockTaskPrefetch, isDataDump; uint16_t timeout; uint32_t rsv[4]; };
struct aclrtLaunchKernelAttr { aclrtLaunchKernelAttrId id; aclrtLaunchKernelAttrValue value; };
struct aclrtLaunchKernelCfg { aclrtLaunchKernelAttr *attrs; size_t numAttrs; };
struct aclrtPlaceHolderInfo { uint32_t addrOffset, dataOffset; };

#define ACL_EVENT_SYNC 0x00000001u
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002u
#define ACL_EVENT_TIME_LINE 0x00000008u
#define ACL_STREAM_FAST_LAUNCH 0x00000001u
#define ACL_STREAM_FAST_SYNC 0x00000002u
#define ACL_RT_BINARY_MAGIC_ELF_AICORE 0x43554245u
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246u
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE 0x41494343u

extern "C" {
/// Makes a device the calling thread's.
aclError aclrtSetDevice(int32_t device);
aclError aclrtGetDevice(int32_t *device);
/// Gives a device back.
aclError aclrtResetDevice(int32_t device);
aclError aclrtResetDeviceForce(int32_t device);
aclError aclrtGetDeviceCount(uint32_t *count);
aclError aclrtGetDeviceInfo(uint32_t device, aclrtDevAttr attribute, int64_t *value);
aclError aclrtGetDeviceResLimit(int32_t device, aclrtDevResLimitType type, uint32_t *value);
aclError aclrtSetDeviceResLimit(int32_t device, aclrtDevResLimitType type, uint32_t value);
aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value);
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);
aclError aclrtGetRunMode(aclrtRunMode *mode);
/// The chip's name as CANN has it.
const char *aclrtGetSocName();
aclError aclrtGetVersion(int32_t *major, int32_t *minor, int32_t *patch);
aclError aclrtCreateContext(aclrtContext *context, int32_t device);
aclError aclrtDestroyContext(aclrtContext context);
aclError aclrtSetCurrentContext(aclrtContext context);
aclError aclrtGetCurrentContext(aclrtContext *context);
/// Makes a stream: kernels and copies in it run one after the other.
aclError aclrtCreateStream(aclrtStream *stream);
aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flags);
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtDestroyStreamForce(aclrtStream stream);
/// Waits until everything in a stream is done.
aclError aclrtSynchronizeStream(aclrtStream stream);
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t milliseconds);
aclError aclrtStreamQuery(aclrtStream stream, int32_t *status);
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);
aclError aclrtSynchronizeDevice();
aclError aclrtSynchronizeDeviceWithTimeout(int32_t milliseconds);
aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream);
aclError aclrtCreateEvent(aclrtEvent *event);
aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);
aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag);
aclError aclrtDestroyEvent(aclrtEvent event);
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtSynchronizeEvent(aclrtEvent event);
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status);
aclError aclrtEventElapsedTime(float *milliseconds, aclrtEvent start, aclrtEvent end);
/// Takes memory of the device.
aclError aclrtMalloc(void **memory, size_t bytes, aclrtMemMallocPolicy policy);
aclError aclrtMallocAlign32(void **memory, size_t bytes, aclrtMemMallocPolicy policy);
aclError aclrtMallocCached(void **memory, size_t bytes, aclrtMemMallocPolicy policy);
aclError aclrtFree(void *memory);
aclError aclrtMallocHost(void **memory, size_t bytes);
aclError aclrtFreeHost(void *memory);
aclError aclrtMemset(void *to, size_t most, int32_t value, size_t bytes);
aclError aclrtMemsetAsync(void *to, size_t most, int32_t value, size_t bytes, aclrtStream stream);
/// Copies between host and device.
aclError aclrtMemcpy(void *to, size_t most, const void *from, size_t bytes, aclrtMemcpyKind kind);
aclError aclrtMemcpyAsync(void *to, size_t most, const void *from, size_t bytes, aclrtMemcpyKind kind, aclrtStream stream);
aclError aclrtMemcpy2d(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, aclrtMemcpyKind kind);
aclError aclrtMemFlush(void *memory, size_t bytes);
aclError aclrtMemInvalidate(void *memory, size_t bytes);
aclError aclrtGetMemInfo(aclrtMemAttr attribute, size_t *free, size_t *total);
aclError aclrtLaunchCallback(aclrtCallback function, void *data, int32_t blocking, aclrtStream stream);
aclError aclrtProcessReport(int32_t milliseconds);
aclError aclrtSubscribeReport(uint64_t thread, aclrtStream stream);
aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);
aclError aclrtPeekAtLastError(int32_t level);
aclError aclrtGetLastError(int32_t level);
aclrtBinary aclrtCreateBinary(const void *data, size_t bytes);
aclError aclrtDestroyBinary(aclrtBinary binary);
aclError aclrtBinaryLoad(aclrtBinary binary, aclrtBinHandle *handle);
aclError aclrtBinaryLoadFromFile(const char *path, aclrtBinaryLoadOptions *options, aclrtBinHandle *handle);
aclError aclrtBinaryLoadFromData(const void *data, size_t bytes, const aclrtBinaryLoadOptions *options, aclrtBinHandle *handle);
aclError aclrtBinaryUnLoad(aclrtBinHandle handle);
aclError aclrtBinaryGetFunction(aclrtBinHandle handle, const char *name, aclrtFuncHandle *function);
aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle handle, uint64_t entry, aclrtFuncHandle *function);
aclError aclrtKernelArgsInit(aclrtFuncHandle function, aclrtArgsHandle *arguments);
aclError aclrtKernelArgsAppend(aclrtArgsHandle arguments, void *value, size_t bytes, aclrtParamHandle *parameter);
aclError aclrtKernelArgsFinalize(aclrtArgsHandle arguments);
aclError aclrtLaunchKernel(aclrtFuncHandle function, uint32_t blocks, const void *arguments, size_t bytes, aclrtStream stream);
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle function, uint32_t blocks, aclrtStream stream, aclrtLaunchKernelCfg *config, aclrtArgsHandle arguments, void *reserved);
aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle function, uint32_t blocks, aclrtStream stream, aclrtLaunchKernelCfg *config, void *arguments, size_t bytes, aclrtPlaceHolderInfo *holders, size_t count);
aclError aclrtLaunchKernelWithArgsArray(aclrtFuncHandle function, uint32_t blocks, aclrtStream stream, aclrtLaunchKernelCfg *config, void **arguments, void *reserved);
aclError aclrtGetHardwareSyncAddr(void **address);
}
