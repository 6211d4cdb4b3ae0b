// Profiling from the host, declared.
#pragma once
#include "acl_rt.h"

struct aclprofConfig;
struct aclprofStepInfo;
enum aclprofAicoreMetrics { ACL_AICORE_ARITHMETIC_UTILIZATION = 0, ACL_AICORE_PIPE_UTILIZATION = 1, ACL_AICORE_MEMORY_BANDWIDTH = 2, ACL_AICORE_L0B_AND_WIDTH = 3, ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4, ACL_AICORE_MEMORY_UB = 5, ACL_AICORE_L2_CACHE = 6, ACL_AICORE_NONE = 0xff };
#define ACL_PROF_ACL_API 0x0001ull
#define ACL_PROF_TASK_TIME 0x0002ull
#define ACL_PROF_AICORE_METRICS 0x0004ull
#define ACL_PROF_AICPU 0x0008ull
#define ACL_PROF_L2CACHE 0x0010ull
#define ACL_PROF_MSPROFTX 0x0080ull

extern "C" {
aclError aclprofInit(const char *folder, size_t length);
aclError aclprofFinalize();
aclprofConfig *aclprofCreateConfig(uint32_t *devices, uint32_t count, aclprofAicoreMetrics metrics, const void *events, uint64_t what);
aclError aclprofDestroyConfig(const aclprofConfig *config);
aclError aclprofStart(const aclprofConfig *config);
aclError aclprofStop(const aclprofConfig *config);
void *aclprofCreateStamp();
void aclprofDestroyStamp(void *stamp);
aclError aclprofPush(void *stamp);
aclError aclprofPop();
}
