"""A malformed model is refused with a reason before llama.cpp sees it, whatever its bytes are."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelgen_ls.model.gguf_file import GgufError, check, read


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def entry(key: str, value: object) -> bytes:
    match value:
        case bool():
            return text(key) + struct.pack("<I?", 7, value)
        case int():
            return text(key) + struct.pack("<Iq", 11, value)
        case float():
            return text(key) + struct.pack("<If", 6, value)
        case str():
            return text(key) + struct.pack("<I", 8) + text(value)
        case list():
            return text(key) + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))
    raise TypeError(value)


GOOD: Mapping[str, object] = {
    "general.architecture": "qwen3",
    "general.name": "toy",
    "qwen3.block_count": 2,
    "qwen3.embedding_length": 8,
    "qwen3.context_length": 64,
    "qwen3.attention.head_count": 2,
    "qwen3.attention.head_count_kv": 1,
    "qwen3.attention.layer_norm_rms_epsilon": 1e-6,
    "qwen3.rope.freq_base": 10000.0,
    "tokenizer.ggml.tokens": ["a", "b", "c", "d"],
}
TENSORS = (("token_embd.weight", (8, 4)), ("blk.0.ffn.weight", (8, 8)), ("blk.1.ffn.weight", (8, 8)))


def model(
    changes: Mapping[str, object] | None = None, tensors: tuple[tuple[str, tuple[int, ...]], ...] = TENSORS
) -> bytes:
    values = {**GOOD, **(changes or {})}
    values = {key: value for key, value in values.items() if value is not None}
    infos, offset = b"", 0
    for name, shape in tensors:
        infos += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, offset)
        offset += -(-math.prod(shape) * 4 // 32) * 32
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values))
    head += b"".join(entry(key, value) for key, value in values.items()) + infos
    return head + bytes(-len(head) % 32) + bytes(offset)


def refusal(tmp_path: Path, content: bytes) -> str:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(GgufError) as error:
        check(path)
    return str(error.value)


def test_a_good_file(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(model())
    file = check(path)
    assert (file.architecture, file.name, file.layers, file.vocabulary, file.context) == ("qwen3", "toy", 2, 4, 64)
    assert file.parameters == 160
    assert file.cell_bytes == 2 * 1 * 8 * 2
    assert file.quantisation == "F32"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"GGUF", "4 bytes"),
        (b"garbage " * 100, "first bytes"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0) + bytes(99), "version 1"),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 0) + bytes(99), "big-endian"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 0) + bytes(99), "impossible number"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1 << 40) + bytes(99), "impossible length"),
        (model()[:-1], "cut short"),
        (model()[:100], "cut short"),
        (model({"general.architecture": "clip"}), "does not write text"),
        (model({"general.architecture": None}), "architecture"),
        (model({"qwen3.block_count": 0}), "block_count is 0"),
        (model({"qwen3.block_count": 1000}), "layers"),
        (model({"qwen3.block_count": 3}), "holds 2"),
        (model({"qwen3.attention.layer_norm_rms_epsilon": math.nan}), "epsilon is nan"),
        (model({"qwen3.attention.head_count": 0}), "head_count is 0"),
        (model({"qwen3.attention.head_count_kv": 7}), "head_count_kv is 7"),
        (model({"qwen3.rope.freq_base": math.inf}), "freq_base is inf"),
        (model({"tokenizer.ggml.tokens": ["a"]}), "embeddings for 4"),
        (model({"tokenizer.ggml.tokens": None}), "no vocabulary"),
        (model({"tokenizer.ggml.tokens": ["a", "b", "b", "d"]}), "token twice"),
        (model({"general.alignment": 3}), "alignment"),
        (model(tensors=()), "no weights"),
        (model({"split.count": 3}), "parts"),
    ],
)
def test_a_bad_file_is_refused_with_its_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    assert reason in refusal(tmp_path, content)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.gguf", tmp_path):
        with pytest.raises(GgufError):
            check(path)


def test_all_parts_of_a_split_model_are_checked(tmp_path: Path) -> None:
    first = tmp_path / "m-00001-of-00002.gguf"
    first.write_bytes(model({"split.count": 2}))
    with pytest.raises(GgufError, match="m-00002-of-00002"):
        check(first)
    (tmp_path / "m-00002-of-00002.gguf").write_bytes(model({"split.count": 2}))
    assert len(check(first).parts) == 2


def test_the_fingerprint_follows_the_content(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(model())
    before = read(path).fingerprint
    path.write_bytes(model()[:-64] + bytes(range(64)))
    assert read(path).fingerprint != before


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_bytes_do_anything_but_raise_the_one_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    good = bytearray(model())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(good) - 1))
        good[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=12))
    path = tmp_path_factory.getbasetemp() / "fuzz.gguf"
    path.write_bytes(good[: data.draw(st.integers(0, len(good)))] if data.draw(st.booleans()) else good)
    try:
        check(path)
    except GgufError as error:
        assert str(error)
