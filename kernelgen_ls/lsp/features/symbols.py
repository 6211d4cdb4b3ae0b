"""textDocument/documentSymbol: entry functions, kernel classes, stages, queues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.session.documents import Document, Encoding
from kernelgen_ls.lsp.session.ports import OpenDocuments, Registrar, SettingsInForce
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees

if TYPE_CHECKING:
    from kernelgen_ls.kernel.names import Symbol

_KINDS = {
    "entry function": types.SymbolKind.Function,
    "class": types.SymbolKind.Class,
    "stage": types.SymbolKind.Method,
    "method": types.SymbolKind.Method,
    "function": types.SymbolKind.Function,
    "queue": types.SymbolKind.Field,
    "buffer": types.SymbolKind.Field,
}
_DETAILED = ("entry function", "stage")


def register(registrar: Registrar, settings: SettingsInForce, documents: OpenDocuments, trees: SyntaxTrees) -> None:
    """Register the outline."""

    @registrar.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbol(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        document = documents.get(params.text_document.uri)
        if document is None or not settings.now.api.symbols or role(document) is not Role.KERNEL:
            return None
        from kernelgen_ls.kernel.names import document_symbols

        return [_symbol(symbol, document, documents.encoding) for symbol in document_symbols(trees.of(document))]


def _symbol(symbol: Symbol, document: Document, encoding: Encoding) -> types.DocumentSymbol:
    detail = symbol.kind.value if symbol.kind.value in _DETAILED else ""
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind.value],
        detail=" ".join(part for part in (detail, symbol.detail) if part) or None,
        range=document.range_to_client(symbol.range, encoding),
        selection_range=document.range_to_client(symbol.selection, encoding),
        children=[_symbol(child, document, encoding) for child in symbol.children] or None,
    )
