"""A verification in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from attrs import evolve

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Related, Severity
from kernelgen_ls.report.json_schema import verify_schema
from kernelgen_ls.report.verification import (
    Verified,
    verdict_brief,
    verification_json,
    verification_lines,
    verification_page,
    verifications_json,
    wrong_outputs,
)
from kernelgen_ls.runner.jobs.messages import CaseResult, Outcome, ToolchainInfo, VerifyResult, WrongValues
from kernelgen_ls.work.verdicts import verdict, verdict_words

ROOT = Path(__file__).parents[3]
TWIN = ToolchainInfo("twin")
PLACE = Location("op_kernel/k.cpp", Range(Position(6, 4), Position(6, 20)))
FINDING = Finding(PLACE, Severity.ERROR, "it leaks", FoundBy.TWIN, "twin/tensor-leaked", (Related(PLACE, "here"),))
WRONG = WrongValues(0, "y", (3, 17), "0.5", "0.25", 12, 4096, "only the last 4 elements in every row: the tails")
RIGHT = VerifyResult(Outcome.PASSED, tuple(CaseResult(str(n), Outcome.PASSED) for n in range(5)), toolchain=TWIN)
FALSE = VerifyResult(
    Outcome.WRONG_VALUES,
    (CaseResult("1", Outcome.PASSED), CaseResult("3", Outcome.WRONG_VALUES, str(WRONG), WRONG)),
    (FINDING,),
    "wrong in every case in float16 and in no other",
    ("processes", "network"),
    toolchain=TWIN,
    message=str(WRONG),
)
LACKING = VerifyResult(Outcome.NOT_EXECUTED, toolchain=TWIN, message="not executed by the twin: Mmad")
BROKEN = VerifyResult(Outcome.INFRA_ERROR, toolchain=TWIN, message="no compiler")
REFUSED = VerifyResult(Outcome.COMPILE_ERROR, toolchain=TWIN, message="the kernel does not compile")


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (RIGHT, "right on the twin: 5 cases"),
        (evolve(RIGHT, toolchain=ToolchainInfo("cann"), cases=RIGHT.cases[:1]), "right on the device: 1 case"),
        (
            FALSE,
            "wrong on the twin: case 3, y[3, 17] is 0.5 where 0.25 is right (12 of 4096 elements are wrong: only the "
            "last 4 elements in every row: the tails)",
        ),
        (LACKING, "not executed by the twin: Mmad"),
        (BROKEN, "no verdict: no compiler"),
        (REFUSED, "wrong: the kernel does not compile"),
    ],
)
def test_the_verdict_in_a_line(result: VerifyResult, words: str) -> None:
    assert verdict_words(result) == words


def test_a_case_of_any_name_stays_in_its_line() -> None:
    named = CaseResult("two\nlines " + 500 * "x", Outcome.WRONG_VALUES, "y[0] is 1 where 2 is right")
    result = evolve(FALSE, cases=(named,), message=named.message)
    for said in (verdict_words(result), verification_lines(result, "k")[1]):
        assert "two lines xxx" in said
        assert len(said) < 200


def test_what_isolated_the_run_is_said_where_something_was_missing() -> None:
    shared = "the runs shared this machine's files: it cannot isolate them (docs/runner.md)"
    assert verdict(FALSE).not_isolated == ("files",)
    assert shared in verification_lines(FALSE, "k")
    whole = evolve(FALSE, isolation=("processes", "network", "user", "files"))
    assert verdict(whole).not_isolated == ()
    assert not any("shared" in line for line in verification_lines(whole, "k"))
    assert verdict(BROKEN).not_isolated == (), "nothing was run"


def test_the_lines_are_findings_cases_what_is_common_and_the_verdict() -> None:
    lines = verification_lines(FALSE, "k")
    assert lines[0] == ("op_kernel/k.cpp:7:5: error: it leaks [twin/tensor-leaked]\n  op_kernel/k.cpp:7: here")
    assert lines[1:3] == ["1: passed", f"3: wrong_values: {WRONG}"]
    assert lines[3] == "wrong in every case in float16 and in no other"
    assert lines[-1].startswith("k: wrong on the twin: case 3, y[3, 17]")


def test_the_page_has_the_verdict_once_then_what_was_found_and_the_other_cases() -> None:
    other = CaseResult("4", Outcome.RUNTIME_ERROR, "LocalTensor<half> is used")
    page = verification_page(evolve(FALSE, cases=(*FALSE.cases, other)), "scale")
    assert page.splitlines() == [
        f"**scale**: wrong on the twin: case 3, {WRONG}",
        "",
        "- op_kernel/k.cpp:7:5: error: it leaks [twin/tensor-leaked]",
        "- ``4: runtime_error: LocalTensor<half> is used``",
        "- wrong in every case in float16 and in no other",
        "- the runs shared this machine's files: it cannot isolate them (docs/runner.md)",
        "- 1 of 3 cases passed",
    ]
    assert verification_page(RIGHT, "scale") == "**scale**: right on the twin: 5 cases"
    leaks = tuple(evolve(FINDING, message=f"leak {number}") for number in range(12))
    assert "- 4 more findings" in verification_page(evolve(FALSE, findings=leaks), "scale")


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (RIGHT, "right on the twin: 5 cases"),
        (FALSE, "wrong on the twin"),
        (LACKING, "not executed by the twin"),
        (REFUSED, "does not compile"),
    ],
)
def test_a_lens_has_room_for_a_few_words(result: VerifyResult, words: str) -> None:
    assert verdict_brief(result) == words
    assert verdict_brief(evolve(RIGHT, message="no odd tail")) == "right on the twin: 5 cases"


def test_wrong_outputs_are_a_finding_and_what_others_say_is_none() -> None:
    finding = wrong_outputs(FALSE, "op_kernel/k.cpp", PLACE.range)
    assert finding is not None
    assert (finding.code, finding.source, finding.location) == ("twin/wrong-outputs", FoundBy.TWIN, PLACE)
    assert finding.message.endswith("; wrong in every case in float16 and in no other")
    for other in (RIGHT, LACKING, BROKEN, REFUSED, evolve(FALSE, outcome=Outcome.RUNTIME_ERROR)):
        assert wrong_outputs(other, "op_kernel/k.cpp", PLACE.range) is None


@pytest.mark.parametrize("name", ["verify", "generate"])
def test_the_published_schema_is_one(name: str) -> None:
    published = json.loads((ROOT / f"docs/schemas/{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(published)


def test_what_is_printed_is_as_the_schema_says_and_nothing_else_is() -> None:
    known = jsonschema.Draft202012Validator(verify_schema())
    several = [Verified("k.cpp", "k", one) for one in (RIGHT, FALSE, LACKING, BROKEN, REFUSED)]
    for one in several:
        known.validate(json.loads(json.dumps(verification_json(one))))
    answer = verifications_json(several)
    assert answer["outcome"] == "wrong"
    known.validate(json.loads(json.dumps(answer)))
    assert not known.is_valid({**verification_json(several[0]), "verdict": {"outcome": "perfect"}})
    assert not known.is_valid({"outcome": "right"})


@pytest.mark.parametrize(
    ("results", "outcome"),
    [
        ((RIGHT, LACKING, FALSE), "wrong"),
        ((RIGHT, LACKING, BROKEN), "failed"),
        ((RIGHT, LACKING), "not_executed"),
    ],
)
def test_of_several_kernels_the_worst_decides(results: tuple[VerifyResult, ...], outcome: str) -> None:
    assert verifications_json([Verified("k.cpp", "k", one) for one in results])["outcome"] == outcome


def test_what_a_kernel_printed_stands_before_its_case() -> None:
    case = CaseResult("odd tail", Outcome.PASSED, printed=tuple(f"block {n}: <{n}>" for n in range(10)))
    result = VerifyResult(Outcome.PASSED, (case,), toolchain=TWIN)
    lines = verification_lines(result, "scale")
    assert lines[0] == "  kernel printed: block 0: <0>" and lines[10] == "odd tail: passed"
    page = verification_page(result, "scale")
    assert "- ``odd tail: kernel printed: block 7: <7>``\n- 2 more printed lines" in page
    jsonschema.validate(verification_json(Verified("scale.cpp", "scale", result)), verify_schema())
