"""Products of matrices and vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernelgen_ls.kernel.formula.numeric.operands import number

PRODUCTS: Mapping[str, Callable[..., Any]] = {
    "addmm": lambda x, mat1, mat2, beta=1, alpha=1: beta * x + alpha * np.matmul(mat1, mat2),
    "cross": lambda x, other, dim=-1: np.cross(x, other, axis=int(dim)),
    "matmul": lambda x, other: np.matmul(number(x), number(other)),
    "outer": lambda x, other: np.multiply.outer(x, other),
}
