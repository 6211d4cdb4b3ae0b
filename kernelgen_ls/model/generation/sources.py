"""An operator's folder as texts: what its files say of it, as one specification and the files a generation must fit."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import basename, dirname

from attrs import evolve, frozen

from kernelgen_ls.kernel.cases.sheet import SHEET, CaseTable
from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.host import read_host
from kernelgen_ls.kernel.roles import HEADER_SUFFIXES, HOST_FOLDER, KERNEL_FOLDER, SOURCE_SUFFIXES
from kernelgen_ls.kernel.spec.sources import description_in, gather
from kernelgen_ls.kernel.spec.specification import Specification
from kernelgen_ls.kernel.spec.words import camel
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.model.generation.task import ProjectFiles

MODULE = "module.py"
"""Reference code in Python; the folder that it lies in has one of several names."""


@frozen
class OperatorSources:
    """What was read of one operator."""

    specification: Specification
    project: ProjectFiles


def read_operator(texts: Mapping[str, str], entry: str = "", position: Position | None = None) -> OperatorSources:
    """Read an operator from its files.

    ``texts`` maps POSIX paths, relative to the operator's folder, to contents: ``op_host``, ``op_kernel``,
    ``api_desc.md``, an msopgen JSON, ``test_cases.csv``, whichever are there. ``entry`` is the file that the request
    came from, ``position`` a place in it (the comment there counts); without it the only file of ``op_kernel`` is
    meant. An operator that nobody names has the name of its kernel's file.
    """
    kernel_path = entry if entry.endswith((*SOURCE_SUFFIXES, *HEADER_SUFFIXES)) else _only_kernel(texts)
    host = {path: text for path, text in texts.items() if dirname(path).split("/")[-1] == HOST_FOLDER}
    api_desc = description_in(texts)
    table = CaseTable.parse(_named(texts, SHEET))
    definitions = [text for path, text in texts.items() if path.endswith(".json") and '"op"' in text]
    kernel = texts.get(kernel_path, "")
    specification = gather(
        Source(kernel) if kernel else None,
        position,
        api_desc=api_desc,
        definition=definitions[0] if definitions else "",
        host=read_host(host) if host else None,
        module=_named(texts, MODULE),
    )
    if "dtypes" in specification.missing:
        specification = evolve(specification, dtypes=table.dtypes)
    if "name" in specification.missing and kernel_path:
        specification = evolve(specification, name=camel(basename(kernel_path).partition(".")[0]))
    name = specification.kernel_name
    project = ProjectFiles(
        api_desc=api_desc,
        kernel=kernel,
        kernel_path=kernel_path,
        tiling=host.get(f"op_host/{name}_tiling.h", ""),
        host=host.get(f"op_host/{name}.cpp", ""),
        cases=table,
        in_project=bool(host),
    )
    return OperatorSources(specification, project)


def _only_kernel(texts: Mapping[str, str]) -> str:
    kernels = [path for path in texts if dirname(path) == KERNEL_FOLDER and path.endswith(SOURCE_SUFFIXES)]
    return kernels[0] if len(kernels) == 1 else ""


def _named(texts: Mapping[str, str], name: str) -> str:
    """The text of the file of that name, the one nearest to the operator's folder."""
    found = sorted((path for path in texts if basename(path) == name), key=lambda path: path.count("/"))
    return texts[found[0]] if found else ""
