"""No prompt is evaluated twice, running requests keep what they need, the least recently used goes first."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelgen_ls.model.inference.sequences import ContextFullError, Sequences, Slot
from kernelgen_ls.model.state_files import StateFolder
from tests.unit.model.toy import ToyBackend


def fill(sequences: Sequences, name: str, tokens: list[int]) -> Slot:
    slot = sequences.open(name, tokens)
    for token in tokens[len(slot.tokens) :]:
        sequences.append(slot, (token,), 1)
    return slot


def test_the_least_recently_used_goes_when_sequences_run_out() -> None:
    sequences = Sequences(ToyBackend(sequences=3))
    for name in ("a", "b", "c"):
        fill(sequences, name, [1, 2, 3])
    fill(sequences, "a", [1, 2, 3])
    fill(sequences, "d", [9])
    assert sorted(slot.name for slot in sequences.live) == ["a", "c", "d"]


def test_the_least_recently_used_goes_when_cells_run_out_but_not_what_runs() -> None:
    sequences = Sequences(ToyBackend(cells=30))
    running = fill(sequences, "running", list(range(10)))
    running.pins += 1
    fill(sequences, "old", list(range(100, 110)))
    fill(sequences, "new", list(range(200, 215)))
    assert sorted(slot.name for slot in sequences.live) == ["new", "running"]
    assert sequences.evicted == 1


def test_it_says_so_when_everything_is_in_use() -> None:
    sequences = Sequences(ToyBackend(sequences=2, cells=20))
    for name in ("a", "b"):
        fill(sequences, name, [1, 2, 3]).pins += 1
    with pytest.raises(ContextFullError):
        sequences.open("c", [1])
    slot = sequences.find("a")
    assert slot is not None
    with pytest.raises(ContextFullError):
        for number in range(30):
            sequences.append(slot, (number,), 1)


def test_states_come_back_from_disk_after_a_restart(tmp_path: Path) -> None:
    tokens = [number % 250 for number in range(200)]
    before = Sequences(ToyBackend(), StateFolder(tmp_path / "model", 1 << 20))
    assert before.save(fill(before, "a", tokens))
    after = Sequences(ToyBackend(), StateFolder(tmp_path / "model", 1 << 20))
    assert after.open("b", [*tokens[:150], 1, 2]).tokens == tokens[:150]
    assert after.restored == 1


def test_a_short_or_known_state_is_not_written(tmp_path: Path) -> None:
    sequences = Sequences(ToyBackend(), StateFolder(tmp_path / "model", 1 << 20))
    assert not sequences.save(fill(sequences, "short", [1, 2, 3]))
    slot = fill(sequences, "long", list(range(150)))
    assert sequences.save(slot)
    assert not sequences.save(slot)
    sequences.cut(slot, 140)
    assert not sequences.save(slot)


def test_a_disk_that_takes_no_state_costs_nothing_and_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sequences = Sequences(ToyBackend(), StateFolder(tmp_path / "model", 1 << 20))
    (tmp_path / "model").rmdir()
    (tmp_path / "model").write_text("in the way")
    for name in ("a", "b"):
        slot = fill(sequences, name, [ord(name), *range(150)])
        assert not sequences.save(slot)
        assert len(slot.tokens) == 151
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "Not a directory" in caplog.text


def test_a_dropped_sequence_is_kept_on_disk(tmp_path: Path) -> None:
    sequences = Sequences(ToyBackend(sequences=2), StateFolder(tmp_path / "model", 1 << 20))
    fill(sequences, "a", list(range(120)))
    for name in ("b", "c"):
        fill(sequences, name, [250])
    assert sequences.find("a") is None
    assert len(sequences.open("a", list(range(120))).tokens) == 120


def test_a_damaged_state_is_of_no_consequence(tmp_path: Path) -> None:
    tokens = list(range(120))
    sequences = Sequences(ToyBackend(), StateFolder(tmp_path / "model", 1 << 20))
    sequences.save(fill(sequences, "a", tokens))
    for path in (tmp_path / "model").glob("*.state"):
        path.write_bytes(path.read_bytes()[:-3])
    again = Sequences(ToyBackend(), StateFolder(tmp_path / "model", 1 << 20))
    assert again.open("a", tokens).tokens == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcde"), st.lists(st.integers(0, 2), min_size=1, max_size=14)), max_size=25))
def test_what_a_slot_says_is_what_the_model_holds(requests: list[tuple[str, list[int]]]) -> None:
    backend = ToyBackend(cells=24, sequences=3)
    sequences = Sequences(backend)
    for name, tokens in requests:
        slot = fill(sequences, name, tokens)
        assert slot.tokens == tokens
        for live in sequences.live:
            assert [token for token, _ in backend.held[live.number]] == live.tokens
