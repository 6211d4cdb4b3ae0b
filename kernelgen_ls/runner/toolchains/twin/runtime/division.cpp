// Integer divisions that this processor refuses: by zero, and of the least number by -1.
//
// What the device's scalar unit gives for them is not documented. x86-64 traps; the result is put in its registers here,
// as arm64 has it, which does not trap: a quotient of 0 with the dividend as remainder, or the wrapped quotient. The
// instruction's format is that of the Intel 64 manual, volume 2, chapter 2 and DIV, IDIV.
#include "runtime.h"

#include <csignal>
#if defined(__x86_64__) && defined(__linux__)
#include <ucontext.h>
#endif

namespace kgtwin {

#if defined(__x86_64__) && defined(__linux__)

namespace {

constexpr int kRegisters[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

struct Division {
    const uint8_t *next; // the instruction after it
    int bytes;           // of an operand: 1, 2, 4, 8
    bool byZero;
};

template <typename T> T valueAt(const uint8_t *at)
{
    T value;
    memcpy(&value, at, sizeof(value));
    return value;
}

/// The divisor's address in memory, for any form of operand but a register; `at` is behind the ModRM byte and is moved
/// behind the operand.
const uint8_t *addressOf(const greg_t *registers, uint8_t prefix, uint8_t modrm, const uint8_t *&at)
{
    int mode = modrm >> 6, base = modrm & 7;
    uint64_t address = 0;
    if (base == 4) {
        uint8_t scaled = *at++;
        int index = (scaled >> 3 & 7) | (prefix & 2) << 2;
        base = scaled & 7;
        if (index != 4) address = uint64_t(registers[kRegisters[index]]) << (scaled >> 6);
        if (base == 5 && mode == 0) return at += 4, reinterpret_cast<const uint8_t *>(address + valueAt<int32_t>(at - 4));
    } else if (base == 5 && mode == 0)
        return at += 4, at + valueAt<int32_t>(at - 4);
    address += uint64_t(registers[kRegisters[base | (prefix & 1) << 3]]);
    if (mode == 1) address += int8_t(*at++);
    if (mode == 2) address += valueAt<int32_t>(at), at += 4;
    return reinterpret_cast<const uint8_t *>(address);
}

bool readDivision(const greg_t *registers, Division &found)
{
    auto *at = reinterpret_cast<const uint8_t *>(registers[REG_RIP]);
    bool narrow = *at == 0x66;
    at += narrow;
    uint8_t prefix = (*at & 0xf0) == 0x40 ? *at++ : 0;
    uint8_t opcode = *at++, modrm = *at++;
    if ((opcode | 1) != 0xf7 || (modrm >> 3 & 6) != 6) return false;
    found.bytes = opcode == 0xf6 ? 1 : prefix & 8 ? 8 : narrow ? 2 : 4;
    uint64_t divisor = 0;
    if (modrm >> 6 == 3) {
        int number = (modrm & 7) | (prefix & 1) << 3;
        bool upper = found.bytes == 1 && !prefix && number >= 4; // AH, CH, DH, BH
        divisor = uint64_t(registers[kRegisters[upper ? number - 4 : number]]) >> (upper ? 8 : 0);
        if (found.bytes < 8) divisor &= (1ull << 8 * found.bytes) - 1;
    } else
        memcpy(&divisor, addressOf(registers, prefix, modrm, at), size_t(found.bytes));
    found.byZero = divisor == 0;
    found.next = at;
    return true;
}

/// Sets the low `bytes` of a register; those above a half are cleared, as the processor does.
void put(greg_t &place, uint64_t value, int bytes)
{
    uint64_t kept = bytes < 4 ? uint64_t(place) & ~((1ull << 8 * bytes) - 1) : 0;
    place = greg_t(kept | (bytes < 8 ? value & ((1ull << 8 * bytes) - 1) : value));
}

}

Divided passDivision(void *context)
{
    greg_t *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    Division division{};
    if (!readDivision(registers, division)) return Divided::not_known;
    auto dividend = uint64_t(registers[REG_RAX]);
    uint64_t quotient = division.byZero ? 0 : dividend, remainder = division.byZero ? dividend : 0;
    if (division.bytes == 1) put(registers[REG_RAX], (quotient & 0xff) | (remainder & 0xff) << 8, 2);
    else {
        put(registers[REG_RAX], quotient, division.bytes);
        put(registers[REG_RDX], remainder, division.bytes);
    }
    registers[REG_RIP] = greg_t(division.next);
    return division.byZero ? Divided::by_zero : Divided::wrapped;
}

#else

Divided passDivision(void *) { return Divided::not_known; }

#endif

}
