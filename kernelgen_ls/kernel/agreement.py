"""Where an operator's files contradict each other or what the build makes of them: entry functions and definitions.

The build calls the entry function that is named after the operator, with an address for every input and output, the
workspace and the tiling data; and it defines the macros of the operands that the definition lists, column by column.
What a text does not say is left alone: an operator that sets its kernel's name itself, lists made by code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import frozen

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.distance import distance
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.host import HostContext, OperatorDefinition
from kernelgen_ls.kernel.program import Program
from kernelgen_ls.kernel.roles import has_entry
from kernelgen_ls.kernel.structure import Function, Span
from kernelgen_ls.kernel.syntax import Source

_DEVICE = frozenset({"__aicore__", "__vector__", "__cube__", "__mix__"})
_THREADS = re.compile(r"\bsimt_api\b|\bSimt\b|\bthreadIdx\b|\b__launch_bounds__\b|\bLAUNCH_BOUND\b|\b__simt_\w+")
_VIRTUAL = re.compile(r"\bvirtual\b[^;{}()]*\b__aicore__")
_MACRO = re.compile(r"\b(?:ORIG_)?DTYPE_(?P<operand>[A-Z][A-Z0-9_]*)\b")
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_OPERAND = re.compile(r'\b(?:Input|Output)\s*\(\s*"(?P<name>\w+)"\s*\)')
_CALL = re.compile(r"\s*\.\s*(?P<name>\w+)\s*(?P<open>\()")
_LITERAL_LIST = re.compile(r"\s*\{(?P<items>[^{}]*)\}\s*\)")
_REGISTERED = re.compile(r"\bREGISTER_TILING_DATA_CLASS\s*\(\s*(?P<operator>\w+)\s*,")
_FEW_LETTERS = 2


@frozen
class Disagreement:
    """What is wrong at ``span`` of a text."""

    span: Span
    message: str
    severity: Severity = Severity.ERROR


def _entry_rules(source: Source) -> Iterator[Disagreement]:
    """Yield what an entry function may not be: it returns nothing and takes values and addresses in global memory."""
    for entry in source.structure.entries:
        header = source.plain[entry.span.start : entry.name_span.start]
        if re.search(r"\b__aicpu__\b|\baicpu\b", header):
            continue
        if not re.search(r"\bvoid\b|\bauto\b", header):
            yield Disagreement(entry.name_span, f"the entry function '{entry.name}' has to return void")
        yield from _parameters(entry, header)
        addresses = any("GM_ADDR" in item.type or "__gm__" in item.type for item in entry.parameters)
        if (
            addresses
            and _DEVICE.isdisjoint(entry.qualifiers)
            and "aicore" not in header
            and not _THREADS.search(source.text)
        ):
            yield Disagreement(entry.name_span, f"the entry function '{entry.name}' needs __aicore__ beside __global__")
    for match in _VIRTUAL.finditer(source.plain) if "virtual" in source.plain else ():
        yield Disagreement(Span(match.start(), match.start() + len("virtual")), "the device has no virtual functions")


def _parameters(entry: Function, header: str) -> Iterator[Disagreement]:
    for parameter in entry.parameters:
        if parameter.type.rstrip().endswith("&"):
            message = f"'{parameter.name}' is a reference: the host passes an entry function values and addresses"
            yield Disagreement(parameter.span, message)
        elif re.fullmatch(r"(?:const\s+)?\w+\s*\*(?:\s*(?:const|__restrict__))?", parameter.type.strip()) and (
            "__aicore__" in header and "GM_ADDR" not in parameter.type
        ):
            message = f"'{parameter.name}' points to global memory: __gm__ is missing"
            yield Disagreement(parameter.span, message, Severity.WARNING)


def kernel_disagreements(program: Program, host: HostContext) -> Iterator[tuple[str, Disagreement]]:
    """Yield where a kernel breaks the rules of entry functions or does not fit ``host``, with the file's path."""
    for part in program.parts:
        if has_entry(part.text) or "virtual" in part.text:
            yield from ((part.path, found) for found in _entry_rules(part.source))
    if len(host.operators) != 1 or host.names_kernels:
        return
    operator = host.operators[0]
    entries = [(part.path, entry) for part in program.parts for entry in part.source.structure.entries]
    named = next((found for found in entries if found[1].name == operator.entry_name), None)
    if named is not None:
        path, entry = named
        yield from ((path, found) for found in _parameter_count(entry, operator))
        yield from _operand_macros(program, operator)
    elif len(entries) == 1 and len(entries[0][1].parameters) == _parameter_total(operator):
        path, entry = entries[0]
        if entry.name.replace("_", "") == operator.entry_name.replace("_", ""):
            return  # builds differ in where they part digits and letters: conv2d, conv2_d
        message = f"the operator {operator.name} calls its kernel '{operator.entry_name}', and this is '{entry.name}'"
        yield path, Disagreement(entry.name_span, message)
    elif not entries:
        yield from _forgotten_global(program, operator)


def _parameter_total(operator: OperatorDefinition) -> int:
    return len(operator.inputs) + len(operator.outputs) + operator.computes_shapes + 2


def _parameter_count(entry: Function, operator: OperatorDefinition) -> Iterator[Disagreement]:
    names = [operand.name for operand in (*operator.inputs, *operator.outputs)]
    names += [operand.name for config in operator.configs for operand in (*config.inputs, *config.outputs)]
    given, wanted = len(entry.parameters), _parameter_total(operator)
    if given == wanted or not operator.inputs or len(set(names)) != len(operator.inputs) + len(operator.outputs):
        return
    shapes = ["shapes of the outputs"] if operator.computes_shapes else []
    operands = ", ".join([*dict.fromkeys(names), *shapes, "workspace", "tiling"])
    yield Disagreement(
        entry.name_span, f"'{entry.name}' takes {given} parameters, and {operator.name} passes {wanted}: {operands}"
    )


def _operand_macros(program: Program, operator: OperatorDefinition) -> Iterator[tuple[str, Disagreement]]:
    """Macros of operands that the definition does not have, where no text defines them or asks whether they are."""
    known = {operand.name.upper() for operand in (*operator.inputs, *operator.outputs)}
    known |= {operand.name.upper() for config in operator.configs for operand in (*config.inputs, *config.outputs)}
    asked = "\n".join(match.group() for part in program.parts for match in _DIRECTIVE.finditer(part.text))
    said: set[str] = set()
    for part in program.parts:
        if any(entry.name != operator.entry_name for entry in part.source.structure.entries):
            continue  # another operator's kernel, which this one takes something from
        for match in _MACRO.finditer(_DIRECTIVE.sub(lambda found: " " * len(found.group()), part.source.plain)):
            macro = match.group()
            # An operand that is input and output at once has a second name.
            if (
                match.group("operand").removesuffix("_REF") in known
                or macro in said
                or re.search(rf"\b{macro}\b", asked)
            ):
                continue
            if re.search(rf"\b(?!return\b)\w+\s+{macro}\b", program.plain):
                continue  # the kernel's own name for something
            said.add(macro)
            names = ", ".join(item.name for item in (*operator.inputs, *operator.outputs))
            message = f"'{macro}' is of no operand of {operator.name}, which has {names}"
            yield part.path, Disagreement(Span(match.start(), match.end()), message)


def _forgotten_global(program: Program, operator: OperatorDefinition) -> Iterator[tuple[str, Disagreement]]:
    for part in program.parts:
        for function in part.source.structure.functions:
            if function.name == operator.entry_name and not function.owner:
                message = f"'{function.name}' is the kernel of {operator.name} and needs __global__"
                yield part.path, Disagreement(function.name_span, message)


def host_disagreements(text: str, host: HostContext) -> Iterator[Disagreement]:
    """Yield where a host text contradicts itself or, in what it registers, the operators of ``host``."""
    plain = strip_comments(text)
    yield from _columns(plain)
    if len(host.operators) == 1:
        yield from _registrations(plain, host, host.operators[0])


def _columns(plain: str) -> Iterator[Disagreement]:
    """Lists of one definition that are of different lengths: the columns are read across them."""
    for match in _OPERAND.finditer(plain):
        lists = dict(_lists(plain, match.end()))
        dtypes, formats = lists.get("DataType"), lists.get("Format")
        if dtypes and formats and len(dtypes[1]) != len(formats[1]):
            counts = f"{_counted(len(dtypes[1]), 'type')} and {_counted(len(formats[1]), 'format')}"
            message = f"'{match.group('name')}' has {counts}: a column takes one of each"
            yield Disagreement(formats[0], message)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _lists(plain: str, position: int) -> Iterator[tuple[str, tuple[Span, tuple[str, ...]]]]:
    """The lists that the builder chain from ``position`` on writes out: method, span and items of each."""
    while (call := _CALL.match(plain, position)) is not None:
        literal = _LITERAL_LIST.match(plain, call.end())
        if literal is not None:
            span = Span(call.start("name"), call.end("name"))
            yield call.group("name"), (span, tuple(cpp_text.split(literal.group("items"))))
        position = cpp_text.close(plain, call.start("open"))


def _registrations(plain: str, host: HostContext, operator: OperatorDefinition) -> Iterator[Disagreement]:
    """A tiling class registered for a slip of the operator's name, where nothing is registered for the operator."""
    registered: Mapping[str, str] = {item.operator: item.struct for item in host.tiling_classes}
    if any(name == operator.name or name.startswith(f"{operator.name}_") for name in registered):
        return
    for match in _REGISTERED.finditer(plain):
        name = match.group("operator")
        if distance(name, operator.name, _FEW_LETTERS) <= _FEW_LETTERS:
            message = f"the tiling data is registered for '{name}', and the operator is '{operator.name}'"
            yield Disagreement(Span(*match.span("operator")), message)
