"""Cases for an operator that nobody wrote any for, made from what lies in its folder."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from kernelgen_ls.kernel.cases.case import MadeCases, NotMade
from kernelgen_ls.kernel.cases.made import Described, make_cases
from kernelgen_ls.kernel.cases.sheet import SHEET, CaseTable
from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.host import read_host
from kernelgen_ls.kernel.roles import says_host
from kernelgen_ls.kernel.spec.comment import comment_at, leading_comment
from kernelgen_ls.kernel.spec.sources import description_in, said
from kernelgen_ls.kernel.spec.specification import Specification, SpecTensor, merge
from kernelgen_ls.kernel.syntax import Source

_MODULE = "validation/module.py"


def made_cases(
    texts: Mapping[str, str], path: str, kernel: str, chip: Chip, specified: str | None = None
) -> MadeCases | NotMade:
    """The cases of the entry function ``kernel`` in the file ``path``, for ``chip``, or why there are none.

    ``texts`` are the operator's files by path relative to its folder; ``specified`` is another text whose comments
    specify the kernel, where its own are not to be believed.
    """
    entries = Source.parse(texts[path]).structure.entries
    function = next(one for one in entries if one.name == kernel)
    source = Source.parse(texts[path] if specified is None else specified)
    named = next((one for one in source.structure.entries if one.name == kernel), None)
    place = source.range(named.name_span).start if named is not None else None
    described, (table_path, table) = description_in(texts), _nearest(texts, SHEET)
    definitions = {name: text for name, text in texts.items() if name.endswith(".json") and '"op"' in text}
    hosts = {name: text for name, text in texts.items() if says_host(name, text)}
    host = read_host(hosts) if hosts else None
    definition = next(iter(definitions.values()), "")
    module = _nearest(texts, _MODULE)[1]
    each = said(source, place, api_desc=described, definition=definition, host=host, module=module)
    comment = comment_at(source, place)
    above = comment is not None and comment[1] is not None
    words = {
        "comment": f"the comment above {kernel}" if above else "the comment in front",
        "definition": next(map(posixpath.basename, definitions), ""),
    }
    sources = [words.get(name, name) for name in _saying(each)]
    return make_cases(
        Described(
            _as_in_the_formula(merge(*each), each),
            function,
            texts[path],
            CaseTable.parse(table),
            host.operator_for(kernel) if host is not None else None,
            (chip.config_name, *chip.former_config_names),
            "\n".join((comment[0] if comment else "", leading_comment(source), described)),
            (*sources, *((posixpath.basename(table_path),) if table_path else ())),
            next((words.get(name, name) for one in each if one.reference for name in one.sources), ""),
        )
    )


def _nearest(texts: Mapping[str, str], name: str) -> tuple[str, str]:
    """The path and text of the file of that name that is nearest to the operator's folder, "" for none."""
    found = sorted((path for path in texts if f"/{path}".endswith(f"/{name}")), key=lambda path: path.count("/"))
    return (found[0], texts[found[0]]) if found else ("", "")


def _saying(each: Sequence[Specification]) -> Iterator[str]:
    """The sources that say a formula or a shape."""
    for one in each:
        if one.formula or any(tensor.shape is not None for tensor in one.inputs):
            yield from one.sources


def _as_in_the_formula(whole: Specification, each: Sequence[Specification]) -> Specification:
    """The specification with its tensors called what the source of the formula calls them: it may have other names."""
    writer = next((one for one in each if one.formula), None)
    if writer is None:
        return whole
    return evolve(whole, inputs=_called(whole.inputs, writer.inputs), outputs=_called(whole.outputs, writer.outputs))


def _called(tensors: tuple[SpecTensor, ...], others: tuple[SpecTensor, ...]) -> tuple[SpecTensor, ...]:
    if len(tensors) != len(others) or {one.name for one in tensors} == {one.name for one in others}:
        return tensors
    return tuple(evolve(one, name=other.name) for one, other in zip(tensors, others, strict=True))
