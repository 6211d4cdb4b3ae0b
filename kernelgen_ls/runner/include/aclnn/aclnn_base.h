// What every single operator's header includes.
#pragma once
#include "aclnn/acl_meta.h"

extern "C" {
aclnnStatus aclnnInit(const char *path);
aclnnStatus aclnnFinalize();
}
