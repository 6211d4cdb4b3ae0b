// Copies within a core: which of them use the same global memory with nothing to order them, and copies done late.
//
// On the device a copy goes on while the core does other things, until a wait for it. A second run takes the other end of
// what is allowed: a copy is checked where it is issued, and moves its bytes when something first waits for it.
#include "runtime.h"

namespace kgtwin {

namespace {

constexpr size_t kMostPassages = 128;

Clock knownTo(int pipe)
{
    Clock clock = core->clocks[pipe];
    clock.join(core->clocks[S]);
    return clock;
}

bool overlap(const Passage &a, const Passage &b)
{
    const Passage &few = a.rows < b.rows ? a : b, &many = a.rows < b.rows ? b : a;
    if (few.from >= many.end() || many.from >= few.end()) return false;
    for (uint32_t row = 0; row < few.rows; ++row) {
        uint64_t from = few.from + row * few.step, to = from + few.bytes;
        if (many.rows == 1 || many.step == 0) {
            if (from < many.from + many.bytes && many.from < to) return true;
            continue;
        }
        // The last row of the other that begins before this one ends.
        if (to <= many.from) continue;
        uint64_t last = (to - 1 - many.from) / many.step;
        if (last >= many.rows) last = many.rows - 1;
        if (many.from + last * many.step + many.bytes > from) return true;
    }
    return false;
}

/// Forgets what every unit that copies knows to be over; where that is not enough, the oldest.
void prune()
{
    static const int copying[] = {MTE2, MTE3, 6};
    size_t kept = 0;
    for (const Passage &one : core->passages) {
        bool over = true;
        for (int pipe : copying)
            if (pipe != one.pipe && core->counts[pipe]) over = over && knownTo(pipe).at[one.pipe] >= one.issued;
        if (!over) core->passages[kept++] = one;
    }
    if (kept >= kMostPassages) {
        size_t dropped = kept / 2;
        for (size_t i = dropped; i < kept; ++i) core->passages[i - dropped] = core->passages[i];
        kept -= dropped;
    }
    core->passages.size = kept;
}

/// What the source of a copy holds now.
uint64_t sourceOf(const LateCopy &one)
{
    uint64_t seed = 1;
    for (uint32_t row = 0; row < one.rows.count; ++row) {
        if (one.in) {
            const uint8_t *from = one.global.base + int64_t(row) * one.rows.srcStep;
            Argument *argument = argumentAt(from);
            if (argument && from >= argument->base && from + one.rows.bytes <= argument->base + argument->bytes) seed = digest(from, one.rows.bytes, seed);
        } else
            seed = digest(bankOf(one.local.memory).bytes + one.local.address + int64_t(row) * one.localStep, one.rows.bytes, seed);
    }
    return seed;
}

/// Who wrote to the source of a copy out that has not been done yet; 0 where that is not known.
Site writerOf(const LateCopy &one)
{
    if (one.in) return 0;
    Bank &bank = bankOf(one.local.memory);
    for (uint64_t at = 0; at < one.rows.bytes; at += 32) {
        const Cell &cell = bank.cells[(one.local.address + at) / 32];
        if (cell.written && cell.writtenAt != one.site) return cell.writtenAt;
    }
    return 0;
}

void carryOut(LateCopy &one)
{
    Front before = core->front;
    int operation = core->atomic;
    Type type = core->atomicType;
    core->carried = &one;
    core->front.depth = 1;
    core->front.site = one.from;
    core->atomic = one.atomic;
    core->atomicType = one.atomicType;
    if (sourceOf(one) != one.source)
        report(Tier::information, "late-copy", {writerOf(one), "the source is written here"}, "what is copied here changes before anything waits for the copy");
    one.move();
    core->carried = nullptr;
    core->front = before;
    core->atomic = operation;
    core->atomicType = type;
}

}

uint64_t digest(const uint8_t *bytes, uint64_t count, uint64_t seed)
{
    for (; count >= 8; count -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        seed = (seed ^ word) * 0x9e3779b97f4a7c15ull;
        seed ^= seed >> 29;
    }
    for (; count; --count) seed = (seed ^ *bytes++) * 0x100000001b3ull;
    return seed;
}

void passGlobal(const Global &tensor, const Rows &rows, int64_t step, bool writes)
{
    Argument *argument = argumentAt(tensor.base);
    if (!argument || tensor.base < argument->base || step < 0) return;
    Passage mine{argument, uint64_t(tensor.base - argument->base), rows.bytes, uint64_t(step), rows.count, currentClock(), writes, core->counts[currentClock()], siteNow()};
    Clock known = knownTo(mine.pipe);
    for (const Passage &one : core->passages) {
        if (one.argument != argument || one.pipe == mine.pipe || !(writes || one.writes) || known.at[one.pipe] >= one.issued || !overlap(one, mine)) continue;
        const char *here = pipeName(pipeOfClock(mine.pipe)), *there = pipeName(pipeOfClock(one.pipe));
        const char *format = writes ? (one.writes ? "%s writes here to %s what %s writes" : "%s writes here to %s what %s reads") : "%s reads here of %s what %s writes";
        char text[200];
        snprintf(text, sizeof(text), format, here, argument->name, there);
        report(Tier::error, "missing-sync", {one.site, "the earlier access"}, "%s, and does not wait for it: HardEvent::%s_%s is neither set nor waited for in between", text, there, here);
        break;
    }
    if (core->passages.size >= kMostPassages) prune();
    core->passages.add(mine);
}

void postpone(const LateCopy &copy)
{
    LateCopy &one = core->late.add(copy);
    one.pipe = currentClock();
    one.issued = core->counts[one.pipe];
    one.site = siteNow();
    one.from = core->front.site;
    one.atomic = core->atomic;
    one.atomicType = core->atomicType;
    one.source = sourceOf(one);
}

void settle(const Clock &known)
{
    if (!core->late.size) return;
    size_t kept = 0;
    for (size_t i = 0; i < core->late.size; ++i) {
        if (known.at[core->late[i].pipe] >= core->late[i].issued) carryOut(core->late[i]);
        else core->late[kept++] = core->late[i];
    }
    core->late.size = kept;
}

void settleAll()
{
    Clock all;
    for (int i = 0; i < kClocks; ++i) all.at[i] = core->counts[i];
    settle(all);
}

void settlePipe()
{
    Clock before;
    before.at[currentClock()] = core->counts[currentClock()];
    settle(before);
}

/// Copies that a scalar access of on-chip memory meets are over: the compiler's automatic synchronisation waits for them.
void settleAt(const Local &tensor, int64_t offset, uint64_t bytes)
{
    if (!core->late.size) return;
    Clock met;
    int64_t from = int64_t(tensor.address) + offset, to = from + int64_t(bytes);
    for (const LateCopy &one : core->late) {
        int64_t start = one.local.address, end = start + int64_t(one.rows.count - 1) * one.localStep + int64_t(one.rows.bytes) + 32;
        if (one.local.memory == tensor.memory && start < to && from < end && met.at[one.pipe] < one.issued) met.at[one.pipe] = one.issued;
    }
    settle(met);
}

}
