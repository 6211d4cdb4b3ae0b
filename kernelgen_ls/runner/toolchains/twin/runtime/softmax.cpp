// Softmax over the rows of a matrix, and selection by bytes.
#include "rows.h"

#include "twin/library.h"

#include <cmath>

namespace kgtwin {

namespace {

void put(const Local *tensor, const SoftmaxRows &rows, uint32_t row, float value, bool unknown)
{
    if (!tensor) return;
    if (rows.single) writeNumber(*tensor, row, double(value), unknown);
    else fillBlock(*tensor, row, double(value), unknown);
}
/// A row's number in a tensor of sums or maxima.
float number(const Local &tensor, const SoftmaxRows &rows, uint32_t row, bool &unknown)
{
    Row one(tensor, int64_t(row) * (rows.single ? 1 : 32 / tensor.width), 1);
    unknown = unknown || one.unknown;
    return one[0];
}

}

void softmax(Softmax kind, const Local &dst, const Local &src, const SoftmaxParts &parts, const SoftmaxRows &rows)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    Row values;
    for (uint32_t row = 0; row < rows.rows; ++row) {
        int64_t first = int64_t(row) * rows.pitch;
        values.read(src, first, rows.columns);
        float largest = -INFINITY;
        for (uint32_t i = 0; i < rows.columns; ++i) largest = std::fmax(largest, values[i]);
        put(parts.largest, rows, row, largest, values.unknown);
        float before = 0, sumBefore = 0, factor = 0;
        if (parts.maximumBefore) {
            before = number(*parts.maximumBefore, rows, row, values.unknown);
            sumBefore = number(*parts.sumBefore, rows, row, values.unknown);
            largest = std::fmax(largest, before);
            factor = std::exp(before - largest);
        }
        for (uint32_t i = 0; i < rows.columns; ++i) values[i] = std::exp(values[i] - largest);
        auto sum = float(values.sum(rows.columns) + double(factor) * double(sumBefore));
        if (kind != Softmax::flash2)
            for (uint32_t i = 0; i < rows.columns; ++i) values[i] /= sum;
        if (kind == Softmax::logarithm)
            for (uint32_t i = 0; i < rows.columns; ++i) values[i] = std::log10(values[i]);
        values.write(dst, first, rows.columns);
        put(parts.sum, rows, row, sum, values.unknown);
        put(parts.maximum, rows, row, largest, values.unknown);
        if (parts.maximumBefore) put(parts.factor, rows, row, kind == Softmax::flash ? factor * sumBefore / sum : factor, values.unknown);
    }
}

void softmaxOfParts(const Local &dst, const Local &src, const Local &sum, const Local &maximum, const SoftmaxRows &rows)
{
    issue(V);
    Row values;
    for (uint32_t row = 0; row < rows.rows; ++row) {
        int64_t first = int64_t(row) * rows.pitch;
        values.read(src, first, rows.columns);
        float largest = number(maximum, rows, row, values.unknown), total = number(sum, rows, row, values.unknown);
        for (uint32_t i = 0; i < rows.columns; ++i) values[i] = std::exp(values[i] - largest) / total;
        values.write(dst, first, rows.columns);
    }
}

bool adjustSoftmax(const Local &values, const Local &maximum, uint32_t from, uint64_t to, const SoftmaxRows &rows)
{
    issue(V);
    bool found = false;
    for (uint32_t row = 0; row < rows.rows; ++row) {
        int64_t place = int64_t(row) * (rows.single ? maximum.width : 32);
        uint32_t bits = 0;
        memcpy(&bits, touch(maximum, place, maximum.width, false), maximum.width);
        if (bits != from) continue;
        found = true;
        auto at = int64_t(row) * rows.pitch * values.width;
        uint8_t *bytes = touch(values, at, uint64_t(rows.columns) * values.width, true);
        for (uint32_t i = 0; i < rows.columns; ++i) memcpy(bytes + uint64_t(i) * values.width, &to, values.width);
        memset(unknownOf(values) + at, 0, uint64_t(rows.columns) * values.width);
    }
    return found;
}

/// (gradient - sum(gradient * y)) * y, or the sum alone where `sumsOnly`.
void softmaxGradient(const Local &dst, const Local &gradient, const Local &y, uint32_t rows, uint32_t pitch, uint32_t columns, bool sumsOnly)
{
    issue(V);
    Row g, v;
    for (uint32_t row = 0; row < rows; ++row) {
        int64_t first = int64_t(row) * pitch;
        g.read(gradient, first, columns);
        v.read(y, first, columns);
        v.unknown = v.unknown || g.unknown;
        double sum = 0;
        for (uint32_t i = 0; i < columns; ++i) sum += double(g[i]) * double(v[i]);
        if (sumsOnly) {
            fillBlock(dst, row, sum, v.unknown);
            continue;
        }
        for (uint32_t i = 0; i < columns; ++i) v[i] *= g[i] - float(sum);
        v.write(dst, first, columns);
    }
}

/// One or the other by a byte an element; the mask's rows may be padded. `swapped`: the scalar stands where the byte is 0.
void selectByBytes(const Local &dst, const Local &src, uint64_t scalar, const Local &mask, uint32_t rows, uint32_t columns, uint32_t maskColumns, bool swapped)
{
    issue(V);
    for (uint32_t row = 0; row < rows; ++row) {
        auto at = int64_t(row) * columns * src.width, place = int64_t(row) * maskColumns * mask.width;
        const uint8_t *from = touch(src, at, uint64_t(columns) * src.width, false), *bits = touch(mask, place, uint64_t(columns) * mask.width, false);
        uint8_t *to = touch(dst, at, uint64_t(columns) * dst.width, true);
        for (uint32_t i = 0; i < columns; ++i) {
            bool set = bits[uint64_t(i) * mask.width] != 0;
            bool takesScalar = set != swapped;
            uint64_t offset = uint64_t(i) * src.width;
            if (takesScalar) memcpy(to + offset, &scalar, src.width);
            else memmove(to + offset, from + offset, src.width);
            bool unknown = anyUnknown(unknownOf(mask) + place + int64_t(i) * mask.width, mask.width) || (!takesScalar && anyUnknown(unknownOf(src) + at + int64_t(offset), src.width));
            memset(unknownOf(dst) + at + offset, unknown ? 0xff : 0, src.width);
        }
    }
}

}
