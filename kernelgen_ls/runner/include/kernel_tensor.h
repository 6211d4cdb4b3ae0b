// Found in kernels beside kernel_operator.h.
#pragma once
#include "kernel_operator.h"
