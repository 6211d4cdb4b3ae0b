"""The runners that the user's settings name: made when first needed, their state in the status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelgen_ls.lsp.session.ports import Background, Board, Says, SettingsInForce
from kernelgen_ls.lsp.session.status import RunnerPart
from kernelgen_ls.settings import Settings

if TYPE_CHECKING:
    from kernelgen_ls.runner.client.client import RunnerStatus
    from kernelgen_ls.runner.client.fleet import Fleet, JobRunner


class RemoteRunners:
    """The fleet of the settings that hold now."""

    def __init__(self, settings: SettingsInForce, tasks: Background, board: Board, editor: Says) -> None:
        self._settings = settings
        self._tasks = tasks
        self._board = board
        self._editor = editor
        self._fleet: Fleet | None = None
        settings.on_change(self._settings_changed)

    def named(self, name: str) -> JobRunner | None:
        """The runner of that name; None when no name is set, and, said once, when the settings know none."""
        if not name:
            return None
        if self._fleet is None:
            from kernelgen_ls.runner.client.fleet import Fleet

            fleet = Fleet(self._settings.now.runners, lambda status: self._on_status(fleet, status))
            self._fleet = fleet
        try:
            return self._fleet.named(name)
        except KeyError as error:
            self._editor.say(f"{str(error.args[0]).capitalize()} (kernelgen.runners.pool).")
            return None

    async def close(self) -> None:
        """End every connection."""
        fleet, self._fleet = self._fleet, None
        if fleet is not None:
            await fleet.close()

    def _on_status(self, fleet: Fleet, status: RunnerStatus) -> None:
        if fleet is not self._fleet:
            return
        reason = f"{status.reason}. {status.advice}" if status.reason and status.advice else status.reason
        parts = {part.name: part for part in self._board.status.runners}
        parts[status.name] = RunnerPart(status.name, status.state.value, reason)
        self._board.update(runners=tuple(parts.values()))

    def _settings_changed(self, old: Settings, new: Settings) -> None:
        if old.runners != new.runners and self._fleet is not None:
            self._board.update(runners=())
            self._tasks.spawn(self.close(), "end of the runners' connections after a change of settings")
