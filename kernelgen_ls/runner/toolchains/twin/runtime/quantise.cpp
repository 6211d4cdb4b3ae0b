// The library's quantisation: to 8 bits, back, and weights of 8 bits to floating point.
#include "rows.h"

#include "twin/library.h"

#include <cmath>

namespace kgtwin {

namespace {

/// A parameter's numbers; without a tensor one.
void readParameter(Row &row, const Parameter &parameter, uint64_t count)
{
    if (parameter.tensor) row.read(*parameter.tensor, 0, count);
    else {
        row.resize(1);
        row[0] = parameter.number;
    }
}

}

/// round(x * scale + offset), computed in half.
void quantise(const Local &dst, const Local &src, const Parameter &scale, const Parameter &offset, uint32_t period, int64_t count)
{
    issue(V);
    if (dst.type != Type::i8) unsupported("AscendQuant", dst.type);
    auto half = [](double x) { return rounded(x, Type::f16); };
    Row values(src, 0, uint64_t(count)), factors, offsets;
    readParameter(factors, scale, period);
    readParameter(offsets, offset, period);
    for (int64_t i = 0; i < count; ++i) {
        uint64_t f = scale.tensor ? uint64_t(i) % period : 0, o = offset.tensor ? uint64_t(i) % period : 0;
        double scaled = half(half(double(values[uint64_t(i)])) * half(double(factors[f])));
        double whole = std::nearbyint(half(scaled + half(double(offsets[o]))));
        values[uint64_t(i)] = whole != whole ? 0.0f : float(std::fmin(std::fmax(whole, -128), 127));
    }
    values.unknown = values.unknown || factors.unknown || offsets.unknown;
    values.write(dst, 0, uint64_t(count));
}

/// x * scale in rows; the destination's rows are padded to whole blocks.
void dequantise(const Local &dst, const Local &src, const Parameter &scale, uint32_t rows, uint32_t columns, uint32_t computed)
{
    issue(V);
    uint32_t inBlock = 32u / dst.width, pitch = (columns + inBlock - 1) / inBlock * inBlock;
    Row values, factors;
    readParameter(factors, scale, computed);
    for (uint32_t row = 0; row < rows; ++row) {
        values.read(src, int64_t(row) * columns, computed);
        for (uint32_t i = 0; i < computed; ++i) values[i] *= factors[scale.tensor ? i : 0];
        values.unknown = values.unknown || factors.unknown;
        values.write(dst, int64_t(row) * pitch, computed);
    }
}

void antiquantise(const Local &dst, const Local &src, const Parameter &scale, const Parameter &offset, uint32_t rows, uint32_t columns, uint32_t parameterRows, uint32_t parameterColumns)
{
    issue(V);
    uint32_t rowGroup = rows / (parameterRows ? parameterRows : 1), columnGroup = columns / (parameterColumns ? parameterColumns : 1);
    Type inner = dst.type == Type::f16 ? Type::f16 : Type::f32;
    Row values, factors, offsets;
    readParameter(factors, scale, uint64_t(parameterRows) * parameterColumns);
    readParameter(offsets, offset, uint64_t(parameterRows) * parameterColumns);
    for (uint32_t row = 0; row < rows; ++row) {
        values.read(src, int64_t(row) * columns, columns);
        for (uint32_t i = 0; i < columns; ++i) {
            uint64_t place = uint64_t(row / (rowGroup ? rowGroup : 1)) * parameterColumns + i / (columnGroup ? columnGroup : 1);
            double moved = offset.given ? rounded(double(values[i]) + double(offsets[offset.tensor ? place : 0]), inner) : double(values[i]);
            values[i] = float(rounded(moved * double(factors[scale.tensor ? place : 0]), inner));
        }
        values.unknown = values.unknown || factors.unknown || offsets.unknown;
        values.write(dst, int64_t(row) * columns, columns);
    }
}

}
