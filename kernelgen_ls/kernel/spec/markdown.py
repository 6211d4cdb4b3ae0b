"""Specifications in Markdown: the ``api_desc.md`` of an operator, with Chinese or English headings."""

from __future__ import annotations

import re

from attrs import evolve

from kernelgen_ls.kernel.spec.described import Signature, described
from kernelgen_ls.kernel.spec.html import without_html
from kernelgen_ls.kernel.spec.python_text import from_python
from kernelgen_ls.kernel.spec.reference import reference_in
from kernelgen_ls.kernel.spec.sections import sections_of
from kernelgen_ls.kernel.spec.sides import reads_of, unlisted_outputs
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor, merge
from kernelgen_ls.kernel.spec.words import SCALARS

_DEFINES = re.compile(r"^[ \t]*(?:def|class)\s+\w+", re.MULTILINE)


def from_api_desc(text: str) -> Specification:
    """Return what an ``api_desc.md`` says, with Chinese or English headings, and what follows from its formula."""
    return completed(stated_in(text), text)


def completed(stated: Specification, text: str) -> Specification:
    """Return what a text states, and what follows from its formula.

    Inputs that nothing lists are what the formula reads. Outputs are those left in the formula, or returned by
    reference code in a fence; where a text says no more than that something is returned, it is called ``out``.
    """
    spec = _with_read(stated)
    return evolve(spec, outputs=spec.outputs or tuple(unlisted_outputs(text, spec)))


def stated_in(text: str) -> Specification:
    """Return what an ``api_desc.md`` states.

    The name is the title's (``aclnn`` in front is dropped), else that of the Python function; the formula is that of
    its section, else of the function's; tensors come from lists and tables, else from the Python function and what
    documents it.
    """
    text = without_html(text.replace("\r\n", "\n"))
    function = _function(text)
    defaults = {one.name: one.default for one in function.attributes if one.default is not None}
    prose = described(text, "api_desc.md", Signature(defaults=defaults))
    # What a list says of a parameter counts more than what its name looks like in the signature.
    tensors = {one.name for one in (*prose.inputs, *prose.outputs)}
    function = evolve(function, attributes=tuple(one for one in function.attributes if one.name not in tensors))
    spec = evolve(merge(prose, evolve(function, sources=())), reference=reference_in(text), sources=("api_desc.md",))
    known = {one.name for one in spec.attributes} | {one.name for one in spec.inputs}
    more = [one for one in function.attributes if one.name not in known and one.default is not None]
    return evolve(spec, attributes=(*spec.attributes, *more))


def _function(text: str) -> Specification:
    """What the first Python function of the text's fences says of the interface."""
    for section in sections_of(text):
        for block in section.blocks:
            if block.language in ("", "python", "py", "python3") and _DEFINES.search(block.text):
                return from_python(block.text, whole=False)
    return Specification()


def _with_read(spec: Specification) -> Specification:
    """With what the formula reads, where nothing lists any input."""
    if spec.inputs:
        return spec
    read = reads_of(spec.formula or spec.reference, [one.name for one in spec.attributes])
    return evolve(
        spec,
        inputs=tuple(SpecTensor(one) for one in read if one not in SCALARS),
        attributes=(*spec.attributes, *(SpecAttribute(one) for one in read if one in SCALARS)),
    )
