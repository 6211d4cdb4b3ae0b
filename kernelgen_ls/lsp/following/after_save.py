"""What the user wants done after a save: once the check of what was saved has found no error."""

from __future__ import annotations

from collections.abc import Callable

from kernelgen_ls.lsp.following.checks import Checks
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import Background, SettingsInForce
from kernelgen_ls.runner.jobs.messages import CheckResult, Outcome


class AfterSave:
    """Calls ``then`` with each version that :meth:`wait` was told of and whose check passed."""

    def __init__(
        self,
        settings: SettingsInForce,
        tasks: Background,
        checks: Checks,
        then: Callable[[Document, CheckResult], None],
    ) -> None:
        self._settings = settings
        self._tasks = tasks
        self._checks = checks
        self._then = then
        self._waiting: dict[str, int] = {}
        checks.on_result.append(self._checked)

    def wait(self, document: Document) -> None:
        """A document was saved: its check is asked for unless every save is checked anyway."""
        self._waiting[document.uri] = document.version
        check = self._settings.now.check
        if not (check.enabled and check.on_save):
            self._tasks.spawn(self._checks.check_now(document), f"check of {document.path.name}")

    def forget(self, uri: str) -> None:
        """A document was edited or closed: nothing is done for the version that was saved."""
        self._waiting.pop(uri, None)

    def _checked(self, document: Document, result: CheckResult) -> None:
        if self._waiting.get(document.uri) != document.version:
            return
        del self._waiting[document.uri]
        if result.outcome is Outcome.PASSED:
            self._then(document, result)
