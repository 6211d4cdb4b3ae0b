"""Which documents are this server's business: device code and the host side of an operator; plain C++ is left alone."""

from __future__ import annotations

import re
from enum import Enum

from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.syntax_trees import MOST_CHARACTERS


class Role(str, Enum):
    """What a document is to this server."""

    KERNEL = "kernel"
    HOST = "host"
    SPECIFICATION = "specification"
    """Nothing but a comment yet, in a place where kernels live: a kernel may be generated into it."""
    OTHER = "other"


_HOST = re.compile(
    r'#\s*include\s*[<"](?:register/op_def_registry|register/tilingdata_base|tiling/|exe_graph/)'
    r"|\bBEGIN_TILING_DATA_DEF\b|\bOP_ADD\s*\(|\bREGISTER_TILING_DATA_CLASS\b"
)
_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|^\s*#\s*(?:include|pragma|ifndef|define|endif)[^\n]*", re.DOTALL | re.MULTILINE)
_KERNEL_SUFFIXES = (".asc", ".cce")


def role(document: Document) -> Role:
    """The role of one version of a document (remembered with it)."""
    known = document.__dict__.get("_role")
    if isinstance(known, Role):
        return known
    found = _role(document)
    document.__dict__["_role"] = found
    return found


def _role(document: Document) -> Role:
    from kernelgen_ls.kernel.syntax import is_kernel

    if len(document.text) > MOST_CHARACTERS:
        return Role.KERNEL if "__aicore__" in document.text else Role.OTHER
    if document.path.suffix in _KERNEL_SUFFIXES or document.language == "ascendc" or is_kernel(document.text):
        return Role.KERNEL if document.text.strip() and not _only_comments(document.text) else Role.SPECIFICATION
    if _HOST.search(document.text):
        return Role.HOST
    if "op_kernel" in document.path.parts and _only_comments(document.text):
        return Role.SPECIFICATION
    return Role.OTHER


def _only_comments(text: str) -> bool:
    return len(text) < 64 * 1024 and not _CODE.sub("", text).strip()
