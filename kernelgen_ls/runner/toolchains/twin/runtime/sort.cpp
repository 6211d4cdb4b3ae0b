// Sorting: pairs of a value and an index, eight bytes each, the largest first and the lower index first of equals.
//
// A pair of floats is the value and the index; of halfs the value, two bytes without meaning, the index.
#include "vector.h"

namespace kgtwin {

namespace {

struct Pair {
    double value;
    uint32_t index;
    bool unknown;
};

double valueOf(const uint8_t *at, Type type)
{
    if (type == Type::f16) { _Float16 x; memcpy(&x, at, 2); return double(x); }
    if (type == Type::f32) { float x; memcpy(&x, at, 4); return double(x); }
    unsupported("sorting", type);
}
Pair pairAt(const uint8_t *at, const uint8_t *unknown, Type type)
{
    Pair pair{valueOf(at, type), 0, anyUnknown(unknown, widthOf(type)) || anyUnknown(unknown + 4, 4)};
    memcpy(&pair.index, at + 4, 4);
    return pair;
}
void putPair(uint8_t *at, uint8_t *unknown, Type type, const Pair &pair)
{
    memset(at, 0, 8);
    if (type == Type::f16) { auto x = _Float16(float(pair.value)); memcpy(at, &x, 2); }
    else { auto x = float(pair.value); memcpy(at, &x, 4); }
    memcpy(at + 4, &pair.index, 4);
    memset(unknown, pair.unknown ? 0xff : 0, 8);
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
    for (uint32_t repeat = 0; repeat < (whole ? 1 : repeats); ++repeat) {
        uint32_t count = whole ? repeats * 32 : 32;
        auto from = int64_t(repeat) * 32 * values.width, at = int64_t(repeat) * 32 * 4;
        const uint8_t *value = touch(values, from, uint64_t(count) * values.width, false), *index = touch(indices, at, uint64_t(count) * 4, false);
        pairs.clear();
        for (uint32_t i = 0; i < count; ++i) {
            Pair pair{valueOf(value + i * values.width, values.type), 0, anyUnknown(unknownOf(values) + from + i * values.width, values.width)};
            memcpy(&pair.index, index + i * 4, 4);
            pairs.add(pair);
        }
        qsort(pairs.items, pairs.size, sizeof(Pair), order);
        write(dst, int64_t(repeat) * 32 * 8, pairs);
    }
}

/// Merges up to four sorted lists, `repeats` times one after the other.
void mergePairs(const Local &dst, const Local *lists, const uint16_t *lengths, uint32_t valid, uint32_t repeats, bool suspends, uint32_t *taken)
{
    issue(V);
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
    uint64_t count = uint64_t(repeats) * 32;
    const uint8_t *from = touch(sorted, 0, count * 8, false), *shadow = unknownOf(sorted);
    uint8_t *value = touch(values, 0, count * values.width, true), *index = touch(indices, 0, count * 4, true);
    for (uint64_t i = 0; i < count; ++i) {
        memcpy(value + i * values.width, from + i * 8, values.width);
        memcpy(index + i * 4, from + i * 8 + 4, 4);
        bool unknown = anyUnknown(shadow + i * 8, values.width);
        memset(unknownOf(values) + i * values.width, unknown ? 0xff : 0, values.width);
        memset(unknownOf(indices) + i * 4, unknown ? 0xff : 0, 4);
    }
}

}
