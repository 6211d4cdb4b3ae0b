"""Findings on what an operator's files say of each other (``kernel.agreement``)."""

from __future__ import annotations

from kernelgen_ls.kernel.agreement import Disagreement, host_disagreements, kernel_disagreements
from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Range
from kernelgen_ls.kernel.host import HostContext, read_host
from kernelgen_ls.kernel.program import Program
from kernelgen_ls.kernel.roles import says_host
from kernelgen_ls.runner.toolchains.source_tree import SourceTree

_CODE = "embedded/agreement"


def of_kernel(tree: SourceTree, program: Program, host: HostContext) -> list[Finding]:
    """Where a kernel breaks the rules of entry functions or contradicts its operator's host code."""
    return [_finding(tree, path, one) for path, one in kernel_disagreements(program, host)]


def of_host(tree: SourceTree, entry: str) -> list[Finding]:
    """Where a host file, or what it includes of the project, contradicts itself or the operator."""
    host = read_host({path: source.text for path, source in tree.files.items() if says_host(path, source.text)})
    return [
        _finding(tree, source.path, one)
        for source in tree.reachable(entry)
        for one in host_disagreements(source.text, host)
    ]


def _finding(tree: SourceTree, path: str, one: Disagreement) -> Finding:
    file = tree.files[path]
    where = Range(file.position_at(one.span.start), file.position_at(one.span.end))
    return Finding(Location(path, where), one.severity, one.message, FoundBy.EMBEDDED, _CODE)
