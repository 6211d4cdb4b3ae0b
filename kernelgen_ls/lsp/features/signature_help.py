"""textDocument/signatureHelp: the parameters of an AscendC call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.session.ports import KnowsClient, OpenDocuments, Registrar, SettingsInForce
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees

if TYPE_CHECKING:
    from kernelgen_ls.kernel.api import ApiEntry, Signature


def register(
    registrar: Registrar,
    settings: SettingsInForce,
    documents: OpenDocuments,
    editor: KnowsClient,
    trees: SyntaxTrees,
) -> None:
    """Register signature help."""
    options = types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[")"])

    @registrar.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, options)
    def signature_help(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        document = documents.get(params.text_document.uri)
        enabled = settings.now.api.signature_help
        if document is None or not enabled or role(document) not in (Role.KERNEL, Role.HOST):
            return None
        from kernelgen_ls.kernel import api
        from kernelgen_ls.kernel.names import call_at

        position = document.from_client(params.position, documents.encoding)
        call = call_at(trees.of(document), position)
        entry = api.lookup(call.name) if call is not None else None
        if call is None or entry is None:
            return None
        return help_for(entry, call.argument, markup=editor.client.markup)


def help_for(entry: ApiEntry, argument: int, *, markup: types.MarkupKind) -> types.SignatureHelp | None:
    """The overloads of a name for a call whose argument of this zero-based index is being written."""
    from kernelgen_ls.kernel.api.overloads import overloads

    found = overloads(entry, argument)
    if found is None:
        return None
    return types.SignatureHelp(
        signatures=[_information(entry, one, markup) for one in found.signatures],
        active_signature=found.active,
        active_parameter=found.parameter,
    )


def _information(entry: ApiEntry, signature: Signature, markup: types.MarkupKind) -> types.SignatureInformation:
    from kernelgen_ls.kernel import api
    from kernelgen_ls.kernel.api.overloads import parameter_texts

    # An editor looks for a parameter's label in the signature's, to mark it there.
    labels = zip(parameter_texts(entry, signature), signature.parameters, strict=True)
    parameters = [
        types.ParameterInformation(label=text, documentation=api.meaning(entry, parameter.name) or None)
        for text, parameter in labels
    ]
    return types.SignatureInformation(
        label=signature.text,
        documentation=types.MarkupContent(kind=markup, value=entry.summary) if entry.summary else None,
        parameters=parameters,
    )
