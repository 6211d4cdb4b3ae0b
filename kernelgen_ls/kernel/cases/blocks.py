"""On how many blocks a kernel is launched whose operator has no op_host that says it."""

from __future__ import annotations

import re

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.constants import evaluate, read_constants

_GUESS = 8
"""For a kernel that asks how many blocks there are: it should be right on any number."""
_NUMBER = re.compile(r"\w*(?:block|core)_?(?:num|dim|count)s?", re.IGNORECASE)
_LAUNCHED = re.compile(r"<<<\s*(?P<blocks>[^,<>]+?)\s*,")
_SHARE = re.compile(r"GetBlockIdx\s*\(\s*\)\s*\*\s*(?P<after>\w+)|(?P<before>\w+)\s*\*\s*(?:AscendC::)?GetBlockIdx\b")
_MOST = 65535


def blocks_of_kernel(code: str, elements: int) -> tuple[int, bool]:
    """How many blocks, and whether that is a guess. ``elements`` are those of the first input.

    A launch in the same file says it, else a constant whose name does (``USE_CORE_NUM``), else how many shares of a
    constant length the input has.
    """
    plain = strip_comments(code)
    constants = read_constants(plain)
    launched = {evaluate(match["blocks"], constants) for match in _LAUNCHED.finditer(plain)}
    named = {value for name, value in constants.items() if _NUMBER.fullmatch(name)}
    shares = {constants.get(match["after"] or match["before"]) for match in _SHARE.finditer(plain)}
    split = {elements // share for share in shares if share and elements % share == 0}
    for said in (launched, named, split):
        if len(said) == 1 and (number := next(iter(said))) and 1 <= number <= _MOST:
            return number, False
    asks = re.search(r"\bGetBlock(?:Idx|Num)\b", plain)
    return (_GUESS, True) if asks else (1, False)
