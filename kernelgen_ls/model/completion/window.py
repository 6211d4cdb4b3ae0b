"""Which part of a document the model sees: windows that stay where they are while somebody types.

The model's evaluated state is reused up to the first token that differs, and evaluating is what costs (10 to 100
tokens a second on a CPU). So a window must not slide. The start of what precedes the cursor is a line that is kept
until the window is over its budget, then moved forward by half of it at once. What follows the cursor is a text taken
once and kept word for word while the document still has it near the cursor; when a few of its lines come to stand
before the cursor, or a few new ones between, seeing a slightly older suffix is far cheaper than evaluating all again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from kernelgen_ls.model.messages import ModelInfo, Speed
from kernelgen_ls.model.prompts.context import Sight
from kernelgen_ls.settings import CompletionSettings

_FUNCTION_START = re.compile(r"(template|extern|class|struct|namespace|__aicore__|__global__|[A-Za-z_][\w:<>*&\s]*\()")
_CLOSERS_ONLY = re.compile(r"[\s)\]}>;,\"']*")
MOST_SKEW = 3
"""Non-empty lines by which the kept suffix may be off before it is taken anew."""
_SEARCHED_LINES = 40


@frozen
class WindowLimits:
    """How much the model sees: lines, and characters (about 3.5 a token)."""

    prefix_lines: int = 256
    suffix_lines: int = 64
    prefix_chars: int = 12_000
    suffix_chars: int = 2_400


@frozen
class Window:
    """What of a document goes into prompts now, and the marks that keep it there.

    ``start`` is the first line shown, ``start_text`` that line and the two after it (to find it again when lines
    above are inserted or deleted); ``following`` the kept text after the cursor.
    """

    start: int
    start_text: tuple[str, ...]
    following: str
    preceding: str
    tail: str


CHARS_PER_TOKEN = 3.0
"""AscendC code has 3.55 characters a token in Qwen3's vocabulary; with room for comments in Chinese."""
_OTHER_TOKENS = 320
"""Instructions and frame."""
_COLD_SECONDS = 20
"""What evaluating a whole window may take on this machine, from nothing."""
_LEAST_CHARS = 2_000


def window_limits(
    settings: CompletionSettings, model: ModelInfo, speed: Speed, sight: Sight | None = None
) -> WindowLimits:
    """How much a model should see: the user's limits, cut to its context and to what this machine evaluates in time.

    ``sight`` is what prompts of this style look at, where they were trained on no more.
    """
    if sight is not None:
        return WindowLimits(settings.prefix_lines, sight.suffix_lines, sight.prefix_chars, sight.suffix_chars)
    room = int(CHARS_PER_TOKEN * (model.context - settings.max_tokens - _OTHER_TOKENS))
    chars = max(min(12_000, room * 3 // 4), 200)
    if speed.prefill:
        chars = min(chars, max(_LEAST_CHARS, int(CHARS_PER_TOKEN * _COLD_SECONDS * speed.prefill)))
    return WindowLimits(settings.prefix_lines, settings.suffix_lines, chars, min(2_400, chars // 4))


def move_window(before: str, after: str, limits: WindowLimits, previous: Window | None = None) -> Window:
    """The window at a cursor; as much of ``previous`` (of the same document) is kept as still holds."""
    lines = before.split("\n")
    start = _start(lines, limits, previous)
    rest, _, below = after.partition("\n")
    following = _following(before, below, limits, previous)
    return Window(
        start=start,
        start_text=tuple(lines[start : start + 3]),
        following=following,
        preceding="\n".join(lines[start:]),
        tail="" if _CLOSERS_ONLY.fullmatch(rest) else rest,
    )


def _start(lines: Sequence[str], limits: WindowLimits, previous: Window | None) -> int:
    sizes = [len(line) + 1 for line in lines]
    if previous is not None:
        kept = _relocated(lines, previous)
        if kept is not None and _fits(sizes[kept:], limits) and not _starved(kept, sizes, limits):
            return kept
    if _fits(sizes, limits):
        return 0
    start = len(lines)
    budget_lines, budget_chars = limits.prefix_lines // 2, limits.prefix_chars // 2
    while start > 0 and len(lines) - start < budget_lines and sum(sizes[start - 1 :]) <= budget_chars:
        start -= 1
    return _at_function(lines, min(start, len(lines) - 1))


def _fits(sizes: Sequence[int], limits: WindowLimits) -> bool:
    return len(sizes) <= limits.prefix_lines and sum(sizes) <= limits.prefix_chars


def _starved(start: int, sizes: Sequence[int], limits: WindowLimits) -> bool:
    """Whether the cursor moved so far up that a kept start leaves little to see though there is more above."""
    shown = len(sizes) - start
    return start > 0 and shown < limits.prefix_lines // 8 and sum(sizes[start:]) < limits.prefix_chars // 8


def _relocated(lines: Sequence[str], previous: Window) -> int | None:
    """Where the previous window's first lines stand now: the same place or the nearest one, None if they are gone."""
    wanted = previous.start_text
    if previous.start == 0:
        return 0
    for distance in range(_SEARCHED_LINES + 1):
        for line in (previous.start - distance, previous.start + distance):
            if line >= 0 and wanted and tuple(lines[line : line + len(wanted)]) == wanted:
                return line
    return None


def _at_function(lines: Sequence[str], start: int) -> int:
    """The nearest line from ``start`` on that begins something at the outermost level, or ``start`` itself."""
    for line in range(start, min(start + 24, len(lines) - 1)):
        if _FUNCTION_START.match(lines[line]) and not lines[line][:1].isspace():
            return line
    return start


def _following(before: str, below: str, limits: WindowLimits, previous: Window | None) -> str:
    if previous is not None and _still_follows(before, below, previous.following):
        return previous.following
    return _cut(below, limits)


def _cut(below: str, limits: WindowLimits) -> str:
    lines = below.split("\n")[: limits.suffix_lines]
    size = 0
    for count, line in enumerate(lines):
        size += len(line) + 1
        if size > limits.suffix_chars:
            return "\n".join(lines[:count])
    return "\n".join(lines)


def _still_follows(before: str, below: str, following: str) -> bool:
    """Whether ``following`` is what stands after the cursor, give or take ``MOST_SKEW`` non-empty lines."""
    if not following.strip():
        return not below.strip()
    head, text = below[: len(following) + 2_000], following
    at = head.find(text)
    if at >= 0 and (at == 0 or head[at - 1] == "\n") and _code_lines(head[:at]) <= MOST_SKEW:
        return True
    # Some of its first lines may have come to stand before the cursor.
    skipped = following.split("\n")
    for count in range(1, min(len(skipped), MOST_SKEW * 2 + 1)):
        passed, remaining = skipped[:count], "\n".join(skipped[count:])
        if _code_lines("\n".join(passed)) > MOST_SKEW:
            return False
        if remaining.strip() and below.startswith(remaining) and _ends_with_lines(before, passed):
            return True
    return False


def _ends_with_lines(before: str, passed: Sequence[str]) -> bool:
    recent = before.split("\n")[-(len(passed) + 8) :]
    first = next((line for line in passed if line.strip()), None)
    return first is None or any(line.strip() == first.strip() for line in recent)


def _code_lines(text: str) -> int:
    return sum(1 for line in text.split("\n") if line.strip())
