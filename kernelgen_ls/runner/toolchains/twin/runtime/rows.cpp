#include "rows.h"

namespace kgtwin {

void Row::resize(uint64_t count)
{
    while (values_.size < count) values_.add(0.0f);
    values_.size = count;
}

void Row::read(const Local &tensor, int64_t first, uint64_t count)
{
    requireAligned(tensor, 32, "a source");
    int64_t at = first * tensor.width;
    const uint8_t *from = touch(tensor, at, count * tensor.width, false);
    unknown = anyUnknown(unknownOf(tensor) + at, count * tensor.width);
    resize(count);
    if (tensor.type == Type::f32) memcpy(values_.items, from, count * 4);
    else if (Convert convert = conversion(Type::f32, tensor.type)) convert(reinterpret_cast<uint8_t *>(values_.items), from, count, 0);
    else unsupported("a function of the library", tensor.type);
}

void Row::write(const Local &tensor, int64_t first, uint64_t count) const
{
    requireAligned(tensor, 32, "the destination");
    int64_t at = first * tensor.width;
    uint8_t *to = touch(tensor, at, count * tensor.width, true);
    for (uint64_t i = 0; i < count; ++i) putValue(to + i * tensor.width, tensor.type, double(values_.items[i]));
    memset(unknownOf(tensor) + at, unknown ? 0xff : 0, count * tensor.width);
}

double Row::sum(uint64_t count) const
{
    double total = 0;
    for (uint64_t i = 0; i < count; ++i) total += double(values_.items[i]);
    return total;
}

void writeNumber(const Local &tensor, int64_t at, double value, bool unknown)
{
    putValue(touch(tensor, at * tensor.width, tensor.width, true), tensor.type, value);
    memset(unknownOf(tensor) + at * tensor.width, unknown ? 0xff : 0, tensor.width);
}

void fillBlock(const Local &tensor, uint32_t row, double value, bool unknown)
{
    for (int64_t i = 0; i < 32 / tensor.width; ++i) writeNumber(tensor, int64_t(row) * (32 / tensor.width) + i, value, unknown);
}

}
