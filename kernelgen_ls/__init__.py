"""kernelgen-ls: a language server for AscendC kernels with a kernel-writing model inside."""

from importlib.metadata import version

__version__ = version("kernelgen-ls")
