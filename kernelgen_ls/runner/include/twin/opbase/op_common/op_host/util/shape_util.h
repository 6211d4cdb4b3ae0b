#pragma once
#include "../../../opbase.h"
