// Kinds of tiling.
#pragma once
#include "../host/ge.h"
