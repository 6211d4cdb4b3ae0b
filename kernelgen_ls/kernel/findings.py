"""What a check says about a kernel: findings, where they are, and the edits that would mend them.

Every room that speaks of source text uses these types: lints and the API table (``kernel``), the tool chains
(``runner``), the repair loop (``model``) and the editor conversions (``lsp``). Lines and columns are zero-based; a
column counts Unicode code points, i.e. it is an index into the Python ``str`` of its line. Paths are POSIX and
relative to the root of the project that was checked.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from attrs import evolve, field, frozen


class Severity(str, Enum):
    """How much a finding matters; the names are those of the language server protocol."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class FoundBy(str, Enum):
    """Who found it: shown to the user beside every message."""

    EMBEDDED = "embedded"
    """The embedded checker: libclang over this project's own declarations."""
    BISHENG = "bisheng"
    """The real compiler of a CANN installation."""
    LINT = "lint"
    """This project's lints: what no compiler says."""
    TWIN = "twin"
    """The kernel, run on this machine's processor."""


@frozen(order=True)
class Position:
    """A place between two characters: zero-based line, zero-based column in code points."""

    line: int
    column: int


@frozen(order=True)
class Range:
    """A half-open range ``[start, end)`` of one file."""

    start: Position
    end: Position

    def shares_lines(self, other: Range) -> bool:
        """Whether a line holds a part of both."""
        return self.start.line <= other.end.line and other.start.line <= self.end.line


@frozen
class Location:
    """A range of one file of the project."""

    path: str
    range: Range


@frozen
class TextEdit:
    """Replace ``range`` of ``path`` by ``new_text``."""

    path: str
    range: Range
    new_text: str


@frozen
class Fix:
    """A change that mends a finding. ``safe`` fixes keep the kernel's meaning and may be applied to a whole file."""

    title: str
    edits: tuple[TextEdit, ...]
    safe: bool = False


@frozen
class Related:
    """Another place that explains a finding: an instantiation, an earlier declaration."""

    location: Location
    message: str


@frozen
class Finding:
    """One thing a check has to say about one place.

    ``code`` names the rule (``kernel/copy-alignment``) or the compiler's category and has a page where one exists.
    ``only_for`` lists the configurations (``dtype bf16``, ``tiling key 3``) the finding holds in; empty means all.
    """

    location: Location
    severity: Severity
    message: str
    source: FoundBy
    code: str = ""
    related: tuple[Related, ...] = field(default=())
    fixes: tuple[Fix, ...] = field(default=())
    only_for: tuple[str, ...] = field(default=())

    def with_paths(self, rename: Callable[[str], str]) -> Finding:
        """The finding with every path in it renamed: seen from another folder."""

        def moved(location: Location) -> Location:
            return evolve(location, path=rename(location.path))

        return evolve(
            self,
            location=moved(self.location),
            related=tuple(evolve(one, location=moved(one.location)) for one in self.related),
            fixes=tuple(
                evolve(fix, edits=tuple(evolve(edit, path=rename(edit.path)) for edit in fix.edits))
                for fix in self.fixes
            ),
        )

    @property
    def is_compile_error(self) -> bool:
        """Whether a compiler refuses this place (a lint of error severity is no compile error)."""
        return self.severity is Severity.ERROR and self.source in (FoundBy.EMBEDDED, FoundBy.BISHENG)
