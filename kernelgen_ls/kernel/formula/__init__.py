"""Formulas understood: ``understand`` turns a text into a tree, ``evaluate`` computes what it gives.

A formula is written as people write them: ``y = x * sigmoid(x)``, LaTeX, several lines. What is not understood is
said, with the word and why: nothing is guessed.
"""

from kernelgen_ls.kernel.formula.evaluation import NotEvaluatedError, evaluate, output_shapes
from kernelgen_ls.kernel.formula.readings import readings, spelled_out
from kernelgen_ls.kernel.formula.tree import Assignment, Call, Formula, Name, NotUnderstood, Number, Text
from kernelgen_ls.kernel.formula.understanding import understand

__all__ = [
    "Assignment",
    "Call",
    "Formula",
    "Name",
    "NotEvaluatedError",
    "NotUnderstood",
    "Number",
    "Text",
    "evaluate",
    "output_shapes",
    "readings",
    "spelled_out",
    "understand",
]
