// Global memory: the kernel's arguments, copies to and from them.
#include "vector.h"

namespace kgtwin {

Argument *argumentAt(const void *address)
{
    auto *at = static_cast<const uint8_t *>(address);
    constexpr uint64_t slack = 1 << 16; // an address just outside is still meant for the argument beside it
    for (Argument *one : arguments)
        if (at >= one->base && at < one->base + one->bytes) return one;
    for (Argument *one : arguments)
        if (at + slack >= one->base && at < one->base + one->bytes + slack) return one;
    return nullptr;
}

namespace {

/// How much of a stretch lies in its argument; says so where it is not all.
uint64_t inside(Argument *argument, const uint8_t *at, uint64_t bytes, bool writes)
{
    const char *verb = writes ? "written" : "read";
    if (!argument) {
        report(Tier::error, "global-bounds", {}, "an address that belongs to no argument is %s", verb);
        return 0;
    }
    if (at < argument->base) {
        report(Tier::error, "global-bounds", {}, "%lld bytes before %s are %s", static_cast<long long>(argument->base - at), argument->name, verb);
        return 0;
    }
    auto from = uint64_t(at - argument->base);
    if (from + bytes <= argument->bytes) return bytes;
    const char *format = "%llu bytes past the end of %s, which has %llu, are %s";
    auto over = static_cast<unsigned long long>(from + bytes - argument->bytes), length = static_cast<unsigned long long>(argument->bytes);
    if (!writes && from + bytes <= argument->bytes + slackOf(*argument)) report(Tier::warning, "global-slack", {}, format, over, argument->name, length, verb);
    else report(Tier::error, "global-bounds", {}, format, over, argument->name, length, verb);
    return from < argument->bytes ? argument->bytes - from : 0;
}

/// The first of the stretches without a value that ends after `from`.
size_t firstAfter(const Array<Unknown> &known, uint64_t from)
{
    size_t low = 0, high = known.size;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (known[middle].to > from) high = middle;
        else low = middle + 1;
    }
    return low;
}

void insert(Array<Unknown> &known, size_t place, const Unknown &one)
{
    known.add(one);
    memmove(static_cast<void *>(known.items + place + 1), known.items + place, (known.size - 1 - place) * sizeof(Unknown));
    known[place] = one;
}

void forget(Argument *argument, uint64_t from, uint64_t to)
{
    Array<Unknown> &known = *argument->unknown;
    size_t first = firstAfter(known, from);
    if (first == known.size || known[first].from >= to) return;
    if (known[first].from < from) {
        Unknown rest = known[first];
        known[first++].to = from;
        if (rest.to > to) {
            rest.from = to;
            rest.beside = siteNow();
            insert(known, first, rest);
            return;
        }
    }
    size_t last = first;
    while (last < known.size && known[last].to <= to) ++last;
    if (last < known.size && known[last].from < to) {
        known[last].from = to;
        known[last].beside = siteNow();
    }
    memmove(static_cast<void *>(known.items + first), known.items + last, (known.size - last) * sizeof(Unknown));
    known.size -= last - first;
}

void remember(Argument *argument, uint64_t from, uint64_t to)
{
    forget(argument, from, to);
    insert(*argument->unknown, firstAfter(*argument->unknown, from), {from, to, siteNow(), core->origin});
}

constexpr uint64_t kWrittenBytes = 4;
constexpr uint16_t kSeveral = 0xffff;
constexpr int kMostStretches = 100000;

/// Notes that the core that runs wrote bytes of an argument, in the place of what was there or added to it.
void wrote(Argument *argument, uint64_t from, uint64_t bytes, bool adds)
{
    if (!argument->isOutput() || cores.size < 2 || cores.size >= kSeveral || !bytes) return;
    if (!argument->writers) argument->writers = static_cast<uint16_t *>(std::calloc(argument->bytes / kWrittenBytes + 1, sizeof(uint16_t)));
    if (!argument->writers) notExecuted("as much memory as this run asks for");
    const auto mine = uint16_t(core->number + 1);
    const uint64_t to = from + bytes;
    for (uint64_t i = from / kWrittenBytes; i * kWrittenBytes < to; ++i) {
        uint16_t &one = argument->writers[i];
        bool whole = !adds && i * kWrittenBytes >= from && (i + 1) * kWrittenBytes <= to;
        if (one != mine) one = whole || !one ? mine : kSeveral;
    }
}

template <typename T, typename W> void combine(uint8_t *to, const uint8_t *from, uint64_t count, int operation, W (*widen)(T), T (*narrow)(W))
{
    for (uint64_t i = 0; i < count; ++i) {
        T a, b;
        memcpy(&a, to + i * sizeof(T), sizeof(T));
        memcpy(&b, from + i * sizeof(T), sizeof(T));
        W x = widen(a), y = widen(b);
        T result = narrow(operation == 1 ? W(x + y) : operation == 2 ? (x < y ? y : x) : (y < x ? y : x));
        memcpy(to + i * sizeof(T), &result, sizeof(T));
    }
}
template <typename T> void combinePlain(uint8_t *to, const uint8_t *from, uint64_t bytes, int operation)
{
    combine<T, T>(to, from, bytes / sizeof(T), operation, [](T x) { return x; }, [](T x) { return x; });
}

void atomic(uint8_t *to, const uint8_t *from, uint64_t bytes, int operation, Type type)
{
    switch (type) {
    case Type::f16: combine<_Float16, float>(to, from, bytes / 2, operation, [](_Float16 x) { return float(x); }, halfOf); break;
    case Type::bf16: combine<Bf16, float>(to, from, bytes / 2, operation, [](Bf16 x) { return toFloat(x); }, bfloatOf); break;
    case Type::f32: combinePlain<float>(to, from, bytes, operation); break;
    case Type::i8: combinePlain<int8_t>(to, from, bytes, operation); break;
    case Type::i16: combinePlain<int16_t>(to, from, bytes, operation); break;
    case Type::i32: combinePlain<int32_t>(to, from, bytes, operation); break;
    case Type::u32: combinePlain<uint32_t>(to, from, bytes, operation); break;
    case Type::i64: combinePlain<int64_t>(to, from, bytes, operation); break;
    case Type::u64: combinePlain<uint64_t>(to, from, bytes, operation); break;
    default: notExecuted("an atomic copy of this element type");
    }
}

}

void fetch(uint8_t *to, uint8_t *shadow, const uint8_t *from, uint64_t bytes)
{
    Argument *argument = argumentAt(from);
    uint64_t here = inside(argument, from, bytes, false);
    memset(to + here, 0xff, bytes - here);
    memset(shadow + here, 0xff, bytes - here);
    if (!here) return;
    memcpy(to, from, here);
    memset(shadow, 0, here);
    auto offset = uint64_t(from - argument->base);
    unknownInto(argument, offset, here, shadow);
    use(argument, offset, here, false, false);
}

bool meetsUnknown(const Argument *argument, uint64_t from, uint64_t bytes)
{
    const Array<Unknown> &known = *argument->unknown;
    size_t first = firstAfter(known, from);
    return first < known.size && known[first].from < from + bytes;
}

void store(uint8_t *to, const uint8_t *from, const uint8_t *shadow, uint64_t bytes)
{
    Argument *argument = argumentAt(to);
    uint64_t here = inside(argument, to, bytes, true);
    if (!here) return;
    auto offset = uint64_t(to - argument->base);
    wrote(argument, offset, here, core->atomic);
    ++core->progress;
    if (core->atomic) {
        if (anyUnknown(shadow, here)) report(Tier::error, "uninitialised-global", {core->origin, "the memory is taken here"}, "bytes that were never given a value are added to %s", argument->name);
        else if (meetsUnknown(argument, offset, here)) report(Tier::error, "uninitialised-global", {}, "this is added to bytes of %s that were never given a value", argument->name);
        use(argument, offset, here, true, true);
        atomic(to, from, here, core->atomic, core->atomicType);
        forget(argument, offset, offset + here); // what was unknown before shows in the values
        return;
    }
    if (memcmp(to, from, here)) use(argument, offset, here, true, false); // the same values do no harm
    memcpy(to, from, here);
    forget(argument, offset, offset + here);
    if (!anyUnknown(shadow, here)) return;
    for (uint64_t i = 0; i < here;) {
        uint64_t from_ = i;
        while (i < here && shadow[i]) ++i;
        if (i > from_) remember(argument, offset + from_, offset + i);
        while (i < here && !shadow[i]) ++i;
    }
}

void unknownInto(Argument *argument, uint64_t from, uint64_t bytes, uint8_t *shadow)
{
    const Array<Unknown> &known = *argument->unknown;
    for (size_t i = firstAfter(known, from); i < known.size && known[i].from < from + bytes; ++i) {
        const Unknown &one = known[i];
        uint64_t lo = one.from > from ? one.from : from, hi = one.to < from + bytes ? one.to : from + bytes;
        memset(shadow + (lo - from), 0xff, hi - lo);
    }
}

void leaveWriters(const Argument &output)
{
    if (!output.writers) return;
    char path[sizeof(output.output) + 16];
    snprintf(path, sizeof(path), "%s", output.output);
    char *ending = strrchr(path, '.');
    strcpy(ending ? ending : path + strlen(path), ".writers");
    FILE *file = fopen(path, "w");
    if (!file) return;
    const uint64_t count = (output.bytes + kWrittenBytes - 1) / kWrittenBytes;
    int stretches = 0;
    for (uint64_t i = 0, from; i < count && stretches <= kMostStretches;) {
        const uint16_t one = output.writers[from = i];
        while (i < count && output.writers[i] == one) ++i;
        if (!one || one == kSeveral) continue;
        const uint64_t to = i * kWrittenBytes < output.bytes ? i * kWrittenBytes : output.bytes;
        fprintf(file, "%llu %llu %s\n", static_cast<unsigned long long>(from * kWrittenBytes), static_cast<unsigned long long>(to), nameOf(*cores[one - 1]));
        ++stretches;
    }
    fclose(file);
    if (stretches > kMostStretches) remove(path);
}

void finishOutputs()
{
    for (Argument *one : arguments) {
        if (!one->isOutput()) continue;
        for (Unknown &bytes : *one->unknown)
            if (bytes.site) {
                reportAt(bytes.site, Tier::error, "uninitialised-global", {bytes.origin, "the memory is taken here"}, "bytes %llu to %llu of %s get what was never given a value",
                         static_cast<unsigned long long>(bytes.from), static_cast<unsigned long long>(bytes.to - 1), one->name);
                break;
            }
    }
}

void sayUnwritten()
{
    for (Argument *one : arguments) {
        if (!one->isOutput()) continue;
        for (Unknown &bytes : *one->unknown)
            if (!bytes.site) {
                reportAt(bytes.beside, Tier::information, "output-not-written", {}, bytes.beside ? "bytes %llu to %llu of %s, which follow what is written here, are never written" : "bytes %llu to %llu of %s are never written",
                         static_cast<unsigned long long>(bytes.from), static_cast<unsigned long long>(bytes.to - 1), one->name);
                break;
            }
    }
}

void setAtomic(int operation, Type type)
{
    core->atomicAt = operation ? siteNow() : 0;
    core->atomic = operation;
    core->atomicType = type;
}

void setAtomicType(Type type)
{
    if (core->atomic) core->atomicType = type;
}

void exchangeGlobal(uint8_t *address, Exchange how, Type type, uint8_t width, const void *expected, const void *value, void *old)
{
    issue(S);
    memset(old, 0, width);
    Argument *argument = argumentAt(address);
    if (inside(argument, address, width, true) < width) return;
    if (how == Exchange::compareAndSwap) look(address, width);
    memcpy(old, address, width);
    auto from = uint64_t(address - argument->base);
    if (how == Exchange::compareAndSwap && memcmp(old, expected, width)) return learnAt(address);
    if (how < Exchange::compareAndSwap) atomic(address, static_cast<const uint8_t *>(value), width, int(how), type);
    else memcpy(address, value, width);
    exchangeAt(address);
    use(argument, from, width, true, true);
    wrote(argument, from, width, true);
    forget(argument, from, from + width);
}

void readGlobalScalar(const Global &tensor, int64_t offset, void *value)
{
    issue(S);
    settleAll();
    look(tensor.base + offset * tensor.width, tensor.width);
    learnAt(tensor.base + offset * tensor.width);
    uint8_t shadow[8];
    fetch(static_cast<uint8_t *>(value), shadow, tensor.base + offset * tensor.width, tensor.width);
    if (anyUnknown(shadow, tensor.width)) report(Tier::error, "uninitialised-scalar", {}, "element %lld of global memory was never given a value, and is read here", static_cast<long long>(offset));
}

void writeGlobalScalar(const Global &tensor, int64_t offset, const void *value)
{
    static const uint8_t known[8] = {};
    int atomic = core->atomic;
    issue(S);
    settleAll();
    core->atomic = 0;
    store(tensor.base + offset * tensor.width, static_cast<const uint8_t *>(value), known, tensor.width);
    tellAt(tensor.base + offset * tensor.width);
    core->atomic = atomic;
}

void fillGlobal(const Global &tensor, uint64_t count, uint64_t bits)
{
    static const uint8_t known[4096] = {};
    uint8_t chunk[4096];
    for (size_t i = 0; i + tensor.width <= sizeof(chunk); i += tensor.width) memcpy(chunk + i, &bits, tensor.width);
    issue(MTE3);
    uint64_t bytes = count * tensor.width;
    passGlobal(tensor, {1, bytes, 0, 0}, 0, true);
    settleAll();
    for (uint64_t at = 0; at < bytes; at += sizeof(chunk)) store(tensor.base + at, chunk, known, bytes - at < sizeof(chunk) ? bytes - at : sizeof(chunk));
}

void readTiling(void *to, size_t bytes, const volatile void *tiling, size_t offset)
{
    auto *from = static_cast<const uint8_t *>(const_cast<const void *>(tiling)) + offset;
    Argument *argument = argumentAt(from);
    if (!argument || !argument->tiling) notExecuted("tiling data that is not given");
    auto at = uint64_t(from - argument->base);
    uint64_t here = at >= argument->bytes ? 0 : argument->bytes - at < bytes ? argument->bytes - at : bytes;
    memset(to, 0, bytes);
    memcpy(to, from, here);
}

void readValue(void *to, size_t bytes, const void *given)
{
    Argument *argument = argumentAt(given);
    if (!argument || argument->tiling) return readTiling(to, bytes, given, 0);
    if (argument->bytes != bytes) {
        static char what[160];
        snprintf(what, sizeof(what), "%s: a parameter of %llu bytes that is no address, and the case gives it %llu", argument->name, static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(argument->bytes));
        notExecuted(what);
    }
    memcpy(to, argument->base, bytes);
}

// --- Copies ----------------------------------------------------------------------------------------------------------

namespace {

int64_t reach(const Rows &rows, int64_t step) { return int64_t(rows.count - 1) * step + int64_t(rows.bytes); }

void checkRows(const Rows &rows, bool padded)
{
    if (padded && (rows.count > 4095 || rows.bytes >= (2u << 20)))
        report(Tier::error, "copy-size", {}, "DataCopyPad takes at most 4095 rows of less than 2 MiB; these are %u of %llu bytes", rows.count, static_cast<unsigned long long>(rows.bytes));
}

}

void partialBlock(uint64_t bytes)
{
    report(Tier::error, "copy-count", {}, "DataCopy copies whole blocks of 32 bytes: of %llu bytes the last %llu are not copied", static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(bytes % 32));
}

namespace {

/// From row to row in on-chip memory: rows of a padded copy begin at whole blocks.
int64_t localStep(int64_t given, bool padded, uint64_t filled) { return padded ? given + int64_t(filled) : given; }

uint64_t filledBytes(const Local &dst, const Rows &rows, bool padded, const Padding &padding)
{
    uint64_t whole = uint64_t(padding.left + padding.right) * dst.width + rows.bytes;
    return padded ? (whole + 31) / 32 * 32 : whole;
}

}

void copyIn(const Local &dst, const Global &src, const Rows &rows, bool padded, const Padding &padding)
{
    if (!rows.count || !rows.bytes || lacks(dst)) return;
    checkRows(rows, padded);
    issue(MTE2);
    requireAligned(dst, 32, "the destination");
    uint64_t left = uint64_t(padding.left) * dst.width, right = uint64_t(padding.right) * dst.width;
    if (left > 32 || right > 32) report(Tier::error, "copy-padding", {}, "a row is padded by at most 32 bytes on each side; these are %llu and %llu", static_cast<unsigned long long>(left), static_cast<unsigned long long>(right));
    uint64_t filled = filledBytes(dst, rows, padded, padding);
    int64_t step = localStep(rows.dstStep, padded, filled);
    begin(dst, 0, int64_t(rows.count - 1) * step + int64_t(filled), true);
    if (!padded && uint64_t(src.base - static_cast<uint8_t *>(nullptr)) % dst.width)
        report(Tier::error, "misaligned", {}, "the source in global memory is not aligned to its elements");
    for (uint32_t row = 0; row < rows.count; ++row) touchCells(dst, int64_t(row) * step, filled, true);
    passGlobal(src, rows, rows.srcStep, false);
    if (rows.srcStep >= 0) look(src.base, uint64_t(reach(rows, rows.srcStep)));
    carry(true, dst, src, rows, step, [=] { moveIn(dst, src, rows, padded, padding); });
}

void moveIn(const Local &dst, const Global &src, const Rows &rows, bool padded, const Padding &padding)
{
    uint64_t left = uint64_t(padding.left) * dst.width, right = uint64_t(padding.right) * dst.width;
    uint64_t whole = left + rows.bytes + right, filled = filledBytes(dst, rows, padded, padding);
    int64_t step = localStep(rows.dstStep, padded, filled);
    bool dummy = filled > whole, first = dummy && !left && !right; // what fills up to a block is the row's first element
    uint8_t *base = bankOf(dst.memory).bytes + dst.address;
    uint8_t *shadow = unknownOf(dst);
    for (uint32_t row = 0; row < rows.count; ++row) {
        int64_t at = int64_t(row) * step;
        uint8_t *to = base + at, *unknown = shadow + at;
        fetch(to + left, unknown + left, src.base + int64_t(row) * rows.srcStep, rows.bytes);
        for (uint64_t i = 0; i < filled; i += dst.width) {
            if (i == left) i = left + rows.bytes;
            if (i >= filled) break;
            uint64_t bytes = filled - i < dst.width ? filled - i : dst.width;
            if (first) memcpy(to + i, to, bytes), memcpy(unknown + i, unknown, bytes);
            else if (padding.given) memcpy(to + i, &padding.bits, bytes), memset(unknown + i, 0, bytes);
            else memset(to + i, 0xff, bytes), memset(unknown + i, 0xff, bytes);
        }
    }
}

void copyOut(const Global &dst, const Local &src, const Rows &rows, bool padded)
{
    if (!rows.count || !rows.bytes || lacks(src)) return;
    checkRows(rows, padded);
    issue(src.memory == Memory::l0c ? FIX : MTE3);
    requireAligned(src, 32, "the source");
    int64_t step = localStep(rows.srcStep, padded, (rows.bytes + 31) / 32 * 32);
    begin(src, 0, int64_t(rows.count - 1) * step + int64_t(rows.bytes), false);
    for (uint32_t row = 0; row < rows.count; ++row) touchCells(src, int64_t(row) * step, rows.bytes, false);
    passGlobal(dst, rows, rows.dstStep, true);
    carry(false, src, dst, rows, step, [=] { moveOut(dst, src, rows, padded); });
}

void moveOut(const Global &dst, const Local &src, const Rows &rows, bool padded)
{
    int64_t step = localStep(rows.srcStep, padded, (rows.bytes + 31) / 32 * 32);
    const uint8_t *base = bankOf(src.memory).bytes + src.address;
    const uint8_t *shadow = unknownOf(src);
    core->origin = originOf(src);
    for (uint32_t row = 0; row < rows.count; ++row) {
        int64_t at = int64_t(row) * step;
        store(dst.base + int64_t(row) * rows.dstStep, base + at, shadow + at, rows.bytes);
    }
}

void copyLocal(const Local &dst, const Local &src, const Rows &rows)
{
    if (!rows.count || !rows.bytes || lacks(dst) || lacks(src)) return;
    int pipe = V;
    if (src.memory == Memory::l1) pipe = MTE1;
    else if (dst.memory == Memory::l1) pipe = MTE3;
    issue(pipe);
    settlePipe();
    requireAligned(dst, 32, "the destination");
    requireAligned(src, 32, "the source");
    uint8_t *from = begin(src, 0, reach(rows, rows.srcStep), false);
    uint8_t *to = begin(dst, 0, reach(rows, rows.dstStep), true);
    uint8_t *fromShadow = unknownOf(src), *toShadow = unknownOf(dst);
    for (uint32_t row = 0; row < rows.count; ++row) {
        int64_t a = int64_t(row) * rows.srcStep, b = int64_t(row) * rows.dstStep;
        touchCells(src, a, rows.bytes, false);
        touchCells(dst, b, rows.bytes, true);
        memmove(to + b, from + a, rows.bytes);
        memmove(toShadow + b, fromShadow + a, rows.bytes);
    }
}

}
