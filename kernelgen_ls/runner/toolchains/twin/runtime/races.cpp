// What cores do to the same bytes of global memory: what neither SyncAll nor a flag orders is a race.
//
// A vector clock a core says which instructions of the other cores, pipe by pipe, it knows to have ended; whatever lets
// cores wait for each other carries it. An access that does not know of an earlier one to the same bytes is a race. The
// accesses stand in lists, one for each page of an argument, and what is too much for a list is forgotten: said is only
// what is known.
#include "runtime.h"

namespace kgtwin {

namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint16_t kMostOfPage = 192; // as many take less than the page itself
constexpr size_t kMostCores = 1024;   // of more, no chip runs all at once
enum Kind : uint8_t { kReads = 0, kWrites = 1, kAtomic = 2 };

}

/// A core's use of bytes `from` to `to` of a page.
struct Access {
    uint16_t from, to, core;
    uint8_t pipe, kind;
    uint32_t issued, releases;
    Site site;
    bool exchanges() const { return kind & kAtomic && pipe == S; }
    bool conflicts(const Access &other) const
    {
        // Who reads a scalar that is exchanged looks whether it has changed.
        if ((exchanges() && !(other.kind & kWrites)) || (other.exchanges() && !(kind & kWrites))) return false;
        return (kind | other.kind) & kWrites && !(kind & other.kind & kAtomic);
    }
    /// Whether both were issued with nothing told to other cores in between.
    bool joins(const Access &other) const
    {
        return core == other.core && pipe == other.pipe && kind == other.kind && releases == other.releases && site == other.site;
    }
};

struct Page {
    Access *items;
    uint16_t size, room;
    uint32_t generation;
};

namespace {

uint32_t generation = 1; // goes on when all cores have met
bool tooMany = false;    // cores to tell who knows what of whom

bool knows(const Core &one, const Access &access)
{
    return access.core < one.known.size && one.known[access.core].at[access.pipe] >= access.issued;
}

void say(Argument *argument, uint64_t page, const Access &earlier, const Access &later)
{
    bool reads = !(earlier.kind & later.kind & kWrites);
    uint32_t &said = reads ? argument->readRaceSaid : argument->overlapSaid;
    if (said == generation) return;
    said = generation;
    // The read, or the write of the core of the higher number, whatever came first here.
    bool swapped = reads ? !(earlier.kind & kWrites) : earlier.core > later.core;
    const Access &a = swapped ? later : earlier, &b = swapped ? earlier : later;
    auto at = static_cast<unsigned long long>(page * kPageBytes + (a.from > b.from ? a.from : b.from));
    const char *one = nameOf(*cores[a.core]), *other = nameOf(*cores[b.core]);
    if (reads)
        reportAt(b.site, Tier::error, "block-read-race", {a.site, "the other block writes here"}, "%s reads byte %llu of %s, which %s writes, with no SyncAll and no flag to order them", other, at,
                 argument->name, one);
    else
        reportAt(b.site, Tier::error, "block-overlap", {a.site, "the other block writes here"}, "%s and %s both write byte %llu of %s, without atomics and with no SyncAll and no flag to order them",
                 one, other, at, argument->name);
}

void add(Page &page, const Access &access)
{
    if (page.size == page.room) {
        page.room = page.room ? uint16_t(page.room * 2) : 4;
        page.items = static_cast<Access *>(std::realloc(page.items, page.room * sizeof(Access)));
        if (!page.items) notExecuted("as much memory as this run asks for");
    }
    page.items[page.size++] = access;
}

/// Takes an access into the list of its page: what it races with is said, what it makes needless is forgotten.
void enter(Argument *argument, uint64_t number, Access access)
{
    Page &page = argument->pages[number];
    if (page.generation != generation) page.size = 0;
    page.generation = generation;
    if (page.size + 2 > kMostOfPage) {
        page.size = kMostOfPage / 2;
        memmove(page.items, page.items + kMostOfPage / 2 - 2, page.size * sizeof(Access));
    }
    Access rest{};
    uint16_t kept = 0;
    for (uint16_t i = 0; i < page.size; ++i) {
        Access one = page.items[i];
        if (one.to < access.from || access.to < one.from) {
            page.items[kept++] = one;
            continue;
        }
        if (one.joins(access)) { // one access, and as old as the older: known to others rather too early than too late
            if (one.from < access.from) access.from = one.from;
            if (one.to > access.to) access.to = one.to;
            if (one.issued < access.issued) access.issued = one.issued;
            continue;
        }
        bool meets = one.to > access.from && access.to > one.from;
        if (meets && one.core != access.core && one.conflicts(access) && !knows(*core, one)) say(argument, number, one, access);
        // Who is ordered with a write is so with what came before it; a read stands for the same core's reads alone.
        bool covers = access.kind == kWrites || (one.core == access.core && one.kind == access.kind && one.pipe == access.pipe);
        if (!meets || !covers) {
            page.items[kept++] = one;
            continue;
        }
        if (one.from < access.from) {
            if (one.to > access.to) {
                rest = one;
                rest.from = access.to;
            }
            one.to = access.from;
            page.items[kept++] = one;
        } else if (one.to > access.to) {
            one.from = access.to;
            page.items[kept++] = one;
        }
    }
    page.size = kept;
    add(page, access);
    if (rest.to) add(page, rest);
}

void joinInto(Knowledge &all, const Array<Clock> &more)
{
    if (!all.size) all.resize(cores.size);
    for (size_t i = 0; i < more.size; ++i) all[i].join(more[i]);
}

Clock everythingOf(const Core &one)
{
    Clock clock;
    for (int i = 0; i < kClocks; ++i) clock.at[i] = one.counts[i];
    return clock;
}

/// What the cores have told that exchanged a scalar of global memory.
struct Exchanged {
    const uint8_t *at;
    Knowledge *told;
};
Array<Exchanged> exchanged;
constexpr size_t kMostExchanged = 256;

Knowledge *toldAt(const uint8_t *address)
{
    for (const Exchanged &one : exchanged)
        if (one.at == address) return one.told;
    return nullptr;
}

}

void use(Argument *argument, uint64_t from, uint64_t bytes, bool writes, bool isAtomic)
{
    if (cores.size < 2 || tooMany || !bytes) return;
    if (!argument->pages) argument->pages = static_cast<Page *>(std::calloc(argument->bytes / kPageBytes + 1, sizeof(Page)));
    if (!argument->pages) notExecuted("as much memory as this run asks for");
    const LateCopy *late = core->carried;
    int pipe = late ? late->pipe : currentClock();
    Access access{0, 0, core->number, uint8_t(pipe), uint8_t(writes ? isAtomic ? kWrites | kAtomic : kWrites : kReads), late ? late->issued : core->counts[pipe], core->releases, siteNow()};
    for (uint64_t to = from + bytes; from < to;) {
        uint64_t page = from / kPageBytes, end = (page + 1) * kPageBytes < to ? (page + 1) * kPageBytes : to;
        access.from = uint16_t(from - page * kPageBytes);
        access.to = uint16_t(end - page * kPageBytes);
        enter(argument, page, access);
        from = end;
    }
}

void tell(Knowledge &message, Core &one, const Clock &over)
{
    if (cores.size > kMostCores) tooMany = true;
    if (tooMany) return;
    joinInto(message, one.known);
    message[one.number].join(over);
    ++one.releases;
}

void tellAll(Knowledge &message, Core &one) { tell(message, one, everythingOf(one)); }

void learn(Core &one, const Knowledge &message)
{
    if (!tooMany && message.size) joinInto(one.known, message);
}

void post(Array<Knowledge *> &box, const Knowledge &message)
{
    auto *one = new (std::calloc(1, sizeof(Knowledge)), 0) Knowledge();
    if (message.size) joinInto(*one, message);
    box.add(one);
}

void take(Array<Knowledge *> &box)
{
    if (!box.size) return;
    Knowledge *first = box[0];
    memmove(box.items, box.items + 1, --box.size * sizeof(Knowledge *));
    learn(*core, *first);
    std::free(first->items);
    std::free(first);
}

void meet(const Array<Core *> &who)
{
    if (who.size == cores.size) {
        ++generation;
        return;
    }
    Knowledge all;
    for (size_t i = 0; i < who.size; ++i) tellAll(all, *who[i]);
    for (size_t i = 0; i < who.size; ++i) learn(*who[i], all);
    std::free(all.items);
}

void exchangeAt(const uint8_t *address)
{
    if (cores.size < 2 || tooMany) return;
    if (!toldAt(address)) {
        if (exchanged.size == kMostExchanged) {
            shookHands = true; // who knows what of whom is not followed any more
            return;
        }
        exchanged.add({address, new (std::calloc(1, sizeof(Knowledge)), 0) Knowledge()});
    }
    learnAt(address);
    tellAt(address);
}

void learnAt(const uint8_t *address)
{
    if (const Knowledge *told = toldAt(address)) learn(*core, *told);
}

void tellAt(const uint8_t *address)
{
    if (Knowledge *told = toldAt(address)) tell(*told, *core, snapshot(S));
}

}
