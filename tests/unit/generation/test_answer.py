"""Reading answers: reasoning and files out of a streamed text, whatever the model left out."""

import pytest

from kernelgen_ls.model.generation.answer import (
    Answer,
    AnswerReader,
    Cut,
    Part,
    entry_signature,
    loops,
    read_answer,
    with_entry_name,
    with_tiling_parameter,
)
from kernelgen_ls.model.prompts.task import GeneratedFile

PATH = "op_kernel/add.cpp"
KERNEL = '#include "kernel_operator.h"\nvoid add() {}\n'
BLOCK = f"<kernel_impl>\n```cpp\n{KERNEL}```\n</kernel_impl>"


def check(
    text: str, files: dict[str, str], cut: Cut = Cut.NO, *, reasoning: str | None = None, early: bool = False
) -> None:
    for size in (len(text) or 1, 1, 7):
        reader = AnswerReader(kernel_path=PATH)
        for start in range(0, len(text), size):
            reader.feed(text[start : start + size])
        answer = reader.finish(stopped_early=early)
        assert {file.path: file.text for file in answer.files} == files
        assert answer.cut is cut
        if reasoning is not None:
            assert answer.reasoning == reasoning


def test_a_tagged_kernel_after_the_reasoning() -> None:
    check(f"先分析。\n</think>\n{BLOCK}\n", {PATH: KERNEL}, reasoning="先分析。")


def test_a_draft_inside_the_reasoning_is_no_answer() -> None:
    draft = BLOCK.replace("add()", "draft()")
    check(f"看：{draft}\n不对。</think>\n{BLOCK}", {PATH: KERNEL})


def test_a_second_reasoning() -> None:
    check(f"a</think>\n{BLOCK.replace('add', 'old')}\n<think>b</think>\n{BLOCK}", {PATH: KERNEL})


def test_reasoning_without_end() -> None:
    check("想啊想", {}, Cut.REASONING, early=True, reasoning="想啊想")
    check(f"想 {BLOCK} 想", {}, Cut.NOTHING)
    check(f"想\n{BLOCK}\n", {PATH: KERNEL})
    check(f"想\n{BLOCK}\n", {}, Cut.REASONING, early=True)


def test_cut_in_the_code_is_salvaged_and_said() -> None:
    check(
        'x</think>\n<kernel_impl>\n```cpp\n#include "a.h"\nvoid ad',
        {PATH: '#include "a.h"\nvoid ad\n'},
        Cut.CODE,
        early=True,
    )


def test_a_block_that_the_model_left_open_though_it_ended_of_itself() -> None:
    answer = read_answer(f"x</think><kernel_impl>\n```cpp\n{KERNEL}", kernel_path=PATH)
    assert (answer.cut, answer.whole, answer.files) == (Cut.UNCLOSED, True, (GeneratedFile(PATH, KERNEL),))


def test_missing_closing_tag() -> None:
    check(f"x</think><kernel_impl>\n```cpp\n{KERNEL}```", {PATH: KERNEL})
    check(f"x</think><kernel_impl>\n```cpp\n{KERNEL}</kernel_impl>", {PATH: KERNEL})


def test_missing_fence() -> None:
    check(f"x</think><kernel_impl>\n{KERNEL}</kernel_impl>", {PATH: KERNEL})


def test_missing_tag() -> None:
    check(f"x</think>好的：\n```cpp\n{KERNEL}```\n", {PATH: KERNEL})
    check("x</think>用法：\n```python\nadd(x)\n```\n", {}, Cut.NOTHING)


def test_an_empty_block_after_the_real_one() -> None:
    check(f"x</think>{BLOCK}\n<kernel_impl>\n</kernel_impl>", {PATH: KERNEL})


def test_three_files() -> None:
    line = "=" * 18
    text = "".join(
        f"{line} {path} {line}\n```cpp\n// {path}\n```\n"
        for path in ("op_host/add_tiling.h", "op_host/add.cpp", "op_kernel/add.cpp")
    )
    files = {p: f"// {p}\n" for p in ("op_host/add_tiling.h", "op_host/add.cpp", "op_kernel/add.cpp")}
    check("想</think>\n" + text, files)
    cut = text[: text.rfind("```")]
    check("想</think>\n" + cut, files, Cut.CODE, early=True)


def test_nothing() -> None:
    check("x</think>\n对不起。", {}, Cut.NOTHING)
    check("", {}, Cut.NOTHING)


def test_an_answer_without_reasoning() -> None:
    assert read_answer(BLOCK, kernel_path=PATH) == Answer("", (GeneratedFile(PATH, KERNEL),))


def test_the_part_being_written() -> None:
    reader = AnswerReader(kernel_path=PATH)
    assert reader.feed("想</th") == "想"
    assert reader.feed("ou</") == "</thou"
    assert reader.part is Part.REASONING
    assert reader.feed("think>\n<kernel") == ""
    assert reader.part is Part.WRITING
    assert reader.feed("_impl>") == ""


ENTRY = (
    'extern "C" __global__ __aicore__ void add(GM_ADDR x,\n    GM_ADDR workspace{})\n'
    "{{\n    op.Init(x, GM_ADDR_NULL);\n}}\n"
)
INIT = "__aicore__ inline void Init(GM_ADDR x, GM_ADDR workspace) {}\n"


def test_the_tiling_parameter_goes_back_into_the_entry_alone() -> None:
    shown, whole = INIT + ENTRY.format(""), INIT + ENTRY.format(", GM_ADDR tiling")
    assert with_tiling_parameter(shown) == whole
    assert with_tiling_parameter(whole) == whole
    assert with_tiling_parameter(shown, "other") == shown
    empty = 'extern "C" __global__ __aicore__ void k() {}'
    assert with_tiling_parameter(empty) == 'extern "C" __global__ __aicore__ void k(GM_ADDR tiling) {}'


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("void sub(GM_ADDR a, GM_ADDR w)", "void add(GM_ADDR a, GM_ADDR w)"),
        ("void sub(GM_ADDR a)", "void sub(GM_ADDR a)"),
    ],
)
def test_the_entry_keeps_its_name(written: str, kept: str) -> None:
    start = 'extern "C" __global__ __aicore__ '
    assert with_entry_name(start + written + " {}", ENTRY.format("")) == start + kept + " {}"


def test_entry_signature() -> None:
    assert entry_signature(ENTRY.format("")) == (
        'extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR workspace)'
    )
    assert entry_signature(INIT) is None


def read_block(code: str) -> str:
    (file,) = read_answer(f"</think>\n<kernel_impl>\n```cpp\n{code}\n```\n</kernel_impl>", kernel_path="k.cpp").files
    return file.text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('#include \\"kernel_operator.h\\"', '#include "kernel_operator.h"'),
        ('extern \\"C\\" printf(\\"say \\\\\\"%d\\\\\\"\\\\n\\");', 'extern "C" printf("say \\"%d\\"\\n");'),
        ('extern \\"C\\" printf(\\"%d\\n\\");', 'extern "C" printf("%d\\n");'),
        ('extern "C" printf("say \\"%d\\"\\n");', 'extern "C" printf("say \\"%d\\"\\n");'),
    ],
)
def test_quotes_that_were_dumped_as_a_string_are_read_as_quotes(written: str, read: str) -> None:
    assert read_block(written) == f"{read}\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("y1 = Muls(y1, -1)\n" * 14, True),
        ("start " + "y1)\n" * 60, True),
        ("a = 1;\nb = a;\n" * 20, True),
        ("".join(f"    Step{number}(acc, acc, {number}.0f, count);\n" for number in range(4)) * 8, True),
        ("".join(f"    Step{number}(acc, acc, {number}.0f, count);\n" for number in range(4)) * 7, True),
        ("".join(f"    Step{number}(acc, acc, {number}.0f, count);\n" for number in range(4)) * 4, False),
        ("".join(f"    Step{number}(acc, acc, {number}.0f, count);\n" for number in range(20)) * 4, True),
        (".Format({" + "ge::FORMAT_ND, " * 24, False),
        ("y1 = Muls(y1, -1)\n" * 7, False),
        ("int table[] = {" + "0, " * 60, False),
        ("=" * 100, False),
        (" " * 500, False),
        (KERNEL * 3, False),
    ],
)
def test_a_model_that_lost_the_thread(text: str, found: bool) -> None:
    assert loops(text) is found
