// Reductions, and what moves elements about within the unified buffer.
//
// A sum is a binary tree of neighbours within a repeat, rounded to the element type at every step; how repeats are added
// is said at each function.
#include "vector.h"

namespace kgtwin {

namespace {

/// Of `count` values, a power of two, the sum by pairs of neighbours. Destroys the values.
double tree(double *values, uint32_t count, Type type)
{
    for (; count > 1; count /= 2)
        for (uint32_t i = 0; i < count / 2; ++i) values[i] = rounded(values[2 * i] + values[2 * i + 1], type);
    return values[0];
}

/// One repeat's elements: identities where the mask leaves them out.
struct Repeat {
    double values[128];
    bool present[128];
    bool unknown[128];
    uint32_t size = 0;
    /// Whether one of `count` elements from `first` on was never given a value.
    bool anyUnknown(uint32_t first, uint32_t count) const { return memchr(unknown + first, true, count); }
};

/// Calls `each(number, repeat)` for every repeat of the runs, whose second operand is the source.
template <typename Each> void overRepeats(const Operand &src, Type type, Each each)
{
    uint32_t inRepeat = 256 / src.width;
    Repeat repeat;
    repeat.size = inRepeat;
    int64_t number = -1;
    auto flush = [&] {
        if (number >= 0) each(uint64_t(number), repeat);
    };
    for (const Run &run : runs)
        for (uint64_t i = 0; i < run.count; ++i) {
            int64_t element = run.at[3] + int64_t(i);
            if (element / inRepeat != number) {
                flush();
                number = element / inRepeat;
                memset(repeat.values, 0, sizeof(repeat.values));
                memset(repeat.present, 0, sizeof(repeat.present));
                memset(repeat.unknown, 0, sizeof(repeat.unknown));
            }
            int64_t at = run.at[1] + int64_t(i) * src.width;
            repeat.values[element % inRepeat] = valueAt(src.base + at, type);
            repeat.present[element % inRepeat] = true;
            repeat.unknown[element % inRepeat] = anyUnknown(src.unknown + at, src.width);
        }
    flush();
}

bool better(Reduction kind, double a, double b) { return kind == Reduction::max ? a > b : a < b; }

/// The best of a repeat's elements, the first of equals.
uint32_t best(Reduction kind, const Repeat &repeat)
{
    int64_t found = -1;
    for (uint32_t i = 0; i < repeat.size; ++i)
        if (repeat.present[i] && (found < 0 || better(kind, repeat.values[i], repeat.values[found]))) found = i;
    return found < 0 ? 0 : uint32_t(found);
}

void putBits(uint8_t *at, uint8_t width, uint64_t bits) { memcpy(at, &bits, width); }

Operand source(const Local &src, const Shape &shape)
{
    uint8_t widths[3] = {0, src.width, 0};
    makeRuns(shape, widths);
    issue(V);
    requireAligned(src, 32, "the source");
    return open(src, 1, false);
}

}

namespace {

void requireWork(const Local &work, uint64_t bytes)
{
    uint64_t room = roomOf(work);
    if (room < bytes)
        report(Tier::warning, "work-buffer", {originOf(work), "the buffer gets its length here"}, "the work buffer has %llu bytes from here, and %llu are asked for", static_cast<unsigned long long>(room), static_cast<unsigned long long>(bytes));
}

/// The bytes of the rounds that lead to a value and its index, which are all kept: each in whole blocks.
uint64_t roundsOf(uint64_t repeats, uint32_t width)
{
    uint64_t bytes = 0, pairs = repeats, inRepeat = 256 / width;
    for (;;) {
        bytes += (2 * pairs * width + 31) / 32 * 32;
        if (pairs == 1) return bytes;
        pairs = (2 * pairs + inRepeat - 1) / inRepeat;
    }
}

}

/// All elements to one. A count form adds repeats one after the other, a form with strides adds them by a tree as well.
void reduce(Reduction kind, const Local &dst, const Local &src, const Local &work, const Shape &shape, bool index)
{
    Operand from = source(src, shape);
    if (!runs.size) return;
    double total = 0;
    bool first = true, unknown = false;
    uint64_t place = 0, repeats = 0;
    uint32_t inRepeat = 256 / src.width;
    static double sums[256];
    bool byTree = kind == Reduction::sum && shape.count < 0;
    overRepeats(from, src.type, [&](uint64_t number, Repeat &repeat) {
        unknown = unknown || repeat.anyUnknown(0, repeat.size);
        ++repeats;
        if (kind == Reduction::sum) {
            double sum = tree(repeat.values, repeat.size, src.type);
            if (byTree && number < 256) sums[number] = sum;
            total = first ? sum : rounded(total + sum, src.type);
        } else {
            uint32_t i = best(kind, repeat);
            if (first || better(kind, repeat.values[i], total)) {
                total = repeat.values[i];
                place = number * inRepeat + i;
            }
        }
        first = false;
    });
    if (byTree && repeats > 1) {
        uint32_t room = 1;
        while (room < repeats) room *= 2;
        for (uint64_t i = repeats; i < room && i < 256; ++i) sums[i] = 0;
        total = tree(sums, room > 256 ? 256 : room, src.type);
    }
    if (kind == Reduction::sum && !byTree) {
        // Not used on this architecture, and wanted by the interface: a block's multiple of an element a repeat.
        requireWork(work, (repeats * src.width + 31) / 32 * 32);
    } else {
        uint64_t needed = kind == Reduction::sum ? repeats * src.width : 2 * repeats * src.width;
        requireAligned(work, 32, "the work buffer");
        touch(work, 0, needed, true);
        memset(unknownOf(work), 0xff, needed);
        if (index) requireWork(work, roundsOf(repeats, src.width));
    }
    uint64_t bytes = index ? 2u * dst.width : dst.width;
    requireAligned(dst, uint32_t(bytes), "the destination");
    uint8_t *to = touch(dst, 0, bytes, true);
    putValue(to, dst.type, total);
    if (index) putBits(to + dst.width, dst.width, place);
    memset(unknownOf(dst), unknown ? 0xff : 0, bytes);
    core->lastValue = total;
    core->lastIndex = place;
    if (kind == Reduction::sum) core->lastSum = total;
}

/// Each repeat to one element, or to a value and its index in the repeat.
void reduceRepeats(Reduction kind, const Local &dst, const Local &src, const Shape &shape, int order)
{
    Operand from = source(src, shape);
    if (!runs.size) return;
    if (order == 3) notExecuted("a reduction of repeats to their indices only");
    bool pair = kind != Reduction::sum && order < 2;
    uint64_t step = uint64_t(shape.step[0]) * (pair ? 2u : 1u) * dst.width, bytes = pair ? 2u * dst.width : dst.width;
    requireAligned(dst, uint32_t(bytes), "the destination");
    overRepeats(from, src.type, [&](uint64_t number, Repeat &repeat) {
        auto at = int64_t(number * step);
        uint8_t *to = touch(dst, at, bytes, true);
        uint32_t i = kind == Reduction::sum ? 0 : best(kind, repeat);
        double value = kind == Reduction::sum ? tree(repeat.values, repeat.size, src.type) : repeat.values[i];
        if (!pair) putValue(to, dst.type, value);
        else {
            putValue(to + (order == 1 ? dst.width : 0), dst.type, value);
            putBits(to + (order == 1 ? 0 : dst.width), dst.width, i);
        }
        memset(unknownOf(dst) + at, repeat.anyUnknown(0, repeat.size) ? 0xff : 0, bytes);
        core->lastValue = value;
        core->lastIndex = i;
        if (kind == Reduction::sum) core->lastSum = value;
    });
}

/// Each 32-byte block to one element; a repeat makes eight neighbours.
void reduceBlocks(Reduction kind, const Local &dst, const Local &src, const Shape &shape)
{
    Operand from = source(src, shape);
    if (!runs.size) return;
    requireAligned(dst, 8u * dst.width, "the destination");
    uint32_t each = 32 / src.width;
    overRepeats(from, src.type, [&](uint64_t number, Repeat &repeat) {
        for (uint32_t block = 0; block < 8; ++block) {
            double *values = repeat.values + block * each;
            bool any = false;
            double value = 0;
            for (uint32_t i = 0; i < each; ++i)
                if (repeat.present[block * each + i]) {
                    if (!any || (kind != Reduction::sum && better(kind, values[i], value))) value = values[i];
                    any = true;
                }
            if (!any) continue;
            if (kind == Reduction::sum) value = tree(values, each, src.type);
            auto at = int64_t((number * shape.step[0] * 8 + block) * dst.width);
            putValue(touch(dst, at, dst.width, true), dst.type, value);
            memset(unknownOf(dst) + at, repeat.anyUnknown(block * each, each) ? 0xff : 0, dst.width);
        }
    });
}

/// Each pair of neighbours to its sum.
void reducePairs(const Local &dst, const Local &src, const Shape &shape)
{
    Operand from = source(src, shape);
    if (!runs.size) return;
    requireAligned(dst, 32, "the destination");
    overRepeats(from, src.type, [&](uint64_t number, Repeat &repeat) {
        for (uint32_t i = 0; i < repeat.size / 2; ++i) {
            if (!repeat.present[2 * i] && !repeat.present[2 * i + 1]) continue;
            auto at = int64_t(number * shape.step[0] * 128 + i * dst.width);
            putValue(touch(dst, at, dst.width, true), dst.type, rounded(repeat.values[2 * i] + repeat.values[2 * i + 1], src.type));
            memset(unknownOf(dst) + at, repeat.anyUnknown(2 * i, 2) ? 0xff : 0, dst.width);
        }
    });
}

void lastReduction(Type type, void *value, void *index)
{
    issue(S);
    if (!index) putValue(static_cast<uint8_t *>(value), type, core->lastSum);
    else {
        putValue(static_cast<uint8_t *>(value), type, core->lastValue);
        putBits(static_cast<uint8_t *>(index), uint8_t(widthOf(type)), core->lastIndex);
    }
}

/// Rows of `length` elements, `pitch` apart, to one element each; `factor` scales it.
void reduceRows(Reduction kind, const Local &dst, const Local &src, uint32_t rows, uint32_t pitch, uint32_t length, float factor)
{
    issue(V);
    for (uint32_t row = 0; row < rows; ++row) {
        auto at = int64_t(row) * pitch * src.width;
        const uint8_t *from = touch(src, at, uint64_t(length) * src.width, false);
        bool unknown = anyUnknown(unknownOf(src) + at, uint64_t(length) * src.width);
        double value = 0;
        for (uint32_t i = 0; i < length; ++i) {
            double one = valueAt(from + uint64_t(i) * src.width, src.type);
            if (kind == Reduction::sum) value += one;
            else if (i == 0 || better(kind, one, value)) value = one;
        }
        auto place = int64_t(row) * dst.width;
        putValue(touch(dst, place, dst.width, true), dst.type, value * double(factor));
        memset(unknownOf(dst) + place, unknown ? 0xff : 0, dst.width);
    }
}

// --- Moving elements -------------------------------------------------------------------------------------------------

namespace {

/// Copies an element and how far it is known.
void move(const Local &dst, int64_t to, const uint8_t *from, const uint8_t *unknown)
{
    memcpy(core->banks[int(dst.memory)].bytes + dst.address + to, from, dst.width);
    memcpy(unknownOf(dst) + to, unknown, dst.width);
}

}

/// Each of eight source elements a repeat fills a block.
void broadcastToBlocks(const Local &dst, const Local &src, uint32_t repeat, uint16_t blockStride, uint16_t repeatStride)
{
    if (!repeat) return;
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    const uint8_t *from = touch(src, 0, uint64_t(repeat) * 8 * src.width, false);
    const uint8_t *shadow = unknownOf(src);
    for (uint32_t i = 0; i < repeat * 8; ++i) {
        auto at = (int64_t(i / 8) * repeatStride + int64_t(i % 8) * blockStride) * 32;
        touch(dst, at, 32, true);
        for (uint32_t k = 0; k < 32u / dst.width; ++k) move(dst, at + k * dst.width, from + uint64_t(i) * src.width, shadow + uint64_t(i) * src.width);
    }
}

/// first, first + difference, ...
void progression(const Local &dst, uint64_t first, uint64_t difference, int64_t count)
{
    if (count <= 0) return;
    issue(V);
    requireAligned(dst, 32, "the destination");
    uint8_t *to = touch(dst, 0, uint64_t(count) * dst.width, true);
    double start = valueAt(reinterpret_cast<const uint8_t *>(&first), dst.type), step = valueAt(reinterpret_cast<const uint8_t *>(&difference), dst.type);
    for (int64_t i = 0; i < count; ++i) putValue(to + i * dst.width, dst.type, start + double(i) * step);
    memset(unknownOf(dst), 0, uint64_t(count) * dst.width);
}

namespace {

/// The offsets of an instruction's elements: they lie one after the other, whatever strides the elements have.
struct Offsets {
    const uint8_t *bytes = nullptr, *unknown = nullptr;
    uint32_t base;

    Offsets(const Local &offsets, uint32_t baseIn) : base(baseIn)
    {
        uint64_t last = 0;
        for (const Run &run : runs)
            if (uint64_t(run.at[3]) + run.count > last) last = uint64_t(run.at[3]) + run.count;
        requireAligned(offsets, 32, "the offsets");
        bytes = touch(offsets, 0, last * 4, false);
        unknown = unknownOf(offsets);
    }
    /// Where element `number` lies, in bytes; -1 where that was never given a value.
    int64_t at(uint64_t number) const
    {
        if (anyUnknown(unknown + number * 4, 4)) {
            report(Tier::error, "uninitialised-offset", {}, "an offset that was never given a value says what is gathered");
            return -1;
        }
        uint32_t offset;
        memcpy(&offset, bytes + number * 4, 4);
        return int64_t(offset) + base;
    }
};

}

void gather(const Local &dst, const Local &src, const Local &offsets, uint32_t base, const Shape &shape)
{
    uint8_t widths[3] = {dst.width, 0, 0};
    makeRuns(shape, widths);
    if (!runs.size) return;
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    Offsets where(offsets, base);
    open(dst, 0, true);
    for (const Run &run : runs)
        for (uint64_t i = 0; i < run.count; ++i) {
            int64_t offset = where.at(uint64_t(run.at[3]) + i);
            if (offset < 0) return;
            if (offset % src.width) report(Tier::error, "gather-offset", {}, "the offset %lld is no multiple of an element's %u bytes", static_cast<long long>(offset), unsigned(src.width));
            const uint8_t *from = touch(src, offset, src.width, false);
            move(dst, run.at[0] + int64_t(i) * dst.width, from, unknownOf(src) + offset);
        }
}

void gatherBlocks(const Local &dst, const Local &src, const Local &offsets, uint32_t repeat, uint16_t blockStride, uint16_t repeatStride)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    requireAligned(offsets, 32, "the offsets");
    const uint8_t *where = touch(offsets, 0, uint64_t(repeat) * 8 * 4, false);
    for (uint32_t i = 0; i < repeat * 8; ++i) {
        if (anyUnknown(unknownOf(offsets) + uint64_t(i) * 4, 4)) {
            report(Tier::error, "uninitialised-offset", {}, "an offset that was never given a value says what is gathered");
            return;
        }
        uint32_t offset;
        memcpy(&offset, where + uint64_t(i) * 4, 4);
        if (offset % 32) report(Tier::error, "gather-offset", {}, "the offset %u is no multiple of a block's 32 bytes", offset);
        auto at = (int64_t(i / 8) * repeatStride + int64_t(i % 8) * blockStride) * 32;
        const uint8_t *from = touch(src, offset, 32, false);
        uint8_t *to = touch(dst, at, 32, true);
        memmove(to, from, 32);
        memmove(unknownOf(dst) + at, unknownOf(src) + offset, 32);
    }
}

void scatter(const Local &dst, const Local &src, const Local &offsets, uint32_t base, const Shape &shape)
{
    uint8_t widths[3] = {0, src.width, 0};
    makeRuns(shape, widths);
    if (!runs.size) return;
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    Operand from = open(src, 1, false);
    Offsets where(offsets, base);
    for (const Run &run : runs)
        for (uint64_t i = 0; i < run.count; ++i) {
            int64_t offset = where.at(uint64_t(run.at[3]) + i), at = run.at[1] + int64_t(i) * src.width;
            if (offset < 0) return;
            touch(dst, offset, dst.width, true);
            move(dst, offset, from.base + at, from.unknown + at);
        }
}

/// Keeps what a pattern selects: bits of a tensor, or one of seven fixed patterns (1: even, 2: odd, 3 to 6: every fourth
/// from the first to the last, 7: all).
uint64_t gatherMask(const Local &dst, const Local &src, const Local *pattern, int fixed, bool counted, uint32_t mask, uint32_t blockStride, uint32_t repeats, uint32_t repeatStride, uint32_t patternStride)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    if (pattern) requireAligned(*pattern, 32, "the pattern");
    uint32_t inRepeat = 256 / src.width, inBlock = 32 / src.width;
    uint32_t each = counted ? mask : inRepeat;
    uint64_t kept = 0;
    bool uncertain = false; // from a bit of the pattern on that was never given a value
    for (uint32_t repeat = 0; repeat < repeats; ++repeat)
        for (uint32_t i = 0; i < each; ++i) {
            bool take = false;
            switch (fixed) {
            case 1: take = i % 2 == 0; break;
            case 2: take = i % 2 == 1; break;
            case 3: case 4: case 5: case 6: take = i % 4 == uint32_t(fixed - 3); break;
            case 7: take = true; break;
            default: break;
            }
            if (pattern) {
                int64_t bits = int64_t(repeat) * patternStride * 32 + i / 8;
                const uint8_t *at = touch(*pattern, bits, 1, false);
                take = *at >> (i % 8) & 1;
                uncertain = uncertain || (unknownOf(*pattern)[bits] >> (i % 8) & 1);
            }
            if (!take) continue;
            int64_t from = int64_t(repeat) * repeatStride * 32 + int64_t(i / inBlock) * blockStride * 32 + int64_t(i % inBlock) * src.width;
            const uint8_t *value = touch(src, from, src.width, false);
            auto to = int64_t(kept++) * dst.width;
            touch(dst, to, dst.width, true);
            move(dst, to, value, unknownOf(src) + from);
            if (uncertain) memset(unknownOf(dst) + to, 0xff, dst.width);
        }
    core->kept = kept;
    core->counting = false;
    core->mask[0] = core->mask[1] = ~0ull;
    return kept;
}
uint64_t gatherMaskCount() { return core->kept; }

/// 16 x 16 elements of 16 bits.
void transposeBlock(const Local &dst, const Local &src)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    uint8_t values[512], unknown[512];
    memcpy(values, touch(src, 0, 512, false), 512);
    memcpy(unknown, unknownOf(src), 512);
    touch(dst, 0, 512, true);
    for (int row = 0; row < 16; ++row)
        for (int column = 0; column < 16; ++column) move(dst, (row * 16 + column) * 2, values + (column * 16 + row) * 2, unknown + (column * 16 + row) * 2);
}

/// 16 rows of a block each, transposed; a repeat goes to the next blocks. Elements of 32 bits make two squares of 8,
/// those of 8 bits fill half a block.
void transposeRows(const Local *dst, const Local *src, bool dstHigh, bool srcHigh, uint32_t repeats, uint32_t dstStride, uint32_t srcStride)
{
    issue(V);
    uint8_t width = src[0].width;
    if (width != 1 && width != 2 && width != 4) notExecuted("TransDataTo5HD of this element type");
    for (int row = 0; row < 16; ++row) {
        requireAligned(dst[row], 32, "a destination");
        requireAligned(src[row], 32, "a source");
    }
    for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
        // One repeat alone starts a stride further, as documented.
        auto step = int64_t(repeats == 1 ? 1 : repeat);
        auto from = step * srcStride * 32, to = step * dstStride * 32;
        uint8_t values[16][32], unknown[16][32];
        for (int row = 0; row < 16; ++row) {
            memcpy(values[row], touch(src[row], from, 32, false), 32);
            memcpy(unknown[row], unknownOf(src[row]) + from, 32);
        }
        for (int row = 0; row < 16; ++row) touch(dst[row], to, 32, true);
        uint32_t columns = width == 4 ? 8 : 16;
        for (uint32_t column = 0; column < columns; ++column)
            for (uint32_t row = 0; row < 16; ++row) {
                uint32_t at = column * width + (width == 1 && srcHigh ? 16 : 0);
                int64_t target;
                uint32_t which;
                if (width == 4) {
                    // 16 x 8 becomes 8 x 16: two blocks a row.
                    which = column * 2 + row / 8;
                    target = int64_t(row % 8) * 4;
                } else {
                    which = column;
                    target = int64_t(row) * width + (width == 1 && dstHigh ? 16 : 0);
                }
                move(dst[which], to + target, values[row] + at, unknown[row] + at);
            }
    }
}

Local localAt(uint64_t address, Type type, uint8_t width)
{
    Local tensor(type, width);
    for (int i = 1; i < int(Memory::COUNT); ++i) {
        Bank &bank = core->banks[i];
        auto base = reinterpret_cast<uint64_t>(bank.bytes);
        if (bank.bytes && address >= base && address < base + bank.size) {
            tensor.memory = Memory(i);
            tensor.address = uint32_t(address - base);
            tensor.count = (bank.size - tensor.address) / width;
        }
    }
    return tensor;
}

void fillAddress(uint64_t dst, Type type, uint8_t width, uint64_t value, int64_t count) { elementwise(Op::duplicate, localAt(dst, type, width), nullptr, nullptr, value, counted(count)); }

/// The intrinsic: a repeat's sum, under the mask that is set; without a destination the sum of all, for GetAccVal.
void sumRepeatsAt(void *dst, const void *src, Type type, uint8_t width, uint32_t repeats, uint32_t dstStep, uint32_t srcBlock, uint32_t srcStep)
{
    Shape shape;
    shape.repeat = repeats;
    shape.step[0] = uint16_t(dstStep);
    shape.block[1] = uint16_t(srcBlock);
    shape.step[1] = uint16_t(srcStep);
    if (!dst) {
        Operand from = source(localAt(reinterpret_cast<uint64_t>(src), type, width), shape);
        core->lastSum = 0;
        overRepeats(from, type, [&](uint64_t, Repeat &repeat) { core->lastSum = rounded(core->lastSum + tree(repeat.values, repeat.size, type), type); });
        return;
    }
    reduceRepeats(Reduction::sum, localAt(reinterpret_cast<uint64_t>(dst), type, width), localAt(reinterpret_cast<uint64_t>(src), type, width), shape, 2);
}

void transposeAddresses(const uint64_t *dst, const uint64_t *src, Type type, uint8_t width, bool dstHigh, bool srcHigh, uint32_t repeats, uint32_t dstStride, uint32_t srcStride)
{
    Array<Local> to, from;
    for (int i = 0; i < 16; ++i) {
        to.add(localAt(dst[i], type, width));
        from.add(localAt(src[i], type, width));
    }
    transposeRows(to.items, from.items, dstHigh, srcHigh, repeats, dstStride, srcStride);
    std::free(to.items);
    std::free(from.items);
}

/// Repeats what lies along axes of length 1.
void broadcastAxes(const Local &dst, const Local &src, const uint32_t *dstShape, const uint32_t *srcShape, uint32_t dimensions)
{
    issue(V);
    uint64_t total = 1, given = 1;
    for (uint32_t i = 0; i < dimensions; ++i) {
        total *= dstShape[i];
        given *= srcShape[i];
    }
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    const uint8_t *from = touch(src, 0, given * src.width, false);
    touch(dst, 0, total * dst.width, true);
    for (uint64_t i = 0; i < total; ++i) {
        uint64_t rest = i, at = 0, factor = 1;
        for (uint32_t k = dimensions; k-- > 0;) {
            uint64_t place = rest % dstShape[k];
            rest /= dstShape[k];
            at += (srcShape[k] == 1 ? 0 : place) * factor;
            factor *= srcShape[k];
        }
        move(dst, int64_t(i) * dst.width, from + at * src.width, unknownOf(src) + at * src.width);
    }
}

}
