"""Records of generations, where the user asked for them: what was generated, and what was kept of it at the save."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import Board, Says, SettingsInForce

if TYPE_CHECKING:
    from kernelgen_ls.model.generation.candidate import Generation

logger = logging.getLogger(__name__)


class GenerationRecords:
    """Writes to the user's data folder and nowhere else; does nothing while the setting is off."""

    def __init__(self, settings: SettingsInForce, board: Board, editor: Says) -> None:
        self._settings = settings
        self._board = board
        self._editor = editor
        self._waiting: dict[str, tuple[str, str]] = {}

    def generated(self, found: Generation) -> str:
        """A generation ended; returns its identifier, empty when nothing is recorded."""
        if not self._settings.now.generation.records:
            return ""
        from kernelgen_ls.model.generation.records import Records, records_file

        part = self._board.status
        model = (part.generation_model or part.model).name
        try:
            return Records(records_file()).add(found, model)
        except OSError as error:
            self._editor.say(f"The generation was not recorded: {error}")
            return ""

    def applied(self, identifier: str, uri: str, path: str) -> None:
        """It was inserted; what the user makes of it is read at the next save."""
        if identifier:
            self._waiting[uri] = (identifier, path)

    def discarded(self, identifier: str) -> None:
        """It was not wanted."""
        self._kept(identifier, {})

    def saved(self, document: Document) -> None:
        """A document was saved: what it holds is what the user kept."""
        if document.uri in self._waiting:
            identifier, path = self._waiting.pop(document.uri)
            self._kept(identifier, {path: document.text})

    def _kept(self, identifier: str, texts: dict[str, str]) -> None:
        if not identifier:
            return
        from kernelgen_ls.model.generation.records import Records, records_file
        from kernelgen_ls.model.prompts.task import GeneratedFile

        try:
            Records(records_file()).kept(identifier, [GeneratedFile(path, text) for path, text in texts.items()])
        except OSError as error:
            self._editor.say(f"What was kept of a generation was not recorded: {error}")
