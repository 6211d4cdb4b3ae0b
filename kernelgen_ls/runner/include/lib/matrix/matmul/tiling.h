// The tiling structure of Matmul.
#pragma once
#include "../../../kernel_tiling/kernel_tiling.h"
