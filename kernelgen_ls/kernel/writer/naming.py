"""Names for what a kernel declares: the specification's own, unless C++, AscendC or the kernel has them already."""

from __future__ import annotations

import keyword
import re

from attrs import define, field

_WORDS = """
alignas alignof and asm auto bool break case catch char class compl concept const constexpr continue decltype default
delete do double else enum explicit export extern false float for friend goto half if inline int long mutable namespace
new not nullptr operator or private protected public register return short signed sizeof static struct switch template
this throw true try typedef typename union unsigned using virtual void volatile wchar_t while xor
uint8_t int8_t uint16_t int16_t uint32_t int32_t uint64_t int64_t bfloat16_t event_t T
abs acos asin atan ceil cos cosh erf exp exp2 fabs floor fmax fmin fmod lgamma log log10 log1p log2 max min pow printf
remainder rint round sin sinh sqrt tan tanh trunc y0 y1 yn j0 j1 jn index signal time main
pipe row rows cols count start offset length tileLength totalLength innerRows firstRow lastRow op tiling workspace
tilingData work inputs outputs
"""
RESERVED = frozenset(_WORDS.split())


@define
class Names:
    """The names of one file; nothing is given a name twice."""

    taken: set[str] = field(factory=lambda: set(RESERVED))

    def unique(self, wanted: str, suffix: str = "Value") -> str:
        """``wanted`` as a name of C++, with ``suffix`` where it is taken."""
        name = re.sub(r"\W", "_", wanted) or "value"
        name = f"v{name}" if name[0].isdigit() else name
        if name in self.taken or keyword.iskeyword(name):
            name += suffix
        number, plain = 2, name
        while name in self.taken:
            name, number = f"{plain}{number}", number + 1
        self.taken.add(name)
        return name


def camel(*words: str) -> str:
    """Words of any case as one name that starts small: ``row max`` gives ``rowMax``."""
    parts = [part for word in words for part in re.split(r"[_\W]+", word) if part]
    first, *others = parts or ["value"]
    return first[:1].lower() + first[1:] + "".join(part[:1].upper() + part[1:] for part in others)


def pascal(name: str) -> str:
    """A name that starts with a capital."""
    found = camel(name)
    return found[:1].upper() + found[1:]
