// What the declarations do where kernels are executed: read after all of them, where KERNELGEN_TWIN is defined.
//
// A body has the template head and the parameters of its declaration, begins with KGTWIN_CALL and calls the runtime. For
// a declaration with a body of its own (ASC_DEFINE, KERNELGEN_RUN) it is called kgRun and the function's name, takes
// what that body hands on, and is found by its tensors' namespace.
#ifndef KERNELGEN_TWIN_BODIES_H
#define KERNELGEN_TWIN_BODIES_H

#include <math.h> // sqrt of a float outside std::

#include "library.h"

#include "tensor_bodies.h"
#include "queue_bodies.h"
#include "copy_bodies.h"
#include "system_bodies.h"
#if !KGTWIN_HAS_VECTOR
#pragma push_macro("KGTWIN_CALL")
#undef KGTWIN_CALL
#define KGTWIN_CALL return
#endif
#include "vector_bodies.h"
#include "compound_bodies.h"
#include "reduce_bodies.h"
#include "gather_bodies.h"
#include "math_bodies.h"
#include "sort_bodies.h"
#include "softmax_bodies.h"
#include "normalise_bodies.h"
#include "quantise_bodies.h"
#include "layout_bodies.h"
#if !KGTWIN_HAS_VECTOR
#pragma pop_macro("KGTWIN_CALL")
#endif
#include "matmul_bodies.h"
#if !KGTWIN_HAS_CUBE
#pragma push_macro("KGTWIN_CALL")
#undef KGTWIN_CALL
#define KGTWIN_CALL return
#endif
#include "cube_bodies.h"
#if !KGTWIN_HAS_CUBE
#pragma pop_macro("KGTWIN_CALL")
#endif

#undef __aicore__
#define __aicore__

#endif
