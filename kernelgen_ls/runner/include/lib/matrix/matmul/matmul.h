// Matmul and its configuration.
#pragma once
#include "../../../ascendc/matmul.h"
