// Printing from a kernel.
#pragma once
#include <stdio.h>
