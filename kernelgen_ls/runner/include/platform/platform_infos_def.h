// Platform information.
#pragma once
#include "../host/ge.h"
