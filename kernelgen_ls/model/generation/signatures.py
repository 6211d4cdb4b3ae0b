"""The declarations of AscendC names, as repair prompts quote them."""

from __future__ import annotations

_MOST_OVERLOADS = 4


def api_signatures(name: str) -> tuple[str, ...]:
    """The signatures of an AscendC name (its commonest overloads); empty for a name that the table does not know."""
    from kernelgen_ls.kernel import api

    entry = api.lookup(name)
    return tuple(str(signature) for signature in entry.signatures[:_MOST_OVERLOADS]) if entry is not None else ()
