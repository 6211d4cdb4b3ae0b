"""Which names of the interface fit a place, with the cursor written as ``|`` in a line of a kernel."""

import pytest

from kernelgen_ls.kernel.api.candidates import candidates, with_bases
from kernelgen_ls.kernel.names import completion_at
from kernelgen_ls.kernel.syntax import Source

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


def completed(line: str) -> set[str]:
    text = FRAME.format(line=line)
    source = Source.parse(text.replace("|", ""))
    context = completion_at(source, source.position(text.index("|")))
    assert context is not None
    return {entry.name for entry in candidates(context)}


@pytest.mark.parametrize(
    ("line", "there", "absent"),
    [
        ("DataC|", {"DataCopy", "DataCopyPad"}, {"AllocTensor"}),
        ("datac|", {"DataCopy", "DataCopyPad"}, set()),
        ("AscendC::Mu|", {"Mul", "Muls"}, set()),
        ("inQueue.|", {"AllocTensor", "FreeTensor", "EnQue", "DeQue"}, {"DataCopy", "InitBuffer", "GetValue"}),
        ("inQueue.Fr|", {"FreeTensor"}, {"AllocTensor"}),
        ("pipe.|", {"InitBuffer"}, {"EnQue"}),
        ("x.|", {"GetValue", "SetValue"}, {"EnQue"}),
        ("nobody.|", {"EnQue", "GetValue"}, {"DataCopy"}),
        ("DataCopy|", {"DataCopyPad"}, {"DataCopy"}),
        ("Reg::Load|", {"LoadAlign", "LoadUnAlign"}, {"LoadData"}),
        ("MicroAPI::Mask|", {"MaskReg", "MaskPattern"}, {"MaskMode"}),
    ],
)
def test_names_that_fit_the_place(line: str, there: set[str], absent: set[str]) -> None:
    found = completed(line)
    assert there <= found
    assert not absent & found


def test_where_nothing_is_written_nothing_is_offered() -> None:
    assert completed("|") == set()


def test_a_class_has_the_members_of_those_it_derives_from() -> None:
    assert {"TQue", "TQueBind"} <= with_bases("TQue")
