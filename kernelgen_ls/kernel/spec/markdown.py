"""Specifications in Markdown: the ``api_desc.md`` of an operator, with Chinese or English headings."""

from __future__ import annotations

import re

from attrs import evolve

from kernelgen_ls.kernel.spec.described import Signature, described
from kernelgen_ls.kernel.spec.python_text import from_python
from kernelgen_ls.kernel.spec.reference import reference_in
from kernelgen_ls.kernel.spec.sections import sections_of
from kernelgen_ls.kernel.spec.sides import reads_of, unlisted_outputs
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor, merge
from kernelgen_ls.kernel.spec.words import SCALARS

_DEFINES = re.compile(r"^[ \t]*(?:def|class)\s+\w+", re.MULTILINE)


def from_api_desc(text: str) -> Specification:
    """Return what an ``api_desc.md`` says, with Chinese or English headings.

    The name is the title's (``aclnn`` in front is dropped), else that of the Python function; the formula is that of
    its section, else of the function's; tensors come from lists and tables, else from the Python function and what
    documents it. Outputs that nothing lists are those left in the formula, or returned by reference code in a fence;
    where a text says no more than that something is returned, it is called ``out``.
    """
    text = text.replace("\r\n", "\n")
    function = _function(text)
    defaults = {one.name: one.default for one in function.attributes if one.default is not None}
    prose = described(text, "api_desc.md", Signature(defaults=defaults))
    spec = evolve(merge(prose, evolve(function, sources=())), reference=reference_in(text), sources=("api_desc.md",))
    spec = _settled(spec, function)
    return evolve(spec, outputs=spec.outputs or tuple(unlisted_outputs(text, spec)))


def _function(text: str) -> Specification:
    """What the first Python function of the text's fences says of the interface."""
    for section in sections_of(text):
        for block in section.blocks:
            if block.language in ("", "python", "py", "python3") and _DEFINES.search(block.text):
                return from_python(block.text, whole=False)
    return Specification()


def _settled(spec: Specification, function: Specification) -> Specification:
    """With the defaults of the signature, and with what the formula reads where nothing lists any input."""
    attributes, inputs = list(spec.attributes), list(spec.inputs)
    known = {one.name for one in attributes} | {one.name for one in inputs}
    attributes += [one for one in function.attributes if one.name not in known and one.default is not None]
    if not inputs:
        read = reads_of(spec.formula or spec.reference, [one.name for one in attributes])
        inputs += [SpecTensor(one) for one in read if one not in SCALARS]
        attributes += [SpecAttribute(one) for one in read if one in SCALARS]
    return evolve(spec, inputs=tuple(inputs), attributes=tuple(attributes))
