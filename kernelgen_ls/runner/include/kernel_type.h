// Element types.
#pragma once
#include "ascendc/config.h"
