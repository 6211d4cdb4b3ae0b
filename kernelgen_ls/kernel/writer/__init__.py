"""Kernels written by rule: ``write`` turns a specification into an op_kernel, an op_host and a tiling header.

Nothing is guessed: what is no formula of the vector unit's is ``NotWritten`` with its reason, for the user to read as
``not written by rule: REASON``.
"""

from kernelgen_ls.kernel.writer.by_rule import NotWritten, Written, write
from kernelgen_ls.kernel.writer.hands import CLASS, FUNCTION, Form, Hand

__all__ = ["CLASS", "FUNCTION", "Form", "Hand", "NotWritten", "Written", "write"]
