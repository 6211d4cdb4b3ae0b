"""Lines of C++ put into shape: heads and calls broken where they are long, blocks moved in by their braces."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WIDTH = 110


def head(name: str, parameters: Sequence[str]) -> list[str]:
    """The head of a function of the kernel."""
    return _broken(f"__aicore__ inline void {name}(", parameters, ")")


def call(function: str, arguments: Sequence[str]) -> list[str]:
    """A call as a statement."""
    return _broken(f"{function}(", arguments, ");")


def _broken(before: str, items: Sequence[str], after: str) -> list[str]:
    text = f"{before}{', '.join(items)}{after}"
    if len(text) <= _WIDTH:
        return [text]
    lines, current = [], "    "
    for number, one in enumerate(items):
        piece = one + (", " if number < len(items) - 1 else after)
        if len(current) + len(piece) > _WIDTH - 4:
            lines.append(current.rstrip())
            current = "    "
        current += piece
    return [before, *lines, current]


def constant_name(name: str) -> str:
    """A constant's name: ``tileLength`` as ``TILE_LENGTH``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


def indented(text: str, indent: str) -> str:
    """The text with its lines moved in by their braces; more than one empty line, or one at a block's end, goes."""
    lines: list[str] = []
    level = 0
    for line in text.split("\n"):
        stripped = line.strip()
        extra = indent if line.startswith("    ") else ""
        if stripped.startswith("}"):
            level = max(level - 1, 0)
        if not stripped:
            if lines and lines[-1] and not lines[-1].endswith("{"):
                lines.append("")
            continue
        if stripped.startswith("}") and lines and not lines[-1]:
            lines.pop()
        if stripped.startswith("#"):
            lines.append(stripped)
            continue
        is_label = stripped in ("public:", "private:")
        lines.append(indent * (level - is_label) + extra + stripped)
        if stripped.endswith("{") and not stripped.startswith("namespace"):
            level += 1
    return "\n".join(lines) + "\n"
