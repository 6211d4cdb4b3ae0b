// Which side a function of the library is on, where it is not the host's alone.
#ifndef KERNELGEN_STD_SIDES_H
#define KERNELGEN_STD_SIDES_H
#ifdef KERNELGEN_DEVICE
#define KERNELGEN_BOTH __attribute__((host, device))
#else
#define KERNELGEN_BOTH
#endif
// C's functions. Where kernels are read an entry function may have the name of one: floor(GM_ADDR x, GM_ADDR y).
#ifdef KERNELGEN_DEVICE
#define KERNELGEN_C extern "C++"
#else
#define KERNELGEN_C extern "C"
#endif
// The host's though constexpr, until threads of a SIMT kernel compute it: scalar units have no code for it.
#if defined(KERNELGEN_DEVICE) && defined(__NPU_ARCH__) && __NPU_ARCH__ < 3510
#define KERNELGEN_LIBM __attribute__((host))
#else
#define KERNELGEN_LIBM
#endif
#endif
