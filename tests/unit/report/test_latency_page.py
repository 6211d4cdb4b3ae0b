"""The latency hover: a figure says what it is."""

import base64
import re

import pytest
from attrs import evolve

from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.report.latency_page import Entry, Reading, age, page, summary
from kernelgen_ls.runner.jobs.messages import Latency, LatencyKind, LineCost, PipeTime
from kernelgen_ls.work.estimate import Bound, Estimate
from kernelgen_ls.work.history import Measured

ENTRY = Entry("add_custom", Range(Position(3, 5), Position(3, 15)))
LATENCY = Latency(
    samples_us=(12.0, 12.3, 12.4, 12.2, 12.3),
    case="0",
    pipes=(PipeTime("VECTOR", 3.1, 0.25), PipeTime("MTE2", 9.8, 0.8)),
    soc="Ascend910B1",
    cann="8.0.RC3",
    current_mhz=1800,
    rated_mhz=1850,
    taken_at=1000.0,
)
ESTIMATE = Estimate(4.1, "MTE2", (Bound("MTE2", 4.1),), "Ascend910B1", 40, ("all 40 cores",))
MEASURED = Reading(ENTRY, Measured("hash", "board", LATENCY))


def shown(reading: Reading, *, images: bool = False) -> str:
    return page(reading, images=images, now=1000.0 + 7200)


def test_a_measurement_says_where_when_and_how() -> None:
    text = shown(MEASURED)
    assert "**12.30 us** measured (median of 5, spread 0.10 us), on board, Ascend910B1, CANN 8.0.RC3" in text
    assert "1800 of 1850 MHz, case 0, 2 hours ago" in text
    assert "1800 of 1850 MHz" in text
    assert "| MTE2 (binds) | 9.80 | 80% |" in text
    assert "Stale" not in text
    assert "stimate" not in text


def test_what_is_to_be_known_of_the_tool_chain_stands_beside_the_figure() -> None:
    unconfirmed = Measured("hash", "board", evolve(LATENCY, caveat="It awaits confirmation on hardware."))
    assert "*It awaits confirmation on hardware.*" in shown(evolve(MEASURED, measured=unconfirmed))


def test_a_stale_measurement_is_called_stale() -> None:
    stale = evolve(MEASURED, stale=True)
    assert "Stale" in shown(stale)
    assert summary(stale) == "12.3 us, stale"


def test_the_change_against_the_measurement_before() -> None:
    slower = evolve(MEASURED, before=Measured("old", "board", evolve(LATENCY, samples_us=(11.0,))))
    assert "11.8% slower than the one before (11.00 us)" in shown(slower)
    assert summary(slower) == "12.3 us (+12 %)"
    other_chip = evolve(MEASURED, before=Measured("old", "board", evolve(LATENCY, soc="Ascend310P3")))
    assert "than the one before" not in shown(other_chip)


@pytest.mark.parametrize("kind", list(LatencyKind))
def test_no_kind_of_figure_is_shown_as_another(kind: LatencyKind) -> None:
    reading = evolve(MEASURED, measured=Measured("hash", "board", evolve(LATENCY, kind=kind)), estimate=ESTIMATE)
    text = shown(reading)
    assert f"us** {kind.value} " in text
    assert ("The measurement is 3.0 times that" in text) is (kind is LatencyKind.MEASURED)


def test_an_estimate_is_called_an_estimate() -> None:
    reading = Reading(ENTRY, estimate=ESTIMATE)
    assert "*Estimate:* at least 4.10 us on Ascend910B1, bound by MTE2 (all 40 cores)" in shown(reading)
    assert "measured" not in shown(reading)
    assert summary(reading) == "estimate: at least 4.1 us"


def test_a_simulated_figure_says_so_and_shows_what_its_lines_cost() -> None:
    lines = (LineCost("op_kernel/add.cpp", 17, 5.5, 40), LineCost("op_kernel/part.h", 2, 1.25, 8))
    simulated = evolve(LATENCY, kind=LatencyKind.SIMULATED, samples_us=(12.0,), lines=lines, current_mhz=None)
    reading = evolve(MEASURED, measured=Measured("hash", "board", simulated), path="op_kernel/add.cpp")
    text = shown(reading)
    assert "**12.00 us** simulated (one launch in the vendor's simulator, not on a device), on board" in text
    assert "| 18 | 5.50 | 40 |" in text and "| part.h:3 | 1.25 | 8 |" in text
    assert "measured" not in text and "median" not in text
    assert summary(reading) == "12.0 us simulated"


def test_a_chip_whose_rates_are_not_known_has_no_estimate_and_says_why() -> None:
    text = shown(Reading(ENTRY, no_estimate="what Ascend310P3 does at most is not publicly known"))
    assert "*No estimate:* what Ascend310P3 does at most is not publicly known." in text


def test_nothing_known_is_nothing_said() -> None:
    assert shown(Reading(ENTRY)) == ""
    assert summary(Reading(ENTRY)) == ""


def test_the_chart_is_an_image_with_a_bar_for_each_pipe() -> None:
    found = re.search(r"data:image/svg\+xml;base64,([\w+/=]+)", shown(MEASURED, images=True))
    assert found is not None
    svg = base64.b64decode(found.group(1)).decode()
    assert svg.count("<rect") == 2
    assert "base64" not in shown(MEASURED)


@pytest.mark.parametrize(
    ("seconds", "words"), [(5, "just now"), (60, "1 minute ago"), (7300, "2 hours ago"), (90000, "1 day ago")]
)
def test_ages_in_words(seconds: float, words: str) -> None:
    assert age(seconds) == words
