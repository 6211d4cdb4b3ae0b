"""The pairs of defects and findings: made in chunks, so that a stopped run loses little."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from kernelgen_ls.training import pipeline
from kernelgen_ls.training.pipeline import Folder, make_pairs, read_pairs


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "PAIRS_CHUNK", 3)


def test_an_interrupted_run_goes_on_and_ends_with_the_same_pairs(tmp_path: Path) -> None:
    whole, stopped = Folder(tmp_path / "whole"), Folder(tmp_path / "stopped")
    whole.root.mkdir()
    stopped.root.mkdir()
    assert list(make_pairs(whole, "train", 5, seed=4))[-1] == 5
    assert list(islice(make_pairs(stopped, "train", 5, seed=4), 2)) == [0, 3]
    assert len(read_pairs(stopped, "train")) == 3
    assert list(make_pairs(stopped, "train", 5, seed=4, workers=2)) == [3, 5]
    assert read_pairs(stopped, "train") == read_pairs(whole, "train")


def test_test_operators_have_pairs_of_their_own(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for split in ("train", "test"):
        list(make_pairs(folder, split, 4, seed=4))
    train, test = read_pairs(folder, "train"), read_pairs(folder, "test")
    assert not {pair[1] for pair in train} & {pair[1] for pair in test}
    assert all(broken != clean and message for _, clean, broken, _, message in train + test)
