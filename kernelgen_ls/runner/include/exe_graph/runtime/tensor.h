// Tensors.
#pragma once
#include "../../host/ge.h"
