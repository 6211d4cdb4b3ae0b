"""Code that attrs wrote is compiled once and kept; a damaged file only costs time."""

from __future__ import annotations

from pathlib import Path

import attr._make
import attrs
import pytest

from kernelgen_ls.lsp.transport import fast_start


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "kept.bin"
    monkeypatch.setattr(fast_start, "_file", lambda: path)
    return path


def made() -> type:
    with fast_start.kept_code():
        return attrs.make_class("Zephyr", ["brumal", "cairn"], frozen=True)


def test_the_second_start_takes_the_first_one_s_code(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = made()
    data = kept.read_bytes()
    monkeypatch.setattr(fast_start, "compile", _never, raising=False)
    second = made()
    assert repr(second(1, 2)) == repr(first(1, 2)) == "Zephyr(brumal=1, cairn=2)"
    assert kept.read_bytes() == data


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-9], lambda data: b"", lambda data: data[:40] + b"x" + data[41:]]
)
def test_a_damaged_file_is_written_again(kept: Path, damage: object) -> None:
    made()
    data = kept.read_bytes()
    assert callable(damage)
    kept.write_bytes(damage(data))
    assert repr(made()(1, 2)) == "Zephyr(brumal=1, cairn=2)"
    assert kept.read_bytes() == data


def test_attrs_is_left_as_it_was() -> None:
    made()
    assert "compile" not in vars(attr._make)


def _never(*_: object) -> None:
    raise AssertionError("compiled again")
