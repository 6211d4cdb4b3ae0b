"""Where a kernel can be generated: on a specification's comment, on the signature of an entry function."""

from __future__ import annotations

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.spec.comment import comment_at
from kernelgen_ls.kernel.spec.sources import gather
from kernelgen_ls.kernel.syntax import Source

_COMMENT_LINE = ("//", "/*", "*")


def described_at(source: Source, position: Position, *, anywhere: bool = False) -> str | None:
    """The name of the operator that is described at ``position``, "" where it has none yet; None where none is.

    ``anywhere``: the text is nothing but a specification, so that each of its lines describes the operator.
    """
    offset = source.offset(position)
    on_signature = any(entry.span.start <= offset <= entry.body.start for entry in source.structure.entries)
    if not (anywhere or on_signature or _on_comment(source, position)):
        return None
    return gather(source, position).name


def _on_comment(source: Source, position: Position) -> bool:
    line = source.line_text(position.line).lstrip()
    return line.startswith(_COMMENT_LINE) and comment_at(source, position) is not None
