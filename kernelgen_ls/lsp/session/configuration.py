"""The settings in force: the user's file, the project's over it, and over both what the editor sends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kernelgen_ls.lsp.session.ports import HasSettings
from kernelgen_ls.rpc.waiting import within
from kernelgen_ls.settings import PREFIX, Problem, Settings, flatten, load, read

ANSWER_SECONDS = 10.0
"""How long an editor may take to tell its settings; the model's start waits for them."""


class Configuration:
    """Reads the layers whenever one of them changes, and tells who follows the settings."""

    def __init__(self, editor: HasSettings, log_level: str = "") -> None:
        """``log_level`` goes before the setting of that name."""
        self._editor = editor
        self._log_level = log_level
        self._listeners: list[Callable[[Settings, Settings], None]] = []
        self._initial: dict[str, Any] = {}
        self._told: dict[str, Any] = {}
        self._problems: tuple[Problem, ...] = ()
        self.now = Settings()

    def on_change(self, listener: Callable[[Settings, Settings], None]) -> None:
        """Call ``listener(old, new)`` whenever the settings change."""
        self._listeners.append(listener)

    def start(self, options: Any) -> None:
        """Read the settings with the ``initializationOptions`` over them; ``begin`` reports what could not be taken."""
        if isinstance(options, dict):
            self._initial = self._told = options
        settings, self._problems = self._read()
        self.apply(settings)

    async def begin(self) -> None:
        """The client may be spoken to: report what ``start`` found, ask for its settings and to be told of changes."""
        self._report(self._problems)
        await self.pull()
        await self._ask_to_be_told()

    async def told(self, settings: Any) -> None:
        """The client says that its settings changed; those that it sends along hold where it cannot be asked."""
        if self._editor.client.configuration:
            await self.pull()
            return
        if isinstance(settings, Mapping):
            self._told = dict(settings)
        self.reread()

    async def pull(self) -> None:
        """Ask the client for its settings and make them hold; without that ability only the files are read again."""
        if self._editor.client.configuration:
            try:
                answer = await within(ANSWER_SECONDS, self._editor.settings(PREFIX))
            except (JsonRpcException, asyncio.TimeoutError) as error:
                reason = str(error) or "no answer"
                self._editor.say(f"The editor gave no settings ({reason}); what it sent at the start holds.")
                answer = None
            if isinstance(answer, Mapping):
                self._told = {**flatten(self._initial), **flatten(answer)}
        self.reread()

    def reread(self) -> None:
        """Read all layers again, apply them, and report what could not be taken."""
        settings, problems = self._read()
        self.apply(settings)
        self._report(problems)

    def apply(self, settings: Settings) -> None:
        """Make new settings hold everywhere."""
        old, self.now = self.now, settings
        logging.getLogger("kernelgen_ls").setLevel((self._log_level or settings.log.level.value).upper())
        if old == settings:
            return
        for listener in self._listeners:
            listener(old, settings)

    def _read(self) -> tuple[Settings, tuple[Problem, ...]]:
        # An editor sends what is set in it, so that a default which was chosen there counts: the clients leave out the
        # rest.
        base, problems = load(self._editor.client.root)
        settings, more = read(self._told, base=base)
        return settings, problems + more

    def _report(self, problems: tuple[Problem, ...]) -> None:
        """One message for all problems, not one for each."""
        if problems:
            self._editor.say("KernelGen settings: " + " ".join(problem.message for problem in problems))

    async def _ask_to_be_told(self) -> None:
        """Ask the client to tell when its settings change, where it waits to be asked (VS Code does)."""
        if not self._editor.client.registers_configuration:
            return
        options = types.DidChangeConfigurationRegistrationOptions(section=PREFIX)
        try:
            await self._editor.register("kernelgen-configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)
        except JsonRpcException as error:
            self._editor.say(
                f"The editor does not tell of changed settings ({error}): restart the server after a change."
            )
