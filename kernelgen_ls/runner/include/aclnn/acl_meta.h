// Tensors, scalars and arrays that single operators take from the host, declared.
#pragma once
#include "acl/acl_rt.h"

using aclnnStatus = int32_t;
struct aclOpExecutor;
struct aclTensor;
struct aclScalar;
struct aclIntArray;
struct aclFloatArray;
struct aclBoolArray;
struct aclTensorList;
struct aclScalarList;

extern "C" {
/// A tensor over memory of the device; strides in elements, nullptr where it is contiguous.
aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType type, const int64_t *strides, int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum, void *data);
aclnnStatus aclDestroyTensor(const aclTensor *tensor);
aclScalar *aclCreateScalar(void *value, aclDataType type);
aclnnStatus aclDestroyScalar(const aclScalar *scalar);
aclIntArray *aclCreateIntArray(const int64_t *values, uint64_t size);
aclnnStatus aclDestroyIntArray(const aclIntArray *array);
aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size);
aclFloatArray *aclCreateFloatArray(const float *values, uint64_t size);
aclnnStatus aclDestroyFloatArray(const aclFloatArray *array);
aclBoolArray *aclCreateBoolArray(const bool *values, uint64_t size);
aclnnStatus aclDestroyBoolArray(const aclBoolArray *array);
aclTensorList *aclCreateTensorList(const aclTensor *const *tensors, uint64_t size);
aclnnStatus aclDestroyTensorList(const aclTensorList *list);
aclnnStatus aclGetTensorListSize(const aclTensorList *list, uint64_t *size);
aclScalarList *aclCreateScalarList(const aclScalar *const *scalars, uint64_t size);
aclnnStatus aclDestroyScalarList(const aclScalarList *list);
aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **dims, uint64_t *size);
aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **strides, uint64_t *size);
aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset);
aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **dims, uint64_t *size);
aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *type);
aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format);
aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor);
aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor);
aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, size_t index, aclTensor *tensor, void *address);
aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, size_t index, aclTensor *tensor, void *address);
}
