// What the bodies of the library's functions call in the runtime: whole tensors, rows of matrices, normalisation,
// quantisation. Arithmetic is float's, sums are kept in double, results are rounded once to the tensor's type.
#ifndef KERNELGEN_TWIN_LIBRARY_H
#define KERNELGEN_TWIN_LIBRARY_H

#include "state.h"

namespace kgtwin {

/// Computations element by element of one or two sources and up to two scalars `p` and `q`.
enum class Formula : uint8_t {
    absSub, expSub, prelu, swish, swiglu, geglu, reglu, gelu2, fmod, hypot, lgamma, digamma, truncate,
    logicalNot, logicalAnd, logicalOr, logicalXor, isNan, isInf, isFinite,
};
/// Without `b` the second operand is `p`.
void formula(Formula which, const Local &dst, const Local *a, const Local *b, double p, double q, const Shape &shape);
void fusedMultiplyAdd(const Local &dst, const Local &a, const Local &b, const Local &c, int64_t count);
void multiplyHigh(const Local &low, const Local &high, const Local &a, const Local &b, int64_t count);
void chooseByBytes(const Local &dst, const Local *a, uint64_t first, const Local *b, uint64_t second, const Local &condition, int64_t count);
void interleave(const Local &dst0, const Local &dst1, const Local &src0, const Local &src1, int64_t count);
void deinterleave(const Local &dst0, const Local &dst1, const Local &src0, const Local &src1, int64_t count);

// --- Instructions that convert what they computed ---------------------------------------------------------------------
/// `op` in the sources' type, converted to the destination's, and `after` applied to that (COUNT: nothing).
void computeAndCast(Op op, const Local &dst, const Local &a, const Local *b, uint64_t scalar, Op after, const Shape &shape);
/// Sixteen scales, offsets and signs, or one of each.
void setDeqParameters(float scale, int offset, bool isSigned);
void setDeqParameters(const Local &table);
/// int16_t to 8 bits; half a block of results goes to the upper or the lower half of a block.
void castDequant(const Local &dst, const Local &src, bool byTable, bool lower, const Shape &shape);
double scalarCast(double value, Type to, int mode);
void fillUp(const Local &dst, const Local &src, int mode, bool right, const Shape &shape);
void interpolate(const Local &dst, const Local &src0, const Local &offsets, const Local &src1, const Shape &shape, uint32_t horizontal, bool eachBlock, uint32_t verticalStep, uint32_t vertical);

// --- Reductions ------------------------------------------------------------------------------------------------------
enum class AxisReduction : uint8_t { sum, mean, max, min, product, any, all, exclusiveOr };
/// A tensor of up to four axes, each of `kept` or reduced.
void reduceAxes(AxisReduction kind, const Local &dst, const Local &src, const uint32_t *shape, const bool *kept, uint32_t axes);
void sumOfExclusiveOr(const Local &dst, const Local &a, const Local &b, int64_t count);
void runningSum(const Local &dst, const Local *lastRow, const Local &src, uint32_t rows, uint32_t columns, bool alongRows);

// --- Softmax ---------------------------------------------------------------------------------------------------------
/// Rows, their pitch and length; whether sums and maxima have one value a row instead of a block.
struct SoftmaxRows {
    uint32_t rows, pitch, columns;
    bool single = false;
};
/// What a softmax gives and takes beside its values; null where it does not.
struct SoftmaxParts {
    const Local *sum = nullptr, *maximum = nullptr, *factor = nullptr, *largest = nullptr;
    const Local *sumBefore = nullptr, *maximumBefore = nullptr;
};
enum class Softmax : uint8_t { plain, logarithm, flash, flash2 };
void softmax(Softmax kind, const Local &dst, const Local &src, const SoftmaxParts &parts, const SoftmaxRows &rows);
/// exp(x - maximum) / sum, both given.
void softmaxOfParts(const Local &dst, const Local &src, const Local &sum, const Local &maximum, const SoftmaxRows &rows);
bool adjustSoftmax(const Local &values, const Local &maximum, uint32_t from, uint64_t to, const SoftmaxRows &rows);

// --- Normalisation ---------------------------------------------------------------------------------------------------
struct Normalisation {
    uint32_t rows, pitch, columns;
    float epsilon;
    bool reciprocal; // the deviation's reciprocal instead of the variance
};
/// Null: without. `residual` is added to `alpha` times the source.
void normalise(const Local &dst, const Local *mean, const Local *deviation, const Local &src, const Local *gamma, const Local *beta, const Local *residual, float alpha, const Normalisation &how);
void normaliseByGiven(const Local &dst, const Local &reciprocal, const Local &mean, const Local &variance, const Local &src, const Local *gamma, const Local *beta, const Normalisation &how);
void normaliseByRootMeanSquare(const Local &dst, const Local &src, const Local &gamma, const Normalisation &how);
void normaliseOverBatch(const Local &dst, const Local &mean, const Local &variance, const Local &src, const Local &gamma, const Local &beta, uint32_t batch, uint32_t features, float epsilon);
void normaliseGroups(const Local &dst, const Local &mean, const Local &variance, const Local &src, const Local &gamma, const Local &beta, uint32_t samples, uint32_t groups, uint32_t channels, uint32_t length, uint32_t pitch, float epsilon);
void normaliseGradient(const Local &dst, const Local &forGamma, const Local &gradient, const Local &src, const Local &variance, const Local &mean, const Local &gamma, const Normalisation &how);
void normaliseGradientParameters(const Local &gamma, const Local &beta, const Local &forGamma, const Local &gradient, uint32_t rows, uint32_t pitch, uint32_t columns);
void welfordUpdate(const Local &mean, const Local &variance, const Local &meanBefore, const Local &varianceBefore, const Local &src, uint32_t length, uint32_t computed, float weight, bool inPlace);
void welfordFinalize(const Local &mean, const Local &variance, const Local &means, const Local &variances, const Local *counts, uint32_t length, uint32_t headLength, float head, float tail, float reciprocal, float correction);

// --- Quantisation ----------------------------------------------------------------------------------------------------
/// Scales and offsets: a tensor that repeats after `period` elements, or a number.
struct Parameter {
    const Local *tensor = nullptr;
    float number = 0;
    bool given = true;
};
void quantise(const Local &dst, const Local &src, const Parameter &scale, const Parameter &offset, uint32_t period, int64_t count);
void dequantise(const Local &dst, const Local &src, const Parameter &scale, uint32_t rows, uint32_t columns, uint32_t computed);
/// (x + offset) * scale over a matrix of `rows` rows; row or column i has the parameter i / group.
void antiquantise(const Local &dst, const Local &src, const Parameter &scale, const Parameter &offset, uint32_t rows, uint32_t columns, uint32_t parameterRows, uint32_t parameterColumns);

// --- Layout ----------------------------------------------------------------------------------------------------------
void dropOut(const Local &dst, const Local &src, const Local &mask, bool bits, float keep, uint32_t rows, uint32_t columns, uint32_t maskColumns);
void padRows(const Local &dst, const Local &src, uint32_t rows, uint32_t pitch, uint32_t columns, uint32_t left, uint32_t right, int32_t value);
void unpadRows(const Local &dst, const Local &src, uint32_t rows, uint32_t pitch, uint32_t right);
/// Axis i of the destination is axis order[i] of the source.
void permute(const Local &dst, const Local &src, const uint32_t *shape, const uint32_t *order, uint32_t axes);

// --- Sorting ---------------------------------------------------------------------------------------------------------
/// `count` values in order, equal ones as they stood, and where they stood or what `indices` says of them.
void sortValues(const Local &dst, const Local *dstIndices, const Local &src, const Local *indices, uint32_t count, bool descending);
void topK(const Local &values, const Local &indices, const Local &src, const Local *srcIndices, const Local *finished, uint32_t rows, uint32_t pitch, uint32_t columns, uint32_t k, bool largest, bool packed);
void sortProposals(const Local &dst, const Local &src, uint32_t repeats);
void mergeProposals(const Local &dst, const Local *lists, const uint16_t *lengths, uint32_t valid, uint32_t repeats, bool suspends);
void proposalField(const Local &dst, const Local &src, uint32_t repeats, uint32_t field, bool into);

/// The tensor where it is wanted.
inline const Local *orNull(bool wanted, const Local &tensor) { return wanted ? &tensor : nullptr; }

}

#endif
