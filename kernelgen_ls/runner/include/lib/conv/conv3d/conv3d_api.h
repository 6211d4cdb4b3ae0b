// The convolution object.
#pragma once
#include "../../../ascendc/conv.h"
