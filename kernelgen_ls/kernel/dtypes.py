"""Element types by every name that specifications give them, as one: ``float16`` for fp16, half, torch.float16."""

from __future__ import annotations

import re
from collections.abc import Mapping

_ALIASES: Mapping[str, tuple[str, ...]] = {
    "float16": ("float16", "fp16", "half", "float16_t"),
    "bfloat16": ("bfloat16", "bf16", "bfp16", "bfloat16_t"),
    "float32": ("float32", "fp32", "float", "float32_t"),
    "float64": ("float64", "fp64", "double"),
    "int4": ("int4", "int4b_t"),
    **{
        f"{sign}int{bits}": (f"{sign}int{bits}", f"{sign}int{bits}_t")
        for sign in ("", "u")
        for bits in ("8", "16", "32", "64")
    },
    "bool": ("bool",),
    "complex64": ("complex64",),
    "complex128": ("complex128",),
}
_BY_NAME = {alias: name for name, aliases in _ALIASES.items() for alias in aliases}
_WORD = re.compile(
    r"(?<![A-Za-z0-9_.])(?:torch\.|np\.|numpy\.|ge::)?(?:DT_)?(?P<name>[A-Za-z][A-Za-z0-9]*(?:_t)?)(?![A-Za-z0-9_])"
)

KERNEL_TYPE: Mapping[str, str] = {
    "float16": "half",
    "bfloat16": "bfloat16_t",
    "float32": "float",
    "float64": "double",
    "int4": "int4b_t",
    "bool": "bool",
    "complex64": "complex64",
    "complex128": "complex128",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in ("8", "16", "32", "64")},
}
"""The type of a kernel's language for each name."""


def dtype_named(name: str) -> str:
    """Return the one name of an element type (``float16`` for ``DT_FLOAT16``), "" where it is none."""
    plain = name.strip().removeprefix("ge::").removeprefix("torch.").removeprefix("DT_").lower()
    return _BY_NAME.get(plain, "")


def dtypes_in(text: str) -> tuple[str, ...]:
    """Return the element types that a text names, in order, each once."""
    found = (_BY_NAME.get(match.group("name").lower()) for match in _WORD.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name))
