"""The embedded checker as training uses it: a kernel's findings, and pairs of a defect and its finding."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator

from attrs import define, field, frozen

from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.model.generation.by_rule import mended_by_rule
from kernelgen_ls.model.prompts.task import GeneratedFile
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain
from kernelgen_ls.training.corpus.defects import mutate
from kernelgen_ls.training.corpus.kernels import Kernel
from kernelgen_ls.training.documents import Pair, sample_kernel

logger = logging.getLogger(__name__)


@frozen
class Problem:
    """A finding reduced to what a repair needs: its zero-based line and its message."""

    line: int
    message: str


class CheckerFailedError(Exception):
    """The checker itself failed: nothing can be said about the kernel."""


@define
class Checker:
    """The embedded tool chain in this process."""

    toolchain: EmbeddedToolchain = field(factory=EmbeddedToolchain)

    def errors(self, kernel: Kernel, source: str | None = None) -> list[Problem]:
        """The errors in the kernel's own file, with ``source`` in place of its text if given, first ones first."""
        name = kernel.operator.name
        path = f"op_kernel/{name}.cpp"
        files = [SourceFile(path, kernel.source if source is None else source)]
        if kernel.dynamic:
            files.append(SourceFile(f"op_host/{name}_tiling.h", kernel.tiling_header))
            files.append(SourceFile(f"op_host/{name}.cpp", kernel.host))
        return self._errors(CheckRequest(path, tuple(files), DEFAULT_CHIP.soc))

    def errors_of_text(self, name: str, source: str) -> list[Problem]:
        """The errors in a kernel file that stands alone."""
        path = f"op_kernel/{name}.cpp"
        return self._errors(CheckRequest(path, (SourceFile(path, source),), DEFAULT_CHIP.soc))

    def mended_by_rule(self, name: str, source: str) -> str:
        """A kernel file after the mends that the product makes before it asks the model; itself where none is known."""
        path = f"op_kernel/{name}.cpp"
        request = CheckRequest(path, (SourceFile(path, source),), DEFAULT_CHIP.soc)
        found = self.toolchain.check(request).findings
        errors = [finding for finding in found if finding.severity is Severity.ERROR]
        return mended_by_rule((GeneratedFile(path, source),), errors)[0].text

    def _errors(self, request: CheckRequest) -> list[Problem]:
        result = self.toolchain.check(request)
        if not result.outcome.is_verdict:
            raise CheckerFailedError(f"The embedded checker failed on {request.entry}: {result.message}")
        return [_problem(finding) for finding in result.findings if finding.severity is Severity.ERROR]


def _problem(finding: Finding) -> Problem:
    return Problem(finding.location.range.start.line, finding.message)


def defect_pairs(rng: random.Random, checker: Checker, *, held_out: bool = False, kinds: int = 4) -> Iterator[Pair]:
    """Defects whose first error is on the defect's line or beside it, for ever; ``kinds`` a kernel."""
    while True:
        kernel = sample_kernel(rng, simple=rng.random() < 0.6, held_out=held_out)
        for _ in range(kinds):
            defect = mutate(rng, kernel.source)
            if defect is None:
                continue
            try:
                problems = checker.errors(kernel, defect.source)
            except CheckerFailedError as error:
                # A defect that the front end cannot read at all has no finding to learn from.
                logger.warning("left out (%s): %s\n%s", defect.kind, error, defect.source)
                continue
            if problems and abs(problems[0].line - defect.line) <= 1:
                yield (defect.kind, kernel.source, defect.source, problems[0].line, problems[0].message)
