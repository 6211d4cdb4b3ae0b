// Lists of tensors.
#pragma once
#include "kernel_operator.h"
