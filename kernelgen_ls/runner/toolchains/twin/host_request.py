"""What the program that runs a tiling function is asked, and what it answers: text both ways, a record a line.

``include/twin/host_run.cpp`` reads the one and writes the other. Texts and bytes are hexadecimal digits, ``-`` where
there are none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations, groupby, islice
from typing import Any

from attrs import field, frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.opdef import Attribute, Operand, OperatorDefinition
from kernelgen_ls.runner.execution.cases import Case, CasesError, Tensor

_MAX_TILING = 1024 * 1024
_MAX_WORKSPACE = 4 * 1024**3
_TILING = re.compile(
    r"tiling (?P<bytes>-|(?:[0-9a-f]{2})+) (?P<key>\d{1,20}) (?P<blocks>\d{1,5}) (?P<schedule>\d{1,10})"
    r"(?P<lists>(?: \d{1,20})+)"
)
_MOST_CHOICES = 20_000
"""Operators have a dozen optional operands at most."""
_END = "\n\x1e\n"
"""What the program prints after each case."""
_OTHER = re.compile(r"(?P<word>failed|lacks) (?P<text>-|(?:[0-9a-f]{2})+)")


@frozen
class HostTiling:
    """What a tiling function left: the tiling data's bytes, tiling key, blocks, workspaces in bytes, schedule mode.

    ``template_arguments`` are the values that a template tiling key was made of, in the order of the operator's list of
    template parameters; the key is then a number of the twin's own. Empty where the key was none.
    """

    tiling: bytes = field(repr=lambda value: value.hex())
    key: int
    blocks: int
    workspaces: tuple[int, ...] = ()
    schedule_mode: int = 0
    template_arguments: tuple[int, ...] = ()


@frozen
class NotTiled:
    """Why a case has no tiling: one line, without a judgement of the operator."""

    reason: str


def request(operator: OperatorDefinition, cases: Sequence[Case], chip: Chip) -> str:
    """What the program reads: the chip, the operator's name, and each case's operands and attributes."""
    architecture = chip.architecture.value.removeprefix("dav-")
    memories = (chip.ub_bytes, chip.l1_bytes, chip.l0a_bytes, chip.l0c_bytes, chip.l2_bytes)
    figures = (chip.soc, chip.config_name, architecture, chip.cube_cores, chip.vector_cores, *memories)
    lines = [" ".join(map(str, (*figures, (chip.hbm_gib or 0) * 1024**3)))]
    lines += [_hex(operator.name), str(len(cases))]
    for case in cases:
        column = _column(operator.inputs, case.inputs)
        inputs = _operands(operator.inputs, case.inputs, column)
        outputs = _operands(operator.outputs, case.outputs, column, inferred=True)
        attributes = _attributes(operator.attributes, case)
        lines += [str(len(inputs)), *inputs, str(len(outputs)), *outputs, str(len(attributes)), *attributes]
    return "\n".join(lines) + "\n"


def answers(text: str, count: int, printed: str = "") -> tuple[HostTiling | NotTiled, ...]:
    """What the program wrote about each of ``count`` cases, and ``printed``; none of it is trusted.

    A case of which it wrote nothing is one that it ended at, or did not come to any more.
    """
    lines = text.splitlines()
    if lines == ["unregistered"]:
        return (NotTiled("op_host registers no tiling function for the operator"),) * count
    words = dict(enumerate(map(_last_line, printed.split(_END))))
    found = [_answer(line, words.get(number, "")) for number, line in enumerate(lines[:count])]
    if len(found) == 1 and isinstance(found[0], NotTiled) and count > 1 and lines[0].startswith("lacks"):
        return (found[0],) * count
    return (*found, *[NotTiled("the tiling function of op_host did not come back")] * (count - len(found)))


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else ""


def _answer(line: str, printed: str) -> HostTiling | NotTiled:
    if match := _TILING.fullmatch(line):
        numbers = list(map(int, match["lists"].split()))
        workspaces, arguments = tuple(numbers[1 : numbers[0] + 1]), tuple(numbers[numbers[0] + 2 :])
        tiling = _bytes(match["bytes"])
        sound = len(tiling) <= _MAX_TILING and 0 < int(match["blocks"]) <= 65535 and int(match["key"]) < 2**64
        if sound and sum(workspaces) <= _MAX_WORKSPACE:
            key, blocks, schedule = (int(match[name]) for name in ("key", "blocks", "schedule"))
            return HostTiling(tiling, key, blocks, workspaces, schedule, arguments)
    if match := _OTHER.fullmatch(line):
        said = (" ".join(_bytes(match["text"]).decode(errors="replace").split()) or printed)[:300]
        if match["word"] == "lacks":
            return NotTiled(f"op_host calls {said}, which the twin lacks")
        return NotTiled(f"the tiling function of op_host returned a failure{f': {said}' if said else ''}")
    return NotTiled("the tiling function of op_host left no sound tiling")


def _column(operands: tuple[Operand, ...], tensors: tuple[Tensor, ...]) -> int:
    """The number of the first column of types that has the tensors' ones; 0 where none has."""
    given = [dtype.graph for tensor in tensors if (dtype := find_dtype(tensor.dtype)) is not None]
    listed = [operand.dtypes for operand in operands if operand.dtypes]
    for number in range(max(map(len, listed), default=0)):
        if all(types[min(number, len(types) - 1)] == one for types, one in zip(listed, given, strict=False)):
            return number
    return 0


def _operands(
    operands: tuple[Operand, ...], tensors: tuple[Tensor, ...], column: int, *, inferred: bool = False
) -> list[str]:
    """A line an operand: its name, how many tensors it has in the case, and those.

    A required one that has none is one whose shape is ``inferred``.
    """
    return [
        _inferred(operand, column)
        if inferred and not taken and operand.requirement == "REQUIRED"
        else _operand(operand, taken, column)
        for operand, taken in operand_tensors(operands, tensors)
    ]


def operand_tensors(
    operands: tuple[Operand, ...], tensors: tuple[Tensor, ...]
) -> list[tuple[Operand, tuple[Tensor, ...]]]:
    """The tensors of a case that each operand has.

    Where each tensor has the name of an operand, that one has it. Else a case lists its tensors in the operands' order,
    those of a list one after the other: under one name where they have names, else in equal shares of the dynamic
    operands. Where there are fewer than operands, optional ones have none: such that most of the others have tensors of
    their names, and the first ones where names tell nothing.
    """
    if not operands:
        return [(Operand(""), (tensor,)) for tensor in tensors]
    named = {tensor.name: tensor for tensor in tensors}
    if len(named) == len(tensors) and named.keys() <= {operand.name for operand in operands}:
        return [(operand, (named[operand.name],) if operand.name in named else ()) for operand in operands]
    lists = _lists(operands, tensors)
    without = _without(operands, [listed[0].name for listed in lists])
    left = iter(lists)
    return [(operand, () if number in without else next(left, ())) for number, operand in enumerate(operands)]


def _lists(operands: tuple[Operand, ...], tensors: tuple[Tensor, ...]) -> list[tuple[Tensor, ...]]:
    """The tensors that belong together, as one operand's, in their order."""
    if all(tensor.name for tensor in tensors):
        together = [tuple(listed) for _, listed in groupby(tensors, key=lambda tensor: tensor.name)]
        if len(together) <= len(operands):
            return together
    dynamic = sum(operand.requirement == "DYNAMIC" for operand in operands)
    share = (len(tensors) - (len(operands) - dynamic)) // dynamic if dynamic and len(tensors) > len(operands) else 1
    counts = [max(share, 1) if operand.requirement == "DYNAMIC" else 1 for operand in operands]
    starts = accumulate(counts, initial=0)
    found = [tensors[start : start + count] for start, count in zip(starts, counts, strict=False)]
    return [listed for listed in found if listed]


def _without(operands: tuple[Operand, ...], names: Sequence[str]) -> frozenset[int]:
    """The optional operands, by number, that have none of the fewer lists of tensors, whose names are given."""
    optional = [number for number, operand in enumerate(operands) if operand.requirement == "OPTIONAL"]
    absent = min(max(0, len(operands) - len(names)), len(optional))
    plain = [_plain(name) for name in names]

    def named(without: frozenset[int]) -> int:
        present = (operand for number, operand in enumerate(operands) if number not in without)
        return sum(_plain(operand.name) == name for operand, name in zip(present, plain, strict=False))

    return max(map(frozenset, islice(combinations(optional, absent), _MOST_CHOICES)), key=named, default=frozenset())


def _operand(operand: Operand, tensors: tuple[Tensor, ...], column: int) -> str:
    words = [_hex(operand.name), str(len(tensors))]
    for tensor in tensors:
        dtype = find_dtype(tensor.dtype)
        graph = dtype.graph if dtype else "DT_UNDEFINED"
        words += [graph, _layout(operand, column), _hex(tensor.file), _counted(tensor.shape)]
    return " ".join(words)


def _inferred(operand: Operand, column: int) -> str:
    graph = operand.dtypes[min(column, len(operand.dtypes) - 1)] if operand.dtypes else "DT_UNDEFINED"
    return " ".join((_hex(operand.name), "1", graph, _layout(operand, column), "-", "-1"))


def _layout(operand: Operand, column: int) -> str:
    layout = operand.formats[min(column, len(operand.formats) - 1)] if operand.formats else "ND"
    return layout.removeprefix("ge::").removeprefix("FORMAT_")


def _attributes(attributes: tuple[Attribute, ...], case: Case) -> list[str]:
    """A line an attribute: name, kind, whether a value follows, the value, and whether the case itself gives it.

    Raises :class:`CasesError` for a value that is not of the attribute's kind.
    """
    if not attributes:
        attributes = tuple(Attribute(name, True, _kind(value)) for name, value in (case.attributes or {}).items())
    lines, given = [], _by_their_names(attributes, case.attributes or {})
    for attribute in attributes:
        own = attribute.name in given
        value = given[attribute.name] if own else attribute.value
        kind = attribute.type or _kind(value)
        try:
            told = "0" if value is None else f"1 {_value(kind, value)}"
        except (TypeError, ValueError) as problem:
            said = f"{case.name}: the attribute {attribute.name!r} is of the kind {kind}, which {value!r} is not"
            raise CasesError(said) from problem
        lines.append(f"{_hex(attribute.name)} {kind or 'Int'} {told} {int(own and value is not None)}")
    return lines


def _by_their_names(attributes: tuple[Attribute, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """``given`` by the names that the definition has: case and underscores do not count.

    A reference may call its parameters otherwise: by a part of the name or more than it (``eps``, ``training``); where
    as many names are left over on both sides, they are taken in order, each for the next attribute of its kind.
    """
    spare = {_plain(name): value for name, value in given.items()}
    named = {one.name: spare.pop(_plain(one.name)) for one in attributes if _plain(one.name) in spare}
    for one in (one for one in attributes if one.name not in named):
        near = [name for name in spare if _is_near(name, _plain(one.name)) and _is_of_kind(spare[name], one.type)]
        if len(near) == 1:
            named[one.name] = spare.pop(near[0])
    missing = [one for one in attributes if one.name not in named]
    if len(missing) != len(spare):
        return named
    ordered = dict[str, Any]()
    for one in missing:
        name = next((name for name, value in spare.items() if _is_of_kind(value, one.type)), None)
        if name is None:
            return named
        ordered[one.name] = spare.pop(name)
    return {**named, **ordered}


def _is_near(name: str, other: str) -> bool:
    short, long = sorted((name, other), key=len)
    return len(short) > 2 and (long.startswith(short) or long.endswith(short))


def _is_of_kind(value: Any, kind: str) -> bool:
    if kind.startswith("List") or isinstance(value, list | tuple):
        return kind.startswith("List") and isinstance(value, list | tuple)
    if isinstance(value, str):
        return kind not in ("Int", "Float") or re.fullmatch(r"[-+.\deE]+", value) is not None
    return kind in ("", "Bool") if isinstance(value, bool) else kind in ("", "Int", "Float")


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _kind(value: Any) -> str:
    """What an attribute with this value is called in a definition."""
    if isinstance(value, list | tuple):
        first = value[0] if value else 0
        return "ListListInt" if isinstance(first, list | tuple) else f"List{_kind(first)}"
    kinds = {bool: "Bool", int: "Int", float: "Float", str: "String"}
    return kinds.get(type(value), "Int")


def _value(kind: str, value: Any) -> str:
    if kind == "ListListInt":
        return " ".join([str(len(value)), *(_counted(row) for row in value)])
    if kind.startswith("List"):
        values = value if isinstance(value, list | tuple) else [value]
        return " ".join([str(len(values)), *(_value(kind.removeprefix("List"), one) for one in values)])
    if kind == "String":
        return _hex(str(value))
    if kind == "Bool" and isinstance(value, str):
        return str(("false", "true").index(value.lower()))
    return repr(float(value)) if kind == "Float" else str(int(value))


def _counted(values: Sequence[int]) -> str:
    return " ".join(map(str, (len(values), *values)))


def _hex(text: str) -> str:
    return text.encode(errors="surrogateescape").hex() or "-"


def _bytes(digits: str) -> bytes:
    return b"" if digits == "-" else bytes.fromhex(digits)
