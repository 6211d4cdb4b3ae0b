// The AscendC operator programming interface, declared for checking: names, parameters and constraints, no code.
#ifndef KERNELGEN_KERNEL_OPERATOR_H
#define KERNELGEN_KERNEL_OPERATOR_H

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ascendc/heap.h"
#ifdef KERNELGEN_DEVICE
#pragma clang force_cuda_host_device begin
#endif
#include "ascendc/config.h"
#include "ascendc/types.h"
#include "ascendc/tensor.h"
#include "ascendc/queue.h"
#include "ascendc/copy.h"
#include "ascendc/vector.h"
#include "ascendc/compare.h"
#include "ascendc/convert.h"
#include "ascendc/reduce.h"
#include "ascendc/gather.h"
#include "ascendc/system.h"
#include "ascendc/scalar.h"
#include "ascendc/groups.h"
#include "ascendc/hccl.h"
#include "ascendc/standard.h"
#include "ascendc/intrinsics.h"
#include "ascendc/math.h"
#include "ascendc/activation.h"
#include "ascendc/transform.h"
#include "ascendc/tiling.h"
#include "ascendc/cube.h"
#include "ascendc/matmul.h"
#include "ascendc/reg.h"
#include "ascendc/simd.h"
#include "ascendc/layout.h"
#ifdef KERNELGEN_DEVICE
#pragma clang force_cuda_host_device end
#endif
#ifdef KERNELGEN_TWIN
#include "twin/bodies.h"
#endif

#endif
