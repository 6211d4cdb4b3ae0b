// Jumps out of functions.
#ifndef KERNELGEN_STD_SETJMP_H
#define KERNELGEN_STD_SETJMP_H
typedef long jmp_buf[32];
extern "C" {
int setjmp(jmp_buf place);
[[noreturn]] void longjmp(jmp_buf place, int value);
}
#endif
