"""Which input or attribute a formula means by a name that is not spelled like one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

_GROUPS = (
    ("x", "input", "self", "tensor", "inputx", "selfinput", "inputtensor", "tensorlist", "inputdata", "data", "xlist"),
    ("epsilon", "eps"),
    ("gamma", "weight", "w", "scale"),
    ("beta", "bias", "b"),
    ("label", "target", "labels", "targets"),
    ("predict", "prediction", "predictions", "input"),
    ("gradoutput", "dy", "grady", "gradout"),
    ("scalar", "value", "alpha", "scalars", "scalarlist"),
)


def plain(name: str) -> str:
    """A name without what people leave out: case, underscores, and ``epsilon`` in full."""
    return re.sub(r"_", "", name).lower().replace("epsilon", "eps")


def bound(names: Sequence[str], declared: Sequence[str]) -> dict[str, str]:
    """For each of a formula's ``names`` the declared one that it means; only for those where that is certain.

    Certain is: the same name, the same but for case and underscores, the same role (``gamma`` and ``weight``) where
    only one has it, the same number (``x1`` and ``tensor_list1``), and the only one left on both sides.
    """
    result = {name: name for name in names if name in declared}
    _pair(result, names, declared, plain)
    for group in _GROUPS:
        mine = [name for name in _left(names, result) if plain(name) in group]
        theirs = [name for name in _left(declared, result.values()) if plain(name) in group]
        if len(mine) == len(theirs) == 1:
            result[mine[0]] = theirs[0]
    _pair(result, names, declared, _number)
    mine, theirs = _left(names, result), _left(declared, result.values())
    if len(mine) == len(theirs) == 1:
        result[mine[0]] = theirs[0]
    return result


def _left(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    used = set(taken)
    return [name for name in names if name not in used]


def _pair(result: dict[str, str], names: Sequence[str], declared: Sequence[str], key: Callable[[str], str]) -> None:
    mine, theirs = _left(names, result), _left(declared, result.values())
    for name in mine:
        same = [other for other in theirs if key(other) and key(other) == key(name)]
        if len(same) == 1 and sum(key(other) == key(name) for other in mine) == 1:
            result[name] = same[0]


def _number(name: str) -> str:
    """The number at a name's end."""
    match = re.search(r"\d+$", name)
    return match.group() if match else ""
