// What a file system has left.
#ifndef KERNELGEN_STD_SYS_STATFS_H
#define KERNELGEN_STD_SYS_STATFS_H
struct statfs { long f_type, f_bsize; unsigned long f_blocks, f_bfree, f_bavail; };
extern "C" int statfs(const char *path, struct statfs *to);
#endif
