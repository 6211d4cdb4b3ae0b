// What a kernel does to its process, which on a device it has none of: calls of the operating system that would end the
// run, leave it or outlive it are named at their line and end it. Not a wall, which is the sandbox's: a clear word.
#include "runtime.h"

#include <unwind.h>

namespace kgtwin {

namespace {

constexpr size_t kMostFrames = 16;

_Unwind_Reason_Code visit(_Unwind_Context *context, void *)
{
    Site site = siteOf(reinterpret_cast<void *>(_Unwind_GetIP(context)));
    if (site) frames.add(site);
    return frames.size < kMostFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

}

Array<Site> frames;

Site siteOfStack()
{
    frames.clear();
    _Unwind_Backtrace(visit, nullptr);
    return frames.size ? frames[0] : siteNow();
}

#if defined(__linux__)

namespace {

[[noreturn]] void refuse(const char *name, void *caller)
{
    Site site = siteOf(caller), innermost = siteOfStack();
    reportAt(site ? site : innermost, Tier::error, "crash", {}, "the kernel calls %s of the operating system here, which no device has", name);
    endRun("crash");
}

}

// In the place of the C library's: the dynamic linker looks into a program before it looks into that.
#define REFUSED(name)                                                                                                  \
    extern "C" [[noreturn]] void refused_##name() __asm__(#name);                                                      \
    extern "C" void refused_##name() { refuse(#name, __builtin_return_address(0)); }
REFUSED(exit)
REFUSED(_exit)
REFUSED(_Exit)
REFUSED(quick_exit)
REFUSED(abort)
REFUSED(fork)
REFUSED(vfork)
REFUSED(execve)
REFUSED(execv)
REFUSED(execvp)
REFUSED(execvpe)
REFUSED(execl)
REFUSED(execlp)
REFUSED(execle)
REFUSED(posix_spawn)
REFUSED(posix_spawnp)
REFUSED(system)
REFUSED(popen)
REFUSED(pthread_create)
REFUSED(kill)
REFUSED(killpg)
REFUSED(raise)
REFUSED(signal)
REFUSED(sigaction)
REFUSED(sigprocmask)
REFUSED(pthread_sigmask)
REFUSED(sigaltstack)
REFUSED(setitimer)
REFUSED(alarm)
REFUSED(socket)
#undef REFUSED

// What reaches the C library's own functions to print: calls of printf without values do.
extern "C" int kgtwinPrintf(const char *format, ...) __asm__("printf");
extern "C" int kgtwinCheckedPrintf(int level, const char *format, ...) __asm__("__printf_chk");
extern "C" int kgtwinPuts(const char *text) __asm__("puts");
extern "C" int kgtwinPutchar(int letter) __asm__("putchar");

extern "C" int kgtwinPrintf(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    sayOf(format, values);
    va_end(values);
    return 0;
}
extern "C" int kgtwinCheckedPrintf(int, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    sayOf(format, values);
    va_end(values);
    return 0;
}
extern "C" int kgtwinPuts(const char *text)
{
    say("%s\n", text);
    return 0;
}
extern "C" int kgtwinPutchar(int letter)
{
    say("%c", letter);
    return letter;
}

#endif

}
