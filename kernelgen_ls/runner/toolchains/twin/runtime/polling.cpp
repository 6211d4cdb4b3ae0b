// Cores that wait for each other through global memory: one looks at bytes again and again until another has written them.
//
// A core runs here until it waits for something, so one that looks at the same bytes once more lets the others go on first.
// Where it then finds something new, the two have shaken hands. What that orders is not known: of such a run no race between
// cores is said.
#include "runtime.h"

namespace kgtwin {

bool shookHands = false;

namespace {

constexpr uint32_t kPatience = 4;
constexpr uint64_t kMostBytes = 4096; // a flag of every core, each on a line of its own
constexpr uint64_t kLineBytes = 64;

Look &lookAt(const uint8_t *from, Site site)
{
    const uint64_t key = (uint64_t(from - static_cast<uint8_t *>(nullptr)) << 32 ^ site) * 0x9e3779b97f4a7c15ull;
    return core->looks[key >> 58];
}

}

void look(const uint8_t *from, uint64_t bytes)
{
    if (cores.size < 2 || !bytes || bytes > kMostBytes || core->carried) return;
    const Argument *argument = argumentAt(from);
    if (!argument || argument->tiling || from < argument->base || from + bytes > argument->base + argument->bytes) return;
    const Site site = siteNow();
    Look &one = lookAt(from, site);
    const uint64_t seen = digest(from, bytes, 1);
    const bool again = one.from == from && one.bytes == bytes && one.site == site && one.progress == core->progress;
    if (again && one.seen != seen && one.times >= kPatience) shookHands = true;
    if (!again || one.seen != seen) {
        one = {from, bytes, seen, core->progress, site, 1};
        return;
    }
    if (++one.times < kPatience) return;
    settleProducts(); // all is done at last, whoever waits
    settleAll();
    const uint64_t progress = core->progress;
    switchAway(Wait::none, 0, 0);
    core->progress = progress;
    one.seen = digest(from, bytes, 1);
    if (one.seen != seen) shookHands = true;
}

void lookAtLine(const void *address)
{
    auto *at = static_cast<const uint8_t *>(address);
    const Argument *argument = argumentAt(at);
    if (!argument || at < argument->base || at >= argument->base + argument->bytes) return;
    const uint64_t left = uint64_t(argument->base + argument->bytes - at);
    look(at, left < kLineBytes ? left : kLineBytes);
}

}
