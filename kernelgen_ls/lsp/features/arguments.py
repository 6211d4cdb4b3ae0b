"""The positional arguments of commands, taken with their types or refused to the client; positions to go in them."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import OpenDocuments


def argument(params: types.ExecuteCommandParams, index: int, kind: type[Any]) -> Any:
    """A positional argument of a command; -32602 to the client when it is missing or of another type."""
    arguments = params.arguments or []
    if index >= len(arguments) or not isinstance(arguments[index], kind) or isinstance(arguments[index], bool):
        raise JsonRpcInvalidParams(f"{params.command}: argument {index + 1} must be {kind.__name__}")
    return arguments[index]


def text_argument(params: types.ExecuteCommandParams, index: int) -> str:
    """A positional argument that is text."""
    return str(argument(params, index, str))


def document_argument(documents: OpenDocuments, params: types.ExecuteCommandParams) -> Document:
    """The open document whose URI is the first argument."""
    uri = text_argument(params, 0)
    document = documents.get(uri)
    if document is None:
        raise JsonRpcInvalidParams(f"{params.command}: {uri} is not open")
    return document


def position_argument(
    documents: OpenDocuments, params: types.ExecuteCommandParams, document: Document, index: int
) -> Position:
    """The LSP position at ``index`` in code points; the document's start when it is left out."""
    arguments = params.arguments or []
    if index >= len(arguments) or arguments[index] is None:
        return Position(0, 0)
    given = argument(params, index, dict)
    line, character = given.get("line"), given.get("character")
    if not isinstance(line, int) or not isinstance(character, int) or line < 0 or character < 0:
        raise JsonRpcInvalidParams(f"{params.command}: argument {index + 1} must be a position")
    return document.from_client(types.Position(line, character), documents.encoding)


def wire_position(documents: OpenDocuments, document: Document, position: Position) -> dict[str, int]:
    """A position as a command's argument."""
    at = document.to_client(position, documents.encoding)
    return {"line": at.line, "character": at.character}
