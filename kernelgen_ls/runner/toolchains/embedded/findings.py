"""From clang's diagnostics to findings: at the user's line, in the kernel author's words.

An error inside our declarations is the user's call that led there: the deepest frame inside the user's own files is
where it is shown. What a header that is not here, or a published name that is not declared here, may make right is not
called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import define, field

from kernelgen_ls.kernel.findings import Finding, Fix, FoundBy, Location, Related, Severity, TextEdit
from kernelgen_ls.kernel.lints import DEFAULT_SEVERITIES
from kernelgen_ls.kernel.structure import Span
from kernelgen_ls.runner.toolchains.embedded import sides
from kernelgen_ls.runner.toolchains.embedded.certainty import CLASHES, Certainty, HostHalf, follows_from_another
from kernelgen_ls.runner.toolchains.embedded.fixes import fixes_of
from kernelgen_ls.runner.toolchains.embedded.parser import RawDiagnostic
from kernelgen_ls.runner.toolchains.embedded.places import follows_text, location, name_range, place_of
from kernelgen_ls.runner.toolchains.embedded.undeclared import WORD, Undeclared
from kernelgen_ls.runner.toolchains.embedded.unknown import Unknown
from kernelgen_ls.runner.toolchains.embedded.wording import USER_DEFINED, code_of, reasons_of, worded
from kernelgen_ls.runner.toolchains.source_tree import SourceText, SourceTree

Suggest = Callable[[str, str], "tuple[str, ...]"]
"""Names like the given one in a scope (``AscendC``, ``std``, "" for any), best first."""

_EVALUATED = re.compile(r"(?P<code>kernel/[\w-]+): (?P<message>.*)", re.DOTALL)
"""What a declaration of ours says of a call whose constant arguments do not fit (``ASC_LINT``): a lint's finding."""
_MISSING_FILE = re.compile(r"^'(?P<name>[^']+)' file not found$")
_ONLY_DECLARED = "is used but not defined in this translation unit"
"""What clang says of a function of ours that is given a lambda: everything of ours is only declared."""


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
    of_instances: bool = field(default=False, init=False)
    """Whether a finding is of a template that only what follows a file's own text instantiates."""
    _done: set[tuple[Location, str]] = field(factory=set, init=False)
    _undeclared: Undeclared = field(init=False)
    _certainty: Certainty = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._undeclared = Undeclared(self.tree, self.sources, self.by_build, self.host)
        self._certainty = Certainty(self.tree, self.host, self.host_half)

    @property
    def unknown(self) -> Unknown | None:
        """What could not be judged, once the diagnostics were read; None where everything could."""
        return self._certainty.unknown

    def read(self, diagnostics: Iterable[RawDiagnostic]) -> Iterator[Finding]:
        """Yield a finding for every diagnostic that concerns the user's files, each place and message once.

        Nothing is said of what may be otherwise once a header that is not here, or a name of the interface that is
        declared nowhere here, is known.
        """
        diagnostics = list(diagnostics)
        missing = any(_missing_file(raw) and place_of(self.tree, raw) for raw in diagnostics)
        seeds = [self._undeclared.name(raw) for raw in diagnostics if missing or self._undeclared.is_lacking(raw)]
        if missing or seeds:
            self._certainty.unknown = Unknown(
                self.sources, [name for name in seeds if name], missing, WORD.findall(self.given)
            )
        # A function whose declaration could not be read may well be the device's.
        unread = {(raw.path, raw.line) for raw in diagnostics if raw.severity >= 3 and not sides.worded(raw)}
        without = any(sides.without_qualifiers(source.text) for source in self.sources)
        clashing = {(raw.path, raw.line) for raw in diagnostics if raw.message.startswith(CLASHES)}
        for raw in diagnostics:
            if (missing and self._undeclared.name(raw)) or sides.uncertain(raw, unread):
                continue
            if (without and sides.worded(raw) is not None) or self._certainty.is_of_our_making(raw):
                continue
            if follows_from_another(raw, clashing) or self._undeclared.is_of_another_build(raw):
                continue
            finding = self._finding(raw)
            if finding is None or not self._certainty.holds(raw, finding):
                continue
            key = (finding.location, finding.message)
            if key not in self._done:
                self._done.add(key)
                self.of_instances |= any(follows_text(self.tree, note.path, note.line) for note in raw.notes)
                yield finding

    def _finding(self, raw: RawDiagnostic) -> Finding | None:
        if self.unknown_tiling and any("KernelgenUnknownTiling" in one.message for one in (raw, *raw.notes)):
            return None
        place = place_of(self.tree, raw)
        if place is None or _ONLY_DECLARED in raw.message:
            return None
        evaluated = _EVALUATED.match(raw.message) if raw.option == USER_DEFINED else None
        if evaluated:
            rule = evaluated.group("code")
            said = evaluated.group("message")
            return Finding(
                place, DEFAULT_SEVERITIES[rule], said, FoundBy.LINT, rule, tuple(self._instances(raw, place))
            )
        severity = Severity.ERROR if raw.severity >= 3 else Severity.WARNING
        of_sides = sides.worded(raw)
        message, code = of_sides or (raw.message, code_of(raw))
        message = worded(message)
        fixes = fixes_of(self.tree, raw)
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
            message += reasons_of(raw)
        related = tuple(self._related(raw, place))
        return Finding(place, severity, message, FoundBy.EMBEDDED, code, related, fixes)

    def _instances(self, raw: RawDiagnostic, place: Location) -> Iterator[Related]:
        """Where the template is instantiated in which a declaration's own condition holds."""
        return (one for one in self._related(raw, place) if one.message.startswith("in instantiation"))

    def _related(self, raw: RawDiagnostic, place: Location) -> Iterator[Related]:
        for note in raw.notes[:12]:
            if note.message.startswith("in file included"):
                continue
            where = location(self.tree, note.path, note.line, note.column)
            if where is not None and where.range.start != place.range.start:
                yield Related(where, worded(note.message))

    def _file_not_found(self, name: str, place: Location) -> tuple[Severity, str, tuple[Fix, ...]]:
        close = self.suggest(name, "#include") or self.tree.headers_like(name, place.path)
        if not close:
            message = f"'{name}' was not found: what depends on it is not checked"
            return Severity.INFORMATION, message, ()
        fix = Fix(f"Change to '{close[0]}'", (TextEdit(place.path, name_range(self.tree, place, name), close[0]),))
        return Severity.ERROR, f"'{name}' file not found; did you mean '{close[0]}'?", (fix,)

    def _unknown_name(self, raw: RawDiagnostic, place: Location) -> tuple[Severity, str, str, tuple[Fix, ...]] | None:
        """How an undeclared name is reported; None for any other diagnostic."""
        name = self._undeclared.name(raw)
        if not name:
            return None
        if self._undeclared.is_lacking(raw):
            inner = self._undeclared.is_inner(raw)
            what = "is an inner name of CANN: not checked" if inner else "is unknown to the embedded check"
            return Severity.INFORMATION, f"'{name}' {what}", "embedded/unknown-name", ()
        scope = self._undeclared.scope(raw)
        close = self.suggest(name, scope) if scope is not None else ()
        if not close:
            return None
        hint = " or ".join(f"'{candidate}'" for candidate in close[:2])
        fix = Fix(f"Change to '{close[0]}'", (TextEdit(place.path, name_range(self.tree, place, name), close[0]),))
        return Severity.ERROR, f"{worded(raw.message)}; did you mean {hint}?", "embedded/misspelt", (fix,)


def _missing_file(raw: RawDiagnostic) -> str:
    match = _MISSING_FILE.match(raw.message)
    return match.group("name") if match else ""
