// What a kernel prints: kept in the order of the calls, up to a limit, and written with the findings.
#include "vector.h"

#include <cstdarg>

namespace kgtwin {

namespace {

constexpr size_t kMostBytes = 1 << 16;
constexpr size_t kMostCalls = 4096;
constexpr uint32_t kMostElements = 4096;

/// What one call printed: `bytes` of `text` from `from` on.
struct Printed {
    bool cube;
    int64_t block;
    size_t from, bytes;
};
Array<Printed> printed;
char text[kMostBytes];
size_t used = 0;
uint64_t lost = 0; // calls

/// Adds to what the last call printed; what is beyond the limit is lost.
void add(const char *format, va_list values)
{
    size_t room = kMostBytes - used;
    int length = vsnprintf(text + used, room, format, values);
    if (length < 0) return;
    size_t bytes = size_t(length) < room ? size_t(length) : room - 1;
    if (bytes < size_t(length)) ++lost;
    used += bytes;
    printed[printed.size - 1].bytes += bytes;
}
void put(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add(format, values);
    va_end(values);
}

/// Whether there is room for what one more call prints.
bool open()
{
    if (kMostBytes - used < 2 || printed.size == kMostCalls) {
        ++lost;
        return false;
    }
    printed.add({core && core->cube, core ? core->block : 0, used, 0});
    return true;
}

void putElement(const uint8_t *at, Type type)
{
    switch (type) {
    case Type::f16: case Type::bf16: case Type::f32: case Type::f64: put("%f", valueAt(at, type)); break;
    case Type::u64: {
        uint64_t value;
        memcpy(&value, at, 8);
        put("%llu", static_cast<unsigned long long>(value));
        break;
    }
    case Type::i64: {
        int64_t value;
        memcpy(&value, at, 8);
        put("%lld", static_cast<long long>(value));
        break;
    }
    default: put("%lld", static_cast<long long>(valueAt(at, type))); break;
    }
}

/// The first `count` elements of those at `at`, `there` of which are there; `unknown` says for each bit whether it was
/// given a value. A row a line.
void putElements(const uint8_t *at, const uint8_t *unknown, uint64_t there, Type type, uint8_t width, uint32_t count, const uint32_t *shape, uint32_t axes)
{
    uint64_t all = count, row = count;
    if (axes) {
        all = 1;
        for (uint32_t i = 0; i < axes; ++i) all *= shape[i];
        row = shape[axes - 1];
    }
    for (uint64_t i = 0; i < all; ++i) {
        if (i == kMostElements || kMostBytes - used < 2) {
            put(", ...");
            ++lost;
            break;
        }
        put(i == 0 ? "[" : i % row ? ", " : "]\n[");
        if (i >= count || i >= there) put("-");
        else if (unknown && anyUnknown(unknown + i * width, width)) put("?");
        else putElement(at + i * width, type);
    }
    put(all ? "]\n" : "[]\n");
}

}

void say(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    sayOf(format, values);
    va_end(values);
}
void sayOf(const char *format, va_list values)
{
    if (open()) add(format, values);
}

void dump(const Local &tensor, uint32_t number, uint32_t count, const uint32_t *shape, uint32_t axes)
{
    static const char *const names[] = {"none", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};
    if (tensor.memory == Memory::none || lacks(tensor) || !open()) return;
    const Bank &bank = bankOf(tensor.memory);
    uint64_t there = tensor.address < bank.size ? (bank.size - tensor.address) / tensor.width : 0;
    if (there > tensor.count) there = tensor.count;
    put("DumpTensor: desc=%u, addr=%x, data_type=%s, position=%s, dump_size=%u\n", number, tensor.address, typeName(tensor.type), names[int(tensor.memory)], count);
    putElements(bank.bytes + tensor.address, unknownOf(tensor), there, tensor.type, tensor.width, count, shape, axes);
}

void dump(const Global &tensor, Type type, uint32_t number, uint32_t count, const uint32_t *shape, uint32_t axes)
{
    const Argument *argument = argumentAt(tensor.base);
    if (!argument || tensor.base < argument->base || !open()) return;
    uint64_t from = uint64_t(tensor.base - argument->base);
    uint64_t there = from < argument->bytes ? (argument->bytes - from) / tensor.width : 0;
    put("DumpTensor: desc=%u, addr=%llx, data_type=%s, position=GM, dump_size=%u\n", number, static_cast<unsigned long long>(from), typeName(type), count);
    putElements(tensor.base, nullptr, there, type, tensor.width, count, shape, axes);
}

void writePrinted(FILE *file)
{
    for (const Printed &one : printed) {
        fprintf(file, "{\"cube\": %s, \"block\": %lld, \"printed\": \"", one.cube ? "true" : "false", static_cast<long long>(one.block));
        for (size_t i = one.from; i < one.from + one.bytes; ++i) {
            unsigned char c = static_cast<unsigned char>(text[i]);
            if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f) fprintf(file, "\\u%04x", c);
            else fputc(c, file);
        }
        fprintf(file, "\"}\n");
    }
    if (lost) fprintf(file, "{\"lost\": %llu}\n", static_cast<unsigned long long>(lost));
}

}
