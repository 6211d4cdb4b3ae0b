"""The verdict on a candidate: checked in its place, then run where something can."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import define, field

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.model.prompts.task import GeneratedFile
from kernelgen_ls.runner.jobs.kinds import kind_of
from kernelgen_ls.runner.jobs.messages import CaseResult, CheckResult, Job, Outcome, ToolchainInfo, VerifyResult
from kernelgen_ls.settings import CheckSettings, LintSeverity, Settings
from kernelgen_ls.work.generating import wanted
from kernelgen_ls.work.judge import Judge
from kernelgen_ls.workspace.operators import operator_at, operator_of

KERNEL = '#include "common/c.h"\nextern "C" __global__ __aicore__ void add(GM_ADDR x) {}\n'


def finding(severity: Severity, path: str = "ops/add/op_kernel/add.cpp", code: str = "") -> Finding:
    at = Position(0, 0)
    return Finding(Location(path, Range(at, at)), severity, "wrong", FoundBy.LINT, code)


@define
class Answering:
    """A runner that answers every job with what it is given and remembers what it was asked."""

    answers: dict[str, Any]
    asked: dict[str, Job[Any]] = field(factory=dict)

    async def run(self, job: Job[Any], on_stage: object = None) -> Any:
        kind = kind_of(job).name
        self.asked[kind] = job
        return self.answers[kind]

    async def close(self) -> None:
        pass


def judge(tmp_path: Path, runner: Answering, **settings: Any) -> Judge:
    for path, text in {
        "ops/add/op_kernel/add.cpp": KERNEL,
        "ops/add/add_cases.py": "CASES = []\n",
        "ops/common/c.h": "#pragma once\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    operator = operator_of(tmp_path / "ops/add/op_kernel/add.cpp", (tmp_path,))
    return Judge.of(operator, runner, CheckSettings(**settings), verifier=runner)


CANDIDATE = (GeneratedFile("op_kernel/add.cpp", KERNEL),)


async def test_what_is_run_has_what_the_operator_includes_from_outside(tmp_path: Path) -> None:
    runner = Answering({"check": CheckResult(Outcome.PASSED), "verify": VerifyResult(Outcome.PASSED)})
    said = await judge(tmp_path, runner)(CANDIDATE)
    assert said.verified is True
    checked, run = runner.asked["check"], runner.asked["verify"]
    assert {file.path for file in run.files} >= {file.path for file in checked.files} >= {"ops/common/c.h"}
    assert (run.entry, run.cases) == ("ops/add/op_kernel/add.cpp", "ops/add/add_cases.py")


async def test_what_was_run_and_is_wrong_is_said_and_what_was_not_run_is_not(tmp_path: Path) -> None:
    clean = CheckResult(Outcome.PASSED)
    for outcome, verified in (
        (Outcome.WRONG_VALUES, False),
        (Outcome.RUNTIME_ERROR, False),
        (Outcome.INFRA_ERROR, None),
    ):
        said = await judge(tmp_path, Answering({"check": clean, "verify": VerifyResult(outcome)}))(CANDIDATE)
        assert said.verified is verified, outcome
    refused = VerifyResult(Outcome.COMPILE_ERROR, findings=(finding(Severity.ERROR),))
    said = await judge(tmp_path, Answering({"check": clean, "verify": refused}))(CANDIDATE)
    assert (said.verified, [one.location.path for one in said.findings]) == (None, ["op_kernel/add.cpp"])


async def test_a_candidate_with_errors_is_not_run(tmp_path: Path) -> None:
    runner = Answering({"check": CheckResult(Outcome.COMPILE_ERROR, (finding(Severity.ERROR),))})
    said = await judge(tmp_path, runner)(CANDIDATE)
    assert [one.location.path for one in said.findings] == ["op_kernel/add.cpp"]
    assert (said.verified, list(runner.asked)) == (None, ["check"])


async def test_a_rule_that_is_off_rejects_no_candidate(tmp_path: Path) -> None:
    wrong = CheckResult(Outcome.COMPILE_ERROR, (finding(Severity.ERROR, code="kernel/dtype"),))
    runner = Answering({"check": wrong, "verify": VerifyResult(Outcome.PASSED)})
    said = await judge(tmp_path, runner, lints={"kernel/dtype": LintSeverity.OFF})(CANDIDATE)
    assert (said.findings, said.verified) == ((), True)


async def test_a_check_that_fails_is_no_verdict(tmp_path: Path) -> None:
    said = await judge(tmp_path, Answering({"check": CheckResult(Outcome.TIMEOUT, message="too long")}))(CANDIDATE)
    assert (said.failed, said.findings) == ("too long", ())


SPECIFIED = "// formula: y = 2 * x\n// in x: float16 [64]\n// out y: float16 [64]\n"


async def test_without_cases_they_are_made_by_what_specified_the_operator_and_the_run_is_said(tmp_path: Path) -> None:
    (tmp_path / "op_kernel").mkdir()
    (tmp_path / "op_kernel/twice.cpp").write_text(SPECIFIED)
    operator = operator_of(tmp_path / "op_kernel/twice.cpp", (tmp_path,))
    passed = VerifyResult(Outcome.PASSED, (CaseResult("c", Outcome.PASSED),), toolchain=ToolchainInfo("twin"))
    runner = Answering({"check": CheckResult(Outcome.PASSED), "verify": passed})
    judging = Judge.of(operator, runner, CheckSettings(), verifier=runner)
    code = 'extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {}\n'
    said = await judging((GeneratedFile("op_kernel/twice.cpp", f"// formula: y = 3 * x\n{code}"),))
    assert (said.verified, said.words) == (True, "right on the twin: 1 case made from the comment in front")
    (cases,) = [file.text or "" for file in runner.asked["verify"].files if file.path == "twice_cases.py"]
    assert 'FORMULA = "y = 2 * x"' in cases

    lacks = VerifyResult(Outcome.NOT_EXECUTED, message="not executed by the twin: Digamma")
    runner.answers["verify"] = lacks
    said = await judging((GeneratedFile("op_kernel/twice.cpp", code),))
    assert (said.verified, said.words) == (None, "not executed by the twin: Digamma")
    (tmp_path / "op_kernel/twice.cpp").write_text("// nothing said\n")
    vague = Judge.of(operator_of(operator.folder / "op_kernel/twice.cpp"), runner, CheckSettings(), verifier=runner)
    said = await vague((GeneratedFile("op_kernel/twice.cpp", code),))
    assert said.verified is None
    assert said.words.startswith("not executed: no golden outputs: nobody says what twice computes")


async def test_a_candidates_own_op_host_does_not_choose_what_it_is_run_with(tmp_path: Path) -> None:
    described = "# Scaled\n\n$$\ny = alpha * x\n$$\n\n## Interface\n\n```python\ndef scaled(x, alpha=0.5):\n    ...\n"
    types = "```\n\n### Inputs\n\n- `x`: float16 or float32 tensor of shape [N, D].\n\n### Outputs\n\n- `y`: [N, D].\n"
    (tmp_path / "api_desc.md").write_text(described + types)
    passed = VerifyResult(Outcome.PASSED, (CaseResult("c", Outcome.PASSED),), toolchain=ToolchainInfo("twin"))
    runner = Answering({"check": CheckResult(Outcome.PASSED), "verify": passed})
    judging = Judge.of(operator_at(tmp_path), runner, CheckSettings(), verifier=runner)
    host = (
        "class Scaled : public OpDef {\npublic:\n    explicit Scaled(const char *name) : OpDef(name)\n    {\n"
        '        this->Input("x").DataType({ge::DT_FLOAT});\n        this->Output("y").DataType({ge::DT_FLOAT});\n'
        '        this->Attr("alpha").AttrType(OPTIONAL).Float(2.0);\n    }\n};\nOP_ADD(Scaled);\n'
    )
    kernel = (
        'extern "C" __global__ __aicore__ void scaled(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)\n'
        "{\n    GET_TILING_DATA(data, tiling);\n    GlobalTensor<DTYPE_X> xGm;\n}\n"
    )
    await judging((GeneratedFile("op_kernel/scaled.cpp", kernel), GeneratedFile("op_host/scaled.cpp", host)))
    (cases,) = [file.text or "" for file in runner.asked["verify"].files if file.path == "scaled_cases.py"]
    assert "float16" in cases and "float32" in cases
    assert "0.5" in cases and "2.0" not in cases


async def test_a_wrong_run_says_what_is_wrong_where_and_what_it_was_compared_with(tmp_path: Path) -> None:
    (tmp_path / "op_kernel").mkdir()
    (tmp_path / "op_kernel/twice.cpp").write_text(SPECIFIED)
    wrong = CaseResult("odd tail", Outcome.WRONG_VALUES, "y[3] is 0.5 where 0.25 is right")
    run = VerifyResult(
        Outcome.WRONG_VALUES,
        (CaseResult("[64]", Outcome.PASSED), wrong),
        message=wrong.message,
        in_common="only cases with an odd tail are wrong",
        toolchain=ToolchainInfo("twin"),
    )
    runner = Answering({"check": CheckResult(Outcome.PASSED), "verify": run})
    judging = Judge.of(operator_of(tmp_path / "op_kernel/twice.cpp", (tmp_path,)), runner, CheckSettings(), "", runner)
    code = 'extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {}\n'
    said = await judging((GeneratedFile("op_kernel/twice.cpp", code),))
    assert said.words == "wrong on the twin: case odd tail, y[3] is 0.5 where 0.25 is right"
    assert said.mismatches == (
        "case odd tail: y[3] is 0.5 where 0.25 is right",
        "1 of 2 cases are wrong, 1 are right",
        "only cases with an odd tail are wrong",
    )
    assert said.formula == "y = 2 * x"


async def test_an_output_that_is_dropped_is_called_out_and_nothing_is_run(tmp_path: Path) -> None:
    (tmp_path / "op_kernel").mkdir()
    (tmp_path / "op_kernel/both.cpp").write_text(
        "// op: Both\n// formula: s = x + y; d = x - y\n// in x: float16 [64]\n// in y: float16 [64]\n"
        "// out s: float16 [64]\n// out d: float16 [64]\n"
    )
    operator = operator_of(tmp_path / "op_kernel/both.cpp", (tmp_path,))
    task = wanted(operator, Settings()).task
    runner = Answering({"check": CheckResult(Outcome.PASSED)})
    judging = Judge.of(operator, runner, CheckSettings(), "", runner, task)
    code = 'extern "C" __global__ __aicore__ void both(GM_ADDR x, GM_ADDR y, GM_ADDR s, GM_ADDR workspace) {}\n'
    said = await judging((GeneratedFile("op_kernel/both.cpp", code),))
    assert [one.message for one in said.findings] == ["the output 'd' is missing: 'both' has to take x, y, s, d"]
    assert list(runner.asked) == ["check"]
