// Shared libraries.
#ifndef KERNELGEN_STD_DLFCN_H
#define KERNELGEN_STD_DLFCN_H
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_GLOBAL 256
#define RTLD_LOCAL 0
#define RTLD_DEFAULT ((void *)0)
#define RTLD_NEXT ((void *)-1)
typedef struct { const char *dli_fname; void *dli_fbase; const char *dli_sname; void *dli_saddr; } Dl_info;
extern "C" {
void *dlopen(const char *path, int mode);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
char *dlerror();
int dladdr(const void *address, Dl_info *to);
}
#endif
