"""Words and shapes as every reader of specifications understands them."""

from __future__ import annotations

import re

from kernelgen_ls.kernel.dtypes import find_dtype

NAME = r"[A-Za-z_]\w*"

_SCALAR_NAMES = """
    eps epsilon axis axes dim dims keepdim keep_dims keepdims momentum reduction training approximate diagonal
    normalized_shape num_groups num_classes ignore_index label_smoothing dtype dst_type round_mode rounding_mode lr
    weight_decay beta1 beta2 amsgrad maximize largest sorted incx incy negative_slope p
"""
SCALARS = frozenset(_SCALAR_NAMES.split())
"""Names that only attributes have, whatever is said of all parameters together."""


_BRACKETS = re.compile(r"(?<![\w\]])\[(?P<square>[^\[\]()]{0,80})\]|(?<![A-Za-z_])\((?P<round>[^\[\]()]{1,80})\)")
_PRODUCT = re.compile(r"(?<!\w)(?P<type>\w+)[\s,，:：]+(?P<sizes>\d+(?:\s*[x×]\s*\d+)+)(?![\w.])")
_EXTENTS = re.compile(r"\[\w+\](?:\[\w+\])+")
"""A shape as C declares it: ``[3][100]``."""
_SAID = re.compile(r"(?:\bshapes?\b|\bdim(?:ension)?s\b|形状|维度)[^\[(\n]{0,14}$", re.IGNORECASE)
_RANGE = re.compile(r"(?:\bin|\bfrom|between|within|range|区间|范围|取值)\W{0,3}$", re.IGNORECASE)
_BEFORE = 40
"""More characters than a word that says what a pair of brackets is, and what may stand between."""
_NO_SIZES = frozenset(("in", "out", "inout", "opt", "optional", "required", "default", "input", "output", "attr", "nd"))
_SIZE = re.compile(r"-1|\?|\*|\.{3}|\d+|[A-Za-z]\w*(?:\s*[*/+-]\s*(?:\d+|[A-Za-z]\w*))*|\d+\s*\*\s*[A-Za-z]\w*")
_COMMON = re.compile(
    r"[A-Z]\w*|\w{1,2}|\d\w*|-1|\*|\.{3}"
    r"|batch\w*|seq\w*|rows?|cols?|columns|hidden\w*|len\w*|channels?|heads?|tokens?|dim\w*|num_\w+"
)


def stated_shape(text: str, *, column: bool = False) -> tuple[str, ...] | None:
    """Return the shape that words state: ``[N, D]``, ``(M, 1)``, ``(-1, 512)``, ``[..., D]``; None without one.

    Parentheses are one where they hold what sizes are called, or behind the word shape; of a table's ``column`` the
    whole text is.
    """
    plain = re.sub(r":math:|[`$]|\\(?=[*(){}])", "", text)
    # `float32[8, 16]` is a type with its shape.
    plain = re.sub(r"\b\w+(?=\[)", lambda word: f"{word[0]} " if find_dtype(word[0]) is not None else word[0], plain)
    plain = _EXTENTS.sub(lambda match: ", ".join(match[0].split("][")), plain)
    found = None
    for match in _BRACKETS.finditer(plain):
        sizes = _sizes(match["square"] if match["square"] is not None else match["round"])
        before = plain[max(match.start() - _BEFORE, 0) : match.start()]
        said = column or bool(_SAID.search(before))
        if sizes is None or (_RANGE.search(before) and not said):
            continue
        usual = all(_COMMON.fullmatch(size) for size in sizes)
        if (
            match["square"] is None
            and not said
            and not (usual and (len(sizes) > 1 or match["round"].strip()[-1] == "," or sizes[0].isdigit()))
        ):
            continue
        if said:
            return sizes
        found = sizes if found is None else found
    return found if found is not None else _product(plain)


def _product(text: str) -> tuple[str, ...] | None:
    """The shape that stands as a product directly behind an element type: ``half, 37 x 53``."""
    match = _PRODUCT.search(text)
    return tuple(re.split(r"\s*[x×]\s*", match["sizes"])) if match and find_dtype(match["type"]) is not None else None


def _sizes(written: str) -> tuple[str, ...] | None:
    """The sizes in a pair of brackets; None where something else stands there."""
    sizes = tuple(
        re.sub(r"\s+", "", size) for size in re.split(r"[,，×]|(?<=\w)\s+x\s+(?=\w)", written) if size.strip()
    )
    if not all(_SIZE.fullmatch(size) for size in sizes):
        return None
    return None if any(size.lower() in _NO_SIZES or find_dtype(size) is not None for size in sizes) else sizes


def title_name(title: str) -> str:
    """Return the operator's name from a heading: what stands in backticks or is written as a name; else its first word.

    ``Gather + scale (`gather_scale`)`` is GatherScale, ``反量化算子 DequantPerChannel`` is DequantPerChannel.
    """
    quoted = re.search(rf"`(?:aclnn)?({NAME})`", title, re.ASCII)
    words = [word for word in re.findall(NAME, title, re.ASCII) if word.lower() not in _NO_NAMES]
    written = next((word for word in words if _IS_NAME.search(word)), words[0] if words else "")
    return operator_name(quoted[1] if quoted else written)


_TITLE_WORDS = "operator op kernel name the a an of for api aclnn question description group and function"
_NO_NAMES = frozenset(_TITLE_WORDS.split())
_IS_NAME = re.compile(r"_|^aclnn|[a-z0-9][A-Z]|[A-Z]\w*[a-z]\w*[A-Z]")


def operator_name(title: str) -> str:
    """Return the operator's name from a title: its first word, without ``aclnn``; "" where that is no name."""
    match = re.match(rf"\s*`?(?:aclnn)?(?P<name>{NAME})", title)
    name = match.group("name") if match else ""
    if name.lower() in ("question", "api", "operator", "description"):
        return ""
    if "_" in name and name.isupper():
        name = name.lower()
    return camel(name) if "_" in name or name.islower() else name[:1].upper() + name[1:]


def camel(name: str) -> str:
    """Return an operator's name from that of its kernel: ``silu_mul`` gives ``SiluMul``."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
