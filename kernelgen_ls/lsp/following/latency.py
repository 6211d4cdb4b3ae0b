"""How long the kernels of open documents take: the last measurement, whether it still holds, a bound beside it.

A figure says what it is: measured, simulated, replayed, or an estimate. It is *stale* as soon as anything that was
compiled for it differs; it is never shown as the current text's.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from attrs import frozen

from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.scope import Role, role
from kernelgen_ls.lsp.transport.progress import work_done
from kernelgen_ls.runner.jobs.messages import (
    CheckResult,
    MeasureRequest,
    MeasureResult,
    Outcome,
    SourceFile,
    StageReport,
)
from kernelgen_ls.workspace.sources import gather, operator_texts

if TYPE_CHECKING:
    from lsprotocol import types

    from kernelgen_ls.lsp.session.session import Session
    from kernelgen_ls.work.estimate import Estimate
    from kernelgen_ls.work.history import KernelKey, Measured

logger = logging.getLogger(__name__)


@frozen
class Entry:
    """An entry function of a document: ``name`` and where the name stands."""

    name: str
    range: Range


@frozen
class Reading:
    """What is known of one entry function: the latest measurement and the one before, whether it is stale, a bound."""

    entry: Entry
    measured: Measured | None = None
    before: Measured | None = None
    stale: bool = False
    estimate: Estimate | None = None
    path: str = ""
    """The document's path in its operator."""
    no_estimate: str = ""
    """Why there is no bound, where that is the chip's doing and no shape's."""


@frozen
class Tree:
    """An operator's files as a runner gets them: ``root`` on this machine, ``path`` the document's inside it."""

    root: str
    path: str
    files: tuple[SourceFile, ...]

    @property
    def hash(self) -> str:
        """A hash of everything that is sent, as ``kernelgen-ls measure`` makes it too."""
        from kernelgen_ls.work.history import tree_hash

        return tree_hash([(file.path, file.text or "") for file in self.files])


class Latencies:
    """Reads the history, asks runners, keeps what the lenses show."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._readings: dict[tuple[str, int], tuple[Reading, ...]] = {}
        self._saved: dict[str, int] = {}
        """Versions that were saved and are measured once they are found clean."""
        session.checks.on_result.append(self._checked)

    def entries(self, document: Document) -> tuple[Entry, ...]:
        """The entry functions of a document."""
        if role(document) is not Role.KERNEL or not document.on_disk:
            return ()
        source = self._session.trees.of(document)
        return tuple(Entry(one.name, source.range(one.name_span)) for one in source.structure.entries)

    def entry_at(self, document: Document, position: Position | None) -> Entry | None:
        """The entry function that holds ``position``, else the only one."""
        source = self._session.trees.of(document)
        functions = source.structure.entries
        if position is not None:
            offset = source.offset(position)
            for one in functions:
                if one.span.start <= offset <= one.span.end:
                    return Entry(one.name, source.range(one.name_span))
        if len(functions) != 1:
            return None
        return Entry(functions[0].name, source.range(functions[0].name_span))

    async def readings(self, document: Document) -> tuple[Reading, ...]:
        """What is known of each entry function of this version; remembered until the next edit or measurement."""
        key = (document.uri, document.version)
        if key not in self._readings:
            entries = self.entries(document)
            found = await asyncio.to_thread(self._read, document, entries) if entries else ()
            self.forget(document.uri)
            self._readings[key] = found
        return self._readings[key]

    def closed(self, uri: str) -> None:
        """A document was closed."""
        self.forget(uri)
        self._saved.pop(uri, None)

    def forget(self, uri: str) -> None:
        """A document was edited or measured: what was read of its entry functions no longer holds."""
        for key in [key for key in self._readings if key[0] == uri]:
            del self._readings[key]

    def saved(self, document: Document) -> None:
        """A document was saved: measure it after its check, where the user asked for that."""
        runners, check = self._session.settings.runners, self._session.settings.check
        if not (runners.measure_on_save and runners.measure and self.entries(document)):
            return
        self._saved[document.uri] = document.version
        if not (check.enabled and check.on_save):
            self._session.spawn(self._session.checks.check_now(document), f"check of {document.path.name}")

    async def measure(
        self, document: Document, position: Position | None, token: types.ProgressToken | None
    ) -> MeasureResult | str:
        """Measure the entry function at ``position`` on the configured runner; a line that says why it cannot be."""
        session = self._session
        name = session.settings.runners.measure
        if not name:
            return "No runner measures: set kernelgen.runners.pool and kernelgen.runners.measure (docs/runner.md)."
        if not document.on_disk:
            return "Save the document first: its cases are looked for beside it."
        entry = self.entry_at(document, position)
        if entry is None:
            return "Put the cursor into an entry function to measure it."
        client = session.remote.named(name)
        if client is None:
            return f"There is no runner '{name}' in kernelgen.runners.pool."
        from kernelgen_ls.workspace.collect import TreeTooLargeError, find_cases

        try:
            tree = await asyncio.to_thread(self.tree, document)
        except TreeTooLargeError as error:
            return str(error)
        cases = find_cases(tree.files, entry.name)
        if cases is None:
            return (
                f"There are no cases for {entry.name}: write {entry.name}_cases.py beside it (docs/runner.md says how)."
            )
        request = MeasureRequest(
            tree.path,
            tree.files,
            session.settings.check.chip,
            entry.name,
            cases,
            document=document.uri,
            version=document.version,
            fresh=True,
        )
        own = asyncio.current_task()
        async with work_done(
            session.server.protocol,
            f"Measuring {entry.name} on {name}",
            supported=session.client.progress,
            token=token,
            on_cancel=own.cancel if own else None,
        ) as shown:

            def tell(report: StageReport) -> None:
                ahead = f", {report.ahead} before it" if report.ahead else ""
                shown.report(f"{report.stage.value}{ahead} {report.detail}".strip())

            result = await client.run(request, tell)
        if result.latency is not None:
            await asyncio.to_thread(self._keep, tree, entry.name, name, result)
            self.forget(document.uri)
            self._refresh()
        return result

    def tree(self, document: Document) -> Tree:
        """The operator's files with the editor's text in place of the disk's; reads the disk."""
        from kernelgen_ls.workspace.collect import collect, project_root

        root = project_root(document.path)
        files = {file.path: file for file in collect(root)}
        for opened in self._session.documents:
            if opened.path.is_relative_to(root):
                path = opened.path.relative_to(root).as_posix()
                if path in files or opened.uri == document.uri:
                    files[path] = SourceFile(path, opened.text)
        path = document.path.relative_to(root).as_posix()
        files[path] = SourceFile(path, document.text)
        return Tree(str(root), path, tuple(files[name] for name in sorted(files)))

    def _read(self, document: Document, entries: tuple[Entry, ...]) -> tuple[Reading, ...]:
        from kernelgen_ls.kernel.chips import find_chip
        from kernelgen_ls.work.estimate import Estimate, NoEstimate, estimate_measured, estimate_operator
        from kernelgen_ls.work.history import KernelKey, before
        from kernelgen_ls.workspace.collect import project_root

        history = self._history()
        root = project_root(document.path)
        path = document.path.relative_to(root).as_posix()
        known = {one.name: history.entries(KernelKey(str(root), path, one.name)) for one in entries}
        now = self._hash(document) if any(known.values()) else ""
        sources = gather(document, list(self._session.documents), self._session.root_of)
        texts = operator_texts(sources)
        own = sources.entry.removeprefix(sources.operator_prefix)
        chip = find_chip(self._session.settings.check.chip)
        found = []
        for entry in entries:
            measured = known[entry.name]
            latest = measured[-1] if measured else None
            # Beside a figure the bound is that of its own case; without one, what the specification says.
            bound = estimate_measured(latest.latency) if latest is not None else None
            if bound is None and chip is not None:
                bound = estimate_operator(texts, own, entry.name, chip)
            found.append(
                Reading(
                    entry,
                    latest,
                    before(measured),
                    stale=latest is not None and latest.text_hash != now,
                    estimate=bound if isinstance(bound, Estimate) else None,
                    path=path,
                    no_estimate=bound.reason if isinstance(bound, NoEstimate) and bound.of_chip else "",
                )
            )
        return tuple(found)

    def _hash(self, document: Document) -> str:
        """The hash of what a measurement of this version would send; empty where that cannot be said."""
        from kernelgen_ls.workspace.collect import TreeTooLargeError

        try:
            return self.tree(document).hash
        except TreeTooLargeError as error:
            logger.info("whether measurements of %s still hold is not known: %s", document.path, error)
            return ""

    def _keep(self, tree: Tree, kernel: str, runner: str, result: MeasureResult) -> None:
        from kernelgen_ls.work.history import Measured

        if result.latency is not None:
            self._history().append(self._key(tree, kernel), Measured(tree.hash, runner, result.latency))

    def _key(self, tree: Tree, kernel: str) -> KernelKey:
        from kernelgen_ls.work.history import KernelKey

        return KernelKey(tree.root, tree.path, kernel)

    def _history(self) -> Any:
        from kernelgen_ls.work.history import History

        return History(keep=self._session.settings.latency.history)

    def _refresh(self) -> None:
        if self._session.client.pulls_lens_refresh:
            self._session.spawn(self._session.server.workspace_code_lens_refresh_async(None), "refresh of the lenses")

    def _checked(self, document: Document, result: CheckResult) -> None:
        if self._saved.get(document.uri) != document.version:
            return
        del self._saved[document.uri]
        if result.outcome is Outcome.PASSED and result.covered:
            self._session.spawn(self._measure_all(document), f"measurement of {document.path.name}")

    async def _measure_all(self, document: Document) -> None:
        """Measure every entry function of a saved document that has cases and whose figure is not this text's."""
        for reading in await self.readings(document):
            if reading.measured is not None and not reading.stale:
                continue
            found = await self.measure(document, reading.entry.range.start, None)
            if isinstance(found, str):
                logger.info("%s was not measured after the save: %s", reading.entry.name, found)


def age(seconds: float) -> str:
    """How long ago, in words."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        count = int(seconds // size)
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def without_latency(result: MeasureResult) -> dict[str, Any]:
    """What a failed measurement's command answers."""
    return {"reason": result.message or f"not measured: {result.outcome.value}", "outcome": result.outcome.value}


def changed_since(reading: Reading) -> float | None:
    """The share by which the latest measurement differs from the one before."""
    from kernelgen_ls.work.history import change

    if reading.measured is None or reading.before is None:
        return None
    return change(reading.measured.latency, reading.before.latency)


def summary(reading: Reading) -> str:
    """One line: the figure with what it is; empty when nothing is known."""
    if reading.measured is not None:
        latency = reading.measured.latency
        changed = changed_since(reading)
        difference = f" ({100 * changed:+.0f} %)" if changed is not None else ""
        kind = "" if latency.kind.value == "measured" else f" {latency.kind.value}"
        return f"{latency.median_us:.1f} us{difference}{kind}{', stale' if reading.stale else ''}"
    if reading.estimate is not None:
        return f"estimate: at least {reading.estimate.us:.1f} us"
    return ""
