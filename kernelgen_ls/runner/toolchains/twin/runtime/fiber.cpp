// Fibers, in both ways: see fiber.h.
#include "fiber.h"
#include "runtime.h"

#include <csignal>
#include <sys/mman.h>

namespace kgtwin {

namespace {

#ifdef KERNELGEN_TWIN_THREADS
constexpr size_t kRoomBytes = kGuardBytes + kStackBytes + kSignalStackBytes;
#else
constexpr size_t kRoomBytes = kGuardBytes + kStackBytes;
#endif

char *stackOf(const Fiber &fiber) { return static_cast<char *>(fiber.stack) + kGuardBytes; }

bool makeStack(Fiber &fiber)
{
    void *room = mmap(nullptr, kRoomBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return false;
    mprotect(room, kGuardBytes, PROT_NONE);
    fiber.stack = room;
    return true;
}

}

bool isBeyondStack(const Fiber &fiber, uintptr_t address)
{
    auto from = reinterpret_cast<uintptr_t>(fiber.stack);
    return from && address >= from && address < from + kGuardBytes;
}

void setSignalStack(void *at)
{
    stack_t stack{};
    stack.ss_sp = at;
    stack.ss_size = kSignalStackBytes;
    systems<decltype(&sigaltstack)>("sigaltstack")(&stack, nullptr);
}

#ifdef KERNELGEN_TWIN_THREADS

namespace {

pthread_mutex_t handing = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t outside = PTHREAD_COND_INITIALIZER;
Fiber *volatile running = nullptr; // whose turn it is; null: of the thread that enters
const pthread_t entering = pthread_self();

void awaitTurn(Fiber &fiber)
{
    while (running != &fiber) pthread_cond_wait(&fiber.turn, &handing);
}

void giveBack()
{
    running = nullptr;
    pthread_cond_signal(&outside);
}

void *runThread(void *given)
{
    Fiber &fiber = *static_cast<Fiber *>(given);
    setSignalStack(stackOf(fiber) + kStackBytes);
    pthread_mutex_lock(&handing);
    awaitTurn(fiber);
    pthread_mutex_unlock(&handing);
    if (!setjmp(fiber.start)) fiber.body();
    pthread_mutex_lock(&handing);
    giveBack();
    pthread_mutex_unlock(&handing);
    return nullptr;
}

}

bool begin(Fiber &fiber, void (*body)())
{
    if (!makeStack(fiber)) return false;
    fiber.body = body;
    pthread_cond_init(&fiber.turn, nullptr);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stackOf(fiber), kStackBytes);
    bool made = systems<decltype(&pthread_create)>("pthread_create")(&fiber.thread, &attributes, runThread, &fiber) == 0;
    pthread_attr_destroy(&attributes);
    return made;
}

void enter(Fiber &fiber)
{
    pthread_mutex_lock(&handing);
    running = &fiber;
    pthread_cond_signal(&fiber.turn);
    while (running) pthread_cond_wait(&outside, &handing);
    pthread_mutex_unlock(&handing);
}

void leave(Fiber &fiber)
{
    pthread_mutex_lock(&handing);
    giveBack();
    awaitTurn(fiber);
    pthread_mutex_unlock(&handing);
}

// A thread that is ended in another way would unwind the kernel's frames.
void end(Fiber &fiber) { longjmp(fiber.start, 1); }

void release(Fiber &fiber)
{
    if (!fiber.stack) return;
    pthread_join(fiber.thread, nullptr);
    pthread_cond_destroy(&fiber.turn);
    munmap(fiber.stack, kRoomBytes);
    fiber.stack = nullptr;
}

bool handOn(int signal)
{
    Fiber *whose = running;
    pthread_t thread = whose ? whose->thread : entering;
    return !pthread_equal(thread, pthread_self()) && pthread_kill(thread, signal) == 0;
}

#else

namespace {
ucontext_t outside;
}

bool begin(Fiber &fiber, void (*body)())
{
    if (!makeStack(fiber)) return false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = stackOf(fiber);
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, body, 0);
    return true;
}

void enter(Fiber &fiber) { swapcontext(&outside, &fiber.context); }
void leave(Fiber &fiber) { swapcontext(&fiber.context, &outside); }

void end(Fiber &fiber)
{
    leave(fiber);
    std::abort();
}

void release(Fiber &fiber)
{
    if (fiber.stack) munmap(fiber.stack, kRoomBytes);
    fiber.stack = nullptr;
}

bool handOn(int) { return false; }

#endif

}
