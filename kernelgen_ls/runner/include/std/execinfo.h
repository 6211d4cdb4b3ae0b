// Stack traces.
#ifndef KERNELGEN_STD_EXECINFO_H
#define KERNELGEN_STD_EXECINFO_H
extern "C" {
int backtrace(void **to, int size);
char **backtrace_symbols(void *const *from, int size);
void backtrace_symbols_fd(void *const *from, int size, int file);
}
#endif
