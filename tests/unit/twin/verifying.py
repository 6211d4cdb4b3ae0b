"""Kernels through the twin, from texts to a verdict."""

from __future__ import annotations

import functools
from pathlib import Path

from kernelgen_ls.kernel.cases.case import MadeCases
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.roles import SOURCE_SUFFIXES
from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig
from kernelgen_ls.runner.jobs.messages import SourceFile, VerifyRequest, VerifyResult
from kernelgen_ls.runner.toolchains.twin.toolchain import TwinToolchain
from kernelgen_ls.work.running import subject
from kernelgen_ls.workspace.operators import operator_at

ROOT = Path(__file__).parents[3]
CHIP = "Ascend910B1"


@functools.cache
def twin() -> TwinToolchain:
    return TwinToolchain(RunnerConfig(budgets=Budgets(check=300.0, verify=300.0)))


def verify(files: dict[str, str], entry: str, kernel: str, cases: str, chip: str = CHIP) -> VerifyResult:
    """The verdict on ``kernel`` of ``entry`` among ``files`` on the cases of a cases file's text."""
    texts = {**files, "cases.py": "import numpy as np\n" + cases}
    sources = tuple(SourceFile(path, text) for path, text in texts.items())
    return twin().verify(VerifyRequest(entry, sources, chip, kernel, "cases.py"))


def verify_as_made(folder: Path, case: int | None = None) -> tuple[MadeCases, VerifyResult]:
    """The verdict on the one kernel of an operator's folder, on the cases that are made for it, or on one of them."""
    what = subject(operator_at(folder))
    assert what.made is not None
    return what.made, twin().verify(what.verify_request(CHIP, case=case))


def operator_files(folder: Path) -> dict[str, str]:
    """The sources of an operator's folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.suffix in (*SOURCE_SUFFIXES, ".h")
    }


def told(finding: Finding) -> str:
    """A finding in one line."""
    where = finding.location
    return f"{where.path}:{where.range.start.line + 1}: {finding.severity.value} {finding.code}: {finding.message}"


def serious(result: VerifyResult) -> list[str]:
    """The errors and warnings of a result."""
    return [told(one) for one in result.findings if one.severity in (Severity.ERROR, Severity.WARNING)]
