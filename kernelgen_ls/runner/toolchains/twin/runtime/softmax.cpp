// Softmax over the rows of a matrix: float arithmetic, rounded once to the destination's type.
#include "vector.h"

#include <cmath>

namespace kgtwin {

namespace {

float floatAt(const uint8_t *at, Type type)
{
    switch (type) {
    case Type::f16: { _Float16 x; memcpy(&x, at, 2); return float(x); }
    case Type::f32: { float x; memcpy(&x, at, 4); return x; }
    default: unsupported("a softmax", type);
    }
}
void putFloat(uint8_t *at, Type type, float value)
{
    if (type == Type::f16) { auto x = _Float16(value); memcpy(at, &x, 2); }
    else memcpy(at, &value, 4);
}
/// One value fills a row's block of a tensor of sums or maxima.
void fillBlock(const Local &tensor, uint32_t row, float value, bool unknown)
{
    auto at = int64_t(row) * 32;
    uint8_t *to = touch(tensor, at, 32, true);
    for (uint32_t i = 0; i < 32; i += tensor.width) putFloat(to + i, tensor.type, value);
    memset(unknownOf(tensor) + at, unknown ? 0xff : 0, 32);
}

}

void softmaxRows(const Local &dst, const Local &src, const Local *sums, const Local *maxima, uint32_t rows, uint32_t pitch, uint32_t columns)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    for (uint32_t row = 0; row < rows; ++row) {
        auto from = int64_t(row) * pitch * src.width, to = int64_t(row) * pitch * dst.width;
        const uint8_t *given = touch(src, from, uint64_t(columns) * src.width, false);
        bool unknown = anyUnknown(unknownOf(src) + from, uint64_t(columns) * src.width);
        float largest = -INFINITY, sum = 0;
        for (uint32_t i = 0; i < columns; ++i) largest = fmaxf(largest, floatAt(given + uint64_t(i) * src.width, src.type));
        for (uint32_t i = 0; i < columns; ++i) sum += expf(floatAt(given + uint64_t(i) * src.width, src.type) - largest);
        uint8_t *made = touch(dst, to, uint64_t(columns) * dst.width, true);
        for (uint32_t i = 0; i < columns; ++i) putFloat(made + uint64_t(i) * dst.width, dst.type, expf(floatAt(given + uint64_t(i) * src.width, src.type) - largest) / sum);
        memset(unknownOf(dst) + to, unknown ? 0xff : 0, uint64_t(columns) * dst.width);
        if (sums) fillBlock(*sums, row, sum, unknown);
        if (maxima) fillBlock(*maxima, row, largest, unknown);
    }
}

/// (gradient - sum(gradient * y)) * y, or the sum alone where `sumsOnly`.
void softmaxGradient(const Local &dst, const Local &gradient, const Local &y, uint32_t rows, uint32_t pitch, uint32_t columns, bool sumsOnly)
{
    issue(V);
    for (uint32_t row = 0; row < rows; ++row) {
        auto at = int64_t(row) * pitch * y.width;
        uint64_t bytes = uint64_t(columns) * y.width;
        const uint8_t *g = touch(gradient, at, bytes, false), *v = touch(y, at, bytes, false);
        bool unknown = anyUnknown(unknownOf(gradient) + at, bytes) || anyUnknown(unknownOf(y) + at, bytes);
        float sum = 0;
        for (uint32_t i = 0; i < columns; ++i) sum += floatAt(g + uint64_t(i) * y.width, y.type) * floatAt(v + uint64_t(i) * y.width, y.type);
        if (sumsOnly) {
            fillBlock(dst, row, sum, unknown);
            continue;
        }
        uint8_t *to = touch(dst, at, bytes, true);
        for (uint32_t i = 0; i < columns; ++i)
            putFloat(to + uint64_t(i) * y.width, dst.type, (floatAt(g + uint64_t(i) * y.width, y.type) - sum) * floatAt(v + uint64_t(i) * y.width, y.type));
        memset(unknownOf(dst) + at, unknown ? 0xff : 0, bytes);
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
