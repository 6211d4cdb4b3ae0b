"""How functions begin: any of them with its brace, and the entry function with its arguments in either form."""

from __future__ import annotations

from kernelgen_ls.training.corpus.naming import NamedKernel


def opened(k: NamedKernel, head: str) -> list[str]:
    """The head of a function and its brace, where the hand puts it."""
    return [head, "{"] if k.hand.allman else [f"{head} {{"]


def entry_head(k: NamedKernel) -> list[str]:
    """The entry function's head, with the arguments that the launch passes."""
    arguments = [f"GM_ADDR {t.name}" for t in (*k.operator.inputs, k.operator.output)]
    dynamic = k.hand.sizes == "dynamic"
    arguments += ["GM_ADDR workspace"] * (k.hand.workspace or dynamic) + ["GM_ADDR tiling"] * dynamic
    return opened(k, f'extern "C" __global__ __aicore__ void {k.operator.name}({", ".join(arguments)})')
