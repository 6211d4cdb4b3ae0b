// Single operators by name, declared.
#pragma once
#include "acl_rt.h"

struct aclopAttr;
struct aclopHandle;

extern "C" {
aclError aclopSetModelDir(const char *folder);
aclopAttr *aclopCreateAttr();
void aclopDestroyAttr(const aclopAttr *attributes);
aclError aclopSetAttrBool(aclopAttr *attributes, const char *name, uint8_t value);
aclError aclopSetAttrInt(aclopAttr *attributes, const char *name, int64_t value);
aclError aclopSetAttrFloat(aclopAttr *attributes, const char *name, float value);
aclError aclopSetAttrString(aclopAttr *attributes, const char *name, const char *value);
aclError aclopExecute(const char *type, int inputs, const aclTensorDesc *const input[], const aclDataBuffer *const from[], int outputs, const aclTensorDesc *const output[], aclDataBuffer *const to[], const aclopAttr *attributes, aclrtStream stream);
aclError aclopExecuteV2(const char *type, int inputs, aclTensorDesc *input[], aclDataBuffer *from[], int outputs, aclTensorDesc *output[], aclDataBuffer *to[], aclopAttr *attributes, aclrtStream stream);
}
