"""Measurements over time: kept, bounded, compared with their like only, drawn."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from attrs import evolve

from kernelgen_ls.report.latency_chart import history_svg, page, pipes_svg
from kernelgen_ls.runner.jobs.messages import Latency, LatencyKind, PipeTime
from kernelgen_ls.work.history import History, KernelKey, Measured, before, change, tree_hash

KEY = KernelKey("/home/me/ops", "op_kernel/add.cpp", "add_custom")
PIPES = (PipeTime("vector", 2.0, 0.2), PipeTime("<MTE2>", 8.0, 0.8))


def measured(us: float, **others: object) -> Measured:
    latency = Latency((us, us + 1, us + 2), case="c", soc="Ascend910B1", pipes=PIPES)
    return Measured("hash", "npu", evolve(latency, **others))


def test_measurements_are_kept_in_order_and_bounded(tmp_path: Path) -> None:
    history = History(tmp_path, keep=3)
    for us in range(5):
        history.append(KEY, measured(us))
    again = History(tmp_path, keep=3)
    assert [entry.latency.median_us for entry in again.entries(KEY)] == [3, 4, 5]
    assert again.entries(KEY)[-1].latency.median_us == 5
    assert again.entries(evolve(KEY, kernel="other")) == []


def test_a_damaged_line_costs_that_line_only(tmp_path: Path) -> None:
    history = History(tmp_path)
    for us in (1, 2):
        history.append(KEY, measured(us))
    file = next(tmp_path.glob("*.jsonl"))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], '{"half": ', "\ufffd", lines[1]]))
    assert [entry.latency.median_us for entry in history.entries(KEY)] == [2, 3]


def test_kernels_are_bounded_too_and_a_disk_that_refuses_costs_nothing(tmp_path: Path) -> None:
    history = History(tmp_path / "h", max_kernels=3)
    for n in range(6):
        history.append(evolve(KEY, kernel=f"k{n}"), measured(1))
    assert len(list((tmp_path / "h").iterdir())) == 3
    (tmp_path / "file").write_text("")
    History(tmp_path / "file" / "below").append(KEY, measured(1))


def test_a_simulated_or_other_figure_in_between_does_not_hide_the_one_before() -> None:
    entries = [measured(10), measured(20, kind=LatencyKind.SIMULATED), measured(30, case="other"), measured(9)]
    last = before(entries)
    assert last is not None and last.latency.median_us == 11
    assert before(entries[:2]) is None and before([]) is None


def test_only_like_compares_with_like() -> None:
    old, new = measured(10).latency, measured(9).latency
    assert round(change(new, old) or 0, 4) == round(-1 / 11, 4)
    assert change(new, None) is None
    for other in (evolve(old, soc="Ascend910B4"), evolve(old, case="d"), evolve(old, kind=LatencyKind.REPLAYED)):
        assert change(new, other) is None


def test_a_changed_text_has_another_hash() -> None:
    texts = [("a.cpp", "x"), ("b.h", "y")]
    assert tree_hash(texts) == tree_hash(texts[::-1])
    assert tree_hash(texts) != tree_hash([("a.cpp", "x "), ("b.h", "y")])
    assert tree_hash([("a", "bc")]) != tree_hash([("ab", "c")])


def test_a_folder_whose_name_is_no_unicode_has_a_history(tmp_path: Path) -> None:
    key = evolve(KEY, root="/home/\udcff/ops")
    History(tmp_path).append(key, measured(5))
    assert len(History(tmp_path).entries(key)) == 1


def test_pictures_are_sound_xml_with_every_figure(tmp_path: Path) -> None:
    entries = [measured(us) for us in (5, 4, 3)]
    chart = ElementTree.fromstring(history_svg(entries))
    assert [title.text for title in chart.iter("{http://www.w3.org/2000/svg}title")] == [
        f"{us}.00 us measured, Ascend910B1, c" for us in (6, 5, 4)
    ]
    assert len(list(chart.iter("{http://www.w3.org/2000/svg}polyline"))) == 1
    bars = ElementTree.fromstring(pipes_svg(entries[0].latency))
    texts = [text.text for text in bars.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["<MTE2>", "8.00 us, 80%", "vector", "2.00 us, 20%"]
    assert "<script>" not in page("<script>", entries)
    ElementTree.fromstring(history_svg([]))


def test_a_picture_joins_only_figures_of_one_kind_and_says_which() -> None:
    caveat = "Not confirmed on hardware."
    entries = [measured(5, caveat=caveat), measured(90, kind=LatencyKind.SIMULATED), measured(4), measured(7, case="d")]
    chart = ElementTree.fromstring(history_svg(entries))
    lines = [line.get("points", "") for line in chart.iter("{http://www.w3.org/2000/svg}polyline")]
    assert sorted(len(line.split()) for line in lines) == [1, 1, 2]
    texts = [text.text for text in chart.iter("{http://www.w3.org/2000/svg}text")]
    for said in ("measured, Ascend910B1, c", "simulated, Ascend910B1, c", "measured, Ascend910B1, d", caveat):
        assert said in texts
