// Operators.
#pragma once
#include "../host/ge.h"
