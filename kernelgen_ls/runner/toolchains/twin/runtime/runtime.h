// The inside of the twin's runtime: cores, their memories and clocks, global memory, findings.
#ifndef KERNELGEN_TWIN_RUNTIME_H
#define KERNELGEN_TWIN_RUNTIME_H

#include "fiber.h"
#include "twin/state.h"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

inline void *operator new(size_t, void *place, int) noexcept { return place; } // without <new>, which is the C++ library's

namespace kgtwin {

/// A growable array: the standard library's would bring a C++ library into the twin.
template <typename T> struct Array {
    T *items = nullptr;
    size_t size = 0, room = 0;
    Array() = default;
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;
    T &add(const T &item)
    {
        if (size == room) {
            room = room ? room * 2 : 16;
            items = static_cast<T *>(std::realloc(static_cast<void *>(items), room * sizeof(T)));
            if (!items) notExecuted("as much memory as this run asks for");
        }
        return *new (&items[size++], 0) T(item);
    }
    void clear() { size = 0; }
    /// So many of a plain type, all zero.
    void resize(size_t count)
    {
        if (count > room) {
            room = count;
            items = static_cast<T *>(std::realloc(static_cast<void *>(items), room * sizeof(T)));
            if (!items) notExecuted("as much memory as this run asks for");
        }
        size = count;
        if (count) std::memset(static_cast<void *>(items), 0, count * sizeof(T));
    }
    T &operator[](size_t i) { return items[i]; }
    const T &operator[](size_t i) const { return items[i]; }
    T *begin() { return items; }
    T *end() { return items + size; }
};

enum Pipe : uint8_t { S, V, M, MTE1, MTE2, MTE3, ALL, MTE4, MTE5, V2, FIX, PIPES };
constexpr int kClocks = 8; // S, V, M, MTE1, MTE2, MTE3, FIX at 6
inline int clockOf(int pipe) { return pipe == FIX ? 6 : pipe <= MTE3 ? pipe : pipe == V2 ? int(V) : 7; }
const char *pipeName(int pipe);

using Site = uint32_t; // an offset into a part of the kernel, of the call; its highest bit: that of cube cores; 0: none
Site siteNow();
Site siteOf(void *returnAddress);

enum class Tier : uint8_t { error, warning, information };
struct Related {
    Site site = 0;
    const char *message = "";
    Site otherSite = 0;
    const char *otherMessage = "";
};
/// Says something of the call that is being run. The message is a printf format.
void report(Tier tier, const char *code, Related related, const char *format, ...);
void reportAt(Site site, Tier tier, const char *code, Related related, const char *format, ...);
/// Ends the run of this core: what comes after cannot be computed.
[[noreturn]] void stop();

struct Clock {
    uint32_t at[kClocks] = {};
    void join(const Clock &other)
    {
        for (int i = 0; i < kClocks; ++i)
            if (other.at[i] > at[i]) at[i] = other.at[i];
    }
};

/// The last accesses of 32 bytes of on-chip memory.
struct Cell {
    uint32_t written = 0;
    Site writtenAt = 0;
    uint8_t writer = 0;
    uint8_t readers = 0; // a bit a pipe that has read since
    uint32_t read[kClocks] = {};
    Site readAt[kClocks] = {};
};

struct Bank {
    uint8_t *bytes = nullptr;
    uint8_t *unknown = nullptr; // a bit is set where the bit of `bytes` was never given a value
    Cell *cells = nullptr;
    uint32_t size = 0, used = 0, room = 0;
};

enum class State : uint8_t { idle, taken, queued, handed };
struct Buffer {
    Memory memory = Memory::none;
    uint8_t position = 0;
    uint32_t address = 0, bytes = 0, generation = 1;
    uint16_t queue = 0;
    State state = State::idle;
    Site initAt = 0, allocAt = 0, freeAt = 0, enqueAt = 0, dequeAt = 0;
    Clock freed, enqueued;
};
struct Queue {
    uint8_t from = 0, to = 0;
    uint16_t first = 0, number = 0;
    uint16_t waiting[64];
    uint32_t head = 0, tail = 0, next = 0;
    Site initAt = 0;
};
struct Pool {
    Memory memory = Memory::none;
    uint32_t start = 0, bytes = 0, used = 0;
};
struct Flag {
    bool set = false;
    Site at = 0;
    Clock clock;
};

/// Which instructions of each core, by its number, are known to have ended; empty: none.
using Knowledge = Array<Clock>;
struct Page;
struct LateProduct;

constexpr int kSaturation = 48; // the bit of the control register that lets half and bfloat16_t have infinities

/// A copy's use of global memory: rows of `bytes`, `step` bytes from start to start, by a pipe that counted to `issued`.
struct Passage {
    const void *argument;
    uint64_t from, bytes, step;
    uint32_t rows;
    int pipe;
    bool writes;
    uint32_t issued;
    Site site;
    uint64_t end() const { return from + (rows - 1) * step + bytes; }
};

/// What moves a copy's bytes: a function object of plain data.
struct Move {
    void (*call)(const void *) = nullptr;
    alignas(8) uint8_t data[320];
    Move() = default;
    template <typename F> explicit Move(const F &move) : call([](const void *at) { (*static_cast<const F *>(at))(); })
    {
        static_assert(sizeof(F) <= sizeof(data) && __is_trivially_copyable(F));
        std::memcpy(data, &move, sizeof(F));
    }
    void operator()() const { call(data); }
};

/// A copy between global and on-chip memory that was issued and has not moved its bytes. Where it goes out, its source
/// is `rows` that are `localStep` apart.
struct LateCopy {
    bool in;
    Local local;
    Global global;
    Rows rows;
    int64_t localStep;
    Move move;
    int pipe = 0;
    uint32_t issued = 0;
    Site site = 0;
    void *from = nullptr; // the call
    int atomic = 0;
    Type atomicType = Type::other;
    uint64_t source = 0; // a digest of what it was to copy
};

/// What a core saw when it last looked at bytes of global memory, `times` times in a row.
struct Look {
    const uint8_t *from;
    uint64_t bytes, seen, progress;
    Site site;
    uint32_t times;
};

enum class Wait : uint8_t { none, everybody, flag, chain, previous };

/// What is set for the cube unit and for the way out of L0C, until it is set otherwise.
struct CubeUnit {
    uint16_t height = 0, width = 0;
    uint8_t padding[4] = {};
    uint64_t padValue = 0;
    uint32_t repeats = 1;
    bool shortFloats = false, towardsZero = false;
    Local fixParameters{Type::u64, 8};
    bool hasFixParameters = false;
    uint64_t fixScalar = 0;
    uint32_t matrices = 1, srcMatrixStep = 0, dstMatrixStep = 0;
};

struct Core {
    Front front; // first: what `kgtwin::front` points at
    bool cube = false;
    uint16_t number = 0;
    int64_t block = 0, subBlock = 0, group = 0; // the block is counted among the cores of its kind
    bool done = false, failed = false;
    Bank banks[int(Memory::COUNT)];
    Array<Buffer> buffers;
    Array<Queue> queues;
    Array<Pool> pools;
    void *pipe = nullptr;
    uint32_t allocated[32] = {};
    Clock clocks[kClocks];
    uint32_t counts[kClocks] = {};
    Flag flags[kClocks][kClocks][8];
    uint8_t reserved[kClocks][kClocks] = {};
    uint64_t mask[2] = {~0ull, ~0ull};
    bool counting = false;
    int atomic = 0;
    Type atomicType = Type::other;
    uint64_t control = 0;   // the control register
    bool saturates = false; // what it says of half and bfloat16_t
    Site atomicAt = 0; // where it was switched on
    Site origin = 0; // where the memory of the copy that is being done was taken
    float deqScale = 1.0f;
    uint64_t deqTable[16] = {};
    uint8_t deqUnknown[128] = {};
    uint8_t compareMask[32] = {};
    uint8_t compareUnknown[32] = {};
    double lastValue = 0, lastSum = 0;
    uint64_t lastIndex = 0, kept = 0;
    CubeUnit unit;
    uint8_t crossFlags[16] = {}; // the counters that CrossCoreWaitFlag waits for
    uint8_t crossSet[3][16] = {}; // by mode: how often this core has set a flag that the others have yet to set
    Clock crossed; // what was over when this core last set a flag for others
    Knowledge known;
    Knowledge gathered[3][16]; // by mode: what the cores told that have set a flag of which this one is the first
    Array<Knowledge *> told[16]; // what came with each of the flags that this core has yet to wait for
    uint32_t releases = 0; // how often it has told others
    const LateCopy *carried = nullptr; // the copy that is being done late
    Look looks[64] = {};
    uint64_t progress = 0; // how often it has waited or written to global memory
    Wait wait = Wait::none;
    int waitId = 0;
    int waitBlock = 0;
    Site waitSite = 0;
    Array<Passage> passages;
    Array<LateCopy> late;
    Array<LateProduct *> lateProducts;
    Fiber fiber;
};
extern Core *core;

/// Bytes that were never given a value: `site` is the copy that put them here (0: none did), `origin` where that took
/// its memory, `beside` the last copy that ended where they begin.
struct Unknown {
    uint64_t from, to;
    Site site, origin = 0, beside = 0;
};
/// A stretch of global memory that the kernel is given: a tensor, the workspace, the tiling data, a list of tensors.
struct Argument {
    char name[64];
    char input[256], output[256]; // files; "-" for none
    uint8_t *base = nullptr;
    uint64_t bytes = 0;
    Array<Unknown> *unknown = nullptr; // sorted, apart from each other
    uint64_t shape[16];
    uint32_t axes = 0;
    Page *pages = nullptr; // who used it, since all cores met
    uint32_t overlapSaid = 0, readRaceSaid = 0;
    uint16_t *writers = nullptr; // of an output: which core wrote each 4 bytes last
    bool tiling = false;
    bool isOutput() const { return output[0] && output[0] != '-'; }
};
extern Array<Argument *> arguments;
/// How many bytes past its end an argument's allocation has: it is rounded up to 32 bytes, and has 32 more.
inline uint64_t slackOf(const Argument &argument) { return (argument.bytes + 31) / 32 * 32 + 32 - argument.bytes; }

struct Settings {
    int64_t blocks = 1;
    bool reversed = false;
    bool late = false; // copies are done when something waits for them
    bool saturate = false;
    uint64_t key = 0;
    uint64_t systemWorkspace = 0;
    int cubeOfBlock = 0, vectorOfBlock = 1;
    int cores = 48, cubeCores = 24;
    bool apart = true; // the cube unit and the vector unit are cores of their own
    uint32_t sizes[int(Memory::COUNT)] = {};
    double seconds = 60;
};
extern Settings settings;

// --- memory.cpp
Bank &bankOf(Memory memory);
/// One instruction begins on a pipe; what it touches from here on belongs to it.
void issue(int pipe);
/// A stretch of a tensor is read or written by the instruction that was issued: bounds, life, hazards. Gives its bytes.
uint8_t *touch(const Local &tensor, int64_t offset, uint64_t bytes, bool writes);
/// The same for many stretches of `bytes` at offsets[i]: the checks of bounds are made once, over them all.
uint8_t *begin(const Local &tensor, int64_t lowest, int64_t highest, bool writes);
void touchCells(const Local &tensor, int64_t offset, uint64_t bytes, bool writes);
uint8_t *unknownOf(const Local &tensor);
/// How many bytes of its buffer a tensor has from where it starts; of its memory where it is of no buffer.
uint64_t roomOf(const Local &tensor);
/// Where the memory of a tensor was taken: from its queue, else with InitBuffer.
Site originOf(const Local &tensor);
void requireAligned(const Local &tensor, uint32_t alignment, const char *what);
void joinAll();
/// What is over once all that was issued on a pipe is.
Clock snapshot(int pipe);
void leftOver();
bool anyUnknown(const uint8_t *unknown, uint64_t bytes);

int currentClock();
inline int pipeOfClock(int clock) { return clock == 6 ? int(FIX) : clock; }

// --- printing.cpp
void sayOf(const char *format, va_list values);
/// Writes what the kernel has printed, a line of JSON a call.
void writePrinted(FILE *file);

// --- host.cpp
/// A function of the C library that host.cpp stands before.
template <typename Function> Function systems(const char *name) { return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); }
/// The calls from the kernel's library that led to where this is, innermost first; filled by siteOfStack.
extern Array<Site> frames;
/// The innermost of them, whoever runs now.
Site siteOfStack();
/// Writes what was found and ends the process.
[[noreturn]] void endRun(const char *how);

// --- division.cpp
enum class Divided : uint8_t { not_known, by_zero, wrapped };
/// Lets the integer division that a signal's context stands at have a result, and goes on behind it; `not_known` changes
/// nothing.
Divided passDivision(void *context);

// --- order.cpp
/// A number that says which bytes these are.
uint64_t digest(const uint8_t *bytes, uint64_t count, uint64_t seed);
/// The copy that was issued uses rows of global memory: what it does not wait for is a hazard.
void passGlobal(const Global &tensor, const Rows &rows, int64_t step, bool writes);
/// The copy that was issued moves its bytes when something waits for it.
void postpone(const LateCopy &copy);
/// Moves the bytes of the copy that was issued: now, or when something waits for it.
template <typename F> void carry(bool in, const Local &local, const Global &global, const Rows &rows, int64_t localStep, const F &move)
{
    if (settings.late) postpone({in, local, global, rows, localStep, Move(move)});
    else move();
}
/// Does the copies that `known` says to be over; those that a scalar access meets; all.
void settle(const Clock &known);
void settleAt(const Local &tensor, int64_t offset, uint64_t bytes);
void settleAll();
/// Does what the pipe of the instruction that was issued had to copy before it.
void settlePipe();

// --- matmul.cpp
/// Computes the products that the kernel has still to wait for.
void settleProducts();

// --- global.cpp
void moveIn(const Local &dst, const Global &src, const Rows &rows, bool padded, const Padding &padding);
void moveOut(const Global &dst, const Local &src, const Rows &rows, bool padded);
Argument *argumentAt(const void *address);
/// Bytes from global memory, and which of them were never given a value.
void fetch(uint8_t *to, uint8_t *shadow, const uint8_t *from, uint64_t bytes);
/// Bytes to global memory, as the atomic mode says.
void store(uint8_t *to, const uint8_t *from, const uint8_t *shadow, uint64_t bytes);
void unknownInto(Argument *argument, uint64_t from, uint64_t bytes, uint8_t *shadow);
/// Leaves beside an output's file who wrote which of its bytes, as `execution/writers.py` reads it.
void leaveWriters(const Argument &output);
/// What was written to the outputs and never given a value; what was not written at all.
void finishOutputs();
void sayUnwritten();

// --- races.cpp
/// The core that runs uses bytes of an argument.
void use(Argument *argument, uint64_t from, uint64_t bytes, bool writes, bool isAtomic);
/// Adds to a message what a core knows, and that of its own instructions those in `over` have ended; all of them.
void tell(Knowledge &message, Core &one, const Clock &over);
void tellAll(Knowledge &message, Core &one);
void learn(Core &one, const Knowledge &message);
/// Puts a copy of a message into a box; the core that runs takes the first of its box.
void post(Array<Knowledge *> &box, const Knowledge &message);
void take(Array<Knowledge *> &box);
/// These cores have waited for each other.
void meet(const Array<Core *> &who);
/// The core that runs exchanges, reads or writes the scalar at an address: what scalar atomics there have told it learns,
/// and tells on.
void exchangeAt(const uint8_t *address);
void learnAt(const uint8_t *address);
void tellAt(const uint8_t *address);

// --- polling.cpp
/// Whether a core has waited for what another one wrote to global memory.
extern bool shookHands;
/// The core that runs is about to read bytes of global memory; the line of the data cache at an address.
void look(const uint8_t *from, uint64_t bytes);

// --- main.cpp
void switchAway(Wait wait, int id, int block);
extern Array<Core *> cores;
/// What a core is called in messages; holds until the next but three.
const char *nameOf(const Core &one);
/// Whether the core that runs lacks a memory: what is said of it there does nothing.
bool lacks(Memory memory, uint8_t position);
inline bool lacks(const Local &tensor) { return lacks(tensor.memory, tensor.position); }

/// The name of an element type for messages.
const char *typeName(Type type);
inline uint32_t widthOf(Type type)
{
    switch (type) {
    case Type::f16: case Type::bf16: case Type::i16: case Type::u16: return 2;
    case Type::f32: case Type::i32: case Type::u32: return 4;
    case Type::f64: case Type::i64: case Type::u64: return 8;
    default: return 1;
    }
}

struct Bf16 {
    uint16_t bits;
};
inline float toFloat(Bf16 value)
{
    uint32_t wide = uint32_t(value.bits) << 16;
    float result;
    std::memcpy(&result, &wide, 4);
    return result;
}
inline Bf16 toBf16(float value)
{
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    if ((bits & 0x7fffffff) > 0x7f800000) return {uint16_t((bits >> 16) | 0x40)};
    return {uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}

}

#endif
