// What a compiler for the device knows without any header: qualifiers, element types, pipelines, intrinsics.
#ifndef KERNELGEN_ASCENDC_LANGUAGE_H
#define KERNELGEN_ASCENDC_LANGUAGE_H

#include "config.h"
#include "intrinsics.h"
#include "types.h"

#endif
