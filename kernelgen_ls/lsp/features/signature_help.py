"""textDocument/signatureHelp: the parameters of an AscendC call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.session.scope import role

if TYPE_CHECKING:
    from kernelgen_ls.kernel.api import ApiEntry, Signature
    from kernelgen_ls.kernel.names import CallContext
    from kernelgen_ls.lsp.server import KernelServer

MOST_SIGNATURES = 12


def register(server: KernelServer) -> None:
    """Register signature help."""
    session = server.session
    options = types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[")"])

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, options)
    def signature_help(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        document = session.documents.get(params.text_document.uri)
        enabled = session.settings.api.signature_help
        if document is None or not enabled or role(document) not in (Role.KERNEL, Role.HOST):
            return None
        from kernelgen_ls.kernel import api
        from kernelgen_ls.kernel.names import call_at

        position = document.from_client(params.position, session.documents.encoding)
        call = call_at(session.trees.of(document), position)
        entry = api.lookup(call.name) if call is not None else None
        if call is None or entry is None:
            return None
        return help_for(entry, call, markdown=session.client.markdown)


def help_for(entry: ApiEntry, call: CallContext, *, markdown: bool) -> types.SignatureHelp | None:
    """The overloads of a name, the first that takes the argument at the cursor being the active one."""
    signatures = [one for one in entry.signatures if one.parameters][:MOST_SIGNATURES]
    if not signatures:
        return None
    active = next((index for index, one in enumerate(signatures) if call.argument < len(one.parameters)), 0)
    return types.SignatureHelp(
        signatures=[_information(entry, one, markdown=markdown) for one in signatures],
        active_signature=active,
        active_parameter=min(call.argument, len(signatures[active].parameters) - 1),
    )


def _information(entry: ApiEntry, signature: Signature, *, markdown: bool) -> types.SignatureInformation:
    from kernelgen_ls.kernel import api

    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    written = written_parameters(signature.text, entry.name)
    if len(written) != len(signature.parameters):
        written = [parameter.name for parameter in signature.parameters]
    parameters = [
        types.ParameterInformation(label=text, documentation=api.meaning(entry, parameter.name) or None)
        for text, parameter in zip(written, signature.parameters, strict=True)
    ]
    return types.SignatureInformation(
        label=signature.text,
        documentation=types.MarkupContent(kind=kind, value=entry.summary) if entry.summary else None,
        parameters=parameters,
    )


def written_parameters(declaration: str, name: str) -> list[str]:
    """The parameters of a declaration as they stand in it: editors look for these texts in the signature's label."""
    found = re.search(rf"\b{re.escape(name)}\s*\(", declaration)
    if found is None:
        return []
    parameters, depth, start = [], 0, found.end()
    for index in range(found.end(), len(declaration)):
        character = declaration[index]
        if character in "([{<":
            depth += 1
        elif character in ")]}>" and depth:
            depth -= 1
        elif character in ",)" and not depth:
            parameters.append(declaration[start:index].strip())
            start = index + 1
            if character == ")":
                break
    return [parameter for parameter in parameters if parameter]
