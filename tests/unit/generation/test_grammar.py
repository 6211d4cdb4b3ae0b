"""The grammar of an answer, as text: what llama.cpp is given."""

import pytest

from kernelgen_ls.model.generation.grammar import answer_grammar

LINE = "=" * 18
FRAMES = [
    ((), r'"<kernel_impl>\n" fence "\n</kernel_impl>"'),
    (
        ("op_host/k_tiling.h", "op_kernel/k.cpp"),
        rf'"{LINE} op_host/k_tiling.h {LINE}\n" fence "\n" "{LINE} op_kernel/k.cpp {LINE}\n" fence',
    ),
    (('a"b\\c.cpp',), rf'"{LINE} a\"b\\c.cpp {LINE}\n" fence'),
]


@pytest.mark.parametrize(("paths", "frame"), FRAMES)
def test_the_frame_in_gbnf(paths: tuple[str, ...], frame: str) -> None:
    assert answer_grammar(paths) == (
        f'root ::= lead {frame} "\\n"?\n'
        r"""lead ::= ( "\n" ( "\n" "\n"? )? )?
fence ::= "```cpp\n" code "\n```"
code ::= ( [^`] | "`" [^`] | "``" [^`] )+
"""
    )
