"""What compilers complain of, in their words."""

from __future__ import annotations

import re

_FIRST_ERROR = re.compile(r"^(?P<where>.*?):?\s*(?:fatal )?error: (?P<message>.*)$", re.MULTILINE)


def first_error(output: str) -> str:
    """The first error of a compiler's output in one line."""
    match = _FIRST_ERROR.search(output)
    if match is None:
        return (output.strip().splitlines() or ["it said nothing"])[0][:300]
    where = match["where"].strip()
    return f"{where + ': ' if where else ''}{match['message']}"[:300]
