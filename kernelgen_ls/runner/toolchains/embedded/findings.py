"""From clang's diagnostics to findings: at the user's line, in the kernel author's words.

An error inside our declarations is the user's call that led there: the deepest frame inside the user's own files is
where it is shown. What a header that is not here, or a published name that is not declared here, may make right is not
called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from attrs import define, evolve, field

from kernelgen_ls.kernel.api.public_names import is_inner_name, is_public_name
from kernelgen_ls.kernel.findings import Finding, Fix, FoundBy, Location, Position, Range, Related, Severity, TextEdit
from kernelgen_ls.kernel.lints import DEFAULT_SEVERITIES
from kernelgen_ls.kernel.structure import Span
from kernelgen_ls.runner.toolchains.embedded import sides
from kernelgen_ls.runner.toolchains.embedded.names import is_lacking
from kernelgen_ls.runner.toolchains.embedded.parser import RawDiagnostic, RawRange
from kernelgen_ls.runner.toolchains.embedded.unknown import Unknown, statements
from kernelgen_ls.runner.toolchains.source_tree import SourceText, SourceTree

HostHalf = Callable[[], Mapping[str, tuple[Span, ...]]]
"""The spans of host code by the path of a file."""

Suggest = Callable[[str, str], "tuple[str, ...]"]
"""Names like the given one in a scope (``AscendC``, ``std``, "" for any), best first."""

_USER_DEFINED = "-Wuser-defined-warnings"
_EVALUATED = re.compile(r"(?P<code>kernel/[\w-]+): (?P<message>.*)", re.DOTALL)
"""What a declaration of ours says of a call whose constant arguments do not fit (``ASC_LINT``): a lint's finding."""

_SPELLINGS = (
    (re.compile(r"\b_Float16\b"), "half"),
    (re.compile(r"\b__bf16\b"), "bfloat16_t"),
    (re.compile(r"(?:::)?\bAscendC::Constraint::Bf16\b"), "bfloat16_t"),
    (re.compile(r"\bConstraint::Bf16\b"), "bfloat16_t"),
    (re.compile(r"\bConstraint::Absent, "), ""),
    (re.compile(r" ,"), ","),
    (re.compile(r"\s*\(aka '[^']*'\)"), ""),
    (re.compile(r"__attribute__\(\(address_space\(1\)\)\)"), "__gm__"),
)
_REQUIREMENT = re.compile(r"^static assertion failed(?: due to requirement '.*')?(?:: (?P<message>.*))?$", re.DOTALL)
_NO_MEMBER = re.compile(
    r"^no (?:type|template|member)?(?: ?(?:type|template|member))*\s*named '(?P<name>[^']+)' in (?P<where>.*)$"
)
_UNDECLARED = re.compile(
    r"^(?:use of undeclared identifier|unknown type name|unknown template name|no template named) '(?P<name>[^']+)'"
)
_SUGGESTED = re.compile(r"; did you mean '(?P<name>[^']+)'\?$")
_TILING_DATA = re.compile(r"TilingData\w*$")
"""What structs are called that an operator's host side declares, which may not be at hand."""
_MISSING_FILE = re.compile(r"^'(?P<name>[^']+)' file not found$")
_NAMESPACES = re.compile(
    r"\bin namespace '(?P<name>AscendC|matmul|AscendC::\w+|platform_ascendc|ge|gert|optiling|ops|Hccl|matmul_tiling)\b"
)
_INNER_NAMESPACE = re.compile(r"in namespace '(?:AscendC|matmul)::(?:\w+::)*(?:[Ii]mpl|[Dd]etail|[Ii]nternal)\b")
"""What CANN's headers have for themselves; of these we declare what a page names all the same."""
_CLASS = re.compile(r"^'AscendC::(?:\w+::)*(?P<name>\w+)(?:<.*>)?'")
_CANDIDATE = re.compile(
    r"^candidate (?:function|template|constructor|function template)?.*?(?:not viable|ignored): (?P<reason>.*)$",
    re.DOTALL,
)
_FAILED_BEFORE = re.compile(r"^substitution failure(?: \[with [^\]]*\])?$")
"""Why a template whose body was wrong before does not fit: what was wrong is said there."""
_CLASHES = "declaration conflicts with target of using"
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:el)?if(?:[^\\\n]|\\[^\n]|\\\n)*", re.MULTILINE)
_ERROR = re.compile(r"[ \t]*#[ \t]*error\b")
_BY_PASS = frozenset(("__DAV_C220_VEC__", "__DAV_C220_CUBE__", "__DAV_VEC__", "__DAV_CUBE__"))
"""What the compiler defines in one of its passes over a kernel, for one kind of core."""
_NO_CLASS = re.compile(r"^unknown class name '(?P<name>[^']+)'")
_QUOTED = re.compile(r"'([^']*)'")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CERTAIN = (
    "expected ';' after return",
    "expected ';' after class",
    "expected ';' after struct",
    "extraneous closing brace",
)
"""What holds of host code whatever a header that is not here declares."""
_OF_ITS_NAMES = (
    "static assertion failed",
    "no matching ",
    "no viable ",
    "too few ",
    "too many ",
    "assigning to ",
    "cannot initialize ",
    "invalid operands ",
    "reference to __host__ function ",
    "cannot use '",
    "'operator ",
    "expected ",
    "extraneous ",
)
"""What clang says of names, and of nothing but them: it holds where all of them are known."""
_NOT_CONSTANT = "must be initialized by a constant expression"
_SCOPE_EXPECTED = ("expected namespace name", "expected class name")
_ONLY_DECLARED = "is used but not defined in this translation unit"
"""What clang says of a function of ours that is given a lambda: everything of ours is only declared."""
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
    ("not on this chip", "chip"),
    ("too few ", "arguments"),
    ("too many ", "arguments"),
)


def _no_host_half() -> Mapping[str, tuple[Span, ...]]:
    return {}


@define
class Reader:
    """Turns the diagnostics of one parse into findings."""

    tree: SourceTree
    suggest: Suggest
    sources: Sequence[SourceText] = ()
    """What was parsed of the project's files."""
    given: str = ""
    """What was parsed before them: macros and structs of the configuration."""
    unknown_tiling: bool = False
    by_build: frozenset[str] = frozenset()
    """Macros that the operator's build defines; their values are not known."""
    host: bool = False
    """The file is host code, which may include half of a CANN installation that is not here."""
    host_half: HostHalf = _no_host_half
    """What of a kernel's files only the host runs: nothing is said of it but what is certain."""
    unknown: Unknown | None = field(default=None, init=False)
    """What could not be judged, once the diagnostics were read; None where everything could."""
    of_instances: bool = field(default=False, init=False)
    """Whether a finding is of a template that only what follows a file's own text instantiates."""
    _broken: set[str] = field(factory=set, init=False)
    _declared: frozenset[str] | None = field(default=None, init=False)
    _done: set[tuple[Location, str]] = field(factory=set, init=False)

    def read(self, diagnostics: Iterable[RawDiagnostic]) -> Iterator[Finding]:
        """Yield a finding for every diagnostic that concerns the user's files, each place and message once.

        Nothing is said of what may be otherwise once a header that is not here, or a name of the interface that is
        declared nowhere here, is known.
        """
        diagnostics = list(diagnostics)
        missing = any(_missing_file(raw) and self._place(raw) for raw in diagnostics)
        seeds = [self._undeclared(raw) for raw in diagnostics if missing or self._is_lacking(raw)]
        if missing or seeds:
            self.unknown = Unknown(self.sources, [name for name in seeds if name], missing, _WORD.findall(self.given))
        # A function whose declaration could not be read may well be the device's.
        unread = {(raw.path, raw.line) for raw in diagnostics if raw.severity >= 3 and not sides.worded(raw)}
        without = any(sides.without_qualifiers(source.text) for source in self.sources)
        clashing = {(raw.path, raw.line) for raw in diagnostics if raw.message.startswith(_CLASHES)}
        for raw in diagnostics:
            if (missing and self._undeclared(raw)) or sides.uncertain(raw, unread):
                continue
            if (without and sides.worded(raw) is not None) or self._is_of_our_making(raw):
                continue
            if _follows_from_another(raw, clashing) or self._is_of_another_build(raw):
                continue
            finding = self._finding(raw)
            if finding is None or self._stands_down(raw, finding) or self._is_the_hosts(raw, finding):
                continue
            key = (finding.location, finding.message)
            if key not in self._done:
                self._done.add(key)
                self.of_instances |= any(self._follows_text(note.path, note.line) for note in raw.notes)
                yield finding

    def _is_of_our_making(self, raw: RawDiagnostic) -> bool:
        """Whether it rests on how a declaration of ours is made, which the interface does not promise."""
        notes = [note for note in raw.notes if self.tree.real(note.path) is None and note.path]
        if raw.message.startswith(("redefinition of ", _CLASHES)):
            return bool(notes)
        if _NOT_CONSTANT in raw.message:
            return any(note.message.startswith("non-constexpr function") or note.path for note in notes)
        return raw.message.startswith("reference to __host__ function '~")

    def _follows_text(self, path: str, line: int) -> bool:
        name = self.tree.real(path) if path else None
        source = self.tree.files.get(name) if name is not None else None
        return source is not None and line > len(source.lines)

    def _undeclared(self, raw: RawDiagnostic) -> str:
        """The name that clang found declared nowhere; "" for any other diagnostic, and for one of no concern."""
        place = self._place(raw) if raw.severity >= 3 else None
        if place is None:
            return ""
        if raw.message in _SCOPE_EXPECTED:
            return self.tree.files[place.path].at(place.range)
        match = _UNDECLARED.match(raw.message) or _NO_MEMBER.match(raw.message) or _NO_CLASS.match(raw.message)
        return match.group("name") if match else ""

    def _is_lacking(self, raw: RawDiagnostic) -> bool:
        """Whether clang misses a name that the interface has in CANN and that is not declared here yet."""
        name = self._undeclared(raw)
        if not name:
            return False
        if (
            _INNER_NAMESPACE.search(raw.message)
            or name in self.by_build
            or name in self._in_other_builds()
            or (_TILING_DATA.search(name) and not (_SUGGESTED.search(raw.message) and name in self._line(raw)))
        ):
            return True
        member = _NO_MEMBER.match(raw.message)
        owner = _CLASS.match(member.group("where")) if member and not _NAMESPACES.search(raw.message) else None
        if member and owner is None and not _NAMESPACES.search(raw.message):
            return False
        return is_lacking(name, owner.group("name") if owner else "", host=self.host)

    def _is_of_another_build(self, raw: RawDiagnostic) -> bool:
        """Whether the text itself refuses (``#error``) a build that sets no macro, where builds set some."""
        return bool(_ERROR.match(self._line(raw))) and bool(self._in_other_builds())

    def _line(self, raw: RawDiagnostic) -> str:
        place = self._place(raw)
        return self.tree.files[place.path].lines[place.range.start.line] if place is not None else ""

    def _in_other_builds(self) -> frozenset[str]:
        """What is declared somewhere in the sources, where conditions are on macros whose values are not known."""
        if self._declared is None:
            undecided = self.by_build | _BY_PASS
            conditions = (match.group() for source in self.sources for match in _CONDITION.finditer(source.text))
            if any(not undecided.isdisjoint(_WORD.findall(condition)) for condition in conditions):
                declared = (one.declares for source in self.sources for one in statements(source.prepared))
                self._declared = frozenset().union(*declared)
            else:
                self._declared = frozenset()
        return self._declared

    def _stands_down(self, raw: RawDiagnostic, finding: Finding) -> bool:
        """Whether a diagnostic may be wrong for want of what is not at hand."""
        if self.unknown is None or finding.code in ("embedded/include", "embedded/unknown-name"):
            return False
        path, line = finding.location.path, finding.location.range.start.line
        frames = [(path, line), *((one.location.path, one.location.range.start.line) for one in finding.related)]
        quoted = " ".join(_QUOTED.findall(raw.message))
        known = not any(self.unknown.at(*frame) for frame in frames) and not self.unknown.says(quoted)
        if self.unknown.everything:
            known = known and self._stands_alone(raw, path)
        if not known and finding.code == "embedded/syntax":
            self._broken.add(path)
        return not known

    def _is_the_hosts(self, raw: RawDiagnostic, finding: Finding) -> bool:
        """Whether a diagnostic is of host code in a kernel's file, which is not checked here."""
        if finding.code == "embedded/include" or raw.message.startswith(_CERTAIN):
            return False
        spans = self.host_half().get(finding.location.path, ())
        if not spans:
            return False
        offset = self.tree.files[finding.location.path].offset(finding.location.range.start)
        return any(span.holds(offset) for span in spans)

    def _stands_alone(self, raw: RawDiagnostic, path: str) -> bool:
        """Whether a diagnostic about known names holds whatever a header that is not here declares."""
        if self.host:
            return raw.message.startswith(_CERTAIN)
        if _code(raw) == "embedded/syntax":
            return path not in self._broken  # behind one that a macro may have made, the text reads as it was not meant
        return raw.severity < 3 or raw.message.startswith(_OF_ITS_NAMES)

    def _finding(self, raw: RawDiagnostic) -> Finding | None:
        if self.unknown_tiling and any("KernelgenUnknownTiling" in one.message for one in (raw, *raw.notes)):
            return None
        place = self._place(raw)
        if place is None or _ONLY_DECLARED in raw.message:
            return None
        evaluated = _EVALUATED.match(raw.message) if raw.option == _USER_DEFINED else None
        if evaluated:
            rule = evaluated.group("code")
            said = evaluated.group("message")
            return Finding(
                place, DEFAULT_SEVERITIES[rule], said, FoundBy.LINT, rule, tuple(self._instances(raw, place))
            )
        severity = Severity.ERROR if raw.severity >= 3 else Severity.WARNING
        of_sides = sides.worded(raw)
        message, code = of_sides or (raw.message, _code(raw))
        message = _worded(message)
        fixes = self._fixes(raw)
        missing = _MISSING_FILE.match(raw.message)
        if missing:
            severity, message, fixes = self._file_not_found(missing.group("name"), place)
            code = "embedded/include"
        else:
            known = self._unknown_name(raw, place)
            if known is not None:
                severity, message, code, named = known
                fixes = fixes or named
        if of_sides is None:
            message += _reasons(raw)
        related = tuple(self._related(raw, place))
        return Finding(place, severity, message, FoundBy.EMBEDDED, code, related, fixes)

    def _instances(self, raw: RawDiagnostic, place: Location) -> Iterator[Related]:
        """Where the template is instantiated in which a declaration's own condition holds."""
        return (one for one in self._related(raw, place) if one.message.startswith("in instantiation"))

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

    def _file_not_found(self, name: str, place: Location) -> tuple[Severity, str, tuple[Fix, ...]]:
        close = self.suggest(name, "#include") or self.tree.headers_like(name, place.path)
        if not close:
            message = f"'{name}' was not found: what depends on it is not checked"
            return Severity.INFORMATION, message, ()
        fix = Fix(f"Change to '{close[0]}'", (TextEdit(place.path, _name_range(self.tree, place, name), close[0]),))
        return Severity.ERROR, f"'{name}' file not found; did you mean '{close[0]}'?", (fix,)

    def _unknown_name(self, raw: RawDiagnostic, place: Location) -> tuple[Severity, str, str, tuple[Fix, ...]] | None:
        """How an undeclared name is reported; None for any other diagnostic."""
        name = self._undeclared(raw)
        if not name:
            return None
        if self._is_lacking(raw):
            inner = _INNER_NAMESPACE.search(raw.message) is not None or (
                is_inner_name(name, member=True) and not is_public_name(name, member=True)
            )
            what = "is an inner name of CANN: not checked" if inner else "is unknown to the embedded check"
            return Severity.INFORMATION, f"'{name}' {what}", "embedded/unknown-name", ()
        scope = ""
        if _NO_MEMBER.match(raw.message):
            where = _NAMESPACES.search(raw.message)
            if where is None:
                return None
            scope = where.group("name")
        if _SUGGESTED.search(raw.message):
            return None
        close = self.suggest(name, scope)
        if not close:
            return None
        hint = " or ".join(f"'{candidate}'" for candidate in close[:2])
        fix = Fix(f"Change to '{close[0]}'", (TextEdit(place.path, _name_range(self.tree, place, name), close[0]),))
        return Severity.ERROR, f"{_worded(raw.message)}; did you mean {hint}?", "embedded/misspelt", (fix,)


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


def _worded(message: str) -> str:
    requirement = _REQUIREMENT.match(message)
    if requirement:
        message = requirement.group("message") or message
    for pattern, replacement in _SPELLINGS:
        message = pattern.sub(replacement, message)
    return message


def _follows_from_another(raw: RawDiagnostic, clashing: Collection[tuple[str, int]]) -> bool:
    """Whether a name clashes that one ``clashing`` declares, or a template does not fit that was wrong before."""
    if raw.message.startswith("reference to '") and any((note.path, note.line) in clashing for note in raw.notes):
        return True
    candidates = filter(None, (_CANDIDATE.match(note.message) for note in raw.notes))
    return any(_FAILED_BEFORE.match(candidate.group("reason")) for candidate in candidates)


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
    if raw.option == _USER_DEFINED:
        return "embedded/constraint"
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
