r"""The mathematics in a text of prose: what stands in ``$$``, ``\[``, a fence or a ``math`` directive, else in ``$``.

Everything else is blanked out, so that each word stays where it is. A text without such marks is left as it is.
"""

from __future__ import annotations

import re

_DISPLAYED = re.compile(
    r"\$\$(?P<dollars>.+?)\$\$|\\\[(?P<brackets>.+?)\\\]"
    r"|^[ \t]*```[ \t]*(?:math|latex|tex)[ \t]*\n(?P<fence>.+?)^[ \t]*```"
    r"|\\begin\{equation\*?\}(?P<equation>.+?)\\end\{equation\*?\}"
    r"|^(?P<margin>[ \t]*)\.\.[ \t]+math::[ \t]*"
    r"(?P<directive>[^\n]*\n?(?:(?:(?P=margin)[ \t]+\S[^\n]*\n?|[ \t]*\n))*)",
    re.MULTILINE | re.DOTALL,
)
_INLINE = re.compile(r":math:`(?P<role>[^`\n]+)`|\$(?P<dollar>[^$\n]+)\$")


def mathematics(text: str) -> str:
    """The text with its prose blanked out, as long as before; a line for each formula."""
    spans = [_span(match) for match in _DISPLAYED.finditer(text)]
    if not spans:
        spans = [_span(match) for match in _INLINE.finditer(text)]
        if not any("=" in text[start:end] for start, end in spans):
            return text
    shown = list(re.sub(r"[^\n]", " ", text).replace("\n", " "))
    for start, end in spans:
        shown[start:end] = text[start:end].replace("\n", " ")
        if end < len(shown):
            shown[end] = "\n"
    return "".join(shown)


def _span(match: re.Match[str]) -> tuple[int, int]:
    """Where the group that matched begins and ends."""
    name = next(name for name, found in match.groupdict().items() if found is not None and name != "margin")
    return match.span(name)
