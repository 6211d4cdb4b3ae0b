// Instructions made of several, and the library's computations element by element.
//
// What the library computes is read as double and rounded once, to the destination's type.
#include "vector.h"

#include "twin/library.h"

#include <cmath>

namespace kgtwin {

namespace {

double digamma(double x)
{
    if (x <= 0 && std::floor(x) == x) return NAN;
    if (x < 0) return digamma(1 - x) - M_PI / std::tan(M_PI * x);
    double sum = 0;
    for (; x < 10; ++x) sum -= 1 / x;
    double square = 1 / (x * x);
    return sum + std::log(x) - 0.5 / x - square * (1 / 12.0 - square * (1 / 120.0 - square * (1 / 252.0 - square * (1 / 240.0 - square / 132.0))));
}
double gelu(double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }
/// x * (sgn(x) * (-0.1444 * (min(|0.7071 x|, 1.769) - 1.769)^2 + 0.5) + 0.5)
double secondGelu(double x)
{
    double low = std::fmin(std::fabs(0.7071 * x), 1.769) - 1.769;
    return x * ((x < 0 ? -1.0 : 1.0) * (-0.1444 * low * low + 0.5) + 0.5);
}
double swish(double x, double factor) { return x / (1 + std::exp(-factor * x)); }

double toWhole(double x, int mode)
{
    int64_t whole = 0;
    if (x != x || std::fabs(x) >= 4503599627370496.0) return x; // has no fraction
    conversion(Type::i64, Type::f64)(reinterpret_cast<uint8_t *>(&whole), reinterpret_cast<const uint8_t *>(&x), 1, mode);
    return std::copysign(double(whole), x);
}

double evaluate(Formula which, double a, double b, double p)
{
    switch (which) {
    case Formula::absSub: return std::fabs(a - b);
    case Formula::expSub: return std::exp(a - b);
    case Formula::prelu: return a >= 0 ? a : a * b;
    case Formula::swish: return swish(a, p);
    case Formula::swiglu: return a * swish(b, p);
    case Formula::geglu: return a * gelu(b);
    case Formula::reglu: return a * std::fmax(b, 0);
    case Formula::gelu2: return secondGelu(a);
    case Formula::fmod: return std::fmod(a, b);
    case Formula::hypot: return std::hypot(a, b);
    case Formula::lgamma: return std::lgamma(a);
    case Formula::digamma: return digamma(a);
    case Formula::truncate: return toWhole(a, int(p));
    case Formula::logicalNot: return a == 0;
    case Formula::logicalAnd: return a != 0 && b != 0;
    case Formula::logicalOr: return a != 0 || b != 0;
    case Formula::logicalXor: return (a != 0) != (b != 0);
    case Formula::isNan: return a != a;
    case Formula::isInf: return std::fabs(a) == HUGE_VAL;
    case Formula::isFinite: return a - a == 0;
    }
    return a;
}

/// The runs of an instruction with its operands, opened and checked.
struct Instruction {
    Operand to{}, left{}, right{};
    const Operand *sources[2] = {};
    int count = 0;
    bool any = false;

    Instruction(const Local &dst, const Local *a, const Local *b, const Shape &shape)
    {
        uint8_t widths[3] = {dst.width, a ? a->width : uint8_t(0), b ? b->width : uint8_t(0)};
        makeRuns(shape, widths);
        any = runs.size != 0;
        if (!any) return;
        issue(V);
        requireAligned(dst, 32, "the destination");
        if (a) {
            requireAligned(*a, 32, "a source");
            left = open(*a, 1, false);
            sources[count++] = &left;
        }
        if (b) {
            requireAligned(*b, 32, "a source");
            right = open(*b, 2, false);
            sources[count++] = &right;
        }
        to = open(dst, 0, true);
    }
};

}

void formula(Formula which, const Local &dst, const Local *a, const Local *b, double p, double q, const Shape &shape)
{
    Instruction made(dst, a, b, shape);
    for (const Run &run : runs) {
        spreadUnknown(run, made.to, made.sources, made.count);
        for (uint64_t i = 0; i < run.count; ++i) {
            double left = valueAt(made.left.base + run.at[1] + int64_t(i * a->width), a->type);
            double right = b ? valueAt(made.right.base + run.at[2] + int64_t(i * b->width), b->type) : p;
            putValue(made.to.base + run.at[0] + int64_t(i * dst.width), dst.type, evaluate(which, left, right, b ? q : p));
        }
    }
}

void computeAndCast(Op op, const Local &dst, const Local &a, const Local *b, uint64_t scalar, Op after, const Shape &shape)
{
    Function compute = instruction(op, b ? 2 : 3, a.type), last = after == Op::COUNT ? nullptr : instruction(after, 1, dst.type);
    Convert convert = conversion(dst.type, a.type);
    if (!compute || !convert) unsupported("an instruction that converts its result", compute ? dst.type : a.type);
    Instruction made(dst, &a, b, shape);
    uint8_t results[64 * 8];
    for (const Run &run : runs) {
        spreadUnknown(run, made.to, made.sources, made.count);
        for (uint64_t i = 0; i < run.count; i += 64) {
            uint64_t many = run.count - i < 64 ? run.count - i : 64;
            uint8_t *to = made.to.base + run.at[0] + int64_t(i * dst.width);
            compute(results, made.left.base + run.at[1] + int64_t(i * a.width), b ? made.right.base + run.at[2] + int64_t(i * a.width) : nullptr, scalar, many);
            convert(to, results, many, 1);
            if (last) last(to, to, nullptr, 0, many);
        }
    }
}

void fusedMultiplyAdd(const Local &dst, const Local &a, const Local &b, const Local &c, int64_t count)
{
    issue(V);
    uint64_t bytes = uint64_t(count) * dst.width;
    const uint8_t *x = touch(a, 0, bytes, false), *y = touch(b, 0, bytes, false), *z = touch(c, 0, bytes, false);
    uint8_t *to = touch(dst, 0, bytes, true);
    for (int64_t i = 0; i < count; ++i) {
        int64_t at = i * dst.width;
        bool unknown = anyUnknown(unknownOf(a) + at, dst.width) || anyUnknown(unknownOf(b) + at, dst.width) || anyUnknown(unknownOf(c) + at, dst.width);
        putValue(to + at, dst.type, std::fma(valueAt(x + at, a.type), valueAt(y + at, b.type), valueAt(z + at, c.type)));
        memset(unknownOf(dst) + at, unknown ? 0xff : 0, dst.width);
    }
}

void multiplyHigh(const Local &low, const Local &high, const Local &a, const Local &b, int64_t count)
{
    issue(V);
    uint64_t bytes = uint64_t(count) * 4;
    const uint8_t *x = touch(a, 0, bytes, false), *y = touch(b, 0, bytes, false);
    uint8_t *bottom = touch(low, 0, bytes, true), *top = touch(high, 0, bytes, true);
    for (int64_t at = 0; at < int64_t(bytes); at += 4) {
        uint32_t left, right;
        memcpy(&left, x + at, 4);
        memcpy(&right, y + at, 4);
        uint64_t product = a.type == Type::i32 ? uint64_t(int64_t(int32_t(left)) * int32_t(right)) : uint64_t(left) * right;
        bool unknown = anyUnknown(unknownOf(a) + at, 4) || anyUnknown(unknownOf(b) + at, 4);
        auto upper = uint32_t(product >> 32);
        memcpy(bottom + at, &product, 4);
        memcpy(top + at, &upper, 4);
        memset(unknownOf(low) + at, unknown ? 0xff : 0, 4);
        memset(unknownOf(high) + at, unknown ? 0xff : 0, 4);
    }
}

void chooseByBytes(const Local &dst, const Local *a, uint64_t first, const Local *b, uint64_t second, const Local &condition, int64_t count)
{
    issue(V);
    uint64_t bytes = uint64_t(count) * dst.width;
    const uint8_t *conditions = touch(condition, 0, uint64_t(count) * condition.width, false);
    if (a) touch(*a, 0, bytes, false);
    if (b) touch(*b, 0, bytes, false);
    uint8_t *to = touch(dst, 0, bytes, true);
    for (int64_t i = 0; i < count; ++i) {
        int64_t at = i * dst.width, where = i * condition.width;
        bool takesFirst = valueAt(conditions + where, condition.type) != 0;
        const Local *from = takesFirst ? a : b;
        bool unknown = anyUnknown(unknownOf(condition) + where, condition.width) || (from && anyUnknown(unknownOf(*from) + at, dst.width));
        memmove(to + at, from ? hostAddress(*from, 0) + at : reinterpret_cast<const uint8_t *>(takesFirst ? &first : &second), dst.width);
        memset(unknownOf(dst) + at, unknown ? 0xff : 0, dst.width);
    }
}

namespace {

/// Moves `count` elements of two pairs of tensors: element i of `from` (the second follows the first) to element to(i).
template <typename Place> void shuffle(const Local &dst0, const Local &dst1, const Local &src0, const Local &src1, int64_t count, Place place)
{
    issue(V);
    uint64_t bytes = uint64_t(count) * dst0.width;
    const Local *sources[2] = {&src0, &src1}, *targets[2] = {&dst0, &dst1};
    Array<uint8_t> values, unknown;
    for (const Local *source : sources) {
        const uint8_t *at = touch(*source, 0, bytes, false), *shadow = unknownOf(*source);
        for (uint64_t i = 0; i < bytes; ++i) {
            values.add(at[i]);
            unknown.add(shadow[i]);
        }
    }
    for (const Local *target : targets) touch(*target, 0, bytes, true);
    for (int64_t i = 0; i < 2 * count; ++i) {
        int64_t to = place(i);
        const Local &target = *targets[to / count];
        memcpy(hostAddress(target, 0) + to % count * target.width, values.items + i * target.width, target.width);
        memcpy(unknownOf(target) + to % count * target.width, unknown.items + i * target.width, target.width);
    }
    std::free(values.items);
    std::free(unknown.items);
}

}

void interleave(const Local &dst0, const Local &dst1, const Local &src0, const Local &src1, int64_t count)
{
    shuffle(dst0, dst1, src0, src1, count, [count](int64_t i) { return i < count ? 2 * i : 2 * (i - count) + 1; });
}
void deinterleave(const Local &dst0, const Local &dst1, const Local &src0, const Local &src1, int64_t count)
{
    shuffle(dst0, dst1, src0, src1, count, [count](int64_t i) { return i / 2 + (i % 2 ? count : 0); });
}

// --- The control register ---------------------------------------------------------------------------------------------

namespace {

uint64_t controlBits(int first, int last) { return (last - first >= 63 ? ~0ull : (1ull << (last - first + 1)) - 1) << first; }

}

void setControl(int first, int last, int64_t value)
{
    uint64_t bits = controlBits(first, last);
    core->control = (core->control & ~bits) | (uint64_t(value) << first & bits);
    core->saturates = !(core->control >> kSaturation & 1);
}
int64_t control(int first, int last) { return int64_t((core->control & controlBits(first, last)) >> first); }
void resetControl(int first, int last) { setControl(first, last, int64_t((settings.saturate ? 0 : 1ull << kSaturation) >> first)); }

// --- Conversions by scale and offset ----------------------------------------------------------------------------------

void setDeqParameters(float scale, int offset, bool isSigned)
{
    // The register's float has 10 bits of mantissa, its offset 9 bits.
    uint32_t bits;
    memcpy(&bits, &scale, 4);
    core->deqTable[0] = uint64_t(bits & 0xffffe000u) | uint64_t(uint32_t(offset) & 0x1ff) << 37 | uint64_t(isSigned) << 46;
    memset(core->deqUnknown, 0, sizeof(core->deqUnknown));
}
void setDeqParameters(const Local &table)
{
    issue(S);
    requireAligned(table, 32, "the table of scales");
    memcpy(core->deqTable, touch(table, 0, 128, false), 128);
    memcpy(core->deqUnknown, unknownOf(table), 128);
}

void castDequant(const Local &dst, const Local &src, bool byTable, bool lower, const Shape &shape)
{
    if (src.type == Type::i32) {
        cast(dst, src, 1, shape);
        return;
    }
    if (src.type != Type::i16 || dst.width != 1) unsupported("CastDequant", src.type);
    // 16 results of a block of sources fill half a block of the destination: runs as if results had 16 bits.
    Local blocks = dst;
    blocks.width = 2;
    Instruction made(blocks, &src, nullptr, shape);
    for (const Run &run : runs)
        for (uint64_t i = 0; i < run.count; ++i) {
            int64_t number = run.at[3] + int64_t(i), from = run.at[1] + int64_t(i) * 2, to = run.at[0] + int64_t(i) * 2 - number % 16 + (lower ? 16 : 0);
            uint64_t entry = core->deqTable[byTable ? number % 16 : 0];
            uint32_t scaleBits = uint32_t(entry) & 0xffffe000u;
            float scale;
            memcpy(&scale, &scaleBits, 4);
            int offset = int(entry >> 37 & 0x1ff);
            if (offset >= 256) offset -= 512;
            bool isSigned = entry >> 46 & 1;
            double value = std::nearbyint(valueAt(made.left.base + from, src.type) * double(scale)) + offset;
            double low = isSigned ? -128 : 0, high = isSigned ? 127 : 255;
            putValue(made.to.base + to, Type::i8, value < low ? low : value > high ? high : value);
            bool unknown = anyUnknown(made.left.unknown + from, 2) || (byTable && anyUnknown(core->deqUnknown + number % 16 * 8, 8));
            made.to.unknown[to] = unknown ? 0xff : 0;
        }
}

double scalarCast(double value, Type to, int mode)
{
    uint8_t bytes[8] = {};
    Convert convert = conversion(to, Type::f64);
    if (!convert) unsupported("a scalar's conversion", to);
    convert(bytes, reinterpret_cast<const uint8_t *>(&value), 1, mode);
    return valueAt(bytes, to);
}

// --- Filling, interpolation -------------------------------------------------------------------------------------------

/// Every block from the source's own: 0 its edge, 1 mirrored with the edge, 2 mirrored without it.
void fillUp(const Local &dst, const Local &src, int mode, bool right, const Shape &shape)
{
    Instruction made(dst, &src, nullptr, shape);
    int64_t each = 32 / dst.width;
    for (const Run &run : runs)
        for (uint64_t i = 0; i < run.count; ++i) {
            int64_t place = (run.at[3] + int64_t(i)) % each, start = run.at[1] + int64_t(i) * dst.width - place * dst.width;
            int64_t from = mode == 0 ? (right ? each - 1 : 0) : each - 1 - place + (mode == 2 ? (right ? -1 : 1) : 0);
            int64_t to = run.at[0] + int64_t(i) * dst.width;
            bool inside = from >= 0 && from < each;
            touchCells(src, start, 32, false);
            if (inside) memmove(made.to.base + to, made.left.base + start + from * dst.width, dst.width);
            else memset(made.to.base + to, 0, dst.width);
            bool unknown = inside && anyUnknown(made.left.unknown + start + from * dst.width, dst.width);
            memset(made.to.unknown + to, unknown ? 0xff : 0, dst.width);
        }
}

/// Blocks of `src0` at the offsets, times an element of `src1` each (or one a repeat), `horizontal` of them added up.
void interpolate(const Local &dst, const Local &src0, const Local &offsets, const Local &src1, const Shape &shape, uint32_t horizontal, bool eachBlock, uint32_t verticalStep, uint32_t vertical)
{
    issue(V);
    uint64_t repeats = uint64_t(horizontal) * vertical;
    const uint8_t *where = touch(offsets, 0, repeats * 8 * 4, false);
    const uint8_t *weights = touch(src1, 0, (eachBlock ? repeats * 8 : repeats) * src1.width, false);
    uint32_t each = 32 / dst.width;
    for (uint32_t row = 0; row < vertical; ++row)
        for (uint32_t i = 0; i < 8 * each; ++i) {
            if (!(shape.mask[i / 64] >> (i % 64) & 1)) continue;
            double sum = 0;
            bool unknown = false;
            for (uint32_t k = 0; k < horizontal; ++k) {
                uint64_t repeat = uint64_t(row) * horizontal + k, block = i / each, weight = eachBlock ? repeat * 8 + block : repeat;
                uint32_t offset;
                memcpy(&offset, where + (repeat * 8 + block) * 4, 4);
                int64_t from = int64_t(offset) + i % each * src0.width;
                double product = rounded(valueAt(touch(src0, from, src0.width, false), src0.type) * valueAt(weights + weight * src1.width, src1.type), dst.type);
                sum = k ? rounded(sum + product, dst.type) : product;
                unknown = unknown || anyUnknown(unknownOf(src0) + from, src0.width) || anyUnknown(unknownOf(src1) + weight * src1.width, src1.width) || anyUnknown(unknownOf(offsets) + (repeat * 8 + block) * 4, 4);
            }
            auto to = int64_t(row) * verticalStep * dst.width + int64_t(i / each) * shape.block[0] * 32 + i % each * dst.width;
            putValue(touch(dst, to, dst.width, true), dst.type, sum);
            memset(unknownOf(dst) + to, unknown ? 0xff : 0, dst.width);
        }
}

}
