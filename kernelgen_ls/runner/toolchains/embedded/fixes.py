"""The edits that clang itself proposes, as fixes."""

from __future__ import annotations

from kernelgen_ls.kernel.findings import Fix, Range, TextEdit
from kernelgen_ls.runner.toolchains.embedded.parser import RawDiagnostic
from kernelgen_ls.runner.toolchains.source_tree import SourceTree


def fixes_of(tree: SourceTree, raw: RawDiagnostic) -> tuple[Fix, ...]:
    """The one fix of a diagnostic; none where it would change another file than the user's."""
    edits = []
    for item in raw.fixes:
        path = tree.real(item.range.path)
        source = tree.files.get(path) if path is not None else None
        if source is None or path is None:
            return ()
        start = source.position(item.range.line, item.range.column)
        end = source.position(item.range.end_line, item.range.end_column)
        edits.append(TextEdit(path, Range(start, end), item.text))
    if not edits:
        return ()
    return (Fix(_title(edits), tuple(edits), safe=len(edits) == 1 and edits[0].new_text in (";", ")", "}", "]")),)


def _title(edits: list[TextEdit]) -> str:
    first = edits[0]
    if not first.new_text:
        return "Remove it"
    if first.range.start == first.range.end:
        return f"Insert '{first.new_text.strip()}'"
    return f"Change to '{first.new_text.strip()}'"
