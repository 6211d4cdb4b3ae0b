"""A built and installed operator package as CANN lays it out: its compiled kernels and its tiling libraries."""

from __future__ import annotations

import json
import re
from pathlib import Path

from attrs import frozen

from kernelgen_ls.runner.toolchains.cann.launch import BuiltKernel


@frozen
class Package:
    """A built and installed operator package: ``vendor`` holds ``op_impl``.

    ``exact`` tells that it was built from this very text of the kernels too, not only from this op_host.
    """

    vendor: Path
    exact: bool

    def kernels(self) -> tuple[BuiltKernel, ...]:
        """The compiled kernels that the package describes, if they are of this text; unsound ones are left out."""
        found: list[BuiltKernel] = []
        if not self.exact:
            return ()
        for description in sorted((self.vendor / "op_impl/ai_core/tbe/kernel").rglob("*.json")):
            kernel = _described(description)
            if kernel is not None:
                found.append(kernel)
        return tuple(found)


def tiling_libraries(vendor: Path) -> tuple[Path, ...]:
    """The libraries with op_host's tiling functions in a package's vendor folder."""
    return tuple(sorted((vendor / "op_impl/ai_core/tbe/op_tiling").rglob("*.so")))


def _described(description: Path) -> BuiltKernel | None:
    """A kernel by the JSON beside its object: ``binFileName``, ``kernelName``, ``kernelList``, ``magic``, its types."""
    try:
        plain = json.loads(description.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    match plain:
        case {"binFileName": str(name), "kernelName": str(symbol), "magic": str(magic)}:
            file = description.with_name(f"{name}.o")
            if "/" in name or not file.is_file() or not re.fullmatch(r"RT_DEV_BINARY_MAGIC_ELF\w*", magic):
                return None
        case _:
            return None
    symbols: dict[int | None, str] = {}
    for one in plain.get("kernelList") or ():
        listed = one.get("kernelName") if isinstance(one, dict) else None
        key = re.search(r"_(\d+)$", listed) if isinstance(listed, str) else None
        if key is not None and isinstance(listed, str):
            symbols[int(key[1])] = listed
    support = plain.get("supportInfo") or {}
    tensors = [*(support.get("inputs") or ()), *(support.get("outputs") or ())]
    dtypes = tuple(str(t.get("dtype", "")) for t in tensors if isinstance(t, dict))
    return BuiltKernel(file, symbols or {None: symbol}, magic, dtypes)
