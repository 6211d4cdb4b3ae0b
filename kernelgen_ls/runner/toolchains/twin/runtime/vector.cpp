// The vector unit: element-by-element computations, conversions, comparisons and selections.
//
// A shape becomes runs of neighbouring elements; a computation is a function over one run, found in a table by operation
// and element type. Halfs are computed in float and rounded once, which is exact for + - * / and square roots.
#include "vector.h"

#include <cmath>

namespace kgtwin {

Array<Run> runs;

namespace {

uint64_t fullMask(int word, uint32_t elements) // of a repeat with so many elements
{
    if (elements >= uint32_t(64 * (word + 1))) return ~0ull;
    return elements <= uint32_t(64 * word) ? 0 : (1ull << (elements - 64 * word)) - 1;
}

void addRun(const Run &run)
{
    if (runs.size) {
        Run &last = runs[runs.size - 1];
        bool follows = true;
        for (int i = 0; i < 4; ++i) follows = follows && run.at[i] == last.at[i] + int64_t(last.count) * last.width[i];
        if (follows) {
            last.count += run.count;
            return;
        }
    }
    runs.add(run);
}

}

void makeRuns(const Shape &shape, const uint8_t widths[3])
{
    runs.clear();
    Run run{};
    uint32_t widest = 1;
    for (int i = 0; i < 3; ++i) {
        run.width[i] = widths[i];
        if (widths[i] > widest) widest = widths[i];
    }
    run.width[3] = 1; // counts the elements themselves, so that a gap in them ends a run
    if (shape.negative) report(Tier::error, "negative-count", {}, "the count is less than nothing: the device takes it for a very large one");
    bool keeps = core->front.keepsMask;
    if (shape.count >= 0 && !(keeps && core->counting)) {
        if (!keeps) {
            core->mask[0] = core->mask[1] = ~0ull;
            core->counting = false;
        }
        run.count = uint64_t(shape.count);
        if (run.count) runs.add(run);
        return;
    }
    uint32_t inRepeat = 256 / widest;
    if (inRepeat > 128) inRepeat = 128; // the mask has so many bits
    bool given = !keeps && (shape.mask[0] || shape.mask[1]);
    if (given) {
        core->mask[0] = core->counting ? shape.elements : shape.mask[0];
        core->mask[1] = core->counting ? 0 : shape.mask[1];
    }
    uint32_t step[3];
    for (int i = 0; i < 3; ++i) step[i] = shape.count >= 0 ? 8u * widths[i] / widest : shape.step[i];
    uint64_t repeats = shape.repeat, rest = ~0ull, mask[2] = {core->mask[0], core->mask[1]};
    if (core->counting) {
        rest = core->mask[0];
        repeats = (rest + inRepeat - 1) / inRepeat;
        mask[0] = mask[1] = ~0ull;
    }
    if (!core->counting && !keeps && shape.byElements && shape.elements > inRepeat)
        report(Tier::error, "mask-range", {}, "a repeat of these elements has %u of them; the mask says %llu", inRepeat, static_cast<unsigned long long>(shape.elements));
    if (!core->counting && repeats > 255) report(Tier::error, "repeat-range", {}, "an instruction has at most 255 repeats; these are %llu", static_cast<unsigned long long>(repeats));
    for (int word = 0; word < 2; ++word) mask[word] &= fullMask(word, inRepeat);
    for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
        uint32_t limit = rest < inRepeat ? uint32_t(rest) : inRepeat;
        if (rest != ~0ull) rest -= limit;
        for (uint32_t i = 0; i < limit;) {
            if (!(mask[i / 64] >> (i % 64) & 1)) {
                ++i;
                continue;
            }
            uint32_t from = i;
            // To the end of the shortest block that one of the operands has, while the mask holds.
            uint32_t block = 32 / widest;
            do ++i;
            while (i < limit && i % block && (mask[i / 64] >> (i % 64) & 1));
            for (int k = 0; k < 3; ++k) {
                uint32_t width = widths[k] ? widths[k] : 1, each = 32 / width;
                run.at[k] = widths[k] ? int64_t(repeat) * step[k] * 32 + int64_t(from / each) * shape.block[k] * 32 + int64_t(from % each) * width : 0;
                run.width[k] = widths[k];
            }
            run.at[3] = int64_t(repeat) * inRepeat + from;
            run.count = i - from;
            addRun(run);
        }
    }
}

Span spanOf(int operand)
{
    Span span{INT64_MAX, INT64_MIN};
    for (const Run &run : runs) {
        if (run.at[operand] < span.lowest) span.lowest = run.at[operand];
        int64_t end = run.at[operand] + int64_t(run.count) * run.width[operand];
        if (end > span.highest) span.highest = end;
    }
    return span;
}

Operand open(const Local &tensor, int number, bool writes)
{
    Span span = spanOf(number);
    uint8_t *base = begin(tensor, span.lowest, span.highest, writes);
    for (const Run &run : runs) touchCells(tensor, run.at[number], run.count * run.width[number], writes);
    return {base, unknownOf(tensor), tensor.width, number};
}

namespace {

// --- Arithmetic in a wider type ---------------------------------------------------------------------------------------

template <typename T> struct Wide { using type = T; static T in(T x) { return x; } static T out(T x) { return x; } };
template <> struct Wide<_Float16> {
    using type = float;
    static float in(_Float16 x) { return float(x); }
    static _Float16 out(float x) { return halfOf(x); }
};
template <> struct Wide<Bf16> {
    using type = float;
    static float in(Bf16 x) { return toFloat(x); }
    static Bf16 out(float x) { return bfloatOf(x); }
};

/// Integers wrap.
template <typename T> T wrapAdd(T a, T b)
{
    if constexpr (std::is_integral_v<T>) return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
    else return a + b;
}
template <typename T> T wrapSub(T a, T b)
{
    if constexpr (std::is_integral_v<T>) return T(std::make_unsigned_t<T>(a) - std::make_unsigned_t<T>(b));
    else return a - b;
}
template <typename T> T wrapMul(T a, T b)
{
    if constexpr (std::is_integral_v<T>) return T(uint64_t(a) * uint64_t(b));
    else return a * b;
}

template <Op op, typename W> W one(W x)
{
    if constexpr (std::is_floating_point_v<W>) {
        switch (op) {
        case Op::exp: return expf(x);
        case Op::ln: return logf(x);
        case Op::reciprocal: return 1.0f / x;
        case Op::sqrt: return sqrtf(x);
        case Op::rsqrt: return 1.0f / sqrtf(x);
        case Op::tanh: return tanhf(x);
        case Op::sigmoid: return 1.0f / (1.0f + expf(-x));
        case Op::sign: return x > 0 ? 1.0f : x < 0 ? -1.0f : x;
        case Op::floor: return floorf(x);
        case Op::ceil: return ceilf(x);
        case Op::trunc: return truncf(x);
        case Op::round: return rintf(x);
        case Op::sin: return sinf(x);
        case Op::cos: return cosf(x);
        case Op::tan: return tanf(x);
        case Op::asin: return asinf(x);
        case Op::acos: return acosf(x);
        case Op::atan: return atanf(x);
        case Op::sinh: return sinhf(x);
        case Op::cosh: return coshf(x);
        case Op::asinh: return asinhf(x);
        case Op::acosh: return acoshf(x);
        case Op::atanh: return atanhf(x);
        case Op::log2: return log2f(x);
        case Op::log10: return log10f(x);
        case Op::erf: return erff(x);
        case Op::erfc: return erfcf(x);
        case Op::gelu: return 0.5f * x * (1.0f + tanhf(0.7978845608028654f * (x + 0.044715f * x * x * x)));
        case Op::quickGelu: return x / (1.0f + expf(-1.702f * x));
        case Op::silu: return x / (1.0f + expf(-x));
        case Op::frac: return x - truncf(x);
        case Op::isNan: return x != x ? 1.0f : 0.0f;
        case Op::isInf: return x - x != 0 && x == x ? 1.0f : 0.0f;
        case Op::isFinite: return x - x == 0 ? 1.0f : 0.0f;
        case Op::abs: return fabsf(x);
        default: break;
        }
    } else {
        if constexpr (op == Op::bitNot) return W(~x);
        if constexpr (op == Op::abs) return x < 0 ? wrapSub(W(0), x) : x;
    }
    if constexpr (op == Op::relu) return x > 0 ? x : x != x ? x : W(0);
    if constexpr (op == Op::neg) return wrapSub(W(0), x);
    return x;
}
template <> float one<Op::neg, float>(float x) { return -x; }

/// `c` is what the destination holds.
template <Op op, typename W> W two(W a, W b, W c)
{
    if constexpr (op == Op::add || op == Op::addRelu) { W r = wrapAdd(a, b); return op == Op::addRelu && r < 0 ? W(0) : r; }
    else if constexpr (op == Op::sub || op == Op::subRelu) { W r = wrapSub(a, b); return op == Op::subRelu && r < 0 ? W(0) : r; }
    else if constexpr (op == Op::mul) return wrapMul(a, b);
    else if constexpr (op == Op::div) {
        if constexpr (std::is_integral_v<W>) return b == 0 ? W(-1) : W(a / b);
        else return a / b;
    }
    else if constexpr (op == Op::subFrom) return wrapSub(b, a);
    else if constexpr (op == Op::divInto) return two<Op::div, W>(b, a, c);
    else if constexpr (op == Op::max) return a > b || a != a ? a : b;
    else if constexpr (op == Op::min) return a < b || a != a ? a : b;
    else if constexpr (op == Op::mulAddDst) return wrapAdd(wrapMul(a, b), c);
    else if constexpr (op == Op::fusedMulAdd) return wrapAdd(wrapMul(a, c), b);
    else if constexpr (op == Op::fusedMulAddRelu) { W r = wrapAdd(wrapMul(a, c), b); return r > 0 ? r : W(0); }
    else if constexpr (op == Op::mulAddRelu) { W r = wrapAdd(wrapMul(a, b), c); return r > 0 ? r : W(0); }
    else if constexpr (op == Op::axpy) { if constexpr (std::is_floating_point_v<W>) return fmaf(a, b, c); else return wrapAdd(wrapMul(a, b), c); }
    else if constexpr (op == Op::leakyRelu) return a >= 0 ? a : a * b;
    else if constexpr (op == Op::power) return W(std::pow(double(a), double(b)));
    else if constexpr (op == Op::powerOf) return W(std::pow(double(b), double(a)));
    else if constexpr (std::is_integral_v<W>) {
        if constexpr (op == Op::bitAnd) return W(a & b);
        else if constexpr (op == Op::bitOr) return W(a | b);
        else if constexpr (op == Op::bitXor) return W(a ^ b);
        else if constexpr (op == Op::shiftLeft) return uint64_t(b) >= sizeof(W) * 8 ? W(0) : W(std::make_unsigned_t<W>(a) << b);
        else if constexpr (op == Op::shiftRightRounded) return uint64_t(b) > sizeof(W) * 8 ? W(0) : b == 0 ? a : wrapAdd(two<Op::shiftRight, W>(a, b, c), W(a >> (b - 1) & 1));
        else if constexpr (op == Op::shiftRight) return uint64_t(b) >= sizeof(W) * 8 ? W(a < 0 ? -1 : 0) : W(a >> b);
        else return a;
    } else return a;
}

template <typename T> T scalarAs(uint64_t bits)
{
    T value;
    memcpy(&value, &bits, sizeof(T));
    return value;
}

template <Op op, typename T> void unary(uint8_t *d, const uint8_t *a, const uint8_t *, uint64_t, uint64_t count)
{
    auto *to = reinterpret_cast<T *>(d);
    auto *from = reinterpret_cast<const T *>(a);
    for (uint64_t i = 0; i < count; ++i) to[i] = Wide<T>::out(one<op, typename Wide<T>::type>(Wide<T>::in(from[i])));
}
template <Op op, typename T> void binary(uint8_t *d, const uint8_t *a, const uint8_t *b, uint64_t, uint64_t count)
{
    auto *to = reinterpret_cast<T *>(d);
    auto *left = reinterpret_cast<const T *>(a), *right = reinterpret_cast<const T *>(b);
    for (uint64_t i = 0; i < count; ++i) to[i] = Wide<T>::out(two<op, typename Wide<T>::type>(Wide<T>::in(left[i]), Wide<T>::in(right[i]), Wide<T>::in(to[i])));
}
template <Op op, typename T> void withScalar(uint8_t *d, const uint8_t *a, const uint8_t *, uint64_t bits, uint64_t count)
{
    auto *to = reinterpret_cast<T *>(d);
    auto *left = reinterpret_cast<const T *>(a);
    auto right = Wide<T>::in(scalarAs<T>(bits));
    for (uint64_t i = 0; i < count; ++i) to[i] = Wide<T>::out(two<op, typename Wide<T>::type>(Wide<T>::in(left[i]), right, Wide<T>::in(to[i])));
}
template <typename T> void duplicate(uint8_t *d, const uint8_t *, const uint8_t *, uint64_t bits, uint64_t count)
{
    auto *to = reinterpret_cast<T *>(d);
    T value = scalarAs<T>(bits);
    for (uint64_t i = 0; i < count; ++i) to[i] = value;
}
/// float += half * half, as Axpy and MulAddDst have it.
template <Op op> void widening(uint8_t *d, const uint8_t *a, const uint8_t *b, uint64_t bits, uint64_t count)
{
    auto *to = reinterpret_cast<float *>(d);
    auto *left = reinterpret_cast<const _Float16 *>(a), *right = reinterpret_cast<const _Float16 *>(b);
    float scalar = float(scalarAs<_Float16>(bits));
    for (uint64_t i = 0; i < count; ++i) to[i] = two<op, float>(float(left[i]), right ? float(right[i]) : scalar, to[i]);
}

template <Op op, int form, typename T> constexpr Function made()
{
    if constexpr (form == 1) return unary<op, T>;
    else if constexpr (form == 2) return binary<op, T>;
    else return withScalar<op, T>;
}

template <Op op, int form> Function floats(Type type)
{
    switch (type) {
    case Type::f16: return made<op, form, _Float16>();
    case Type::bf16: return made<op, form, Bf16>();
    case Type::f32: return made<op, form, float>();
    default: return nullptr;
    }
}
template <Op op, int form> Function integers(Type type)
{
    switch (type) {
    case Type::i8: return made<op, form, int8_t>();
    case Type::u8: case Type::boolean: return made<op, form, uint8_t>();
    case Type::i16: return made<op, form, int16_t>();
    case Type::u16: return made<op, form, uint16_t>();
    case Type::i32: return made<op, form, int32_t>();
    case Type::u32: return made<op, form, uint32_t>();
    case Type::i64: return made<op, form, int64_t>();
    case Type::u64: return made<op, form, uint64_t>();
    default: return nullptr;
    }
}
template <Op op, int form> Function both(Type type)
{
    Function found = floats<op, form>(type);
    return found ? found : integers<op, form>(type);
}

Function duplicates(Type type)
{
    switch (widthOf(type)) {
    case 1: return duplicate<uint8_t>;
    case 2: return duplicate<uint16_t>;
    case 4: return duplicate<uint32_t>;
    default: return duplicate<uint64_t>;
    }
}

Function oneSource(Op op, Type type)
{
    switch (op) {
#define FLOATS(name) case Op::name: return floats<Op::name, 1>(type);
#define BOTH(name) case Op::name: return both<Op::name, 1>(type);
        FLOATS(exp) FLOATS(ln) FLOATS(reciprocal) FLOATS(sqrt) FLOATS(rsqrt) FLOATS(tanh) FLOATS(sigmoid) FLOATS(sign) FLOATS(floor) FLOATS(ceil)
        FLOATS(trunc) FLOATS(round) FLOATS(sin) FLOATS(cos) FLOATS(tan) FLOATS(asin) FLOATS(acos) FLOATS(atan) FLOATS(sinh) FLOATS(cosh)
        FLOATS(asinh) FLOATS(acosh) FLOATS(atanh) FLOATS(log2) FLOATS(log10) FLOATS(erf) FLOATS(erfc) FLOATS(gelu) FLOATS(quickGelu) FLOATS(silu)
        FLOATS(frac) FLOATS(isNan) FLOATS(isInf) FLOATS(isFinite)
        BOTH(abs) BOTH(relu) BOTH(neg) BOTH(copy)
    case Op::bitNot: return integers<Op::bitNot, 1>(type);
    default: return nullptr;
#undef FLOATS
#undef BOTH
    }
}
Function twoSources(Op op, Type type)
{
    switch (op) {
#define FLOATS(name) case Op::name: return floats<Op::name, 2>(type);
#define INTEGERS(name) case Op::name: return integers<Op::name, 2>(type);
#define BOTH(name) case Op::name: return both<Op::name, 2>(type);
        BOTH(add) BOTH(sub) BOTH(mul) BOTH(div) BOTH(max) BOTH(min) BOTH(addRelu) BOTH(subRelu) BOTH(mulAddDst) BOTH(fusedMulAdd)
        BOTH(fusedMulAddRelu) BOTH(mulAddRelu) INTEGERS(bitAnd) INTEGERS(bitOr) INTEGERS(bitXor) INTEGERS(shiftLeft) INTEGERS(shiftRight) BOTH(power)
    default: return nullptr;
#undef FLOATS
#undef INTEGERS
#undef BOTH
    }
}
Function tensorAndScalar(Op op, Type type)
{
    switch (op) {
#define FLOATS(name) case Op::name: return floats<Op::name, 3>(type);
#define INTEGERS(name) case Op::name: return integers<Op::name, 3>(type);
#define BOTH(name) case Op::name: return both<Op::name, 3>(type);
        BOTH(add) BOTH(sub) BOTH(mul) BOTH(div) BOTH(max) BOTH(min) FLOATS(leakyRelu) INTEGERS(shiftLeft) INTEGERS(shiftRight) BOTH(axpy) BOTH(power) BOTH(powerOf)
        BOTH(subFrom) BOTH(divInto) INTEGERS(bitAnd) INTEGERS(bitOr) INTEGERS(bitXor) INTEGERS(shiftRightRounded)
    case Op::duplicate: return duplicates(type);
    default: return nullptr;
#undef FLOATS
#undef INTEGERS
#undef BOTH
    }
}

bool readsDestination(Op op) { return op == Op::mulAddDst || op == Op::fusedMulAdd || op == Op::fusedMulAddRelu || op == Op::mulAddRelu || op == Op::axpy; }
bool bitwise(Op op) { return op == Op::bitAnd || op == Op::bitOr || op == Op::bitXor || op == Op::bitNot; }

void checkOverlap(const Local &dst, const Local &src, int number)
{
    if (dst.memory != src.memory) return;
    Span to = spanOf(0), from = spanOf(number);
    int64_t a = dst.address + to.lowest, b = dst.address + to.highest, c = src.address + from.lowest, d = src.address + from.highest;
    if (a < d && c < b && a != c)
        report(Tier::warning, "overlap", {}, "the destination shares %lld bytes with a source that starts elsewhere: which elements are read before they are written is not defined",
               static_cast<long long>((b < d ? b : d) - (a > c ? a : c)));
}

}

Function instruction(Op op, int form, Type type) { return form == 1 ? oneSource(op, type) : form == 2 ? twoSources(op, type) : tensorAndScalar(op, type); }

double valueAt(const uint8_t *at, Type type)
{
    switch (type) {
#define READ(code, T) case Type::code: { T x; memcpy(&x, at, sizeof(T)); return double(x); }
        READ(f16, _Float16) READ(f32, float) READ(f64, double) READ(i8, int8_t) READ(u8, uint8_t) READ(boolean, uint8_t)
        READ(i16, int16_t) READ(u16, uint16_t) READ(i32, int32_t) READ(u32, uint32_t) READ(i64, int64_t) READ(u64, uint64_t)
#undef READ
    case Type::bf16: { Bf16 x; memcpy(&x, at, 2); return double(toFloat(x)); }
    default: unsupported("a computation", type);
    }
}
void putValue(uint8_t *at, Type type, double value)
{
    switch (type) {
    case Type::f16: { _Float16 x = halfOf(float(value)); memcpy(at, &x, 2); break; }
    case Type::bf16: { Bf16 x = bfloatOf(float(value)); memcpy(at, &x, 2); break; }
    case Type::f32: { auto x = float(value); memcpy(at, &x, 4); break; }
    case Type::f64: memcpy(at, &value, 8); break;
    case Type::i8: case Type::u8: case Type::boolean: { auto x = uint8_t(int64_t(value)); memcpy(at, &x, 1); break; }
    case Type::i16: case Type::u16: { auto x = uint16_t(int64_t(value)); memcpy(at, &x, 2); break; }
    case Type::i32: case Type::u32: { auto x = uint32_t(int64_t(value)); memcpy(at, &x, 4); break; }
    case Type::i64: { auto x = int64_t(value); memcpy(at, &x, 8); break; }
    case Type::u64: { auto x = uint64_t(value); memcpy(at, &x, 8); break; }
    default: unsupported("a computation", type);
    }
}
double rounded(double value, Type type)
{
    switch (type) {
    case Type::f16: return double(halfOf(float(value)));
    case Type::bf16: return double(toFloat(bfloatOf(float(value))));
    case Type::f32: return double(float(value));
    default: return value;
    }
}

void unsupported(const char *what, Type type)
{
    char text[100];
    snprintf(text, sizeof(text), "%s of %s", what, typeName(type));
    notExecuted(text);
}

const char *typeName(Type type)
{
    static const char *const names[] = {"this element type", "half", "bfloat16_t", "float", "double", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "bool", "int4b_t", "uint1b_t"};
    return names[int(type)];
}

void spreadUnknown(const Run &run, const Operand &dst, const Operand *const sources[], int count)
{
    uint64_t bytes = run.count * dst.width;
    bool any = false;
    for (int i = 0; i < count; ++i) any = any || anyUnknown(sources[i]->unknown + run.at[sources[i]->number], run.count * sources[i]->width);
    uint8_t *to = dst.unknown + run.at[0];
    if (!any) {
        memset(to, 0, bytes);
        return;
    }
    for (uint64_t e = 0; e < run.count; ++e) {
        bool unknown = false;
        for (int i = 0; i < count; ++i) unknown = unknown || anyUnknown(sources[i]->unknown + run.at[sources[i]->number] + e * sources[i]->width, sources[i]->width);
        memset(to + e * dst.width, unknown ? 0xff : 0, dst.width);
    }
}

void elementwise(Op op, const Local &dst, const Local *a, const Local *b, uint64_t scalar, const Shape &shape)
{
    bool widens = a && a->type != dst.type && dst.type == Type::f32 && a->type == Type::f16 && (op == Op::axpy || op == Op::mulAddDst);
    bool scalarForm = !b && (op == Op::duplicate || (op >= Op::leakyRelu && op <= Op::duplicate) || (op >= Op::add && op <= Op::subRelu) || op == Op::power || op == Op::powerOf || op == Op::subFrom || op == Op::divInto || op == Op::shiftRightRounded);
    Function function = widens ? (op == Op::axpy ? widening<Op::axpy> : widening<Op::mulAddDst>) : b ? twoSources(op, dst.type) : scalarForm ? tensorAndScalar(op, dst.type) : oneSource(op, dst.type);
    if (!function || (a && a->type != dst.type && !widens && a->width != dst.width)) unsupported("a vector instruction", dst.type);
    uint8_t widths[3] = {dst.width, a ? a->width : uint8_t(0), b ? b->width : uint8_t(0)};
    makeRuns(shape, widths);
    if (!runs.size) return;
    issue(V);
    requireAligned(dst, 32, "the destination");
    if (a) requireAligned(*a, 32, "a source");
    if (b) requireAligned(*b, 32, "a source");
    Operand sources[3];
    const Operand *given[3];
    int count = 0;
    if (a) { sources[count] = open(*a, 1, false); given[count] = &sources[count]; ++count; checkOverlap(dst, *a, 1); }
    if (b) { sources[count] = open(*b, 2, false); given[count] = &sources[count]; ++count; checkOverlap(dst, *b, 2); }
    if (readsDestination(op)) { sources[count] = open(dst, 0, false); given[count] = &sources[count]; ++count; }
    Operand to = open(dst, 0, true);
    for (const Run &run : runs) {
        function(to.base + run.at[0], a ? sources[0].base + run.at[1] : nullptr, b ? sources[1].base + run.at[2] : nullptr, scalar, run.count);
        if (bitwise(op)) {
            uint8_t *shadow = to.unknown + run.at[0];
            for (uint64_t i = 0; i < run.count * to.width; ++i) shadow[i] = uint8_t(sources[0].unknown[run.at[1] + int64_t(i)] | (b ? sources[1].unknown[run.at[2] + int64_t(i)] : 0));
        } else
            spreadUnknown(run, to, given, count);
    }
}

// --- Conversions -----------------------------------------------------------------------------------------------------

namespace {

enum Rounding { NONE, RINT, FLOOR, CEIL, ROUND, TRUNC, ODD };

double toWhole(double x, int mode)
{
    switch (mode) {
    case FLOOR: return std::floor(x);
    case CEIL: return std::ceil(x);
    case ROUND: return std::round(x);
    case TRUNC: return std::trunc(x);
    case ODD: {
        double t = std::trunc(x);
        return t == x ? t : std::fmod(t, 2.0) != 0 ? t : t + (x < 0 ? -1.0 : 1.0);
    }
    default: return std::nearbyint(x);
    }
}

template <typename T> T toInteger(double x, int mode)
{
    if (x != x) return T(0);
    double whole = toWhole(x, mode);
    constexpr double low = std::is_signed_v<T> ? -double(1ull << (sizeof(T) * 8 - 1)) : 0.0;
    constexpr double high = std::is_signed_v<T> ? double(1ull << (sizeof(T) * 8 - 1)) : 2.0 * double(1ull << (sizeof(T) * 8 - 1));
    if (whole < low) return T(low);
    if (whole >= high) return std::is_signed_v<T> ? T(~(std::make_unsigned_t<T>(1) << (sizeof(T) * 8 - 1))) : T(-1);
    return T(whole);
}

/// Rounds to a float of `bits` stored mantissa bits whose smallest normal exponent is `lowest`, as `mode` says.
double toShort(double x, int mode, int bits, int lowest, double most)
{
    if (x == 0 || x != x || x - x != 0) return x;
    int exponent;
    std::frexp(x, &exponent); // 0.5 <= |f| < 1
    --exponent;
    if (exponent < lowest) exponent = lowest;
    double unit = std::ldexp(1.0, exponent - bits);
    double rounded = toWhole(x / unit, mode) * unit;
    if (std::fabs(rounded) > most) {
        bool towardsZero = mode == TRUNC || (mode == FLOOR && x > 0) || (mode == CEIL && x < 0) || mode == ODD;
        if (towardsZero) return x > 0 ? most : -most;
        return x > 0 ? HUGE_VAL : -HUGE_VAL;
    }
    return rounded;
}

template <typename T> double readAs(const uint8_t *at)
{
    T value;
    memcpy(&value, at, sizeof(T));
    if constexpr (std::is_same_v<T, Bf16>) return double(toFloat(value));
    else return double(value);
}

template <typename To> void writeAs(uint8_t *at, double x, int mode)
{
    To value;
    if constexpr (std::is_same_v<To, _Float16>) value = Wide<_Float16>::out(float(mode == NONE || mode == RINT ? double(_Float16(float(x))) : toShort(x, mode, 10, -14, 65504.0)));
    else if constexpr (std::is_same_v<To, Bf16>) value = Wide<Bf16>::out(mode == NONE || mode == RINT ? float(x) : float(toShort(x, mode, 7, -126, 3.3895313892515355e38)));
    else if constexpr (std::is_floating_point_v<To>) value = To(x);
    else value = toInteger<To>(x, mode);
    memcpy(at, &value, sizeof(To));
}

template <typename To, typename From> void convert(uint8_t *d, const uint8_t *s, uint64_t count, int mode)
{
    if constexpr (std::is_same_v<To, float> && std::is_same_v<From, float>) {
        for (uint64_t i = 0; i < count; ++i) {
            float value = float(toWhole(readAs<float>(s + i * 4), mode));
            memcpy(d + i * 4, &value, 4);
        }
    } else if constexpr (std::is_same_v<To, float> && (std::is_same_v<From, _Float16> || std::is_same_v<From, Bf16>)) {
        for (uint64_t i = 0; i < count; ++i) {
            From value;
            memcpy(&value, s + i * 2, 2);
            float wide = Wide<From>::in(value);
            memcpy(d + i * 4, &wide, 4);
        }
    } else if constexpr (std::is_same_v<From, float> && (std::is_same_v<To, _Float16> || std::is_same_v<To, Bf16>)) {
        for (uint64_t i = 0; i < count; ++i) {
            if (mode == NONE || mode == RINT) {
                float value;
                memcpy(&value, s + i * 4, 4);
                To narrow = Wide<To>::out(value);
                memcpy(d + i * 2, &narrow, 2);
            } else
                writeAs<To>(d + i * 2, readAs<float>(s + i * 4), mode);
        }
    } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        for (uint64_t i = 0; i < count; ++i) {
            From value;
            memcpy(&value, s + i * sizeof(From), sizeof(From));
            int64_t wide = int64_t(value), low = INT64_MIN, high = INT64_MAX;
            if constexpr (sizeof(To) < 8) {
                low = std::is_signed_v<To> ? -(int64_t(1) << (sizeof(To) * 8 - 1)) : 0;
                high = (int64_t(1) << (sizeof(To) * 8 - (std::is_signed_v<To> ? 1 : 0))) - 1;
            }
            To narrow = To(wide < low ? low : wide > high ? high : wide);
            memcpy(d + i * sizeof(To), &narrow, sizeof(To));
        }
    } else if constexpr (std::is_same_v<To, float> && std::is_integral_v<From> && sizeof(From) >= 4) {
        for (uint64_t i = 0; i < count; ++i) {
            From value;
            memcpy(&value, s + i * sizeof(From), sizeof(From));
            float wide = float(value); // to nearest even
            if (mode != NONE && mode != RINT) {
                long double exact = static_cast<long double>(value);
                wide = float(toShort(double(exact), mode, 23, -126, 3.4028234663852886e38));
            }
            memcpy(d + i * 4, &wide, 4);
        }
    } else {
        for (uint64_t i = 0; i < count; ++i) writeAs<To>(d + i * sizeof(To), readAs<From>(s + i * sizeof(From)), mode);
    }
}

/// int32_t to half: times the scale of SetDeqScale.
void dequantise(uint8_t *d, const uint8_t *s, uint64_t count, int)
{
    for (uint64_t i = 0; i < count; ++i) {
        int32_t value;
        memcpy(&value, s + i * 4, 4);
        _Float16 half = Wide<_Float16>::out(float(value) * core->deqScale);
        memcpy(d + i * 2, &half, 2);
    }
}

template <typename To> Convert from(Type type)
{
    switch (type) {
    case Type::f16: return convert<To, _Float16>;
    case Type::bf16: return convert<To, Bf16>;
    case Type::f32: return convert<To, float>;
    case Type::f64: return convert<To, double>;
    case Type::i8: return convert<To, int8_t>;
    case Type::u8: return convert<To, uint8_t>;
    case Type::i16: return convert<To, int16_t>;
    case Type::u16: return convert<To, uint16_t>;
    case Type::i32: return convert<To, int32_t>;
    case Type::u32: return convert<To, uint32_t>;
    case Type::i64: return convert<To, int64_t>;
    default: return nullptr;
    }
}

}

Convert conversion(Type to, Type source)
{
    if (to == Type::f16 && source == Type::i32) return dequantise;
    switch (to) {
    case Type::f16: return from<_Float16>(source);
    case Type::bf16: return from<Bf16>(source);
    case Type::f32: return from<float>(source);
    case Type::i8: return from<int8_t>(source);
    case Type::u8: return from<uint8_t>(source);
    case Type::i16: return from<int16_t>(source);
    case Type::u16: return from<uint16_t>(source);
    case Type::i32: return from<int32_t>(source);
    case Type::u32: return from<uint32_t>(source);
    case Type::i64: return from<int64_t>(source);
    default: return nullptr;
    }
}

void setDeqScale(float scale) { core->deqScale = scale; }

void cast(const Local &dst, const Local &src, int mode, const Shape &shape)
{
    Convert function = conversion(dst.type, src.type);
    if (!function) unsupported("Cast", dst.type == Type::int4 || dst.type == Type::other ? dst.type : src.type);
    uint8_t widths[3] = {dst.width, src.width, 0};
    makeRuns(shape, widths);
    if (!runs.size) return;
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    Operand from = open(src, 1, false);
   
    checkOverlap(dst, src, 1);
    Operand to = open(dst, 0, true);
    const Operand *sources[] = {&from};
    for (const Run &run : runs) {
        uint8_t *d = to.base + run.at[0];
        const uint8_t *s = from.base + run.at[1];
        uint8_t piece[512];
        bool shares = d < s + run.count * src.width && s < d + run.count * dst.width && dst.width > src.width;
        if (shares) {
            // In place to a wider type: no repeat reads what another wrote. From the upper half that is so in order, else
            // from the last repeat to the first.
            uint64_t repeats = (run.count + 63) / 64;
            for (uint64_t i = 0; i < repeats; ++i) {
                uint64_t at = (s > d ? i : repeats - 1 - i) * 64, many = run.count - at < 64 ? run.count - at : 64;
                memcpy(piece, s + at * src.width, many * src.width);
                function(d + at * dst.width, piece, many, mode);
            }
        } else
            function(d, s, run.count, mode);
        spreadUnknown(run, to, sources, 1);
    }
}

// --- Masks, comparisons, selections ----------------------------------------------------------------------------------

void setVectorMask(uint64_t high, uint64_t low)
{
    core->mask[0] = low;
    core->mask[1] = high;
}
void setMaskCounting(bool counting) { core->counting = counting; }

namespace {

template <typename T> bool holds(const uint8_t *a, const uint8_t *b, int mode)
{
    T left, right;
    memcpy(&left, a, sizeof(T));
    memcpy(&right, b, sizeof(T));
    auto x = Wide<T>::in(left), y = Wide<T>::in(right);
    switch (mode) {
    case 0: return x < y;
    case 1: return x > y;
    case 2: return x == y;
    case 3: return x <= y;
    case 4: return x >= y;
    default: return x != y;
    }
}
using Holds = bool (*)(const uint8_t *, const uint8_t *, int);
Holds comparison(Type type)
{
    switch (type) {
    case Type::f16: return holds<_Float16>;
    case Type::bf16: return holds<Bf16>;
    case Type::f32: return holds<float>;
    case Type::i16: return holds<int16_t>;
    case Type::u16: return holds<uint16_t>;
    case Type::i32: return holds<int32_t>;
    case Type::u32: return holds<uint32_t>;
    case Type::i64: return holds<int64_t>;
    default: return nullptr;
    }
}

void setBit(uint8_t *bytes, uint64_t number, bool value)
{
    if (value) bytes[number / 8] |= uint8_t(1u << (number % 8));
    else bytes[number / 8] &= uint8_t(~(1u << (number % 8)));
}
bool bit(const uint8_t *bytes, uint64_t number) { return bytes[number / 8] >> (number % 8) & 1; }

}

/// One bit an element, the least significant first; without a destination into the mask register.
void compare(const Local *dst, const Local &a, const Local *b, uint64_t scalar, int mode, const Shape &given)
{
    Holds function = comparison(a.type);
    if (!function) unsupported("Compare", a.type);
    Shape shape = given;
    uint32_t inRepeat = 256 / a.width;
    if (shape.negative) report(Tier::error, "negative-count", {}, "the count is less than nothing: the device takes it for a very large one");
    if (shape.count >= 0) {
        if (uint64_t(shape.count) * a.width % 256)
            report(Tier::error, "compare-count", {}, "%lld elements of %u bytes are no multiple of 256 bytes: what is beyond the last whole repeat is not compared", static_cast<long long>(shape.count), unsigned(a.width));
        shape.count = int64_t(uint64_t(shape.count) * a.width / 256 * 256 / a.width);
    } else {
        // The mask has no effect on comparisons.
        shape.mask[0] = shape.mask[1] = ~0ull;
        shape.elements = ~0ull;
        shape.byElements = false;
        if (core->counting) shape.elements = core->mask[0];
        if (!dst) shape.repeat = 1;
    }
    uint64_t keep[2] = {core->mask[0], core->mask[1]};
    uint8_t widths[3] = {0, a.width, b ? b->width : uint8_t(0)};
    makeRuns(shape, widths);
    if (given.count < 0) memcpy(core->mask, keep, sizeof(keep));
    if (!runs.size) return;
    issue(V);
    requireAligned(a, 32, "a source");
    Operand left = open(a, 1, false), right{};
    if (b) {
        requireAligned(*b, 32, "a source");
        right = open(*b, 2, false);
    }
    uint64_t total = 0;
    for (const Run &run : runs) total = uint64_t(run.at[3]) + run.count;
    uint8_t *bits = core->compareMask, *unknown = core->compareUnknown;
    if (dst) {
        requireAligned(*dst, 32, "the destination");
        bits = touch(*dst, 0, (total + 7) / 8, true);
        unknown = unknownOf(*dst);
    } else if (total > inRepeat) total = inRepeat;
    for (const Run &run : runs)
        for (uint64_t i = 0; i < run.count; ++i) {
            uint64_t number = uint64_t(run.at[3]) + i;
            const uint8_t *x = left.base + run.at[1] + int64_t(i) * a.width;
            const uint8_t *y = b ? right.base + run.at[2] + int64_t(i) * a.width : reinterpret_cast<const uint8_t *>(&scalar);
            bool isUnknown = anyUnknown(left.unknown + run.at[1] + int64_t(i) * a.width, a.width) || (b && anyUnknown(right.unknown + run.at[2] + int64_t(i) * a.width, a.width));
            setBit(bits, number, function(x, y, mode));
            setBit(unknown, number, isUnknown);
        }
}

void getCompareMask(const Local &dst)
{
    issue(V);
    memcpy(touch(dst, 0, 16, true), core->compareMask, 16);
    memcpy(unknownOf(dst), core->compareUnknown, 16);
}
void setCompareMask(const Local &src)
{
    issue(V);
    memcpy(core->compareMask, touch(src, 0, 16, false), 16);
    memcpy(core->compareUnknown, unknownOf(src), 16);
}

/// Mode 0: the mask's first bits serve every repeat; modes 1 and 2: a bit an element. Mode 1 has a scalar for `b`.
void select(const Local &dst, const Local *mask, const Local &a, const Local *b, uint64_t scalar, int mode, const Shape &shape)
{
    uint8_t widths[3] = {dst.width, a.width, b ? b->width : uint8_t(0)};
    makeRuns(shape, widths);
    if (!runs.size) return;
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(a, 32, "a source");
    uint32_t inRepeat = 256 / dst.width;
    uint64_t total = 0;
    for (const Run &run : runs) total = uint64_t(run.at[3]) + run.count;
    if (mode == 0 && total > inRepeat) total = inRepeat;
    const uint8_t *bits = core->compareMask, *unknownBits = core->compareUnknown;
    if (mask) {
        requireAligned(*mask, 32, "the mask");
        bits = touch(*mask, 0, (total + 7) / 8, false);
        unknownBits = unknownOf(*mask);
    }
    Operand left = open(a, 1, false), right{};
    if (b) {
        requireAligned(*b, 32, "a source");
        right = open(*b, 2, false);
    }
    Operand to = open(dst, 0, true);
    for (const Run &run : runs)
        for (uint64_t i = 0; i < run.count; ++i) {
            uint64_t number = uint64_t(run.at[3]) + i;
            if (mode == 0) number %= inRepeat;
            int64_t at = run.at[0] + int64_t(i) * dst.width;
            bool first = bit(bits, number);
            const uint8_t *from = reinterpret_cast<const uint8_t *>(&scalar);
            bool unknown = bit(unknownBits, number);
            if (first || b) {
                const Operand &chosen = first ? left : right;
                int64_t place = run.at[first ? 1 : 2] + int64_t(i) * dst.width;
                from = chosen.base + place;
                unknown = unknown || anyUnknown(chosen.unknown + place, dst.width);
            }
            memcpy(to.base + at, from, dst.width);
            memset(to.unknown + at, unknown ? 0xff : 0, dst.width);
        }
}

void selectByRegister(const Local &dst, const Local *bits, const Local &a, const Local *b, int mode, const Shape &shape)
{
    uint64_t content;
    memcpy(&content, core->compareMask, sizeof(content));
    if (!b) {
        select(dst, bits, a, nullptr, content, mode, shape);
        return;
    }
    if (mode != 2) {
        select(dst, bits, a, b, 0, mode, shape);
        return;
    }
    Local there = localAt(content, Type::u8, 1);
    select(dst, &there, a, b, 0, mode, shape);
}

void createIndex(const Local &dst, uint64_t first, const Shape &shape)
{
    uint8_t widths[3] = {dst.width, 0, 0};
    makeRuns(shape, widths);
    if (!runs.size) return;
    issue(V);
    requireAligned(dst, 32, "the destination");
    Operand to = open(dst, 0, true);
    for (const Run &run : runs)
        for (uint64_t i = 0; i < run.count; ++i) {
            uint8_t *at = to.base + run.at[0] + int64_t(i) * dst.width;
            int64_t number = run.at[3] + int64_t(i);
            switch (dst.type) {
            case Type::f16: { auto x = _Float16(float(scalarAs<_Float16>(first)) + float(number)); memcpy(at, &x, 2); break; }
            case Type::f32: { float x = scalarAs<float>(first) + float(number); memcpy(at, &x, 4); break; }
            case Type::i16: { auto x = int16_t(scalarAs<int16_t>(first) + number); memcpy(at, &x, 2); break; }
            case Type::i32: { auto x = int32_t(scalarAs<int32_t>(first) + number); memcpy(at, &x, 4); break; }
            default: unsupported("CreateVecIndex", dst.type);
            }
            memset(to.unknown + run.at[0] + int64_t(i) * dst.width, 0, dst.width);
        }
}

}
