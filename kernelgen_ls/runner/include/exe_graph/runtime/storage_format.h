// Formats.
#pragma once
#include "../../host/ge.h"
