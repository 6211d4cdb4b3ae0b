"""The bound is a bound: below every published measurement, and computed from what a specification says."""

from __future__ import annotations

import pytest
from attrs import evolve

from kernelgen_ls.kernel.chips import CHIPS, Architecture, Chip, chip_named
from kernelgen_ls.kernel.spec.specification import Specification, SpecTensor
from kernelgen_ls.runner.jobs.messages import Latency
from kernelgen_ls.work.estimate import (
    Estimate,
    NoEstimate,
    TensorSize,
    Work,
    blocks_of,
    estimate,
    estimate_measured,
    estimate_specification,
    work_of,
)

SHAPELESS = NoEstimate("the specification names no shapes in numbers")
ADD = [TensorSize("float16", (8192, 8192))]
PUBLISHED_US = [(1, 6909.6), (48, 306.6), (48, 268.5), (48, 264.0), (48, 187.7), (48, 184.5)]
"""Add of two 8192 x 8192 halfs on an Atlas A2, by cores used."""


@pytest.mark.parametrize(("cores", "measured"), PUBLISHED_US)
def test_no_published_measurement_is_below_the_bound(cores: int, measured: float) -> None:
    bound = estimate(work_of(ADD * 2, ADD), chip_named("Ascend910B1"), cores)
    assert isinstance(bound, Estimate)
    assert 0.5 * measured < bound.us <= measured
    assert (bound.binding, bound.cores) == ("MTE2", cores)


def test_counting_the_writes_would_have_been_no_bound() -> None:
    everything = sum(tensor.size_bytes for tensor in ADD * 3)
    assert everything / 1.6e12 * 1e6 > 184.5


def test_data_that_fits_in_the_cache_is_bound_by_the_cache() -> None:
    small = [TensorSize("float16", (1024, 1024))]
    bound = estimate(work_of(small, small), chip_named("Ascend910B1"))
    assert isinstance(bound, Estimate) and bound.us < small[0].size_bytes / 1.6e12 * 1e6
    assert any("L2" in said for said in bound.assumptions)


def test_the_pipe_with_the_most_to_do_binds() -> None:
    chip = chip_named("Ascend910B1")
    for work, pipe in [
        (Work(10**6, 0, 10**9), "vector"),
        (Work(10**6, 10**8), "MTE3"),
        (Work(10**6, 10**6, 0, 10**12), "cube"),
    ]:
        found = estimate(work, chip)
        assert isinstance(found, Estimate) and found.binding == pipe
        assert found.us == max(bound.us for bound in found.bounds)


def test_a_chip_whose_memory_is_not_known_has_no_estimate() -> None:
    for chip in CHIPS:
        found = estimate(work_of(ADD, ADD), chip)
        known = chip.architecture is Architecture.DAV_2201
        assert isinstance(found, Estimate if known else NoEstimate)
        if isinstance(found, NoEstimate):
            assert found.of_chip and chip.soc in found.reason


def test_a_specification_needs_shapes_in_numbers() -> None:
    chip = chip_named("Ascend910B1")
    known = SpecTensor("x", ("float16",), ("8192", "8192"))
    spec = Specification("Add", inputs=(known, known), outputs=(known,))
    direct = estimate(work_of(ADD * 2, ADD), chip)
    assert estimate_specification(spec, chip) == direct
    varying = SpecTensor("x", ("float16",), ("N", "8192"))
    assert estimate_specification(Specification("Add", inputs=(varying,), outputs=(known,)), chip) == SHAPELESS
    assert estimate_specification(Specification("Add"), chip) == SHAPELESS


def test_the_cores_that_op_host_asks_for_are_the_bounds() -> None:
    host = "constexpr uint32_t BLOCKS = 8;\nvoid T(C *context) { context->SetBlockDim(%s); }\n"
    assert blocks_of({"a.cpp": host % "BLOCKS"}, {"BLOCKS": 8}) == 8
    assert blocks_of({"a.cpp": host % "4"}, {}) == 4
    assert blocks_of({"a.cpp": host % "cores"}, {}) is None
    assert blocks_of({"a.cpp": host % "4", "b.cpp": host % "8"}, {}) is None
    assert blocks_of({"a.cpp": host % "platform.GetCoreNumAiv()"}, {}) is None


@pytest.mark.parametrize("chip", [chip for chip in CHIPS if chip.architecture is Architecture.DAV_2201])
def test_no_chip_of_the_family_is_given_more_than_was_measured(chip: Chip) -> None:
    """The published figures name an Atlas A2 and no SoC: whichever it was, its bound is below them."""
    for cores, measured in PUBLISHED_US:
        bound = estimate(work_of(ADD * 2, ADD), chip, cores)
        assert isinstance(bound, Estimate)
        assert bound.us <= measured


def test_a_measured_case_has_the_bound_of_its_own_sizes_chip_and_cores() -> None:
    size = ADD[0].size_bytes
    measured = Latency((268.5,), soc="Ascend910B1", block_dim=48, read_bytes=2 * size, write_bytes=size)
    assert estimate_measured(measured) == estimate(Work(2 * size, size), chip_named("Ascend910B1"), 48)
    alone = estimate_measured(evolve(measured, block_dim=1))
    assert isinstance(alone, Estimate) and 3000 < alone.us <= 6909.6
    assert isinstance(estimate_measured(evolve(measured, soc="Ascend310P3")), NoEstimate)
    assert estimate_measured(evolve(measured, read_bytes=0, write_bytes=0)) is None
