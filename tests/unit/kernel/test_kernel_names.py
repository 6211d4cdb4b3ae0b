"""What stands under the cursor, with the cursor written as ``|`` in the text."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.names import (
    SymbolKind,
    call_at,
    completion_at,
    document_symbols,
    identifier_at,
)
from kernelgen_ls.kernel.syntax import Source

KERNEL = """\
#include "kernel_operator.h"
template <typename T>
class KernelAdd {
public:
    __aicore__ inline KernelAdd() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) { pipe.InitBuffer(queue, 2, 32); }
    __aicore__ inline void CopyInPad(uint32_t i) {
        AscendC::LocalTensor<T> x = queue.AllocTensor<T>();
        auto y = this->queue.template DeQue<T>();
        BODY
    }

private:
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> queue, many[3];
    AscendC::TBuf<> scratch;
};
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y) {
    KernelAdd<half> op;
}
"""


def at_cursor(body: str) -> tuple[Source, object]:
    text = KERNEL.replace("BODY", body)
    offset = text.index("|")
    source = Source.parse(text.replace("|", "", 1))
    return source, source.position(offset)


def check_call(body: str) -> str:
    source, position = at_cursor(body)
    call = call_at(source, position)
    if call is None:
        return ""
    owner = f"{call.qualifier}::" if call.qualifier else f"{call.receiver}." if call.receiver else ""
    return f"{owner}{call.name}/{call.argument}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("DataCopy(|", "DataCopy/0"),
        ("AscendC::DataCopy(x, y, |)", "AscendC::DataCopy/2"),
        ("AscendC::Add<T, true>(x, |", "AscendC::Add/1"),
        ("DataCopyPad(x, y, {1, 2, |}, p);", "DataCopyPad/2"),
        ("queue.EnQue(|);", "queue.EnQue/0"),
        ("this->pipe.InitBuffer(queue, |", "this->pipe.InitBuffer/1"),
        ("Add(x, Min(a, b), |", "Add/2"),
        ("Add(x, Min(a, |b), c", "Min/1"),
        ('Log("a, b", |', "Log/1"),
        ("Add(x, // first, second\n |", "Add/1"),
        ("return Foo(1, |", "Foo/1"),
        ("if (|", ""),
        ("Add(x, y);|", ""),
        ("DataCopyParams params(1, |", "DataCopyParams/1"),
        ("q.template DeQue<T>(|", "q.DeQue/0"),
    ],
)
def test_the_call_around_the_cursor(body: str, expected: str) -> None:
    assert check_call(body) == expected


def test_a_declaration_is_not_a_call() -> None:
    source = Source.parse("__aicore__ inline void Init(GM_ADDR x, ")
    assert call_at(source, source.position(len(source.text))) is None


def check_identifier(body: str) -> str:
    source, position = at_cursor(body)
    found = identifier_at(source, position)
    if found is None:
        return ""
    owner = f"{found.qualifier}::" if found.qualifier else f"{found.receiver}." if found.receiver else ""
    return owner + found.name


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("AscendC::Data|Copy(x, y, 8);", "AscendC::DataCopy"),
        ("DataCopy|(x, y, 8);", "DataCopy"),
        ("this->queue.En|Que(x);", "this->queue.EnQue"),
        ("many[i + 1].Free|Tensor(x);", "many[i + 1].FreeTensor"),
        ("// Data|Copy", ""),
        ('Log("Data|Copy");', ""),
        ("/* Data|Copy */", ""),
        ("int n = 12|;", ""),
        ("中文 + A|dd(x);", "Add"),
    ],
)
def test_the_name_under_the_cursor(body: str, expected: str) -> None:
    assert check_identifier(body) == expected


def check_completion(body: str) -> str | None:
    source, position = at_cursor(body)
    found = completion_at(source, position)
    if found is None:
        return None
    return f"{found.qualifier}|{found.receiver}|{found.receiver_kind}|{found.prefix}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Dat|", "|||Dat"),
        ("AscendC::|", "AscendC|||"),
        ("queue.|", "|queue|TQue|"),
        ("many[2].De|", "|many[2]|TQue|De"),
        ("x.Get|", "|x|LocalTensor|Get"),
        ("y.|", "|y|LocalTensor|"),
        ("scratch.|", "|scratch|TBuf|"),
        ("this->pipe.Init|", "|this->pipe|TPipe|Init"),
        ("queue.DeQue<T>().|", "|queue.DeQue<T>()|LocalTensor|"),
        ("nobody.|", "|nobody||"),
        ("// Dat|", None),
        ('Log("Dat|");', None),
        ('Log("Dat|', None),
        ("n = 12|", None),
    ],
)
def test_what_may_be_completed(body: str, expected: str | None) -> None:
    assert check_completion(body) == expected


def test_nothing_completes_on_an_include_line() -> None:
    source = Source.parse("#include <kern")
    assert completion_at(source, source.position(len(source.text))) is None


def test_the_outline_names_entries_classes_queues_and_stages() -> None:
    source = Source.parse(KERNEL.replace("BODY", ""))
    outline = document_symbols(source)
    assert [(symbol.name, symbol.kind) for symbol in outline] == [
        ("KernelAdd", SymbolKind.CLASS),
        ("add", SymbolKind.ENTRY),
    ]
    assert [(symbol.name, symbol.kind.value) for symbol in outline[0].children] == [
        ("KernelAdd", "method"),
        ("Init", "stage"),
        ("CopyInPad", "stage"),
        ("queue", "queue"),
        ("many", "queue"),
        ("scratch", "buffer"),
    ]
    assert outline[1].detail == "(x, y)"
    assert outline[1].range.start.line == 17


def test_a_method_defined_outside_its_class_stands_beside_it() -> None:
    source = Source.parse("class K { void F(); };\n__aicore__ inline void K::F() {}\n")
    assert [(symbol.name, symbol.kind.value) for symbol in document_symbols(source)] == [
        ("K", "class"),
        ("F", "method"),
    ]
