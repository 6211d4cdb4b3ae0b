// On-chip memory: buffers and their lives, queues, events, and what each 32 bytes were last used by.
//
// A vector clock a pipe says which instructions of the others it knows to have ended: the scalar unit issues in order,
// a pipe works in order, an event carries the source's clock to its target. An access that does not know of an earlier
// one to the same 32 bytes is a hazard.
#include "runtime.h"

#include <sys/mman.h>

namespace kgtwin {

namespace {

int current = S;

Memory memoryOf(uint8_t position)
{
    // In the order of TPosition.
    static const Memory memories[] = {Memory::none, Memory::l1, Memory::l0a, Memory::l1, Memory::l0b, Memory::l1, Memory::bias, Memory::l0c,
                                      Memory::ub, Memory::ub, Memory::ub, Memory::ub, Memory::l1, Memory::l1, Memory::fix, Memory::fix};
    return position < sizeof(memories) ? memories[position] : Memory::none;
}
const char *memoryName(Memory memory)
{
    static const char *const names[] = {"no memory", "the unified buffer", "L1", "L0A", "L0B", "L0C", "the bias table", "the fixpipe buffer"};
    return names[int(memory)];
}
enum Position : uint8_t { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, SPM, TSCM };

/// Which pipe fills a queue's tensors.
int producer(const Queue &queue)
{
    switch (queue.from) {
    case GM: case VECIN: case A1: case B1: case C1: return MTE2;
    case A2: case B2: case C2: return MTE1;
    case CO1: return M;
    default: return V;
    }
}
/// Which pipe empties a queue's tensors.
int consumer(const Queue &queue)
{
    switch (queue.to) {
    case VECIN: case VECCALC: return V;
    case VECOUT: case CO2: return MTE3;
    case A1: case B1: case C1: case TSCM: return MTE1;
    case A2: case B2: case C2: return M;
    case CO1: return FIX;
    default: return V;
    }
}

uint8_t *pages(size_t bytes)
{
    void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) notExecuted("as much memory as this run asks for");
    return static_cast<uint8_t *>(at);
}

uint32_t take(Memory memory, uint32_t bytes, uint16_t pool)
{
    bytes = (bytes + 31) / 32 * 32;
    if (pool) {
        Pool &one = core->pools[pool - 1];
        uint32_t at = one.start + one.used;
        if (one.used + bytes > one.bytes) report(Tier::error, "pool-full", {}, "the pool has %u bytes, %u of them are taken: %u more do not fit", one.bytes, one.used, bytes);
        one.used += bytes;
        return at;
    }
    Bank &bank = bankOf(memory);
    uint32_t at = bank.used;
    bank.used += bytes;
    if (at <= bank.size && bank.used > bank.size)
        report(Tier::warning, "memory-over-budget", {}, "%s has %u bytes and %u are taken with this buffer", memoryName(memory), bank.size, bank.used);
    return at;
}

uint16_t addBuffer(uint8_t position, uint32_t address, uint32_t bytes, uint16_t queue)
{
    Buffer one;
    one.memory = memoryOf(position);
    one.position = position;
    one.address = address;
    one.bytes = (bytes + 31) / 32 * 32;
    one.queue = queue;
    one.initAt = siteNow();
    if (queue == 0) one.state = State::handed;
    core->buffers.add(one);
    if (core->buffers.size == 65) report(Tier::warning, "too-many-buffers", {}, "a kernel has at most 64 buffers: this is the 65th");
    return uint16_t(core->buffers.size);
}

Queue &queueAt(uint16_t queue)
{
    if (queue == 0 || queue > core->queues.size) {
        report(Tier::error, "queue-not-initialised", {}, "InitBuffer was not called for this queue");
        stop();
    }
    return core->queues[queue - 1];
}

/// The buffer of a tensor that a queue is handed; nothing where the tensor is of no queue.
Buffer *bufferOf(const Local &tensor)
{
    return tensor.buffer && tensor.buffer <= core->buffers.size ? &core->buffers[tensor.buffer - 1] : nullptr;
}

void give(const Buffer &buffer, uint16_t number, Local &tensor)
{
    tensor.memory = buffer.memory;
    tensor.position = buffer.position;
    tensor.buffer = number;
    tensor.generation = buffer.generation;
    tensor.address = buffer.address;
    tensor.count = tensor.width ? buffer.bytes / tensor.width : 0;
}

void hazard(const Cell &cell, int other, bool writes, bool earlierWrote)
{
    static const int pipes[] = {S, V, M, MTE1, MTE2, MTE3, FIX, PIPES};
    const char *mine = pipeName(pipes[current]), *theirs = pipeName(pipes[other]);
    Site at = earlierWrote ? cell.writtenAt : cell.readAt[other];
    bool scalar = current == S || other == S;
    const char *does = writes ? (earlierWrote ? "writes here what %s writes" : "writes here what %s reads") : "reads here what %s writes";
    char text[200];
    snprintf(text, sizeof(text), does, theirs);
    if (!scalar)
        report(Tier::error, "missing-sync", {at, "the earlier access"}, "%s %s, and does not wait for it: HardEvent::%s_%s is neither set nor waited for in between",
               mine, text, theirs, mine);
    else
        report(Tier::information, "missing-sync-mended", {at, "the earlier access"}, "%s %s, and does not wait for it: --cce-auto-sync inserts HardEvent::%s_%s, nothing else does",
               mine, text, theirs, mine);
}

}

Bank &bankOf(Memory memory)
{
    Bank &bank = core->banks[int(memory)];
    if (!bank.bytes && memory != Memory::none) {
        bank.size = settings.sizes[int(memory)];
        bank.room = (bank.size + 4096 + 4095) / 4096 * 4096;
        bank.bytes = pages(bank.room);
        bank.unknown = pages(bank.room);
        bank.cells = reinterpret_cast<Cell *>(pages(bank.room / 32 * sizeof(Cell)));
        memset(bank.bytes, 0xff, bank.size);
        memset(bank.unknown, 0xff, bank.size);
    }
    return bank;
}

namespace {

/// What the scalar unit has waited for is over for the instructions it issues from here on; its own writes need not be.
void passOn(Clock &clock)
{
    uint32_t own = clock.at[S];
    clock.join(core->clocks[S]);
    clock.at[S] = own;
}

}

void issue(int pipe)
{
    current = clockOf(pipe);
    Clock &mine = core->clocks[current];
    passOn(mine);
    mine.at[current] = ++core->counts[current];
}

Clock snapshot(int pipe)
{
    Clock clock = core->clocks[clockOf(pipe)];
    if (pipe != S) passOn(clock);
    return clock;
}

void joinAll()
{
    Clock all;
    for (int i = 0; i < kClocks; ++i) {
        all.join(core->clocks[i]);
        if (core->counts[i] > all.at[i]) all.at[i] = core->counts[i];
    }
    core->clocks[S] = all;
    core->passages.clear();
    settle(all);
}

int currentClock() { return current; }

uint8_t *begin(const Local &tensor, int64_t lowest, int64_t highest, bool writes)
{
    if (tensor.memory == Memory::none) {
        report(Tier::error, "tensor-without-memory", {}, "this tensor has no memory: it was not taken from a queue or a buffer");
        stop();
    }
    Bank &bank = bankOf(tensor.memory);
    int64_t from = int64_t(tensor.address) + lowest, to = int64_t(tensor.address) + highest;
    const char *verb = writes ? "written" : "read";
    if (Buffer *buffer = bufferOf(tensor)) {
        if (buffer->queue) {
            if (buffer->generation != tensor.generation || buffer->state == State::idle)
                report(Tier::error, "use-after-free", {buffer->freeAt, "it is freed here"}, "this tensor is %s after FreeTensor", verb);
            else if (buffer->state == State::queued)
                report(Tier::error, "use-while-queued", {buffer->enqueAt, "it is handed to the queue here"}, "this tensor is %s between EnQue and DeQue", verb);
        }
        if (highest > lowest && (from < buffer->address || to > int64_t(buffer->address) + buffer->bytes)) {
            int64_t over = from < buffer->address ? buffer->address - from : to - (int64_t(buffer->address) + buffer->bytes);
            report(Tier::error, "buffer-bounds", {buffer->initAt, "the buffer gets its length here"}, "%lld bytes %s the buffer of %u bytes are %s",
                   static_cast<long long>(over), from < buffer->address ? "before" : "past the end of", buffer->bytes, verb);
        }
    }
    if (tensor.end && to > tensor.end)
        report(Tier::warning, "tensor-bounds", {}, "%lld bytes past the end of this tensor, which was placed with so many elements, are %s", static_cast<long long>(to - tensor.end), verb);
    if (from < 0 || to > bank.size) {
        report(Tier::error, "memory-bounds", {}, "%s has %u bytes: byte %lld of it is %s", memoryName(tensor.memory), bank.size,
               static_cast<long long>(from < 0 ? from : to - 1), verb);
        stop();
    }
    return bank.bytes + tensor.address;
}

void touchCells(const Local &tensor, int64_t offset, uint64_t bytes, bool writes)
{
    if (!bytes) return;
    Bank &bank = core->banks[int(tensor.memory)];
    uint64_t from = uint64_t(int64_t(tensor.address) + offset);
    Cell *cell = bank.cells + from / 32, *last = bank.cells + (from + bytes - 1) / 32;
    const Clock &known = core->clocks[current];
    uint32_t now = core->counts[current];
    Site site = siteNow();
    for (; cell <= last; ++cell) {
        if (cell->written && cell->writer != current && known.at[cell->writer] < cell->written) hazard(*cell, cell->writer, writes, true);
        if (writes) {
            if (cell->readers & ~(1u << current))
                for (int i = V; i < kClocks; ++i) // what the scalar unit has read it has: it reads in order
                    if (i != current && (cell->readers >> i & 1) && known.at[i] < cell->read[i]) hazard(*cell, i, true, false);
            cell->written = now;
            cell->writer = uint8_t(current);
            cell->writtenAt = site;
            cell->readers = 0;
        } else {
            cell->readers |= uint8_t(1u << current);
            cell->read[current] = now;
            cell->readAt[current] = site;
        }
    }
}

uint8_t *touch(const Local &tensor, int64_t offset, uint64_t bytes, bool writes)
{
    uint8_t *base = begin(tensor, offset, offset + int64_t(bytes), writes);
    touchCells(tensor, offset, bytes, writes);
    return base + offset;
}

uint8_t *unknownOf(const Local &tensor) { return core->banks[int(tensor.memory)].unknown + tensor.address; }

bool anyUnknown(const uint8_t *unknown, uint64_t bytes)
{
    for (; bytes >= 8; bytes -= 8, unknown += 8) {
        uint64_t word;
        memcpy(&word, unknown, 8);
        if (word) return true;
    }
    for (; bytes; --bytes)
        if (*unknown++) return true;
    return false;
}

uint64_t roomOf(const Local &tensor)
{
    const Buffer *buffer = bufferOf(tensor);
    uint64_t end = buffer ? uint64_t(buffer->address) + buffer->bytes : tensor.memory == Memory::none ? 0 : bankOf(tensor.memory).size;
    return tensor.address < end ? end - tensor.address : 0;
}

Site originOf(const Local &tensor)
{
    const Buffer *buffer = bufferOf(tensor);
    return !buffer ? 0 : buffer->queue ? buffer->allocAt : buffer->initAt;
}

void requireAligned(const Local &tensor, uint32_t alignment, const char *what)
{
    if (tensor.address % alignment)
        report(Tier::error, "misaligned", {}, "%s starts at byte %u of %s, which is no multiple of %u", what, tensor.address, memoryName(tensor.memory), alignment);
}

// --- Events ----------------------------------------------------------------------------------------------------------

void setFlag(int from, int to, int id)
{
    if (id < 0 || id > 7) {
        report(Tier::error, "event-id", {}, "the event %d is none of the 8 there are", id);
        return;
    }
    Flag &flag = core->flags[clockOf(from)][clockOf(to)][id];
    if (flag.set) report(Tier::error, "flag-set-twice", {flag.at, "it is set here before"}, "the event %d of %s_%s is set twice without a wait in between", id, pipeName(from), pipeName(to));
    flag.set = true;
    flag.at = siteNow();
    flag.clock = snapshot(from);
}

void waitFlag(int from, int to, int id)
{
    if (id < 0 || id > 7) {
        report(Tier::error, "event-id", {}, "the event %d is none of the 8 there are", id);
        return;
    }
    Flag &flag = core->flags[clockOf(from)][clockOf(to)][id];
    if (!flag.set) {
        report(Tier::error, "wait-without-set", {}, "nothing has set the event %d of %s_%s: on the device this hangs", id, pipeName(from), pipeName(to));
        return;
    }
    flag.set = false;
    core->clocks[clockOf(to)].join(flag.clock);
    settle(flag.clock);
}

void pipeBarrier(int pipe)
{
    if (pipe == ALL) joinAll();
}

int fetchEvent(int from, int to)
{
    for (int id = 0; id < 8; ++id)
        if (!core->flags[clockOf(from)][clockOf(to)][id].set && !(core->reserved[clockOf(from)][clockOf(to)] >> id & 1)) return id;
    report(Tier::error, "event-id", {}, "all 8 events of %s_%s are in use", pipeName(from), pipeName(to));
    return 0;
}
int allocEvent(int from, int to)
{
    int id = fetchEvent(from, to);
    core->reserved[clockOf(from)][clockOf(to)] |= uint8_t(1u << id);
    return id;
}
void releaseEvent(int from, int to, int id)
{
    if (id >= 0 && id < 8) core->reserved[clockOf(from)][clockOf(to)] &= uint8_t(~(1u << id));
}

// --- Buffers and queues ----------------------------------------------------------------------------------------------

void *currentPipe() { return core->pipe; }

void pipeReset()
{
    for (Buffer &one : core->buffers) {
        one.state = State::idle;
        ++one.generation;
        one.freeAt = siteNow();
    }
    for (Bank &bank : core->banks) bank.used = 0;
    for (uint32_t &one : core->allocated) one = 0;
    joinAll();
}

void pipeBegin(void *pipe)
{
    if (core->pipe) pipeReset();
    core->pipe = pipe;
}

void pipeEnd(void *pipe)
{
    if (core->pipe != pipe) return;
    leftOver();
    pipeReset();
    core->pipe = nullptr;
}

void leftOver()
{
    for (Buffer &one : core->buffers) {
        if (!one.queue) continue;
        if (one.state == State::queued)
            reportAt(one.enqueAt, Tier::error, "tensor-left-in-queue", {one.initAt, "the queue", one.allocAt, "the tensor is taken here"}, "the tensor that is handed on here is never taken out of the queue");
        else if (one.state != State::idle)
            reportAt(one.allocAt, Tier::error, "tensor-leaked", {one.initAt, "the queue", one.dequeAt, "it is taken out of the queue here"}, "the tensor that is taken here is never given back by FreeTensor");
        one.state = State::idle;
    }
    for (int from = 0; from < kClocks; ++from)
        for (int to = 0; to < kClocks; ++to)
            for (Flag &flag : core->flags[from][to]) {
                if (flag.set) reportAt(flag.at, Tier::warning, "flag-left-set", {}, "nothing waits for the event that is set here: the next kernel finds it set");
                flag.set = false;
            }
}

uint16_t initQueue(uint8_t from, uint8_t to, uint32_t number, uint32_t bytes, uint16_t pool)
{
    Queue one;
    one.from = from;
    one.to = to;
    one.number = uint16_t(number > 64 ? 64 : number);
    one.first = uint16_t(core->buffers.size + 1);
    one.initAt = siteNow();
    core->queues.add(one);
    auto id = uint16_t(core->queues.size);
    uint8_t place = to == TSCM ? to : from; // TSCM's other position is where its data come from
    for (uint32_t i = 0; i < one.number; ++i) addBuffer(place, take(memoryOf(place), bytes, pool), bytes, id);
    return id;
}

uint16_t initBuffer(uint8_t position, uint32_t bytes, uint16_t pool)
{
    return addBuffer(position, take(memoryOf(position), bytes, pool), bytes, 0);
}

uint16_t initPool(uint8_t position, uint32_t bytes, uint16_t pool)
{
    Pool one;
    one.memory = memoryOf(position);
    one.bytes = (bytes + 31) / 32 * 32;
    one.start = take(one.memory, bytes, pool);
    core->pools.add(one);
    return uint16_t(core->pools.size);
}

uint16_t sharePool(uint16_t pool, uint32_t bytes)
{
    if (!pool) notExecuted("a pool that shares a buffer");
    Pool one = core->pools[pool - 1];
    one.used = 0;
    one.bytes = (bytes + 31) / 32 * 32;
    core->pools.add(one);
    return uint16_t(core->pools.size);
}

void resetPool(uint16_t pool)
{
    if (!pool) return;
    Pool &one = core->pools[pool - 1];
    one.used = 0;
    for (Buffer &buffer : core->buffers)
        if (buffer.memory == one.memory && buffer.address >= one.start && buffer.address < one.start + one.bytes) {
            buffer.state = State::idle;
            ++buffer.generation;
        }
    joinAll();
}

void allocTensor(uint16_t number, Local &tensor)
{
    Queue &queue = queueAt(number);
    for (uint32_t i = 0; i < queue.number; ++i) {
        auto id = uint16_t(queue.first + (queue.next + i) % queue.number);
        Buffer &buffer = core->buffers[id - 1];
        if (buffer.state != State::idle) continue;
        queue.next = (queue.next + i + 1) % queue.number;
        buffer.state = State::taken;
        ++buffer.generation;
        buffer.allocAt = siteNow();
        buffer.dequeAt = 0;
        core->clocks[clockOf(producer(queue))].join(buffer.freed);
        settle(buffer.freed);
        give(buffer, id, tensor);
        Bank &bank = bankOf(buffer.memory);
        if (buffer.address + buffer.bytes <= bank.size) {
            memset(bank.bytes + buffer.address, 0xff, buffer.bytes);
            memset(bank.unknown + buffer.address, 0xff, buffer.bytes);
        }
        if (++core->allocated[buffer.position & 31] == 9)
            report(Tier::warning, "too-many-tensors", {}, "this is the 9th tensor of its position that is taken at once: the device has events for 8");
        return;
    }
    Buffer &first = core->buffers[queue.first - 1];
    report(Tier::error, "queue-empty", {queue.number ? first.allocAt : queue.initAt, queue.number ? "a buffer is taken here and not given back" : "the queue", queue.number ? first.dequeAt : 0, "it is taken out of the queue here"},
           "all %u buffers of this queue are in use: on the device AllocTensor waits for ever", unsigned(queue.number));
    stop();
}

void freeTensor(uint16_t number, const Local &tensor)
{
    Queue &queue = queueAt(number);
    Buffer *buffer = bufferOf(tensor);
    if (!buffer || !buffer->queue) {
        report(Tier::error, "free-of-foreign-tensor", {}, "this tensor was not taken from a queue");
        return;
    }
    if (buffer->queue != number)
        report(Tier::error, "free-of-foreign-tensor", {buffer->allocAt, "it is taken here"}, "this tensor was taken from another queue, which goes on waiting for it");
    if (buffer->generation != tensor.generation || buffer->state == State::idle) {
        report(Tier::error, "double-free", {buffer->freeAt, "it is freed here"}, "this tensor was given back before");
        return;
    }
    if (buffer->state == State::queued) {
        report(Tier::error, "free-while-queued", {buffer->enqueAt, "it is handed to the queue here"}, "this tensor is given back while it waits in its queue");
        for (uint32_t i = queue.head; i != queue.tail; ++i)
            if (queue.waiting[i % 64] == tensor.buffer) {
                for (; i + 1 != queue.tail; ++i) queue.waiting[i % 64] = queue.waiting[(i + 1) % 64];
                --queue.tail;
                break;
            }
    }
    buffer->state = State::idle;
    buffer->freeAt = siteNow();
    buffer->freed = snapshot(consumer(queue));
    if (core->allocated[buffer->position & 31]) --core->allocated[buffer->position & 31];
}

void enqueTensor(uint16_t number, const Local &tensor)
{
    Queue &queue = queueAt(number);
    Buffer *buffer = bufferOf(tensor);
    if (!buffer || !buffer->queue) {
        report(Tier::error, "enque-of-foreign-tensor", {}, "this tensor was not taken from a queue");
        stop();
    }
    if (buffer->generation != tensor.generation || buffer->state == State::idle) {
        report(Tier::error, "use-after-free", {buffer->freeAt, "it is freed here"}, "this tensor is handed to a queue after FreeTensor");
        return;
    }
    if (buffer->queue != number)
        report(Tier::warning, "enque-of-foreign-tensor", {buffer->allocAt, "it is taken here"}, "this tensor was taken from another queue: what waits for it there is not what fills it");
    if (buffer->state == State::queued) {
        report(Tier::error, "enque-twice", {buffer->enqueAt, "it is handed to the queue here"}, "this tensor waits in the queue already");
        return;
    }
    buffer->state = State::queued;
    buffer->enqueAt = siteNow();
    buffer->enqueued = snapshot(producer(queue));
    queue.waiting[queue.tail++ % 64] = tensor.buffer;
}

void dequeTensor(uint16_t number, Local &tensor)
{
    Queue &queue = queueAt(number);
    if (queue.head == queue.tail) {
        Site kept = 0;
        for (uint16_t i = 0; i < queue.number; ++i)
            if (core->buffers[queue.first - 1 + i].state == State::taken) kept = core->buffers[queue.first - 1 + i].allocAt;
        report(Tier::error, "deque-of-empty-queue", {queue.initAt, "the queue", kept, "the tensor that is taken here is not handed on"}, "nothing was handed to this queue: on the device DeQue waits for ever");
        stop();
    }
    uint16_t id = queue.waiting[queue.head++ % 64];
    Buffer &buffer = core->buffers[id - 1];
    buffer.state = State::handed;
    buffer.dequeAt = siteNow();
    core->clocks[clockOf(consumer(queue))].join(buffer.enqueued);
    settle(buffer.enqueued);
    give(buffer, id, tensor);
}

int32_t queuedTensors(uint16_t number)
{
    Queue &queue = queueAt(number);
    return int32_t(queue.tail - queue.head);
}

bool idleBuffer(uint16_t number)
{
    Queue &queue = queueAt(number);
    for (uint32_t i = 0; i < queue.number; ++i)
        if (core->buffers[queue.first - 1 + i].state == State::idle) return true;
    return false;
}

uint32_t bufferBytes(uint16_t buffer) { return buffer ? core->buffers[buffer - 1].bytes : 0; }

void bufferTensor(uint16_t number, Local &tensor, uint32_t offset, int64_t count)
{
    if (!number) {
        report(Tier::error, "queue-not-initialised", {}, "InitBuffer was not called for this buffer");
        stop();
    }
    Buffer &buffer = core->buffers[number - 1];
    give(buffer, number, tensor);
    tensor.address += offset;
    if (count >= 0) {
        tensor.count = uint32_t(count);
        if (offset + uint64_t(count) * tensor.width > buffer.bytes)
            report(Tier::warning, "tensor-beyond-buffer", {buffer.initAt, "the buffer gets its length here"}, "a tensor of %llu bytes is taken from a buffer of %u",
                   static_cast<unsigned long long>(offset + uint64_t(count) * tensor.width), buffer.bytes);
    }
}

void placeTensor(uint8_t position, uint32_t address, uint32_t count, Local &tensor)
{
    tensor.memory = memoryOf(position);
    tensor.position = position;
    tensor.address = address;
    tensor.count = count;
    tensor.end = count ? address + (uint32_t(uint64_t(count) * tensor.width) + 31) / 32 * 32 : 0;
    Bank &bank = bankOf(tensor.memory);
    uint64_t end = address + uint64_t(count) * tensor.width;
    // How large the two small memories beside the cube unit are no public page says.
    if (bank.size && end > bank.size && tensor.memory != Memory::bias && tensor.memory != Memory::fix)
        report(Tier::warning, "memory-over-budget", {}, "%s has %u bytes, and this tensor ends at byte %llu", memoryName(tensor.memory), bank.size, static_cast<unsigned long long>(end));
}

void restOfMemory(uint8_t position, Local &tensor)
{
    Bank &bank = bankOf(memoryOf(position));
    uint32_t used = (bank.used + 31) / 32 * 32;
    placeTensor(position, used, used < bank.size ? (bank.size - used) / tensor.width : 0, tensor);
}

uint8_t *hostAddress(const Local &tensor, int64_t offset)
{
    settleAll();
    return bankOf(tensor.memory).bytes + tensor.address + offset * tensor.width;
}

void readScalar(const Local &tensor, int64_t offset, void *value)
{
    if (lacks(tensor)) {
        memset(value, 0, tensor.width);
        return;
    }
    issue(S);
    uint8_t *at = touch(tensor, offset * tensor.width, tensor.width, false);
    settleAt(tensor, offset * tensor.width, tensor.width);
    if (anyUnknown(unknownOf(tensor) + offset * tensor.width, tensor.width))
        report(Tier::error, "uninitialised-scalar", {}, "element %lld was never given a value, and is read here", static_cast<long long>(offset));
    memcpy(value, at, tensor.width);
}

void writeScalar(const Local &tensor, int64_t offset, const void *value)
{
    if (lacks(tensor)) return;
    issue(S);
    uint8_t *at = touch(tensor, offset * tensor.width, tensor.width, true);
    settleAt(tensor, offset * tensor.width, tensor.width);
    memcpy(at, value, tensor.width);
    memset(unknownOf(tensor) + offset * tensor.width, 0, tensor.width);
}

uint8_t *scalarReference(const Local &tensor, int64_t offset)
{
    issue(S);
    uint8_t *at = touch(tensor, offset * tensor.width, tensor.width, true);
    settleAt(tensor, offset * tensor.width, tensor.width);
    memset(unknownOf(tensor) + offset * tensor.width, 0, tensor.width);
    return at;
}

}
