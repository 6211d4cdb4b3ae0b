"""A vocabulary of SentencePiece's kind, which sets a space before every text that it is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernelgen_ls.model.messages import Segment
from kernelgen_ls.testing import make_gguf
from kernelgen_ls.testing.make_gguf import Tokenizer, write_model
from tests.e2e.model.conftest import Open

pytestmark = pytest.mark.engine

UNKNOWN, CONTROL, BYTE, NORMAL = 2, 3, 6, 1
WORDS = ["▁", *map(chr, range(33, 127)), "▁int", "int", "in", "▁i", "▁▁", "▁a"]
TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "[INST]", "[/INST]", *WORDS]
KINDS = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, CONTROL, CONTROL, *[NORMAL] * len(WORDS)]


def add_tokenizer(writer: Any, tokenizer: Tokenizer) -> None:
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(list(tokenizer.tokens))
    writer.add_token_types(list(tokenizer.kinds))
    writer.add_token_scores([-float(number) for number in range(len(tokenizer.tokens))])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(True)


async def test_a_prompt_in_pieces_is_the_text_it_spells(
    open_engine: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_gguf, "_add_tokenizer", add_tokenizer)
    path = tmp_path / "spm.gguf"
    write_model(path, "tiny", "f16", Tokenizer(tuple(TOKENS), tuple(KINDS), (), "{{ messages[0].content }}"))
    engine = await open_engine(path)
    pieces = ("int [INST]", "", "\n  a", "é")
    prompt = (Segment("<s>[INST] ", special=True), *map(Segment, pieces), Segment("[/INST] int", special=True))
    tokens = await engine.tokenize(prompt)
    first, last = tokens.pieces.index("int"), tokens.pieces.index("[/INST]")
    assert tokens.pieces[:first] == ("<s>", "[INST]", " ")
    assert tokens.pieces[last:] == ("[/INST]", " int")
    assert "[INST]" not in tokens.pieces[first:last], "the user's text made a special token"
    assert "".join(tokens.pieces[first : last - 2]) == "int [INST]\n  a", "no space was set before a piece"
    assert (await engine.tokenize((Segment("int"),))).pieces == ("<s>", "int")
