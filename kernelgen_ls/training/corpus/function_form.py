"""A kernel as one entry function that declares everything itself."""

from __future__ import annotations

from kernelgen_ls.training.corpus.buffers import declarations, init_lines
from kernelgen_ls.training.corpus.entry import entry_head
from kernelgen_ls.training.corpus.naming import NamedKernel
from kernelgen_ls.training.corpus.stages import fused_lines
from kernelgen_ls.training.corpus.work_split import loop_head


def function_lines(k: NamedKernel) -> list[str]:
    """The entry function."""
    hand, q = k.hand, k.q
    lines = entry_head(k)
    if hand.sizes == "struct":
        lines.append(f"\t{k.struct} {k.data};")
    elif hand.sizes == "dynamic":
        lines.append(f"\tGET_TILING_DATA({k.data}, tiling);")
    if hand.sizes != "const":
        lines += [f"\t{s.type} {s.ref} = {k.data}.{s.field};" for s in k.sizes.values()]
    lines.append(f"\t{q}TPipe {k.pipe};")
    lines += [f"\t{line}" for line in [*declarations(k), *init_lines(k)]]
    head, first = loop_head(k)
    lines += [f"\t{head}", *[f"\t\t{line}" for line in [*first, *fused_lines(k)]]]
    return [*lines, "\t}", "}"]
