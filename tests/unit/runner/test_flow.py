"""Compile, run cases, judge, time: the flow over the steps of a tool chain that is no vendor's and runs nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from attrs import define, evolve, field, frozen

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.runner.execution.cases import Case, CasesError
from kernelgen_ls.runner.execution.ended import EndedError, NotCompiledError
from kernelgen_ls.runner.execution.flow import Flow, Launched, Run, Timed
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import (
    JobStage,
    Latency,
    LatencyKind,
    MeasureRequest,
    Outcome,
    SourceFile,
    StageReport,
    ToolchainInfo,
    VerifyRequest,
)
from kernelgen_ls.runner.toolchains import UnavailableError

KERNEL = 'extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {}\n'
CASES = """
import numpy as np
CASES = [{"name": "even", "n": 16}, {"name": "odd", "n": 15}]
inputs = lambda case, rng: [np.arange(case["n"], dtype=np.float16)]
golden = lambda case, inputs: [inputs[0] * 2]
"""
PLACE = Location("k.cpp", Range(Position(0, 0), Position(0, 1)))
NOTE = Finding(PLACE, Severity.WARNING, "a warning", FoundBy.EMBEDDED)


SLOWED = Latency((3.0, 1.0, 2.0), current_mhz=900, rated_mhz=1000)


@frozen
class Made:
    findings: tuple[Finding, ...] = (NOTE,)
    only_timed: bool = False
    factor: int = 2


@define
class Steps:
    """Multiplies by ``made.factor``. ``fails`` is raised by the step of its name."""

    made: Made = Made()
    fails: dict[str, Exception] = field(factory=dict)
    faults: dict[str, tuple[Outcome, str]] = field(factory=dict)
    found: tuple[Finding, ...] = ()
    timed: Latency = SLOWED
    right_in: tuple[str, ...] = ()
    """The cases in which the factor is 2 all the same."""
    done: list[str] = field(factory=list)

    def _step(self, name: str, detail: str = "") -> None:
        self.done.append(f"{name} {detail}".strip())
        if name in self.fails:
            raise self.fails[name]

    def info(self) -> ToolchainInfo:
        self._step("info")
        return ToolchainInfo("numpy", "1")

    def compile(self, run: Run) -> Made:
        self._step("compile", run.kernel.name)
        return self.made

    def prepare(self, run: Run, compiled: Made, cases: tuple[Case, ...]) -> tuple[Made, tuple[Case, ...]]:
        self._step("prepare")
        return compiled, cases

    def _outputs(self, run: Run, case: Case) -> tuple[Path, ...]:
        values = np.fromfile(case.inputs[0].file, np.float16) * (2 if case.name in self.right_in else self.made.factor)
        path = run.folder / f"{len(self.done)}.bin"
        values.astype(np.float16).tofile(path)
        return (path,)

    def launch(self, run: Run, compiled: Made, case: Case, number: int) -> Launched:
        self._step("launch", case.name)
        return Launched(self._outputs(run, case), self.faults.get(case.name), self.found)

    def time(self, run: Run, compiled: Made, case: Case, number: int) -> Timed:
        self._step("time", case.name)
        run.on_stage(StageReport(JobStage.MEASURING))
        return Timed(self.timed, self._outputs(run, case), "after the last launch", ("mind the twin",))


FILES = (SourceFile("k.cpp", KERNEL), SourceFile("cases.py", CASES))
VERIFY = VerifyRequest("k.cpp", FILES, "Ascend910B1", "twice", "cases.py")
MEASURE = MeasureRequest("k.cpp", FILES, "Ascend910B1", "twice", "cases.py", case=1, launches=3)


def flow(steps: Steps) -> Flow[Made]:
    return Flow(steps, RunnerConfig())


def test_a_kernel_is_verified_on_every_case() -> None:
    steps, stages = Steps(), list[StageReport]()
    result = flow(steps).verify(VERIFY, on_stage=stages.append)
    assert [(one.name, one.outcome) for one in result.cases] == [("even", Outcome.PASSED), ("odd", Outcome.PASSED)]
    assert (result.outcome, result.toolchain.name, result.findings) == (Outcome.PASSED, "numpy", (NOTE,))
    assert steps.done == ["info", "compile twice", "prepare", "launch even", "launch odd"]
    assert [stage.stage for stage in stages] == [JobStage.COMPILING, *[JobStage.VERIFYING] * 3]


def test_a_kernel_is_verified_before_it_is_timed_and_judged_after() -> None:
    steps = Steps()
    result = flow(steps).measure(MEASURE)
    assert steps.done[-3:] == ["launch even", "launch odd", "time odd"]
    assert result.latency is not None and result.latency.median_us == 2.0
    latency = result.latency
    assert (latency.case, latency.read_bytes, latency.write_bytes, latency.largest_bytes) == ("odd", 30, 30, 30)
    assert result.warnings == ("mind the twin", "the device ran at 900 of 1000 MHz: the figure is too high")


def test_a_figure_that_is_no_measurement_is_not_warned_about_as_one() -> None:
    simulated = Latency((1.0,), LatencyKind.SIMULATED)
    steps = Steps(evolve(Made(), only_timed=True), timed=simulated)
    result = flow(steps).measure(MEASURE)
    assert (result.outcome, result.warnings) == (Outcome.PASSED, ("mind the twin",))
    assert steps.done[-1] == "time odd" and "launch even" not in steps.done
    recorded = flow(Steps(timed=Latency((1.0,)))).measure(MEASURE)
    assert recorded.warnings[-1] == "only 1 of 3 launches were recorded"


@pytest.mark.parametrize(
    ("only_timed", "where"), [(False, "even: y[15] is 45 where 30 is right"), (True, "odd, after the last launch")]
)
def test_a_kernel_that_computes_something_else_has_no_latency(only_timed: bool, where: str) -> None:
    wrong = flow(Steps(evolve(Made(), factor=3, only_timed=only_timed))).measure(MEASURE)
    assert (wrong.outcome, wrong.latency, wrong.findings) == (Outcome.WRONG_VALUES, None, (NOTE,))
    assert wrong.message.startswith(where)
    unasked = flow(Steps(evolve(Made(), factor=3))).measure(evolve(MEASURE, verify=False))
    assert unasked.outcome is Outcome.PASSED


def test_a_case_that_faults_is_told_and_the_others_run() -> None:
    result = flow(Steps(faults={"even": (Outcome.RUNTIME_ERROR, "it does not end")})).verify(VERIFY)
    assert [one.outcome for one in result.cases] == [Outcome.RUNTIME_ERROR, Outcome.PASSED]
    assert (result.outcome, result.message) == (Outcome.RUNTIME_ERROR, "it does not end")


@pytest.mark.parametrize(
    ("step", "error", "outcome", "message"),
    [
        ("info", UnavailableError("no compiler here"), Outcome.INFRA_ERROR, "no compiler here"),
        ("compile", EndedError(Outcome.TIMEOUT, "too long"), Outcome.TIMEOUT, "too long"),
        ("compile", NotCompiledError((NOTE,)), Outcome.COMPILE_ERROR, "the kernel does not compile"),
        ("prepare", NotCompiledError((NOTE,), "no build"), Outcome.COMPILE_ERROR, "no build"),
        ("launch", CasesError("no tiling"), Outcome.INFRA_ERROR, "cases.py: no tiling"),
        ("launch", OSError("disk full"), Outcome.INFRA_ERROR, "disk full"),
        ("launch", EndedError(Outcome.CANCELLED, "cancelled"), Outcome.CANCELLED, "cancelled"),
    ],
)
@pytest.mark.parametrize("request_of", [lambda: VERIFY, lambda: MEASURE])
def test_what_ends_a_job_early_is_its_outcome(
    request_of: Callable[[], VerifyRequest | MeasureRequest],
    step: str,
    error: Exception,
    outcome: Outcome,
    message: str,
) -> None:
    asked, chain = request_of(), flow(Steps(fails={step: error}))
    result = chain.verify(asked) if isinstance(asked, VerifyRequest) else chain.measure(asked)
    assert (result.outcome, result.message) == (outcome, message)
    assert result.toolchain.name == ("" if step == "info" else "numpy")
    assert bool(result.findings) == (isinstance(error, NotCompiledError) or step == "launch")


def test_what_is_asked_for_and_is_not_there_is_named() -> None:
    assert flow(Steps()).verify(evolve(VERIFY, kernel="thrice")).message == "k.cpp has no entry function 'thrice'"
    assert flow(Steps()).measure(evolve(MEASURE, case=9)).message == "there are 2 cases, none is 9"


FORMULA_CASES = """
import numpy as np
FORMULA = "y = x + x"
OUTPUTS = {"y": "float16"}
CASES = [{"n": 16, "name": "even"}, {"n": 15, "name": "odd", "seed": 3}, {"n": 1, "name": "refused", "tentative": True}]
seed = lambda case: case.get("seed", 0)
inputs = lambda case, rng: {"x": ("float16", rng.standard_normal(case["n"]))}
"""


def with_cases(text: str) -> VerifyRequest:
    return evolve(VERIFY, files=(FILES[0], SourceFile("cases.py", text)))


def test_a_formula_stands_in_the_place_of_golden_outputs() -> None:
    result = flow(Steps()).verify(with_cases(FORMULA_CASES))
    assert (result.outcome, [one.name for one in result.cases]) == (Outcome.PASSED, ["even", "odd", "refused"])
    wrong = flow(Steps(evolve(Made(), factor=3))).verify(with_cases(FORMULA_CASES))
    assert {one.outcome for one in wrong.cases} == {Outcome.WRONG_VALUES}


def test_a_tentative_case_that_is_not_executed_is_left_aside_as_long_as_others_are() -> None:
    refused = {"refused": (Outcome.NOT_EXECUTED, "not executed: the tiling function refuses it")}
    result = flow(Steps(faults=refused)).verify(with_cases(FORMULA_CASES))
    assert (result.outcome, [one.name for one in result.cases]) == (Outcome.PASSED, ["even", "odd"])
    assert result.message == "left aside: refused: the tiling function refuses it"
    alone = flow(Steps(faults=refused)).verify(evolve(with_cases(FORMULA_CASES), case=2))
    assert (alone.outcome, alone.message) == (Outcome.NOT_EXECUTED, "not executed: the tiling function refuses it")
    promised = FORMULA_CASES.replace(', "tentative": True', "")
    assert flow(Steps(faults=refused)).verify(with_cases(promised)).outcome is Outcome.NOT_EXECUTED
    wrong = {"refused": (Outcome.RUNTIME_ERROR, "it does not end")}
    assert flow(Steps(faults=wrong)).verify(with_cases(FORMULA_CASES)).outcome is Outcome.RUNTIME_ERROR


OPEN = FORMULA_CASES.replace("y = x + x", "y = x * mean(x / x) * 2")
LAST = "the formula, read with the last axis taken for what a reduction without `dim` goes over"
READINGS = """{
    "three for what is not said": "y = 3 * x", "two for it": "y = x + x", "a scalar": "y = sum(x, dim=None)",
}"""
"""What a formula may mean, one of which has outputs of another size."""


def with_finding(code: str) -> Steps:
    finding = Finding(PLACE, Severity.ERROR, "it writes there", FoundBy.TWIN, code)
    return Steps(evolve(Made(), factor=3), found=(finding,))


def test_outputs_like_those_of_a_formula_that_leaves_something_open_are_right_and_its_reading_is_said() -> None:
    result = flow(Steps()).verify(with_cases(OPEN))
    assert (result.outcome, result.message) == (Outcome.PASSED, LAST)
    measured = flow(Steps()).measure(evolve(MEASURE, files=with_cases(OPEN).files))
    assert measured.outcome is Outcome.PASSED


def test_outputs_of_any_reading_are_right_in_all_cases_of_that_reading() -> None:
    cases = FORMULA_CASES.replace('"y = x + x"', READINGS)
    result = flow(Steps()).verify(with_cases(cases))
    assert (result.outcome, result.message) == (Outcome.PASSED, "the formula, read with two for it")
    three = flow(Steps(evolve(Made(), factor=3))).verify(with_cases(cases))
    assert three.message == "the formula, read with three for what is not said"
    # A kernel that means now this and now that is wrong.
    mixed = flow(Steps(evolve(Made(), factor=3), right_in=("odd",))).verify(with_cases(cases))
    assert mixed.outcome is Outcome.WRONG_VALUES


def test_outputs_of_no_reading_are_wrong() -> None:
    wrong = Steps(evolve(Made(), factor=4))
    result = flow(wrong).verify(with_cases(FORMULA_CASES.replace('"y = x + x"', READINGS)))
    assert {one.outcome for one in result.cases} == {Outcome.WRONG_VALUES}
    assert result.message.startswith("y[") and "1.333 times what is right" in result.message
    assert result.message.endswith(
        "(the formula, read with three for what is not said; it fits no other reading either)"
    )
    assert flow(wrong).verify(with_cases(OPEN)).outcome is Outcome.WRONG_VALUES
    measured = flow(wrong).measure(evolve(MEASURE, files=with_cases(OPEN).files))
    assert (measured.outcome, measured.latency) == (Outcome.WRONG_VALUES, None)


def test_cases_that_leave_different_things_open_are_each_read_as_is_likeliest() -> None:
    each = (
        'formula = lambda case: {f"two for {case[\'name\']}": "y = x + x", f"three for {case[\'name\']}": "y = 3 * x"}'
    )
    cases = FORMULA_CASES.replace('FORMULA = "y = x + x"', each)
    assert flow(Steps()).verify(with_cases(cases)).outcome is Outcome.PASSED
    assert flow(Steps(evolve(Made(), factor=4))).verify(with_cases(cases)).outcome is Outcome.WRONG_VALUES


def test_an_error_on_the_way_is_one_whatever_the_formula_means() -> None:
    result = flow(evolve(with_finding("twin/misaligned"), made=Made())).verify(with_cases(OPEN))
    assert (result.outcome, result.findings[-1].severity) == (Outcome.RUNTIME_ERROR, Severity.ERROR)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("x + x", "mystery(x)", "cases.py failed: the formula is not understood at `mystery`"),
        ('{"y": "float16"}', "None", "cases.py failed: a FORMULA needs inputs() to give a dict by name"),
        ("FORMULA =", "OTHER =", "cases.py failed: it has neither golden(case, inputs) nor a FORMULA"),
    ],
)
def test_a_formula_that_gives_nothing_is_no_verdict(old: str, new: str, said: str) -> None:
    result = flow(Steps()).verify(with_cases(FORMULA_CASES.replace(old, new)))
    assert result.outcome is Outcome.INFRA_ERROR
    assert result.message.startswith(said)
