"""How long the kernels of open documents take: the last measurement, whether it still holds, a bound beside it.

A figure says what it is: measured, simulated, replayed, or an estimate. It is *stale* as soon as anything that was
compiled for it differs; it is never shown as the current text's.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.lsp.following.checks import Checks
from kernelgen_ls.lsp.following.remote_runners import RemoteRunners
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.entries import entries, entry_at
from kernelgen_ls.lsp.session.operators import operator_of_document
from kernelgen_ls.lsp.session.ports import Background, OpenDocuments, SettingsInForce, ShowsLenses
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees
from kernelgen_ls.runner.jobs.messages import CheckResult, MeasureResult, Outcome, StageReport

if TYPE_CHECKING:
    from lsprotocol import types

    from kernelgen_ls.work.history import History
    from kernelgen_ls.work.readings import Entry, Reading
    from kernelgen_ls.work.running import Subject
    from kernelgen_ls.workspace.operators import Operator

logger = logging.getLogger(__name__)


class Latencies:
    """Reads the history, asks runners, keeps what the lenses show."""

    def __init__(
        self,
        settings: SettingsInForce,
        documents: OpenDocuments,
        tasks: Background,
        editor: ShowsLenses,
        trees: SyntaxTrees,
        checks: Checks,
        remote: RemoteRunners,
    ) -> None:
        self._settings = settings
        self._documents = documents
        self._tasks = tasks
        self._editor = editor
        self._trees = trees
        self._checks = checks
        self._remote = remote
        self._readings: dict[tuple[str, int], tuple[Reading, ...]] = {}
        self._saved: dict[str, int] = {}
        """Versions that were saved and are measured once they are found clean."""
        checks.on_result.append(self._checked)

    def entries(self, document: Document) -> tuple[Entry, ...]:
        """The entry functions of a document."""
        return entries(self._trees, document)

    def entry_at(self, document: Document, position: Position | None) -> Entry | None:
        """The entry function that holds ``position``, else the only one."""
        return entry_at(self._trees, document, position)

    async def readings(self, document: Document) -> tuple[Reading, ...]:
        """What is known of each entry function of this version; remembered until the next edit or measurement."""
        key = (document.uri, document.version)
        if key not in self._readings:
            entries = self.entries(document)
            found = await asyncio.to_thread(self._read, document, entries) if entries else ()
            self.forget(document.uri)
            self._readings[key] = found
        return self._readings[key]

    def closed(self, document: Document) -> None:
        """A document was closed."""
        self.forget(document.uri)
        self._saved.pop(document.uri, None)

    def forget(self, uri: str) -> None:
        """A document was edited or measured: what was read of its entry functions no longer holds."""
        for key in [key for key in self._readings if key[0] == uri]:
            del self._readings[key]

    def saved(self, document: Document) -> None:
        """A document was saved: measure it after its check, where the user asked for that."""
        runners, check = self._settings.now.runners, self._settings.now.check
        if not (runners.measure_on_save and runners.measure and self.entries(document)):
            return
        self._saved[document.uri] = document.version
        if not (check.enabled and check.on_save):
            self._tasks.spawn(self._checks.check_now(document), f"check of {document.path.name}")

    async def measure(
        self, document: Document, position: Position | None, token: types.ProgressToken | None
    ) -> MeasureResult | str:
        """Measure the entry function at ``position`` on the configured runner; a line that says why it cannot be."""
        name = self._settings.now.runners.measure
        if not name:
            return "No runner measures: set kernelgen.runners.pool and kernelgen.runners.measure (docs/runner.md)."
        if not document.on_disk:
            return "Save the document first: its cases are looked for beside it."
        entry = self.entry_at(document, position)
        if entry is None:
            return "Put the cursor into an entry function to measure it."
        client = self._remote.named(name)
        if client is None:
            return f"There is no runner '{name}' in kernelgen.runners.pool."
        from kernelgen_ls.work.running import NotRunnableError, measure
        from kernelgen_ls.workspace.tree import TreeTooLargeError

        try:
            what, chip = await asyncio.to_thread(self._subject, document, entry.name)
        except (NotRunnableError, TreeTooLargeError) as error:
            return str(error)
        request = what.measure_request(chip, fresh=True, document=document.uri, version=document.version)
        own = asyncio.current_task()
        title = f"Measuring {entry.name} on {name}"
        async with self._editor.work_done(title, token=token, on_cancel=own.cancel if own else None) as shown:

            def tell(report: StageReport) -> None:
                ahead = f", {report.ahead} before it" if report.ahead else ""
                shown.report(f"{report.stage.value}{ahead} {report.detail}".strip())

            result, _ = await measure(client, name, what, request, self._history(), tell)
        if result.latency is not None:
            self.forget(document.uri)
            self._refresh()
        return result

    def _operator(self, document: Document) -> Operator:
        return operator_of_document(document, list(self._documents), self._editor.client.roots)

    def _subject(self, document: Document, kernel: str) -> tuple[Subject, str]:
        """What is measured, and the chip that it is for."""
        from kernelgen_ls.work.chip import chosen_chip
        from kernelgen_ls.work.running import subject

        operator = self._operator(document)
        chip = chosen_chip(operator, self._settings.now.check.chip).chip
        return subject(operator, kernel, chip=chip), chip.soc

    def _read(self, document: Document, entries: tuple[Entry, ...]) -> tuple[Reading, ...]:
        from kernelgen_ls.work.readings import readings

        return readings(self._operator(document), entries, self._history(), self._settings.now.check.chip)

    def _history(self) -> History:
        from kernelgen_ls.work.history import History

        return History(keep=self._settings.now.latency.history)

    def _refresh(self) -> None:
        self._tasks.spawn(self._editor.refresh_lenses(), "refresh of the lenses")

    def _checked(self, document: Document, result: CheckResult) -> None:
        if self._saved.get(document.uri) != document.version:
            return
        del self._saved[document.uri]
        if result.outcome is Outcome.PASSED and result.covered:
            self._tasks.spawn(self._measure_all(document), f"measurement of {document.path.name}")

    async def _measure_all(self, document: Document) -> None:
        """Measure every entry function of a saved document that has cases and whose figure is not this text's."""
        for reading in await self.readings(document):
            if reading.measured is not None and not reading.stale:
                continue
            found = await self.measure(document, reading.entry.range.start, None)
            if isinstance(found, str):
                logger.info("%s was not measured after the save: %s", reading.entry.name, found)
