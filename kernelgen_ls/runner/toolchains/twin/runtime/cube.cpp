// The cube unit: matrices as fractals of 512 bytes in L1 and L0, products of them in L0C, and their way out.
//
// C0 is how many elements 32 bytes hold, a fractal has 16 rows of C0 elements (in L0C 16 of 16). L1 and L0C hold columns of
// fractals (Nz), L0A rows of them (Zz), L0B rows of transposed ones (Zn). What lies around a matrix in its last fractals is
// never looked at.
#include "runtime.h"

namespace kgtwin {

namespace {

constexpr int64_t kFractal = 512;

uint32_t up(uint32_t value, uint32_t step) { return (value + step - 1) / step * step; }

/// A stretch of on-chip memory with what is known of its bits.
struct Bytes {
    uint8_t *data, *unknown;
};
/// Checks all bytes of a tensor from `lowest` to `highest` at once.
Bytes bytesOf(const Local &tensor, int64_t lowest, int64_t highest, bool writes)
{
    uint8_t *data = begin(tensor, lowest, highest, writes);
    return {data, unknownOf(tensor)};
}

void move(Bytes to, int64_t toAt, Bytes from, int64_t fromAt, uint64_t bytes)
{
    memcpy(to.data + toAt, from.data + fromAt, bytes);
    memcpy(to.unknown + toAt, from.unknown + fromAt, bytes);
}

/// Where the loads write: L0A and L0B by MTE1, L1 by MTE2.
void requireFractal(const Local &dst) { requireAligned(dst, dst.memory == Memory::l1 ? 32 : 512, "the destination"); }

bool isSigned(Type type) { return type == Type::i8; }

/// An element of a factor as a number.
template <typename W> W element(Type type, const uint8_t *at)
{
    switch (type) {
    case Type::f16: {
        _Float16 value;
        memcpy(&value, at, 2);
        return W(value);
    }
    case Type::bf16: {
        Bf16 value;
        memcpy(&value, at, 2);
        return W(toFloat(value));
    }
    case Type::f32: {
        float value;
        memcpy(&value, at, 4);
        return W(value);
    }
    default: return isSigned(type) ? W(int8_t(*at)) : W(*at);
    }
}

/// The 19 bits of a float that the cube unit computes with in its fast mode.
float shortened(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    if ((bits & 0x7f800000) == 0x7f800000) return value;
    if (!core->unit.towardsZero) bits += 0xfff + (bits >> 13 & 1);
    bits &= ~0x1fffu;
    memcpy(&value, &bits, 4);
    return value;
}

int32_t saturated(int64_t value) { return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : int32_t(value); }
float added(float c, float more) { return c + more; }
int32_t added(int32_t c, int32_t more) { return saturated(int64_t(c) + more); }

/// The factors of a product, row by row, and which rows and columns hold what was never given a value.
template <typename W> struct Factors {
    Array<W> a, b;
    Array<uint8_t> rowUnknown, columnUnknown;
    uint32_t columns; // n up to 16
};

template <typename W> void read(Factors<W> &factors, const Local &a, const Local &b, Bytes aBytes, Bytes bBytes, const MatrixProduct &product, uint32_t pitch)
{
    const uint32_t m = product.m, n = product.n, k = product.k, w = a.width, c0 = 32 / w, n1 = (n + 15) / 16;
    factors.columns = n1 * 16;
    factors.a.resize(size_t(m) * k);
    factors.b.resize(size_t(k) * factors.columns);
    factors.rowUnknown.resize(m);
    factors.columnUnknown.resize(factors.columns);
    bool shorten = a.type == Type::f32 && core->unit.shortFloats;
    for (uint32_t i = 0; i < m; ++i)
        for (uint32_t j = 0; j < k; ++j) {
            // One row alone lies as it is, without fractals.
            int64_t at = m == 1 ? int64_t(j) * w : ((int64_t(i / 16) * pitch + j / c0) * 16 * c0 + (i % 16) * c0 + j % c0) * w;
            W value = element<W>(a.type, aBytes.data + at);
            factors.a[size_t(i) * k + j] = shorten ? W(shortened(float(value))) : value;
            factors.rowUnknown[i] |= aBytes.unknown[at];
        }
    for (uint32_t j = 0; j < k; ++j)
        for (uint32_t i = 0; i < n; ++i) {
            int64_t at = ((int64_t(j / c0) * n1 + i / 16) * 16 * c0 + (i % 16) * c0 + j % c0) * w;
            W value = element<W>(b.type, bBytes.data + at);
            factors.b[size_t(j) * factors.columns + i] = shorten ? W(shortened(float(value))) : value;
            factors.columnUnknown[i] |= bBytes.unknown[at];
        }
}

/// C += A B, blocks of C0 along k one after the other, each summed up for itself.
template <typename W> void multiply(const Factors<W> &factors, Bytes c, const MatrixProduct &product, uint32_t c0)
{
    const uint32_t m = product.m, n = product.n, k = product.k, rows = up(m, 16);
    for (uint32_t block = 0; block < n; block += 16)
        for (uint32_t i = 0; i < m; ++i) {
            uint8_t *at = c.data + (int64_t(block) * rows + i * 16) * 4;
            W sums[16];
            memcpy(sums, at, sizeof(sums));
            for (uint32_t first = 0; first < k; first += c0) {
                W part[16] = {};
                uint32_t last = first + c0 < k ? first + c0 : k;
                for (uint32_t j = first; j < last; ++j) {
                    W factor = factors.a[size_t(i) * k + j];
                    const W *row = factors.b.items + size_t(j) * factors.columns + block;
                    for (int x = 0; x < 16; ++x) part[x] += factor * row[x];
                }
                for (int x = 0; x < 16; ++x) sums[x] = added(sums[x], part[x]);
            }
            uint32_t valid = n - block < 16 ? n - block : 16;
            memcpy(at, sums, valid * 4);
            uint8_t *unknown = c.unknown + (at - c.data);
            for (uint32_t x = 0; x < valid; ++x)
                if (factors.rowUnknown[i] | factors.columnUnknown[block + x]) memset(unknown + x * 4, 0xff, 4);
        }
}

/// What C holds before a product is added.
void startWith(const Local &dst, Bytes c, const Local *bias, const MatrixProduct &product)
{
    const uint32_t m = product.m, n = product.n, rows = up(m, 16);
    Bytes start{};
    bool matrix = bias && bias->memory == Memory::l0c;
    if (bias && !matrix) start = bytesOf(*bias, 0, int64_t(n) * 4, false);
    if (matrix) start = bytesOf(*bias, 0, (int64_t(up(n, 16) / 16 - 1) * rows + m) * 64, false);
    if (bias) {
        requireAligned(*bias, 64, "the bias");
        touchCells(*bias, 0, matrix ? (uint64_t(up(n, 16) / 16 - 1) * rows + m) * 64 : uint64_t(n) * 4, false);
    }
    for (uint32_t block = 0; block < n; block += 16) {
        uint32_t valid = (n - block < 16 ? n - block : 16) * 4;
        int64_t column = int64_t(block) * rows * 4;
        if (!product.unitFlag) touchCells(dst, column, uint64_t(m) * 64, true);
        for (uint32_t i = 0; i < m; ++i) {
            int64_t at = column + i * 64;
            if (bias) {
                memmove(c.data + at, start.data + (matrix ? at : int64_t(block) * 4), valid);
                memmove(c.unknown + at, start.unknown + (matrix ? at : int64_t(block) * 4), valid);
            } else if (product.clears) {
                memset(c.data + at, 0, valid);
                memset(c.unknown + at, 0, valid);
            }
        }
    }
}

template <typename W> void multiplied(const Local &dst, const Local &a, const Local &b, const Local *bias, const MatrixProduct &product)
{
    static Factors<W> factors;
    const uint32_t c0 = 32 / a.width, step = product.wideK && a.type == Type::f32 ? 16 : c0, pitch = up(product.k, step) / c0;
    uint64_t aBytes = product.m == 1 ? uint64_t(product.k) * a.width : uint64_t(up(product.m, 16) / 16) * pitch * kFractal;
    uint64_t bBytes = uint64_t(up(product.k, c0) / c0) * (up(product.n, 16) / 16) * kFractal;
    uint64_t cBytes = (uint64_t(up(product.n, 16) / 16 - 1) * up(product.m, 16) + product.m) * 64;
    Bytes from = bytesOf(a, 0, int64_t(aBytes), false), other = bytesOf(b, 0, int64_t(bBytes), false), to = bytesOf(dst, 0, int64_t(cBytes), true);
    touchCells(a, 0, aBytes, false);
    touchCells(b, 0, bBytes, false);
    read(factors, a, b, from, other, product, pitch);
    startWith(dst, to, bias, product);
    multiply(factors, to, product, c0);
}

}

void mmad(const Local &dst, const Local &a, const Local &b, const Local *bias, const MatrixProduct &product)
{
    if (!product.m || !product.n || !product.k) return;
    bool whole = dst.type == Type::i32;
    if (a.type == Type::int4 || b.type == Type::int4) notExecuted("Mmad of int4b_t");
    if (dst.type == Type::f16) notExecuted("Mmad into half");
    if (a.width != b.width || (whole ? a.width != 1 : a.type != Type::f16 && a.type != Type::bf16 && a.type != Type::f32)) notExecuted("Mmad of these element types");
    issue(M);
    requireAligned(a, 512, "the left matrix");
    requireAligned(b, 512, "the right matrix");
    requireAligned(dst, 64, "the destination");
    if (product.m > 4095 || product.n > 4095 || product.k > 4095)
        report(Tier::error, "matrix-size", {}, "Mmad takes m, n and k up to 4095; these are %u, %u and %u", product.m, product.n, product.k);
    Local table(dst.type, 4);
    if (!bias && product.fromTable) { // the bias table from its start
        table.memory = Memory::bias;
        bias = &table;
    }
    if (whole) multiplied<int32_t>(dst, a, b, bias, product);
    else multiplied<float>(dst, a, b, bias, product);
}

// --- Loads -----------------------------------------------------------------------------------------------------------

namespace {

/// From the lowest to the highest byte that `count` fractals reach, which start at `first` and are `step` apart.
struct Extent {
    int64_t low, high;
};
Extent extent(int64_t first, uint32_t count, int64_t step, int64_t bytes)
{
    int64_t last = first + int64_t(count - 1) * step;
    return {first < last ? first : last, (first < last ? last : first) + bytes};
}

Bytes bytesAt(const Local &tensor) { return {bankOf(tensor.memory).bytes + tensor.address, unknownOf(tensor)}; }
Global from(const Global &tensor, int64_t bytes)
{
    Global moved = tensor;
    moved.base += bytes;
    return moved;
}

/// The load of fractals from global memory that was issued.
void loadGlobal(const Local &dst, const Global &src, const Fractals &load)
{
    const Global first = from(src, int64_t(load.start) * kFractal);
    const Rows rows{load.count, kFractal, load.srcStep * kFractal, load.dstStep * kFractal};
    for (uint32_t i = 0; i < load.count; ++i) touchCells(dst, i * rows.dstStep, kFractal, true);
    passGlobal(first, rows, rows.srcStep, false);
    carry(true, dst, first, rows, rows.dstStep, [=] {
        Bytes to = bytesAt(dst);
        for (uint32_t i = 0; i < rows.count; ++i) fetch(to.data + i * rows.dstStep, to.unknown + i * rows.dstStep, first.base + i * rows.srcStep, kFractal);
    });
}

void transposed(Bytes to, int64_t toAt, Bytes from, int64_t fromAt, uint32_t width)
{
    for (uint32_t i = 0; i < 16; ++i)
        for (uint32_t j = 0; j < 16; ++j) move(to, toAt + (i * 16 + j) * width, from, fromAt + (j * 16 + i) * width, width);
}

}

void loadFractals(const Local &dst, const Local *src, const Global *globalSrc, const Fractals &load)
{
    if (!load.count) return;
    issue(globalSrc ? MTE2 : MTE1);
    requireFractal(dst);
    if (load.transposes && (dst.width != 2 || globalSrc || dst.memory == Memory::l1)) notExecuted("a transposing LoadData other than of 16 bits from L1 to L0");
    Extent in = extent(int64_t(load.start) * kFractal, load.count, load.srcStep * kFractal, kFractal), out = extent(0, load.count, load.dstStep * kFractal, kFractal);
    Bytes from{}, to = bytesOf(dst, out.low, out.high, true);
    if (src) {
        requireAligned(*src, 32, "the source");
        from = bytesOf(*src, in.low, in.high, false);
    }
    if (globalSrc) {
        loadGlobal(dst, *globalSrc, load);
        return;
    }
    for (uint32_t i = 0; i < load.count; ++i) {
        int64_t a = (int64_t(load.start) + i * load.srcStep) * kFractal, b = int64_t(i) * load.dstStep * kFractal;
        touchCells(dst, b, kFractal, true);
        touchCells(*src, a, kFractal, false);
        if (load.transposes) transposed(to, b, from, a, 2);
        else move(to, b, from, a, kFractal);
    }
}

void loadSquares(const Local &dst, const Local &src, const Squares &load)
{
    if (!load.count) return;
    if (dst.type == Type::int4 || (dst.width != 1 && dst.width != 2 && dst.width != 4)) notExecuted("LoadDataWithTranspose of this element type");
    issue(MTE1);
    requireFractal(dst);
    requireAligned(src, 32, "the source");
    const uint32_t w = dst.width, fractals = w == 2 ? 1 : 2, side = w == 1 ? 32 : 16, c0 = 32 / w;
    const int64_t square = fractals * kFractal;
    Extent in = extent(int64_t(load.start) * square, load.count, load.srcStep * square, square);
    Extent out = extent(0, load.count, load.dstStep * kFractal, int64_t(fractals - 1) * load.dstFractalStep * kFractal + kFractal);
    Bytes from = bytesOf(src, in.low, in.high, false), to = bytesOf(dst, out.low, out.high, true);
    // Where row r and column c of a square lie: fractals stand below each other for 8 bits, beside each other for 32.
    auto fractalOf = [&](uint32_t r, uint32_t c) { return w == 1 ? r / 16 : c / c0; };
    auto insideOf = [&](uint32_t r, uint32_t c) { return int64_t((r % 16) * c0 + c % c0) * w; };
    for (uint32_t i = 0; i < load.count; ++i) {
        int64_t a = (int64_t(load.start) + i * load.srcStep) * square, b = int64_t(i) * load.dstStep * kFractal;
        touchCells(src, a, uint64_t(square), false);
        for (uint32_t f = 0; f < fractals; ++f) touchCells(dst, b + int64_t(f) * load.dstFractalStep * kFractal, kFractal, true);
        for (uint32_t r = 0; r < side; ++r)
            for (uint32_t c = 0; c < side; ++c)
                move(to, b + fractalOf(r, c) * load.dstFractalStep * kFractal + insideOf(r, c), from, a + fractalOf(c, r) * kFractal + insideOf(c, r), w);
    }
}

void loadImage(const Local &dst, const Local &src, const Image &given)
{
    Image image = given;
    const CubeUnit &unit = core->unit;
    if (!image.setsSize) {
        image.height = unit.height;
        image.width = unit.width;
        memcpy(image.padding, unit.padding, 4);
    }
    if (!image.setsPadding) image.padValue = unit.padValue;
    const uint32_t w = dst.width, c0 = 32 / w;
    if (!image.height || !image.width || !image.channels || !image.kCount || !image.mCount || !image.filterWidth || !image.filterHeight || !image.strideWidth || !image.strideHeight) return;
    bool right = dst.memory == Memory::l0b, turned = right || image.transposes;
    if (dst.type == Type::int4 || (turned && w == 1) || w > 4) notExecuted("LoadData of an image of this element type");
    if (image.channels % c0) notExecuted("LoadData of an image whose channels do not fill blocks of 32 bytes");
    if (unit.repeats > 1) notExecuted("LoadData of an image with SetLoadDataRepeat");
    issue(MTE1);
    requireFractal(dst);
    requireAligned(src, 32, "the source");
    const int64_t tall = int64_t(image.height) + image.padding[2] + image.padding[3] - int64_t(image.dilationHeight) * (image.filterHeight - 1) - 1;
    const int64_t broad = int64_t(image.width) + image.padding[0] + image.padding[1] - int64_t(image.dilationWidth) * (image.filterWidth - 1) - 1;
    const int64_t outHeight = tall < 0 ? 0 : tall / image.strideHeight + 1, outWidth = broad < 0 ? 0 : broad / image.strideWidth + 1;
    const uint32_t taps = image.filterWidth * image.filterHeight, k = image.kCount, m = image.mCount;
    // Left as it is: rows of fractals. Turned on the left: the same of the transposed. On the right: rows of transposed ones.
    const uint32_t pitch = right ? up(k, 16) / 16 : turned ? up(m, w == 4 ? 16 : c0) / c0 : up(k, c0) / c0;
    const uint32_t lines = right ? up(m, c0) / c0 : turned ? up(k, 16) / 16 : up(m, 16) / 16;
    const uint64_t bytes = uint64_t(lines) * pitch * kFractal;
    const int64_t plane = int64_t(image.height) * image.width * 32;
    // Turned fractals of 32-bit elements come in pairs: what the second one has beyond the image is nobody's.
    const uint64_t asked = uint64_t(up(k, right ? c0 : 16)) * up(m, turned ? c0 : 16) * w;
    Local room = dst;
    if (turned && room.end && bytes > asked) room.end += uint32_t(bytes - asked);
    Bytes to = bytesOf(room, 0, int64_t(bytes), true), from = bytesOf(src, 0, int64_t(image.channels / c0) * plane, false);
    touchCells(dst, 0, bytes, true);
    memset(to.data, 0xff, bytes);
    memset(to.unknown, 0xff, bytes);
    for (uint32_t i = 0; i < m; ++i)
        for (uint32_t j = 0; j < k; ++j) {
            const int64_t row = int64_t(image.mStart) + i, column = int64_t(image.kStart) + j, tap = column / c0 % taps, c1 = column / c0 / taps;
            if (row >= outHeight * outWidth || c1 >= image.channels / c0) continue;
            const int64_t y = row / outWidth * image.strideHeight - image.padding[2] + tap / image.filterWidth * image.dilationHeight;
            const int64_t x = row % outWidth * image.strideWidth - image.padding[0] + tap % image.filterWidth * image.dilationWidth;
            int64_t at = right ? (int64_t(i / c0) * pitch + j / 16) * 16 * c0 + (j % 16) * c0 + i % c0
                : turned ? (int64_t(j / 16) * pitch + i / c0) * 16 * c0 + (j % 16) * c0 + i % c0
                         : (int64_t(i / 16) * pitch + j / c0) * 16 * c0 + (i % 16) * c0 + j % c0;
            at *= w;
            if (y < 0 || y >= image.height || x < 0 || x >= image.width) {
                memcpy(to.data + at, &image.padValue, w);
                memset(to.unknown + at, 0, w);
                continue;
            }
            const int64_t block = c1 * plane + (y * image.width + x) * 32;
            if (column % c0 == 0 || j == 0) touchCells(src, block, 32, false);
            move(to, at, from, block + column % c0 * w, w);
        }
}

void fillFractals(const Local &dst, uint32_t repeats, uint32_t blocks, uint32_t gap, uint64_t bits)
{
    if (!repeats || !blocks) return;
    issue(dst.memory == Memory::l1 ? MTE2 : MTE1);
    settlePipe();
    requireFractal(dst);
    const int64_t unit = dst.memory == Memory::l1 ? 32 : kFractal, step = (int64_t(blocks) + gap) * unit;
    Bytes to = bytesOf(dst, 0, (repeats - 1) * step + blocks * unit, true);
    for (uint32_t i = 0; i < repeats; ++i) {
        touchCells(dst, i * step, uint64_t(blocks * unit), true);
        for (int64_t at = i * step; at < i * step + blocks * unit; at += dst.width) memcpy(to.data + at, &bits, dst.width);
        memset(to.unknown + i * step, 0, size_t(blocks * unit));
    }
}

void setImage(uint16_t height, uint16_t width, const uint8_t *padding)
{
    core->unit.height = height;
    core->unit.width = width;
    memcpy(core->unit.padding, padding, 4);
}
void setImagePadding(uint64_t bits) { core->unit.padValue = bits; }
void setImageRepeats(uint32_t repeats) { core->unit.repeats = repeats; }
void setShortFloats(bool on) { core->unit.shortFloats = on; }
void setShortFloatRounding(bool towardsZero) { core->unit.towardsZero = towardsZero; }

// --- Copies into L1 and the tables -----------------------------------------------------------------------------------

namespace {

/// Calls `use` with the offset of each row of blocks in a matrix's fractals.
template <typename F> void eachRow(const RowsToFractals &copy, uint32_t width, const F &use)
{
    for (uint32_t i = 0; i < copy.matrices; ++i)
        for (uint32_t r = 0; r < copy.rows; ++r) use(i, r, int64_t(i) * copy.dstMatrixStep * width + int64_t(r) * copy.dstRowStep * 32);
}

void moveRowsToFractals(const Local &dst, const Global &src, const RowsToFractals &copy)
{
    const uint32_t w = dst.width, c0 = 32 / w, blocks = (copy.columns + c0 - 1) / c0;
    const Bytes to = bytesAt(dst);
    static Array<uint8_t> row, unknown;
    row.resize(size_t(blocks) * 32);
    unknown.resize(size_t(blocks) * 32);
    eachRow(copy, w, [&](uint32_t i, uint32_t r, int64_t at) {
        // The last block is filled up with zeros: both stay so past the row's end.
        fetch(row.items, unknown.items, src.base + (int64_t(i) * copy.srcMatrixStep + int64_t(r) * copy.srcRowStep) * w, uint64_t(copy.columns) * w);
        for (uint32_t b = 0; b < blocks; ++b) move(to, at + int64_t(b) * copy.dstBlockStep * 32, {row.items, unknown.items}, int64_t(b) * 32, 32);
    });
}

}

void copyRowsToFractals(const Local &dst, const Global &src, const RowsToFractals &copy)
{
    if (!copy.matrices || !copy.rows || !copy.columns || lacks(dst)) return;
    if (dst.type == Type::int4) notExecuted("DataCopy of int4b_t into fractals");
    issue(MTE2);
    requireAligned(dst, 32, "the destination");
    const int64_t w = dst.width, c0 = 32 / w, blocks = (copy.columns + c0 - 1) / c0, blockStep = int64_t(copy.dstBlockStep) * 32;
    begin(dst, 0, int64_t(copy.matrices - 1) * copy.dstMatrixStep * w + (blocks - 1) * blockStep + int64_t(copy.rows - 1) * copy.dstRowStep * 32 + 32, true);
    eachRow(copy, dst.width, [&](uint32_t, uint32_t, int64_t at) {
        for (int64_t b = 0; b < blocks; ++b) touchCells(dst, at + b * blockStep, 32, true);
    });
    const Rows rows{copy.rows, uint64_t(copy.columns) * dst.width, copy.srcRowStep * w, int64_t(copy.dstRowStep) * 32};
    for (uint32_t i = 0; i < copy.matrices; ++i) passGlobal(from(src, int64_t(i) * copy.srcMatrixStep * w), rows, rows.srcStep, false);
    carry(true, dst, src, rows, rows.dstStep, [=] { moveRowsToFractals(dst, src, copy); });
}

void copyToTable(const Local &dst, const Local &src, uint32_t count, uint32_t length, uint32_t srcGap, uint32_t dstGap)
{
    if (!count || !length || lacks(dst)) return;
    bool bias = dst.memory == Memory::bias, widens = bias && src.type == Type::f16 && dst.width == 4;
    issue(bias ? MTE1 : FIX);
    settlePipe();
    requireAligned(src, 32, "the source");
    requireAligned(dst, bias ? 64 : 128, "the destination");
    // A bias table has gaps, the fixpipe buffer's steps are from start to start.
    const int64_t unit = bias ? 64 : 128;
    // Which side's bytes are counted where halves become floats is not documented: the source's, as far as both tensors
    // have room for it, and at least what it comes to with the destination's.
    int64_t halves = int64_t(length) * 32, room = src.count < dst.count ? src.count : dst.count;
    if (halves > room) halves = room > halves / 2 ? room : halves / 2;
    const int64_t inBytes = widens ? halves * 2 : length * unit, bytes = widens ? halves * 4 : length * unit;
    const int64_t inStep = bias ? inBytes + srcGap * 32 : srcGap * 32, outStep = bias ? bytes + dstGap * unit : dstGap * unit;
    Bytes from = bytesOf(src, 0, (count - 1) * inStep + inBytes, false), to = bytesOf(dst, 0, (count - 1) * outStep + bytes, true);
    for (uint32_t i = 0; i < count; ++i) {
        int64_t a = i * inStep, b = i * outStep;
        if (bias) { // which unit fills the fixpipe buffer is not documented
            touchCells(src, a, uint64_t(inBytes), false);
            touchCells(dst, b, uint64_t(bytes), true);
        }
        if (!widens) {
            move(to, b, from, a, uint64_t(bytes));
            continue;
        }
        for (int64_t x = 0; x < inBytes / 2; ++x) {
            float value = element<float>(Type::f16, from.data + a + x * 2);
            memcpy(to.data + b + x * 4, &value, 4);
            memset(to.unknown + b + x * 4, from.unknown[a + x * 2], 4);
        }
    }
}

// --- The way out of L0C ----------------------------------------------------------------------------------------------

namespace {

enum Quant : int { NoQuant, F322F16, F322BF16, DEQF16, VDEQF16, QF322B8, VQF322B8, REQ8, VREQ8 };

/// Which type a mode makes of which; other where it is none of these chips'.
bool fits(int mode, Type from, Type to)
{
    bool byte = to == Type::i8 || to == Type::u8;
    switch (mode) {
    case NoQuant: return from == to;
    case F322F16: return from == Type::f32 && to == Type::f16;
    case F322BF16: return from == Type::f32 && to == Type::bf16;
    case DEQF16: case VDEQF16: return from == Type::i32 && to == Type::f16;
    case QF322B8: case VQF322B8: return from == Type::f32 && byte;
    case REQ8: case VREQ8: return from == Type::i32 && byte;
    default: return false;
    }
}

/// One element as it leaves, in the bytes of `to`.
void leave(const Drain &drain, Type from, Type to, const uint8_t *at, uint64_t parameter, uint8_t *out)
{
    int32_t whole = 0;
    float value = 0;
    if (from == Type::i32) memcpy(&whole, at, 4);
    else memcpy(&value, at, 4);
    if (drain.quant == NoQuant) {
        if (from == Type::i32) {
            if (drain.relu && whole < 0) whole = 0;
            memcpy(out, &whole, 4);
        } else {
            if (drain.relu && value < 0) value = 0;
            memcpy(out, &value, 4);
        }
        return;
    }
    if (drain.quant > F322BF16) {
        if (from == Type::i32) {
            if (parameter >> 36 & 1) {
                int64_t shifted = int64_t(whole) >> ((parameter >> 32 & 15) + 1);
                whole = int32_t(shifted > INT16_MAX ? INT16_MAX : shifted < INT16_MIN ? INT16_MIN : shifted);
            }
            value = float(whole);
        }
        uint32_t bits = uint32_t(parameter) & ~0x1fffu; // ten bits of its mantissa count
        float factor;
        memcpy(&factor, &bits, 4);
        value *= value < 0 && drain.relu ? 0 : factor;
    } else if (drain.relu && value < 0) value = 0;
    if (to == Type::f16) {
        _Float16 half = _Float16(value);
        memcpy(out, &half, 2);
    } else if (to == Type::bf16) {
        Bf16 half = toBf16(value);
        memcpy(out, &half, 2);
    } else {
        value = value < -256 ? -256 : value > 255 ? 255 : value;
        int32_t offset = int32_t(parameter >> 37 & 0x1ff);
        if (offset & 0x100) offset -= 0x200;
        bool sign = parameter >> 46 & 1;
        int32_t result = (value == value ? int32_t(__builtin_rintf(value)) : 0) + offset, low = sign ? -128 : 0, high = sign ? 127 : 255;
        *out = uint8_t(result < low ? low : result > high ? high : result);
    }
}

/// Where what leaves L0C goes: rows of bytes at offsets of a tensor.
struct Target {
    const Local *local;
    const Global *global;
    void put(int64_t at, const uint8_t *data, const uint8_t *unknown, uint64_t bytes) const
    {
        if (global) {
            store(global->base + at, data, unknown, bytes);
            return;
        }
        uint8_t *to = touch(*local, at, bytes, true);
        memcpy(to, data, bytes);
        memcpy(unknownOf(*local) + at, unknown, bytes);
    }
};

}

namespace {

/// What leaves L0C, with the parameters of its columns where it has some.
struct Draining {
    Local src, parameters;
    bool columns;
    Type to;
    Drain drain;
};

/// How many elements of a row a fractal takes.
uint32_t fractalWidth(const Drain &drain, uint32_t width) { return width == 1 ? 32 : drain.splits ? 8 : 16; }
/// How many elements a row of fractals has in all.
uint32_t fractalColumns(const Drain &drain) { return drain.splits ? up(drain.n, 8) : up(drain.n, 16); }

void drained(const Draining &one, const Target &target)
{
    const Drain &drain = one.drain;
    const uint32_t w = widthOf(one.to), blocks = (drain.n + 15) / 16, width = fractalWidth(drain, w);
    const int64_t pitch = int64_t(drain.srcStride) * 64;
    const Bytes from = bytesAt(one.src), factor = one.columns ? bytesAt(one.parameters) : Bytes{};
    static Array<uint8_t> row, unknown;
    row.resize(size_t(blocks) * 16 * w);
    unknown.resize(size_t(blocks) * 16 * w);
    for (uint32_t i = 0; i < drain.matrices; ++i)
        for (uint32_t j = 0; j < drain.m; ++j) {
            for (uint32_t c = 0; c < blocks * 16; ++c) {
                int64_t at = int64_t(i) * drain.srcMatrixStep * 1024 + (c / 16) * pitch + j * 64 + (c % 16) * 4;
                uint64_t parameter = drain.scalar;
                bool lost = anyUnknown(from.unknown + at, 4);
                if (one.columns && c < drain.n) {
                    memcpy(&parameter, factor.data + c * 8, 8);
                    lost = lost || anyUnknown(factor.unknown + c * 8, 8);
                }
                leave(drain, one.src.type, one.to, from.data + at, parameter, row.items + c * w);
                // What fractals carry beside the matrix is nobody's.
                memset(unknown.items + c * w, lost && c < drain.n ? 0xff : 0, w);
            }
            if (drain.rows) {
                target.put((int64_t(i) * drain.dstMatrixStep + int64_t(j) * drain.dstStride) * w, row.items, unknown.items, uint64_t(drain.n) * w);
                continue;
            }
            uint32_t all = fractalColumns(drain);
            for (uint32_t c = 0; c < all; c += width) {
                uint32_t here = all - c < width ? all - c : width; // an odd last block of bytes stays 16 wide
                target.put(int64_t(c / width) * drain.dstStride * 32 + int64_t(j) * here * w, row.items + c * w, unknown.items + c * w, uint64_t(here) * w);
            }
        }
}

/// The use of global memory by what leaves L0C.
void passDrained(const Global &target, Type to, const Drain &drain)
{
    const int64_t w = widthOf(to), width = fractalWidth(drain, widthOf(to)), all = fractalColumns(drain), step = drain.rows ? drain.dstStride * w : int64_t(drain.dstStride) * 32;
    if (drain.rows) {
        for (uint32_t i = 0; i < drain.matrices; ++i) passGlobal(from(target, int64_t(i) * drain.dstMatrixStep * w), {drain.m, uint64_t(drain.n * w), 0, step}, step, true);
        return;
    }
    const int64_t whole = all / width;
    if (whole) passGlobal(target, {uint32_t(whole), uint64_t(drain.m * width * w), 0, step}, step, true);
    if (all % width) passGlobal(from(target, whole * step), {1, uint64_t(drain.m * (all % width) * w), 0, 0}, 0, true);
}

}

void fixpipe(const Local *local, const Global *global, Type to, const Local &src, const Local *parameters, const Drain &drain)
{
    if (!drain.m || !drain.n || !drain.matrices) return;
    if (local && local->memory == Memory::ub) notExecuted("Fixpipe into the unified buffer, which these chips do not have");
    issue(FIX);
    requireAligned(src, 64, "the source");
    if (local) requireAligned(*local, 32, "the destination");
    if (!fits(drain.quant, src.type, to)) {
        if (drain.quant > VREQ8) notExecuted("a quantisation of Ascend 950");
        report(Tier::error, "fixpipe-type", {}, "quantPre does not make %s of %s: it has to be set, the types of the tensors do not choose it", typeName(to), typeName(src.type));
        stop();
    }
    bool columns = drain.quant == VDEQF16 || drain.quant == VQF322B8 || drain.quant == VREQ8;
    if (columns && !parameters) parameters = core->unit.hasFixParameters ? &core->unit.fixParameters : nullptr;
    if (columns && !parameters) notExecuted("a quantisation by a tensor that is not given");
    const uint32_t blocks = (drain.n + 15) / 16;
    const int64_t pitch = int64_t(drain.srcStride) * 64;
    bytesOf(src, 0, int64_t(drain.matrices - 1) * drain.srcMatrixStep * 1024 + (blocks - 1) * pitch + int64_t(drain.m) * 64, false);
    for (uint32_t i = 0; i < drain.matrices; ++i)
        for (uint32_t b = 0; b < blocks && !drain.unitFlag; ++b) touchCells(src, int64_t(i) * drain.srcMatrixStep * 1024 + b * pitch, uint64_t(drain.m) * 64, false);
    if (columns) bytesOf(*parameters, 0, int64_t(drain.n) * 8, false);
    const Draining draining{src, columns ? *parameters : src, columns, to, drain};
    if (local) {
        settlePipe();
        drained(draining, {local, nullptr});
        return;
    }
    passDrained(*global, to, drain);
    const Global target = *global;
    // What the unit flag guards is over before the next Mmad there, with nothing else to say so.
    if (drain.unitFlag) {
        settlePipe();
        drained(draining, {nullptr, global});
    } else
        carry(false, src, *global, {blocks, uint64_t(drain.m) * 64, pitch, 0}, pitch, [=] { drained(draining, {nullptr, &target}); });
}

void setFixParameters(const Local &tensor)
{
    core->unit.fixParameters = tensor;
    core->unit.hasFixParameters = true;
}
void setFixScalar(uint64_t bits) { core->unit.fixScalar = bits; }
void setFixMatrices(uint32_t matrices, uint32_t srcStep, uint32_t dstStep)
{
    core->unit.matrices = matrices;
    core->unit.srcMatrixStep = srcStep;
    core->unit.dstMatrixStep = dstStep;
}
void withFixSettings(Drain &drain)
{
    drain.scalar = core->unit.fixScalar;
    if (!drain.rows) return;
    drain.matrices = core->unit.matrices;
    drain.srcMatrixStep = core->unit.srcMatrixStep;
    drain.dstMatrixStep = core->unit.dstMatrixStep;
}

}
