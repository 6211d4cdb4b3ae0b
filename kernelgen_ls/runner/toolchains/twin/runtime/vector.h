// What the vector unit's files share: the runs of an instruction, and its operands.
#ifndef KERNELGEN_TWIN_VECTOR_H
#define KERNELGEN_TWIN_VECTOR_H

#include "runtime.h"

namespace kgtwin {

/// Neighbouring elements of one instruction: byte offsets into destination, first and second source; `at[3]` is the
/// number of the first element of the run within the instruction.
struct Run {
    int64_t at[4];
    uint64_t count;
    uint8_t width[4];
};
/// The runs of the instruction that is being executed.
extern Array<Run> runs;

/// Makes the runs of a shape; `widths` are the bytes of an element of destination and sources, 0 for none.
void makeRuns(const Shape &shape, const uint8_t widths[3]);

struct Span {
    int64_t lowest, highest;
};
/// From which to which byte the runs reach in an operand.
Span spanOf(int operand);

struct Operand {
    uint8_t *base;
    uint8_t *unknown;
    uint8_t width;
    int number;
};
/// Checks an operand of the runs and notes what is touched.
Operand open(const Local &tensor, int number, bool writes);
/// The destination's elements are as unknown as those of the sources are.
void spreadUnknown(const Run &run, const Operand &dst, const Operand *const sources[], int count);

[[noreturn]] void unsupported(const char *what, Type type);

}

#endif
