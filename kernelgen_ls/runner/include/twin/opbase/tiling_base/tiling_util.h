#pragma once
#include "../opbase.h"
namespace optiling {
using namespace Ops::Base;
}
