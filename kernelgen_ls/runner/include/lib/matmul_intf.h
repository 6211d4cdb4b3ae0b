// Matmul and its configuration.
#pragma once
#include "../ascendc/matmul.h"

namespace AscendC {
/// x / y, rounded up: of 16 bits, as the headers of Matmul have it.
__aicore__ inline uint16_t CeilDiv(uint16_t x, uint16_t y) { return (x + y - 1) / y; }
}
