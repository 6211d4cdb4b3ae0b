// The device has no heap: operators whose use is an error there, and the host's where the host uses them.
#ifndef KERNELGEN_ASCENDC_HEAP_H
#define KERNELGEN_ASCENDC_HEAP_H

#ifdef KERNELGEN_DEVICE
#define KERNELGEN_NO_HEAP __attribute__((device, unavailable))
KERNELGEN_NO_HEAP void *operator new(decltype(sizeof 0));
KERNELGEN_NO_HEAP void *operator new[](decltype(sizeof 0));
KERNELGEN_NO_HEAP void operator delete(void *) noexcept;
KERNELGEN_NO_HEAP void operator delete[](void *) noexcept;
#endif

#endif
