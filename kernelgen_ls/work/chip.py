"""The chip that work on an operator is for: the one that the user named, else the one the operator is written for."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from kernelgen_ls.kernel.chips import DEFAULT_CHIP, chip_named
from kernelgen_ls.kernel.target import ChosenChip, chip_of
from kernelgen_ls.workspace.operators import Operator

_BUILDS = ("CMakePresets.json", "CMakeLists.txt")


def chosen_chip(operator: Operator, named: str = "", entry: str = "") -> ChosenChip:
    """The chip for ``entry`` of an operator, and why it is that one.

    ``named`` is what the user named, "" for nothing; ``entry`` is the operator's own where it is not given. Raises
    ValueError for a name that no chip has.
    """
    if named:
        return ChosenChip(chip_named(named), "as it was named")
    entry = entry or operator.entry
    included = [path for check in operator.checks if check.entry == entry for path in check.includes]
    texts = (operator.files.text(path) or "" for path in (entry, *included))
    found = chip_of(entry, operator.hosts, included, dict(_builds(operator, entry)), texts)
    return found or ChosenChip(DEFAULT_CHIP, "nothing names another")


def _builds(operator: Operator, entry: str) -> Iterator[tuple[str, str]]:
    folder = posixpath.dirname(entry)
    while True:
        for name in _BUILDS:
            path = posixpath.join(folder, name)
            text = operator.files.text(path)
            if text is not None:
                yield path, text
        if not folder:
            return
        folder = posixpath.dirname(folder)
