// Vectors.
#pragma once
#include "../../host/ge.h"
