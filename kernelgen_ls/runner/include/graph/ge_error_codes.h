// Status codes.
#pragma once
#include "../host/ge.h"
