"""The twin: AscendC kernels compiled with this machine's C++ compiler and run on its processor."""
