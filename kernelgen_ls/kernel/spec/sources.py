"""Everything that is said about one operator, wherever it is said, as one specification."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import basename, dirname

from attrs import evolve

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.host import HostContext
from kernelgen_ls.kernel.roles import HOST_FOLDER
from kernelgen_ls.kernel.spec.comment import comment_at, from_comment, leading_comment
from kernelgen_ls.kernel.spec.markdown import completed, stated_in
from kernelgen_ls.kernel.spec.msopgen import BrokenDefinitionError, from_json
from kernelgen_ls.kernel.spec.python_text import from_python
from kernelgen_ls.kernel.spec.specification import Specification, from_operator, merge
from kernelgen_ls.kernel.spec.words import camel
from kernelgen_ls.kernel.syntax import Source

API_DESC = "api_desc.md"
_README = "README.md"


def description_in(texts: Mapping[str, str]) -> str:
    """The Markdown that describes an operator among its files: the nearest ``api_desc.md``.

    Without one, what lies as ``README.md`` beside an msopgen JSON, or beside the one ``op_host`` whose operator the
    files are; any other README describes something larger.
    """
    nearest = sorted(texts, key=lambda path: path.count("/"))
    beside = {dirname(path) for path in texts if path.endswith(".json") and '"op"' in texts[path]}
    hosts = {dirname(path) for path in texts if basename(dirname(path)) == HOST_FOLDER}
    beside |= {dirname(host) for host in hosts if len(hosts) == 1}
    named = [path for path in nearest if basename(path) == API_DESC]
    named += [path for path in nearest if basename(path) == _README and dirname(path) in beside]
    return texts[named[0]] if named else ""


def gather(
    source: Source | None = None,
    position: Position | None = None,
    *,
    api_desc: str = "",
    definition: str = "",
    host: HostContext | None = None,
    module: str = "",
) -> Specification:
    """Return everything that is said about one operator, most binding first: comment, OpDef, JSON, ``api_desc.md``.

    The comment is the one above the entry function, then the one that the text begins with, where that specifies.

    ``definition`` is the text of msopgen's JSON, ``host`` what was read from ``op_host``, ``module``
    that of a ``module.py`` with reference code.
    """
    return merge(*said(source, position, api_desc=api_desc, definition=definition, host=host, module=module))


def said(
    source: Source | None = None,
    position: Position | None = None,
    *,
    api_desc: str = "",
    definition: str = "",
    host: HostContext | None = None,
    module: str = "",
) -> tuple[Specification, ...]:
    """Return what each source alone says, most binding first, as ``gather`` takes it together."""
    found: list[Specification] = []
    entry_name = ""
    if source is not None:
        comment = comment_at(source, position)
        if comment is not None:
            found.append(from_comment(*comment))
        entries = source.structure.entries
        entry_name = comment[1].name if comment and comment[1] else entries[0].name if entries else ""
        if len(entries) == 1 and (leading := leading_comment(source)):
            found.append(from_comment(leading, entries[0]))
    if host is not None:
        operator = host.operator_for(entry_name)
        if operator is not None:
            # The comment's own tensors are details of the interface that the definition declares.
            found.insert(0 if found and not found[0].inputs else len(found), from_operator(operator))
    if definition:
        found += _defined(definition, entry_name)
    if api_desc:
        stated = stated_in(api_desc)
        found.append(stated)
    if module:
        found.append(from_python(module, "module.py"))
    if api_desc:
        # What only its formula tells of the interface counts least.
        found.append(evolve(completed(stated, api_desc), sources=()))
    if entry_name:
        found.append(Specification(name=camel(entry_name)))
    return tuple(found)


def _defined(definition: str, entry_name: str) -> list[Specification]:
    """The operator of a JSON that an entry function belongs to, or what is wrong with the JSON."""
    try:
        operators = from_json(definition)
    except BrokenDefinitionError as error:
        return [Specification(problems=(f"The definition in JSON cannot be read: {error}",))]
    return [spec for spec in operators if not entry_name or spec.kernel_name == entry_name][:1]
