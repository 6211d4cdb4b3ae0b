// Files and processes of the system.
#ifndef KERNELGEN_STD_UNISTD_H
#define KERNELGEN_STD_UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
extern "C" {
extern char **environ;
extern char *optarg;
extern int optind, opterr, optopt;
int access(const char *path, int mode);
unsigned alarm(unsigned seconds);
int chdir(const char *path);
int chown(const char *path, uid_t owner, gid_t group);
int close(int file);
int dup(int file);
int dup2(int file, int as);
int execl(const char *path, const char *argument, ...);
int execv(const char *path, char *const arguments[]);
int execvp(const char *name, char *const arguments[]);
[[noreturn]] void _exit(int code);
pid_t fork();
int fsync(int file);
int ftruncate(int file, off_t size);
char *getcwd(char *to, size_t size);
uid_t getuid();
uid_t geteuid();
gid_t getgid();
int gethostname(char *to, size_t size);
int getopt(int count, char *const arguments[], const char *options);
int getpagesize();
pid_t getpid();
pid_t getppid();
int isatty(int file);
int link(const char *from, const char *to);
off_t lseek(int file, off_t offset, int from);
int pause();
int pipe(int files[2]);
ssize_t pread(int file, void *to, size_t bytes, off_t offset);
ssize_t pwrite(int file, const void *from, size_t bytes, off_t offset);
ssize_t read(int file, void *to, size_t bytes);
ssize_t readlink(const char *path, char *to, size_t size);
int rmdir(const char *path);
int setuid(uid_t user);
unsigned sleep(unsigned seconds);
int symlink(const char *target, const char *path);
void sync();
long syscall(long number, ...);
long sysconf(int name);
int truncate(const char *path, off_t size);
int unlink(const char *path);
int usleep(useconds_t microseconds);
ssize_t write(int file, const void *from, size_t bytes);
}
#endif
