// The Matmul object: C = A * B + bias, block by block in the order of the tiling data, each block over all of K.
//
// The core that calls it computes, in float (integers in 32 bits) with k ascending, and converts once at the end. Where
// the device lets other pipes go on while the cube unit works is not modelled: a call waits for everything before it, and
// everything after it waits for the call. The exception is a call that the kernel waits for with a call of its own: with
// late copies it computes only there.
#include "runtime.h"

#include "kernel_tiling/kernel_tiling.h"

#include <cmath>

namespace kgtwin {

/// A block of C as the cube unit holds it: float, or int32 where the matrices are integers. `row` and `column` are its
/// place in the single shape; rows are `pitch` elements apart.
struct Product {
    float *values = nullptr;
    uint8_t *unknown = nullptr;
    size_t room = 0;
    int64_t row = 0, column = 0;
    int32_t rows = 0, columns = 0, pitch = 0;
    int32_t *integers() { return reinterpret_cast<int32_t *>(values); }
};

/// A call whose product is computed when something waits for it, as it was made.
struct LateProduct {
    Matmul matmul;
    Global global;
    bool isBatch;
    MatmulBatch batch;
    int atomic;
    bool packed;
    void *from; // the call
};

namespace {

enum Format : uint8_t { ND, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, COLUMN_MAJOR };
enum Layout : uint8_t { NONE, BSNGD, SBNGD, BNGS1S2, NORMAL };
enum Position : uint8_t { GM = 0, CO1 = 7, TSCM = 13 };

constexpr int32_t kFractal = 16;
constexpr int kLanes = 8;
using Floats = float __attribute__((vector_size(4 * kLanes), aligned(4)));
using Integers = uint32_t __attribute__((vector_size(4 * kLanes), aligned(4))); // wraps

int64_t ceilDiv(int64_t value, int64_t by) { return (value + by - 1) / by; }
int64_t alignUp(int64_t value, int64_t to) { return ceilDiv(value, to) * to; }
int32_t least(int64_t a, int64_t b) { return int32_t(a < b ? a : b); }
bool isInteger(Type type) { return type == Type::i8 || type == Type::u8 || type == Type::i32; }

/// Memory that is kept and grows; what is in it is lost when it does.
template <typename T> struct Scratch {
    T *items = nullptr;
    size_t room = 0;
    T *of(size_t count)
    {
        if (count > room) {
            std::free(items);
            items = static_cast<T *>(std::malloc(count * sizeof(T)));
            if (!items) notExecuted("a Matmul of this size");
            room = count;
        }
        return items;
    }
};

/// Where a matrix of rows and columns lies from its start on: `swapped` where its rows are stored as columns. `pitch` is
/// the distance of rows in elements, or the rows of a column of fractals.
struct View {
    const Matrix *matrix;
    int64_t offset, pitch;
    bool swapped;
};

int32_t elementsOfBlock(const Matrix &matrix) { return 32 / matrix.width; }
bool fractal(const Matrix &matrix) { return matrix.format == NZ; }

/// The view of A or B: `rows` and `columns` as they are multiplied, of the whole matrix and of the single shape.
View viewOf(const Matrix &matrix, int64_t rows, int64_t columns, int64_t singleRows, int64_t singleColumns)
{
    View view{&matrix, 0, 0, matrix.transposed != (matrix.format == COLUMN_MAJOR)};
    bool local = matrix.source == Matrix::Source::local;
    int64_t high = local ? singleRows : rows, wide = local ? singleColumns : columns;
    if (view.swapped) {
        int64_t was = high;
        high = wide;
        wide = was;
    }
    if (fractal(matrix)) view.pitch = alignUp(high, kFractal);
    else if (matrix.format == VECTOR) view.pitch = wide;
    else view.pitch = local ? alignUp(wide, elementsOfBlock(matrix)) : wide;
    return view;
}

/// `count` elements of a matrix from element `at` on, as they are stored, and which bytes were never given a value.
void fetchElements(const Matrix &matrix, int64_t at, int64_t count, uint8_t *to, uint8_t *unknown)
{
    auto bytes = uint64_t(count) * matrix.width;
    if (matrix.source == Matrix::Source::global) {
        fetch(to, unknown, matrix.global.base + at * matrix.width, bytes);
        return;
    }
    const uint8_t *from = touch(matrix.local, at * matrix.width, bytes, false);
    memcpy(to, from, bytes);
    memcpy(unknown, unknownOf(matrix.local) + at * matrix.width, bytes);
}

/// A stored window of `high` rows and `wide` columns, packed.
void fetchWindow(const View &view, int64_t row, int64_t high, int64_t column, int64_t wide, uint8_t *to, uint8_t *unknown)
{
    const Matrix &matrix = *view.matrix;
    if (!fractal(matrix)) {
        for (int64_t r = 0; r < high; ++r) {
            int64_t at = r * wide * matrix.width;
            fetchElements(matrix, view.offset + (row + r) * view.pitch + column, wide, to + at, unknown + at);
        }
        return;
    }
    static Scratch<uint8_t> strip, stripUnknown;
    int64_t c0 = elementsOfBlock(matrix);
    uint8_t *bytes = strip.of(size_t(high) * 32), *shadow = stripUnknown.of(size_t(high) * 32);
    for (int64_t done = 0; done < wide;) {
        int64_t here = column + done, inside = here % c0, take = least(c0 - inside, wide - done);
        fetchElements(matrix, view.offset + here / c0 * view.pitch * c0 + row * c0, high * c0, bytes, shadow);
        for (int64_t r = 0; r < high; ++r) {
            int64_t target = (r * wide + done) * matrix.width, source = r * 32 + inside * matrix.width;
            memcpy(to + target, bytes + source, size_t(take * matrix.width));
            memcpy(unknown + target, shadow + source, size_t(take * matrix.width));
        }
        done += take;
    }
}

template <typename T> struct Reading { static float of(T value) { return float(value); } };
template <> struct Reading<Bf16> { static float of(Bf16 value) { return toFloat(value); } };
template <typename In, typename Out> Out widened(In value)
{
    if constexpr (std::is_same_v<Out, float>) return Reading<In>::of(value);
    else return Out(value);
}

template <typename In, typename Out> void widen(const uint8_t *stored, int64_t high, int64_t wide, bool swapped, Out *to, int64_t pitch)
{
    for (int64_t r = 0; r < high; ++r)
        for (int64_t c = 0; c < wide; ++c) {
            In value;
            memcpy(&value, stored + (r * wide + c) * int64_t(sizeof(In)), sizeof(In));
            to[swapped ? c * pitch + r : r * pitch + c] = widened<In, Out>(value);
        }
}
template <typename Out> void widenAll(Type type, const uint8_t *stored, int64_t high, int64_t wide, bool swapped, Out *to, int64_t pitch)
{
    switch (type) {
    case Type::f16: widen<_Float16, Out>(stored, high, wide, swapped, to, pitch); break;
    case Type::bf16:
        if constexpr (std::is_same_v<Out, float>) widen<Bf16, Out>(stored, high, wide, swapped, to, pitch);
        break;
    case Type::f32: widen<float, Out>(stored, high, wide, swapped, to, pitch); break;
    case Type::i8: widen<int8_t, Out>(stored, high, wide, swapped, to, pitch); break;
    case Type::u8: widen<uint8_t, Out>(stored, high, wide, swapped, to, pitch); break;
    case Type::i32: widen<int32_t, Out>(stored, high, wide, swapped, to, pitch); break;
    default: notExecuted("Matmul with matrices of this element type");
    }
}

/// A window of a matrix, as it is multiplied, in float or int32: rows are `pitch` apart. Marks the rows (or columns) that
/// have an element without a value.
template <typename Out> void load(const View &view, int64_t row, int64_t high, int64_t column, int64_t wide, Out *to, int64_t pitch, uint8_t *unknown, bool byRow)
{
    const Matrix &matrix = *view.matrix;
    if (matrix.source == Matrix::Source::scalar) {
        Out value{};
        uint8_t bytes[8];
        memcpy(bytes, &matrix.bits, 8);
        widenAll<Out>(matrix.type, bytes, 1, 1, false, &value, 1);
        for (int64_t r = 0; r < high; ++r)
            for (int64_t c = 0; c < wide; ++c) to[r * pitch + c] = value;
        return;
    }
    static Scratch<uint8_t> stored, shadow;
    auto bytes = size_t(high * wide) * matrix.width;
    uint8_t *raw = stored.of(bytes), *raised = shadow.of(bytes);
    if (view.swapped) fetchWindow(view, column, wide, row, high, raw, raised);
    else fetchWindow(view, row, high, column, wide, raw, raised);
    int64_t lines = view.swapped ? wide : high, length = view.swapped ? high : wide;
    widenAll<Out>(matrix.type, raw, lines, length, view.swapped, to, pitch);
    if (!anyUnknown(raised, bytes)) return;
    for (int64_t line = 0; line < lines; ++line)
        for (int64_t i = 0; i < length; ++i)
            if (anyUnknown(raised + (line * length + i) * matrix.width, matrix.width)) unknown[byRow != view.swapped ? line : i] = 0xff;
}

/// c[r][j] += a[r][k] * b[k][j], with k ascending; four rows at a time, columns in whole vectors.
template <typename V, typename T> void multiply(T *c, const T *a, const T *b, int64_t rows, int64_t depth, int64_t pitchA, int64_t pitch)
{
    for (int64_t r = 0; r < rows; r += 4) {
        int64_t group = least(4, rows - r);
        for (int64_t j = 0; j < pitch; j += kLanes) {
            V sum[4];
            for (int64_t i = 0; i < 4; ++i) memcpy(&sum[i], c + (r + (i < group ? i : 0)) * pitch + j, sizeof(V));
            const T *x[4];
            for (int64_t i = 0; i < 4; ++i) x[i] = a + (r + (i < group ? i : 0)) * pitchA;
            for (int64_t k = 0; k < depth; ++k) {
                V y;
                memcpy(&y, b + k * pitch + j, sizeof(V));
                sum[0] += x[0][k] * y;
                sum[1] += x[1][k] * y;
                sum[2] += x[2][k] * y;
                sum[3] += x[3][k] * y;
            }
            for (int64_t i = 0; i < group; ++i) memcpy(c + (r + i) * pitch + j, &sum[i], sizeof(V));
        }
    }
}

/// The sizes of the matrices of one product.
struct Shape3 {
    View a, b;
    int64_t biasAt;
};

/// Adds the bias, a row of N, to every row of a block.
void addBias(Matmul &matmul, Product &product, int64_t biasAt)
{
    static Scratch<float> row;
    static Scratch<int32_t> integers;
    static Scratch<uint8_t> unknown;
    View view{&matmul.bias, biasAt, 0, false};
    uint8_t *raised = unknown.of(size_t(product.columns));
    memset(raised, 0, size_t(product.columns));
    if (isInteger(matmul.a.type)) {
        int32_t *bias = integers.of(size_t(product.columns));
        load<int32_t>(view, 0, 1, product.column, product.columns, bias, product.columns, raised, false);
        for (int64_t r = 0; r < product.rows; ++r)
            for (int64_t c = 0; c < product.columns; ++c) {
                int64_t sum = int64_t(product.integers()[r * product.pitch + c]) + bias[c];
                product.integers()[r * product.pitch + c] = int32_t(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
            }
    } else {
        float *bias = row.of(size_t(product.columns));
        load<float>(view, 0, 1, product.column, product.columns, bias, product.columns, raised, false);
        for (int64_t r = 0; r < product.rows; ++r)
            for (int64_t c = 0; c < product.columns; ++c) product.values[r * product.pitch + c] += bias[c];
    }
    for (int64_t r = 0; r < product.rows; ++r)
        for (int64_t c = 0; c < product.columns; ++c) product.unknown[r * product.pitch + c] |= raised[c];
}

Product &productOf(Matmul &matmul, int32_t rows, int32_t columns)
{
    if (!matmul.product) matmul.product = new (std::calloc(1, sizeof(Product)), 0) Product();
    Product &product = *matmul.product;
    auto pitch = int32_t(alignUp(columns, kLanes));
    size_t needed = size_t(rows) * size_t(pitch);
    if (needed > product.room) {
        std::free(product.values);
        std::free(product.unknown);
        product.values = static_cast<float *>(std::calloc(needed, sizeof(float)));
        product.unknown = static_cast<uint8_t *>(std::calloc(needed, 1));
        if (!product.values || !product.unknown) std::abort();
        product.room = needed;
    }
    product.rows = rows;
    product.columns = columns;
    product.pitch = pitch;
    return product;
}

template <typename T, typename V, typename Work> void computeAs(Product &product, const Shape3 &shape, int64_t first, int64_t depth)
{
    static Scratch<T> left, right;
    static Scratch<uint8_t> leftUnknown, rightUnknown;
    T *a = left.of(size_t(product.rows) * size_t(depth)), *b = right.of(size_t(depth) * size_t(product.pitch));
    uint8_t *rowUnknown = leftUnknown.of(size_t(product.rows)), *columnUnknown = rightUnknown.of(size_t(product.columns));
    memset(rowUnknown, 0, size_t(product.rows));
    memset(columnUnknown, 0, size_t(product.columns));
    memset(b, 0, size_t(depth) * size_t(product.pitch) * sizeof(T));
    load<T>(shape.a, product.row, product.rows, first, depth, a, depth, rowUnknown, true);
    load<T>(shape.b, first, depth, product.column, product.columns, b, product.pitch, columnUnknown, false);
    multiply<V, Work>(reinterpret_cast<Work *>(product.values), reinterpret_cast<Work *>(a), reinterpret_cast<Work *>(b), product.rows, depth, depth, product.pitch);
    for (int64_t r = 0; r < product.rows; ++r)
        for (int64_t c = 0; c < product.columns; ++c) product.unknown[r * product.pitch + c] |= uint8_t(rowUnknown[r] | columnUnknown[c]);
}

/// How many parts of k there are, each with a block of its own.
int64_t partsK(const Matmul &matmul) { return matmul.fixed.parts ? ceilDiv(matmul.sizes.singleK, matmul.sizes.baseK) : 1; }

/// How many blocks the single shape has along m and along n.
int64_t blocksM(const Matmul &matmul) { return ceilDiv(matmul.sizes.singleM, matmul.sizes.baseM); }
int64_t blocksN(const Matmul &matmul) { return ceilDiv(matmul.sizes.singleN, matmul.sizes.baseN); }

struct Place {
    int64_t m, n;
};
/// The block that is computed as number `number`: blocks that are loaded together (stepM by stepN) follow each other,
/// and among them those along the other axis than the order's.
Place placeOf(const Matmul &matmul, int64_t number)
{
    number /= partsK(matmul);
    bool firstN = matmul.sizes.firstN == 1;
    int64_t fast = firstN ? blocksN(matmul) : blocksM(matmul), slow = firstN ? blocksM(matmul) : blocksN(matmul);
    int64_t stepFast = firstN ? matmul.sizes.stepN : matmul.sizes.stepM, stepSlow = firstN ? matmul.sizes.stepM : matmul.sizes.stepN;
    for (int64_t slowAt = 0; slowAt < slow; slowAt += stepSlow) {
        int64_t slowHere = least(stepSlow, slow - slowAt);
        if (number >= slowHere * fast) {
            number -= slowHere * fast;
            continue;
        }
        for (int64_t fastAt = 0; fastAt < fast; fastAt += stepFast) {
            int64_t fastHere = least(stepFast, fast - fastAt);
            if (number >= slowHere * fastHere) {
                number -= slowHere * fastHere;
                continue;
            }
            int64_t f = fastAt + number / slowHere, s = slowAt + number % slowHere;
            return firstN ? Place{s, f} : Place{f, s};
        }
    }
    return {0, 0};
}

/// Whether a block is left out: what lies below the diagonal of a result that is its upper half, or above it.
bool leftOut(const Matmul &matmul, const Place &place)
{
    using Policy = MatmulFixed::Policy;
    return (matmul.fixed.policy == Policy::upper && place.m > place.n) || (matmul.fixed.policy == Policy::lower && place.m < place.n);
}

void compute(Matmul &matmul, const Shape3 &shape, int64_t number, bool adds)
{
    const MatmulSizes &sizes = matmul.sizes;
    Place place = placeOf(matmul, number);
    int64_t row = place.m * sizes.baseM, column = place.n * sizes.baseN;
    Product &product = productOf(matmul, least(sizes.baseM, sizes.singleM - row), least(sizes.baseN, sizes.singleN - column));
    product.row = row;
    product.column = column;
    size_t elements = size_t(product.rows) * size_t(product.pitch);
    if (!adds) {
        memset(product.values, 0, elements * sizeof(float));
        memset(product.unknown, 0, elements);
    }
    const int64_t first = number % partsK(matmul) * sizes.baseK, depth = matmul.fixed.parts ? least(sizes.baseK, sizes.singleK - first) : sizes.singleK;
    if (isInteger(matmul.a.type)) computeAs<int32_t, Integers, uint32_t>(product, shape, first, depth);
    else computeAs<float, Floats, float>(product, shape, first, depth);
    if (matmul.biased && !adds) addBias(matmul, product, shape.biasAt);
}

// --- What leaves the cube unit ---------------------------------------------------------------------------------------

/// The scale of a quantisation's parameter: a float of 10 mantissa bits.
float scaleOf(uint64_t parameter)
{
    auto bits = uint32_t(parameter) & 0xffffe000;
    float scale;
    memcpy(&scale, &bits, 4);
    return scale;
}
int32_t offsetOf(uint64_t parameter)
{
    auto offset = int32_t(parameter >> 37 & 0x1ff);
    return offset > 255 ? offset - 512 : offset;
}

template <typename T> void put(uint8_t *to, T value) { memcpy(to, &value, sizeof(T)); }
float clamped(float value, float low, float high) { return value < low ? low : value > high ? high : value; }

/// One element of C in its own type.
void encode(uint8_t *to, Type type, float value)
{
    switch (type) {
    case Type::f16: put(to, _Float16(settings.saturate ? std::isnan(value) ? 0.0f : clamped(value, -65504.0f, 65504.0f) : value)); break;
    case Type::bf16: put(to, toBf16(value)); break;
    case Type::f32: put(to, value); break;
    case Type::i8: put(to, int8_t(clamped(std::nearbyint(value), -128.0f, 127.0f))); break;
    case Type::u8: put(to, uint8_t(clamped(std::nearbyint(value), 0.0f, 255.0f))); break;
    case Type::i32: put(to, int32_t(double(value) > 2147483647.0 ? INT32_MAX : double(value) < -2147483648.0 ? INT32_MIN : int32_t(std::nearbyint(value)))); break;
    default: notExecuted("Matmul with a result of this element type");
    }
}

/// A row of a block of C in its own type, quantised where that was asked for.
void encodeRow(const Matmul &matmul, Product &product, int64_t r, const uint64_t *parameters, uint8_t *to, uint8_t *unknown)
{
    const Matrix &matrix = matmul.c;
    bool integers = isInteger(matmul.a.type);
    for (int64_t c = 0; c < product.columns; ++c) {
        int64_t at = r * product.pitch + c;
        uint8_t *place = to + c * matrix.width;
        memset(unknown + c * matrix.width, product.unknown[at], matrix.width);
        if (integers && matrix.type == Type::i32 && !parameters) {
            int32_t whole = product.integers()[at];
            put(place, matmul.fixed.relu && whole < 0 ? 0 : whole);
            continue;
        }
        float value = integers ? float(product.integers()[at]) : product.values[at];
        if (matmul.fixed.relu && value < 0) value = 0;
        if (parameters) {
            value *= scaleOf(parameters[c]);
            if (matrix.type == Type::i8 || matrix.type == Type::u8) value = std::nearbyint(clamped(value, -256.0f, 255.0f)) + float(offsetOf(parameters[c]));
        }
        encode(place, matrix.type, value);
    }
}

/// Where a block of C goes: element `offset` of `global` or `local` is the block's first, rows (or columns of fractals of
/// `wide` columns) are `pitch` elements apart.
struct Target {
    const Global *global;
    const Local *local;
    int64_t offset, pitch;
    int32_t wide; // of a fractal; 0: rows
};

void putElements(const Target &target, const Matrix &matrix, int64_t at, int64_t count, const uint8_t *bytes, const uint8_t *unknown)
{
    auto length = uint64_t(count) * matrix.width;
    if (target.global) {
        store(target.global->base + at * matrix.width, bytes, unknown, length);
        return;
    }
    // What does not fit into the tensor stays where the cube unit's results are kept in between.
    auto room = int64_t(target.local->count) - at;
    if (room < count) length = room > 0 ? uint64_t(room) * matrix.width : 0;
    if (!length) return;
    memcpy(touch(*target.local, at * matrix.width, length, true), bytes, length);
    memcpy(unknownOf(*target.local) + at * matrix.width, unknown, length);
}

void write(const Matmul &matmul, Product &product, const Target &target, const uint64_t *parameters)
{
    static Scratch<uint8_t> row, shadow;
    const Matrix &matrix = matmul.c;
    // Rows that are aligned are filled up with zeros.
    int64_t filled = matrix.format == ND_ALIGN ? alignUp(product.columns, elementsOfBlock(matrix)) : product.columns;
    auto bytes = size_t(filled) * matrix.width;
    uint8_t *encoded = row.of(bytes), *unknown = shadow.of(bytes);
    memset(encoded, 0, bytes);
    memset(unknown, 0, bytes);
    for (int64_t r = 0; r < product.rows; ++r) {
        encodeRow(matmul, product, r, parameters, encoded, unknown);
        if (!target.wide) {
            putElements(target, matrix, target.offset + r * target.pitch, filled, encoded, unknown);
            continue;
        }
        for (int64_t c = 0; c < product.columns; c += target.wide) {
            int64_t at = target.offset + c / target.wide * target.pitch + r * target.wide;
            putElements(target, matrix, at, least(target.wide, product.columns - c), encoded + c * matrix.width, unknown + c * matrix.width);
        }
    }
}

/// The parameters of a block's columns, or nothing where results are not quantised.
const uint64_t *quantisation(const Matmul &matmul, const Product &product)
{
    if (!matmul.quantised) return nullptr;
    static Scratch<uint64_t> parameters;
    static Scratch<uint8_t> unknown;
    uint64_t *all = parameters.of(size_t(product.columns));
    if (matmul.quantised == 1)
        for (int64_t c = 0; c < product.columns; ++c) all[c] = matmul.quantScalar;
    else {
        issue(MTE2);
        fetchElements(matmul.quantVector, product.column, product.columns, reinterpret_cast<uint8_t *>(all), unknown.of(size_t(product.columns) * 8));
    }
    return all;
}

/// The target of the block at hand within C, or packed from the start on.
Target targetOf(const Matmul &matmul, const Product &product, const Global *global, const Local *local, bool packed, int64_t offset)
{
    const Matrix &matrix = matmul.c;
    const MatmulSizes &sizes = matmul.sizes;
    if (matrix.format == NZ) {
        int32_t wide = matmul.fixed.splitsChannels ? 8 : matrix.width == 1 ? 32 : kFractal;
        if (packed) return {global, local, offset, alignUp(product.rows, kFractal) * wide, wide};
        int64_t high = matmul.fixed.splitsChannels ? alignUp(sizes.m, kFractal) : sizes.m;
        return {global, local, offset + product.column * high + product.row * wide, high * wide, wide};
    }
    if (matrix.format == COLUMN_MAJOR) notExecuted("Matmul with a result in columns");
    int64_t pitch = packed ? product.columns : sizes.kc > 0 ? sizes.kc : sizes.n;
    if (matrix.format == ND_ALIGN) pitch = alignUp(pitch, elementsOfBlock(matrix));
    return {global, local, packed ? offset : offset + product.row * pitch + product.column, pitch, 0};
}

/// Writes the block at hand.
void emit(Matmul &matmul, const Target &target, int atomic)
{
    const uint64_t *parameters = quantisation(matmul, *matmul.product);
    int was = core->atomic;
    Type type = core->atomicType;
    core->atomic = atomic;
    core->atomicType = matmul.c.type;
    issue(target.global ? FIX : MTE2);
    write(matmul, *matmul.product, target, parameters);
    core->atomic = was;
    core->atomicType = type;
}

// --- What is asked for -----------------------------------------------------------------------------------------------

void require(bool given, const char *what)
{
    if (given) return;
    report(Tier::error, "matmul-call", {}, "%s", what);
    stop();
}

void within(const char *single, int64_t part, int64_t whole, const char *name, int64_t rows, const Matrix &matrix)
{
    if (part <= whole || rows <= 1 || matrix.source != Matrix::Source::global || matrix.format != ND) return;
    report(Tier::error, "matmul-tiling", {}, "%s is %lld, and a row of %s has %lld elements: rows run into each other", single, static_cast<long long>(part), name,
           static_cast<long long>(whole));
    stop();
}

/// The sizes that a product needs are there, and the cube unit's memories hold a block.
void checkSizes(const Matmul &matmul)
{
    const MatmulSizes &sizes = matmul.sizes;
    const struct {
        const char *name;
        int32_t value;
    } needed[] = {{"M", sizes.m}, {"N", sizes.n}, {"Ka", sizes.ka}, {"Kb", sizes.kb}, {"singleCoreM", sizes.singleM}, {"singleCoreN", sizes.singleN},
                  {"singleCoreK", sizes.singleK}, {"baseM", sizes.baseM}, {"baseN", sizes.baseN}, {"baseK", sizes.baseK}};
    for (const auto &one : needed)
        if (one.value <= 0) {
            report(Tier::error, "matmul-tiling", {}, "%s of the tiling data is %d", one.name, one.value);
            stop();
        }
    const struct {
        const char *block, *memory;
        int64_t bytes;
        Memory where;
    } held[] = {{"baseM * baseK", "L0A", int64_t(sizes.baseM) * sizes.baseK * matmul.a.width, Memory::l0a},
                {"baseK * baseN", "L0B", int64_t(sizes.baseN) * sizes.baseK * matmul.b.width, Memory::l0b},
                {"baseM * baseN", "L0C", int64_t(sizes.baseM) * sizes.baseN * 4, Memory::l0c}};
    for (const auto &one : held) {
        auto room = int64_t(settings.sizes[int(one.where)]);
        if (room && one.bytes > room) {
            report(Tier::error, "matmul-tiling", {}, "a block of %s takes %lld bytes, and %s has %lld", one.block, static_cast<long long>(one.bytes), one.memory, static_cast<long long>(room));
            stop();
        }
    }
}

void checkRows(const Matmul &matmul)
{
    const MatmulSizes &sizes = matmul.sizes;
    if (matmul.a.transposed) within("singleCoreM", sizes.singleM, sizes.m, "A", sizes.singleK, matmul.a);
    else within("singleCoreK", sizes.singleK, sizes.ka, "A", sizes.singleM, matmul.a);
    if (matmul.b.transposed) within("singleCoreK", sizes.singleK, sizes.kb, "B", sizes.singleN, matmul.b);
    else within("singleCoreN", sizes.singleN, sizes.n, "B", sizes.singleK, matmul.b);
}

bool mayBeLate(const Matmul &matmul)
{
    using Source = Matrix::Source;
    // What lies in on-chip memory is sent along with the call.
    return settings.late && matmul.a.source != Source::local && matmul.b.source != Source::local && matmul.bias.source != Source::local && matmul.quantVector.source != Source::local;
}

void postpone(const Matmul &matmul, const LateProduct &call)
{
    auto *late = new (std::calloc(1, sizeof(LateProduct)), 0) LateProduct(call);
    late->matmul = matmul;
    late->matmul.product = nullptr;
    late->from = core->front.site;
    core->lateProducts.add(late);
}

/// Everything that a product needs is there; what is not known how to compute ends the run.
void prepare(Matmul &matmul)
{
    settleProducts();
    require(matmul.ready, "the Matmul object has no tiling data: neither REGIST_MATMUL_OBJ nor Init gave it any");
    require(matmul.a.source != Matrix::Source::none, "the Matmul object has no A: SetTensorA was not called");
    require(matmul.b.source != Matrix::Source::none, "the Matmul object has no B: SetTensorB was not called");
    if (matmul.fixed.callbacks) notExecuted("Matmul with callbacks of its own");
    if (matmul.fixed.outer) notExecuted("Matmul with ScheduleType::OUTER_PRODUCT");
    if (matmul.fixed.policy == MatmulFixed::Policy::other) notExecuted("Matmul with a policy of another chip");
    if (matmul.fixed.everyCore) notExecuted("Matmul with enableMixDualMaster");
    if (matmul.fixed.summed) notExecuted("Matmul with intraBlockPartSum");
    if (matmul.fixed.parts && matmul.biased) notExecuted("Matmul with isPartialOutput and a bias");
    checkSizes(matmul);
    joinAll();
    issue(MTE2);
}

/// The matrices as they are without batches.
Shape3 plain(const Matmul &matmul)
{
    const MatmulSizes &sizes = matmul.sizes;
    return {viewOf(matmul.a, sizes.m, sizes.ka, sizes.singleM, sizes.singleK), viewOf(matmul.b, sizes.kb, sizes.n, sizes.singleK, sizes.singleN), 0};
}

int64_t blocks(const Matmul &matmul) { return blocksM(matmul) * blocksN(matmul) * partsK(matmul); }
int64_t blockElements(const Matmul &matmul) { return int64_t(matmul.sizes.baseM) * matmul.sizes.baseN; }

void chosen(int32_t &size, int32_t tiled, int32_t fixed) { size = fixed > 0 ? fixed : tiled; }

/// The sizes as the tiling data and the configuration give them.
void sizesOf(Matmul &matmul, const ::TCubeTiling &tiling)
{
    const MatmulSizes &fixed = matmul.fixed.sizes;
    MatmulSizes &sizes = matmul.sizes;
    chosen(sizes.m, tiling.M, fixed.m);
    chosen(sizes.n, tiling.N, fixed.n);
    chosen(sizes.ka, tiling.Ka, fixed.ka);
    chosen(sizes.kb, tiling.Kb, fixed.kb);
    chosen(sizes.singleM, tiling.singleCoreM, fixed.singleM);
    chosen(sizes.singleN, tiling.singleCoreN, fixed.singleN);
    chosen(sizes.singleK, tiling.singleCoreK, fixed.singleK);
    chosen(sizes.baseM, tiling.baseM, fixed.baseM);
    chosen(sizes.baseN, tiling.baseN, fixed.baseN);
    chosen(sizes.baseK, tiling.baseK, fixed.baseK);
    sizes.stepM = tiling.stepM > 0 ? tiling.stepM : 1;
    sizes.stepN = tiling.stepN > 0 ? tiling.stepN : 1;
    sizes.firstN = fixed.firstN >= 0 ? fixed.firstN : tiling.iterateOrder;
    sizes.kc = 0;
}

}

void matmulServe()
{
    if (settings.vectorOfBlock) endCore();
}

void matmulBegin(Matmul &matmul, const ::TCubeTiling *tiling)
{
    static const ::TCubeTiling none{};
    matmul.tiling = tiling;
    sizesOf(matmul, tiling ? *tiling : none);
    matmul.ready = true;
    matmul.first = true;
    matmul.computed = false;
    if (!tiling && matmul.sizes.m <= 0) { // all is fixed: what the matrices are SetOrgShape says, or they are the single shape
        matmul.sizes.m = matmul.sizes.singleM;
        matmul.sizes.n = matmul.sizes.singleN;
        matmul.sizes.ka = matmul.sizes.kb = matmul.sizes.singleK;
    }
}

void matmulTransposed(Matrix &matrix, bool transposed, const char *name)
{
    if (transposed && !matrix.mayTranspose)
        report(Tier::error, "matmul-call", {}, "%s is transposed here, and its MatmulType says that it never is (ISTRANS is false)", name);
    matrix.transposed = transposed;
}

void matmulBiased(Matmul &matmul)
{
    matmul.biased = true;
    matmul.first = true;
    if (matmul.tiling && matmul.tiling->isBias == 0)
        report(Tier::warning, "matmul-call", {}, "a bias is set, and the tiling data says that there is none (isBias is 0)");
}

bool matmulIterate(Matmul &matmul, bool adds, const Local *results)
{
    if (matmul.first) {
        prepare(matmul);
        checkRows(matmul);
        matmul.next = 0;
        matmul.first = false;
    }
    matmul.computed = matmul.next < blocks(matmul);
    matmul.aside = false;
    if (!matmul.computed) return false;
    joinAll();
    issue(MTE2);
    compute(matmul, plain(matmul), matmul.next++, adds);
    if (results) {
        // L0C holds columns of 16 elements, one below the other.
        Target target{nullptr, results, 0, alignUp(matmul.product->rows, kFractal) * kFractal, kFractal};
        issue(M);
        write(matmul, *matmul.product, target, nullptr);
    }
    joinAll();
    return true;
}

bool matmulIterateAside(Matmul &matmul)
{
    if (!matmul.first) return ++matmul.next < blocks(matmul);
    prepare(matmul);
    checkRows(matmul);
    matmul.first = false;
    matmul.computed = matmul.aside = true;
    matmul.next = matmul.taken = 0;
    if (matmul.workspace.base)
        for (int64_t i = 0; i < blocks(matmul); ++i) {
            compute(matmul, plain(matmul), i, false);
            emit(matmul, targetOf(matmul, *matmul.product, &matmul.workspace, nullptr, true, i * blockElements(matmul)), 0);
        }
    joinAll();
    return true;
}

namespace {

/// The block that is taken next of those that Iterate<false> computes.
int64_t takeAside(Matmul &matmul)
{
    require(matmul.aside && matmul.taken < blocks(matmul), "GetTensorC without a block: Iterate<false> was not called before, or all blocks are taken");
    return matmul.taken++;
}

/// Where a block that was computed ahead waits.
Global waiting(Matmul &matmul)
{
    require(matmul.workspace.base, "the results of Iterate<false> are kept in global memory until they are taken, and SetWorkspace was not called before it");
    int64_t elements = blockElements(matmul);
    return {matmul.workspace.base + takeAside(matmul) * elements * matmul.c.width, uint64_t(elements), matmul.c.width};
}

}

void matmulGet(Matmul &matmul, const Global *global, const Local *local, int atomic, bool packed)
{
    require(matmul.computed, "GetTensorC without a block: Iterate was not called before, or said that there are no more");
    joinAll();
    issue(MTE2);
    if (matmul.aside && !global) {
        Global block = waiting(matmul);
        auto bytes = uint64_t(least(local->count, int64_t(block.count))) * matmul.c.width / 32 * 32;
        uint8_t *to = touch(*local, 0, bytes, true);
        fetch(to, unknownOf(*local), block.base, bytes);
        joinAll();
        return;
    }
    int64_t number = matmul.aside ? takeAside(matmul) : matmul.next - 1;
    if (leftOut(matmul, placeOf(matmul, number))) return;
    if (matmul.aside) compute(matmul, plain(matmul), number, false);
    if (global) emit(matmul, targetOf(matmul, *matmul.product, global, nullptr, packed, 0), atomic);
    if (local) {
        const Product &product = *matmul.product;
        int64_t elements = int64_t(product.rows) * product.columns;
        if (packed && elements > local->count)
            report(Tier::error, "matmul-call", {}, "the tensor has %u elements, and a block of %d rows and %d columns does not fit into it", local->count, product.rows, product.columns);
        emit(matmul, targetOf(matmul, product, nullptr, local, packed, 0), 0);
    }
    joinAll();
}

Global matmulGetAside(Matmul &matmul) { return waiting(matmul); }

void matmulAll(Matmul &matmul, const Global *global, const Local *local, int atomic, bool packed, bool waited)
{
    if (matmul.fixed.shared && core->subBlock) return;
    prepare(matmul);
    checkRows(matmul);
    matmul.first = false;
    if (waited && mayBeLate(matmul)) {
        postpone(matmul, {matmul, *global, false, {}, atomic, packed, nullptr});
        matmul.next = blocks(matmul);
        matmul.computed = false;
        return;
    }
    int64_t offset = 0;
    for (int64_t i = 0; i < blocks(matmul); ++i) {
        if (leftOut(matmul, placeOf(matmul, i))) continue;
        compute(matmul, plain(matmul), i, false);
        emit(matmul, targetOf(matmul, *matmul.product, global, local, packed, offset), atomic);
        if (packed) offset += blockElements(matmul);
        issue(MTE2);
    }
    matmul.next = blocks(matmul);
    matmul.computed = false;
    joinAll();
}

// --- Batches ---------------------------------------------------------------------------------------------------------

namespace {

/// The axes of a matrix of a batch: b, s, n, g, d.
struct Axes {
    int64_t b, s, n, g, d;
};

/// How far matrices of a batch are apart and how far their rows are, by their layout. After `together` matrices comes the
/// next of the outermost axis, which is `outer` away; 0 where matrices just follow each other.
struct Pitches {
    int64_t matrix, row, together, outer;
    int64_t at(int64_t number) const { return together ? number / together * outer + number % together * matrix : number * matrix; }
};
Pitches pitchesOf(uint8_t layout, const Axes &axes, int64_t high, int64_t wide)
{
    int64_t heads = axes.n * axes.g;
    switch (layout) {
    case BSNGD: return {axes.d, heads * axes.d, heads, axes.s * heads * axes.d};
    case SBNGD: return {axes.d, axes.b * heads * axes.d, 0, 0};
    default: return {high * wide, wide, 0, 0};
    }
}

View viewOfBatch(const Matrix &matrix, const Axes &axes, int64_t rows, int64_t columns, uint32_t stride, int64_t number)
{
    bool swapped = matrix.transposed;
    int64_t high = swapped ? columns : rows, wide = swapped ? rows : columns;
    Pitches pitches = pitchesOf(matrix.layout, axes, high, wide);
    if (fractal(matrix)) pitches = {alignUp(high, kFractal) * alignUp(wide, elementsOfBlock(matrix)), alignUp(high, kFractal), 0, 0};
    return {&matrix, stride ? number * int64_t(stride) : pitches.at(number), pitches.row, swapped};
}

}

void matmulBatch(Matmul &matmul, const Global *global, const Local *local, const MatmulBatch &batch, int atomic, bool waited)
{
    prepare(matmul);
    require(matmul.tiling, "a batch needs tiling data");
    if (waited && mayBeLate(matmul)) {
        postpone(matmul, {matmul, *global, true, batch, atomic, false, nullptr});
        matmul.taken = 0;
        matmul.computed = false;
        return;
    }
    if (matmul.c.format == NZ) notExecuted("a batch of Matmul with fractals as its result");
    const ::TCubeTiling &tiling = *matmul.tiling;
    const MatmulSizes &sizes = matmul.sizes;
    Axes a{tiling.ALayoutInfoB, tiling.ALayoutInfoS, tiling.ALayoutInfoN, tiling.ALayoutInfoG, tiling.ALayoutInfoD};
    Axes b{tiling.BLayoutInfoB, tiling.BLayoutInfoS, tiling.BLayoutInfoN, tiling.BLayoutInfoG, tiling.BLayoutInfoD};
    Axes c{tiling.CLayoutInfoB, tiling.CLayoutInfoS1, tiling.CLayoutInfoN, tiling.CLayoutInfoG, tiling.CLayoutInfoS2};
    if (c.g == 1 && a.g > 1 && b.g > 1 && matmul.c.layout != NORMAL) notExecuted("a batch of Matmul whose results are summed over an axis");
    int64_t together = batch.a > batch.b ? batch.a : batch.b;
    require(batch.a && batch.b && together % batch.a == 0 && together % batch.b == 0, "of the numbers of matrices of a batch one has to be a multiple of the other");
    int64_t shareA = together / batch.a, shareB = together / batch.b;
    Pitches pitches = pitchesOf(matmul.c.layout, c, sizes.singleM, matmul.c.format == ND_ALIGN ? alignUp(sizes.singleN, elementsOfBlock(matmul.c)) : sizes.singleN);
    int64_t count = together * batch.loops;
    for (int64_t j = 0; j < count; ++j) {
        Shape3 shape{viewOfBatch(matmul.a, a, sizes.singleM, sizes.singleK, batch.stepA, j / shareA), viewOfBatch(matmul.b, b, sizes.singleK, sizes.singleN, batch.stepB, j / shareB),
                     matmul.fixed.biasPerBatch ? j * sizes.singleN : 0};
        for (int64_t i = 0; i < blocks(matmul); ++i) {
            compute(matmul, shape, i, false);
            const Product &product = *matmul.product;
            emit(matmul, {global, local, pitches.at(j) + product.row * pitches.row + product.column, pitches.row, 0}, atomic);
            issue(MTE2);
        }
    }
    matmul.taken = 0;
    matmul.computed = false;
    joinAll();
}

void settleProducts()
{
    static Product *spare = nullptr; // calls do not lie within each other
    while (core->lateProducts.size) {
        LateProduct late = *core->lateProducts[0];
        std::free(core->lateProducts[0]);
        memmove(core->lateProducts.items, core->lateProducts.items + 1, --core->lateProducts.size * sizeof(LateProduct *));
        const Front before = core->front;
        core->front.depth = 1;
        core->front.site = late.from;
        late.matmul.product = spare;
        if (late.isBatch) matmulBatch(late.matmul, &late.global, nullptr, late.batch, late.atomic);
        else matmulAll(late.matmul, &late.global, nullptr, late.atomic, late.packed);
        spare = late.matmul.product;
        report(Tier::information, "late-copy", {}, "the result of this call is there, and its matrices are free, only when WaitIterateAll or WaitIterateBatch has returned");
        core->front = before;
    }
}

void matmulWait() { settleProducts(); }

Global matmulGetBatch(Matmul &matmul, uint32_t a, uint32_t b)
{
    require(matmul.workspace.base, "IterateNBatch keeps its results in global memory, and SetWorkspace was not called before it");
    int64_t together = a > b ? a : b, elements = together * matmul.sizes.singleM * matmul.sizes.singleN;
    return {matmul.workspace.base + matmul.taken++ * elements * matmul.c.width, uint64_t(elements), matmul.c.width};
}

uint8_t *systemWorkspace()
{
    static uint8_t none[32];
    for (Argument *one : arguments)
        if (!one->tiling && one->input[0] == '-' && one->output[0] == '-') return one->base;
    return none;
}

}
