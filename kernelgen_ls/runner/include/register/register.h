// Registration.
#pragma once
#include "../host/op_impl.h"
