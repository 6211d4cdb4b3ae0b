"""What is written by rule comes first: no model is loaded where it is right, and none is needed at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernelgen_ls.kernel.verdict import Verdict, VerdictOutcome
from kernelgen_ls.model.engine.protocol import Engine, EngineError
from kernelgen_ls.model.generation.candidate import Author, CheckOutcome, GenerationStage, Progress
from kernelgen_ls.model.generation.generator import Plan
from kernelgen_ls.model.prompts.task import GeneratedFile
from kernelgen_ls.settings import Settings
from kernelgen_ls.work.generating import Wanted, correct, generate, wanted
from kernelgen_ls.workspace.operators import operator_of

SPECIFIED = "// op: Twice\n// formula: y = 2 * x\n// in x: float16 [64]\n// out y: float16 [64]\n"
FILES = (GeneratedFile("op_kernel/twice.cpp", "kernel\n"),)
RIGHT = Verdict(VerdictOutcome.RIGHT, "twin", 3, words="right on the twin: 3 cases made from the comment in front")
WRONG = Verdict(VerdictOutcome.WRONG, "twin", 3, words="wrong on the twin: case [64], y[3] is 0.5 where 0.25 is right")
UNTOLD = Verdict(VerdictOutcome.NOT_EXECUTED, words="not executed: not understood at `foo`")


@pytest.fixture
def what(tmp_path: Path) -> Wanted:
    (tmp_path / "op_kernel").mkdir()
    (tmp_path / "op_kernel/twice.cpp").write_text(SPECIFIED)
    return wanted(operator_of(tmp_path / "op_kernel/twice.cpp", (tmp_path,)), Settings())


async def no_model() -> Engine:
    raise EngineError("no model is chosen")


def judge(verdict: Verdict) -> Any:
    """Who says the same of every candidate."""

    async def judged(files: tuple[GeneratedFile, ...]) -> CheckOutcome:
        return CheckOutcome(verdict=verdict)

    return judged


async def test_a_kernel_by_rule_that_is_right_needs_no_model(what: Wanted) -> None:
    told: list[Progress] = []
    found = await generate(no_model, judge(RIGHT), what, Settings(), told.append, writer=lambda: FILES)
    assert found.best is not None
    assert (found.best.files, found.author) == (FILES, Author.RULE)
    assert found.summary == (
        "Generate kernel Twice: right on the twin: 3 cases made from the comment in front; written by rule"
    )
    assert found.offer == "Generate kernel Twice: right on the twin: 3 cases; written by rule"
    assert [one.stage for one in told] == [GenerationStage.BY_RULE]


async def test_one_that_nobody_can_execute_is_offered_as_that(what: Wanted) -> None:
    found = await generate(no_model, judge(UNTOLD), what, Settings(), print, writer=lambda: FILES)
    assert found.offer == ("Generate kernel Twice: compiles; not executed: not understood at `foo`; written by rule")


@pytest.mark.parametrize(("verdict", "plan"), [(WRONG, None), (RIGHT, Plan(1, 0, 60, exhaustive=True))])
async def test_a_model_is_asked_where_it_is_wrong_or_everything_is_to_be_tried(
    what: Wanted, verdict: Verdict, plan: Plan | None
) -> None:
    asked: list[str] = []

    async def engine() -> Engine:
        asked.append("the model")
        return await no_model()

    found = await generate(engine, judge(verdict), what, Settings(), print, plan, writer=lambda: FILES)
    assert asked == ["the model"]
    assert found.best is not None
    assert found.offer.startswith(f"Generate kernel Twice: {verdict.brief}; written by rule")
    assert ("no model is chosen" in found.offer) is (verdict is WRONG)


async def test_where_neither_writes_one_both_reasons_are_said(what: Wanted) -> None:
    with pytest.raises(EngineError) as raised:
        await generate(no_model, judge(RIGHT), what, Settings(), print, writer=lambda: "not understood at `foo`")
    assert str(raised.value) == "no model is chosen; not written by rule: not understood at `foo`"


async def test_there_is_nothing_to_fix_in_a_kernel_that_is_right() -> None:
    with pytest.raises(EngineError, match="no wrong values to fix: right on the twin: 3 cases"):
        await correct(no_model, judge(RIGHT), FILES, FILES[0].path, "Fix", Settings(), lambda _: None)
