"""What a completion prompt is made of, before any style writes it down."""

from __future__ import annotations

from attrs import frozen


@frozen
class Sight:
    """How much of a file the prompts of a style look at: lines below the cursor, characters before and after it."""

    suffix_lines: int
    prefix_chars: int
    suffix_chars: int


@frozen
class CompletionContext:
    """The surroundings of a cursor, as far as the model shall see them.

    The order of the fields is the order of stability, and that of every prompt: ``declarations`` hardly change,
    ``following`` (whole lines after the cursor's) is anchored and changes rarely, ``preceding`` (whole lines, then the
    cursor's line up to the cursor) grows with each key. Typing must change nothing but the end of the prompt, since
    the model's evaluated state is reused up to the first difference.
    """

    path: str
    """POSIX, relative to the project's root; only its name and the folder above are shown to the model."""
    preceding: str
    following: str = ""
    tail: str = ""
    """The rest of the cursor's line, where it says more than the closing brackets an editor types by itself."""
    declarations: str = ""
    """Text of other files that the kernel leans on: tiling structures, the operator's definition."""

    @property
    def shown_path(self) -> str:
        """The file's name with the folder it stands in, which says host or kernel."""
        return "/".join(self.path.split("/")[-2:])

    @property
    def what_follows(self) -> str:
        """The text after the cursor: the rest of its line, then the lines below."""
        return f"{self.tail}\n{self.following}" if self.tail else self.following
