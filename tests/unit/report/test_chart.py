"""Charts are sound XML, say every text whole or cut before it was escaped, and colour the row they are told to."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.report.chart import MARKED, PLAIN, Axis, Bar, Dot, Series, bars, lines, round_powers, round_ticks
from kernelgen_ls.report.latency_chart import page, pipes_svg
from kernelgen_ls.report.units import count_text, size_text
from kernelgen_ls.runner.jobs.messages import Latency, PipeTime
from kernelgen_ls.training.curve import Point, curve_svg

SVG = "{http://www.w3.org/2000/svg}"
ODD = 'a<b>&"c"'


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_odd_names_are_escaped_and_the_marked_row_has_the_colour() -> None:
    svg = bars([Bar("first", 0.9), Bar(ODD, 0.5, "5 us & more", marked=True), Bar("last", 0.1)])
    assert texts(svg) == ["first", ODD, "5 us & more", "last"]
    colours = [rect.get("fill") for rect in ElementTree.fromstring(svg).iter(f"{SVG}rect")]
    assert colours == [PLAIN, MARKED, PLAIN]


def test_a_name_is_cut_before_it_is_escaped() -> None:
    for length in range(1, 40):
        (name,) = texts(bars([Bar("&" * length, 0.5)], width=100))
        assert name == "&" * length or (name[-1] == "\N{HORIZONTAL ELLIPSIS}" and set(name[:-1]) == {"&"})


def test_bars_and_their_labels_stay_inside() -> None:
    svg = bars([Bar("MTE2", 7.0, "12345.67 us, 700%"), Bar("none", -1.0, "0 us"), Bar("x" * 99, 1.0, "1 us")], 320)
    for rect in ElementTree.fromstring(svg).iter(f"{SVG}rect"):
        assert 0 < float(rect.get("width", "")) <= 320 - float(rect.get("x", "")) - 100


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 10, (0, 2, 4, 6, 8, 10)),
        (0, 55, (0, 10, 20, 30, 40, 50, 60)),
        (3, 3, (3, 3.5, 4, 4.5, 5, 5.5, 6)),
        (0, 0, (0, 0.2, 0.4, 0.6, 0.8, 1.0)),
        (-1, 1, (-1, -0.5, 0, 0.5, 1)),
        (0, 1e-6, (0, 2e-7, 4e-7, 6e-7, 8e-7, 1e-6)),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, ticks: tuple[float, ...]) -> None:
    found = round_ticks(low, high)
    assert found[0] <= low and found[-1] >= high
    assert found == pytest.approx(ticks)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_hold_all_values_and_are_few(low: float, span: float) -> None:
    found = round_ticks(low, low + span)
    assert found[0] <= low + span * 1e-6 and found[-1] >= low + span * (1 - 1e-6)
    assert 2 <= len(found) <= 8


def test_powers_are_one_two_and_five() -> None:
    assert round_powers(0.25, 6) == (0.2, 0.5, 1, 2, 5, 10)
    assert round_powers(1, 1) == (1,)


@given(
    st.lists(st.tuples(st.floats(0, 1e9), st.floats(1e-3, 1e9), st.floats(0, 1e9)), max_size=20),
    st.text(max_size=60),
    st.booleans(),
)
def test_any_figures_make_a_sound_picture_within_its_bounds(
    figures: list[tuple[float, float, float]], name: str, logarithmic: bool
) -> None:
    name = "".join(character for character in name if character.isprintable())
    series = Series(name, tuple(Dot(x, y, spread, name) for x, y, spread in figures), dotted=True)
    chart = ElementTree.fromstring(lines([series], Axis("t"), Axis(name, logarithmic=logarithmic)))
    height = float(chart.get("height", ""))
    for circle in chart.iter(f"{SVG}circle"):
        assert 0 <= float(circle.get("cx", "")) <= 480 and 0 <= float(circle.get("cy", "")) <= height


def test_a_figure_that_is_no_number_is_left_out() -> None:
    points = [Point(25, 1000, 1.0, math.nan), Point(50, 2000, 2.0, 2.0), Point(75, 3000, 3.0, 1.0, math.inf)]
    chart = ElementTree.fromstring(curve_svg(points))
    assert [len(line.get("points", "").split()) for line in chart.iter(f"{SVG}polyline")] == [2, 0]
    assert texts(curve_svg([])) == ["nothing was measured"]


def test_a_curve_has_both_losses_over_the_tokens() -> None:
    points = [Point(25, 1_000_000, 1.0, 4.0), Point(50, 2_000_000, 2.0, 2.0, 2.5), Point(75, 3_000_000, 3.0, 1.0, 1.5)]
    said = texts(curve_svg(points))
    assert {"training", "held-out operators", "tokens", "loss, nats a token", "0", "2 M", "1", "5"} <= set(said)


def test_numbers_below_a_chart_do_not_overlap() -> None:
    axis = Axis("t", text=lambda value: f"{value:.10f} of something long")
    svg = lines([Series("s", (Dot(0, 1), Dot(10, 2)))], axis, Axis("us"))
    assert len([text for text in texts(svg) if "something" in text]) < 3


def test_pipes_mark_the_one_that_binds_and_can_be_few_and_without_figures() -> None:
    pipes = (PipeTime(ODD, 2.0, 0.2), PipeTime("MTE2", 8.0, 0.8), PipeTime("VECTOR", 1.0, 0.1))
    svg = pipes_svg(Latency((10.0,), pipes=pipes), 260, most=2, figures=False)
    assert texts(svg) == ["MTE2", ODD]
    assert [rect.get("fill") for rect in ElementTree.fromstring(svg).iter(f"{SVG}rect")] == [MARKED, PLAIN]


def test_a_page_without_pipes_has_no_heading_for_them() -> None:
    assert "Pipes" not in page("add", [])
    assert "<title>a&lt;b&gt;&amp;&quot;c&quot;</title>" in page(ODD, [])


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0.0 MB"), (2_600_000, "2.6 MB"), (999_940_000, "999.9 MB"), (1_100_000_000, "1.1 GB")]
)
def test_sizes(size: int, text: str) -> None:
    assert size_text(size) == text


@pytest.mark.parametrize(("number", "text"), [(2_400_000, "2.4 M"), (1_200_000_000, "1.2 B")])
def test_counts(number: int, text: str) -> None:
    assert count_text(number) == text
