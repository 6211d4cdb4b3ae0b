// The tiling context.
#pragma once
#include "../../host/ge.h"
