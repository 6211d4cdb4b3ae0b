"""Where an inline completion ends: pure rules over the text as the model produces it.

A model asked to continue a file never stops by itself. What a reader expects to see as ghost text is one thought: the
rest of a line, a statement or two, or a block up to its closing brace. The rules below cut there, and nowhere in a
text that is still inside brackets it opened itself:

- single-line completions end at the first line break, and where the rest of the cursor's line would be repeated;
- a closing bracket that neither the text nor the cursor's line opened ends it (it belongs to the code around it);
- a block that closes ends it, at the end of that line;
- an empty line after some code ends it; so do two of them before any;
- a line indented less than the cursor's ends it;
- a line equal to the first non-empty line after the cursor ends it;
- stop texts end it literally, and are never part of it.
"""

from __future__ import annotations

from kernelgen_ls.model.messages import StopRules

TAB_COLUMNS = 4
"""Columns a tab counts for when indentations are compared."""

_OPENERS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(_OPENERS.values())
_LEADING_BLANK_LINES = 1


def indent_columns(line: str) -> int:
    """The width of a line's indentation in columns; a tab counts ``TAB_COLUMNS``."""
    columns = 0
    for character in line:
        if character == " ":
            columns += 1
        elif character == "\t":
            columns += TAB_COLUMNS
        else:
            break
    return columns


class BracketScan:
    """Follows the brackets of C++ text character by character, blind inside comments, strings and characters.

    ``stack`` holds the closing brackets still expected, outermost first.
    """

    def __init__(self, text: str = "") -> None:
        self.stack: list[str] = []
        self._mode = ""
        self._previous = ""
        for character in text:
            self.step(character)

    def closes_unopened(self, character: str) -> bool:
        """Whether this character, read as code, would close a bracket that was not opened in the scanned text."""
        return not self._mode and character in _CLOSERS and (not self.stack or self.stack[-1] != character)

    def step(self, character: str) -> None:
        """Take one character."""
        previous, self._previous = self._previous, character
        if self._mode == "//":
            if character == "\n":
                self._mode = ""
        elif self._mode == "/*":
            if previous == "*" and character == "/":
                self._mode, self._previous = "", ""
        elif self._mode:  # a string or character literal
            if previous == "\\":
                self._previous = ""
            elif character in (self._mode, "\n"):
                self._mode = ""
        elif previous == "/" and character in "/*":
            self._mode, self._previous = "/" + character, ""
        elif character in "\"'":
            # A quote between digits is C++14's digit separator, not a literal.
            if not (character == "'" and previous.isalnum()):
                self._mode = character
        elif character in _OPENERS:
            self.stack.append(_OPENERS[character])
        elif character in _CLOSERS and self.stack and self.stack[-1] == character:
            self.stack.pop()


class Stopper:
    """Takes a completion piece by piece and says when it is complete.

    ``feed`` returns True once the text is complete; ``text`` is then, and at any earlier time, what may be shown.
    Pieces may be of any length; the result does not depend on how the text was cut into pieces.
    """

    def __init__(self, rules: StopRules) -> None:
        self._rules = rules
        self._raw = ""
        self._end: int | None = None
        self._scan = BracketScan(rules.line_prefix)
        self._line_opened = len(self._scan.stack)
        self._depths: list[int] = []
        self._line_start = 0
        self._lines = 0
        self._blank_lines = 0
        self._seen_code = False
        # Line numbers of the open blocks' braces; -1 stands for the cursor's line before the text.
        self._open_blocks = [-1] * self._scan.stack.count("}")
        self._closed_block = False
        self._indent = rules.indent
        tail, _, rest = rules.following.partition("\n")
        self._tail = tail.strip()
        self._next_line = "" if self._tail else next((line for line in rest.split("\n") if line.strip()), "").rstrip()

    def feed(self, piece: str) -> bool:
        """Add a piece of text; True when the completion is complete and nothing more is needed."""
        if self._end is not None:
            return True
        before = len(self._raw)
        self._raw += piece
        limit = self._stop_text_at(before)
        for index in range(before, len(self._raw) if limit is None else limit):
            if self._character(index):
                return True
        if limit is not None:
            self._end = limit
        return self._end is not None

    @property
    def stopped(self) -> bool:
        """Whether a rule has ended the text."""
        return self._end is not None

    @property
    def text(self) -> str:
        """What to keep of the text so far: no stop text (not even the beginning of one), no repeat, no blank end."""
        kept = self._raw if self._end is None else self._raw[: self._end]
        if self._end is None:
            kept = kept[: len(kept) - self._held_back(kept)]
            kept = self._without_repeat(kept)
        return kept.rstrip()

    @property
    def whole_lines(self) -> str:
        """The lines that are complete, for a time budget that ran out; all of ``text`` once a rule has ended it."""
        if self._end is not None:
            return self.text
        return self._raw[: max(self._line_start - 1, 0)].rstrip()

    def _stop_text_at(self, before: int) -> int | None:
        found = [
            at
            for stop in self._rules.stop_texts
            if stop and (at := self._raw.find(stop, max(0, before - len(stop) + 1))) >= 0
        ]
        return min(found) if found else None

    def _held_back(self, kept: str) -> int:
        longest = 0
        for stop in self._rules.stop_texts:
            for length in range(min(len(stop) - 1, len(kept)), longest, -1):
                if kept.endswith(stop[:length]):
                    longest = length
                    break
        return longest

    def _without_repeat(self, kept: str) -> str:
        line = kept[self._line_start :]
        if self._lines and self._repeats_following(line):
            return kept[: self._line_start]
        return kept

    def _character(self, index: int) -> bool:
        """Take one character; True when a rule ended the text."""
        character = self._raw[index]
        depth = len(self._scan.stack)
        self._depths.append(depth)
        if self._scan.closes_unopened(character):
            return self._stop_at(index)
        if character == "\n":
            if self._line_break(index):
                return True
            self._scan.step(character)
            return False
        self._scan.step(character)
        if not character.isspace() and self._starts_line(index):
            if self._dedents(index):
                return self._stop_at(self._line_start)
            self._seen_code = True
        if character == "{" and len(self._scan.stack) > depth:
            self._open_blocks.append(self._lines)
        if character == "}" and len(self._scan.stack) < depth and self._open_blocks.pop() < self._lines:
            self._closed_block = True
        return self._repeats_tail(index)

    def _starts_line(self, index: int) -> bool:
        return not self._raw[self._line_start : index].strip()

    def _dedents(self, index: int) -> bool:
        """Whether the line whose first character stands at ``index`` lies outside the block of the cursor."""
        if not self._lines:
            if not self._rules.line_prefix.strip():
                # The cursor stood in an empty line: the text itself says how deep the code there is.
                self._indent = max(self._indent, indent_columns(self._rules.line_prefix + self._raw[: index + 1]))
            return False
        if self._raw[index] in "#}":  # preprocessor lines keep no indentation; closers are judged by their brackets
            return False
        if not self._rules.line_prefix.strip() and not self._seen_code:
            self._indent = max(self._indent, indent_columns(self._raw[self._line_start : index + 1]))
            return False
        return indent_columns(self._raw[self._line_start : index + 1]) < self._indent

    def _line_break(self, index: int) -> bool:
        line = self._raw[self._line_start : index]
        if not self._rules.multiline:
            return self._stop_at(index)
        if self._lines and self._repeats_following(line):
            return self._stop_at(self._line_start)
        if self._blank_line_ends(line):
            return self._stop_at(index)
        if self._closed_block and not self._scan.stack:
            return self._stop_at(index)
        self._closed_block = False
        self._lines += 1
        if self._lines >= self._rules.max_lines:
            return self._stop_at(index)
        self._line_start = index + 1
        return False

    def _blank_line_ends(self, line: str) -> bool:
        first_with_prefix = not self._lines and self._rules.line_prefix.strip()
        if line.strip() or first_with_prefix:
            self._blank_lines = 0
            return False
        self._blank_lines += 1
        if self._seen_code:
            return len(self._scan.stack) <= self._line_opened
        return self._blank_lines > _LEADING_BLANK_LINES

    def _repeats_following(self, line: str) -> bool:
        if not self._next_line or not line.strip():
            return False
        if self._next_line.strip() in {"{", "}", "};", "});", ");"}:
            return line.rstrip() == self._next_line and len(self._scan.stack) <= self._line_opened
        return line.strip() == self._next_line.strip()

    def _repeats_tail(self, index: int) -> bool:
        """Whether the rest of the cursor's line has just been written once more, outside brackets of the text's own."""
        if not self._tail or self._raw[index] != self._tail[-1]:
            return False
        start = index + 1 - len(self._tail)
        if start < 0 or self._depths[start] > self._line_opened or self._raw[start : index + 1] != self._tail:
            return False
        return self._stop_at(start)

    def _stop_at(self, end: int) -> bool:
        self._end = end
        return True
