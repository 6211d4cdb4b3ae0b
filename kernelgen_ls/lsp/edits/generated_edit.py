"""What a generation wrote, as an edit of one or more files that the user confirms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from kernelgen_ls.kernel.roles import Role, has_entry
from kernelgen_ls.lsp.edits.text_diff import edits
from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.session.convert import uri_of
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import OpenDocuments
from kernelgen_ls.lsp.session.scope import role

if TYPE_CHECKING:
    from kernelgen_ls.model.prompts.task import GeneratedFile
    from kernelgen_ls.workspace.operators import Operator

ANNOTATION, DOUBTFUL = "kernelgen", "kernelgen.wrong"
"""Ids of the annotation that asks: ``DOUBTFUL`` for what is known to be wrong, or not to compile."""


def generated_edit(
    client: Client,
    documents: OpenDocuments,
    operator: Operator,
    document: Document,
    files: Sequence[GeneratedFile],
    title: str,
    said: str,
    *,
    doubtful: bool = False,
) -> types.WorkspaceEdit | None:
    """The edit that writes ``files`` (paths relative to the operator's folder); None when they are there already.

    The user is asked with ``title`` and ``said``, what is known of them, and warned where that is ``doubtful``.
    Open documents are edited by version, files of the disk replaced, others created. Reads the disk.
    """
    changes: dict[str, tuple[Document, str, bool]] = {}
    for path, file in _places(operator, document, files):
        opened = document if path == document.path else documents.at(path)
        there = opened or _on_disk(uri_of(path), path)
        if there is None:
            changes[uri_of(path)] = (Document(uri_of(path), "cpp", 0, ""), file.text, True)
        elif there.text != (new := _over(there, file.text, comments=there is document)):
            changes[there.uri] = (there, new, False)
    if not changes:
        return None
    if not client.document_changes:
        return types.WorkspaceEdit(
            changes={uri: _text_edits(documents, there, new) for uri, (there, new, _) in changes.items()}
        )
    identifier = DOUBTFUL if doubtful else ANNOTATION
    operations: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for uri, (there, new, created) in changes.items():
        if created and client.creates_files:
            operations.append(
                types.CreateFile(
                    uri=uri,
                    options=types.CreateFileOptions(ignore_if_exists=True),
                    annotation_id=identifier if client.change_annotations else None,
                )
            )
        opened = documents.get(uri)
        operations.append(
            types.TextDocumentEdit(
                text_document=types.OptionalVersionedTextDocumentIdentifier(
                    # The version that the edit was made for: a client refuses it when the document went on since.
                    uri=uri,
                    version=there.version if opened else None,
                ),
                edits=[
                    types.AnnotatedTextEdit(range=edit.range, new_text=edit.new_text, annotation_id=identifier)
                    if client.change_annotations
                    else edit
                    for edit in _text_edits(documents, there, new)
                ],
            )
        )
    annotation = types.ChangeAnnotation(label=title, needs_confirmation=True, description=said)
    return types.WorkspaceEdit(
        document_changes=operations,
        change_annotations={identifier: annotation} if client.change_annotations else None,
    )


def _places(operator: Operator, document: Document, files: Sequence[GeneratedFile]) -> list[tuple[Path, GeneratedFile]]:
    """Where each file goes. A document that is no file takes the kernel; what belongs beside it has no folder yet."""
    if document.on_disk:
        return [(operator.files.place(operator.prefix + file.path), file) for file in files]
    return [(document.path, next((file for file in files if has_entry(file.text)), files[0]))]


def _over(document: Document, text: str, *, comments: bool) -> str:
    from kernelgen_ls.work.written import written_over

    return written_over(document.text, text, comments=comments, specification=role(document) is Role.SPECIFICATION)


def _text_edits(documents: OpenDocuments, there: Document, new: str) -> list[types.TextEdit]:
    return [
        types.TextEdit(range=there.range_to_client(edit.range, documents.encoding), new_text=edit.new_text)
        for edit in edits("", there.text, new)
    ]


def _on_disk(uri: str, path: Path) -> Document | None:
    from kernelgen_ls.workspace.files import read_file

    read = read_file(path)
    return Document(uri, "cpp", 0, read.text) if read is not None else None
