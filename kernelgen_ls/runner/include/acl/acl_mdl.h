// Offline models, declared.
#pragma once
#include "acl_rt.h"

struct aclmdlDataset;
struct aclmdlDesc;
struct aclmdlIODims {
    char name[128];
    size_t dimCount;
    int64_t dims[128];
};
enum aclmdlRICaptureMode { ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL, ACL_MODEL_RI_CAPTURE_MODE_RELAXED };
enum aclmdlRICaptureStatus { ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0, ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED };

extern "C" {
aclError aclmdlLoadFromFile(const char *path, uint32_t *model);
aclError aclmdlLoadFromMem(const void *data, size_t bytes, uint32_t *model);
aclError aclmdlUnload(uint32_t model);
aclError aclmdlExecute(uint32_t model, const aclmdlDataset *input, aclmdlDataset *output);
aclError aclmdlExecuteAsync(uint32_t model, const aclmdlDataset *input, aclmdlDataset *output, aclrtStream stream);
aclmdlDesc *aclmdlCreateDesc();
aclError aclmdlDestroyDesc(aclmdlDesc *description);
aclError aclmdlGetDesc(aclmdlDesc *description, uint32_t model);
size_t aclmdlGetNumInputs(aclmdlDesc *description);
size_t aclmdlGetNumOutputs(aclmdlDesc *description);
size_t aclmdlGetInputSizeByIndex(aclmdlDesc *description, size_t index);
size_t aclmdlGetOutputSizeByIndex(aclmdlDesc *description, size_t index);
aclError aclmdlGetOutputDims(const aclmdlDesc *description, size_t index, aclmdlIODims *dims);
aclDataType aclmdlGetOutputDataType(const aclmdlDesc *description, size_t index);
aclmdlDataset *aclmdlCreateDataset();
aclError aclmdlDestroyDataset(const aclmdlDataset *dataset);
aclError aclmdlAddDatasetBuffer(aclmdlDataset *dataset, aclDataBuffer *buffer);
aclDataBuffer *aclmdlGetDatasetBuffer(const aclmdlDataset *dataset, size_t index);
size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset *dataset);
aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *model);
aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus *status, aclmdlRI *model);
aclError aclmdlRIExecuteAsync(aclmdlRI model, aclrtStream stream);
aclError aclmdlRIDestroy(aclmdlRI model);
aclError aclmdlRIDebugJsonPrint(aclmdlRI model, const char *path, uint32_t flags);
}
