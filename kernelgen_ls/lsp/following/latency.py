"""How long the kernels of open documents take: the last measurement, whether it still holds, a bound beside it.

A figure says what it is: measured, simulated, replayed, or an estimate. It is *stale* as soon as anything that was
compiled for it differs; it is never shown as the current text's.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.lsp.following.after_save import AfterSave
from kernelgen_ls.lsp.following.checks import Checks
from kernelgen_ls.lsp.following.remote_runners import RemoteRunners
from kernelgen_ls.lsp.following.stages import told_stages
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.entries import EntryFunctions
from kernelgen_ls.lsp.session.ports import Background, SettingsInForce, ShowsLenses
from kernelgen_ls.runner.jobs.messages import CheckResult, MeasureResult

if TYPE_CHECKING:
    from lsprotocol import types

    from kernelgen_ls.work.history import History
    from kernelgen_ls.work.readings import Entry, Reading

logger = logging.getLogger(__name__)


class Latencies:
    """Reads the history, asks runners, keeps what the lenses show."""

    def __init__(
        self,
        settings: SettingsInForce,
        tasks: Background,
        editor: ShowsLenses,
        entries: EntryFunctions,
        checks: Checks,
        remote: RemoteRunners,
    ) -> None:
        self.entries = entries
        self._settings = settings
        self._tasks = tasks
        self._editor = editor
        self._remote = remote
        self._readings: dict[tuple[str, int], tuple[Reading, ...]] = {}
        self._after_save = AfterSave(settings, tasks, checks, self._saved)

    async def readings(self, document: Document) -> tuple[Reading, ...]:
        """What is known of each entry function of this version; remembered until the next edit or measurement."""
        key = (document.uri, document.version)
        if key not in self._readings:
            entries = self.entries.of(document)
            found = await asyncio.to_thread(self._read, document, entries) if entries else ()
            self.forget(document.uri)
            self._readings[key] = found
        return self._readings[key]

    def closed(self, document: Document) -> None:
        """A document was closed."""
        self.forget(document.uri)
        self._after_save.forget(document.uri)

    def forget(self, uri: str) -> None:
        """A document was edited or measured: what was read of its entry functions no longer holds."""
        for key in [key for key in self._readings if key[0] == uri]:
            del self._readings[key]

    def saved(self, document: Document) -> None:
        """A document was saved: measure it after its check, where the user asked for that."""
        runners = self._settings.now.runners
        if runners.measure_on_save and runners.measure and self.entries.of(document):
            self._after_save.wait(document)

    async def measure(
        self, document: Document, position: Position | None, token: types.ProgressToken | None
    ) -> MeasureResult | str:
        """Measure the entry function at ``position`` on the configured runner; a line that says why it cannot be."""
        name = self._settings.now.runners.measure
        client = self._remote.named(name)
        if client is None:
            return f"There is no runner '{name}' in kernelgen.runners.pool."
        from kernelgen_ls.work.running import measure

        what = await self.entries.chosen(document, position, "measure it")
        if isinstance(what, str):
            return what
        request = what.subject.measure_request(what.chip, fresh=True, document=document.uri, version=document.version)
        async with told_stages(self._editor, f"Measuring {what.entry.name} on {name}", token) as tell:
            result, _ = await measure(client, name, what.subject, request, self._history(), tell)
        if result.latency is not None:
            self.forget(document.uri)
            self._refresh()
        return result

    def _read(self, document: Document, entries: tuple[Entry, ...]) -> tuple[Reading, ...]:
        from kernelgen_ls.work.readings import readings

        return readings(self.entries.operator(document), entries, self._history(), self._settings.now.check.chip)

    def _history(self) -> History:
        from kernelgen_ls.work.history import History

        return History(keep=self._settings.now.latency.history)

    def _refresh(self) -> None:
        self._tasks.spawn(self._editor.refresh_lenses(), "refresh of the lenses")

    def _saved(self, document: Document, result: CheckResult) -> None:
        if result.covered:
            self._tasks.spawn(self._measure_all(document), f"measurement of {document.path.name}")

    async def _measure_all(self, document: Document) -> None:
        """Measure every entry function of a saved document that has cases and whose figure is not this text's."""
        for reading in await self.readings(document):
            if reading.measured is not None and not reading.stale:
                continue
            found = await self.measure(document, reading.entry.range.start, None)
            if isinstance(found, str):
                logger.info("%s was not measured after the save: %s", reading.entry.name, found)
