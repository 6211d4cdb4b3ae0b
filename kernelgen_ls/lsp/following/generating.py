"""Generate kernel, Fix with KernelGen: one at a time, followed by the status, ended at once by a cancel.

What comes of it is offered as an edit that the user confirms; a document that changed meanwhile is never touched
unasked.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from attrs import define, field, frozen
from lsprotocol import types

from kernelgen_ls.kernel.findings import Finding, FoundBy, Position, Severity
from kernelgen_ls.lsp.edits.generated_edit import generated_edit
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.status import GenerationPart
from kernelgen_ls.lsp.transport.progress import WorkDone, work_done
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, SourceFile
from kernelgen_ls.workspace.sources import Sources, gather, operator_texts, text_on_disk

if TYPE_CHECKING:
    from kernelgen_ls.lsp.session.session import Session
    from kernelgen_ls.model.generation.candidate import Generation, Progress
    from kernelgen_ls.model.generation.generator import Generator, OnProgress
    from kernelgen_ls.model.prompts.task import GeneratedFile

logger = logging.getLogger(__name__)

REASONING = "kernelgen/reasoning"
REPORT_SECONDS = 0.1
"""So often at most an editor is told of a generation's progress, unless its stage changes."""
INSERT, DISCARD = "Show the result all the same", "Discard"


@frozen
class Result:
    """What a command answers (see docs/protocol.md). ``reason`` is ready to be shown."""

    applied: bool
    reason: str = ""
    title: str = ""
    errors: int = 0
    candidates: int = 0
    rounds: int = 0
    tokens: int = 0
    seconds: float = 0.0


@define
class Reasoning:
    """What the model thought in the latest generation, so far."""

    title: str
    text: str = ""
    id: str = field(factory=lambda: uuid.uuid4().hex)


@frozen
class Target:
    """The document that a generation is for, with its operator; paths of ``texts`` are relative to the operator."""

    document: Document
    sources: Sources
    texts: dict[str, str]

    @property
    def entry(self) -> str:
        """The document's path in the operator's folder."""
        return self.sources.entry.removeprefix(self.sources.operator_prefix)


Work = Callable[["Generator", "OnProgress"], Awaitable["Generation"]]


class Generating:
    """Runs generations for one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._running: asyncio.Task[Any] | None = None
        self._told: tuple[float, Any] = (0.0, None)
        self._untold = ""
        self.reasoning: Reasoning | None = None

    async def generate(self, document: Document, position: Position, token: types.ProgressToken | None) -> Result:
        """Write the operator that is described at ``position``."""
        from kernelgen_ls.kernel.chips import chip_named
        from kernelgen_ls.model.generation.sources import read_operator
        from kernelgen_ls.model.generation.task import IncompleteSpecificationError, task_for

        target = await self._target(document)
        settings = self._session.settings
        try:
            operator = await asyncio.to_thread(read_operator, target.texts, target.entry, position)
            task = task_for(
                operator.specification,
                chip_named(settings.check.chip),
                mode=settings.generation.mode,
                project=operator.project,
            )
        except (IncompleteSpecificationError, ValueError) as error:
            return Result(False, str(error))

        async def work(generator: Generator, on_progress: OnProgress) -> Generation:
            return await generator.generate(task, self._check(target, task.kernel_path), on_progress=on_progress)

        return await self._run(f"Generate kernel {task.operator}", target, work, token)

    async def fix(self, document: Document, lines: tuple[int, int] | None, token: types.ProgressToken | None) -> Result:
        """Mend the errors of some lines (zero-based, inclusive), or of the whole document."""
        from kernelgen_ls.model.prompts.task import GeneratedFile

        target = await self._target(document)
        found = await self._errors(document)
        if isinstance(found, str):
            return Result(False, found)
        near = [one for one in found if lines is None or lines[0] <= one.location.range.start.line <= lines[1]]
        if not near:
            return Result(False, "There is no compile error here to be fixed.")
        prefix = target.sources.operator_prefix
        findings = [_below(finding, prefix) for finding in near]
        files = [GeneratedFile(target.entry, document.text)]
        title = "Fix with KernelGen"

        async def work(generator: Generator, on_progress: OnProgress) -> Generation:
            return await generator.fix(
                files,
                findings,
                self._check(target, target.entry),
                kernel_path=target.entry,
                title=title,
                on_progress=on_progress,
            )

        return await self._run(title, target, work, token)

    def cancel(self) -> bool:
        """End the running generation; whether there was one."""
        if self._running is None or self._running.done():
            return False
        return self._running.cancel()

    async def _target(self, document: Document) -> Target:
        sources = await asyncio.to_thread(gather, document, list(self._session.documents), self._session.root_of)
        return Target(document, sources, await asyncio.to_thread(operator_texts, sources))

    async def _errors(self, document: Document) -> tuple[Finding, ...] | str:
        """The compile errors of this version; a line that says why they are not known."""
        shown = self._session.checks.shown(document)
        if shown is None:
            await self._session.checks.check_now(document)
            shown = self._session.checks.shown(document)
        if shown is None:
            return "The document could not be checked, so there is nothing to start a fix from."
        return tuple(one for one in shown.findings if is_compile_error(one))

    def _check(self, target: Target, kernel_path: str) -> Any:
        """The checker for candidates: the operator's files below its folder, whatever they include from above it."""
        from kernelgen_ls.work.judge import CandidateCheck

        prefix = target.sources.operator_prefix
        outer = tuple(
            SourceFile(path, text)
            for path, text in target.sources.texts.items()
            if prefix and not path.startswith(prefix)
        )

        async def ask(request: CheckRequest) -> CheckResult:
            moved = tuple(attrs.evolve(file, path=prefix + file.path) for file in request.files)
            result = await self._session.checks.check_tree(prefix + request.entry, moved + outer)
            return attrs.evolve(result, findings=tuple(_below(one, prefix) for one in result.findings))

        own = tuple(SourceFile(path, text) for path, text in target.texts.items() if not path.endswith(".md"))
        return CandidateCheck(ask, self._session.settings.check.chip, own, kernel_path)

    async def _run(self, title: str, target: Target, work: Work, token: types.ProgressToken | None) -> Result:
        if not self._session.settings.generation.enabled:
            return Result(False, "Generation is turned off (kernelgen.generation.enabled).", title)
        if self._running is not None and not self._running.done():
            return Result(False, "Another generation is running: wait for it, or cancel it.", title)
        session = self._session
        self.reasoning, self._untold = Reasoning(title), ""
        task = session.spawn(self._generate(title, work, token), title)
        self._running = task
        task.add_done_callback(self._ended)
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()  # the request was cancelled: it is answered so, and the work ends with it
            raise
        if task.cancelled():
            return Result(False, f"{title}: cancelled.", title)
        found: Generation | str = task.result()
        if isinstance(found, str):
            return Result(False, f"{title}: {found}", title)
        return await self._offer(title, target, found)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tell_reasoning(done=True)
        self._session.status.update(generation=None)

    async def _generate(self, title: str, work: Work, token: types.ProgressToken | None) -> Generation | str:
        """What came of it, or a line that says why the model gave nothing."""
        from kernelgen_ls.model.engine.protocol import EngineError
        from kernelgen_ls.model.generation.generator import Generator
        from kernelgen_ls.model.generation.signatures import api_signatures

        session = self._session
        own = asyncio.current_task()
        assert own is not None
        session.status.update(generation=GenerationPart(title))
        async with work_done(
            session.server.protocol, title, supported=session.client.progress, token=token, on_cancel=own.cancel
        ) as shown:
            try:
                engine = await session.generation_model.engine()
                generator = Generator(engine, session.settings.generation, lookup=api_signatures)
                return await work(generator, lambda progress: self._tell(title, progress, shown))
            except EngineError as error:
                return str(error)

    def _tell(self, title: str, progress: Progress, shown: WorkDone) -> None:
        self._untold += progress.reasoning
        now, place = time.monotonic(), (progress.stage, progress.candidate, progress.round)
        if place == self._told[1] and now - self._told[0] < REPORT_SECONDS:
            return
        self._told = (now, place)
        self._session.status.update(
            generation=GenerationPart(
                title,
                progress.stage.value,
                progress.candidate,
                progress.candidates,
                progress.round,
                progress.tokens,
            )
        )
        where = f"candidate {progress.candidate} of {progress.candidates}"
        if progress.round:
            where += f", repair {progress.round}"
        shown.report(f"{progress.stage.value} ({where}, {progress.tokens} tokens)")
        if self._untold:
            self._tell_reasoning()

    def _tell_reasoning(self, *, done: bool = False) -> None:
        reasoning, text = self.reasoning, self._untold
        self._untold = ""
        if reasoning is None:
            return
        reasoning.text += text
        if self._session.client.reasoning:
            payload = {"generation": reasoning.id, "title": reasoning.title, "text": text, "done": done}
            self._session.notify(REASONING, payload)

    async def _offer(self, title: str, target: Target, found: Generation) -> Result:
        session, best = self._session, found.best
        result = Result(
            False,
            found.summary,
            title,
            errors=len(best.errors) if best else 0,
            candidates=len(found.candidates),
            rounds=found.rounds,
            tokens=found.tokens,
            seconds=round(found.seconds, 2),
        )
        identifier = session.records.generated(found)
        if best is None or not best.whole:
            return result  # half a kernel is no kernel: the reason says so, the records keep it
        changed = await self._changed(target, best.files)
        if changed and (
            session.documents.get(target.document.uri) is None or not await self._still_wanted(title, changed)
        ):
            session.records.discarded(identifier)
            return attrs.evolve(result, reason=f"{title}: the document changed meanwhile; nothing was inserted.")
        document = session.documents.get(target.document.uri) or target.document
        edit = await asyncio.to_thread(
            generated_edit,
            session.client,
            session.documents,
            target.sources,
            document,
            best.files,
            title,
            found.summary,
        )
        if edit is None:
            return attrs.evolve(result, reason=f"{title}: the result is what is there already.")
        if not session.client.applies_edits:
            return attrs.evolve(result, reason=f"{title}: this editor takes no edits from a server.")
        answer = await session.server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, title))
        if answer.applied:
            session.records.applied(identifier, document.uri, target.entry)
            if found.hint:
                session.say(found.summary, types.MessageType.Info, once=False)
            return attrs.evolve(result, applied=True, reason="")
        session.records.discarded(identifier)
        return attrs.evolve(result, reason=answer.failure_reason or f"{title}: not inserted.")

    async def _changed(self, target: Target, files: Sequence[GeneratedFile]) -> str:
        """The name of a file that the result would change and that was edited meanwhile; empty for none."""
        documents = self._session.documents
        if not documents.current(target.document):
            return target.document.path.name
        for file in files:
            path = target.sources.path(target.sources.operator_prefix + file.path)
            opened = documents.at(path)
            text = opened.text if opened is not None else await asyncio.to_thread(text_on_disk, path)
            if file.path != target.entry and text != target.texts.get(file.path):
                return path.name
        return ""

    async def _still_wanted(self, title: str, name: str) -> bool:
        chosen = await self._session.server.window_show_message_request_async(
            types.ShowMessageRequestParams(
                type=types.MessageType.Info,
                message=f"{title}: {name} changed while the model worked.",
                actions=[types.MessageActionItem(INSERT), types.MessageActionItem(DISCARD)],
            )
        )
        return chosen is not None and chosen.title == INSERT


def is_compile_error(finding: Finding) -> bool:
    """Whether a compiler refuses this place (a lint of error severity is no compile error)."""
    return finding.severity is Severity.ERROR and finding.source is not FoundBy.LINT


def _below(finding: Finding, prefix: str) -> Finding:
    """A finding with its path relative to the operator's folder."""
    location = finding.location
    if not prefix or not location.path.startswith(prefix):
        return finding
    return attrs.evolve(finding, location=attrs.evolve(location, path=location.path.removeprefix(prefix)))
