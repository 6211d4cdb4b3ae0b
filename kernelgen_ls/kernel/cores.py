"""Which cores a kernel runs on, as its text says it: vector cores, cube cores, or groups of both."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from kernelgen_ls.kernel.structure import Function


@frozen
class Cores:
    """What one block of a launch is: so many cube cores and so many vector cores."""

    cube: int
    vector: int


VECTOR_CORES = Cores(0, 1)
CUBE_CORES = Cores(1, 0)
GROUPS = Cores(1, 2)
"""What the compiler makes of a kernel that uses both units and does not say more."""

_TYPES = {
    "AIV_ONLY": VECTOR_CORES,
    "AIC_ONLY": CUBE_CORES,
    "MIX_AIV_1_0": VECTOR_CORES,
    "MIX_AIC_1_0": CUBE_CORES,
    "MIX_AIC_1_1": Cores(1, 1),
    "MIX_AIC_1_2": GROUPS,
}
_MIX = re.compile(r"__mix__\s*\(\s*(?P<cube>\d)\s*,\s*(?P<vector>\d)\s*\)")
_TASK_TYPE = re.compile(
    r"\bKERNEL_TASK_TYPE(?:_DEFAULT\s*\(|\s*\(\s*(?P<key>\w+)\s*,)\s*(?:\w+\s*::\s*)*KERNEL_TYPE_(?P<type>\w+)\s*\)"
)
_CUBE_UNIT = re.compile(
    r"\b(?:Mmad|LoadData|Fixpipe|Matmul|REGIST_MATMUL_OBJ|IterateAll|Conv3D|Gemm|Conv2D|mad)\w*\s*[<(]"
)
_MATMUL_OBJECT = re.compile(r"\b(?:REGIST_MATMUL_OBJ|MatmulImpl\s*<|Matmul\s*<)")
_CUBE_ONLY = re.compile(r"^[ \t]*#[ \t]*define[ \t]+ASCENDC_CUBE_ONLY\b", re.MULTILINE)
_VECTOR_PART = re.compile(r"\bASCEND_IS_AIV\b|\b__DAV_C220_VEC__\b|\b__DAV_VEC__\b")


def stated_cores(kernel: Function, text: str, others: Iterable[str], key: int) -> Cores | None:
    """The cores that a kernel says it runs on with a tiling key; None where it does not say.

    ``text`` is the one that ``kernel`` was read from, ``others`` are those it includes; all free of comments. The entry
    function's qualifiers come first, then ``KERNEL_TASK_TYPE`` of the key, then the default.
    """
    head = text[max(text.rfind(end, 0, kernel.name_span.start) for end in ";}") + 1 : kernel.name_span.start]
    mix = _MIX.search(head)
    if mix is not None:
        return Cores(int(mix["cube"]), int(mix["vector"]))
    if "__cube__" in kernel.qualifiers:
        return CUBE_CORES
    if "__vector__" in kernel.qualifiers:
        return VECTOR_CORES
    for part in (text[kernel.body.start : kernel.body.end], text, *others):
        found = [(match["key"], match["type"]) for match in _TASK_TYPE.finditer(part)]
        chosen = [kind for given, kind in found if given is not None and _number(given) == key]
        chosen += [kind for given, kind in found if given is None]
        known = (_TYPES[kind] for kind in chosen if kind in _TYPES)
        cores = next(known, None)
        if cores is not None:
            return cores
    return None


def _number(text: str) -> int:
    match = re.match(r"0[xX][0-9a-fA-F]+|\d+", text)
    return int(match.group(), 0 if match.group()[:2].lower() == "0x" else 10) if match else -1


def may_use_cube(texts: Iterable[str]) -> bool:
    """Whether any of the texts, free of comments, names a function of the cube unit."""
    return any(_CUBE_UNIT.search(text) for text in texts)


def has_vector_part(texts: Iterable[str]) -> bool:
    """Whether a kernel that uses the cube unit says that vector cores take part: by a branch, or by a Matmul object."""
    joined = "\n".join(texts)
    messages = _MATMUL_OBJECT.search(joined) is not None and _CUBE_ONLY.search(joined) is None
    return messages or _VECTOR_PART.search(joined) is not None
