"""Documents: positions in every encoding, edits as a client sends them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.lsp.session.documents import Document, Documents, Encoding

TEXT = "// 向量加法 😀 kernel\nint a;\r\n\tauto 和 = x + y; // 😀😀\n\fint b;\rint c;"


def document(text: str = TEXT) -> Document:
    return Document("file:///w/k.cpp", "cpp", 1, text)


@pytest.mark.parametrize(
    ("encoding", "units"),
    [(Encoding.UTF8, 3 + 12 + 1 + 4 + 1), (Encoding.UTF16, 3 + 4 + 1 + 2 + 1), (Encoding.UTF32, 10)],
)
def test_chinese_and_emoji_before_the_cursor(encoding: Encoding, units: int) -> None:
    # The cursor before "kernel" in the first line is code point 10.
    assert document().from_client(types.Position(0, units), encoding) == Position(0, 10)
    assert document().to_client(Position(0, 10), encoding) == types.Position(0, units)


def test_lines_end_where_the_protocol_says_and_nowhere_else() -> None:
    assert [document().line(number) for number in range(6)] == [
        "// 向量加法 😀 kernel",
        "int a;",
        "\tauto 和 = x + y; // 😀😀",
        "\fint b;",
        "int c;",
        "",
    ]


@pytest.mark.parametrize("encoding", list(Encoding))
def test_a_position_out_of_range_is_moved_into_it(encoding: Encoding) -> None:
    assert document().from_client(types.Position(1, 99), encoding) == Position(1, 6)
    assert document().from_client(types.Position(99, 0), encoding) == Position(4, 6)
    assert document("").from_client(types.Position(3, 3), encoding) == Position(0, 0)


def test_a_position_inside_a_character_is_before_it() -> None:
    assert document("😀x").from_client(types.Position(0, 1), Encoding.UTF16) == Position(0, 0)
    assert document("😀x").from_client(types.Position(0, 3), Encoding.UTF8) == Position(0, 0)


@given(st.text(alphabet="aé和😀\n\r\t", max_size=60), st.sampled_from(list(Encoding)))
def test_every_offset_survives_the_round_trip(text: str, encoding: Encoding) -> None:
    doc = document(text)
    for offset in range(len(text) + 1):
        position = doc.position(offset)
        if position.column > len(doc.line(position.line)):
            continue  # between \r and \n: no position of the protocol
        assert doc.offset(position) == offset
        assert doc.from_client(doc.to_client(position, encoding), encoding) == position


@pytest.mark.parametrize("encoding", list(Encoding))
@pytest.mark.parametrize("seed", range(5))
def test_incremental_edits_give_the_text_of_the_editor(encoding: Encoding, seed: int) -> None:
    chance = random.Random(seed)
    documents = Documents()
    documents.encoding = encoding
    documents.open(types.TextDocumentItem("file:///w/k.cpp", types.LanguageKind.Cpp, 1, "int a;\n"))
    text = "int a;\n"
    for version in range(2, 200):
        doc = document(text)
        start, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        end = min(end, start + 9)
        new = "".join(chance.choice("a和😀\n {") for _ in range(chance.randrange(6)))
        span = types.Range(doc.to_client(doc.position(start), encoding), doc.to_client(doc.position(end), encoding))
        text = text[:start] + new + text[end:]
        changed = documents.change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, "file:///w/k.cpp"),
                [types.TextDocumentContentChangePartial(range=span, text=new)],
            )
        )
        assert changed is not None
        assert (changed.text, changed.version) == (text, version)


def test_a_whole_document_change() -> None:
    changed = document().changed(2, [types.TextDocumentContentChangeWholeDocument("new")], Encoding.UTF16)
    assert (changed.text, changed.version) == ("new", 2)


def test_half_a_character_becomes_a_replacement_of_the_same_width() -> None:
    changed = document("").changed(
        2, [types.TextDocumentContentChangeWholeDocument("a\ud83db\ud83d\ude00")], Encoding.UTF16
    )
    assert changed.text == "a\ufffdb😀"


def test_a_changed_document_is_no_longer_current() -> None:
    documents = Documents()
    first = documents.open(types.TextDocumentItem("file:///w/k.cpp", types.LanguageKind.Cpp, 1, "a"))
    assert documents.current(first)
    documents.change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(2, first.uri), [types.TextDocumentContentChangeWholeDocument("b")]
        )
    )
    assert not documents.current(first)
    documents.close(first.uri)
    assert documents.get(first.uri) is None


def test_an_edit_of_a_document_that_was_never_opened_is_ignored() -> None:
    assert (
        Documents().change(types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(1, "x"), [])) is None
    )
