"""The verdict on a candidate: its files in their place in the project, checked, then run where something can.

This stands between the rooms: generation knows no runner, and a runner knows no model.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from attrs import evolve, field, frozen

from kernelgen_ls.kernel.cases.case import MadeCases, NotMade
from kernelgen_ls.kernel.cases.written import cases_file
from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.entry_signature import entry_differences
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.roles import SOURCE_SUFFIXES
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.model.generation.candidate import CheckOutcome
from kernelgen_ls.model.prompts.task import GeneratedFile, GenerationTask
from kernelgen_ls.runner.client.fleet import JobRunner
from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome, VerifyRequest
from kernelgen_ls.settings import CheckSettings
from kernelgen_ls.work.checking import source_files
from kernelgen_ls.work.chip import chosen_chip
from kernelgen_ls.work.made_cases import made_cases
from kernelgen_ls.work.running import of_made, torch_here
from kernelgen_ls.work.severities import settled
from kernelgen_ls.work.verdicts import mismatches, not_executed, verdict
from kernelgen_ls.workspace.operators import Operator
from kernelgen_ls.workspace.tree import find_cases

logger = logging.getLogger(__name__)


@frozen
class _Run:
    """What is run of a candidate."""

    request: VerifyRequest
    above: str
    """What stands in the request's tree before the paths of the operator's own files."""
    made: MadeCases | None


@frozen
class Judge:
    """Judges candidates for one operator.

    ``own`` are the operator's files by path relative to its folder, whose place a candidate's files take, ``outer``
    what they include from outside, by path from the root under which the folder is ``prefix``. ``described`` are all of
    the folder's texts as they were: what specifies the operator, of which a candidate's own comments say nothing.
    ``verifier`` runs a kernel on its cases, made where nobody wrote any; without one nothing is said of whether the
    kernel is right. ``task`` is what was asked for, whose entry function a candidate has to have.
    """

    checker: JobRunner
    settings: CheckSettings
    own: dict[str, str]
    outer: dict[str, str]
    prefix: str = ""
    kernel_path: str = ""
    """The kernel's path, where it does not end like source code (a lone ``.h``)."""
    verifier: JobRunner | None = None
    described: Mapping[str, str] = field(factory=dict)
    task: GenerationTask | None = None

    @classmethod
    def of(
        cls,
        operator: Operator,
        checker: JobRunner,
        settings: CheckSettings,
        kernel_path: str = "",
        verifier: JobRunner | None = None,
        task: GenerationTask | None = None,
    ) -> Judge:
        """The judge of candidates for an operator of the disk."""
        described = operator.belonging()
        own = {path: text for path, text in described.items() if not path.endswith(".md")}
        settings = evolve(settings, chip=chosen_chip(operator, settings.chip).chip.soc)
        return cls(checker, settings, own, operator.outside(), operator.prefix, kernel_path, verifier, described, task)

    async def __call__(self, generated: tuple[GeneratedFile, ...]) -> CheckOutcome:
        """The findings on every source file of the candidate, and whether it computes what it should, where known.

        The first failure of the check ends it.
        """
        texts = {**self.own, **{file.path: file.text for file in generated}}
        tree = source_files({**{self.prefix + path: text for path, text in texts.items()}, **self.outer})
        findings: dict[Finding, None] = {}
        for file in generated:
            if file.path != self.kernel_path and not file.path.endswith(SOURCE_SUFFIXES):
                continue
            request = CheckRequest(entry=self.prefix + file.path, files=tree, chip=self.settings.chip)
            result = settled(await self.checker.run(request), self.settings.lints)
            if not result.outcome.is_verdict:
                return CheckOutcome(failed=result.message or f"the check ended with {result.outcome.value}")
            below = (one.with_paths(lambda path: path.removeprefix(self.prefix)) for one in result.findings)
            findings.update(dict.fromkeys(below))
        findings.update(dict.fromkeys(self._differences(generated)))
        if any(finding.severity is Severity.ERROR for finding in findings):
            return CheckOutcome(tuple(findings))
        return await self._executed(generated, texts, tuple(findings))

    def _differences(self, generated: tuple[GeneratedFile, ...]) -> tuple[Finding, ...]:
        """Where the kernel's entry function is not the one that was asked for."""
        task = self.task
        kernel = next((file for file in generated if task is not None and file.path == task.kernel_path), None)
        if task is None or kernel is None:
            return ()
        dtypes = {one.name: one.dtypes for one in (*task.inputs, *task.outputs)}
        outputs = [one.name for one in task.outputs]
        return entry_differences(kernel.path, kernel.text, task.kernel_template, outputs, dtypes)

    async def _executed(
        self, generated: tuple[GeneratedFile, ...], texts: dict[str, str], findings: tuple[Finding, ...]
    ) -> CheckOutcome:
        """The outcome for a candidate that compiles: what became of its kernel on its cases."""
        if self.verifier is None:
            return CheckOutcome(findings)
        # Reading a formula and making cases takes longer than an editor's keystroke may wait.
        run = await asyncio.to_thread(self._run, generated, texts)
        if isinstance(run, str):
            return CheckOutcome(findings, verdict=not_executed(run))
        result = of_made(await self.verifier.run(run.request), run.made)
        found = tuple(one.with_paths(lambda path: path.removeprefix(run.above)) for one in result.findings)
        if result.outcome is Outcome.COMPILE_ERROR:  # refused by the compiler there: it was not run
            return CheckOutcome(tuple(dict.fromkeys((*findings, *found))))
        if not result.outcome.is_verdict:
            logger.warning("a candidate was not run: %s", result.message)
        return CheckOutcome(
            findings,
            verdict=verdict(result),
            ran=found,
            mismatches=mismatches(result),
            formula=run.made.formula if run.made is not None else "",
        )

    def _run(self, generated: tuple[GeneratedFile, ...], texts: dict[str, str]) -> _Run | str:
        """What is run of a candidate; a line that says why nothing is."""
        entries = [(file.path, one.name) for file in generated for one in Source.parse(file.text).structure.entries]
        if len(entries) != 1:
            return f"there are {len(entries)} entry functions"
        (path, kernel) = entries[0]
        cases, made = find_cases(texts, kernel, torch=torch_here()), None
        if cases is None:
            # A candidate's own op_host has no say in the element types and defaults that it is run with.
            known, chip = {**self.described, path: texts[path]}, chip_named(self.settings.chip)
            found = made_cases(known, path, kernel, chip, self.described.get(path, ""))
            if isinstance(found, NotMade):
                return found.reason
            made, cases = found, f"{kernel}_cases.py"
            texts = {**texts, cases: cases_file(made)}
        above = self.prefix if self.outer else ""
        tree = source_files({**{above + name: text for name, text in texts.items()}, **self.outer})
        return _Run(VerifyRequest(above + path, tree, self.settings.chip, kernel, above + cases), above, made)
