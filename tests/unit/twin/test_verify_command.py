"""``kernelgen-ls verify`` where no runner is named: the twin answers, and the exit status says what it found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.twice import CASES, KERNEL
from tests.unit.twin.verifying import ROOT

SCHEMA = json.loads((ROOT / "docs/schemas/verify.schema.json").read_text(encoding="utf-8"))


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kernelgen_ls", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
    )


def write(folder: Path, kernel: str, cases: str = CASES) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "twice.cpp").write_text(kernel)
    if cases:
        (folder / "twice_cases.py").write_text(cases)


def answer_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """What was printed, which is as the published schema says."""
    answer = json.loads(done.stdout)
    jsonschema.validate(answer, SCHEMA, jsonschema.Draft202012Validator)
    return dict(answer)


def run(folder: Path, kernel: str, *options: str) -> tuple[int, dict[str, Any]]:
    write(folder, kernel)
    done = command(folder, "verify", "twice.cpp", "--json", *options)
    return done.returncode, answer_of(done)


@pytest.mark.parametrize(
    ("old", "new", "status", "outcome", "said"),
    [
        ("", "", 0, "right", ""),
        ("2.0f", "3.0f", 1, "wrong", "every value is 1.5 times what is right"),
        ("    in.FreeTensor(a);\n", "", 1, "wrong", "twice.cpp:13: the tensor that is taken here"),
        ("Muls(b, a, 2.0f, 64)", "Muls(b, a, 2.0f, length)", 1, "wrong", "the kernel does not compile"),
        (
            "Muls(b, a, 2.0f, 64)",
            "CrossCoreSetFlag<4, PIPE_MTE3>(1)",
            2,
            "not_executed",
            "by the twin: CrossCoreSetFlag",
        ),
    ],
)
def test_the_exit_status_is_the_verdict(
    tmp_path: Path, old: str, new: str, status: int, outcome: str, said: str
) -> None:
    code, answer = run(tmp_path, KERNEL.replace(old, new) if old else KERNEL)
    verdict = answer["verdict"]
    assert verdict["not_isolated"] == []
    assert (code, verdict["outcome"], verdict["by"]) == (status, outcome, "twin"), verdict
    assert said in str(verdict["message"])


def test_one_case_is_run_where_one_is_asked_for(tmp_path: Path) -> None:
    code, answer = run(tmp_path, KERNEL, "--case", "1", "--seed", "7")
    assert (code, [case["name"] for case in answer["cases"]]) == (0, ["second"])
    code, answer = run(tmp_path, KERNEL, "--case", "2")
    assert (code, answer["message"]) == (2, "there are 2 cases, none is 2")


def test_every_kernel_of_a_folder_is_run_and_the_worst_decides(tmp_path: Path) -> None:
    write(tmp_path / "right", KERNEL)
    write(tmp_path / "wrong", KERNEL.replace("2.0f", "3.0f"))
    write(tmp_path / "without", KERNEL, cases="")
    done = command(tmp_path, "verify", ".", "--json")
    answer = answer_of(done)
    assert (done.returncode, answer["outcome"]) == (1, "wrong")
    assert {one["path"]: one["verdict"]["outcome"] for one in answer["kernels"]} == {
        "right/twice.cpp": "right",
        "without/twice.cpp": "not_executed",
        "wrong/twice.cpp": "wrong",
    }
    done = command(tmp_path, "verify", "right")
    assert (done.returncode, done.stdout.splitlines()[-1].partition(" (")[0]) == (
        0,
        "right/twice.cpp:twice: right on the twin: 2 cases",
    )
    assert command(tmp_path, "verify", "without").returncode == 2
    (tmp_path / "empty").mkdir()
    assert "there is no kernel below empty" in command(tmp_path, "verify", "empty").stderr


def test_a_kernel_that_no_device_measures_is_compared_on_the_twin_first(tmp_path: Path) -> None:
    write(tmp_path, KERNEL)
    done = command(tmp_path, "measure", "twice.cpp")
    assert "twice: right on the twin: 2 cases" in done.stdout
    write(tmp_path, KERNEL.replace("2.0f", "3.0f"))
    done = command(tmp_path, "measure", "twice.cpp", "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["estimate"], answer["verdict"]["outcome"]) == (1, None, "wrong")
    unasked = json.loads(command(tmp_path, "measure", "twice.cpp", "--json", "--no-verify").stdout)
    assert "verdict" not in unasked


SPECIFIED = KERNEL.replace(
    'extern "C"', '// formula: y = 2 * x\n// in x: float32 [64]\n// out y: float32 [64]\nextern "C"'
)


def test_cases_are_made_where_there_are_none_and_written_they_give_the_same_verdict(tmp_path: Path) -> None:
    write(tmp_path, SPECIFIED, cases="")
    done = command(tmp_path, "verify", "twice.cpp")
    said = "twice: right on the twin: 3 cases made from the comment above twice"
    assert (done.returncode, done.stdout.splitlines()[-1].partition(" (")[0]) == (0, said)
    as_made = answer_of(command(tmp_path, "verify", "twice.cpp", "--json"))
    assert as_made["verdict"]["made_from"] == "the comment above twice"

    done = command(tmp_path, "verify", "--write-cases", "twice.cpp")
    said = "twice_cases.py: edit it, then run kernelgen-ls verify twice.cpp\n"
    assert (done.returncode, done.stdout) == (0, said)
    written = (tmp_path / "twice_cases.py").read_text()
    answer = answer_of(command(tmp_path, "verify", "twice.cpp", "--json"))
    assert (answer["cases"], answer["verdict"]["made_from"]) == (as_made["cases"], "")

    done = command(tmp_path, "verify", "--write-cases", "twice.cpp")
    assert (done.returncode, "there are cases already" in done.stderr) == (2, True)
    assert (tmp_path / "twice_cases.py").read_text() == written


def test_a_formula_that_is_not_understood_is_no_verdict_and_says_what_to_do(tmp_path: Path) -> None:
    write(tmp_path, SPECIFIED.replace("2 * x", "twofold(x)"), cases="")
    done = command(tmp_path, "verify", "twice.cpp", "--json")
    verdict = answer_of(done)["verdict"]
    assert (done.returncode, verdict["outcome"]) == (2, "not_executed")
    assert verdict["message"].startswith("not executed: the formula is not understood at `twofold`")
    assert "write golden(case, inputs) in twice_cases.py" in verdict["message"]
