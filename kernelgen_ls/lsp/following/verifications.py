"""What runs of open documents' kernels on their cases came to: asked for, or after a save where the user wants it.

A verdict is that of the texts that were run. It is shown, on the entry function and as findings at their lines, until
any text of the operator differs; then it is withdrawn whole.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen
from lsprotocol import types

from kernelgen_ls.kernel.findings import FoundBy, Position, Severity
from kernelgen_ls.lsp.following.after_save import AfterSave
from kernelgen_ls.lsp.following.checks import Checks
from kernelgen_ls.lsp.following.published import Published
from kernelgen_ls.lsp.following.remote_runners import RemoteRunners
from kernelgen_ls.lsp.following.stages import Tell, told_stages
from kernelgen_ls.lsp.session import convert
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.entries import EntryFunctions, Runnable
from kernelgen_ls.lsp.session.ports import Background, OpenDocuments, SettingsInForce, ShowsLenses
from kernelgen_ls.runner.jobs.messages import CheckResult, Outcome, VerifyResult
from kernelgen_ls.settings import Settings, TwinOnSave

if TYPE_CHECKING:
    from kernelgen_ls.work.readings import Entry
    from kernelgen_ls.work.running import Subject

logger = logging.getLogger(__name__)


@frozen
class Verified:
    """A verdict on an entry function with what it holds for: the hash of all texts, and where they lie.

    ``wrong`` is how wrong outputs are shown, None where they are not wrong.
    """

    document: Document
    entry: Entry
    result: VerifyResult
    hash: str
    places: frozenset[Path]
    wrong: types.Diagnostic | None = None


class Verifications:
    """Runs kernels on their cases and shows what was found, as long as it holds."""

    def __init__(
        self,
        settings: SettingsInForce,
        documents: OpenDocuments,
        tasks: Background,
        editor: ShowsLenses,
        entries: EntryFunctions,
        checks: Checks,
        remote: RemoteRunners,
        published: Published,
    ) -> None:
        self.entries = entries
        self._settings = settings
        self._documents = documents
        self._tasks = tasks
        self._editor = editor
        self._checks = checks
        self._remote = remote
        self._published = published
        self._known: dict[tuple[str, str], Verified] = {}
        """By the document's URI and the entry function's name."""
        self._after_save = AfterSave(settings, tasks, checks, self._saved)
        self._quiet: dict[str, asyncio.Task[object]] = {}
        """What runs after a document's save."""
        settings.on_change(self._settings_changed)

    @property
    def runner(self) -> str:
        """The name of the runner that verifies, of the settings that hold now."""
        from kernelgen_ls.work.running import verifier

        return verifier(self._settings.now.runners)

    def of(self, document: Document, kernel: str) -> VerifyResult | None:
        """The verdict on an entry function, where there is one that holds for the texts there are now."""
        known = self._known.get((document.uri, kernel))
        return known.result if known is not None else None

    def wrong_outputs(self, document: Document) -> tuple[types.Diagnostic, ...]:
        """What is shown of a document's wrong outputs, in the client's positions; none where no verdict holds now."""
        return tuple(one.wrong for one in self._known.values() if one.document.uri == document.uri and one.wrong)

    async def run(
        self, document: Document, position: Position | None, token: types.ProgressToken | None
    ) -> tuple[str, VerifyResult] | str:
        """Run the entry function at ``position`` on its cases: its name and verdict, or a line that says why not."""
        from kernelgen_ls.runner.client.fleet import TWIN

        what = await self.entries.chosen(document, position, "run it", self.runner)
        if isinstance(what, str):
            return what
        where = "this CPU" if self.runner == TWIN else self.runner
        async with told_stages(self._editor, f"Running {what.entry.name} on {where}", token) as tell:
            result = await self._verify(document, what, tell)
        if result is None:
            return f"There is no runner '{self.runner}' in kernelgen.runners.pool."
        return what.entry.name, result

    async def write_cases(self, document: Document, position: Position | None) -> Path | str:
        """Write the cases that are made for the entry function at ``position`` as a file: its place, or why not."""
        from kernelgen_ls.work.running import NotRunnableError, write_cases

        what = await self.entries.chosen(document, position, "write its cases", self.runner)
        if isinstance(what, str):
            return what
        try:
            return await asyncio.to_thread(write_cases, what.subject)
        except (NotRunnableError, OSError) as error:
            return str(error)

    def saved(self, document: Document) -> None:
        """A document was saved: run what it belongs to after its check, where the user asked for that."""
        self._stop(document.uri)
        if self._settings.now.twin.on_save is TwinOnSave.FINDINGS:
            self._after_save.wait(document)

    def changed(self, _: Document, document: Document) -> None:
        """A document was edited: no verdict on what it belongs to holds any more."""
        self._stop(document.uri)
        for key, known in list(self._known.items()):
            if document.path in known.places or key[0] == document.uri:
                self._withdraw(key)

    def changed_outside(self) -> None:
        """Files changed outside the editor: verdicts on other texts than there are now are withdrawn."""
        if self._known:
            self._tasks.spawn(self._withdraw_stale(), "look for verdicts that hold no longer")

    def closed(self, document: Document) -> None:
        """A document was closed."""
        self._stop(document.uri)
        for key in [key for key in self._known if key[0] == document.uri]:
            self._withdraw(key)

    def _stop(self, uri: str) -> None:
        self._after_save.forget(uri)
        running = self._quiet.pop(uri, None)
        if running is not None:
            running.cancel()

    async def _verify(self, document: Document, what: Runnable, tell: Tell | None) -> VerifyResult | None:
        """The verdict, shown where it still holds when it comes; None without a runner of that name."""
        from kernelgen_ls.work.running import verify

        client = self._remote.named(self.runner)
        if client is None:
            return None
        # Two entry functions of a document are two things to run: neither supersedes the other.
        label = f"{document.uri}#{what.entry.name}"
        request = what.subject.verify_request(what.chip, document=label, version=document.version)
        result = await verify(client, what.subject, request, tell, await self._checks.runner())
        if result.outcome is not Outcome.CANCELLED and await self._holds(document, what.entry, what.subject.hash):
            self._show(document, what.entry, what.subject, result)
        return result

    async def _holds(self, document: Document, entry: Entry, known: str) -> bool:
        """Whether the texts are still those with the hash ``known``."""
        from kernelgen_ls.work.running import NotRunnableError
        from kernelgen_ls.workspace.tree import TreeTooLargeError

        current = self._documents.get(document.uri)
        if current is None:
            return False
        try:
            now = await self.entries.runnable(current, entry, self.runner)
        except (NotRunnableError, TreeTooLargeError):
            return False
        return now.subject.hash == known and self._documents.current(current)

    def _show(self, document: Document, entry: Entry, what: Subject, result: VerifyResult) -> None:
        """Keep a verdict, and show what was found at its lines; what compilers mend stays with the verdict."""
        from kernelgen_ls.report.verification import wrong_outputs

        key = (document.uri, entry.name)
        files = what.operator.files
        view = convert.View(self._editor.client, self._documents, what.operator, document)
        found = [one.with_paths(lambda path: files.path(what.place(path))) for one in result.findings]
        wrong = wrong_outputs(result, what.operator.entry, entry.range)
        shown = view.diagnostic(wrong) if wrong is not None else None
        self._known[key] = Verified(document, entry, result, what.hash, what.places, shown)
        diagnostics: dict[str, list[types.Diagnostic]] = {}
        for one in (*([wrong] if wrong else []), *found):
            if one.source is FoundBy.TWIN and one.severity is not Severity.INFORMATION:
                diagnostics.setdefault(view.uri(one.location.path), []).append(view.diagnostic(one))
        self._published.lend(_lender(key), diagnostics)
        self._refresh()

    def _withdraw(self, key: tuple[str, str]) -> None:
        del self._known[key]
        self._published.lend(_lender(key), {})
        self._refresh()

    async def _withdraw_stale(self) -> None:
        for key, known in list(self._known.items()):
            held = await self._holds(known.document, known.entry, known.hash)
            if not held and self._known.get(key) is known:
                self._withdraw(key)

    def _refresh(self) -> None:
        self._tasks.spawn(self._editor.refresh_lenses(), "refresh of the lenses")

    def _saved(self, document: Document, _: CheckResult) -> None:
        self._quiet[document.uri] = self._tasks.spawn(
            self._run_quietly(document), f"run of {document.path.name} after its save"
        )

    async def _run_quietly(self, saved: Document) -> None:
        """Run every entry function of the open documents that a saved one belongs to."""
        from kernelgen_ls.work.running import NotRunnableError
        from kernelgen_ls.workspace.tree import TreeTooLargeError

        for document in list(self._documents):
            for entry in self.entries.of(document):
                try:
                    what = await self.entries.runnable(document, entry, self.runner)
                except (NotRunnableError, TreeTooLargeError) as error:
                    logger.info("%s was not run after the save: %s", entry.name, error)
                    continue
                if saved.path in what.subject.places:
                    await self._verify(document, what, None)

    def _settings_changed(self, old: Settings, new: Settings) -> None:
        if old.check.chip != new.check.chip or old.runners != new.runners:
            for key in list(self._known):
                self._withdraw(key)


def _lender(key: tuple[str, str]) -> str:
    """Whose findings these are among those of all that look into a file."""
    return f"{key[0]}#{key[1]}"
