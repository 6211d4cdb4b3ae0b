"""Which documents are this server's business: device code and the host side of an operator; plain C++ is left alone."""

from __future__ import annotations

from kernelgen_ls.kernel.roles import Role, role_of
from kernelgen_ls.lsp.session.documents import Document


def role(document: Document) -> Role:
    """The role of one version of a document (remembered with it); tiling data is host code to every feature."""
    known = document.__dict__.get("_role")
    if isinstance(known, Role):
        return known
    read = role_of(str(document.path), document.text, document.language)
    found = Role.HOST if read is Role.TILING else read
    document.__dict__["_role"] = found
    return found
