"""The bound is a bound: below every published measurement, and computed from what a specification says."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.specification import Specification, SpecTensor
from kernelgen_ls.runner.estimate import TensorSize, Work, estimate, estimate_specification, work_of

ADD = [TensorSize("float16", (8192, 8192))]
PUBLISHED_US = [(1, 6909.6), (48, 306.6), (48, 268.5), (48, 264.0), (48, 187.7), (48, 184.5)]
"""Add of two 8192 x 8192 halfs on an Atlas A2, by cores used."""


@pytest.mark.parametrize(("cores", "measured"), PUBLISHED_US)
def test_no_published_measurement_is_below_the_bound(cores: int, measured: float) -> None:
    bound = estimate(work_of(ADD * 2, ADD), chip_named("Ascend910B1"), cores)
    assert bound is not None
    assert 0.5 * measured < bound.us <= measured
    assert (bound.binding, bound.cores) == ("MTE2", cores)


def test_counting_the_writes_would_have_been_no_bound() -> None:
    everything = sum(tensor.size_bytes for tensor in ADD * 3)
    assert everything / 1.6e12 * 1e6 > 184.5


def test_data_that_fits_in_the_cache_is_bound_by_the_cache() -> None:
    small = [TensorSize("float16", (1024, 1024))]
    bound = estimate(work_of(small, small), chip_named("Ascend910B1"))
    assert bound is not None and bound.us < small[0].size_bytes / 1.6e12 * 1e6
    assert any("L2" in said for said in bound.assumptions)


def test_the_pipe_with_the_most_to_do_binds() -> None:
    chip = chip_named("Ascend910B1")
    for work, pipe in [
        (Work(10**6, 0, 10**9), "vector"),
        (Work(10**6, 10**8), "MTE3"),
        (Work(10**6, 10**6, 0, 10**12), "cube"),
    ]:
        found = estimate(work, chip)
        assert found is not None and found.binding == pipe
        assert found.us == max(bound.us for bound in found.bounds)


def test_a_chip_whose_memory_is_not_known_has_no_estimate() -> None:
    assert estimate(work_of(ADD, ADD), chip_named("Ascend310P3")) is None


def test_a_specification_needs_shapes_in_numbers() -> None:
    chip = chip_named("Ascend910B1")
    known = SpecTensor("x", ("float16",), ("8192", "8192"))
    spec = Specification("Add", inputs=(known, known), outputs=(known,))
    direct = estimate(work_of(ADD * 2, ADD), chip)
    assert estimate_specification(spec, chip) == direct
    varying = SpecTensor("x", ("float16",), ("N", "8192"))
    assert estimate_specification(Specification("Add", inputs=(varying,), outputs=(known,)), chip) is None
    assert estimate_specification(Specification("Add"), chip) is None
