// Terminals.
#ifndef KERNELGEN_STD_TERMIOS_H
#define KERNELGEN_STD_TERMIOS_H
typedef unsigned int tcflag_t;
struct termios { tcflag_t c_iflag, c_oflag, c_cflag, c_lflag; unsigned char c_cc[32]; };
#define ICANON 2
#define ECHO 8
#define TCSANOW 0
extern "C" {
int tcgetattr(int file, struct termios *to);
int tcsetattr(int file, int actions, const struct termios *from);
}
#endif
