"""What each function of ``functions`` computes, with numpy: PyTorch's definitions in float64.

The parameters have the names that ``functions`` gives them. Only ``evaluation`` imports this, when it evaluates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernelgen_ls.kernel.formula.numeric.activations import ACTIVATIONS
from kernelgen_ls.kernel.formula.numeric.casts import CASTS
from kernelgen_ls.kernel.formula.numeric.elements import ELEMENTS
from kernelgen_ls.kernel.formula.numeric.elementwise import ELEMENTWISE
from kernelgen_ls.kernel.formula.numeric.normalisations import NORMALISATIONS
from kernelgen_ls.kernel.formula.numeric.products import PRODUCTS
from kernelgen_ls.kernel.formula.numeric.reductions import REDUCTIONS
from kernelgen_ls.kernel.formula.numeric.shapes import SHAPES

NUMERIC: Mapping[str, Callable[..., Any]] = {
    **CASTS,
    **ELEMENTWISE,
    **ACTIVATIONS,
    **REDUCTIONS,
    **NORMALISATIONS,
    **PRODUCTS,
    **SHAPES,
    **ELEMENTS,
}
"""What computes each function of ``functions.FUNCTIONS``."""
