"""Where a kernel can be generated, with the cursor written as ``|`` in the text."""

import pytest

from kernelgen_ls.kernel.spec.place import described_at
from kernelgen_ls.kernel.syntax import Source

COMMENT = "/**\n * op: Doubled\n * y = x + x\n */\n"
ENTRY = 'extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y)\n{\n    Process();\n}\n'


def described(text: str, *, anywhere: bool = False) -> str | None:
    source = Source.parse(text.replace("|", ""))
    return described_at(source, source.position(text.index("|")), anywhere=anywhere)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (COMMENT.replace("y =", "|y =") + ENTRY, "Doubled"),
        (COMMENT + ENTRY.replace("doubled", "dou|bled"), "Doubled"),
        (ENTRY.replace("(GM", "(|GM"), "Doubled"),
        (COMMENT + ENTRY.replace("Process", "|Process"), None),
        ("int a;|\n" + COMMENT + ENTRY, None),
    ],
)
def test_a_kernel_is_described_by_its_comment_and_its_signature(text: str, name: str | None) -> None:
    assert described(text) == name


def test_a_text_that_is_nothing_but_a_specification_describes_it_anywhere() -> None:
    text = f"{COMMENT}\n|\n"
    assert described(text) is None
    assert described(text, anywhere=True) == "Doubled"
    assert described("// y = x + x|\n", anywhere=True) == ""
