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

/// The tensor at an address that a kernel has computed itself, to the end of its memory.
Local localAt(uint64_t address, Type type, uint8_t width);

// --- Numbers ---------------------------------------------------------------------------------------------------------
/// A float as the nearest half; where the case saturates, what is no number is 0 and what is too large the largest.
inline _Float16 halfOf(float x)
{
    if (__builtin_expect(core->saturates, 0)) {
        if (x != x) return _Float16(0.0f);
        if (x > 65504.0f) return _Float16(65504.0f);
        if (x < -65504.0f) return _Float16(-65504.0f);
    }
    return _Float16(x);
}
/// The same for bfloat16_t.
inline Bf16 bfloatOf(float x)
{
    if (__builtin_expect(core->saturates, 0)) {
        if (x != x) return {0};
        Bf16 result = toBf16(x);
        if ((result.bits & 0x7fff) == 0x7f80) result.bits = uint16_t((result.bits & 0x8000) | 0x7f7f);
        return result;
    }
    return toBf16(x);
}
/// An element as a number; 64-bit integers lose what a double does not hold.
double valueAt(const uint8_t *at, Type type);
/// Writes a number as an element: floating point rounds to nearest even, integers take the low bits.
void putValue(uint8_t *at, Type type, double value);
/// A number as the element type holds it.
double rounded(double value, Type type);

/// What computes one run: `count` elements from `a` and `b` or the scalar whose bytes are `scalar`.
using Function = void (*)(uint8_t *d, const uint8_t *a, const uint8_t *b, uint64_t scalar, uint64_t count);
/// The function of an operation with so many tensors as sources (3: one, and a scalar); null where there is none.
Function instruction(Op op, int form, Type type);
using Convert = void (*)(uint8_t *d, const uint8_t *s, uint64_t count, int mode);
Convert conversion(Type to, Type source);

}

#endif
