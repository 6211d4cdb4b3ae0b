// Waiting for children.
#ifndef KERNELGEN_STD_SYS_WAIT_H
#define KERNELGEN_STD_SYS_WAIT_H
#include <sys/types.h>
#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WTERMSIG(status) ((status) & 0x7f)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0)
extern "C" {
pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);
}
#endif
