// Communication between devices.
#pragma once
#include "../../ascendc/hccl.h"
