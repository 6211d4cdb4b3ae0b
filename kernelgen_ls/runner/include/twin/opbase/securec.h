// Copies that are told how much room there is: 0 where it was enough, and nothing is written where it was not.
#pragma once
#include <cstdarg>
#include <cstdio>
#include <cstring>

using errno_t = int;
#ifndef EOK
#define EOK 0
#endif
#define KERNELGEN_NO_ROOM 34

inline errno_t memset_s(void *target, size_t room, int value, size_t count) {
    if (target == nullptr || count > room) {
        return KERNELGEN_NO_ROOM;
    }
    std::memset(target, value, count);
    return EOK;
}
inline errno_t memcpy_s(void *target, size_t room, const void *source, size_t count) {
    if (target == nullptr || source == nullptr || count > room) {
        return KERNELGEN_NO_ROOM;
    }
    std::memcpy(target, source, count);
    return EOK;
}
inline errno_t memmove_s(void *target, size_t room, const void *source, size_t count) {
    if (target == nullptr || source == nullptr || count > room) {
        return KERNELGEN_NO_ROOM;
    }
    std::memmove(target, source, count);
    return EOK;
}
inline errno_t strcpy_s(char *target, size_t room, const char *source) {
    return source == nullptr ? KERNELGEN_NO_ROOM : memcpy_s(target, room, source, std::strlen(source) + 1);
}
/// The length of what was written, -1 where there was no room for it.
inline int snprintf_s(char *target, size_t room, size_t most, const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int length = std::vsnprintf(target, room, format, values);
    va_end(values);
    return length >= 0 && static_cast<size_t>(length) < room && static_cast<size_t>(length) <= most ? length : -1;
}
inline int sprintf_s(char *target, size_t room, const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int length = std::vsnprintf(target, room, format, values);
    va_end(values);
    return length >= 0 && static_cast<size_t>(length) < room ? length : -1;
}
