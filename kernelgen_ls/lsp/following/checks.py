"""Diagnostics: when a document is checked, what is shown of it, and when that is withdrawn.

A check runs on open, on save, after a pause in typing and when a file changed outside the editor. A newer one replaces
the older; an answer for a version that is no longer the current one is dropped. An edit withdraws the findings of the
lines it touches at once, and all of them when no check on idle will confirm the rest. A failure of the checker itself
withdraws everything and is said as what it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs
from attrs import define, frozen
from lsprotocol import types

from kernelgen_ls.kernel.findings import Finding, Location, Position, Range
from kernelgen_ls.lsp.session import convert
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.scope import Role, role
from kernelgen_ls.lsp.session.status import CheckerPart, CheckerState
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, Outcome, SourceFile
from kernelgen_ls.settings import Settings
from kernelgen_ls.work.combined import combined
from kernelgen_ls.work.severities import with_severities
from kernelgen_ls.workspace.sources import Sources, gather

if TYPE_CHECKING:
    from kernelgen_ls.lsp.session.session import Session
    from kernelgen_ls.runner.client.client import RunnerClient
    from kernelgen_ls.runner.client.fleet import JobRunner

logger = logging.getLogger(__name__)

CHANGED_OUTSIDE_DELAY = 0.2
"""Seconds to wait after a file changed outside the editor: a checkout changes many at once."""


@frozen
class Shown:
    """What the client shows of a document: the findings, the version they are for, where other files' paths start."""

    document: Document
    sources: Sources
    findings: tuple[Finding, ...]


@define
class _State:
    """One open document."""

    task: asyncio.Task[object] | None = None
    shown: Shown | None = None
    checked: Document | None = None


class Checks:
    """Checks the open documents and publishes what was found."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._states: dict[str, _State] = {}
        self._client: RunnerClient | None = None
        self.on_result: list[Callable[[Document, CheckResult], None]] = []
        """Who else wants to know of a finished check of an open document."""
        session.on_settings(self._settings_changed)

    def opened(self, document: Document) -> None:
        """Check a document that was opened."""
        self._states[document.uri] = _State()
        if self._session.settings.check.enabled:
            self._schedule(document.uri, 0.0)

    def saved(self, document: Document) -> None:
        """Check a document that was saved."""
        check = self._session.settings.check
        if check.enabled and check.on_save:
            self._schedule(document.uri, 0.0)

    def changed(self, before: Document, document: Document) -> None:
        """Withdraw what an edit made untrue; check again after a pause."""
        state = self._states.get(document.uri)
        if state is None:
            return
        check = self._session.settings.check
        idle = check.enabled and check.on_idle
        if state.task is not None:
            state.task.cancel()
            state.task = None
        if state.shown is not None and state.shown.findings:
            kept = surviving(state.shown.findings, before, document) if idle else ()
            if len(kept) != len(state.shown.findings):
                self._publish(document, state.shown.sources, kept)
            else:
                state.shown = attrs.evolve(state.shown, document=document, findings=kept)
        if idle:
            self._schedule(document.uri, check.idle_delay / 1000)

    def closed(self, document: Document) -> None:
        """Forget a document and clear what was shown of it."""
        state = self._states.pop(document.uri, None)
        if state is None:
            return
        if state.task is not None:
            state.task.cancel()
        if state.shown is not None:
            self._send(document.uri, None, [])

    def changed_outside(self) -> None:
        """Files changed outside the editor: check every open document again, one after another."""
        if self._session.settings.check.enabled:
            for uri in list(self._states):
                self._schedule(uri, CHANGED_OUTSIDE_DELAY)

    def shown(self, document: Document) -> Shown | None:
        """What is shown of this version of a document; None when nothing of it is."""
        state = self._states.get(document.uri)
        if state is None or state.shown is None or state.shown.document.version != document.version:
            return None
        return state.shown

    async def check_now(self, document: Document) -> CheckResult | None:
        """Check one version at once, whatever the settings say; None for a document that is not a kernel's."""
        state = self._states.get(document.uri)
        if state is None or role(document) not in (Role.KERNEL, Role.HOST):
            return None
        if state.task is not None:
            state.task.cancel()
            state.task = None
        return await self._check(document)

    async def check_tree(self, entry: str, files: tuple[SourceFile, ...]) -> CheckResult:
        """Check a tree of files that need not be open (a candidate of a generation)."""
        client = await self._runner()
        return await client.run(CheckRequest(entry=entry, files=files, chip=self._session.settings.check.chip))

    async def restart(self) -> None:
        """Start the local checker anew and check everything again."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()
        self.changed_outside()

    async def close(self) -> None:
        """End the local checker."""
        for state in self._states.values():
            if state.task is not None:
                state.task.cancel()
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _schedule(self, uri: str, delay: float) -> None:
        state = self._states[uri]
        if state.task is not None:
            state.task.cancel()
        state.task = self._session.spawn(self._check_later(uri, delay), f"check of {uri}")

    async def _check_later(self, uri: str, delay: float) -> None:
        if delay:
            await asyncio.sleep(delay)
        document = self._session.documents.get(uri)
        if document is None:
            return
        if role(document) in (Role.KERNEL, Role.HOST) and (
            role(document) is Role.KERNEL or self._session.settings.check.host_files
        ):
            await self._check(document)
        else:
            self._withdraw(document)

    async def _check(self, document: Document) -> CheckResult:
        sources = await asyncio.to_thread(gather, document, list(self._session.documents), self._session.root_of)
        result = await self._ask(document, sources)
        if result.outcome is Outcome.CANCELLED or not self._session.documents.current(document):
            return result
        if not result.outcome.is_verdict:
            self._withdraw(document)
            said = result.message or "the checker failed"
            self._session.say(f"{document.path.name} was not checked: {said}", once=True)
        else:
            self._publish(document, sources, self._wanted(result.findings))
            result = await self._ask_remote(document, sources, result)
        for listener in self.on_result:
            listener(document, result)
        return result

    async def _ask_remote(self, document: Document, sources: Sources, embedded: CheckResult) -> CheckResult:
        """The real compiler's answer in the place of the embedded checker's, where a runner is configured for it."""
        client = self._session.remote.named(self._session.settings.runners.check)
        if client is None:
            return embedded
        result = await self._ask_client(client, document, sources)
        if not result.outcome.is_verdict:
            logger.warning("the runner did not check %s: %s", document.path.name, result.message)
            return embedded
        result = combined(embedded, result)
        if self._session.documents.current(document):
            self._publish(document, sources, self._wanted(result.findings))
        return result

    async def _ask(self, document: Document, sources: Sources) -> CheckResult:
        client = await self._runner()
        self._session.status.update(checker=CheckerPart(CheckerState.BUSY))
        failed = ""
        try:
            result = await self._ask_client(client, document, sources)
            failed = result.message if result.outcome is Outcome.INFRA_ERROR else ""
            return result
        finally:
            state = CheckerState.FAILED if failed else CheckerState.READY
            self._session.status.update(checker=CheckerPart(state, failed))

    async def _ask_client(self, client: JobRunner, document: Document, sources: Sources) -> CheckResult:
        results = [
            await client.run(
                CheckRequest(
                    entry=check.entry,
                    files=sources.files(check),
                    chip=self._session.settings.check.chip,
                    document=document.uri if check is sources.checks[0] else "",
                    version=document.version,
                )
            )
            for check in sources.checks
        ]
        return merged(results)

    async def _runner(self) -> RunnerClient:
        if self._client is None:
            from kernelgen_ls.runner.client.client import local_runner

            self._client = local_runner()
        return self._client

    def _wanted(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return with_severities(findings, self._session.settings.check.lints)

    def _withdraw(self, document: Document) -> None:
        state = self._states.get(document.uri)
        if state is not None and state.shown is not None:
            state.shown = None
            self._send(document.uri, document.version, [])

    def _publish(self, document: Document, sources: Sources, findings: tuple[Finding, ...]) -> None:
        state = self._states.get(document.uri)
        if state is None:
            return
        own = tuple(finding for finding in findings if finding.location.path == sources.entry)
        state.shown = Shown(document, sources, own)
        view = convert.View(self._session.client, self._session.documents, sources, document)
        self._send(document.uri, document.version, [view.diagnostic(finding) for finding in own])

    def _send(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        self._session.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=version)
        )

    def _settings_changed(self, old: Settings, new: Settings) -> None:
        if old.check == new.check:
            return
        for uri, state in self._states.items():
            if new.check.enabled:
                self._schedule(uri, 0.0)
                continue
            if state.task is not None:
                state.task.cancel()
                state.task = None
            document = self._session.documents.get(uri)
            if document is not None:
                self._withdraw(document)
        if not new.check.enabled:
            self._session.status.update(checker=CheckerPart(CheckerState.OFF))


def merged(results: list[CheckResult]) -> CheckResult:
    """The results of a header's checks through several sources as one: the worst outcome, each finding once."""
    worst = max(results, key=lambda result: _WORST.index(result.outcome) if result.outcome in _WORST else 0)
    findings = dict.fromkeys(finding for result in results for finding in result.findings)
    return attrs.evolve(worst, findings=tuple(findings), covered=any(result.covered for result in results))


_WORST = (Outcome.PASSED, Outcome.COMPILE_ERROR, Outcome.TIMEOUT, Outcome.INFRA_ERROR, Outcome.CANCELLED)


def surviving(findings: tuple[Finding, ...], before: Document, after: Document) -> tuple[Finding, ...]:
    """The findings that an edit from ``before`` to ``after`` left alone, moved with their lines."""
    old, new = before.text, after.text
    start = _common_prefix(old, new)
    tail = _common_prefix(old[start:][::-1], new[start:][::-1])
    first, last = before.position(start).line, before.position(len(old) - tail).line
    moved = after.position(len(new) - tail).line - last
    kept = []
    for finding in findings:
        span = finding.location.range
        if span.end.line < first:
            kept.append(finding)
        elif span.start.line > last:
            kept.append(_moved(finding, moved))
    return tuple(kept)


def _moved(finding: Finding, lines: int) -> Finding:
    if not lines:
        return finding
    path, span = finding.location.path, finding.location.range

    def move(position: Position) -> Position:
        return Position(position.line + lines, position.column)

    # Fixes and related places would have to move too; the next check brings them back.
    return attrs.evolve(finding, location=Location(path, Range(move(span.start), move(span.end))), related=(), fixes=())


def _common_prefix(left: str, right: str) -> int:
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
