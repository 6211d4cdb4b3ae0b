"""What the completer is told about an editor's document, and what it answers."""

from __future__ import annotations

from attrs import field, frozen

from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.model.messages import StopReason, Timings


@frozen
class DocumentSnapshot:
    """One version of a document. ``text`` keeps the document's own line endings.

    ``path`` is POSIX and relative to the project's root where there is one; it names the document to the completer and,
    by its last two parts, to the model. ``declarations`` is text of other files that the model should see (tiling
    structures); it should change rarely, since everything after it is then evaluated again.
    """

    path: str
    version: int
    text: str
    language: str = "cpp"
    declarations: str = ""


@frozen
class Completion:
    """Ghost text: what to insert in ``range`` of version ``version`` of a document.

    ``alternatives`` are further texts for the same range, best first. ``source`` is ``model`` or ``cache``; the
    timings of a cached text are all zero.
    """

    id: str
    path: str
    version: int
    text: str
    range: Range
    source: str
    stop: StopReason
    timings: Timings = field(factory=Timings)
    alternatives: tuple[str, ...] = field(default=())


@frozen
class Cursor:
    """A document cut at the cursor, its line endings normalised to ``\\n``."""

    before: str
    after: str

    @classmethod
    def at(cls, text: str, position: Position) -> Cursor:
        """Cut ``text`` at ``position``; a place beyond the text or its line is moved back into it."""
        lines = normalised(text).split("\n")
        line = min(max(position.line, 0), len(lines) - 1)
        column = min(max(position.column, 0), len(lines[line])) if line == position.line else len(lines[line])
        before = "\n".join([*lines[:line], lines[line][:column]])
        after = "\n".join([lines[line][column:], *lines[line + 1 :]])
        return cls(before, after)

    @property
    def line_prefix(self) -> str:
        """The cursor's line up to the cursor."""
        return self.before[self.before.rfind("\n") + 1 :]

    @property
    def line_rest(self) -> str:
        """The cursor's line from the cursor on."""
        return self.after.partition("\n")[0]

    @property
    def below(self) -> str:
        """The lines after the cursor's."""
        return self.after.partition("\n")[2]


def normalised(text: str) -> str:
    """The text with every line ending written ``\\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def line_ending(text: str) -> str:
    """The line ending that the document uses."""
    return "\r\n" if "\r\n" in text else "\n"
