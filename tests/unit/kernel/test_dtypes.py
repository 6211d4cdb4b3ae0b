"""The table of element types: its rows, what derives from it, and that it is the only one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from kernelgen_ls.kernel.constants import TYPE_BYTES, evaluate
from kernelgen_ls.kernel.dtypes import DTYPES, GRAPH_NUMBERS, find_dtype
from kernelgen_ls.kernel.opdef import Operand, OperatorDefinition, dtype_columns

PACKAGE = Path(__file__).parents[3] / "kernelgen_ls"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        *((written, "float16") for written in ("float16", "fp16", "half", "float16_t", "torch.float16", "DT_FLOAT16")),
        *((written, "bfloat16") for written in ("bf16", "BFLOAT16", "bfp16", "bfloat16_t", "ge::DT_BF16")),
        *((written, "float32") for written in ("float", "fp32", " float32 ", "DT_FLOAT", "float32_t")),
        *((written, "float64") for written in ("double", "DT_DOUBLE", "fp64")),
        *((written, "int4") for written in ("int4", "DT_INT4", "int4b_t")),
        *((written, "complex32") for written in ("complex32", "DT_COMPLEX32")),
        ("uint32_t", "uint32"),
        ("DT_BOOL", "bool"),
        *((written, "") for written in ("int", "short", "unsigned", "char", "string", "DT_UNDEFINED", "")),
    ],
)
def test_a_type_by_any_name(written: str, name: str) -> None:
    found = find_dtype(written)
    assert (found.name if found else "") == name


def test_every_name_means_one_type() -> None:
    for column in ([d.name for d in DTYPES], [d.graph for d in DTYPES], [n for d in DTYPES for n in d.names]):
        assert len(set(column)) == len(column)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.numpy and not d.ml_dtypes], ids=lambda dtype: dtype.name)
def test_numpy_agrees(dtype: object) -> None:
    of_numpy = np.dtype(dtype.numpy)  # type: ignore[attr-defined]  # parametrised values are objects to mypy
    assert (of_numpy.itemsize * 8, of_numpy.kind) == (dtype.bits, dtype.kind)  # type: ignore[attr-defined]  # as above


@pytest.mark.parametrize("header", ["host/ge.h", "tiling/tiling_api.h"])
def test_our_declarations_number_the_types_alike(header: str) -> None:
    text = (PACKAGE / "runner/include" / header).read_text()
    enum = re.search(r"enum (?:class )?DataType\b[^{]*\{(?P<body>[^}]*)\}", text)
    assert enum is not None
    declared = {name: int(number) for name, number in re.findall(r"(DT_\w+) = (\d+)", enum["body"])}
    shared = GRAPH_NUMBERS.keys() & declared.keys()
    assert {name: GRAPH_NUMBERS[name] for name in shared} == {name: declared[name] for name in shared}
    assert header != "host/ge.h" or not GRAPH_NUMBERS.keys() - declared.keys()


def test_narrow_types_are_packed() -> None:
    int4 = find_dtype("int4")
    assert int4 is not None
    assert (int4.bytes, int4.size_bytes(7)) == (None, 4)
    assert "int4b_t" not in TYPE_BYTES


def test_complex_types_are_no_integers() -> None:
    assert evaluate("complex64(3)", {}) is None
    assert evaluate("sizeof(complex64) + uint16_t(3)", {}) == 11


@pytest.mark.parametrize(
    ("graph", "kernel", "shown"),
    [
        ("DT_FLOAT16", "half", "float16"),
        ("DT_DOUBLE", "double", "float64"),
        ("DT_COMPLEX32", "complex32", "complex32"),
        ("DT_HIFLOAT8", "hifloat8_t", "hifloat8"),
        ("DT_QINT8", "float", "qint8"),
    ],
)
def test_what_a_column_defines(graph: str, kernel: str, shown: str) -> None:
    (column,) = dtype_columns(OperatorDefinition("A", (Operand("x", dtypes=(graph,)),)))
    assert (dict(column.defines)["DTYPE_X"], column.name) == (kernel, shown)


NAMES = {
    name: dtype.name
    for dtype in DTYPES
    for name in (*dtype.names, dtype.graph, dtype.graph.removeprefix("DT_"), *dtype.spellings)
    if name not in ("int", "unsigned", "short")  # words of other things too
}


def tables(text: str) -> list[int]:
    """The lines of the literals in ``text`` that name three or more element types."""
    found: list[int] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, (ast.Dict, ast.Tuple, ast.List, ast.Set)):
            words = (item.value for item in ast.walk(node) if isinstance(item, ast.Constant))
            if len({NAMES[word] for word in words if isinstance(word, str) and word in NAMES}) >= 3:
                found.append(node.lineno)
                return
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(text))
    return found


def test_the_scan_sees_a_table() -> None:
    assert tables('BYTES = {"half": 2, "float": 4, "int8_t": 1}') == [1]
    assert tables('x = frozenset({"DT_FLOAT16", "DT_BF16", *("DT_INT8",)})') == [1]
    assert tables('x = {"float16": "half", "float32": "float"}') == []


def test_there_is_no_second_table() -> None:
    """A list of three element types outside the table names them by its rows."""
    offenders = {
        f"{path.relative_to(PACKAGE).as_posix()}:{line}"
        for path in PACKAGE.rglob("*.py")
        if path != PACKAGE / "kernel/dtypes.py"
        for line in tables(path.read_text(encoding="utf-8"))
    }
    assert offenders == set()
