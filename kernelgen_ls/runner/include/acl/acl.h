// The host's interface to the device, declared.
#pragma once
#include "acl_base.h"
#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

extern "C" {
/// Initialises the interface, once a process; `path` of a configuration or nullptr.
aclError aclInit(const char *path);
/// Ends what aclInit began.
aclError aclFinalize();
}
