"""In which configurations a file is checked: what the operator's host code says, as a header before each parse.

The operator build compiles a kernel once for every dtype column of its ``OpDef`` and every tiling key, with macros and
tiling structs that are in no file. Each configuration here is one such parse.
"""

from __future__ import annotations

import re

from attrs import frozen

from kernelgen_ls.kernel.chips import Architecture, Chip
from kernelgen_ls.kernel.dtypes import BFLOAT16, FLOAT16, FLOAT32, GRAPH_NUMBERS
from kernelgen_ls.kernel.host import (
    DtypeColumn,
    HostContext,
    OperatorDefinition,
    dtype_columns,
    read_host,
    tiling_header,
)
from kernelgen_ls.kernel.roles import says_host
from kernelgen_ls.runner.toolchains.source_tree import SourceTree

PRELUDE = "/kernelgen/prelude.h"
"""The virtual header with a configuration's macros and structs."""

MAX_COLUMNS = 12
"""Most dtype columns that are parsed; operators with more repeat themselves."""

_MACHINE = {
    Architecture.DAV_1001: (100, 1001),
    Architecture.DAV_2002: (200, 2002),
    Architecture.DAV_2201: (220, 2201),
    Architecture.DAV_3002: (300, 3002),
    Architecture.DAV_3510: (310, 3510),
}
"""``__CCE_AICORE__`` and ``__NPU_ARCH__`` as the compiler defines them for each architecture."""

_FORMATS = {
    "FORMAT_NCHW": 0,
    "FORMAT_NHWC": 1,
    "FORMAT_ND": 2,
    "FORMAT_NC1HWC0": 3,
    "FORMAT_FRACTAL_Z": 4,
    "FORMAT_FRACTAL_NZ": 29,
    "FORMAT_NCDHW": 30,
    "FORMAT_NDC1HWC0": 32,
    "FORMAT_FRACTAL_Z_3D": 33,
    "FORMAT_NDHWC": 27,
}
_ENTRY = re.compile(r"__global__[^;{}()]*?\b(?P<name>\w+)\s*\(")
_DEFINED = re.compile(
    r"\b(?:struct|class|union)\s+(?:__attribute__\s*\(\(.*?\)\)\s*)?(?P<name>\w+)\s*(?:final\s*)?[:{]"
)
_OPERAND_MACRO = re.compile(r"\b(?P<macro>(?:ORIG_)?DTYPE_[A-Z]\w*|FORMAT_[A-Z]\w*)\b")
_DIRECTIVE_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)", re.MULTILINE)
_KEY_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:el)?if\b.*\bTILING_KEY_VAR\b", re.MULTILINE)
_KEY = re.compile(r"\bTILING_KEY_IS\s*\(\s*(?P<key>\d+)[uUlL]*\s*\)")
_USES_TILING = re.compile(r"\bGET_TILING_DATA\s*\(")


@frozen
class Configuration:
    """One parse: ``name`` is what a finding that holds only here is marked with; "" where there is only one."""

    name: str
    prelude: str


@frozen
class KernelConfigurations:
    """All parses of a kernel and what they had to assume.

    ``guesses_dtypes`` says that the columns are guesses, of which an error has to hold in every one; and
    ``unknown_tiling`` that the kernel reads tiling data of which no struct is known.
    """

    configurations: tuple[Configuration, ...]
    guesses_dtypes: tuple[str, ...] = ()
    unknown_tiling: bool = False


def chip_flags(chip: Chip) -> list[str]:
    """The macros that the compiler defines for ``chip``."""
    core, arch = _MACHINE[chip.architecture]
    return [f"-D__CCE_AICORE__={core}", f"-D__NPU_ARCH__={arch}"]


def kernel_configurations(tree: SourceTree, entry: str, chip: Chip) -> KernelConfigurations:
    """The configurations that the kernel in ``entry`` is built in for ``chip``."""
    texts = [source.text for source in tree.reachable(entry)]
    joined = "\n".join(texts)
    host = read_host({path: source.text for path, source in tree.files.items() if says_host(path, source.text)})
    operator = host.operator_for(_entry_name(tree, entry))
    columns = _columns(operator, chip, joined)
    guessed: tuple[str, ...] = ()
    missing = _missing_macros(joined, columns[0] if columns else None)
    if missing:
        guessed = tuple(macro for macro in missing if macro.startswith("DTYPE_"))
        columns = _guessed(missing, columns)
    keys = _tiling_keys(joined, host, operator)
    defined = {match.group("name") for text in texts for match in _DEFINED.finditer(text)}
    structs = [struct for struct in host.structs if struct.name not in defined]
    header = tiling_header(structs)
    known = {struct.name for struct in host.structs} | defined
    configurations = []
    unknown_tiling = False
    for column in columns or [DtypeColumn(0, "", ())]:
        for key in keys:
            struct = host.tiling_struct(operator.name if operator else "", key)
            unknown_tiling = unknown_tiling or (struct is None and _USES_TILING.search(joined) is not None)
            name = ", ".join(
                part
                for part in (
                    f"dtype {column.name}" if len(columns) > 1 else "",
                    f"tiling key {key}" if len(keys) > 1 else "",
                )
                if part
            )
            tiling = struct.name if struct is not None and struct.name in known else ""
            lines = [f"#define {macro} {value}" for macro, value in column.defines]
            if key is not None:
                lines += ["#undef TILING_KEY_VAR", f"#define TILING_KEY_VAR {key}UL"]
            lines += _struct_lines(header, tiling, tiling in defined)
            configurations.append(Configuration(name, "\n".join([*_CONSTANTS, *lines]) + "\n"))
    return KernelConfigurations(tuple(configurations), guessed, unknown_tiling)


def _entry_name(tree: SourceTree, entry: str) -> str:
    match = _ENTRY.search(tree.files[entry].text) if entry in tree.files else None
    return match.group("name") if match else ""


def _columns(operator: OperatorDefinition | None, chip: Chip, text: str) -> list[DtypeColumn]:
    """The dtype columns that can make a difference to ``text``: those whose macros it uses differ."""
    if operator is None:
        return []
    used = set(_OPERAND_MACRO.findall(text))
    columns: dict[tuple[tuple[str, str], ...], DtypeColumn] = {}
    for column in dtype_columns(operator, chip.config_name, *chip.former_config_names):
        key = tuple(define for define in column.defines if define[0] in used)
        without = chip.architecture in (Architecture.DAV_1001, Architecture.DAV_2002)
        if without and BFLOAT16.kernel in dict(key).values():
            continue  # the build makes no such binary for a chip without the type
        columns.setdefault(key, DtypeColumn(column.index, column.name, column.defines))
    return list(columns.values())[:MAX_COLUMNS]


def _missing_macros(text: str, column: DtypeColumn | None) -> list[str]:
    """The operand macros that ``text`` uses and nobody defines."""
    defined = {match.group("name") for match in _DIRECTIVE_DEFINE.finditer(text)}
    if column is not None:
        defined |= {macro for macro, _ in column.defines}
    used = dict.fromkeys(match.group("macro") for match in _OPERAND_MACRO.finditer(text))
    return [macro for macro in used if macro not in defined and macro not in _FORMATS]


def _guessed(missing: list[str], columns: list[DtypeColumn]) -> list[DtypeColumn]:
    guesses = []
    for index, dtype in enumerate((FLOAT16, FLOAT32)):
        values = []
        for macro in missing:
            is_dtype = macro.startswith("DTYPE_")
            value = dtype.kernel if is_dtype else dtype.graph if macro.startswith("ORIG_") else "FORMAT_ND"
            values.append((macro, value))
        guesses.append(DtypeColumn(index, dtype.graph, tuple(values)))
    if not columns:
        return guesses
    return [DtypeColumn(column.index, column.name, column.defines + guesses[0].defines) for column in columns]


def _tiling_keys(text: str, host: HostContext, operator: OperatorDefinition | None) -> list[int | None]:
    """The tiling keys that change what the compiler sees: those of ``#if`` lines, keys with their own struct."""
    keys = sorted({int(match.group("key")) for match in _KEY.finditer(text)})
    if not keys:
        return [None]
    if _KEY_DIRECTIVE.search(text):
        return list(keys)
    if operator is None or not _USES_TILING.search(text):
        return [None]
    by_struct: dict[str, int] = {}
    for key in keys:
        struct = host.tiling_struct(operator.name, key)
        by_struct.setdefault(struct.name if struct else "", key)
    return list(by_struct.values()) if len(by_struct) > 1 else [None]


def _struct_lines(header: str, tiling: str, late: bool) -> list[str]:
    """The tiling structs, and which of them ``GET_TILING_DATA`` declares; ``late``: the kernel defines it itself."""
    lines = [line for line in header.splitlines() if not line.startswith("#pragma")]
    if tiling:
        forward = [f"struct {tiling};"] if late else []
        lines += [*forward, "#undef KERNELGEN_TILING_STRUCT", f"#define KERNELGEN_TILING_STRUCT {tiling}"]
    return lines


_CONSTANTS = [
    *(f"#define {name} {number}" for name, number in GRAPH_NUMBERS.items()),
    *(f"#define {name} {number}" for name, number in _FORMATS.items()),
]
