"""What a kernel printed, as lines: the runtime gives what each call printed, which is part of a line or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_MOST_LINES = 100
_LONGEST = 400


def printed_lines(said: Sequence[Mapping[str, object]], *, mixed: bool) -> tuple[str, ...]:
    """What the runtime's lines ``said`` of printing, in the order in which lines were begun, each with who printed it.

    ``mixed`` tells cube cores and vector cores apart. Beyond a hundred lines only their number is told.
    """
    lines: list[tuple[str, str]] = []
    unfinished: dict[str, int] = {}
    for one in said:
        text, block = one.get("printed"), one.get("block")
        if not isinstance(text, str) or not isinstance(block, int):
            continue
        kind = ("cube core" if one.get("cube") is True else "vector core") if mixed else "block"
        who = f"{kind} {block}"
        parts = text.split("\n")
        for number, part in enumerate(parts):
            ends = number < len(parts) - 1
            if not part and not ends:
                continue
            at = unfinished.pop(who, len(lines))
            if at == len(lines):
                lines.append((who, ""))
            lines[at] = (who, lines[at][1] + part)
            if not ends:
                unfinished[who] = at
    shown = [f"{who}: {_visible(text)}" for who, text in lines[:_MOST_LINES]]
    if more := len(lines) - len(shown):
        shown.append(f"{more} more line{'s' if more > 1 else ''}")
    lost = next((one["lost"] for one in said if isinstance(one.get("lost"), int)), 0)
    if lost:
        shown.append(f"what {lost} more call{'s' if lost != 1 else ''} printed is not kept")
    return tuple(shown)


def _visible(text: str) -> str:
    line = "".join(letter if letter.isprintable() else " " for letter in text).rstrip()
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
