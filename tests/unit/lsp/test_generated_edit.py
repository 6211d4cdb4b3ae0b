"""What a generation writes keeps what the user's own comments say."""

from __future__ import annotations

import attrs

from kernelgen_ls.lsp.edits.generated_edit import with_comments, written_over
from kernelgen_ls.lsp.session.documents import Document

SPECIFICATION = """/**
 * op: Doubled 双倍
 * formula: y = x + x
 */
"""
ENTRY = 'extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y)\n{\n}\n'
HEAD = '#include "kernel_operator.h"\nusing namespace AscendC;\n\n'
WRITTEN = f"{HEAD}class KernelDoubled {{\n}};\n\n{ENTRY}"


def check(before: str, after: str, written: str = WRITTEN) -> None:
    assert with_comments(Document("file:///add.asc", "ascendc", 1, before), written) == after


def test_line_ends_are_the_documents_and_no_comment_is_doubled_for_them() -> None:
    before = f"// one\n// two\n{HEAD}{SPECIFICATION}{ENTRY}"
    written = before.replace("{\n}\n", "{\n    Process();\n}\n")
    crlf = Document("file:///add.asc", "ascendc", 1, before.replace("\n", "\r\n"))
    assert written_over(crlf, written, comments=True) == written.replace("\n", "\r\n")
    assert written_over(crlf, written.replace("\n", "\r\n"), comments=True) == written.replace("\n", "\r\n")
    assert written_over(attrs.evolve(crlf, text=before), written, comments=True) == written


def test_the_specification_stays_above_its_entry_function() -> None:
    check(f"{HEAD}{SPECIFICATION}{ENTRY}", WRITTEN.replace(ENTRY, SPECIFICATION + ENTRY))


def test_a_specification_that_was_written_again_is_not_doubled() -> None:
    again = WRITTEN.replace(ENTRY, SPECIFICATION + ENTRY)
    check(f"{HEAD}{SPECIFICATION}{ENTRY}", again, again)


def test_the_comment_that_a_file_begins_with_stays_there() -> None:
    lines = "// y = x + x\n// in x: float16 [32]\n"
    check(f"// Licence\n{HEAD}{lines}{ENTRY}", "// Licence\n" + WRITTEN.replace(ENTRY, lines + ENTRY))


def test_a_comment_of_another_entry_function_goes_with_it() -> None:
    check(f"{HEAD}{SPECIFICATION}{ENTRY.replace('doubled', 'tripled')}", WRITTEN)
