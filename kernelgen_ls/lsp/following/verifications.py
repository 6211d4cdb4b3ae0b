"""What runs of open documents' kernels on their cases came to: asked for, or after a save where the user wants it.

A verdict is that of the texts that were run. It is shown, on the entry function and as findings at their lines, until
any text of the operator differs; then it is withdrawn whole.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen
from lsprotocol import types

from kernelgen_ls.kernel.findings import FoundBy, Position, Severity
from kernelgen_ls.lsp.following.checks import Checks
from kernelgen_ls.lsp.following.published import Published
from kernelgen_ls.lsp.following.remote_runners import RemoteRunners
from kernelgen_ls.lsp.session import convert
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.entries import entries, entry_at
from kernelgen_ls.lsp.session.operators import operator_of_document
from kernelgen_ls.lsp.session.ports import Background, OpenDocuments, SettingsInForce, ShowsLenses
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees
from kernelgen_ls.runner.jobs.messages import CheckResult, Outcome, StageReport, VerifyResult
from kernelgen_ls.settings import Settings, TwinOnSave

if TYPE_CHECKING:
    from kernelgen_ls.work.readings import Entry
    from kernelgen_ls.work.running import Subject

logger = logging.getLogger(__name__)

Tell = Callable[[StageReport], None]


@frozen
class Verified:
    """A verdict on an entry function with what it holds for: the hash of all texts, and where they lie.

    ``wrong`` is how wrong outputs are shown, None where they are not wrong.
    """

    document: Document
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
        trees: SyntaxTrees,
        checks: Checks,
        remote: RemoteRunners,
        published: Published,
    ) -> None:
        self._settings = settings
        self._documents = documents
        self._tasks = tasks
        self._editor = editor
        self._trees = trees
        self._checks = checks
        self._remote = remote
        self._published = published
        self._known: dict[tuple[str, str], Verified] = {}
        """By the document's URI and the entry function's name."""
        self._saved: dict[str, int] = {}
        """Versions that were saved and are run once they are found clean."""
        self._quiet: dict[str, asyncio.Task[object]] = {}
        """What runs after a document's save."""
        checks.on_result.append(self._checked)
        settings.on_change(self._settings_changed)

    @property
    def runner(self) -> str:
        """The name of the runner that verifies, of the settings that hold now."""
        from kernelgen_ls.work.running import verifier

        return verifier(self._settings.now.runners)

    def entries(self, document: Document) -> tuple[Entry, ...]:
        """The entry functions of a document."""
        return entries(self._trees, document)

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
        if not document.on_disk:
            return "Save the document first: its cases are looked for beside it."
        entry = entry_at(self._trees, document, position)
        if entry is None:
            return "Put the cursor into an entry function to run it."
        from kernelgen_ls.runner.client.fleet import TWIN
        from kernelgen_ls.work.running import NotRunnableError
        from kernelgen_ls.workspace.tree import TreeTooLargeError

        try:
            what = await asyncio.to_thread(self._subject, document, entry.name)
        except (NotRunnableError, TreeTooLargeError) as error:
            return str(error)
        own, where = asyncio.current_task(), "this CPU" if self.runner == TWIN else self.runner
        title = f"Running {entry.name} on {where}"
        async with self._editor.work_done(title, token=token, on_cancel=own.cancel if own else None) as shown:

            def tell(report: StageReport) -> None:
                ahead = f", {report.ahead} before it" if report.ahead else ""
                shown.report(f"{report.stage.value}{ahead} {report.detail}".strip())

            result = await self._verify(document, entry, what, tell)
        if result is None:
            return f"There is no runner '{self.runner}' in kernelgen.runners.pool."
        return entry.name, result

    async def write_cases(self, document: Document, position: Position | None) -> Path | str:
        """Write the cases that are made for the entry function at ``position`` as a file: its place, or why not."""
        entry = entry_at(self._trees, document, position) if document.on_disk else None
        if entry is None:
            return "Put the cursor into an entry function of a file to write its cases."
        from kernelgen_ls.work.running import NotRunnableError, write_cases
        from kernelgen_ls.workspace.tree import TreeTooLargeError

        try:
            what = await asyncio.to_thread(self._subject, document, entry.name)
            return await asyncio.to_thread(write_cases, what)
        except (NotRunnableError, TreeTooLargeError, OSError) as error:
            return str(error)

    def saved(self, document: Document) -> None:
        """A document was saved: run what it belongs to after its check, where the user asked for that."""
        self._stop(document.uri)
        check = self._settings.now.check
        if self._settings.now.twin.on_save is not TwinOnSave.FINDINGS:
            return
        self._saved[document.uri] = document.version
        if not (check.enabled and check.on_save):
            self._tasks.spawn(self._checks.check_now(document), f"check of {document.path.name}")

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
        self._saved.pop(uri, None)
        running = self._quiet.pop(uri, None)
        if running is not None:
            running.cancel()

    def _subject(self, document: Document, kernel: str) -> Subject:
        """What is run. Raises NotRunnableError and TreeTooLargeError."""
        from kernelgen_ls.work.chip import chosen_chip
        from kernelgen_ls.work.running import subject

        operator = operator_of_document(document, list(self._documents), self._editor.client.roots)
        chip = chosen_chip(operator, self._settings.now.check.chip).chip
        return subject(operator, kernel, chip=chip, runner=self.runner)

    async def _verify(self, document: Document, entry: Entry, what: Subject, tell: Tell | None) -> VerifyResult | None:
        """The verdict, shown where it still holds when it comes; None without a runner of that name."""
        from kernelgen_ls.work.chip import chosen_chip
        from kernelgen_ls.work.running import verify

        client = self._remote.named(self.runner)
        if client is None:
            return None
        chip = chosen_chip(what.operator, self._settings.now.check.chip).chip.soc
        # Two entry functions of a document are two things to run: neither supersedes the other.
        label = f"{document.uri}#{entry.name}"
        request = what.verify_request(chip, document=label, version=document.version)
        result = await verify(client, what, request, tell, await self._checks.runner())
        if result.outcome is not Outcome.CANCELLED and await self._holds(document, entry.name, what.hash):
            self._show(document, entry, what, result)
        return result

    async def _holds(self, document: Document, kernel: str, known: str) -> bool:
        """Whether the texts are still those with the hash ``known``."""
        from kernelgen_ls.work.running import NotRunnableError
        from kernelgen_ls.workspace.tree import TreeTooLargeError

        current = self._documents.get(document.uri)
        if current is None:
            return False
        try:
            now = await asyncio.to_thread(self._subject, current, kernel)
        except (NotRunnableError, TreeTooLargeError):
            return False
        return now.hash == known and self._documents.current(current)

    def _show(self, document: Document, entry: Entry, what: Subject, result: VerifyResult) -> None:
        """Keep a verdict, and show what was found at its lines; what compilers mend stays with the verdict."""
        from kernelgen_ls.report.verification import wrong_outputs

        key = (document.uri, entry.name)
        files = what.operator.files
        view = convert.View(self._editor.client, self._documents, what.operator, document)
        found = [one.with_paths(lambda path: files.path(what.place(path))) for one in result.findings]
        wrong = wrong_outputs(result, what.operator.entry, entry.range)
        shown = view.diagnostic(wrong) if wrong is not None else None
        self._known[key] = Verified(document, result, what.hash, what.places, shown)
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
            held = await self._holds(known.document, key[1], known.hash)
            if not held and self._known.get(key) is known:
                self._withdraw(key)

    def _refresh(self) -> None:
        self._tasks.spawn(self._editor.refresh_lenses(), "refresh of the lenses")

    def _checked(self, document: Document, result: CheckResult) -> None:
        if self._saved.get(document.uri) != document.version:
            return
        del self._saved[document.uri]
        if result.outcome is Outcome.PASSED:
            self._quiet[document.uri] = self._tasks.spawn(
                self._run_quietly(document), f"run of {document.path.name} after its save"
            )

    async def _run_quietly(self, saved: Document) -> None:
        """Run every entry function of the open documents that a saved one belongs to."""
        from kernelgen_ls.work.running import NotRunnableError
        from kernelgen_ls.workspace.tree import TreeTooLargeError

        for document in list(self._documents):
            for entry in self.entries(document):
                try:
                    what = await asyncio.to_thread(self._subject, document, entry.name)
                except (NotRunnableError, TreeTooLargeError) as error:
                    logger.info("%s was not run after the save: %s", entry.name, error)
                    continue
                if saved.path in what.places:
                    await self._verify(document, entry, what, None)

    def _settings_changed(self, old: Settings, new: Settings) -> None:
        if old.check.chip != new.check.chip or old.runners != new.runners:
            for key in list(self._known):
                self._withdraw(key)


def _lender(key: tuple[str, str]) -> str:
    """Whose findings these are among those of all that look into a file."""
    return f"{key[0]}#{key[1]}"
