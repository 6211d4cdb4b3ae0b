// What a compiler for the device knows without any header: qualifiers, element types, pipelines, intrinsics.
#ifndef KERNELGEN_ASCENDC_LANGUAGE_H
#define KERNELGEN_ASCENDC_LANGUAGE_H

#include "heap.h"
#ifdef KERNELGEN_DEVICE
#pragma clang force_cuda_host_device begin
#endif
#include "config.h"
#include "intrinsics.h"
#include "types.h"
#if __NPU_ARCH__ >= 3510
#include "threads.h"
#endif
#ifdef KERNELGEN_DEVICE
#pragma clang force_cuda_host_device end
#endif

#endif
