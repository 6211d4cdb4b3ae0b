// Strings.
#pragma once
#include "../host/ge.h"
