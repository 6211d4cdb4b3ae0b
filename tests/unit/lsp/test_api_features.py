"""What the features make of the API table and of ghost text in the protocol's types."""

import pytest
from lsprotocol import types

from kernelgen_ls.kernel import api
from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.lsp.features.completion import ghost_item
from kernelgen_ls.lsp.features.signature_help import help_for
from kernelgen_ls.lsp.session.documents import Document, Encoding
from kernelgen_ls.model.completion.document import Completion
from kernelgen_ls.model.messages import StopReason


@pytest.mark.parametrize(("name", "argument"), [("Add", 0), ("Add", 2), ("DataCopyPad", 2), ("InitBuffer", 2)])
def test_a_parameter_is_found_in_the_label_of_its_signature(name: str, argument: int) -> None:
    entry = api.lookup(name)
    assert entry is not None
    found = help_for(entry, argument, markup=types.MarkupKind.Markdown)
    assert found is not None
    assert found.active_parameter == argument
    assert found.active_signature is not None
    shown = found.signatures[found.active_signature]
    assert shown.parameters
    for parameter in shown.parameters:
        assert isinstance(parameter.label, str)
        assert parameter.label in shown.label


@pytest.mark.parametrize(
    ("written", "filter_text"),
    [("x = Data", "Data"), ("Add(x, ", "Add(x,"), ("", "Add(z, x, y, n);"), ("    ", "Add(z, x, y, n);")],
)
def test_ghost_text_in_the_list_is_filtered_by_the_word_before_the_cursor(written: str, filter_text: str) -> None:
    position = Position(0, len(written))
    text = "Add(z, x, y, n);"
    found = Completion("1", "k.cpp", 1, text, Range(position, position), "model", StopReason.END)
    item = ghost_item(found, Document("file:///k.cpp", "cpp", 1, written), position, Encoding.UTF16)
    assert item.filter_text == filter_text
