// SIMT functions in AscendC's own names.
#pragma once
#include "ascendc/simt.h"
