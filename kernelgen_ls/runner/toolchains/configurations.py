"""In which configurations a file is checked: what the operator's host code says, as a header before each parse.

The operator build compiles a kernel once for every dtype column of its ``OpDef`` and every tiling key, with macros and
tiling structs that are in no file; and a kernel with template tiling keys once for every combination of template
arguments. Each configuration here is one parse, which can instantiate several combinations. Operators with many
configurations repeat themselves, so no more than a bounded number is made: every dtype and every key first, then pairs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

from attrs import evolve, field, frozen

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.chips import Architecture, Chip
from kernelgen_ls.kernel.covering import covering
from kernelgen_ls.kernel.dtypes import BFLOAT16, FLOAT16, FLOAT32, GRAPH_NUMBERS
from kernelgen_ls.kernel.host import (
    DtypeColumn,
    HostContext,
    OperatorDefinition,
    dtype_columns,
    read_host,
    tiling_header,
)
from kernelgen_ls.kernel.preprocess import Preprocessor
from kernelgen_ls.kernel.roles import says_host
from kernelgen_ls.kernel.template_keys import Combination, Operand, TemplateKeys, read_template_keys
from kernelgen_ls.runner.toolchains.source_tree import SourceTree

PRELUDE = "/kernelgen/prelude.h"
"""The virtual header with a configuration's macros and structs."""

MAX_CONFIGURATIONS = 12
"""Most parses of one check; each costs a usual kernel some 36 ms."""

MAX_INSTANCES = 24
"""Most combinations of template arguments that one check instantiates, over all its parses."""

_MANY = 3
"""So many configurations take long enough that findings of the first are worth having before."""

MAX_APART = 6
"""Most combinations of a parse that are looked at one by one to say which of them a finding is for."""

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
    r"\b(?:struct|class|union)\s+(?:(?:__attribute__|alignas)\s*\((?:[^()]|\([^()]*\))*\)\s*)*"
    r"(?P<name>\w+)\s*(?:final\s*)?[:{]"
)
_OPERAND_MACRO = re.compile(r"\b(?P<macro>(?:ORIG_)?DTYPE_[A-Z]\w*|FORMAT_[A-Z]\w*)\b")
_OWN_NAME = re.compile(
    r"[>,{]\s+(?P<item>FORMAT_\w+)\s*=(?!=)"
    r"|\b(?!(?:return|case|else|if|elif|ifdef|ifndef|defined|undef)\b)\w+\s+"
    r"(?P<name>FORMAT_\w+|DTYPE_\w+(?=\s*(?:=(?!=)|\[|\{|,|>|;)))"
)
"""What the text declares itself and calls like an operand macro: a constant, an enumerator, a template parameter."""
_DIRECTIVE_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)", re.MULTILINE)
_KEY_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:el)?if\b(?P<condition>.*\bTILING_KEY_VAR\b.*)$", re.MULTILINE)
_KEY = re.compile(r"\bTILING_KEY_IS\s*\(\s*(?P<key>\w+)\s*\)")
_COMPARED_KEY = re.compile(r"\bTILING_KEY_VAR\s*==\s*\(?\s*(?P<key>\w+)")
_NUMBER = re.compile(r"(?P<number>\d+)[uUlL]*$")
_USES_TILING = re.compile(r"\bGET_TILING_DATA\s*\(")
_REGISTERS_TILING = re.compile(r"\bREGISTER_TILING_DEFAULT\s*\(")
_BOUNDARY = re.compile(r"[;}]|^[ \t]*#.*$", re.MULTILINE)
_TEMPLATE = re.compile(r"\btemplate\s*<")


@frozen
class Instance:
    """One combination of template arguments: ``name`` for people, ``use`` is C++ that makes the compiler build it."""

    name: str
    use: str


@frozen
class Configuration:
    """One parse: ``name`` is what a finding that holds only here is marked with; "" where there is only one."""

    name: str
    prelude: str
    instances: tuple[Instance, ...] = ()
    types: tuple[tuple[str, ...], ...] = ()
    """The element types of the operands, a tuple a column of the definition that is built like this."""

    @property
    def postlude(self) -> str:
        """What follows the kernel's own text: code that uses the instances; "" where there are none."""
        uses = " ".join(f"{instance.use};" for instance in self.instances)
        return f"static void kernelgenInstances() {{ {uses} }}\n" if uses else ""

    def apart(self) -> tuple[Configuration, ...]:
        """One configuration an instance, for the first of them; what is left together."""
        alone, together = self.instances[:MAX_APART], self.instances[MAX_APART:]
        parts: list[tuple[str, tuple[Instance, ...]]] = [(instance.name, (instance,)) for instance in alone]
        parts += [(f"{len(together)} further combinations", together)] if together else []
        return tuple(
            Configuration(", ".join(filter(None, (self.name, name))), self.prelude, instances)
            for name, instances in parts
        )


@frozen
class KernelConfigurations:
    """All parses of a kernel and what they had to assume.

    ``guesses_dtypes`` says that the columns are guesses, of which an error has to hold in every one; and
    ``unknown_tiling`` that the kernel reads tiling data of which no struct is known. ``entry`` names the entry function
    and ``total`` counts the configurations that it is built in, which may be more than these; ``host`` is what says so,
    ``templates`` the lists of template arguments where the entry function is a template.
    """

    configurations: tuple[Configuration, ...]
    guesses_dtypes: tuple[str, ...] = ()
    unknown_tiling: bool = False
    entry: str = ""
    total: int = 1
    host: HostContext = field(factory=HostContext)
    templates: TemplateKeys | None = None

    def foremost(self) -> KernelConfigurations:
        """The first configuration alone, where there are enough others to wait for; else all."""
        if len(self.configurations) < _MANY or self.guesses_dtypes:
            return self
        first = self.configurations[0]
        return evolve(self, configurations=(evolve(first, instances=first.instances[:1]),), total=1)


def chip_macros(chip: Chip) -> dict[str, str]:
    """The macros that the compiler defines for ``chip``."""
    core, arch = _MACHINE[chip.architecture]
    return {"__CCE_AICORE__": str(core), "__NPU_ARCH__": str(arch)}


def chip_flags(chip: Chip) -> list[str]:
    """The same macros as a compiler is told them."""
    return [f"-D{name}={value}" for name, value in chip_macros(chip).items()]


def kernel_configurations(
    tree: SourceTree, entry: str, chip: Chip, most: int = MAX_CONFIGURATIONS
) -> KernelConfigurations:
    """The configurations that the kernel in ``entry`` is built in for ``chip``; the ``most`` telling of many."""
    texts = [source.text for source in tree.reachable(entry)]
    joined = "\n".join(texts)
    host = read_host({path: source.text for path, source in tree.files.items() if says_host(path, source.text)})
    entry_name = _entry_name(tree, entry)
    operator = host.operator_for(entry_name)
    templates = _template_keys(texts, entry_name, chip)
    columns = _columns(operator, chip, joined, templates)
    guessed: tuple[str, ...] = ()
    missing = _missing_macros(joined, columns[0] if columns else None)
    if missing:
        guessed = tuple(macro for macro in missing if macro.startswith("DTYPE_"))
        columns = _guessed(missing, columns)
    keys = _tiling_keys(joined, host, operator)
    structs = list(dict.fromkeys(selection.struct for selection in templates.selections)) if templates else [""]
    columns = columns or [DtypeColumn(0, "", ())]
    tilings = _Tilings.of(host, operator, texts, chip)
    axes = (len(columns), len(keys), len(structs))
    parses = []
    for column, key, struct in islice(covering(axes), most):
        chosen = (columns[column], keys[key], structs[struct])
        name = _name(columns[column].name if len(columns) > 1 else "", keys[key] if len(keys) > 1 else "")
        parses.append((name, *chosen, tilings.prelude(*chosen)))
    instances = _instances(templates, entry_name, operator, [(column, struct) for _, column, _, struct, _ in parses])
    return KernelConfigurations(
        tuple(
            Configuration(name, prelude, tuple(given), column.types)
            for (name, column, _, _, prelude), given in zip(parses, instances, strict=True)
        ),
        guessed,
        "" in structs and any(map(tilings.is_unknown, keys)) and _USES_TILING.search(joined) is not None,
        entry_name,
        len(keys)
        * sum(templates.count(_operand_types(templates, operator, column)) if templates else 1 for column in columns),
        host,
        templates,
    )


def _name(dtype: str, key: str) -> str:
    return ", ".join(filter(None, (dtype and f"dtype {dtype}", key and f"tiling key {key}")))


@frozen
class _Tilings:
    """The tiling structs that a kernel's preludes declare, and which of them ``GET_TILING_DATA`` gives."""

    host: HostContext
    operator: str
    header: str
    defined: frozenset[str]
    """The structs, classes and unions that the kernel's own files define."""
    registers: bool
    """The kernel names its tiling struct itself."""

    @classmethod
    def of(cls, host: HostContext, operator: OperatorDefinition | None, texts: Sequence[str], chip: Chip) -> _Tilings:
        defined = frozenset(_defined(texts, {struct.name for struct in host.structs}, chip))
        header = tiling_header([struct for struct in host.structs if struct.name not in defined])
        registers = any("REGISTER_TILING_DEFAULT" in text and _REGISTERS_TILING.search(text) for text in texts)
        return cls(host, operator.name if operator else "", header, defined, registers)

    def is_unknown(self, key: str) -> bool:
        """Whether no text says what ``GET_TILING_DATA`` gives."""
        return not self.registers and self._registered(key) == ""

    def prelude(self, column: DtypeColumn, key: str, struct: str) -> str:
        """The header of a parse; ``struct`` is what a selection of template arguments names, or ""."""
        lines = [f"#define {macro} {value}" for macro, value in column.defines]
        if key:
            number = _NUMBER.match(key)
            value = f"{number.group('number')}UL" if number else key
            lines += ["#undef TILING_KEY_VAR", f"#define TILING_KEY_VAR {value}"]
        tiling = struct or self._registered(key)
        lines += [line for line in self.header.splitlines() if not line.startswith("#pragma")]
        if tiling:
            lines += ["#undef KERNELGEN_TILING_STRUCT", f"#define KERNELGEN_TILING_STRUCT {tiling}"]
        if struct:
            lines += ["#undef KERNELGEN_SELECTS_TILING", "#define KERNELGEN_SELECTS_TILING true"]
        return "\n".join([*_CONSTANTS, *lines]) + "\n"

    def _registered(self, key: str) -> str:
        number = _NUMBER.match(key)
        struct = self.host.tiling_struct(self.operator, int(number.group("number")) if number else None)
        return struct.name if struct is not None else ""


def _defined(texts: Sequence[str], declared: Collection[str], chip: Chip) -> Iterator[str]:
    """Yield the structs that a kernel's files define; of those the host side has too, what the preprocessor keeps."""
    for text in texts:
        found = {match.group("name") for match in _DEFINED.finditer(text)}
        if "#if" in text and not found.isdisjoint(declared):
            active = Preprocessor.of(chip_macros(chip)).active(text, text)
            found = {match.group("name") for match in _DEFINED.finditer(active)}
        yield from found


def _template_keys(texts: Sequence[str], entry_name: str, chip: Chip) -> TemplateKeys | None:
    """The template tiling keys of a kernel whose entry function is a template; the first of ``texts`` has it."""
    if not any("ASCENDC_TPL_" in text for text in texts) or not _has_template_entry(strip_comments(texts[0])):
        return None
    preprocessor = Preprocessor.of(chip_macros(chip))
    plain = map(strip_comments, reversed(texts))  # a header's macros stand before what includes it
    return read_template_keys([preprocessor.active(text, text) for text in plain], entry_name)


def _has_template_entry(text: str) -> bool:
    """Whether an entry function of ``text``, free of comments, is a template."""
    for match in _ENTRY.finditer(text):
        boundary = max((found.end() for found in _BOUNDARY.finditer(text, 0, match.start())), default=0)
        if _TEMPLATE.search(text, boundary, match.start()):
            return True
    return False


def _instances(
    templates: TemplateKeys | None,
    entry_name: str,
    operator: OperatorDefinition | None,
    parses: Sequence[tuple[DtypeColumn, str]],
) -> list[list[Instance]]:
    """Which combinations each parse (its dtype column and tiling struct) instantiates, others in each where it can."""
    chosen: list[list[Instance]] = [[] for _ in parses]
    if templates is None:
        return chosen
    share = max(MAX_INSTANCES // len(parses), 1)
    for place, (column, struct) in enumerate(parses):
        combinations = templates.sampled(struct, _operand_types(templates, operator, column))
        usable = list(islice(_usable(templates, entry_name, combinations), MAX_INSTANCES))
        start = place * share % len(usable) if len(usable) > share else 0
        chosen[place] += (usable + usable)[start : start + min(share, len(usable))]
    return chosen


def _usable(templates: TemplateKeys, entry_name: str, combinations: Iterator[Combination]) -> Iterator[Instance]:
    for combination in combinations:
        arguments = templates.arguments(combination)
        if arguments is not None:
            yield Instance(templates.shown(combination), f"(void)&{entry_name}<{', '.join(arguments)}>")


def _operand_types(
    templates: TemplateKeys, operator: OperatorDefinition | None, column: DtypeColumn
) -> Mapping[Operand, str]:
    """The element types (``DT_...``) in ``column`` of the operands that template parameters follow."""
    types: dict[Operand, str] = {}
    defines = dict(column.defines)
    for operand in filter(None, (parameter.follows for parameter in templates.parameters)):
        name = _operand_name(operator, operand)
        if f"ORIG_DTYPE_{name}" in defines:
            types[operand] = defines[f"ORIG_DTYPE_{name}"]
    return types


def _operand_name(operator: OperatorDefinition | None, operand: Operand) -> str:
    listed = () if operator is None else operator.inputs if operand.is_input else operator.outputs
    return listed[operand.index].name.upper() if operand.index < len(listed) else ""


def _entry_name(tree: SourceTree, entry: str) -> str:
    match = _ENTRY.search(tree.files[entry].text) if entry in tree.files else None
    return match.group("name") if match else ""


def _columns(
    operator: OperatorDefinition | None, chip: Chip, text: str, templates: TemplateKeys | None
) -> list[DtypeColumn]:
    """The dtype columns that can make a difference to ``text``: those whose macros it uses differ.

    So can those of the operands that a template parameter follows.
    """
    if operator is None:
        return []
    used = set(_OPERAND_MACRO.findall(text)) if _may_use(text) else set()
    for parameter in templates.parameters if templates else ():
        if parameter.follows:
            used.add(f"ORIG_DTYPE_{_operand_name(operator, parameter.follows)}")
    columns: dict[tuple[tuple[str, str], ...], DtypeColumn] = {}
    for column in dtype_columns(operator, chip.config_name, *chip.former_config_names):
        key = tuple(define for define in column.defines if define[0] in used)
        without = chip.architecture in (Architecture.DAV_1001, Architecture.DAV_2002)
        if without and BFLOAT16.kernel in dict(key).values():
            continue  # the build makes no such binary for a chip without the type
        first = columns.setdefault(key, column)
        if first is not column:
            columns[key] = evolve(first, alike=(*first.alike, column.defines))
    return list(columns.values())


def _may_use(text: str) -> bool:
    """Whether an operand macro may be in ``text``: most kernels have none, and looking for words is slow."""
    return "DTYPE_" in text or "FORMAT_" in text


def _missing_macros(text: str, column: DtypeColumn | None) -> list[str]:
    """The operand macros that ``text`` uses and nobody defines."""
    used = dict.fromkeys(match.group("macro") for match in _OPERAND_MACRO.finditer(text)) if _may_use(text) else {}
    if not used:
        return []
    defined = {match.group("name") for match in _DIRECTIVE_DEFINE.finditer(text)}
    defined |= {match.group("item") or match.group("name") for match in _OWN_NAME.finditer(text)}
    if column is not None:
        defined |= {macro for macro, _ in column.defines}
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
    more = guesses[0].defines
    return [
        evolve(column, defines=column.defines + more, alike=tuple(one + more for one in column.alike))
        for column in columns
    ]


def _tiling_keys(text: str, host: HostContext, operator: OperatorDefinition | None) -> list[str]:
    """The tiling keys that change what the compiler sees, as written; "" is the one where none does.

    They are those of ``#if`` lines, which may be macros, and keys with their own struct.
    """
    if "TILING_KEY" not in text:
        return [""]
    written = [match.group("key") for match in _KEY.finditer(text)]
    conditions = " ".join(match.group("condition") for match in _KEY_DIRECTIVE.finditer(text))
    if conditions:
        compared = [match.group("key") for match in _COMPARED_KEY.finditer(conditions)]
        keys = {match.group("number") if (match := _NUMBER.match(key)) else key: None for key in compared + written}
        return sorted(keys, key=lambda key: (not key.isdigit(), int(key) if key.isdigit() else 0)) or [""]
    if operator is None or not _USES_TILING.search(text):
        return [""]
    by_struct: dict[str, str] = {}
    for number in sorted({int(match.group("number")) for match in map(_NUMBER.match, written) if match}):
        struct = host.tiling_struct(operator.name, number)
        by_struct.setdefault(struct.name if struct else "", str(number))
    return list(by_struct.values()) if len(by_struct) > 1 else [""]


_CONSTANTS = [
    *(f"#define {name} {number}" for name, number in GRAPH_NUMBERS.items()),
    *(f"#define {name} {number}" for name, number in _FORMATS.items()),
]
