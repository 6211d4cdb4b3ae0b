// The program that runs a kernel: reads what to launch, gives every core a fiber, and writes what was found.
//
// Its one argument is a file of lines, a word and its values each; `launch.py` writes it. It leaves the outputs in their
// files and the findings in `findings.jsonl`, one a line; the last line says how the run ended.
#include "runtime.h"

#include <csignal>
#include <cstdarg>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

namespace kgtwin {

Front idle; // for what the kernel's library does while it is loaded
Front *front = &idle;
Core *core = nullptr;
Settings settings;
Array<Argument *> arguments;
Array<Core *> cores;

namespace {

constexpr size_t kMostFindings = 200;

struct Finding {
    Tier tier;
    const char *code;
    Site site;
    Related related;
    int64_t block;
    uint64_t times;
    char message[400];
};
Finding findings[kMostFindings];
size_t findingCount = 0;
/// A kernel as it was compiled for one kind of core.
struct Part {
    char path[512];
    void (*entry)(void **);
    uintptr_t base, end;
};
Part parts[2]; // of vector cores, of cube cores
constexpr Site kCubeSites = 1u << 31;
void *given[64];
struct ChainFlag {
    int64_t block;
    int id;
    Knowledge *told;
};
Array<ChainFlag> chain;
int64_t turn = 0;
Knowledge toldInTurn;
char signalStack[kSignalStackBytes];

void writeEscaped(FILE *file, const char *text)
{
    for (; *text; ++text) {
        unsigned char c = static_cast<unsigned char>(*text);
        if (c == '"' || c == '\\') fputc('\\', file);
        if (c >= 0x20 && c < 0x7f) fputc(c, file);
    }
}

void writeRelated(FILE *file, const char *name, Site site, const char *message)
{
    fprintf(file, "\", \"%s_site\": %u, \"%s\": \"", name, site, name);
    writeEscaped(file, message);
}

bool saysRace(const Finding &finding) { return !strcmp(finding.code, "block-read-race") || !strcmp(finding.code, "block-overlap"); }

/// Writes the findings and how the run ended, and ends the process.
[[noreturn]] void finish(const char *end, const char *what, int status)
{
    static const char *const tiers[] = {"error", "warning", "information"};
    FILE *file = fopen("findings.jsonl", "w");
    if (file) {
        for (size_t i = 0; i < findingCount; ++i) {
            const Finding &one = findings[i];
            if (shookHands && saysRace(one)) continue;
            fprintf(file, "{\"severity\": \"%s\", \"code\": \"%s\", \"site\": %u, \"block\": %lld, \"times\": %llu, \"message\": \"",
                    tiers[int(one.tier)], one.code, one.site, static_cast<long long>(one.block), static_cast<unsigned long long>(one.times));
            writeEscaped(file, one.message);
            writeRelated(file, "related", one.related.site, one.related.message);
            writeRelated(file, "other", one.related.otherSite, one.related.otherMessage);
            fprintf(file, "\"}\n");
        }
        writePrinted(file);
        fprintf(file, "{\"end\": \"%s\", \"shook_hands\": %s, \"what\": \"", end, shookHands ? "true" : "false");
        writeEscaped(file, what);
        fprintf(file, "\", \"frames\": [");
        for (size_t i = 0; i < frames.size; ++i) fprintf(file, "%s%u", i ? ", " : "", frames[i]);
        fprintf(file, "]}\n");
        fclose(file);
    }
    fflush(stdout);
#if defined(__linux__)
    syscall(SYS_exit_group, status);
#endif
    _exit(status);
}

void add(Site site, Tier tier, const char *code, Related related, const char *format, va_list values)
{
    for (size_t i = 0; i < findingCount; ++i)
        if (findings[i].site == site && strcmp(findings[i].code, code) == 0) {
            ++findings[i].times;
            return;
        }
    if (findingCount == kMostFindings) return;
    Finding &one = findings[findingCount++];
    one.tier = tier;
    one.code = code;
    one.site = site;
    one.related = related;
    one.block = core ? core->block : -1;
    one.times = 1;
    vsnprintf(one.message, sizeof(one.message), format, values);
}

decltype(&sigaction) systemSigaction = nullptr;

constexpr uint64_t kSystemPage = 4096;

/// The argument that an address lies in or beside.
const Argument *argumentBeside(uintptr_t address)
{
    const Argument *found = nullptr;
    for (const Argument *one : arguments) {
        auto from = reinterpret_cast<uintptr_t>(one->base);
        if (address + kGuardBytes >= from && address < from + one->bytes + kGuardBytes) found = one;
    }
    return found;
}

/// Whether the access that was refused was a write; true where the machine does not say.
bool isWrite([[maybe_unused]] const void *context)
{
#if defined(__x86_64__) && defined(__linux__)
    return static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
    return true;
#endif
}

/// Lets the page of an address be read from now on; what is there was never given a value.
bool openAt(uintptr_t address)
{
    auto *page = reinterpret_cast<uint8_t *>(address / kSystemPage * kSystemPage);
    if (mprotect(page, kSystemPage, PROT_READ | PROT_WRITE)) return false;
    memset(page, 0xff, kSystemPage);
    return true;
}

void onSignal(int number, siginfo_t *info, void *context)
{
    if (number == SIGALRM && handOn(number)) return;
    uintptr_t at = 0;
#if defined(__x86_64__) && defined(__linux__)
    at = static_cast<uintptr_t>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__) && defined(__linux__)
    at = static_cast<uintptr_t>(static_cast<ucontext_t *>(context)->uc_mcontext.pc);
#elif defined(__x86_64__) && defined(__APPLE__)
    at = static_cast<uintptr_t>(static_cast<ucontext_t *>(context)->uc_mcontext->__ss.__rip);
#elif defined(__aarch64__) && defined(__APPLE__)
    at = static_cast<uintptr_t>(static_cast<ucontext_t *>(context)->uc_mcontext->__ss.__pc);
#endif
    // A signal within the handler: first the stack could not be followed, then nothing can be done.
    static int within = 0;
    if (++within > 2) finish("crash", "", 0);
    Site inKernel = siteOf(reinterpret_cast<void *>(at));
    if (number == SIGFPE) {
        Divided divided = inKernel ? passDivision(context) : Divided::not_known;
        if (divided == Divided::not_known) notExecuted("an integer division that has no result");
        if (divided == Divided::by_zero)
            reportAt(inKernel + 1, Tier::warning, "division-by-zero", {},
                     "an integer is divided by zero here: what comes of it on the device is not documented, here it is 0");
        --within;
        return;
    }
    Site site = within > 1 ? siteNow() : siteOfStack();
    if (inKernel) site = inKernel + 1;
    if (number == SIGALRM) {
        reportAt(site, Tier::error, "hang", {}, "the kernel had not ended after %g s: it was here", settings.seconds);
        finish("hang", "", 0);
    }
    auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    if (core && isBeyondStack(core->fiber, address))
        reportAt(site, Tier::error, "crash", {}, "the stack of a core is used up here: %zu bytes", kStackBytes);
    else if (const Argument *beside = argumentBeside(address)) {
        auto start = reinterpret_cast<uintptr_t>(beside->base), end = start + beside->bytes;
        if (address >= end && address < end + slackOf(*beside) && !isWrite(context) && openAt(address)) {
            reportAt(site, Tier::warning, "global-slack", {}, "an address %llu bytes past the end of %s is read here", static_cast<unsigned long long>(address - end), beside->name);
            --within;
            return;
        }
        bool before = address < start;
        reportAt(site, Tier::error, "global-bounds", {}, "an address %llu bytes %s of %s is used here", static_cast<unsigned long long>(before ? start - address : address - end),
                 before ? "before the start" : "past the end", beside->name);
    } else
        reportAt(site, Tier::error, "crash", {}, "the kernel crashes here (signal %d)", number);
    finish("crash", "", 0);
}

void catchSignals()
{
    systemSigaction = systems<decltype(&sigaction)>("sigaction");
    setSignalStack(signalStack);
    struct sigaction action {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    for (int number : caught) systemSigaction(number, &action, nullptr);
}

void startClock()
{
    itimerval timer{};
    timer.it_value.tv_sec = time_t(settings.seconds);
    timer.it_value.tv_usec = suseconds_t((settings.seconds - double(timer.it_value.tv_sec)) * 1e6);
    systems<decltype(&setitimer)>("setitimer")(ITIMER_REAL, &timer, nullptr);
}

/// Memory between pages that nobody may use; it ends where they begin, but for what fills 8 bytes up, or starts there.
/// What it does not fill of its own pages is the same in either case: never given a value.
uint8_t *guarded(uint64_t bytes, bool atEnd)
{
    uint64_t room = (bytes + kSystemPage - 1) / kSystemPage * kSystemPage;
    auto *at = static_cast<uint8_t *>(mmap(nullptr, room + 2 * kGuardBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (at == MAP_FAILED || mprotect(at + kGuardBytes, room ? room : kSystemPage, PROT_READ | PROT_WRITE)) finish("failed", "out of memory", 0);
    uint8_t *first = at + kGuardBytes, *base = first + (atEnd ? (room - bytes) / 8 * 8 : 0);
    memset(first, 0xff, size_t(base - first));
    memset(base + bytes, 0xff, size_t(first + room - (base + bytes)));
    return base;
}

/// What a kernel's own pointers do beyond a tensor is seen where pages begin: behind it in the first schedule, before it
/// in the second. Tiling data are read in whole words, and kernels align what they take of the workspace.
bool endsAtGuard(const Argument &argument)
{
    return !settings.late && !argument.tiling && (argument.input[0] != '-' || argument.isOutput());
}

void load(Argument &argument)
{
    argument.base = guarded(argument.bytes, endsAtGuard(argument));
    argument.unknown = new (std::calloc(1, sizeof(Array<Unknown>)), 0) Array<Unknown>();
    if (argument.input[0] != '-') {
        FILE *file = fopen(argument.input, "rb");
        if (!file || fread(argument.base, 1, argument.bytes, file) != argument.bytes) finish("failed", "an input cannot be read", 0);
        fclose(file);
    } else {
        memset(argument.base, 0xff, argument.bytes);
        if (argument.bytes) argument.unknown->add({0, argument.bytes, 0});
    }
}

/// What a parameter of the kernel is given: the first piece's address, that of a list of all, or what the parameter of the
/// number `first` is given.
struct Parameter {
    size_t first, count;
    bool listed;
    bool same = false;
};
Array<Parameter> parameters;

/// The list behind a dynamic operand: the offset of the addresses in bytes, for each tensor its number and dimensions in
/// one word and then its axes, at last the addresses.
uint8_t *listOf(const Parameter &parameter)
{
    uint64_t words = 1;
    for (size_t i = 0; i < parameter.count; ++i) words += 1 + arguments[parameter.first + i]->axes;
    auto *list = new (std::calloc(1, sizeof(Argument)), 0) Argument();
    list->bytes = (words + parameter.count) * 8;
    snprintf(list->name, sizeof(list->name), "%s", parameter.count ? arguments[parameter.first]->name : "list");
    list->base = guarded(list->bytes, false);
    list->unknown = new (std::calloc(1, sizeof(Array<Unknown>)), 0) Array<Unknown>();
    auto *to = reinterpret_cast<uint64_t *>(list->base);
    *to++ = words * 8;
    for (size_t i = 0; i < parameter.count; ++i) {
        const Argument &one = *arguments[parameter.first + i];
        *to++ = uint64_t(i) << 32 | one.axes;
        for (uint32_t k = 0; k < one.axes; ++k) *to++ = one.shape[k];
    }
    for (size_t i = 0; i < parameter.count; ++i) *to++ = reinterpret_cast<uint64_t>(arguments[parameter.first + i]->base);
    arguments.add(list);
    return list->base;
}

bool readArgument(FILE *file)
{
    auto *one = new (std::calloc(1, sizeof(Argument)), 0) Argument();
    unsigned long long bytes = 0, axis = 0;
    unsigned axes = 0;
    if (fscanf(file, "%63s %llu %255s %255s %u", one->name, &bytes, one->input, one->output, &axes) != 5) return false;
    one->bytes = bytes;
    one->tiling = strcmp(one->input, "tiling.bin") == 0;
    for (unsigned i = 0; i < axes; ++i) {
        if (fscanf(file, "%llu", &axis) != 1) return false;
        if (i < 16) one->shape[one->axes++] = axis;
    }
    arguments.add(one);
    return true;
}

void readLaunch(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) finish("failed", "the launch cannot be read", 0);
    char word[32];
    while (fscanf(file, "%31s", word) == 1) {
        bool good = false;
        unsigned long long number = 0;
        if (!strcmp(word, "library")) good = fscanf(file, "%511s", parts[0].path) == 1;
        else if (!strcmp(word, "cube_library")) good = fscanf(file, "%511s", parts[1].path) == 1;
        else if (!strcmp(word, "argument")) {
            parameters.add({arguments.size, 1, false});
            good = readArgument(file);
        } else if (!strcmp(word, "pieces") || !strcmp(word, "list")) {
            bool listed = word[0] == 'l';
            good = fscanf(file, "%llu", &number) == 1 && number < 65536;
            parameters.add({arguments.size, size_t(number), listed});
            for (unsigned long long i = 0; good && i < number; ++i) good = fscanf(file, "%31s", word) == 1 && readArgument(file);
        } else if (!strcmp(word, "same")) {
            good = fscanf(file, "%llu", &number) == 1 && number < parameters.size;
            parameters.add({size_t(number), 1, false, true});
        } else if (!strcmp(word, "memory")) {
            unsigned which = 0;
            good = fscanf(file, "%u %llu", &which, &number) == 2 && which < unsigned(Memory::COUNT);
            if (good) settings.sizes[which] = uint32_t(number);
        } else if (!strcmp(word, "seconds")) good = fscanf(file, "%lf", &settings.seconds) == 1;
        else {
            good = fscanf(file, "%llu", &number) == 1;
            if (!strcmp(word, "blocks")) settings.blocks = int64_t(number);
            else if (!strcmp(word, "reversed")) settings.reversed = number;
            else if (!strcmp(word, "late")) settings.late = number;
            else if (!strcmp(word, "saturate")) settings.saturate = number;
            else if (!strcmp(word, "key")) settings.key = number;
            else if (!strcmp(word, "cube_of_block")) settings.cubeOfBlock = int(number);
            else if (!strcmp(word, "vector_of_block")) settings.vectorOfBlock = int(number);
            else if (!strcmp(word, "cores")) settings.cores = int(number);
            else if (!strcmp(word, "cube_cores")) settings.cubeCores = int(number);
            else if (!strcmp(word, "apart")) settings.apart = number;
            else if (!strcmp(word, "system_workspace")) settings.systemWorkspace = number;
            else good = false;
        }
        if (!good) finish("failed", "the launch is not as it should be", 0);
    }
    fclose(file);
}

void findEnd(Part &part)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[600];
    part.end = part.base + (256u << 20);
    if (!maps) return;
    part.end = part.base;
    while (fgets(line, sizeof(line), maps)) {
        unsigned long long from = 0, to = 0;
        if (sscanf(line, "%llx-%llx", &from, &to) == 2 && from >= part.base && strstr(line, part.path) && to > part.end) part.end = to;
    }
    fclose(maps);
}

void open(Part &part)
{
    if (!part.path[0]) return;
    void *handle = dlopen(part.path, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) finish("failed", dlerror(), 0);
    part.entry = reinterpret_cast<void (*)(void **)>(dlsym(handle, "kgtwin_entry"));
    Dl_info where;
    if (!part.entry || !dladdr(reinterpret_cast<void *>(part.entry), &where)) finish("failed", "the library has no entry", 0);
    part.base = reinterpret_cast<uintptr_t>(where.dli_fbase);
    findEnd(part);
}

void addCore(int64_t group, int64_t subBlock, bool cube)
{
    auto *one = new (std::calloc(1, sizeof(Core)), 0) Core();
    one->cube = cube;
    one->number = uint16_t(cores.size);
    one->group = group;
    one->subBlock = subBlock;
    one->block = group * (cube ? settings.cubeOfBlock : settings.vectorOfBlock) + subBlock;
    one->control = settings.saturate ? 0 : 1ull << kSaturation;
    one->saturates = settings.saturate;
    if (!parts[cube].entry) finish("failed", "a kind of core has no library", 0);
    cores.add(one);
}

void runBlock()
{
    parts[core->cube].entry(given);
    core->front.depth = 0;
    settleProducts();
    settleAll();
    if (core->atomic)
        reportAt(core->atomicAt, Tier::warning, "atomic-left-on", {}, "the atomic copies that are switched on here are never switched off by SetAtomicNone: the next kernel's copies would be atomic too");
    leftOver();
    core->done = true;
    end(core->fiber);
}

void release(Core &one)
{
    release(one.fiber);
    for (Bank &bank : one.banks) {
        if (!bank.bytes) continue;
        munmap(bank.bytes, bank.room);
        munmap(bank.unknown, bank.room);
        munmap(bank.cells, bank.room / 32 * sizeof(Cell));
        bank = Bank();
    }
}

bool ready(Core &one)
{
    switch (one.wait) {
    case Wait::none: return true;
    case Wait::everybody: return false;
    case Wait::flag: return one.crossFlags[one.waitId] > 0;
    case Wait::chain:
        for (size_t i = 0; i < chain.size; ++i)
            if (chain[i].block == one.waitBlock && chain[i].id == one.waitId) {
                learn(one, *chain[i].told);
                std::free(chain[i].told->items);
                std::free(chain[i].told);
                chain[i] = chain[--chain.size];
                return true;
            }
        return false;
    case Wait::previous: return turn == one.block;
    }
    return true;
}

/// Runs a block until it waits or ends.
void go(Core &one)
{
    core = &one;
    front = &one.front;
    if (one.wait == Wait::flag) --one.crossFlags[one.waitId];
    one.wait = Wait::none;
    if (!one.fiber.stack && !begin(one.fiber, runBlock)) notExecuted("as many blocks at once as this machine has no room for");
    enter(one.fiber);
    core = nullptr;
    if (one.done) release(one);
}

/// How many cores a SyncAll of vector cores alone, or of all cores, waits for.
int64_t coresOf(bool vectorOnly)
{
    int64_t count = 0;
    for (Core *one : cores) count += !vectorOnly || !one->cube;
    return count;
}

void sayWhoWaits()
{
    for (Core *one : cores) {
        if (one->done) continue;
        core = one;
        int64_t ended = 0;
        for (Core *other : cores) ended += other->done && !(one->waitId && other->cube);
        if (one->wait == Wait::everybody)
            reportAt(one->waitSite, Tier::error, "hang", {}, "%s waits here for %d %s, and %lld of %lld ended without coming here", nameOf(*one), one->waitBlock,
                     one->waitId && settings.cubeOfBlock ? "vector cores" : settings.cubeOfBlock ? "cores" : "blocks", static_cast<long long>(ended),
                     static_cast<long long>(coresOf(one->waitId)));
        else if (one->wait == Wait::flag)
            reportAt(one->waitSite, Tier::error, "hang", {}, "%s waits here for flag %d, which the cores that have to set it do not set any more", nameOf(*one), one->waitId);
        else
            reportAt(one->waitSite, Tier::error, "hang", {}, "%s waits here for what no other block sets", nameOf(*one));
    }
    finish("hang", "", 0);
}

/// Lets those go on who wait for each other, where all have come; gives whether they have. `vectorOnly`: SyncAll of vector cores.
bool haveMet(bool vectorOnly)
{
    static Array<Core *> waiting;
    waiting.clear();
    for (Core *one : cores)
        if (!one->done && one->wait == Wait::everybody && bool(one->waitId) == vectorOnly) waiting.add(one);
    if (!waiting.size || int64_t(waiting.size) < waiting[waiting.size - 1]->waitBlock) return false;
    meet(waiting);
    for (Core *one : waiting) one->wait = Wait::none;
    return true;
}

void runAll()
{
    size_t count = cores.size;
    for (;;) {
        bool moved = false;
        size_t ended = 0;
        for (size_t i = 0; i < count; ++i) {
            Core &one = *cores[settings.reversed ? count - 1 - i : i];
            if (!one.done && ready(one)) {
                go(one);
                moved = true;
            }
            ended += one.done;
        }
        if (ended == count) break;
        bool met = haveMet(true);
        met = haveMet(false) || met;
        if (!met && !moved) sayWhoWaits();
    }
}

}

const char *pipeName(int pipe)
{
    static const char *const names[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "ALL", "MTE4", "MTE5", "V2", "FIX"};
    return pipe >= 0 && pipe < PIPES ? names[pipe] : "?";
}

Site siteOf(void *address)
{
    auto at = reinterpret_cast<uintptr_t>(address);
    Dl_info where;
    for (const Part &part : parts) {
        if (!part.base && part.path[0] && dladdr(address, &where) && where.dli_fname && !strcmp(where.dli_fname, part.path))
            return Site(at - reinterpret_cast<uintptr_t>(where.dli_fbase)) | (&part == &parts[1] ? kCubeSites : 0);
        if (at > part.base && at < part.end) return Site(at - part.base) | (&part == &parts[1] ? kCubeSites : 0);
    }
    return 0;
}
Site siteNow() { return core ? siteOf(core->front.site) : 0; }

void report(Tier tier, const char *code, Related related, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add(siteNow(), tier, code, related, format, values);
    va_end(values);
}
void reportAt(Site site, Tier tier, const char *code, Related related, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add(site, tier, code, related, format, values);
    va_end(values);
}

void stop()
{
    core->done = core->failed = true;
    core->front.depth = 0;
    end(core->fiber);
}

void endRun(const char *how) { finish(how, "", 0); }
void notExecuted(const char *what) { finish("not executed", what, 0); }

void trap()
{
    report(Tier::error, "trap", {}, "the kernel stops itself here");
    stop();
}

const char *nameOf(const Core &one)
{
    static char names[4][32];
    static int next = 0;
    char *name = names[next = (next + 1) % 4];
    bool mixed = settings.cubeOfBlock && settings.vectorOfBlock;
    snprintf(name, sizeof(names[0]), "%s %lld", !mixed ? "block" : one.cube ? "cube core" : "vector core", static_cast<long long>(one.block));
    return name;
}

bool lacks(Memory memory, uint8_t position)
{
    constexpr uint8_t TSCM = 13; // what vector code hands to the Matmul object
    if (!settings.apart || memory == Memory::none) return false;
    return core->cube ? memory == Memory::ub : memory != Memory::ub && position != TSCM;
}

void switchAway(Wait wait, int id, int block)
{
    ++core->progress;
    core->wait = wait;
    core->waitId = id;
    core->waitBlock = block;
    core->waitSite = siteNow();
    leave(core->fiber);
}

void syncAll(int64_t used, bool vectorOnly)
{
    settleProducts();
    bool mixed = settings.cubeOfBlock && settings.vectorOfBlock;
    if (core->cube && vectorOnly && mixed) return;
    joinAll();
    if (!vectorOnly && !mixed && settings.apart && !core->cube)
        report(Tier::error, "hang", {}, "SyncAll<false> waits for cube cores, and this kernel runs on vector cores alone: on the device this hangs");
    vectorOnly = settings.vectorOfBlock && (vectorOnly || !settings.cubeOfBlock);
    int64_t all = coresOf(vectorOnly), count = used > 0 && used < all ? used : all;
    int64_t blocks = mixed ? settings.blocks : count, room = settings.cubeOfBlock ? settings.cubeCores : settings.cores;
    if (blocks > room)
        report(Tier::error, "sync-too-many-blocks", {}, "all blocks wait for each other here, and there are %lld blocks on %lld cores: on the device this hangs",
               static_cast<long long>(blocks), static_cast<long long>(room));
    switchAway(Wait::everybody, vectorOnly, int(count));
}
void blockChainSet(int block, int id)
{
    settleProducts();
    joinAll();
    auto *told = new (std::calloc(1, sizeof(Knowledge)), 0) Knowledge();
    tellAll(*told, *core);
    chain.add({block, id, told});
}
void blockChainWait(int block, int id)
{
    settleProducts();
    joinAll();
    switchAway(Wait::chain, id, block);
}
void waitPreviousBlock()
{
    settleProducts();
    joinAll();
    switchAway(Wait::previous, 0, 0);
    learn(*core, toldInTurn);
}
void notifyNextBlock()
{
    settleProducts();
    joinAll();
    tellAll(toldInTurn, *core);
    turn = (turn + 1) % coresOf(true);
}

// Flags between cores. By mode: 0 when all cores of a kind have set it, each of them gets one more; 1 the same with the
// vector cores of a group; 2 a cube core's goes to the vector cores of its group, theirs, once all have set it, to it.
void crossCoreSet(int mode, int pipe, int id)
{
    settleProducts();
    id &= 15;
    if (mode > 2) notExecuted("CrossCoreSetFlag of a mode beyond 2");
    if (pipe == ALL) joinAll();
    Clock over = snapshot(pipe);
    over.join(core->clocks[S]); // whether a scalar's own writes are in the caches yet is not what a flag is blamed for
    core->crossed.join(over);
    settle(over);
    auto takesPart = [&](const Core &one) { return one.cube == core->cube && (mode == 0 || one.group == core->group); };
    bool alone = mode == 2 && core->cube;
    Core *first = core;
    for (size_t i = cores.size; i-- > 0 && !alone;)
        if (takesPart(*cores[i])) first = cores[i];
    Knowledge &message = first->gathered[mode][id];
    tell(message, *core, over);
    if (!alone) {
        ++core->crossSet[mode][id];
        for (Core *one : cores)
            if (takesPart(*one) && !one->crossSet[mode][id]) return;
    }
    for (Core *one : cores) {
        if (!alone && takesPart(*one)) --one->crossSet[mode][id];
        if (mode == 2 ? one->group != core->group || one->cube == core->cube : !takesPart(*one)) continue;
        if (one->crossFlags[id] == 15) {
            report(Tier::error, "cross-core-overflow", {}, "flag %d of %s counts to 15, and is set once more here", id, nameOf(*one));
            continue;
        }
        ++one->crossFlags[id];
        post(one->told[id], message);
    }
}
void crossCoreWait(int id)
{
    settleProducts();
    id &= 15;
    switchAway(Wait::flag, id, 0);
    take(core->told[id]);
    core->clocks[S].join(core->crossed); // whoever answered has waited for what was set
}
void endCore()
{
    settleProducts();
    settleAll();
    core->done = true;
    core->front.depth = 0;
    end(core->fiber);
}

int64_t blockIndex() { return core->block; }
int64_t blockCount() { return settings.blocks; }
int64_t groupIndex() { return core->group; }
int64_t subBlockIndex() { return core->subBlock; }
int64_t subBlockCount() { return taskRatio(); }
int64_t taskRatio() { return core->cube || !settings.cubeOfBlock ? 1 : settings.vectorOfBlock; }
uint64_t tilingKey() { return settings.key; }
int64_t cycles()
{
    static int64_t now = 0;
    return now += 100;
}
uint64_t systemWorkspaceBytes() { return settings.systemWorkspace; }

}

int main(int count, char **words)
{
    using namespace kgtwin;
    if (count != 2) return 64;
    readLaunch(words[1]);
    for (Argument *one : arguments) load(*one);
    if (parameters.size > sizeof(given) / sizeof(given[0])) finish("failed", "an entry function of more than 64 parameters", 0);
    for (size_t i = 0; i < parameters.size; ++i) {
        const Parameter &one = parameters[i];
        given[i] = one.same ? given[one.first] : one.listed ? listOf(one) : one.count ? arguments[one.first]->base : nullptr;
    }
    catchSignals();
    startClock();
    for (Part &part : parts) open(part);
    for (int64_t group = 0; group < settings.blocks; ++group) {
        for (int i = 0; i < settings.cubeOfBlock; ++i) addCore(group, i, true);
        for (int i = 0; i < settings.vectorOfBlock; ++i) addCore(group, i, false);
    }
    runAll();
    finishOutputs();
    bool errors = false;
    for (size_t i = 0; i < findingCount; ++i) errors = errors || findings[i].tier == Tier::error;
    if (!errors) sayUnwritten();
    for (Argument *one : arguments) {
        if (!one->isOutput()) continue;
        FILE *file = fopen(one->output, "wb");
        if (!file || fwrite(one->base, 1, one->bytes, file) != one->bytes) finish("failed", "an output cannot be written", 0);
        fclose(file);
        leaveWriters(*one);
    }
    bool failed = false;
    for (Core *one : cores) failed = failed || one->failed;
    finish(failed ? "stopped" : "done", "", 0);
}
