"""kernelgen-ls: a language server for AscendC kernels with a kernel-writing model inside."""

__version__ = "0.1.0"
"""The distribution's version; the build reads it here. (Asking ``importlib.metadata`` costs 90 ms at every start.)"""
