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
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from attrs import define, field, frozen
from lsprotocol import types

from kernelgen_ls.kernel.findings import Finding, Position
from kernelgen_ls.lsp.edits.generated_edit import generated_edit
from kernelgen_ls.lsp.following.checks import Checks
from kernelgen_ls.lsp.following.generation_model import GenerationModel
from kernelgen_ls.lsp.following.generation_records import GenerationRecords
from kernelgen_ls.lsp.following.remote_runners import RemoteRunners
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.operators import operator_of_document
from kernelgen_ls.lsp.session.ports import AppliesEdits, Background, Board, OpenDocuments, SettingsInForce
from kernelgen_ls.lsp.session.status import GenerationPart
from kernelgen_ls.lsp.transport.progress import WorkDone

if TYPE_CHECKING:
    from kernelgen_ls.model.engine.protocol import Engine
    from kernelgen_ls.model.generation.candidate import Generation, Progress
    from kernelgen_ls.model.generation.generator import OnProgress
    from kernelgen_ls.model.prompts.task import GeneratedFile, GenerationTask
    from kernelgen_ls.work.judge import Judge
    from kernelgen_ls.workspace.operators import Operator

logger = logging.getLogger(__name__)

REASONING = "kernelgen/reasoning"
REPORT_SECONDS = 0.1
"""So often at most an editor is told of a generation's progress, unless its stage changes."""
INSERT, DISCARD = "Show the result all the same", "Discard"


@frozen
class Result:
    """What a command answers (see docs/protocol.md).

    ``verdict`` is what executing the kernel came to, in one word ("" where nobody was to), ``run`` the same for people;
    ``by_rule`` whether a rule wrote it.
    """

    applied: bool
    reason: str = ""
    title: str = ""
    errors: int = 0
    candidates: int = 0
    rounds: int = 0
    tokens: int = 0
    seconds: float = 0.0
    verdict: str = ""
    run: str = ""
    by_rule: bool = False


@define
class Reasoning:
    """What the model thought in the latest generation, so far."""

    title: str
    text: str = ""
    id: str = field(factory=lambda: uuid.uuid4().hex)


@frozen
class Target:
    """The document that a generation is for, with its operator."""

    document: Document
    operator: Operator
    texts: dict[str, str]
    """What was there when the request came, by path relative to the operator's folder."""


OpenEngine = Callable[[], Awaitable["Engine"]]
Work = Callable[[OpenEngine, "OnProgress"], Awaitable["Generation"]]


class Generating:
    """Runs generations for one session."""

    def __init__(
        self,
        settings: SettingsInForce,
        documents: OpenDocuments,
        tasks: Background,
        board: Board,
        editor: AppliesEdits,
        checks: Checks,
        remote: RemoteRunners,
        model: GenerationModel,
        records: GenerationRecords,
    ) -> None:
        self._settings = settings
        self._documents = documents
        self._tasks = tasks
        self._board = board
        self._editor = editor
        self._checks = checks
        self._remote = remote
        self._model = model
        self._records = records
        self._running: asyncio.Task[Any] | None = None
        self._told: tuple[float, Any] = (0.0, None)
        self._untold = ""
        self.reasoning: Reasoning | None = None

    async def generate(self, document: Document, position: Position, token: types.ProgressToken | None) -> Result:
        """Write the operator that is described at ``position``."""
        from kernelgen_ls.work.generating import IncompleteSpecificationError, wanted

        target = await self._target(document)
        try:
            what = await asyncio.to_thread(wanted, target.operator, self._settings.now, position)
        except (IncompleteSpecificationError, ValueError) as error:
            return Result(False, str(error))

        async def work(engine: OpenEngine, on_progress: OnProgress) -> Generation:
            from kernelgen_ls.work.generating import generate

            judge = await self._judge(target, what.task.kernel_path, what.task)
            return await generate(engine, judge, what, self._settings.now, on_progress)

        return await self._run(f"Generate kernel {what.task.operator}", target, work, token)

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
        entry, prefix = target.operator.own_entry, target.operator.prefix
        findings = [finding.with_paths(lambda path: path.removeprefix(prefix)) for finding in near]
        title = "Fix with KernelGen"

        async def work(engine: OpenEngine, on_progress: OnProgress) -> Generation:
            from kernelgen_ls.work.generating import mend

            judge = await self._judge(target, entry)
            files = [GeneratedFile(entry, document.text)]
            return await mend(await engine(), judge, files, findings, entry, title, self._settings.now, on_progress)

        return await self._run(title, target, work, token, mended=True)

    async def correct(self, document: Document, token: types.ProgressToken | None) -> Result:
        """Mend a kernel whose outputs are wrong: it is run first, so that the report is of the text as it is."""
        from kernelgen_ls.model.prompts.task import GeneratedFile

        target = await self._target(document)
        entry, title = target.operator.own_entry, "Fix wrong values with KernelGen"

        async def work(engine: OpenEngine, on_progress: OnProgress) -> Generation:
            from kernelgen_ls.work.generating import correct

            judge = await self._judge(target, entry)
            files = (GeneratedFile(entry, document.text),)
            return await correct(engine, judge, files, entry, title, self._settings.now, on_progress)

        return await self._run(title, target, work, token, mended=True)

    def cancel(self) -> bool:
        """End the running generation; whether there was one."""
        if self._running is None or self._running.done():
            return False
        return self._running.cancel()

    async def _target(self, document: Document) -> Target:
        roots = self._editor.client.roots

        def read() -> Target:
            operator = operator_of_document(document, list(self._documents), roots)
            return Target(document, operator, operator.belonging())

        return await asyncio.to_thread(read)

    async def _errors(self, document: Document) -> tuple[Finding, ...] | str:
        """The compile errors of this version; a line that says why they are not known."""
        shown = self._checks.shown(document)
        if shown is None:
            await self._checks.check_now(document)
            shown = self._checks.shown(document)
        if shown is None:
            return "The document could not be checked, so there is nothing to start a fix from."
        return tuple(one for one in shown.findings if one.is_compile_error)

    async def _judge(self, target: Target, kernel_path: str, task: GenerationTask | None = None) -> Judge:
        """Who says what a candidate is worth: the embedded checker, then a runner that runs it."""
        from kernelgen_ls.runner.client.fleet import TWIN
        from kernelgen_ls.work.judge import Judge

        settings, checker = self._settings.now, await self._checks.runner()
        verifier = self._remote.named(settings.runners.verify or TWIN)
        return await asyncio.to_thread(Judge.of, target.operator, checker, settings.check, kernel_path, verifier, task)

    async def _run(
        self, title: str, target: Target, work: Work, token: types.ProgressToken | None, *, mended: bool = False
    ) -> Result:
        if not self._settings.now.generation.enabled:
            return Result(False, "Generation is turned off (kernelgen.generation.enabled).", title)
        if self._running is not None and not self._running.done():
            return Result(False, "Another generation is running: wait for it, or cancel it.", title)
        self.reasoning, self._untold = Reasoning(title), ""
        task = self._tasks.spawn(self._generate(title, work, token), title)
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
        return await self._offer(title, target, found, mended=mended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tell_reasoning(done=True)
        self._board.update(generation=None)

    async def _generate(self, title: str, work: Work, token: types.ProgressToken | None) -> Generation | str:
        """What came of it, or a line that says why the model gave nothing."""
        from kernelgen_ls.model.engine.protocol import EngineError

        own = asyncio.current_task()
        assert own is not None
        self._board.update(generation=GenerationPart(title))
        async with self._editor.work_done(title, token=token, on_cancel=own.cancel) as shown:
            try:
                return await work(self._model.engine, lambda progress: self._tell(title, progress, shown))
            except EngineError as error:
                return str(error)

    def _tell(self, title: str, progress: Progress, shown: WorkDone) -> None:
        self._untold += progress.reasoning
        now, place = time.monotonic(), (progress.stage, progress.candidate, progress.round)
        if place == self._told[1] and now - self._told[0] < REPORT_SECONDS:
            return
        self._told = (now, place)
        self._board.update(
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
        asked = f" ({where}, {progress.tokens} tokens)" if progress.candidates else ""
        shown.report(f"{progress.stage.value}{asked}")
        if self._untold:
            self._tell_reasoning()

    def _tell_reasoning(self, *, done: bool = False) -> None:
        reasoning, text = self.reasoning, self._untold
        self._untold = ""
        if reasoning is None:
            return
        reasoning.text += text
        if self._editor.client.reasoning:
            payload = {"generation": reasoning.id, "title": reasoning.title, "text": text, "done": done}
            self._editor.notify(REASONING, payload)

    async def _offer(self, title: str, target: Target, found: Generation, *, mended: bool) -> Result:
        from kernelgen_ls.model.generation.candidate import Author
        from kernelgen_ls.work.written import with_verdicts

        best = found.best
        verdict = best.outcome.verdict if best else None
        result = Result(
            False,
            found.summary,
            title,
            errors=len(best.errors) if best else 0,
            candidates=len(found.candidates),
            rounds=found.rounds,
            tokens=found.tokens,
            seconds=round(found.seconds, 2),
            verdict=verdict.outcome.value if verdict else "",
            run=verdict.words if verdict else "",
            by_rule=best is not None and found.author is Author.RULE,
        )
        identifier = self._records.generated(found)
        if best is None or not best.whole:
            return result  # half a kernel is no kernel: the reason says so, the records keep it
        changed = await self._changed(target, best.files)
        if changed and (
            self._documents.get(target.document.uri) is None or not await self._still_wanted(found.offer, changed)
        ):
            self._records.discarded(identifier)
            return attrs.evolve(result, reason=f"{title}: the document changed meanwhile; nothing was inserted.")
        document = self._documents.get(target.document.uri) or target.document
        edit = await asyncio.to_thread(
            generated_edit,
            self._editor.client,
            self._documents,
            target.operator,
            document,
            with_verdicts(best.files, found.said, mended=mended),
            found.offer,
            found.said,
            doubtful=best.wrong or not best.clean,
        )
        if edit is None:
            return attrs.evolve(result, reason=f"{title}: the result is what is there already ({found.said}).")
        if not self._editor.client.applies_edits:
            return attrs.evolve(result, reason=f"{found.offer}; this editor takes no edits from a server.")
        answer = await self._editor.apply_edit(edit, found.offer)
        if answer.applied:
            self._records.applied(identifier, document.uri, target.operator.own_entry)
            if not self._editor.client.status:
                self._editor.say(found.summary, types.MessageType.Info, once=False)
            return attrs.evolve(result, applied=True, reason="")
        self._records.discarded(identifier)
        return attrs.evolve(result, reason=answer.failure_reason or f"{title}: not inserted.")

    async def _changed(self, target: Target, files: Sequence[GeneratedFile]) -> str:
        """The name of a file that the result would change and that was edited meanwhile; empty for none."""
        documents = self._documents
        if not documents.current(target.document):
            return target.document.path.name
        for file in files:
            operator = target.operator
            path = operator.files.place(operator.prefix + file.path)
            opened = documents.at(path)
            text = opened.text if opened is not None else await asyncio.to_thread(_text_on_disk, path)
            if file.path != operator.own_entry and text != target.texts.get(file.path):
                return path.name
        return ""

    async def _still_wanted(self, offer: str, name: str) -> bool:
        question = f"{offer}. {name} changed meanwhile: show it all the same?"
        return await self._editor.choose(question, (INSERT, DISCARD)) == INSERT


def _text_on_disk(path: Path) -> str | None:
    from kernelgen_ls.workspace.files import read_file

    read = read_file(path)
    return read.text if read is not None else None
