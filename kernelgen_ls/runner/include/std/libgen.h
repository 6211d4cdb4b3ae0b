// Parts of paths.
#ifndef KERNELGEN_STD_LIBGEN_H
#define KERNELGEN_STD_LIBGEN_H
extern "C" {
char *basename(char *path);
char *dirname(char *path);
}
#endif
