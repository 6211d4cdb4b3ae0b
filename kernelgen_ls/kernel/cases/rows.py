"""What the rows of a table of test cases say of an operator's tensors and attributes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from kernelgen_ls.kernel.cases.sheet import CaseTable
from kernelgen_ls.kernel.dtypes import dtypes_in
from kernelgen_ls.kernel.spec.specification import SpecTensor

Shape = tuple[int, ...]

_SHAPES = ("shape", "shapes", "input_shape", "input_shapes", "inputs")
_DTYPES = ("dtype", "dtypes", "data_type", "data_types", "input_dtype", "input_dtypes")
_LABELS = ("case_id", "case_name", "name", "id", "case")
_ONE_SHAPE = re.compile(r"[\[(]\s*(?P<sizes>\d+(?:\s*[,x]\s*\d+)*)?\s*,?\s*[\])]")
_FRACTION = re.compile(r"\d\.\d|\d\.(?=[\s,\])]|$)|\de-\d")


@frozen
class Row:
    """One row: ``shapes`` and ``dtypes`` by the inputs' names, ``attributes`` as written, by every other column's name.

    ``dtype`` is what it says of the tensors as a whole.
    """

    label: str
    shapes: Mapping[str, Shape] = field(factory=dict)
    dtypes: Mapping[str, str] = field(factory=dict)
    dtype: str = ""
    attributes: Mapping[str, str] = field(factory=dict)


def read_rows(table: CaseTable, inputs: Sequence[SpecTensor]) -> tuple[Row, ...]:
    """The rows that give the first input a shape.

    Columns are ``shape`` (of the first input, or a list of shapes), ``dtype``, or ``x_shape``, ``x_dtype`` and ``x`` of
    an input ``x``; any other is taken for an attribute. Of lists of tensors, which a row gives a list of shapes, the
    first one counts.
    """
    names = [tensor.name for tensor in inputs]
    lists = tuple(tensor.name for tensor in inputs if tensor.requirement == "dynamic")
    written = [table.row(number) for number in range(len(table.rows))]
    # Numbers with a fraction are a tensor's values, and then so is every cell of that column.
    valued = frozenset(column for row in written for column, cell in row.items() if _FRACTION.search(cell))
    rows = (_row(row, number, names, lists, valued) for number, row in enumerate(written))
    found = [row for row in rows if names and names[0] in row.shapes]
    if lists:  # a list's first row has often one element
        found.sort(key=lambda row: math.prod(row.shapes[names[0]]) == 1)
    return tuple(found)


def _row(
    cells: Mapping[str, str], number: int, names: list[str], lists: tuple[str, ...], valued: frozenset[str]
) -> Row:
    shapes: dict[str, Shape] = {}
    dtypes: dict[str, str] = {}
    attributes: dict[str, str] = {}
    label, dtype = str(number), ""
    for column, cell in cells.items():
        lowered = column.strip().lower()
        tensor = next((name for name in names if lowered in (name.lower(), f"{name.lower()}_shape")), None)
        typed = next((name for name in names if lowered == f"{name.lower()}_dtype"), None)
        if column in valued:
            attributes[column.strip()] = cell.strip()
        elif tensor is not None or lowered in _SHAPES:
            found = _shapes_in(cell)
            if tensor is None and names[0] in lists:
                shapes.update(dict.fromkeys(lists, found[0]) if found else {})
                continue
            shapes.update(zip([tensor] if tensor is not None else names, found, strict=False))
        elif typed is not None or lowered in _DTYPES:
            said = dtypes_in(cell)
            if typed is not None or len(said) > 1:
                dtypes.update(zip([typed] if typed is not None else names, said, strict=False))
            elif said:
                dtype = said[0]
        elif lowered in _LABELS:
            label = cell.strip()
        else:
            attributes[column.strip()] = cell.strip()
    return Row(label, shapes, dtypes, dtype, attributes)


def _shapes_in(cell: str) -> list[Shape]:
    found = [match["sizes"] or "" for match in _ONE_SHAPE.finditer(cell)]
    if not found and re.fullmatch(r"\s*\d+(\s*[,x]\s*\d+)*\s*", cell):
        found = [cell]
    return [tuple(int(size) for size in re.findall(r"\d+", sizes)) for sizes in found]
