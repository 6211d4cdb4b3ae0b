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
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import attrs
from attrs import define, frozen
from lsprotocol import types

from kernelgen_ls.kernel.findings import Finding, Location, Position, Range
from kernelgen_ls.kernel.roles import HEADER_SUFFIXES, Role
from kernelgen_ls.lsp.following.published import Published, line_moves
from kernelgen_ls.lsp.following.remote_runners import RemoteRunners
from kernelgen_ls.lsp.session import convert
from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.operators import operator_of_document
from kernelgen_ls.lsp.session.ports import Background, Board, OpenDocuments, Publishes, SettingsInForce
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.lsp.session.status import CheckerPart, CheckerState
from kernelgen_ls.runner.jobs.messages import CheckResult, Outcome
from kernelgen_ls.settings import Settings

if TYPE_CHECKING:
    from kernelgen_ls.runner.client.client import RunnerClient
    from kernelgen_ls.work.checking import Check
    from kernelgen_ls.workspace.operators import Operator

logger = logging.getLogger(__name__)

CHANGED_OUTSIDE_DELAY = 0.2
"""Seconds to wait after a file changed outside the editor: a checkout changes many at once."""


@frozen
class Shown:
    """What the client shows of a document: the findings, the version they are for, the operator they are of."""

    document: Document
    operator: Operator
    findings: tuple[Finding, ...]

    def view(self, client: Client, documents: OpenDocuments) -> convert.View:
        """How the client sees it."""
        return convert.View(client, documents, self.operator, self.document)


@define
class _State:
    """One open document."""

    task: asyncio.Task[object] | None = None
    shown: Shown | None = None
    checked: Document | None = None


class Checks:
    """Checks the open documents and publishes what was found."""

    def __init__(
        self,
        settings: SettingsInForce,
        documents: OpenDocuments,
        tasks: Background,
        board: Board,
        editor: Publishes,
        remote: RemoteRunners,
        published: Published,
    ) -> None:
        self._settings = settings
        self._documents = documents
        self._tasks = tasks
        self._board = board
        self._editor = editor
        self._published = published
        self._remote = remote
        self._states: dict[str, _State] = {}
        self._client: RunnerClient | None = None
        self.on_result: list[Callable[[Document, CheckResult], None]] = []
        """Who else wants to know of a finished check of an open document."""
        settings.on_change(self._settings_changed)

    def opened(self, document: Document) -> None:
        """Check a document that was opened."""
        self._states[document.uri] = _State()
        if self._settings.now.check.enabled:
            self._schedule(document.uri, 0.0)

    def saved(self, document: Document) -> None:
        """Check a document that was saved."""
        check = self._settings.now.check
        if check.enabled and check.on_save:
            self._schedule(document.uri, 0.0)

    def changed(self, before: Document, document: Document) -> None:
        """Withdraw what an edit made untrue; check again after a pause."""
        state = self._states.get(document.uri)
        if state is None:
            return
        check = self._settings.now.check
        idle = check.enabled and check.on_idle
        if state.task is not None:
            state.task.cancel()
            state.task = None
        self._published.edited(before, document)
        if not idle:
            self._published.lend(document.uri, {})
        if state.shown is not None and state.shown.findings:
            kept = surviving(state.shown.findings, before, document) if idle else ()
            if len(kept) != len(state.shown.findings):
                self._show(document, state.shown.operator, kept)
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
        self._published.lend(document.uri, {})
        if state.shown is not None:
            self._published.withdraw(document.uri)

    def changed_outside(self) -> None:
        """Files changed outside the editor: check every open document again, one after another."""
        if self._settings.now.check.enabled:
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

    async def runner(self) -> RunnerClient:
        """The embedded checker, started with its first request."""
        if self._client is None:
            from kernelgen_ls.runner.client.client import local_runner

            self._client = local_runner()
        return self._client

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
        state.task = self._tasks.spawn(self._check_later(uri, delay), f"check of {uri}")

    async def _check_later(self, uri: str, delay: float) -> None:
        if delay:
            await asyncio.sleep(delay)
        document = self._documents.get(uri)
        if document is None:
            return
        if role(document) in (Role.KERNEL, Role.HOST) and (
            role(document) is Role.KERNEL or self._settings.now.check.host_files
        ):
            await self._check(document)
        else:
            self._withdraw(document)

    async def _check(self, document: Document) -> CheckResult:
        from kernelgen_ls.work.checking import Check

        roots = self._editor.client.roots
        operator = await asyncio.to_thread(operator_of_document, document, list(self._documents), roots)
        check = Check.whole(operator, document.uri, document.version)
        result = await self._ask(check, foremost=True)
        if result.more and result.outcome.is_verdict and self._documents.current(document):
            self._publish(document, check, result.findings)
            result = await self._ask(check)
        if result.outcome is Outcome.CANCELLED or not self._documents.current(document):
            return result
        if not result.outcome.is_verdict:
            self._withdraw(document)
            said = result.message or "the checker failed"
            self._editor.say(f"{document.path.name} was not checked: {said}", once=True)
        else:
            self._publish(document, check, result.findings)
            result = await self._ask_remote(document, check, result)
        for listener in self.on_result:
            listener(document, result)
        return result

    async def _ask_remote(self, document: Document, check: Check, embedded: CheckResult) -> CheckResult:
        """The real compiler's answer in the place of the embedded checker's, where a runner is configured for it."""
        from kernelgen_ls.work.checking import check_compiled

        settings = self._settings.now
        client = self._remote.named(settings.runners.check)
        if client is None:
            return embedded
        result = await check_compiled(client, check, settings.check, embedded)
        if not result.outcome.is_verdict:
            logger.warning("the runner did not check %s: %s", document.path.name, result.message)
            return embedded
        if self._documents.current(document):
            self._publish(document, check, result.findings)
        return result

    async def _ask(self, check: Check, *, foremost: bool = False) -> CheckResult:
        from kernelgen_ls.work.checking import check_embedded

        client = await self.runner()
        self._board.update(checker=CheckerPart(CheckerState.BUSY))
        part = CheckerPart(CheckerState.READY)
        try:
            result = await check_embedded(client, check, self._settings.now.check, foremost=foremost)
            if result.outcome is Outcome.INFRA_ERROR and result.message:
                part = CheckerPart(CheckerState.FAILED, result.message)
            elif result.outcome.is_verdict:
                part = CheckerPart(CheckerState.READY, _said_of(check, result, self._settings.now.check.chip))
            return result
        finally:
            self._board.update(checker=part)

    def _withdraw(self, document: Document) -> None:
        state = self._states.get(document.uri)
        if state is not None and state.shown is not None:
            state.shown = None
            self._published.lend(document.uri, {})
            self._published.withdraw(document.uri)

    def _publish(self, document: Document, check: Check, findings: tuple[Finding, ...]) -> None:
        """Show what a check found in the document, and what a source's found in the headers that it includes."""
        operator = check.operator
        view = convert.View(self._editor.client, self._documents, operator, document)
        self._published.supersede(document.uri, [view.uri(part.entry) for part in check.parts])
        self._show(document, operator, tuple(one for one in findings if one.location.path == operator.entry))
        self._published.lend(document.uri, self._lent(view, findings))

    def _lent(self, view: convert.View, findings: tuple[Finding, ...]) -> dict[str, list[types.Diagnostic]]:
        """What a source's check found in other files, by URI; nothing of a file that was edited meanwhile."""
        lent: dict[str, list[types.Diagnostic]] = {}
        entry = view.operator.entry
        if entry.endswith(HEADER_SUFFIXES):
            return lent
        for finding in findings:
            path = finding.location.path
            opened = self._documents.at(view.operator.files.place(path))
            if path != entry and (opened is None or opened.text == view.operator.files.text(path)):
                lent.setdefault(view.uri(path), []).append(view.lent(finding))
        return lent

    def _show(self, document: Document, operator: Operator, findings: tuple[Finding, ...]) -> None:
        state = self._states.get(document.uri)
        if state is None:
            return
        state.shown = Shown(document, operator, findings)
        view = state.shown.view(self._editor.client, self._documents)
        self._published.show(document, [view.diagnostic(finding) for finding in findings])

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
            document = self._documents.get(uri)
            if document is not None:
                self._withdraw(document)
        if not new.check.enabled:
            self._board.update(checker=CheckerPart(CheckerState.OFF))


def _said_of(check: Check, result: CheckResult, chip: str) -> str:
    """For which chip a file was checked, and how much of it where not all."""
    from kernelgen_ls.work.chip import chosen_chip

    because = "" if chip else f" ({chosen_chip(check.operator).because})"
    said = f"{PurePosixPath(check.operator.entry).name}: for {result.toolchain.soc}{because}"
    if not result.coverage.is_whole:
        said += f", {result.coverage.looked_at:,} of {result.coverage.lines:,} lines looked at"
    return said


def surviving(findings: tuple[Finding, ...], before: Document, after: Document) -> tuple[Finding, ...]:
    """The findings that an edit from ``before`` to ``after`` left alone, moved with their lines."""
    touched, moved = line_moves(before, after)
    kept = []
    for finding in findings:
        span = finding.location.range
        if span.end.line < touched.start:
            kept.append(finding)
        elif span.start.line >= touched.stop:
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
