"""Formulas lowered to the vector unit's instructions: ``lower`` gives the steps of one turn over registers."""

from kernelgen_ls.kernel.formula.lowering.graph import NotLoweredError, Scalar
from kernelgen_ls.kernel.formula.lowering.lowered import Operand, lower
from kernelgen_ls.kernel.formula.lowering.steps import Lowered, Read, Register, Step, Written

__all__ = ["Lowered", "NotLoweredError", "Operand", "Read", "Register", "Scalar", "Step", "Written", "lower"]
