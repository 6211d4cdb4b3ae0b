// A fiber runs a core's code until that waits; one runs at a time, and hands over explicitly.
//
// Where the C library has ucontext it is a stack of its own, else (macOS, where that is deprecated, and musl) a thread
// whose turn it is. KERNELGEN_TWIN_THREADS asks for threads where both could be had.
#ifndef KERNELGEN_TWIN_FIBER_H
#define KERNELGEN_TWIN_FIBER_H

#include <cstdint>
#include <cstdlib>

#if !defined(__GLIBC__) && !defined(KERNELGEN_TWIN_THREADS)
#define KERNELGEN_TWIN_THREADS 1
#endif

#ifdef KERNELGEN_TWIN_THREADS
#include <csetjmp>
#include <pthread.h>
#else
#include <ucontext.h>
#endif

namespace kgtwin {

constexpr size_t kStackBytes = 1 << 20;
constexpr size_t kGuardBytes = 1 << 16;
constexpr size_t kSignalStackBytes = 1 << 18;

struct Fiber {
#ifdef KERNELGEN_TWIN_THREADS
    pthread_t thread;
    pthread_cond_t turn;
    jmp_buf start;
    void (*body)() = nullptr;
#else
    ucontext_t context;
#endif
    void *stack = nullptr; // its guard comes first; null: not begun
};

/// Makes a stack on which `body` runs once the fiber is entered; false where there is no room for another.
bool begin(Fiber &fiber, void (*body)());
/// Runs the fiber until it leaves; called from outside of all of them.
void enter(Fiber &fiber);
/// Goes back to where the fiber was entered, until it is entered again.
void leave(Fiber &fiber);
/// The same for good, from however deep in its body.
[[noreturn]] void end(Fiber &fiber);
/// Gives back the stack of a fiber that has ended.
void release(Fiber &fiber);
/// Whether an address is where a stack that is used up goes on.
bool isBeyondStack(const Fiber &fiber, uintptr_t address);
/// Gives the thread that is running a stack for its signals.
void setSignalStack(void *stack);
/// Whether a signal that is for the whole process was handed on to whom it interrupts: this is another thread.
bool handOn(int signal);

}

#endif
