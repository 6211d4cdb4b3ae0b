// The library's functions that move or drop elements, and its reductions along axes.
#include "rows.h"

#include "twin/library.h"

namespace kgtwin {

namespace {

/// Copies an element and how far it is known; the places were touched.
void move(const Local &dst, int64_t to, const Local &src, int64_t from)
{
    memmove(hostAddress(dst, 0) + to * dst.width, hostAddress(src, 0) + from * src.width, dst.width);
    memmove(unknownOf(dst) + to * dst.width, unknownOf(src) + from * src.width, dst.width);
}

}

/// Elements that the mask selects, divided by `keep`; 0 elsewhere.
void dropOut(const Local &dst, const Local &src, const Local &mask, bool bits, float keep, uint32_t rows, uint32_t columns, uint32_t maskColumns)
{
    issue(V);
    Row values;
    for (uint32_t row = 0; row < rows; ++row) {
        auto at = int64_t(row) * maskColumns;
        const uint8_t *selected = touch(mask, at, bits ? (columns + 7) / 8 : columns, false);
        values.read(src, int64_t(row) * columns, columns);
        for (uint32_t i = 0; i < columns; ++i) {
            bool set = bits ? selected[i / 8] >> (i % 8) & 1 : selected[i] != 0;
            values[i] = set ? values[i] / keep : 0.0f;
        }
        values.unknown = values.unknown || anyUnknown(unknownOf(mask) + at, bits ? (columns + 7) / 8 : columns);
        values.write(dst, int64_t(row) * columns, columns);
    }
}

/// Rows of `columns` elements, `pitch` apart, to rows of whole blocks with `left` and `right` more of `value`.
void padRows(const Local &dst, const Local &src, uint32_t rows, uint32_t pitch, uint32_t columns, uint32_t left, uint32_t right, int32_t value)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    uint32_t inBlock = 32u / dst.width, width = (pitch + inBlock - 1) / inBlock * inBlock;
    touch(src, 0, (uint64_t(rows - 1) * pitch + columns) * src.width, false);
    touch(dst, 0, uint64_t(rows) * width * dst.width, true);
    for (uint32_t row = rows; row-- > 0;) { // from the last, for the two may be one
        int64_t to = int64_t(row) * width, from = int64_t(row) * pitch;
        for (uint32_t i = columns; i-- > 0;) move(dst, to + left + i, src, from + i);
        for (uint32_t i = 0; i < left; ++i) writeNumber(dst, to + i, value, false);
        for (uint32_t i = 0; i < right; ++i) writeNumber(dst, to + left + columns + i, value, false);
    }
}

void unpadRows(const Local &dst, const Local &src, uint32_t rows, uint32_t pitch, uint32_t right)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    uint32_t columns = pitch - right;
    touch(src, 0, uint64_t(rows) * pitch * src.width, false);
    touch(dst, 0, uint64_t(rows) * columns * dst.width, true);
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t i = 0; i < columns; ++i) move(dst, int64_t(row) * columns + i, src, int64_t(row) * pitch + i);
}

void permute(const Local &dst, const Local &src, const uint32_t *shape, const uint32_t *order, uint32_t axes)
{
    issue(V);
    uint64_t total = 1, steps[8] = {};
    for (uint32_t i = axes; i-- > 0;) {
        steps[i] = total;
        total *= shape[i];
    }
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    touch(src, 0, total * src.width, false);
    touch(dst, 0, total * dst.width, true);
    for (uint64_t i = 0; i < total; ++i) {
        uint64_t rest = i, from = 0;
        for (uint32_t k = axes; k-- > 0;) {
            from += rest % shape[order[k]] * steps[order[k]];
            rest /= shape[order[k]];
        }
        move(dst, int64_t(i), src, int64_t(from));
    }
}

// --- Reductions along axes -------------------------------------------------------------------------------------------

void reduceAxes(AxisReduction kind, const Local &dst, const Local &src, const uint32_t *shape, const bool *kept, uint32_t axes)
{
    issue(V);
    uint64_t total = 1, results = 1, reduced = 1;
    for (uint32_t i = 0; i < axes; ++i) {
        total *= shape[i];
        (kept[i] ? results : reduced) *= shape[i];
    }
    const uint8_t *from = touch(src, 0, total * src.width, false);
    Array<double> values;
    Array<uint8_t> begun;
    for (uint64_t i = 0; i < results; ++i) {
        values.add(0);
        begun.add(0);
    }
    for (uint64_t i = 0; i < total; ++i) {
        uint64_t rest = i, place = 0, step = 1;
        for (uint32_t k = axes; k-- > 0;) {
            if (kept[k]) {
                place += rest % shape[k] * step;
                step *= shape[k];
            }
            rest /= shape[k];
        }
        double x = valueAt(from + i * src.width, src.type), &value = values[place];
        bool first = !(begun[place] & 1);
        begun[place] = uint8_t(begun[place] | 1 | (anyUnknown(unknownOf(src) + i * src.width, src.width) ? 2 : 0));
        switch (kind) {
        case AxisReduction::sum: case AxisReduction::mean: value += x; break;
        case AxisReduction::max: value = first || x > value ? x : value; break;
        case AxisReduction::min: value = first || x < value ? x : value; break;
        case AxisReduction::product: value = first ? x : value * x; break;
        case AxisReduction::any: value = first ? x != 0 : value != 0 || x != 0; break;
        case AxisReduction::all: value = first ? x != 0 : value != 0 && x != 0; break;
        case AxisReduction::exclusiveOr: value = first ? x : double(int64_t(value) ^ int64_t(x)); break;
        }
    }
    for (uint64_t i = 0; i < results; ++i)
        writeNumber(dst, int64_t(i), kind == AxisReduction::mean ? values[i] / double(reduced) : values[i], begun[i] & 2);
    std::free(values.items);
    std::free(begun.items);
}

/// The sum of a ^ b over all elements.
void sumOfExclusiveOr(const Local &dst, const Local &a, const Local &b, int64_t count)
{
    issue(V);
    uint64_t bytes = uint64_t(count) * a.width;
    const uint8_t *left = touch(a, 0, bytes, false), *right = touch(b, 0, bytes, false);
    int64_t total = 0;
    for (int64_t i = 0; i < count; ++i) total += int64_t(valueAt(left + i * a.width, a.type)) ^ int64_t(valueAt(right + i * a.width, a.type));
    writeNumber(dst, 0, double(total), anyUnknown(unknownOf(a), bytes) || anyUnknown(unknownOf(b), bytes));
}

void runningSum(const Local &dst, const Local *lastRow, const Local &src, uint32_t rows, uint32_t columns, bool alongRows)
{
    issue(V);
    Row values, sums;
    sums.resize(columns);
    for (uint32_t row = 0; row < rows; ++row) {
        values.read(src, int64_t(row) * columns, columns);
        for (uint32_t i = 0; i < columns; ++i) {
            float before = alongRows ? (i ? sums[i - 1] : 0.0f) : row ? sums[i] : 0.0f;
            sums[i] = before + values[i];
        }
        sums.unknown = values.unknown || (!alongRows && sums.unknown);
        sums.write(dst, int64_t(row) * columns, columns);
    }
    if (lastRow) sums.write(*lastRow, 0, columns);
}

}
