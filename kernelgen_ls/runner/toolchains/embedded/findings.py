"""From clang's diagnostics to findings: at the user's line, in the kernel author's words.

An error inside our declarations is the user's call that led there: the deepest frame inside the user's own files is
where it is shown. A name that our declarations lack may well exist in CANN, so it is information, never an error,
unless it looks like a slip of a name that we have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import define, evolve, field

from kernelgen_ls.kernel.findings import Finding, Fix, FoundBy, Location, Position, Range, Related, Severity, TextEdit
from kernelgen_ls.runner.toolchains.embedded.parser import RawDiagnostic, RawRange
from kernelgen_ls.runner.toolchains.source_tree import SourceTree

Suggest = Callable[[str, str], "tuple[str, ...]"]
"""Names like the given one in a scope (``AscendC``, ``std``, "" for any), best first."""

_SPELLINGS = (
    (re.compile(r"\b_Float16\b"), "half"),
    (re.compile(r"\b__bf16\b"), "bfloat16_t"),
    (re.compile(r"(?:::)?\bAscendC::Constraint::Bf16\b"), "bfloat16_t"),
    (re.compile(r"\bConstraint::Bf16\b"), "bfloat16_t"),
    (re.compile(r"\bConstraint::Absent, "), ""),
    (re.compile(r"\s*\(aka '[^']*'\)"), ""),
)
_REQUIREMENT = re.compile(r"^static assertion failed(?: due to requirement '.*')?(?:: (?P<message>.*))?$", re.DOTALL)
_NO_MEMBER = re.compile(
    r"^no (?:type|template|member)?(?: ?(?:type|template|member))*\s*named '(?P<name>[^']+)' in (?P<where>.*)$"
)
_UNDECLARED = re.compile(
    r"^(?:use of undeclared identifier|unknown type name|unknown template name|no template named) '(?P<name>[^']+)'"
)
_SUGGESTED = re.compile(r"; did you mean '(?P<name>[^']+)'\?$")
_MISSING_FILE = re.compile(r"^'(?P<name>[^']+)' file not found$")
_NAMESPACES = re.compile(
    r"\bin namespace '(?P<name>AscendC|matmul|AscendC::\w+|platform_ascendc|ge|gert|optiling|ops|Hccl|matmul_tiling)\b"
)
_CANDIDATE = re.compile(
    r"^candidate (?:function|template|constructor|function template)?.*?(?:not viable|ignored): (?P<reason>.*)$",
    re.DOTALL,
)
_CODES = (
    ("no matching ", "no-match"),
    ("call to ", "ambiguous"),
    ("expected ", "syntax"),
    ("extraneous ", "syntax"),
    ("unterminated ", "syntax"),
    ("static assertion", "constraint"),
    ("no member", "no-member"),
    ("use of undeclared", "undeclared"),
    ("unknown type", "undeclared"),
    ("too few ", "arguments"),
    ("too many ", "arguments"),
)
_OUTSIDE = (
    "acl/", "aclnn", "aclnn_", "adv_api/", "aicpu", "ascendc/", "basic_api/", "catlass/", "act/", "tla/", "common/",
    "detail/", "driver/", "error/", "exe_graph/", "external/", "ge/", "graph/", "hccl/", "hcomm", "impl/",
    "inner_interface/", "kernel_", "kernel_tiling/", "level0/", "lib/", "log/", "op_", "opdev/", "platform",
    "register/", "runtime/", "securec", "tiling/", "tiling_base/", "toolchain/", "torch/", "utils/", "adump",
    "pytorch_npu", "c_api/", "micro_api/", "simt_api/", "version/", "tikicpulib", "data_utils", "gtest", "nlohmann/",
    "ops_", "cpu_",
)  # fmt: skip
"""How headers begin that a CANN installation or a host project brings and that this checker does not have."""


@define
class Reader:
    """Turns the diagnostics of one parse into findings."""

    tree: SourceTree
    suggest: Suggest
    unknown_tiling: bool = False
    missing_headers: bool = False
    """A header is missing, so an undeclared name may be one of its."""
    using_ascendc: bool = True
    host: bool = False
    """The file is host code, which may include half of a CANN installation that is not here."""
    _done: set[tuple[Location, str]] = field(factory=set)

    def read(self, diagnostics: Iterable[RawDiagnostic]) -> Iterator[Finding]:
        """Yield a finding for every diagnostic that concerns the user's files, each place and message once."""
        unknown: set[tuple[str, Position]] = set()
        diagnostics = list(diagnostics)
        outside = [name for name in map(_missing_file, diagnostics) if name and not self.suggest(name, "#include")]
        self.missing_headers = bool(outside)
        for diagnostic in diagnostics:
            if self.host and outside and not _stands_alone(diagnostic):
                continue  # its cause may be a declaration in a header that is not here
            finding = self._finding(diagnostic)
            if finding is None:
                continue
            place = (finding.location.path, finding.location.range.start)
            if finding.code == "embedded/unknown-name":
                unknown.add(place)
            elif place in unknown:
                continue  # clang went on with a guess at what the unknown name is
            key = (finding.location, finding.message)
            if key not in self._done:
                self._done.add(key)
                yield finding

    def is_of_instance(self, raw: RawDiagnostic) -> bool:
        """Whether a diagnostic is of a template that only what follows a file's own text instantiates."""
        return any(self._follows_text(note.path, note.line) for note in raw.notes)

    def _follows_text(self, path: str, line: int) -> bool:
        name = self.tree.real(path) if path else None
        source = self.tree.files.get(name) if name is not None else None
        return source is not None and line > len(source.lines)

    def _finding(self, raw: RawDiagnostic) -> Finding | None:
        if self.unknown_tiling and "KernelgenUnknownTiling" in raw.message:
            return None
        place = self._place(raw)
        if place is None:
            return None
        severity = Severity.ERROR if raw.severity >= 3 else Severity.WARNING
        message = _worded(raw.message)
        code = _code(raw)
        fixes = self._fixes(raw)
        missing = _MISSING_FILE.match(raw.message)
        if missing:
            severity, message = self._file_not_found(missing.group("name"))
            code = "embedded/include"
        else:
            known = self._unknown_name(raw, place)
            if known is not None:
                severity, message, code, named = known
                fixes = fixes or named
        message += _reasons(raw)
        related = tuple(self._related(raw, place))
        return Finding(place, severity, message, FoundBy.EMBEDDED, code, related, fixes)

    def _place(self, raw: RawDiagnostic) -> Location | None:
        """The deepest frame inside the user's files: the diagnostic itself, or the first note there."""
        here = self._location(raw.path, raw.line, raw.column, raw.ranges)
        if here is not None:
            return here
        for note in raw.notes:
            if note.message.startswith(("in file included", "candidate")):
                continue
            there = self._location(note.path, note.line, note.column, note.ranges)
            if there is not None:
                return there
        return None

    def _location(self, path: str, line: int, column: int, ranges: tuple[RawRange, ...] = ()) -> Location | None:
        name = self.tree.real(path) if path else None
        source = self.tree.files.get(name) if name is not None else None
        if source is None or name is None or line > len(source.lines):
            return None
        start = source.position(line, column)
        word = source.word(start)
        for item in ranges:
            if item.path == path and (item.line, item.column) == (line, column):
                end = source.position(item.end_line, item.end_column)
                if end > word.end and end.line == start.line:
                    word = Range(start, end)
        return Location(name, word)

    def _related(self, raw: RawDiagnostic, place: Location) -> Iterator[Related]:
        for note in raw.notes[:12]:
            if note.message.startswith("in file included"):
                continue
            where = self._location(note.path, note.line, note.column)
            if where is not None and where.range.start != place.range.start:
                yield Related(where, _worded(note.message))

    def _fixes(self, raw: RawDiagnostic) -> tuple[Fix, ...]:
        edits = []
        for item in raw.fixes:
            path = self.tree.real(item.range.path)
            source = self.tree.files.get(path) if path is not None else None
            if source is None or path is None:
                return ()
            start = source.position(item.range.line, item.range.column)
            end = source.position(item.range.end_line, item.range.end_column)
            edits.append(TextEdit(path, Range(start, end), item.text))
        if not edits:
            return ()
        return (Fix(_title(edits), tuple(edits), safe=len(edits) == 1 and edits[0].new_text in (";", ")", "}", "]")),)

    def _file_not_found(self, name: str) -> tuple[Severity, str]:
        close = self.suggest(name, "#include")
        outside = self.host or name.startswith(_OUTSIDE) or name.rsplit("/", 1)[-1].startswith(_OUTSIDE)
        if outside and not close:
            return Severity.INFORMATION, f"'{name}' is unknown to the embedded check; names it declares are not checked"
        hint = f"; did you mean '{close[0]}'?" if close else ""
        return Severity.ERROR, f"'{name}' file not found{hint}"

    def _unknown_name(self, raw: RawDiagnostic, place: Location) -> tuple[Severity, str, str, tuple[Fix, ...]] | None:
        """How an undeclared name is reported; None for any other diagnostic."""
        if raw.severity < 3:
            return None
        member, undeclared = _NO_MEMBER.match(raw.message), _UNDECLARED.match(raw.message)
        match = member or undeclared
        if match is None:
            return None
        name = match.group("name")
        if name.endswith("Impl"):
            return Severity.INFORMATION, f"'{name}' is unknown to the embedded check", "embedded/unknown-name", ()
        scope = ""
        if member is not None:
            where = _NAMESPACES.search(raw.message)
            if where is None:
                return None
            scope = where.group("name")
        close = self.suggest(name, scope)
        if _SUGGESTED.search(raw.message):
            return None
        if close:
            hint = " or ".join(f"'{candidate}'" for candidate in close[:2])
            fix = Fix(f"Change to '{close[0]}'", (TextEdit(place.path, _name_range(self.tree, place, name), close[0]),))
            return Severity.ERROR, f"{_worded(raw.message)}; did you mean {hint}?", "embedded/misspelt", (fix,)
        if scope or self.missing_headers or (self.using_ascendc and self._is_called(place, name)):
            message = f"'{name}' is unknown to the embedded check"
            return Severity.INFORMATION, message, "embedded/unknown-name", ()
        return None

    def _is_called(self, place: Location, name: str) -> bool:
        """Whether the name looks like a function or type of the interface: camel case, called or given arguments."""
        if not re.match(r"[A-Z][a-z0-9]*[A-Za-z0-9]*$", name) or name.isupper():
            return False
        line = self.tree.files[place.path].lines[place.range.start.line]
        return re.match(rf"{re.escape(name)}\s*[(<]", line[place.range.start.column :]) is not None


def merged(by_configuration: list[tuple[str, list[Finding]]], *, everywhere: bool = False) -> list[Finding]:
    """The findings of all configurations, each once, ``only_for`` the configurations that have it.

    With ``everywhere`` only what every configuration has is kept: they are guesses then, one of which is right.
    """
    found: dict[tuple[Location, Severity, str], list[tuple[str, Finding]]] = {}
    for name, findings in by_configuration:
        for finding in findings:
            found.setdefault((finding.location, finding.severity, finding.message), []).append((name, finding))
    result = []
    for occurrences in found.values():
        finding = occurrences[0][1]
        whole = len(occurrences) == len(by_configuration)
        if everywhere and not whole:
            continue
        names = () if whole else tuple(dict.fromkeys(name for name, _ in occurrences if name))
        result.append(evolve(finding, only_for=names))
    return sorted(result, key=lambda item: (item.location.path, item.location.range.start, item.message))


def _missing_file(raw: RawDiagnostic) -> str:
    match = _MISSING_FILE.match(raw.message)
    return match.group("name") if match else ""


def _stands_alone(raw: RawDiagnostic) -> bool:
    """Whether a diagnostic holds whatever a missing header declares: a missing file itself, or a forgotten ``;``."""
    if _MISSING_FILE.match(raw.message) or raw.severity < 3:
        return True
    return raw.message.startswith(
        (
            "expected ';' after return",
            "expected ';' after class",
            "expected ';' after struct",
            "extraneous closing brace",
        )
    )


def _worded(message: str) -> str:
    requirement = _REQUIREMENT.match(message)
    if requirement:
        message = requirement.group("message") or message
    for pattern, replacement in _SPELLINGS:
        message = pattern.sub(replacement, message)
    return message


def _reasons(raw: RawDiagnostic) -> str:
    """Why no candidate of a call fits, where few reasons say it: what a reader would look up next."""
    if not raw.message.startswith("no matching "):
        return ""
    reasons: dict[str, None] = {}
    for note in raw.notes:
        match = _CANDIDATE.match(note.message)
        if match:
            reasons[_worded(match.group("reason"))] = None
    kept = list(reasons)[:2]
    return f" ({'; or: '.join(kept)})" if kept else ""


def _code(raw: RawDiagnostic) -> str:
    for start, code in _CODES:
        if raw.message.startswith(start):
            return f"embedded/{code}"
    return f"embedded/{raw.option.removeprefix('-W')}" if raw.option else "embedded/semantic"


def _title(edits: list[TextEdit]) -> str:
    first = edits[0]
    if not first.new_text:
        return "Remove it"
    if first.range.start == first.range.end:
        return f"Insert '{first.new_text.strip()}'"
    return f"Change to '{first.new_text.strip()}'"


def _name_range(tree: SourceTree, place: Location, name: str) -> Range:
    line = tree.files[place.path].lines[place.range.start.line]
    start = line.find(name, place.range.start.column)
    if start < 0:
        return place.range
    return Range(Position(place.range.start.line, start), Position(place.range.start.line, start + len(name)))
