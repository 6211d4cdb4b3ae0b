// Data types.
#pragma once
#include "../host/ge.h"
