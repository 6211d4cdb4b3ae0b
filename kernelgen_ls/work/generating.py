"""Generating a kernel for an operator: what is asked for, with which model, judged by whom.

Editor and terminal differ in how they show the work and what they do with its result; the work itself is here.
"""

from __future__ import annotations

import posixpath
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from attrs import frozen

from kernelgen_ls.kernel.findings import Finding, Position
from kernelgen_ls.kernel.roles import HEADER_SUFFIXES, SOURCE_SUFFIXES
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.engine.protocol import Engine, EngineError
from kernelgen_ls.model.generation.candidate import Generation
from kernelgen_ls.model.generation.generator import Generator, OnProgress, Plan
from kernelgen_ls.model.generation.signatures import api_signatures
from kernelgen_ls.model.generation.sources import API_DESC, read_operator
from kernelgen_ls.model.generation.task import IncompleteSpecificationError, task_for
from kernelgen_ls.model.prompts.task import GeneratedFile, GenerationTask
from kernelgen_ls.model.store import NoModelError, generation_choice
from kernelgen_ls.runner.client.client import RunnerClient, local_runner
from kernelgen_ls.settings import GenerationMode, ModelSettings, Settings
from kernelgen_ls.work.chip import chosen_chip
from kernelgen_ls.work.judge import Judge
from kernelgen_ls.workspace.operators import Operator

__all__ = ["EngineError", "IncompleteSpecificationError", "generate", "generation_engine", "local_checker", "wanted"]


@frozen
class Wanted:
    """What is to be written, and the operator it is for."""

    task: GenerationTask
    operator: Operator


def wanted(
    operator: Operator,
    settings: Settings,
    position: Position | None = None,
    mode: GenerationMode | None = None,
    *,
    named: bool = True,
) -> Wanted:
    """What an operator's files ask for; ``position`` is a place in its entry file (the comment there counts).

    ``named`` tells that the entry file was asked for, not the operator's folder.

    Raises IncompleteSpecificationError for a specification that says too little, ValueError for an unknown chip.
    """
    texts, entry = specification_texts(operator, named=named)
    found = read_operator(texts, entry, position)
    chip = chosen_chip(operator, settings.check.chip).chip
    task = task_for(found.specification, chip, mode=mode or settings.generation.mode, project=found.project)
    return Wanted(task, operator)


def specification_texts(operator: Operator, *, named: bool = True) -> tuple[dict[str, str], str]:
    """An operator's texts with the specification where it is looked for, and the source that the request is about.

    A Markdown file that somebody names is the operator's description, whatever it is called.
    """
    texts, entry = operator.belonging(), operator.own_entry
    if not named:
        return texts, ""
    if entry.endswith((*SOURCE_SUFFIXES, *HEADER_SUFFIXES)):
        return texts, entry
    if entry.endswith(".md") and posixpath.basename(entry) != API_DESC and entry in texts:
        texts[API_DESC] = texts.pop(entry)
    return texts, ""


async def generate(
    engine: Engine, judge: Judge, what: Wanted, settings: Settings, on_progress: OnProgress, plan: Plan | None = None
) -> Generation:
    """Write, check and mend candidates. Raises EngineError."""
    generator = Generator(engine, settings.generation, lookup=api_signatures)
    return await generator.generate(what.task, judge, on_progress=on_progress, plan=plan)


async def mend(
    engine: Engine,
    judge: Judge,
    files: Sequence[GeneratedFile],
    findings: Sequence[Finding],
    kernel_path: str,
    title: str,
    settings: Settings,
    on_progress: OnProgress,
) -> Generation:
    """Mend what does not compile: ``findings`` of ``files``. Raises EngineError."""
    generator = Generator(engine, settings.generation, lookup=api_signatures)
    return await generator.fix(files, findings, judge, kernel_path=kernel_path, title=title, on_progress=on_progress)


@asynccontextmanager
async def generation_engine(settings: ModelSettings, worker: tuple[str, ...] | None = None) -> AsyncIterator[Engine]:
    """The generation model, loaded; an EngineError says what is missing. ``worker`` is another worker's command."""
    engine = LocalEngine(worker)
    try:
        await engine.start(generation_choice(settings))
        if engine.status.model is None:
            raise EngineError(engine.status.detail or "no model is loaded", "See `kernelgen-ls doctor`")
        yield engine
    except NoModelError as error:
        raise EngineError(str(error)) from error
    finally:
        await engine.close()


@asynccontextmanager
async def local_checker() -> AsyncIterator[RunnerClient]:
    """The embedded checker in a process of its own."""
    runner = local_runner()
    try:
        yield runner
    finally:
        await runner.close()
