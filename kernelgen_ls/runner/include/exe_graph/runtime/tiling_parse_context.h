// The tiling parse context.
#pragma once
#include "../../host/ge.h"
