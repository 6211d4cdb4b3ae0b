"""Kinds of mistakes that a compiler for the device refuses: slips of the hand and what the language does not allow."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from kernelgen_ls.bench.edits import VECTOR_CALLS, Edit, Finder, Kind, calls

_API = re.compile(
    rf"\b(?P<name>{VECTOR_CALLS}|LocalTensor|GlobalTensor|TPipe|TQue|TBuf|GetBlockIdx|GetBlockNum|PipeBarrier|SetFlag|"
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


_METHOD_HEAD = re.compile(r"__aicore__ (?=(?:inline|constexpr)\b|void \w+\()")
_ENTRY = re.compile(r"__global__ __aicore__ (?P<returns>void) (?P<name>\w+)\(")
_POINTER_CAST = re.compile(r"\(\s*(?P<gm>__gm__ )(?:const )?\w+ ?\*\s*\)")
_OPERATOR_HEADER = re.compile(r'^#include "kernel_operator.h"$', re.MULTILINE)
_STATEMENT = re.compile(r"^(?P<indent>[ \t]+)(?=(?:AscendC::)?LocalTensor<[^<>]*> \w+ = )", re.MULTILINE)
_ENUMERATOR = re.compile(
    r"\b(?:RoundMode::(?P<round>CAST_\w+)|CMPMODE::(?P<compare>LT|GT|EQ|LE|GE|NE)|TPosition::(?P<position>VEC\w+)"
    r"|HardEvent::(?P<event>[A-Z]\w+)|(?P<pipe>PIPE_(?:V|ALL|S|MTE2|MTE3)))\b"
)
_TAKEN = re.compile(r"LocalTensor<(?P<type>\w+)> \w+ = \w+\.(?:template )?(?:AllocTensor|DeQue|Get)<(?P<given>\w+)>\(")
_RECORD = re.compile(r"\bDataCopy(?:Ext)?Params (?P<name>\w+)(?:\{[^;\n]*\})?;")


def _semicolon(plain: str, random: Random) -> list[Edit]:
    places = [
        match.start()
        for match in _SEMICOLON.finditer(plain)
        if plain[plain.rfind("\n", 0, match.start()) + 1 : match.start()].strip() not in ("", "}")
    ]
    return [Edit(place, place + 1, "", "removed a semicolon") for place in places]


def _brace(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(match.start(), match.end(), "", f"removed '{match.group()}'")
        for match in re.finditer(r"[{}]", plain)
        if not plain[plain.rfind("\n", 0, match.start()) + 1 : match.start()].lstrip().startswith("#")
    ]


def _misspelt(plain: str, random: Random) -> list[Edit]:
    edits = []
    for match in _API.finditer(plain):
        wrong = _slip(match.group("name"), random)
        edits.append(Edit(match.start("name"), match.end("name"), wrong, f"{match.group('name')} misspelt as {wrong}"))
    return edits


def _dropped(plain: str, random: Random) -> list[Edit]:
    edits = []
    for name, spans in calls(plain):
        if len(spans) < 2 or (name in ("ReduceMax", "ReduceMin") and len(spans) > 4):
            continue
        index = random.randrange(len(spans))
        start, end = (spans[index][0], spans[index + 1][0]) if index + 1 < len(spans) else (spans[-2][1], spans[-1][1])
        edits.append(Edit(start, end, "", f"dropped argument {index + 1} of {name}"))
    return edits


def _method(plain: str, random: Random) -> list[Edit]:
    edits = []
    for match in _METHOD.finditer(plain):
        wrong = _METHODS[match.group("name")]
        edits.append(Edit(match.start("name"), match.end("name"), wrong, f"{match.group('name')} called {wrong}"))
    return edits


def _position(plain: str, random: Random) -> list[Edit]:
    edits: list[Edit] = []
    if "PIPE_ALL" in plain:
        return edits  # whatever the queue does not order, the barrier does
    for match in _POSITION.finditer(plain):
        other = "VECOUT" if match.group("position") == "VECIN" else "VECIN"
        start, end = match.span("position")
        edits.append(Edit(start, end, other, f"{match.group('position')} queue declared {other}"))
    return edits


def _template(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(match.start("arguments"), match.end("arguments"), "", f"dropped {match.group('arguments')}")
        for match in _TEMPLATED.finditer(plain)
    ]


def _undeclared(plain: str, random: Random) -> list[Edit]:
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
            edits.append(Edit(match.start("name"), match.end("name"), wrong, f"{name} written {wrong}"))
    return edits


def _tiling_field(plain: str, random: Random) -> list[Edit]:
    names = {match.group("name") or match.group("parameter") for match in _TILING.finditer(plain)}
    edits = []
    for name in sorted(names):
        for match in re.finditer(rf"\b{name}\s*(?:\.|->)\s*(?P<field>[A-Za-z_]\w*)\b(?!\s*\()", plain):
            field = match.group("field")
            wrong = random.choice((f"{field}Size", f"{field[0].upper()}{field[1:]}", f"{field}Num", f"n{field}"))
            if wrong != field and not re.search(rf"\b{wrong}\b", plain):
                edits.append(Edit(match.start("field"), match.end("field"), wrong, f"tiling field {field} as {wrong}"))
    return edits


def _scalar(plain: str, random: Random) -> list[Edit]:
    edits = []
    for name, spans in calls(plain):
        if name in ("Broadcast", "PipeBarrier") or not spans:
            continue
        count = 3 if name in ("Add", "Sub", "Mul", "Div", "Max", "Min", "Select", "ReduceSum") else 1
        index = random.randrange(min(count, len(spans)))
        start, end = spans[index]
        scalar = random.choice(_SCALARS)
        edits.append(Edit(start, end, scalar, f"argument {index + 1} of {name} is the scalar {scalar}"))
    return edits


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


def _missing_aicore(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(match.start(), match.end(), "", "a function without __aicore__")
        for match in _METHOD_HEAD.finditer(plain)
        if re.search(r"\w\(", plain[match.end() : plain.find("\n", match.end())])
        and not re.match(r"(?:inline )?\w+\(\) ?(?:\{\s*\}|= default)", plain[match.end() :])
        and "constexpr" not in plain[match.end() : plain.find("(", match.end())]
        and "__global__" not in plain[plain.rfind("\n", 0, match.start()) + 1 : match.start()]
    ]


def _missing_entry_aicore(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(match.start(), match.start("returns"), "__global__ ", "an entry function without __aicore__")
        for match in _ENTRY.finditer(plain)
    ]


def _missing_gm(plain: str, random: Random) -> list[Edit]:
    return [Edit(*match.span("gm"), "", f"{match.group()} without __gm__") for match in _POINTER_CAST.finditer(plain)]


def _returning_entry(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(*match.span("returns"), "int32_t", "an entry function that returns") for match in _ENTRY.finditer(plain)
    ]


def _wrong_enumerator(plain: str, random: Random) -> list[Edit]:
    wrong = {"round": "{}_EVEN", "compare": "LESS_{}", "position": "{}_BUF", "event": "{}_SYNC", "pipe": "{}_END"}
    edits = []
    for match in _ENUMERATOR.finditer(plain):
        kind = match.lastgroup or ""
        name = wrong[kind].format(match.group(kind))
        edits.append(Edit(*match.span(kind), name, f"{match.group(kind)} written {name}"))
    return edits


def _wrong_template_argument(plain: str, random: Random) -> list[Edit]:
    edits = []
    for match in _TAKEN.finditer(plain):
        if match.group("given") == match.group("type"):
            other = "int16_t" if match.group("given") != "int16_t" else "float"
            edits.append(Edit(*match.span("given"), other, f"{match.group('given')} taken as {other}"))
    return edits


def _wrong_record_field(plain: str, random: Random) -> list[Edit]:
    return [
        Edit(match.end(), match.end(), f" {match.group('name')}.blockLength = 1;", "blockLen written blockLength")
        for match in _RECORD.finditer(plain)
        if "(" in plain[plain.rfind("{", 0, match.start()) - 200 : plain.rfind("{", 0, match.start())]
    ]


def _missing_include(plain: str, random: Random) -> list[Edit]:
    return [Edit(*match.span(), "", "kernel_operator.h not included") for match in _OPERATOR_HEADER.finditer(plain)]


def _statement(statement: str, description: str, include: str = "") -> Callable[[str, Random], list[Edit]]:
    """Edits that put ``statement`` before one that takes a tensor."""

    def edits(plain: str, random: Random) -> list[Edit]:
        return [
            Edit(match.end(), match.end(), f"{statement} ", description, include)
            for match in _STATEMENT.finditer(plain)
        ]

    return edits


SLIPS = tuple(
    Kind(name, Finder.LINT if name == "wrong-queue-position" else Finder.COMPILER, edits)
    for name, edits in {
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
        "missing-aicore": _missing_aicore,
        "missing-entry-aicore": _missing_entry_aicore,
        "missing-gm": _missing_gm,
        "returning-entry": _returning_entry,
        "wrong-enumerator": _wrong_enumerator,
        "wrong-template-argument": _wrong_template_argument,
        "wrong-record-field": _wrong_record_field,
        "missing-include": _missing_include,
        "host-container": _statement("std::vector<float> values(8);", "a std::vector in a kernel", "vector"),
        "host-stream": _statement("std::cout << 1;", "std::cout in a kernel", "iostream"),
        "host-mathematics": _statement("float power = std::pow(2.0f, 0.5f);", "std::pow in a kernel", "cmath"),
        "host-runtime": _statement("aclrtSynchronizeDevice();", "a call of the host's runtime", "acl/acl.h"),
        "heap": _statement("uint32_t *sizes = new uint32_t[4];", "new in a kernel"),
        "exception": _statement("if (GetBlockIdx() > 99) { throw 1; }", "throw in a kernel"),
    }.items()
)
"""What a compiler refuses."""
