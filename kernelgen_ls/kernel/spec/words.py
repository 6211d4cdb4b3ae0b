"""Words and shapes as every reader of specifications understands them."""

from __future__ import annotations

import re

SHAPE = re.compile(
    r"\[\s*(?P<sizes>[\w\s,*×+-]*)\]"
    r"|\((?P<round>\s*\d+\s*|\s*[A-Za-z0-9_]+\s*(?:,\s*[A-Za-z0-9_]+\s*)+|\s*[A-Za-z0-9_]+\s*,\s*)\)"
)
NAME = r"[A-Za-z_]\w*"
EQUATION = re.compile(
    rf"^(?P<left>{NAME})\s*(?:\[[^\]]*\]|_\{{[^}}]*\}}|_\w+)?\s*=\s*(?P<right>[^=;].*[^;])$|^(?P<short>{NAME})\s*=\s*\S$"
)


_SCALAR_NAMES = """
    eps epsilon axis axes dim dims keepdim keep_dims keepdims momentum reduction training approximate diagonal
    normalized_shape num_groups num_classes ignore_index label_smoothing dtype dst_type round_mode rounding_mode lr
    weight_decay beta1 beta2 amsgrad maximize largest sorted incx incy negative_slope p
"""
SCALARS = frozenset(_SCALAR_NAMES.split())
"""Names that only attributes have, whatever is said of all parameters together."""


def shape_in(text: str) -> tuple[str, ...] | None:
    """Return the dimensions of the first shape in ``text``: ``[48, N]``, ``(48, N)``, ``[]``; None without one."""
    match = SHAPE.search(text)
    if match is None:
        return None
    sizes = match.group("sizes") if match.group("sizes") is not None else match.group("round")
    return tuple(size.strip() for size in re.split(r"[,×]", sizes) if size.strip())


def operator_name(title: str) -> str:
    """Return the operator's name from a title: its first word, without ``aclnn``; "" where that is no name."""
    match = re.match(rf"\s*`?(?:aclnn)?(?P<name>{NAME})", title)
    name = match.group("name") if match else ""
    if name.lower() in ("question", "api", "operator", "description"):
        return ""
    return camel(name) if "_" in name or name.islower() else name[:1].upper() + name[1:]


def camel(name: str) -> str:
    """Return an operator's name from that of its kernel: ``silu_mul`` gives ``SiluMul``."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
