"""Wrong values as the user reads them: where an output is wrong, and how, from the two arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from kernelgen_ls.runner.execution.cases import Case, Tensor, judge, told_apart
from kernelgen_ls.runner.execution.differences import in_common
from kernelgen_ls.runner.jobs.messages import CaseResult, Outcome

Array = npt.NDArray[np.generic]


def judged(folder: Path, golden: Array, got: Array, *, blocks: int = 1) -> CaseResult:
    """The judgement of ``got`` in the output ``y``."""
    for name, values in (("golden", golden), ("got", got)):
        values.tofile(folder / name)
    tensor = Tensor(golden.dtype.name, golden.shape, str(folder / "golden"))
    return judge(Case("only", (), (tensor,), block_dim=blocks), [folder / "got"], ["y"])


def ramp(*shape: int) -> npt.NDArray[np.float32]:
    """Different values, none of them 0."""
    return (np.arange(np.prod(shape)) % 97 + 1).astype(np.float32).reshape(shape)


def changed(golden: Array, at: object, by: str = "other") -> Array:
    """``golden`` with other values at some places."""
    got = golden.copy()
    noise = (np.arange(got.size) * 37 % 11 + 3).astype(got.dtype).reshape(got.shape)
    if by == "unwritten":
        got.view(np.uint8).reshape(-1)[:] = 0xFF
        kept = golden.copy()
        kept[at] = got[at]  # type: ignore[index] # any of numpy's ways to say where
        return kept
    new = {"other": golden + noise, "twice": golden * 2, "more": golden + 8, "minus": -golden, "zero": golden * 0}[by]
    got[at] = new[at]  # type: ignore[index] # any of numpy's ways to say where
    return got


@pytest.mark.parametrize(
    ("shape", "at", "by", "blocks", "said"),
    [
        ((64,), np.s_[:], "other", 1, "64 of 64 elements are wrong: every element"),
        ((64,), np.s_[:], "twice", 1, "64 of 64 elements are wrong: every value is 2 times what is right"),
        ((64,), np.s_[:], "minus", 1, "every value has the wrong sign"),
        ((64,), np.s_[:], "more", 1, "every element; each is 8 too large"),
        ((64,), np.s_[:], "zero", 1, "every element; each is 0"),
        ((64,), np.s_[:], "unwritten", 1, "every element; never written, or with what was never given a value"),
        ((64,), np.s_[32:], "twice", 1, "every element from element 32 on; each is 2 times what is right"),
        ((67,), np.s_[64:], "other", 1, "only the last 3 elements, which do not fill 32 bytes: the tail"),
        ((64,), np.s_[40:], "unwritten", 1, "every element from element 40 on; never written, or with"),
        ((64,), np.s_[:5], "other", 1, "only the first 5 elements"),
        ((64,), np.s_[8:24], "other", 1, "only elements 8 to 23"),
        ((64,), np.s_[9], "other", 1, "y[9] is 16 where 10 is right (1 of 64 elements is wrong)"),
        ((64,), np.s_[::2], "other", 1, "every second element, from 0 on"),
        ((64,), np.s_[3::8], "other", 1, "every 8th element, from element 3 on"),
        ((640,), np.arange(640) % 64 != 3, "other", 1, "nearly every element"),
        ((64,), np.array([3, 4, 40]), "other", 1, "scattered between elements 3 and 40"),
        ((8, 12), np.s_[:, 8:], "other", 1, "only the last 4 elements in every row: the tails"),
        ((8, 12), np.s_[2:5, 8:], "other", 1, "only the last 4 elements in 3 of 8 rows: the tails"),
        ((8, 12), np.s_[:, 3], "other", 1, "only column 3 in every row"),
        ((8, 12), np.s_[5], "other", 1, "only row 5"),
        ((8, 12), np.s_[5:], "other", 1, "every row from row 5 on"),
        ((8, 12), np.array([0, 1, 2, 4, 6]), "other", 1, "5 of 8 whole rows"),
        (
            (64,),
            np.s_[16:32],
            "other",
            4,
            "only the part of block 1 (all of it, where 4 blocks share the output evenly)",
        ),
        ((64,), np.s_[24:32], "other", 4, "only the part of block 1 (from its element 8 on, where 4 blocks"),
        ((64,), np.arange(64) % 16 >= 12, "other", 4, "every block's part from its element 12 on (where 4 blocks"),
    ],
)
def test_where_and_how_an_output_is_wrong(
    tmp_path: Path, shape: tuple[int, ...], at: object, by: str, blocks: int, said: str
) -> None:
    golden = ramp(*shape)
    result = judged(tmp_path, golden, changed(golden, at, by), blocks=blocks)
    assert result.wrong is not None
    assert said in result.message


def test_an_integer_that_the_output_had_before_may_have_been_computed(tmp_path: Path) -> None:
    golden = np.arange(1, 9, dtype=np.int32)
    wrong = judged(tmp_path, golden, np.full_like(golden, -1))
    assert wrong.message.endswith("every element; each is -1, as before the launch: never written, or computed so)")


@pytest.mark.parametrize(
    ("wrote", "at", "said"),
    [
        ("0 96 block 0\n96 256 block 1\n", np.s_[24:], ": block 1's part only"),
        ("0 96 block 0\n96 256 block 1\n", np.s_[40:], ": block 1's part only, from its element 16 on"),
        ("0 96 block 0\n96 256 block 1\n", np.s_[30:34], ": only in block 1's part"),
        ("0 96 block 0\n96 256 block 1\n", np.s_[20:40], ": only elements 20 to 39"),
        (
            "0 64 vector core 0\n64 96 vector core 1\n96 256 vector core 0\n",
            np.s_[16:24],
            ": vector core 1's part only",
        ),
        (
            "0 128 block 0\n128 256 block 1\n",
            np.arange(64) % 32 >= 12,
            ": every block's part from its element 12 on",
        ),
        ("0 200 block 0\n", np.s_[16:32], ": only elements 16 to 31"),
        ("0 96 block 0\n96 192 block 1\n", np.s_[48:], "only the part of block 3 (all of it, where 4 blocks"),
        ("0 96 block 0\n96 256 somebody\n", np.s_[16:32], "only the part of block 1 (all of it, where 4 blocks"),
    ],
)
def test_the_part_of_a_block_is_what_it_wrote(tmp_path: Path, wrote: str, at: object, said: str) -> None:
    (tmp_path / "got.writers").write_text(wrote)
    golden = ramp(64)
    assert said in judged(tmp_path, golden, changed(golden, at), blocks=4).message


def test_the_element_that_is_furthest_off_is_shown_with_its_index(tmp_path: Path) -> None:
    golden = np.full((4, 32), 0.25, np.float16)
    got = golden.copy()
    got[3, 17] = 0.5
    result = judged(tmp_path, golden, got)
    assert result.message == "y[3, 17] is 0.5 where 0.25 is right (1 of 128 elements is wrong)"
    wrong = result.wrong
    assert wrong is not None
    assert (wrong.name, wrong.index, wrong.got, wrong.expected, wrong.wrong) == ("y", (3, 17), "0.5", "0.25", 1)
    got[0, 1] = np.nan
    assert judged(tmp_path, golden, got).message.startswith("y[0, 1] is nan where 0.25 is right (2 of 128")


def test_values_are_shown_with_the_digits_that_tell_them_apart(tmp_path: Path) -> None:
    golden = np.array([2**53 + 1, 5], np.int64)
    assert (
        "y[0] is 9007199254740992 where 9007199254740993 is right"
        in judged(tmp_path, golden, golden - np.array([1, 0])).message
    )
    close = np.array([1000.0001], np.float64)
    tensor = Tensor("float64", (1,), str(tmp_path / "golden"))
    close.tofile(tmp_path / "golden")
    np.array([1000.0002], np.float64).tofile(tmp_path / "got")
    exact = judge(Case("only", (), (tensor,), tolerance=(0.0, 0.0)), [tmp_path / "got"])
    assert "output 0 at [0] is 1000.0002 where 1000.0001 is right" in exact.message


def test_a_factor_is_not_seen_in_what_is_wrong_by_chance(tmp_path: Path) -> None:
    golden = ramp(64)
    assert "times" not in judged(tmp_path, golden, changed(golden, np.s_[:])).message
    right = np.full(64, 3, np.int32)
    assert "too" not in judged(tmp_path, right, right + np.arange(64, dtype=np.int32)).message


def test_a_factor_holds_for_what_is_right_by_chance_too(tmp_path: Path) -> None:
    golden = np.arange(16, dtype=np.float16)
    message = judged(tmp_path, golden, golden * np.float16(1.5)).message
    assert message.endswith("(15 of 16 elements are wrong: every value is 1.5 times what is right)")


def test_what_the_wrong_cases_have_in_common() -> None:
    assert in_common({"in": [("float16", True), ("float32", False), ("float16", True)]}) == (
        "wrong in every case in float16 and in no other"
    )
    assert in_common({"in": [("float16", True), ("float16", False)], "on": [("", True), ("one", False)]}) == ""
    assert in_common({"in": [("float16", True)]}) == ""


@pytest.mark.parametrize(
    ("golden", "got", "saturation", "right"),
    [
        (np.inf, np.inf, None, True),
        (np.inf, 7, None, False),
        (np.inf, -np.inf, None, False),
        (np.nan, np.nan, None, True),
        (np.nan, 7, None, False),
        (np.inf, 65504, None, True),
        (-np.inf, 65504, None, False),
        (np.nan, 0, True, True),
        (np.inf, 65504, False, False),
        (np.nan, 0, False, False),
    ],
)
def test_what_is_not_finite_is_met_by_itself_or_by_what_saturation_makes_of_it(
    tmp_path: Path, golden: float, got: float, saturation: bool | None, right: bool
) -> None:
    for name, value in (("golden", golden), ("got", got)):
        np.full(3, value, np.float16).tofile(tmp_path / name)
    case = Case("only", (), (Tensor("float16", (3,), str(tmp_path / "golden")),), saturation=saturation)
    assert (judge(case, [tmp_path / "got"]).outcome is Outcome.PASSED) == right


def test_cases_are_told_apart_by_their_tails_their_types_and_their_blocks() -> None:
    def case(name: str, dtype: str, length: int, blocks: int) -> Case:
        tensor = Tensor(dtype, (length,), "")
        return Case(name, (tensor,), (tensor,), block_dim=blocks)

    whole, tail = case("whole", "float16", 64, 8), case("tail", "float16", 63, 8)
    single, short = case("single", "float32", 64, 8), case("short", "float32", 61, 1)

    def said(wrong: Case, *right: Case) -> str:
        results = [CaseResult(wrong.name, Outcome.WRONG_VALUES), *(CaseResult(r.name, Outcome.PASSED) for r in right)]
        return told_apart([wrong, *right], results)

    assert said(tail, whole, single) == "wrong in every case with a length that does not fill 32 bytes and in no other"
    assert said(whole, single) == "wrong in every case in float16 and in no other"
    assert said(short, tail, case("other", "float32", 61, 8)) == "wrong in every case on one block and in no other"
    assert said(whole, whole) == "", "nothing tells them apart"
