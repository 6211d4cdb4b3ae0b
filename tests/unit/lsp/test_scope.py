"""The role of a document, which the server remembers with each version."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.scope import role


@pytest.mark.parametrize(
    ("uri", "language", "text", "expected"),
    [
        ("file:///w/op_kernel/add.cpp", "cpp", "int x;", Role.KERNEL),
        ("file:///w/op_host/add.cpp", "cpp", "int x;", Role.HOST),
        ("file:///w/op_host/add_tiling.h", "cpp", "BEGIN_TILING_DATA_DEF(AddTilingData)", Role.HOST),
        ("untitled:Untitled-1", "ascendc", "// op: Add", Role.SPECIFICATION),
        ("file:///w/main.cpp", "cpp", "int main() { return 0; }", Role.OTHER),
    ],
)
def test_a_documents_role(uri: str, language: str, text: str, expected: Role) -> None:
    document = Document(uri, language, 1, text)
    assert [role(document), role(document)] == [expected, expected]
