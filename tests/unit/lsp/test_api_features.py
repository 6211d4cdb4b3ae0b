"""Completion and signature help over the API table, as text."""

import pytest

from kernelgen_ls.kernel import api
from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.names import call_at
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.lsp.features.completion import context_at, fits, with_bases
from kernelgen_ls.lsp.features.signature_help import help_for, written_parameters

FRAME = """#include "kernel_operator.h"
using namespace AscendC;
class K {{
    __aicore__ inline void Compute() {{
        LocalTensor<half> x = inQueue.DeQue<half>();
        {line}
    }}
    TQue<QuePosition::VECIN, 2> inQueue;
    TPipe pipe;
}};
"""


def at_cursor(line: str) -> tuple[Source, Position]:
    text = FRAME.format(line=line)
    offset = text.index("|")
    source = Source.parse(text.replace("|", ""))
    return source, source.position(offset)


def completed(line: str) -> set[str]:
    context = context_at(*at_cursor(line))
    assert context is not None
    prefix = context.prefix.lower()
    return {one.name for one in api.all_entries() if one.name.lower().startswith(prefix) and fits(one, context)}


@pytest.mark.parametrize(
    ("line", "there", "absent"),
    [
        ("DataC|", {"DataCopy", "DataCopyPad"}, {"AllocTensor"}),
        ("AscendC::Mu|", {"Mul", "Muls"}, set()),
        ("inQueue.|", {"AllocTensor", "FreeTensor", "EnQue", "DeQue"}, {"DataCopy", "InitBuffer", "GetValue"}),
        ("inQueue.Fr|", {"FreeTensor"}, {"AllocTensor"}),
        ("pipe.|", {"InitBuffer"}, {"EnQue"}),
        ("x.|", {"GetValue", "SetValue"}, {"EnQue"}),
    ],
)
def test_names_that_fit_the_place(line: str, there: set[str], absent: set[str]) -> None:
    found = completed(line)
    assert there <= found
    assert not absent & found


def test_a_class_has_the_members_of_those_it_derives_from() -> None:
    assert {"TQue", "TQueBind"} <= with_bases("TQue")


@pytest.mark.parametrize(
    ("line", "name", "active"),
    [
        ("Add(|", "Add", 0),
        ("Add(x, x, |x, 8);", "Add", 2),
        ("DataCopyPad(x, gm[Min(1, 2)], |", "DataCopyPad", 2),
        ("pipe.InitBuffer(inQueue, 2, |", "InitBuffer", 2),
    ],
)
def test_the_parameter_at_the_cursor(line: str, name: str, active: int) -> None:
    call = call_at(*at_cursor(line))
    assert call is not None
    entry = api.lookup(call.name)
    assert entry is not None
    found = help_for(entry, call, markdown=True)
    assert found is not None
    assert call.name == name
    assert found.active_parameter == active
    assert found.active_signature is not None
    shown = found.signatures[found.active_signature]
    for parameter in shown.parameters or ():
        assert isinstance(parameter.label, str)
        assert parameter.label in shown.label


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("void F(int a, Pair<int, B> b = {1, 2})", ["int a", "Pair<int, B> b = {1, 2}"]),
        ("template <typename T> void F(T x[], void (*f)(int, int))", ["T x[]", "void (*f)(int, int)"]),
        ("void F()", []),
        ("class F", []),
    ],
)
def test_parameters_as_they_are_written(text: str, parameters: list[str]) -> None:
    assert written_parameters(text, "F") == parameters
