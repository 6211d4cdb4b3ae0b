"""Kernels that are written by rule are right on every case that is made for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor
from kernelgen_ls.kernel.writer import CLASS, FUNCTION, Hand, Written, write
from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import CHIP, serious, verify_as_made

SIZES = ("N", "D")
EPS = SpecAttribute("eps", "float", "1e-5")


def tensors(**given: tuple[str, tuple[str, ...]]) -> tuple[SpecTensor, ...]:
    """Tensors by name: element types and shape."""
    return tuple(SpecTensor(name, tuple(types.split()), shape) for name, (types, shape) in given.items())


FLOATS = "float16 bfloat16 float32"
OPERATORS = {
    "elementwise, in integers too": Specification(
        "Mixed",
        "y = x * x + z",
        inputs=tensors(x=("float16 float32 int32", SIZES), z=("float16 float32 int32", SIZES)),
        outputs=tensors(y=("float16 float32 int32", SIZES)),
    ),
    "two outputs and a weight by rows": Specification(
        "AddNorm",
        "s = x + residual\ny = s / sqrt(mean(s^2, dim=-1, keepdim=True) + eps) * gamma",
        inputs=tensors(x=(FLOATS, SIZES), residual=(FLOATS, SIZES), gamma=(FLOATS, ("D",))),
        outputs=tensors(y=(FLOATS, SIZES), s=(FLOATS, SIZES)),
        attributes=(EPS,),
    ),
    "rows quantised by their largest": Specification(
        "RowQuant",
        "scale = amax(abs(x), dim=-1, keepdim=True) / 127\ny = round(x / scale)",
        inputs=tensors(x=("float32", SIZES)),
        outputs=tensors(y=("int8", SIZES), scale=("float32", ("N", "1"))),
    ),
    "conditions and truth values": Specification(
        "Masked",
        "y = where(mask and x > z, x, tanh(z))",
        inputs=tensors(x=("float32", SIZES), z=("float32", SIZES), mask=("bool", SIZES)),
        outputs=tensors(y=("float32", SIZES)),
    ),
    "rows picked by an index": Specification(
        "Picked",
        "y[i] = table[index[i]]",
        inputs=tensors(table=("float16", ("V", "D")), index=("int32", ("N",))),
        outputs=tensors(y=("float16", SIZES)),
    ),
}


@pytest.mark.parametrize("what", OPERATORS.values(), ids=OPERATORS)
def test_a_kernel_written_by_rule_is_right(tmp_path: Path, what: Specification) -> None:
    verify_written(tmp_path, what, CLASS)


def test_a_function_written_by_rule_is_right(tmp_path: Path) -> None:
    verify_written(tmp_path, OPERATORS["rows quantised by their largest"], FUNCTION)


def verify_written(folder: Path, what: Specification, hand: Hand) -> None:
    """Write an operator as a folder whose kernel's comment specifies it, and run it on made cases."""
    found = write(what, chip_named(CHIP), static=False, hand=hand)
    assert isinstance(found, Written), found
    texts = {
        f"op_kernel/{what.kernel_name}.cpp": comment(what) + found.kernel,
        f"op_host/{what.kernel_name}.cpp": found.host,
        f"op_host/{what.kernel_name}_tiling.h": found.tiling,
    }
    for path, text in texts.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    made, result = verify_as_made(folder)
    assert (result.outcome, result.message) == (Outcome.PASSED, result.message), found.kernel
    assert serious(result) == []
    assert len(made.cases) >= len(what.inputs[0].dtypes)


def comment(what: Specification) -> str:
    """The specification as a comment."""
    lines = [f"op: {what.name}", *f"formula: {what.formula}".splitlines()]
    for kind, listed in (("in", what.inputs), ("out", what.outputs)):
        lines += [f"{kind} {one.name}: {', '.join(one.dtypes)} [{', '.join(one.shape or ())}]" for one in listed]
    lines += [f"attr {one.name}: {one.type} = {one.default}" for one in what.attributes]
    return "/*\n" + "".join(f" * {line}\n" for line in lines) + " */\n"
