"""What a generation wrote, as an edit of one or more files that the user confirms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs
from lsprotocol import types

from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.edits.text_diff import edits
from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.session.convert import uri_of
from kernelgen_ls.lsp.session.documents import Document, Documents
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.workspace.sources import Sources

if TYPE_CHECKING:
    from kernelgen_ls.model.prompts.task import GeneratedFile

ANNOTATION = "kernelgen"
_COMMENT = re.compile(r"\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)+", re.DOTALL)


def generated_edit(
    client: Client,
    documents: Documents,
    sources: Sources,
    document: Document,
    files: Sequence[GeneratedFile],
    title: str,
    summary: str,
) -> types.WorkspaceEdit | None:
    """The edit that writes ``files`` (paths relative to the operator's folder); None when they are there already.

    Open documents are edited by version, files of the disk replaced, others created. Reads the disk.
    """
    changes: dict[str, tuple[Document, str, bool]] = {}
    for file in files:
        path = sources.path(sources.operator_prefix + file.path)
        opened = document if path == document.path else documents.at(path)
        there = opened or _on_disk(uri_of(path), path)
        if there is None:
            changes[uri_of(path)] = (Document(uri_of(path), "cpp", 0, ""), file.text, True)
        elif there.text != (new := written_over(there, file.text, comments=there is document)):
            changes[there.uri] = (there, new, False)
    if not changes:
        return None
    if not client.document_changes:
        return types.WorkspaceEdit(
            changes={uri: _text_edits(documents, there, new) for uri, (there, new, _) in changes.items()}
        )
    operations: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for uri, (there, new, created) in changes.items():
        if created and client.creates_files:
            operations.append(
                types.CreateFile(
                    uri=uri,
                    options=types.CreateFileOptions(ignore_if_exists=True),
                    annotation_id=ANNOTATION if client.change_annotations else None,
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
                    types.AnnotatedTextEdit(range=edit.range, new_text=edit.new_text, annotation_id=ANNOTATION)
                    if client.change_annotations
                    else edit
                    for edit in _text_edits(documents, there, new)
                ],
            )
        )
    annotation = types.ChangeAnnotation(label=title, needs_confirmation=True, description=summary)
    return types.WorkspaceEdit(
        document_changes=operations,
        change_annotations={ANNOTATION: annotation} if client.change_annotations else None,
    )


def written_over(document: Document, text: str, *, comments: bool) -> str:
    """``text`` as the document's new content: with the document's line ends and, if asked, what its comments say."""
    crlf = document.text.count("\r\n")
    text = text.replace("\r\n", "\n")
    if comments:
        text = with_comments(attrs.evolve(document, text=document.text.replace("\r\n", "\n")), text)
    return text.replace("\n", "\r\n") if crlf * 2 > document.text.count("\n") else text


def with_comments(document: Document, text: str) -> str:
    """``text`` with what the document says in comments: at its beginning, and above the same entry functions."""
    from kernelgen_ls.kernel.spec.comment import comment_at
    from kernelgen_ls.kernel.syntax import Source

    was = Source.parse(document.text)
    specified = {}
    for entry in was.structure.entries:
        if found := comment_at(was, was.range(entry.name_span).start):
            specified[entry.name] = found[0].strip()
    for entry in reversed(Source.parse(text).structure.entries):
        comment = specified.get(entry.name, "")
        if comment not in text:
            text = f"{text[: entry.span.start]}{comment}\n{text[entry.span.start :]}"
    return with_leading_comment(document, text)


def with_leading_comment(document: Document, text: str) -> str:
    """``text`` below the comment that the document begins with: a specification is not lost to what it asked for."""
    match = _COMMENT.match(document.text)
    comment = match.group().strip() if match else ""
    if not comment or comment in text:
        return text
    if role(document) is Role.SPECIFICATION:
        return f"{document.text.rstrip()}\n{text}"
    return f"{comment}\n{text}"


def _text_edits(documents: Documents, there: Document, new: str) -> list[types.TextEdit]:
    return [
        types.TextEdit(range=there.range_to_client(edit.range, documents.encoding), new_text=edit.new_text)
        for edit in edits("", there.text, new)
    ]


def _on_disk(uri: str, path: object) -> Document | None:
    from pathlib import Path

    file = Path(str(path))
    try:
        return Document(uri, "cpp", 0, file.read_bytes().decode("utf-8", "replace"))
    except OSError:
        return None
