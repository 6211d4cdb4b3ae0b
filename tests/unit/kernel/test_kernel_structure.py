"""Kernels parsed whole, edited, broken: what is read from them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.kernel.lints import lint
from kernelgen_ls.kernel.names import call_at, completion_at, document_symbols, identifier_at
from kernelgen_ls.kernel.syntax import Source

KERNEL = """\
#include "kernel_operator.h"
// 一个核函数
template <typename T, int N>
class KernelAdd : public Base<T> {
    using Wide = float;
public:
    __aicore__ inline void Init(__gm__ uint8_t *x, GM_ADDR y)
    {
        if (N > 1) {
            this->pipe->InitBuffer(queue, 2, N * sizeof(T));
        } else {
            this->pipe->InitBuffer(queue, 1, N * sizeof(T));
        }
    }
    __aicore__ inline void Process();
protected:
    AscendC::TPipe *pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> queue, other;
    AscendC::TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bind;
    AscendC::TBuf<> scratch[2];
};
template <typename T, int N>
__aicore__ inline void KernelAdd<T, N>::Process()
{
    for (uint32_t i = 0; i < 4; ++i) {
        auto x = queue.template DeQue<T>();
        AscendC::DataCopy(x, y[i], {1, 2, 0, 0});
    }
}
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    GET_TILING_DATA_WITH_STRUCT(optiling::Other, more, tiling);
    if (TILING_KEY_IS(1)) {
        KernelAdd<half, 2> op;
        op.Process();
    } else if (TILING_KEY_IS(2UL)) {
    }
}
extern "C" __global__ [aicore] void second(GM_ADDR x) {}
__global__ __vector__ void third(__gm__ float *x) {}
void launch() { add<<<8, nullptr, stream>>>(x, y, w, t); }
"""


@pytest.fixture(scope="module")
def source() -> Source:
    return Source.parse(KERNEL)


def test_entry_functions(source: Source) -> None:
    assert [(entry.name, entry.qualifiers) for entry in source.structure.entries] == [
        ("add", ("__global__", "__aicore__")),
        ("second", ("__global__", "[aicore]")),
        ("third", ("__global__", "__vector__")),
    ]
    add = source.structure.entries[0]
    assert (add.parameters[0].type, add.parameters[0].name) == ("GM_ADDR", "x")
    assert source.text[add.span.start :].startswith('extern "C" __global__')
    assert source.range(add.name_span) == Range(Position(29, 38), Position(29, 41))


def test_classes_and_stages(source: Source) -> None:
    (kernel,) = source.structure.classes
    assert (kernel.name, kernel.bases, kernel.template_parameters) == ("KernelAdd", ("Base",), ("T", "N"))
    assert [function.name for function in kernel.stages] == ["Init", "Process"]
    assert kernel.undefined == ()
    assert kernel.stages[1].template_parameters == ("T", "N")
    assert kernel.stages[0].parameters[0].type == "__gm__ uint8_t *"


def test_queues_and_buffers(source: Source) -> None:
    assert [(queue.name, queue.position, queue.depth, queue.access) for queue in source.structure.queues] == [
        ("queue", "VECIN", "2", "protected"),
        ("other", "VECIN", "2", "protected"),
        ("bind", "VECIN", "1", "protected"),
    ]
    (scratch,) = [variable for variable in source.structure.variables if variable.kind == "TBuf"]
    assert (scratch.position, scratch.is_array) == ("VECCALC", True)


def test_calls(source: Source) -> None:
    first, second = source.structure.calls_of("InitBuffer")
    assert (first.receiver, [argument.text for argument in first.arguments]) == (
        "this->pipe",
        ["queue", "2", "N * sizeof(T)"],
    )
    assert first.branches[0].statement == second.branches[0].statement
    assert first.branches[0].arm != second.branches[0].arm
    (copy,) = source.structure.calls_of("DataCopy")
    assert (copy.qualifier, copy.arguments[2].text) == ("AscendC", "{1, 2, 0, 0}")
    (deque,) = source.structure.calls_of("DeQue")
    assert (deque.receiver, deque.template_arguments) == ("queue", ("T",))


def test_loops_and_aliases(source: Source) -> None:
    (loop,) = source.structure.loops
    assert loop.variables == ("i",)
    assert source.structure.aliases == {"Wide": "float"}


def test_positions_count_code_points(source: Source) -> None:
    offset = KERNEL.index("核")
    assert source.position(offset) == Position(1, 5)
    assert source.offset(Position(1, 5)) == offset
    assert source.offset(Position(1, 999)) == KERNEL.index("\n", offset)
    assert source.offset(Position(999, 0)) == len(KERNEL)
    assert source.line_text(1) == "// 一个核函数"
    assert source.line_text(999) == ""


def test_an_edit_gives_what_parsing_whole_gives(source: Source) -> None:
    at = KERNEL.index("DataCopy")
    edited = source.edit(at, at + len("DataCopy"), "搬 DataCopyPad")
    whole = Source.parse(edited.text)
    assert str(edited.root) == str(whole.root)
    assert edited.structure == whole.structure
    assert source.text == KERNEL
    assert [call.name for call in source.structure.calls_of("DataCopy")] == ["DataCopy"]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 2000),
            st.integers(0, 40),
            st.sampled_from(["", "x", "{", "}", ";", "<<<", "//", "/*", "核\n", "\r\n", '"']),
        ),
        max_size=4,
    )
)
def test_edits_never_differ_from_parsing_whole(edits: list[tuple[int, int, str]]) -> None:
    source = Source.parse(KERNEL)
    for start, length, replacement in edits:
        start = min(start, len(source.text))
        source = source.edit(start, min(start + length, len(source.text)), replacement)
    # Error recovery may differ with the history of a tree; the parts read from a text without errors may not.
    whole = Source.parse(source.text)
    if not whole.root.has_error:
        assert source.structure == whole.structure


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, len(KERNEL)),
    st.integers(0, len(KERNEL)),
    st.sampled_from(["", "\x00", "{{{{", "<<<", "é", "#if 1\n", "template<"]),
)
def test_no_broken_kernel_is_too_much(start: int, end: int, insert: str) -> None:
    start, end = min(start, end), max(start, end)
    source = Source.parse(KERNEL[:start] + insert + KERNEL[end:])
    position = source.position(min(start + len(insert), len(source.text)))
    lint(source, DEFAULT_CHIP, path="op_kernel/op.cpp")
    document_symbols(source)
    identifier_at(source, position)
    call_at(source, position)
    completion_at(source, position)
    assert all(call.span.end <= len(source.text) for call in source.structure.calls)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "\x00\x01\x02", "(" * 5000, "{" * 5000, "\ud800", "a" * 100000, "\ufeff#include <x>\r\nint a;\r\n"],
)
def test_odd_texts_parse(text: str) -> None:
    source = Source.parse(text)
    assert source.structure.entries == ()
    assert source.edit(0, 0, "x").text == "x" + text


CLEAN = Path(__file__).parents[2] / "kernels" / "clean"


@pytest.mark.parametrize("path", sorted(CLEAN.rglob("*.cpp")), ids=lambda path: path.name)
def test_the_projects_clean_kernels_have_no_false_lint(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    findings = lint(Source.parse(text), DEFAULT_CHIP, path=path.name)
    assert [(finding.code, finding.location.range.start.line + 1) for finding in findings] == []
