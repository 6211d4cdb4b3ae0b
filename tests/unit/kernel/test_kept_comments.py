"""A generated kernel keeps what the text before it said in comments."""

from kernelgen_ls.kernel.spec.kept import with_comments

SPECIFICATION = """/**
 * op: Doubled 双倍
 * formula: y = x + x
 */
"""
ENTRY = 'extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y)\n{\n}\n'
HEAD = '#include "kernel_operator.h"\nusing namespace AscendC;\n\n'
WRITTEN = f"{HEAD}class KernelDoubled {{\n}};\n\n{ENTRY}"


def check(before: str, after: str, written: str = WRITTEN) -> None:
    assert with_comments(before, written) == after


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


def test_a_text_that_is_nothing_but_a_specification_is_kept_whole() -> None:
    before = f"#pragma once\n\n{SPECIFICATION}\n"
    assert with_comments(before, WRITTEN, specification=True) == WRITTEN  # its comment is not at its beginning
    assert with_comments(f"{SPECIFICATION}#pragma once\n", WRITTEN, specification=True) == (
        f"{SPECIFICATION}#pragma once\n{WRITTEN}"
    )
