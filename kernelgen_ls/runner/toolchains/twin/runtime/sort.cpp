// Sorting: pairs of a value and an index, eight bytes each, the largest first and the lower index first of equals.
//
// A pair of floats is the value and the index; of halfs the value, two bytes without meaning, the index.
#include "rows.h"

#include "twin/library.h"

namespace kgtwin {

namespace {

struct Pair {
    double value;
    uint32_t index;
    bool unknown, unknownIndex; // who sorts by values alone may leave the indices without any
};

Pair pairAt(const uint8_t *at, const uint8_t *unknown, Type type)
{
    Pair pair{valueAt(at, type), 0, anyUnknown(unknown, widthOf(type)), anyUnknown(unknown + 4, 4)};
    memcpy(&pair.index, at + 4, 4);
    return pair;
}
void putPair(uint8_t *at, uint8_t *unknown, Type type, const Pair &pair)
{
    memset(at, 0, 8);
    putValue(at, type, pair.value);
    memcpy(at + 4, &pair.index, 4);
    memset(unknown, pair.unknown ? 0xff : 0, 4);
    memset(unknown + 4, pair.unknown || pair.unknownIndex ? 0xff : 0, 4);
}
int order(const void *a, const void *b)
{
    auto &x = *static_cast<const Pair *>(a), &y = *static_cast<const Pair *>(b);
    if (x.value != y.value) return x.value > y.value ? -1 : 1;
    return x.index < y.index ? -1 : x.index > y.index;
}
Array<Pair> pairs;
uint16_t merged[4];

void write(const Local &dst, int64_t at, const Array<Pair> &from)
{
    uint8_t *to = touch(dst, at, from.size * 8, true);
    uint8_t *shadow = unknownOf(dst) + at;
    for (size_t i = 0; i < from.size; ++i) putPair(to + i * 8, shadow + i * 8, dst.type, from[i]);
}

}

/// Sorts each 32 values with their indices; all of them together where `whole`.
void sortPairs(const Local &dst, const Local &values, const Local &indices, uint32_t repeats, bool whole)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(values, 32, "the source");
    requireAligned(indices, 32, "the tensor of indices");
    for (uint32_t repeat = 0; repeat < (whole ? 1 : repeats); ++repeat) {
        uint32_t count = whole ? repeats * 32 : 32;
        auto from = int64_t(repeat) * 32 * values.width, at = int64_t(repeat) * 32 * 4;
        const uint8_t *value = touch(values, from, uint64_t(count) * values.width, false), *index = touch(indices, at, uint64_t(count) * 4, false);
        pairs.clear();
        for (uint32_t i = 0; i < count; ++i) {
            Pair pair{valueAt(value + i * values.width, values.type), 0, anyUnknown(unknownOf(values) + from + i * values.width, values.width), anyUnknown(unknownOf(indices) + at + i * 4, 4)};
            memcpy(&pair.index, index + i * 4, 4);
            pairs.add(pair);
        }
        qsort(pairs.items, pairs.size, sizeof(Pair), order);
        write(dst, int64_t(repeat) * 32 * 8, pairs);
    }
}

namespace {

/// Lists of pairs are read while they are merged: no byte of theirs may be written.
void requireApart(const Local &dst, const Local *lists, const uint16_t *lengths, uint32_t valid, uint32_t repeats)
{
    uint64_t total = 0;
    for (int i = 0; i < 4; ++i) total += valid >> i & 1 ? lengths[i] : 0;
    for (int i = 0; i < 4; ++i) {
        if (!(valid >> i & 1)) continue;
        requireAligned(lists[i], 8, "a list");
        uint64_t end = lists[i].address + (total * (repeats - 1) + lengths[i]) * 8;
        if (lists[i].memory == dst.memory && lists[i].address < dst.address + total * repeats * 8 && dst.address < end)
            report(Tier::warning, "overlap", {}, "the destination shares bytes with list %d of those that are merged: what is read before it is written is not defined", i + 1);
    }
}

}

/// Merges up to four sorted lists, `repeats` times one after the other.
void mergePairs(const Local &dst, const Local *lists, const uint16_t *lengths, uint32_t valid, uint32_t repeats, bool suspends, uint32_t *taken)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireApart(dst, lists, lengths, valid, repeats ? repeats : 1);
    int64_t to = 0;
    for (uint32_t repeat = 0; repeat < (repeats ? repeats : 1); ++repeat) {
        uint32_t used[4] = {}, total = 0;
        const uint8_t *bytes[4] = {}, *unknown[4] = {};
        for (int i = 0; i < 4; ++i) {
            if (!(valid >> i & 1)) continue;
            int64_t at = 0;
            for (int k = 0; k < 4 && repeat; ++k)
                if (valid >> k & 1) at += int64_t(lengths[k]) * 8 * repeat;
            bytes[i] = touch(lists[i], at, uint64_t(lengths[i]) * 8, false);
            unknown[i] = unknownOf(lists[i]) + at;
            total += lengths[i];
        }
        pairs.clear();
        while (pairs.size < total) {
            int best = -1;
            Pair found{};
            bool exhausted = false;
            for (int i = 0; i < 4; ++i) {
                if (!(valid >> i & 1)) continue;
                if (used[i] == lengths[i]) {
                    exhausted = true;
                    continue;
                }
                Pair one = pairAt(bytes[i] + used[i] * 8, unknown[i] + used[i] * 8, dst.type);
                if (best < 0 || one.value > found.value) {
                    best = i;
                    found = one;
                }
            }
            if (best < 0 || (exhausted && suspends)) break;
            ++used[best];
            pairs.add(found);
        }
        write(dst, to, pairs);
        to += int64_t(total) * 8;
        for (int i = 0; i < 4; ++i) {
            merged[i] = uint16_t(used[i]);
            if (taken) taken[i] = used[i];
        }
    }
}
void mergedCounts(uint16_t *counts) { memcpy(counts, merged, sizeof(merged)); }

/// Takes pairs apart.
void extractPairs(const Local &values, const Local &indices, const Local &sorted, uint32_t repeats)
{
    issue(V);
    requireAligned(values, 32, "the tensor of values");
    requireAligned(indices, 32, "the tensor of indices");
    requireAligned(sorted, 32, "the source");
    uint64_t count = uint64_t(repeats) * 32;
    const uint8_t *from = touch(sorted, 0, count * 8, false), *shadow = unknownOf(sorted);
    uint8_t *value = touch(values, 0, count * values.width, true), *index = touch(indices, 0, count * 4, true);
    for (uint64_t i = 0; i < count; ++i) {
        memcpy(value + i * values.width, from + i * 8, values.width);
        memcpy(index + i * 4, from + i * 8 + 4, 4);
        memset(unknownOf(values) + i * values.width, anyUnknown(shadow + i * 8, values.width) ? 0xff : 0, values.width);
        memset(unknownOf(indices) + i * 4, anyUnknown(shadow + i * 8 + 4, 4) ? 0xff : 0, 4);
    }
}

// --- Values with their indices apart ----------------------------------------------------------------------------------

namespace {

struct Numbered {
    double value;
    uint32_t at;
};
int ascending(const void *a, const void *b)
{
    auto &x = *static_cast<const Numbered *>(a), &y = *static_cast<const Numbered *>(b);
    if (x.value != y.value) return x.value < y.value ? -1 : 1;
    return x.at < y.at ? -1 : x.at > y.at;
}
int descending(const void *a, const void *b)
{
    auto &x = *static_cast<const Numbered *>(a), &y = *static_cast<const Numbered *>(b);
    if (x.value != y.value) return x.value > y.value ? -1 : 1;
    return x.at < y.at ? -1 : x.at > y.at;
}
Array<Numbered> numbered;

/// Where the elements of a row would stand in order.
void orderRow(const Local &src, int64_t first, uint32_t count, bool descends)
{
    const uint8_t *from = touch(src, first * src.width, uint64_t(count) * src.width, false);
    numbered.clear();
    for (uint32_t i = 0; i < count; ++i) numbered.add({valueAt(from + uint64_t(i) * src.width, src.type), i});
    qsort(numbered.items, numbered.size, sizeof(Numbered), descends ? descending : ascending);
}
/// What says where an element stood: its number, or the one that it was given.
void putIndex(const Local &dst, int64_t to, const Local *given, int64_t first, uint32_t at)
{
    uint64_t number = at;
    bool unknown = false;
    if (given) {
        int64_t from = (first + at) * given->width;
        memcpy(&number, touch(*given, from, given->width, false), given->width);
        unknown = anyUnknown(unknownOf(*given) + from, given->width);
    }
    memcpy(touch(dst, to * dst.width, dst.width, true), &number, dst.width);
    memset(unknownOf(dst) + to * dst.width, unknown ? 0xff : 0, dst.width);
}

}

void sortValues(const Local &dst, const Local *dstIndices, const Local &src, const Local *indices, uint32_t count, bool descends)
{
    issue(V);
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    orderRow(src, 0, count, descends);
    bool unknown = anyUnknown(unknownOf(src), uint64_t(count) * src.width);
    for (uint32_t i = 0; i < count; ++i) writeNumber(dst, i, numbered[i].value, unknown);
    if (dstIndices)
        for (uint32_t i = 0; i < count; ++i) putIndex(*dstIndices, i, indices, 0, numbered[i].at);
}

/// The first `k` of each row in order; rows of whole blocks, or `packed` one after the other. A finished row has the
/// index `columns` everywhere.
void topK(const Local &values, const Local &indices, const Local &src, const Local *srcIndices, const Local *finished, uint32_t rows, uint32_t pitch, uint32_t columns, uint32_t k, bool largest, bool packed)
{
    issue(V);
    requireAligned(values, 32, "the tensor of values");
    requireAligned(indices, 32, "the tensor of indices");
    requireAligned(src, 32, "the source");
    auto padded = [&](uint32_t width) { return packed ? k : (k * width + 31) / 32 * 32 / width; };
    for (uint32_t row = 0; row < rows; ++row) {
        int64_t first = int64_t(row) * pitch, value = int64_t(row) * padded(values.width), index = int64_t(row) * padded(indices.width);
        bool unknown = anyUnknown(unknownOf(src) + first * src.width, uint64_t(columns) * src.width);
        bool done = finished && *touch(*finished, row, 1, false);
        orderRow(src, first, columns, largest);
        for (uint32_t i = 0; i < k; ++i) {
            writeNumber(values, value + i, numbered[i].value, unknown);
            if (done) writeNumber(indices, index + i, columns, false);
            else putIndex(indices, index + i, srcIndices, 0, numbered[i].at);
        }
    }
}

// --- Region proposals: eight elements each, of which the fifth is the score ------------------------------------------

void sortProposals(const Local &dst, const Local &src, uint32_t repeats)
{
    issue(V);
    uint32_t bytes = 8u * src.width;
    for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
        int64_t at = int64_t(repeat) * 16 * bytes;
        uint8_t given[16 * 8 * 4], unknown[16 * 8 * 4];
        memcpy(given, touch(src, at, 16 * bytes, false), 16 * bytes);
        memcpy(unknown, unknownOf(src) + at, 16 * bytes);
        numbered.clear();
        for (uint32_t i = 0; i < 16; ++i) numbered.add({valueAt(given + i * bytes + 4 * src.width, src.type), i});
        qsort(numbered.items, numbered.size, sizeof(Numbered), descending);
        uint8_t *to = touch(dst, at, 16 * bytes, true);
        for (uint32_t i = 0; i < 16; ++i) {
            memcpy(to + i * bytes, given + numbered[i].at * bytes, bytes);
            memcpy(unknownOf(dst) + at + i * bytes, unknown + numbered[i].at * bytes, bytes);
        }
    }
}

/// Merges up to four lists of proposals that are sorted by their scores, `repeats` times one after the other.
void mergeProposals(const Local &dst, const Local *lists, const uint16_t *lengths, uint32_t valid, uint32_t repeats, bool suspends)
{
    issue(V);
    requireAligned(dst, 8 * dst.width, "the destination");
    uint32_t bytes = 8u * dst.width;
    int64_t to = 0, behind = 0;
    for (uint32_t repeat = 0; repeat < (repeats ? repeats : 1); ++repeat) {
        uint32_t used[4] = {}, total = 0;
        const uint8_t *from[4] = {}, *unknown[4] = {};
        for (int i = 0; i < 4; ++i) {
            if (!(valid >> i & 1)) continue;
            from[i] = touch(lists[i], behind * bytes, uint64_t(lengths[i]) * bytes, false);
            unknown[i] = unknownOf(lists[i]) + behind * bytes;
            total += lengths[i];
        }
        for (uint32_t done = 0; done < total; ++done) {
            int best = -1;
            double highest = 0;
            bool exhausted = false;
            for (int i = 0; i < 4; ++i) {
                if (!(valid >> i & 1)) continue;
                if (used[i] == lengths[i]) {
                    exhausted = true;
                    continue;
                }
                double score = valueAt(from[i] + used[i] * bytes + 4 * dst.width, dst.type);
                if (best < 0 || score > highest) {
                    best = i;
                    highest = score;
                }
            }
            if (best < 0 || (exhausted && suspends)) break;
            int64_t at = to + int64_t(done) * bytes;
            memcpy(touch(dst, at, bytes, true), from[best] + used[best] * bytes, bytes);
            memcpy(unknownOf(dst) + at, unknown[best] + used[best] * bytes, bytes);
            ++used[best];
        }
        to += int64_t(total) * bytes;
        behind += total;
        for (int i = 0; i < 4; ++i) merged[i] = uint16_t(used[i]);
    }
}

/// Elements in a row into a field of proposals, or out of it.
void proposalField(const Local &dst, const Local &src, uint32_t repeats, uint32_t field, bool into)
{
    issue(V);
    for (uint32_t i = 0; i < repeats * 16; ++i) {
        int64_t proposal = (int64_t(i) * 8 + field) * src.width, element = int64_t(i) * src.width;
        int64_t from = into ? element : proposal, to = into ? proposal : element;
        memcpy(touch(dst, to, dst.width, true), touch(src, from, src.width, false), dst.width);
        memcpy(unknownOf(dst) + to, unknownOf(src) + from, dst.width);
    }
}

}
