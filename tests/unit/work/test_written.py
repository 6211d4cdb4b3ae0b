"""What a generation writes takes the place of a document's text in the document's own manner."""

from __future__ import annotations

from kernelgen_ls.work.written import written_over

SPECIFICATION = """/**
 * op: Doubled 双倍
 * formula: y = x + x
 */
"""
ENTRY = 'extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y)\n{\n}\n'
HEAD = '#include "kernel_operator.h"\nusing namespace AscendC;\n\n'


def test_line_ends_are_the_documents_and_no_comment_is_doubled_for_them() -> None:
    before = f"// one\n// two\n{HEAD}{SPECIFICATION}{ENTRY}"
    written = before.replace("{\n}\n", "{\n    Process();\n}\n")
    crlf = before.replace("\n", "\r\n")
    assert written_over(crlf, written, comments=True) == written.replace("\n", "\r\n")
    assert written_over(crlf, written.replace("\n", "\r\n"), comments=True) == written.replace("\n", "\r\n")
    assert written_over(before, written, comments=True) == written
