"""Findings and edits in the protocol's types: URIs, encodings, severities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from attrs import frozen
from lsprotocol import types
from pygls.uris import from_fs_path

import kernelgen_ls
from kernelgen_ls.kernel.findings import Finding, Fix, Range, Severity, TextEdit
from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import OpenDocuments

if TYPE_CHECKING:
    from kernelgen_ls.workspace.operators import Operator

_PACKAGE = Path(kernelgen_ls.__file__).parent
_PAGES = (_PACKAGE / "pages", _PACKAGE.parent / "docs")
"""Where the pages on findings lie: in an installed package, in a clone."""
_FOLDERS = {"kernel": "lints", "twin": "twin"}
"""The pages' folder by what a code begins with."""

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


@frozen
class View:
    """How one client sees the files of one tree; ``document`` is the version that the findings are for."""

    client: Client
    documents: OpenDocuments
    operator: Operator
    document: Document

    def diagnostic(self, finding: Finding) -> types.Diagnostic:
        """A finding of the entry file as a diagnostic of the document."""
        related = None
        if self.client.related_information and finding.related:
            related = [
                types.DiagnosticRelatedInformation(
                    location=types.Location(
                        uri=self.uri(part.location.path), range=self.range(part.location.path, part.location.range)
                    ),
                    message=part.message,
                )
                for part in finding.related
            ]
        return types.Diagnostic(
            range=self.range(finding.location.path, finding.location.range),
            severity=_SEVERITIES[finding.severity],
            source=finding.source.value,
            code=finding.code or None,
            code_description=self._page(finding.code),
            message=message(finding),
            related_information=related,
            tags=[types.DiagnosticTag.Deprecated] if "deprecated" in finding.code else None,
        )

    def lent(self, finding: Finding) -> types.Diagnostic:
        """A finding in another file as a diagnostic of that file, which names the document that was checked."""
        diagnostic = self.diagnostic(finding)
        if not self.client.related_information:
            return diagnostic
        line = self._including(finding.location.path)
        place = types.Range(types.Position(line, 0), types.Position(line, len(self.document.line(line))))
        through = types.DiagnosticRelatedInformation(
            types.Location(self.document.uri, place), f"found in the check of {self.document.path.name}"
        )
        return attrs.evolve(diagnostic, related_information=[through, *(diagnostic.related_information or ())])

    def _including(self, path: str) -> int:
        """The line of the document that includes a file by its name, or its first line."""
        name = path.rsplit("/", 1)[-1]
        lines = enumerate(self.document.text.split("\n"))
        return next((number for number, line in lines if "#include" in line and name in line), 0)

    def _page(self, code: str) -> types.CodeDescription | None:
        kind, _, name = code.partition("/")
        if not self.client.code_description or kind not in _FOLDERS:
            return None
        page = next((folder / _FOLDERS[kind] / f"{name}.md" for folder in _PAGES if folder.is_dir()), None)
        return types.CodeDescription(href=uri_of(page)) if page is not None and page.is_file() else None

    def uri(self, path: str) -> str:
        """The URI of a file of the tree, spelled as the client spells it where the file is open."""
        if path == self.operator.entry:
            return self.document.uri
        target = self.operator.files.place(path)
        opened = self.documents.at(target)
        return opened.uri if opened else uri_of(target)

    def range(self, path: str, span: Range) -> types.Range:
        """A range of a file of the tree in the client's units."""
        return self._text(path).range_to_client(span, self.documents.encoding)

    def text_edits(self, fix: Fix) -> dict[str, list[types.TextEdit]]:
        """A fix's edits by URI."""
        edits: dict[str, list[types.TextEdit]] = {}
        for edit in fix.edits:
            edits.setdefault(self.uri(edit.path), []).append(self.text_edit(edit))
        return edits

    def text_edit(self, edit: TextEdit) -> types.TextEdit:
        """One edit in the client's units."""
        return types.TextEdit(range=self.range(edit.path, edit.range), new_text=edit.new_text)

    def workspace_edit(self, fix: Fix) -> types.WorkspaceEdit:
        """A fix as an edit, bound to the document's version where the client can hold it to that."""
        edits = self.text_edits(fix)
        if not self.client.document_changes:
            return types.WorkspaceEdit(changes=edits)
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    text_document=types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=self._version(uri)),
                    edits=list(changes),
                )
                for uri, changes in edits.items()
            ]
        )

    def _version(self, uri: str) -> int | None:
        if uri == self.document.uri:
            return self.document.version
        opened = self.documents.get(uri)
        return opened.version if opened else None

    def _text(self, path: str) -> Document:
        if path == self.operator.entry:
            return self.document
        opened = self.documents.at(self.operator.files.place(path))
        if opened is not None:
            return opened
        return Document(uri_of(self.operator.files.place(path)), "cpp", 0, self.operator.files.text(path) or "")


def message(finding: Finding) -> str:
    """The message, with the configurations it holds in when not all of them."""
    if not finding.only_for:
        return finding.message
    return f"{finding.message} (only for {', '.join(finding.only_for)})"


def uri_of(path: Path) -> str:
    """A file's URI."""
    uri: str | None = from_fs_path(str(path))
    assert uri is not None
    return uri
