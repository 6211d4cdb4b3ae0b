// IMPL_OP and its forms.
#pragma once
#include "../host/op_impl.h"
