// Shapes.
#pragma once
#include "../../host/ge.h"
