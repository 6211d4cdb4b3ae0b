"""Which diagnostics hold whatever is not at hand: headers, the interface's other names, host code, our declarations."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from attrs import define, field

from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.kernel.structure import Span
from kernelgen_ls.runner.toolchains.embedded.parser import RawDiagnostic
from kernelgen_ls.runner.toolchains.embedded.unknown import Unknown
from kernelgen_ls.runner.toolchains.embedded.wording import CANDIDATE, code_of
from kernelgen_ls.runner.toolchains.source_tree import SourceTree

HostHalf = Callable[[], Mapping[str, tuple[Span, ...]]]
"""The spans of host code by the path of a file."""

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
CLASHES = "declaration conflicts with target of using"
_FAILED_BEFORE = re.compile(r"^substitution failure(?: \[with [^\]]*\])?$")
"""Why a template whose body was wrong before does not fit: what was wrong is said there."""
_QUOTED = re.compile(r"'([^']*)'")


@define
class Certainty:
    """Judges the diagnostics of one parse, in their order."""

    tree: SourceTree
    host: bool
    host_half: HostHalf
    unknown: Unknown | None = field(default=None, init=False)
    """What could not be judged, once it is known; None where everything could."""
    _broken: set[str] = field(factory=set, init=False)

    def is_of_our_making(self, raw: RawDiagnostic) -> bool:
        """Whether it rests on how a declaration of ours is made, which the interface does not promise."""
        notes = [note for note in raw.notes if self.tree.real(note.path) is None and note.path]
        if raw.message.startswith(("redefinition of ", CLASHES)):
            return bool(notes)
        if _NOT_CONSTANT in raw.message:
            return any(note.message.startswith("non-constexpr function") or note.path for note in notes)
        return raw.message.startswith("reference to __host__ function '~")

    def holds(self, raw: RawDiagnostic, finding: Finding) -> bool:
        """Whether the finding of a diagnostic is certain."""
        return not self._stands_down(raw, finding) and not self._is_the_hosts(raw, finding)

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
        if code_of(raw) == "embedded/syntax":
            return path not in self._broken  # behind one that a macro may have made, the text reads as it was not meant
        return raw.severity < 3 or raw.message.startswith(_OF_ITS_NAMES)


def follows_from_another(raw: RawDiagnostic, clashing: Collection[tuple[str, int]]) -> bool:
    """Whether a name clashes that one ``clashing`` declares, or a template does not fit that was wrong before."""
    if raw.message.startswith("reference to '") and any((note.path, note.line) in clashing for note in raw.notes):
        return True
    candidates = filter(None, (CANDIDATE.match(note.message) for note in raw.notes))
    return any(_FAILED_BEFORE.match(candidate.group("reason")) for candidate in candidates)
