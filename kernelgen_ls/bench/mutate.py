"""Defects put into clean kernels, one at a time: ten kinds that people and models make. Text in, text out.

The benchmark measures with them how much the checker finds; the training corpus makes pairs of a broken and a mended
kernel from them. What a mutation draws comes from the given ``Random`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from attrs import frozen

from kernelgen_ls.kernel.blank import strip_comments


@frozen
class Mutation:
    """A kernel with one defect: ``line`` (zero-based) is where it was put, ``description`` says what was done."""

    kind: str
    text: str
    line: int
    description: str


_VECTOR_CALLS = (
    "Add|Sub|Mul|Div|Max|Min|Adds|Muls|Maxs|Mins|Exp|Ln|Abs|Sqrt|Rsqrt|Reciprocal|Relu|Cast|Duplicate|Axpy|Compare|"
    "Select|ReduceSum|ReduceMax|ReduceMin|WholeReduceSum|BlockReduceSum|Gather|DataCopy|DataCopyPad|Tanh|Sigmoid|Power|"
    "Brcb|CompareScalar|MulAddDst|FusedMulAdd|Not|And|Or|Transpose|LeakyRelu|Mmad|LoadData|Fixpipe|Broadcast"
)
_CALL = re.compile(rf"(?<![\w.>])(?:AscendC::)?(?P<name>{_VECTOR_CALLS})\s*(?:<[^<>;(){{}}]*>\s*)?\(")
_API = re.compile(
    rf"\b(?P<name>{_VECTOR_CALLS}|LocalTensor|GlobalTensor|TPipe|TQue|TBuf|GetBlockIdx|GetBlockNum|PipeBarrier|SetFlag|"
    r"WaitFlag|RoundMode|TPosition|QuePosition|DataCopyExtParams|DataCopyPadExtParams|DataCopyParams)\b"
)
_METHODS = {
    "AllocTensor": "AllocateTensor",
    "FreeTensor": "ReleaseTensor",
    "EnQue": "Push",
    "DeQue": "Pop",
    "InitBuffer": "AllocBuffer",
    "SetGlobalBuffer": "BindBuffer",
    "GetValue": "ValueAt",
    "SetValue": "PutValue",
    "ReinterpretCast": "CastTo",
    "GetSize": "Length",
    "Get": "Fetch",
}
_METHOD = re.compile(rf"(?:\.|->)\s*(?:template\s+)?(?P<name>{'|'.join(_METHODS)})\b(?=\s*[<(])")
_TEMPLATED = re.compile(
    r"(?:\b(?:AllocTensor|DeQue|Get|ReinterpretCast|LocalTensor|GlobalTensor|TQue|DataCopyPadExtParams))\s*"
    r"(?P<arguments><[^<>;(){}]+>)(?!\s*\w+\s*[={])"
)
# Without its arguments a variable that is initialised may still compile: C++17 deduces them.
_POSITION = re.compile(r"\bTQue\s*<\s*(?:AscendC::)?(?:TPosition|QuePosition)::(?P<position>VECIN|VECOUT)\b")
_TILING = re.compile(
    r"\bGET_TILING_DATA(?:_WITH_STRUCT)?\s*\(\s*(?:\w+\s*,\s*)?(?P<name>\w+)\s*,\s*\w+\s*\)|\bTilingData\w*\s*[&*]?\s*(?P<parameter>tiling\w*)\b"
)
_SEMICOLON = re.compile(r";[ \t]*$", re.MULTILINE)
_IDENTIFIER_ARGUMENT = re.compile(r"(?<=[(,])\s*(?P<name>[a-z]\w{2,})\s*(?=[,)])")
_SCALARS = ("1.0f", "0", "2", "static_cast<float>(1)")


def _semicolon(text: str, plain: str, random: Random) -> Mutation | None:
    places = [
        match.start()
        for match in _SEMICOLON.finditer(plain)
        if plain[plain.rfind("\n", 0, match.start()) + 1 : match.start()].strip() not in ("", "}")
    ]
    return _edit(text, random, [(place, place + 1, "", "removed a semicolon") for place in places], "semicolon")


def _brace(text: str, plain: str, random: Random) -> Mutation | None:
    edits = [
        (match.start(), match.end(), "", f"removed '{match.group()}'")
        for match in re.finditer(r"[{}]", plain)
        if not plain[plain.rfind("\n", 0, match.start()) + 1 : match.start()].lstrip().startswith("#")
    ]
    return _edit(text, random, edits, "brace")


def _misspelt(text: str, plain: str, random: Random) -> Mutation | None:
    edits = []
    for match in _API.finditer(plain):
        wrong = _slip(match.group("name"), random)
        edits.append((match.start("name"), match.end("name"), wrong, f"{match.group('name')} misspelt as {wrong}"))
    return _edit(text, random, edits, "misspelt-api")


def _dropped(text: str, plain: str, random: Random) -> Mutation | None:
    edits = []
    for name, spans in _calls(plain):
        if len(spans) < 2 or (name in ("ReduceMax", "ReduceMin") and len(spans) > 4):
            continue
        index = random.randrange(len(spans))
        start, end = (spans[index][0], spans[index + 1][0]) if index + 1 < len(spans) else (spans[-2][1], spans[-1][1])
        edits.append((start, end, "", f"dropped argument {index + 1} of {name}"))
    return _edit(text, random, edits, "dropped-argument")


def _method(text: str, plain: str, random: Random) -> Mutation | None:
    edits = []
    for match in _METHOD.finditer(plain):
        wrong = _METHODS[match.group("name")]
        edits.append((match.start("name"), match.end("name"), wrong, f"{match.group('name')} called {wrong}"))
    return _edit(text, random, edits, "wrong-method")


def _position(text: str, plain: str, random: Random) -> Mutation | None:
    edits = []
    for match in _POSITION.finditer(plain):
        other = "VECOUT" if match.group("position") == "VECIN" else "VECIN"
        start, end = match.span("position")
        edits.append((start, end, other, f"{match.group('position')} queue declared {other}"))
    return _edit(text, random, edits, "wrong-queue-position")


def _template(text: str, plain: str, random: Random) -> Mutation | None:
    edits = [
        (match.start("arguments"), match.end("arguments"), "", f"dropped {match.group('arguments')}")
        for match in _TEMPLATED.finditer(plain)
    ]
    return _edit(text, random, edits, "missing-template-argument")


def _undeclared(text: str, plain: str, random: Random) -> Mutation | None:
    edits = []
    for match in _IDENTIFIER_ARGUMENT.finditer(plain):
        name = match.group("name")
        line = plain[plain.rfind("\n", 0, match.start()) + 1 : match.start()]
        if name in ("true", "false", "this", "nullptr", "void", "float", "half", "int") or "define" in line:
            continue
        if re.search(r"\b(?:void|__aicore__|inline)\b|~", line):
            continue  # a parameter's name in a declaration
        wrong = f"{name}{random.choice(('Total', '_', 'Idx', '2'))}"
        if not re.search(rf"\b{wrong}\b", plain):
            edits.append((match.start("name"), match.end("name"), wrong, f"{name} written {wrong}"))
    return _edit(text, random, edits, "undeclared-name")


def _tiling_field(text: str, plain: str, random: Random) -> Mutation | None:
    names = {match.group("name") or match.group("parameter") for match in _TILING.finditer(plain)}
    edits = []
    for name in sorted(names):
        for match in re.finditer(rf"\b{name}\s*(?:\.|->)\s*(?P<field>[A-Za-z_]\w*)\b(?!\s*\()", plain):
            field = match.group("field")
            wrong = random.choice((f"{field}Size", f"{field[0].upper()}{field[1:]}", f"{field}Num", f"n{field}"))
            if wrong != field and not re.search(rf"\b{wrong}\b", plain):
                edits.append((match.start("field"), match.end("field"), wrong, f"tiling field {field} as {wrong}"))
    return _edit(text, random, edits, "wrong-tiling-field")


def _scalar(text: str, plain: str, random: Random) -> Mutation | None:
    edits = []
    for name, spans in _calls(plain):
        if name in ("Broadcast", "PipeBarrier") or not spans:
            continue
        count = 3 if name in ("Add", "Sub", "Mul", "Div", "Max", "Min", "Select", "ReduceSum") else 1
        index = random.randrange(min(count, len(spans)))
        start, end = spans[index]
        scalar = random.choice(_SCALARS)
        edits.append((start, end, scalar, f"argument {index + 1} of {name} is the scalar {scalar}"))
    return _edit(text, random, edits, "scalar-for-tensor")


_KINDS: dict[str, Callable[[str, str, Random], Mutation | None]] = {
    "semicolon": _semicolon,
    "brace": _brace,
    "misspelt-api": _misspelt,
    "dropped-argument": _dropped,
    "wrong-method": _method,
    "wrong-queue-position": _position,
    "missing-template-argument": _template,
    "undeclared-name": _undeclared,
    "wrong-tiling-field": _tiling_field,
    "scalar-for-tensor": _scalar,
}
KINDS: tuple[str, ...] = tuple(_KINDS)
"""The kinds of defect there are."""


def mutate(text: str, kind: str, random: Random) -> Mutation | None:
    """Return ``text`` with one defect of ``kind`` at a place that ``random`` chooses; None where there is no place.

    Raises KeyError for an unknown kind.
    """
    return _KINDS[kind](text, strip_comments(text), random)


def mutations(text: str, random: Random, each: int = 1, kinds: Sequence[str] = KINDS) -> Iterator[Mutation]:
    """Yield up to ``each`` different defects of every kind, each in a text of its own."""
    for kind in kinds:
        seen: set[str] = set()
        for _ in range(each * 3):
            mutation = mutate(text, kind, random)
            if mutation is not None and mutation.text not in seen and len(seen) < each:
                seen.add(mutation.text)
                yield mutation


def _edit(text: str, random: Random, edits: list[tuple[int, int, str, str]], kind: str) -> Mutation | None:
    if not edits:
        return None
    start, end, replacement, description = random.choice(edits)
    mutated = text[:start] + replacement + text[end:]
    return Mutation(kind, mutated, text.count("\n", 0, start), description)


def _slip(name: str, random: Random) -> str:
    """``name`` with a typing slip that makes no other name of the interface."""
    while True:
        index = random.randrange(1, len(name))
        kind = random.randrange(3)
        if kind == 0:
            wrong = name[:index] + name[index] + name[index:]
        elif kind == 1 and len(name) > 4:
            wrong = name[:index] + name[index + 1 :]
        elif kind == 2 and index + 1 < len(name):
            wrong = name[:index] + name[index + 1] + name[index] + name[index + 2 :]
        else:
            continue
        if wrong != name and not _API.fullmatch(wrong):
            return wrong


def _calls(plain: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield each call of an operation: its name and the spans of its arguments, without the spaces around them."""
    for match in _CALL.finditer(plain):
        spans: list[tuple[int, int]] = []
        depth, start = 0, match.end()
        for index in range(match.end(), len(plain)):
            character = plain[index]
            if character in "([{":
                depth += 1
            elif character in ")]}":
                if depth == 0:
                    spans.append((start, index))
                    break
                depth -= 1
            elif character == "," and depth == 0 and not _inside_angle(plain[start:index]):
                spans.append((start, index))
                start = index + 1
        yield match.group("name"), [_trimmed(plain, span) for span in spans if plain[span[0] : span[1]].strip()]


def _inside_angle(argument: str) -> bool:
    return argument.count("<") > argument.count(">")


def _trimmed(plain: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    while start < end and plain[start].isspace():
        start += 1
    while end > start and plain[end - 1].isspace():
        end -= 1
    return start, end
