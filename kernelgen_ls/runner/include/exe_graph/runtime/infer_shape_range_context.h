// The inference context.
#pragma once
#include "../../host/ge.h"
