"""The two tables of functions agree: what can be called, and what computes it."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from kernelgen_ls.kernel.formula.functions import FUNCTIONS, find_function
from kernelgen_ls.kernel.formula.numeric import NUMERIC


@pytest.mark.parametrize("function", [one for one in FUNCTIONS.values() if not one.many], ids=lambda one: one.name)
def test_every_function_is_computed_with_the_parameters_it_can_be_given(function):
    try:
        signature = inspect.signature(NUMERIC[function.name])
    except ValueError:
        pytest.skip("one of numpy's own")
    parameters = signature.parameters.values()
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return
    required = [one.name for one in parameters if one.default is one.empty and one.kind is not one.VAR_KEYWORD]
    assert len(required) == function.operands
    options = set(function.parameters[function.operands :])
    assert options <= set(signature.parameters) or any(one.kind is one.VAR_KEYWORD for one in parameters)


@pytest.mark.parametrize(
    "name", ["torch.nn.functional.silu", "Swish", "np.maximum", "LayerNorm", "F.log_softmax", "ln"]
)
def test_a_function_is_found_by_its_names_elsewhere(name):
    assert find_function(name) is not None


def test_understanding_needs_no_numpy():
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from kernelgen_ls.kernel.formula import understand\n"
        "print(understand('y = softmax(x)').outputs)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "('y',)"
