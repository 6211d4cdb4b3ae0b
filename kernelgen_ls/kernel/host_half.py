"""Which part of a kernel's files runs on the host: functions that no device code reaches, and what only they use.

A program may keep both halves in one file: entry functions, and a ``main`` that launches them. What decides is the call
graph by name: whatever has a qualifier of the device (``__aicore__``, ``__global__``, ``[aicore]``, ``__simt_vf__``) is
device code, so is everything that device code names, and what that names in its turn. Other functions are host code,
and so is one that launches an entry function, whoever names it. Where nothing has a qualifier nothing is called host
code: the qualifiers may have been forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen
from tree_sitter import Node

from kernelgen_ls.kernel.structure import Span
from kernelgen_ls.kernel.syntax import Source

_DEVICE = (
    r"__(?:aicore|global|vector|cube|host_aicore|simd_vf|simt_vf|simd_callee|simt_callee)__"
    r"|__mix__(?=\s*\()|\[\s*(?:host\s*,)?\s*aicore ?\]"
)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<body>(?:\\\r?\n|[^\n])*)", re.MULTILINE)
_WORD = re.compile(r"(?P<member>(?:\.|->)\s*(?:template\s+)?)?\b(?P<name>[A-Za-z_]\w*)")
_CONTAINERS = (
    *("translation_unit", "namespace_definition", "declaration_list", "linkage_specification"),
    *("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef"),
)
_CLASSES = ("class_specifier", "struct_specifier", "union_specifier")
_FUNCTION = "function_definition"
_DECLARATIONS = ("declaration", "type_definition", "alias_declaration")
_NAMES = ("identifier", "field_identifier", "type_identifier", "namespace_identifier")


@frozen
class _Unit:
    """Something at the outermost level or in a class of the device: what it declares and which names it uses.

    A macro is one too, and has no span: nothing is reported in it.
    """

    path: str
    span: Span | None
    names: frozenset[str]
    function: bool
    member: bool
    words: frozenset[str]
    members: frozenset[str]
    device: bool
    launches: bool = False


def host_half(texts: Mapping[str, str]) -> dict[str, tuple[Span, ...]]:
    """Return, for every text that has some, the spans of what only the host runs: functions, classes, declarations.

    ``texts`` are a kernel's file and what it includes, by path.
    """
    plain = {path: Source.parse(text) for path, text in texts.items()}
    macros = [match for source in plain.values() for match in _DEFINE.finditer(source.plain)]
    device = _device_pattern(macros)
    units = [unit for path, source in plain.items() for unit in _units(path, source, device)]
    units += map(_macro, macros)
    if not any(unit.device for unit in units):
        return {}
    spans: dict[str, list[Span]] = {}
    for unit in _with_functions(_unreached(units)):
        if unit.span is not None:
            spans.setdefault(unit.path, []).append(unit.span)
    return {path: tuple(sorted(found, key=lambda span: span.start)) for path, found in spans.items()}


def _device_pattern(macros: Iterable[re.Match[str]]) -> re.Pattern[str]:
    """The qualifiers, and the macros that stand for one."""
    qualifier = re.compile(_DEVICE)
    named = {match.group("name") for match in macros if qualifier.search(match.group("body"))}
    return re.compile("|".join([_DEVICE, *(rf"\b{name}\b" for name in sorted(named))]))


def _macro(match: re.Match[str]) -> _Unit:
    words, members = _used(match.group("body"))
    return _Unit("", None, frozenset([match.group("name")]), False, False, words, members, device=False)


def _unreached(units: list[_Unit]) -> list[_Unit]:
    """The units that nothing of the device leads to."""
    words, members = frozenset[str](), frozenset[str]()
    launching = [unit for unit in units if unit.launches and not unit.device]
    waiting = [unit for unit in units if not unit.device and not unit.launches]
    for unit in units:
        if unit.device:
            words, members = words | unit.words, members | unit.members
    while True:
        known = words | members
        reached = [unit for unit in waiting if not unit.names.isdisjoint(known if unit.member else words)]
        if not reached:
            return [*waiting, *launching]
        waiting = [unit for unit in waiting if unit not in reached]
        words = words.union(*(unit.words for unit in reached))
        members = members.union(*(unit.members for unit in reached))


def _with_functions(unreached: list[_Unit]) -> list[_Unit]:
    """Functions, and what they use: a constant or type that nobody uses yet is not the host's for that."""
    host = [unit for unit in unreached if unit.function]
    waiting = [unit for unit in unreached if not unit.function]
    found = host
    while found:
        words = frozenset[str]().union(*(unit.words | unit.members for unit in found))
        found = [unit for unit in waiting if not unit.names.isdisjoint(words)]
        waiting = [unit for unit in waiting if unit not in found]
        host = host + found
    return host


def _units(path: str, source: Source, device: re.Pattern[str]) -> Iterator[_Unit]:
    for outer, node, member in _nodes(source, source.root, device):
        before = outer.prev_sibling
        span = Span(outer.start_byte, outer.end_byte)
        # The tree has no [aicore]: it stands between a function and what comes before it.
        text = source.plain[before.end_byte if before is not None else 0 : span.end]
        names = frozenset(_declared(source, node))
        words, members = _used(text)
        is_device = not names or device.search(text) is not None
        launches = node.type == _FUNCTION and "<<<" in text
        yield _Unit(path, span, names, node.type == _FUNCTION, member, words, members, is_device, launches)


def _nodes(source: Source, parent: Node, device: re.Pattern[str]) -> Iterator[tuple[Node, Node, bool]]:
    """What stands in ``parent``, with its template's head and without, and whether it is a class' member.

    A class that has device functions is not one thing: its functions are looked at one by one.
    """
    for outer in parent.named_children:
        node = outer
        while node.type == "template_declaration" and node.named_children:
            node = node.named_children[-1]
        if node.type in _CONTAINERS:
            yield from _nodes(source, node, device)
        elif node.type in _CLASSES:
            body = node.child_by_field_name("body")
            if body is not None and device.search(source.plain, body.start_byte, body.end_byte):
                for within, member, _ in _nodes(source, body, device):
                    yield within, member, True
            else:
                yield outer, node, False
        elif node.type in (_FUNCTION, *_DECLARATIONS, "field_declaration"):
            yield outer, node, False


def _used(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a text uses by themselves, and those it uses as members of something."""
    words: set[str] = set()
    members: set[str] = set()
    for match in _WORD.finditer(text):
        (members if match.group("member") else words).add(match.group("name"))
    return frozenset(words), frozenset(members)


def _declared(source: Source, node: Node) -> Iterator[str]:
    """The names that a node declares; none where they cannot be told."""
    if node.type in _CLASSES or node.type == "alias_declaration":
        name = node.child_by_field_name("name")
        if name is not None:
            yield source.text[name.start_byte : name.end_byte].split("<")[0].strip()
        return
    for declarator in node.children_by_field_name("declarator"):
        found = declarator
        while found.type not in _NAMES:
            inner = found.child_by_field_name("declarator") or found.child_by_field_name("name")
            inner = inner or next((child for child in found.named_children if child.type in _NAMES), None)
            if inner is None and found.type == "reference_declarator" and found.named_children:
                inner = found.named_children[-1]
            if inner is None:
                return
            found = inner
        yield source.text[found.start_byte : found.end_byte]
