"""The typing trace writes exactly the kernel it was made from."""

from kernelgen_ls.bench.typing import KERNEL
from kernelgen_ls.bench.typing_trace import BLOCKS, Kind, typing_trace


def test_the_trace_ends_with_the_kernel() -> None:
    kernel = KERNEL.read_text("utf-8")
    trace = typing_trace(kernel, lines=40)
    assert trace.steps[-1].text == kernel
    assert len(trace.start.split("\n")) == len(kernel.split("\n")) - 40
    kinds = [step.kind for step in trace.steps]
    assert kinds.count(Kind.FIRST) == BLOCKS
    assert 0.02 < kinds.count(Kind.DELETED) / len(kinds) < 0.08


def test_each_step_is_one_change_of_the_step_before() -> None:
    trace = typing_trace(KERNEL.read_text("utf-8"), lines=8)
    text = trace.start
    for step in trace.steps:
        start, end, inserted = step.change
        text = text[:start] + inserted + text[end:]
        assert text == step.text
        assert step.offset == start + len(inserted)
