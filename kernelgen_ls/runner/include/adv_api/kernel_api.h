// The interface, by another name.
#pragma once
#include "../kernel_operator.h"
