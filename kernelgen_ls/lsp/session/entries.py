"""The entry functions of open documents: what is measured and run, with everything that is sent for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from attrs import frozen

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.operators import operator_of_document
from kernelgen_ls.lsp.session.ports import KnowsClient, OpenDocuments, SettingsInForce
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees

if TYPE_CHECKING:
    from kernelgen_ls.work.readings import Entry
    from kernelgen_ls.work.running import Subject
    from kernelgen_ls.workspace.operators import Operator


@frozen
class Runnable:
    """An entry function with what is sent to run it, and the name of the chip that it is for."""

    entry: Entry
    subject: Subject
    chip: str


class EntryFunctions:
    """Reads the entry functions of open documents, and the operators that they are of."""

    def __init__(
        self, settings: SettingsInForce, documents: OpenDocuments, editor: KnowsClient, trees: SyntaxTrees
    ) -> None:
        self._settings = settings
        self._documents = documents
        self._editor = editor
        self._trees = trees

    def of(self, document: Document) -> tuple[Entry, ...]:
        """The entry functions of a document; none of what is no kernel on the disk."""
        if role(document) is not Role.KERNEL or not document.on_disk:
            return ()
        from kernelgen_ls.work.readings import Entry

        source = self._trees.of(document)
        return tuple(Entry(one.name, source.range(one.name_span)) for one in source.structure.entries)

    def at(self, document: Document, position: Position | None) -> Entry | None:
        """The entry function that holds ``position``, else the only one."""
        from kernelgen_ls.work.readings import Entry

        source = self._trees.of(document)
        functions = source.structure.entries
        if position is not None:
            offset = source.offset(position)
            for one in functions:
                if one.span.start <= offset <= one.span.end:
                    return Entry(one.name, source.range(one.name_span))
        if len(functions) != 1:
            return None
        return Entry(functions[0].name, source.range(functions[0].name_span))

    def operator(self, document: Document) -> Operator:
        """What a document belongs to; reads the disk, so call it in a thread."""
        return operator_of_document(document, list(self._documents), self._editor.client.roots)

    async def runnable(self, document: Document, entry: Entry, runner: str = "") -> Runnable:
        """What is sent to run ``entry`` on the runner of that name. Raises NotRunnableError and TreeTooLargeError."""
        return await asyncio.to_thread(self._runnable, document, entry, runner)

    async def chosen(self, document: Document, position: Position | None, to: str, runner: str = "") -> Runnable | str:
        """What is sent to run the entry function at ``position``, or a line that says why there is nothing.

        ``to`` says what for: "measure it".
        """
        from kernelgen_ls.work.running import NotRunnableError
        from kernelgen_ls.workspace.tree import TreeTooLargeError

        if not document.on_disk:
            return "Save the document first: its cases are looked for beside it."
        entry = self.at(document, position)
        if entry is None:
            return f"Put the cursor into an entry function to {to}."
        try:
            return await self.runnable(document, entry, runner)
        except (NotRunnableError, TreeTooLargeError) as error:
            return str(error)

    def _runnable(self, document: Document, entry: Entry, runner: str) -> Runnable:
        from kernelgen_ls.work.chip import chosen_chip
        from kernelgen_ls.work.running import subject

        operator = self.operator(document)
        chip = chosen_chip(operator, self._settings.now.check.chip).chip
        return Runnable(entry, subject(operator, entry.name, chip=chip, runner=runner), chip.soc)
