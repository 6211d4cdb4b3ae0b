"""Healing, partial characters and spelled-out special tokens."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.model.inference.vocabulary import Detokenizer, blocks, broken_up
from tests.unit.model.toy import THINK, ToyBackend


@given(st.text(max_size=30), st.data())
def test_text_comes_out_whole_however_its_bytes_are_cut(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=6)))
    detokenizer = Detokenizer()
    ends = [0, *cuts, len(raw)]
    assert "".join(detokenizer.feed(raw[a:b]) for a, b in itertools.pairwise(ends)) == text


def test_the_healed_start_is_dropped_across_pieces() -> None:
    detokenizer = Detokenizer(drop=len("元素".encode()))
    raw = "元素相".encode()
    assert "".join(detokenizer.feed(raw[at : at + 1]) for at in range(len(raw))) == "相"


@given(st.lists(st.sampled_from(["a", "b", " ", "\n", "\n\n"]), max_size=60).map("".join), st.text("ab\n ", max_size=9))
def test_blocks_are_the_text_and_stay_the_same_when_it_grows(text: str, more: str) -> None:
    before, after = blocks(text, 4), blocks(text + more, 4)
    assert "".join(before) == text
    assert after[: max(len(before) - 1, 0)] == before[:-1]
    assert all(block.endswith("\n") and not follows[0].isspace() for block, follows in itertools.pairwise(before))


@given(st.text(alphabet="</think>ab", max_size=30))
def test_no_part_spells_a_special_token_and_nothing_is_lost(text: str) -> None:
    parts = broken_up(text, ("</think>", "<think>"))
    assert "".join(parts) == text
    assert not any("</think>" in part or "<think>" in part for part in parts)


@pytest.mark.parametrize(
    ("text", "tail"),
    [
        ("x =Data", b"Data"),
        ("x =Dat", b"Dat"),
        ("x = DataCo", b"Co"),
        ("f(x);", b");"),
        ("f(x)", b")"),
        ("x  ", b"  "),
        ("x9", b""),
    ],
)
def test_what_is_backed_up(text: str, tail: bytes) -> None:
    backend = ToyBackend()
    tokens = backend.tokenize(text, False)
    healing = backend.vocabulary.heal(tokens, 0)
    assert healing.tail == tail
    assert backend.spell(tokens[: healing.keep]) + healing.tail == text.encode()


@given(st.text(alphabet="Datp .Ini();\n", min_size=1, max_size=20), st.integers(0, 20))
def test_what_is_kept_and_the_tail_are_the_text(text: str, first: int) -> None:
    backend = ToyBackend()
    tokens = backend.tokenize(text, False)
    healing = backend.vocabulary.heal(tokens, min(first, len(tokens)))
    assert healing.keep >= min(first, len(tokens))
    assert len(tokens) - healing.keep <= 3
    assert backend.spell(tokens[: healing.keep]) + healing.tail == text.encode()


@given(st.sampled_from([b"Da", b"Data", b"DataC", b" ", b"  ", b".I", b")", b"\xe5"]))
def test_allowed_tokens_agree_with_the_tail_and_special_ones_are_never_among_them(tail: bytes) -> None:
    vocabulary = ToyBackend().vocabulary
    allowed = set(vocabulary.continuing(tail).tolist())
    for token, piece in enumerate(vocabulary.pieces):
        agrees = bool(piece) and (piece.startswith(tail) or tail.startswith(piece))
        assert (token in allowed) == (agrees and token != THINK)
