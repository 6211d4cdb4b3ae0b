// Folders.
#ifndef KERNELGEN_STD_DIRENT_H
#define KERNELGEN_STD_DIRENT_H
#include <sys/types.h>
struct DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8
#define DT_LNK 10
extern "C" {
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
void rewinddir(DIR *folder);
int closedir(DIR *folder);
int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *), int (*order)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **a, const struct dirent **b);
}
#endif
