"""The operator of an open document: the editor's texts over the disk's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kernelgen_ls.lsp.session.documents import Document

if TYPE_CHECKING:
    from kernelgen_ls.workspace.operators import Operator


def operator_of_document(document: Document, opened: Iterable[Document], folders: Sequence[Path]) -> Operator:
    """What ``document`` belongs to; reads the disk, so call it in a thread.

    A document that is no file of the disk stands alone.
    """
    from kernelgen_ls.workspace.operators import alone, operator_of

    if not document.on_disk:
        return alone(document.path, document.text)
    unsaved = {other.path: other.text for other in opened if other.on_disk}
    return operator_of(document.path, folders, {**unsaved, document.path: document.text})
