"""Other names for a kernel's own: the widest variety of identifiers, at no cost to what the kernel means.

A name is renamed word by word, so that what belongs together still does: with ``ocean`` called ``brumal``,
``inQueueOcean``, ``oceanLocal`` and ``OCEAN_SIZE`` become ``inQueueBrumal``, ``brumalLocal`` and ``BRUMAL_SIZE``. A
model that shall write such names can only take them from the file, never from memory.
"""

from __future__ import annotations

import random
import re
from functools import cache

from attrs import frozen

from kernelgen_ls.runner.toolchains.embedded.names import spelled
from kernelgen_ls.training.corpus.words import DOMAIN, WORDS, words_of

_DECLARED = re.compile(
    r"\b(?!(?:return|new|delete|using|namespace|else|goto|include|template|typename|operator|extern)\b)"
    r"[A-Za-z_][\w:]*(?:<[^;{}()\n]*>)?(?:\s*[*&])*\s+[*&]?(?P<name>[A-Za-z_]\w*)\s*(?=[=;,)(\[{:])"
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|_+")
_KEYWORDS = words_of(
    """
    alignas alignof auto bool break case char class const constexpr continue default do double else enum explicit false
    float for if inline int long namespace nullptr operator private protected public return short signed sizeof static
    static_cast reinterpret_cast struct switch template this true typedef typename union unsigned using void volatile
    while half main defined include define pragma ifndef endif op
    """
)
_TENSOR_SHARE, _ROLE_SHARE = 0.85, 0.3
_ONSETS = words_of(
    """
    b br c ch cl cr d dr dw f fl fr g gl gn gr h j k kn kr l m n p ph pl pr qu r s sc sh sk sl sm sn sp st sw t th tr tw
    v w wh x y z
    """
)
_VOWELS = words_of("a e i o u ai ea ei ie oo ou y")
_CODAS = ["", "", "", *words_of("b ck d ft g l ll m mp n nd ng nt p r rd rn s st t th x z")]


def coined(rng: random.Random) -> str:
    """A word of one to three syllables that hardly exists."""
    return "".join(
        rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS) for _ in range(rng.choice([1, 1, 2, 2, 2, 3]))
    )


@cache
def fixed_names() -> frozenset[str]:
    """Names that mean something outside the file: the language's and those our declarations spell."""
    return frozenset(_KEYWORDS) | frozenset(spelled())


@frozen
class Renaming:
    """New spellings by old ones."""

    names: dict[str, str]

    def __call__(self, text: str) -> str:
        """``text`` with every whole identifier that has a new spelling in it."""
        return _IDENTIFIER.sub(lambda found: self.names.get(found[0], found[0]), text)


def draw_renaming(rng: random.Random, source: str) -> Renaming:
    """A renaming of what ``source`` declares; none where two names became one each time."""
    own = sorted({found["name"] for found in _DECLARED.finditer(source)} - fixed_names())
    others = (set(_IDENTIFIER.findall(source)) - set(own)) | fixed_names()
    for _ in range(4):
        words: dict[str, str] = {}
        names = {name: "".join(_renamed(rng, part, words) for part in _WORD.findall(name)) for name in own}
        if len(set(names.values())) == len(names) and not set(names.values()) & others:
            return Renaming({old: new for old, new in names.items() if old != new})
    return Renaming({})


def _renamed(rng: random.Random, part: str, words: dict[str, str]) -> str:
    """One word of a name in its case; single letters and digits stay unless they are all there is of a tensor."""
    key = part.lower()
    if not key.isalpha() or (len(key) == 1 and key in "mkitnq"):
        return part
    if key not in words:
        share = _ROLE_SHARE if key in _ROLES else _TENSOR_SHARE
        words[key] = _word(rng) if rng.random() < share else key
    new = words[key]
    if part.isupper() and len(part) > 1:
        return new.upper()
    return new.capitalize() if part[0].isupper() else new


def _word(rng: random.Random) -> str:
    roll = rng.random()
    if roll < 0.6:
        return coined(rng)
    return rng.choice(WORDS if roll < 0.85 else DOMAIN)


_ROLES = frozenset(
    DOMAIN
    + words_of(
        """
        local global queue que gm ub in out input output buf tiling tensor init process compute core addr pad params ext
        loop align aligned num kernel
        """
    )
)


def word_spans(text: str) -> list[tuple[int, int, str]]:
    """The words of every identifier of the file's own: (start, end, lower-case word), in order."""
    found = []
    for identifier in _IDENTIFIER.finditer(text):
        if identifier[0] in fixed_names():
            continue
        for word in _WORD.finditer(identifier[0]):
            if word[0].isalpha():
                start = identifier.start()
                found.append((start + word.start(), start + word.end(), word[0].lower()))
    return found
