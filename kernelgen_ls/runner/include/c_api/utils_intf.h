// Types of the C interface.
#pragma once
#include "c_api/utils/enum.h"
#include "c_api/utils/union.h"
