// Types and results of the host's interface to the device, declared.
#pragma once
#include <stddef.h>
#include <stdint.h>

using aclError = int;
constexpr aclError ACL_SUCCESS = 0;
constexpr aclError ACL_ERROR_NONE = 0;
constexpr aclError ACL_RT_SUCCESS = 0;
constexpr aclError ACL_ERROR_INVALID_PARAM = 100000;
constexpr aclError ACL_ERROR_UNINITIALIZE = 100001;
constexpr aclError ACL_ERROR_REPEAT_INITIALIZE = 100002;
constexpr aclError ACL_ERROR_INVALID_FILE = 100003;
constexpr aclError ACL_ERROR_BAD_ALLOC = 200000;
constexpr aclError ACL_ERROR_STORAGE_OVER_LIMIT = 300000;
constexpr aclError ACL_ERROR_INTERNAL_ERROR = 500000;
constexpr aclError ACL_ERROR_FAILURE = 500001;

/// Element types of the host's tensors.
enum aclDataType {
    ACL_DT_UNDEFINED = -1,
    ACL_FLOAT = 0,
    ACL_FLOAT16 = 1,
    ACL_INT8 = 2,
    ACL_INT32 = 3,
    ACL_UINT8 = 4,
    ACL_INT16 = 6,
    ACL_UINT16 = 7,
    ACL_UINT32 = 8,
    ACL_INT64 = 9,
    ACL_UINT64 = 10,
    ACL_DOUBLE = 11,
    ACL_BOOL = 12,
    ACL_STRING = 13,
    ACL_COMPLEX64 = 16,
    ACL_COMPLEX128 = 17,
    ACL_BF16 = 27,
    ACL_INT4 = 29,
    ACL_UINT1 = 30,
    ACL_COMPLEX32 = 33,
    ACL_HIFLOAT8 = 34,
    ACL_FLOAT8_E5M2 = 35,
    ACL_FLOAT8_E4M3FN = 36,
    ACL_FLOAT8_E8M0 = 37,
    ACL_FLOAT6_E3M2 = 38,
    ACL_FLOAT6_E2M3 = 39,
    ACL_FLOAT4_E2M1 = 40,
    ACL_FLOAT4_E1M2 = 41,
};
/// Layouts of the host's tensors.
enum aclFormat {
    ACL_FORMAT_UNDEFINED = -1,
    ACL_FORMAT_NCHW = 0,
    ACL_FORMAT_NHWC = 1,
    ACL_FORMAT_ND = 2,
    ACL_FORMAT_NC1HWC0 = 3,
    ACL_FORMAT_FRACTAL_Z = 4,
    ACL_FORMAT_NC1HWC0_C04 = 12,
    ACL_FORMAT_HWCN = 16,
    ACL_FORMAT_NDHWC = 27,
    ACL_FORMAT_FRACTAL_NZ = 29,
    ACL_FORMAT_NCDHW = 30,
    ACL_FORMAT_NDC1HWC0 = 32,
    ACL_FRACTAL_Z_3D = 33,
    ACL_FORMAT_NC = 35,
    ACL_FORMAT_NCL = 47,
    ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
    ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
    ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
    ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
    ACL_FORMAT_FRACTAL_NZ_C0_8 = 54,
};
enum aclMemType { ACL_MEMTYPE_DEVICE = 0, ACL_MEMTYPE_HOST, ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT };

using aclFloat16 = uint16_t;
struct aclTensorDesc;
struct aclDataBuffer;

extern "C" {
float aclFloat16ToFloat(aclFloat16 value);
aclFloat16 aclFloatToFloat16(float value);
size_t aclDataTypeSize(aclDataType type);
const char *aclGetRecentErrMsg();
aclDataBuffer *aclCreateDataBuffer(void *data, size_t bytes);
aclError aclDestroyDataBuffer(const aclDataBuffer *buffer);
void *aclGetDataBufferAddr(const aclDataBuffer *buffer);
size_t aclGetDataBufferSizeV2(const aclDataBuffer *buffer);
aclTensorDesc *aclCreateTensorDesc(aclDataType type, int dimensions, const int64_t *sizes, aclFormat format);
void aclDestroyTensorDesc(const aclTensorDesc *description);
aclDataType aclGetTensorDescType(const aclTensorDesc *description);
aclFormat aclGetTensorDescFormat(const aclTensorDesc *description);
size_t aclGetTensorDescSize(const aclTensorDesc *description);
size_t aclGetTensorDescElementCount(const aclTensorDesc *description);
size_t aclGetTensorDescNumDims(const aclTensorDesc *description);
aclError aclGetTensorDescDimV2(const aclTensorDesc *description, size_t index, int64_t *size);
aclError aclSetTensorFormat(aclTensorDesc *description, aclFormat format);
aclError aclSetTensorShape(aclTensorDesc *description, int dimensions, const int64_t *sizes);
void aclSetTensorDescName(aclTensorDesc *description, const char *name);
void aclAppLog(int level, const char *function, const char *file, uint32_t line, const char *format, ...);
}
#define ACL_DEBUG 0
#define ACL_INFO 1
#define ACL_WARNING 2
#define ACL_ERROR 3
