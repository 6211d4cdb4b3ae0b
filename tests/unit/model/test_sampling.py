"""Draws follow the model's probabilities within what temperature, top-k and top-p leave."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kernelgen_ls.model.inference.backend import BackendError
from kernelgen_ls.model.inference.sampling import Sampler
from kernelgen_ls.model.messages import Sampling

ROW = np.log(np.array([0.5, 0.25, 0.125, 0.125], dtype=np.float32))


def draws(sampling: Sampling, row: np.ndarray = ROW, count: int = 2000) -> dict[int, float]:
    sampler = Sampler(sampling)
    found = Counter(sampler.pick(row)[0] for _ in range(count))
    return {token: number / count for token, number in found.items()}


def test_greedy_takes_the_likeliest_and_says_how_likely_it_is() -> None:
    token, logprob = Sampler(Sampling()).pick(ROW)
    assert token == 0
    assert logprob == pytest.approx(np.log(0.5), abs=1e-5)


def test_temperature_one_draws_as_the_model_says() -> None:
    found = draws(Sampling(temperature=1.0))
    assert found[0] == pytest.approx(0.5, abs=0.05)
    assert found[3] == pytest.approx(0.125, abs=0.04)


def test_a_low_temperature_sharpens() -> None:
    assert draws(Sampling(temperature=0.25))[0] > 0.9


def test_top_k_and_top_p_cut_the_tail() -> None:
    assert set(draws(Sampling(temperature=1.0, top_k=2))) == {0, 1}
    assert set(draws(Sampling(temperature=1.0, top_p=0.6))) == {0, 1}
    assert set(draws(Sampling(temperature=1.0, top_p=0.4))) == {0}


def test_a_large_vocabulary_is_cut_the_same() -> None:
    row = np.full(5000, -20.0, dtype=np.float32)
    row[[17, 4000]] = 0
    assert set(draws(Sampling(temperature=1.0, top_p=0.9), row, 200)) == {17, 4000}


@given(arrays(np.float32, 40, elements=st.floats(-30, 30, width=32)), st.integers(0, 9))
def test_what_is_drawn_is_allowed(row: np.ndarray, seed: int) -> None:
    allowed = np.array([3, 7, 11], dtype=np.intp)
    for temperature in (0.0, 0.8):
        assert Sampler(Sampling(temperature, 0.9, seed=seed)).pick(row, allowed)[0] in allowed


def test_an_output_that_is_no_number_is_an_error() -> None:
    with pytest.raises(BackendError, match="not a number"):
        Sampler(Sampling()).pick(np.full(4, np.nan, dtype=np.float32))
