"""Specifications in a comment: above an entry function, or alone in a file that has no code yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.formula import Formula, understand
from kernelgen_ls.kernel.spec.described import OWN, Signature, common_shape, described
from kernelgen_ls.kernel.spec.lines import readable
from kernelgen_ls.kernel.spec.reference import reference_in, without_references
from kernelgen_ls.kernel.spec.sections import About, sections_of
from kernelgen_ls.kernel.spec.sides import outputs_of
from kernelgen_ls.kernel.spec.specification import Specification, SpecTensor
from kernelgen_ls.kernel.spec.words import camel
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.kernel.syntax import Source

AS_GENERATED = "As generated: "
"""Begins the line that says of a generated kernel what was known of it; it specifies nothing."""
_LEADING = re.compile(r"\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)+", re.DOTALL)


def from_comment(comment: str, entry: Function | None = None) -> Specification:
    """Return what a comment says; ``entry`` is the function it stands above.

    One fact a line (``op: Name``, ``formula: ...``, ``in x: float16 [48, 1024]``, ``attr alpha: float = 1.0``,
    ``dtypes: float16, float32``, ``shape: [48, 1024]``), Doxygen, lists below headings, in English or Chinese, and
    reference code in Python in a fence. Without a list of tensors they are the entry's parameters: those left of a
    ``=`` are outputs, those right of one inputs. Where only inputs are listed, the formula's left side names the
    outputs.
    """
    unmarked = "\n".join(_unmarked(comment))
    parameters = tuple(one.name for one in entry.parameters if not OWN.search(one.name)) if entry is not None else ()
    spec = described(without_references(unmarked), "comment", Signature(tensors=parameters))
    reference = reference_in(unmarked)
    inputs, outputs = list(spec.inputs), list(spec.outputs)
    if entry is not None and not (inputs and outputs) and not spec.formula:
        named = _called(reference, parameters)
        shape = common_shape(sections_of(unmarked))
        inputs = inputs or [SpecTensor(name, shape=shape) for name in named[0]]
        outputs = outputs or [SpecTensor(name, shape=shape) for name in named[1]]
    if inputs and not outputs:
        outputs = list(outputs_of(spec.formula, inputs, spec.attributes))
    name = spec.name or (camel(entry.name) if entry is not None else "")
    return evolve(spec, name=name, inputs=tuple(inputs), outputs=tuple(outputs), reference=reference)


def comment_at(source: Source, position: Position | None = None) -> tuple[str, Function | None] | None:
    """Return the comment that specifies a kernel, and the entry function below it.

    Of several entry functions the one at ``position`` is meant, else the first with a comment. A file with comments and
    no code but includes is its own specification. None where there is no comment.
    """
    entries = source.structure.entries
    if position is not None:
        offset = source.offset(position)
        near = [entry for entry in entries if _with_comment(source, entry)[0] <= offset < entry.span.end]
        entries = tuple(near) or entries
    for entry in entries:
        _, comment = _with_comment(source, entry)
        if comment:
            return comment, entry
    if not entries and not re.sub(r"^[ \t]*#.*$|\busing namespace \w+;", "", source.plain, flags=re.MULTILINE).strip():
        comments = "\n".join(re.findall(r"//[^\n]*|/\*.*?(?:\*/|\Z)", source.text, re.DOTALL))
        return (comments, None) if comments.strip() else None
    return None


def leading_comment(source: Source) -> str:
    """Return the comment at the beginning of a text where it specifies an operator; "" where it says something else."""
    match = _LEADING.match(source.text)
    comment = match.group() if match else ""
    unmarked = "\n".join(_unmarked(comment))
    said = any(section.about is About.FORMULA for section in sections_of(unmarked))
    return comment if said or reference_in(unmarked) else ""


def _unmarked(comment: str) -> list[str]:
    """The lines without what makes them a comment, as far in as they are written."""
    lines = []
    for line in readable(comment.replace("\r\n", "\n")).split("\n"):
        plain = re.sub(r"^\s*(?:/\*+!?|//+[/!<]*|\*+(?!/)(?=\s|$))\s?", "", line)
        # Doxygen's own line break at the end of a line says nothing. Patterns would look for an end at every space.
        plain = plain.rstrip()
        if plain.endswith("*/"):
            plain = plain[:-2].rstrip("*").rstrip()
        if plain.endswith("\\n"):
            plain = plain[:-2].rstrip().removesuffix(".").rstrip()
        lines.append("" if plain.lstrip().startswith(AS_GENERATED) else plain)
    return lines


def _with_comment(source: Source, entry: Function) -> tuple[int, str]:
    """Return where the comment directly above an entry function starts, and its text; its own start without one."""
    end = len(source.text[: entry.span.start].rstrip())
    if source.text[:end].endswith("*/"):
        start = source.text.rfind("/*", 0, end)
        return start, source.text[start:end]
    start = end
    while start > 0:
        line_start = source.text.rfind("\n", 0, start - 1) + 1
        if not source.text[line_start:start].lstrip().startswith("//"):
            break
        start = line_start
    return (start, source.text[start:end]) if start < end else (entry.span.start, "")


def _called(reference: str, parameters: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return which parameters reference code reads, and those left over, where these are as many as it returns."""
    found = understand(reference)
    if not isinstance(found, Formula):
        return [], []
    inputs = [name for name in parameters if name in found.reads]
    left = [name for name in parameters if name not in inputs]
    return inputs, left if len(left) == len(found.outputs) else []
