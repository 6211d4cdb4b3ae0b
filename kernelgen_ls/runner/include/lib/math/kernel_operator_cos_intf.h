// Included by kernel_operator.h already.
#pragma once
#include "../../kernel_operator.h"
