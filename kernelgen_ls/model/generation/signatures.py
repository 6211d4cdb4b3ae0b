"""The declarations of AscendC names, as repair prompts quote them."""

from __future__ import annotations

from kernelgen_ls.kernel.api import lookup

_MOST_OVERLOADS = 4


def api_signatures(name: str) -> tuple[str, ...]:
    """The signatures of an AscendC name (its commonest overloads); empty for a name that the table does not know."""
    entry = lookup(name)
    return tuple(signature.text for signature in entry.signatures[:_MOST_OVERLOADS]) if entry is not None else ()
