// Names of data types.
#pragma once
#include "../../host/ge.h"
