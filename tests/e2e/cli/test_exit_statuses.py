"""Every command ends as ``docs/exit-statuses.md`` says: each status of the table, brought about once."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
from attrs import field, frozen
from click.testing import CliRunner

from kernelgen_ls.bench import everything
from kernelgen_ls.cli import measure
from kernelgen_ls.cli.program import COMMANDS, main
from kernelgen_ls.demo import show
from kernelgen_ls.doctor import examinations
from kernelgen_ls.doctor.diagnosis import Diagnosis, Verdict
from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.runner.jobs.messages import MeasureResult, Outcome, VerifyResult
from kernelgen_ls.work import generating, running

ROOT = Path(__file__).parents[3]
KERNEL = (ROOT / "kernelgen_ls" / "model" / "prompts" / "profiles" / "example_kernel.cpp").read_text("utf-8")
BROKEN = KERNEL.replace("Add(zLocal", "Addd(zLocal")
SPECIFICATION = (
    "// op: AddRows\n// formula: z = x + y\n// in x: float16 [48, 1024]\n"
    "// in y: float16 [48, 1024]\n// out z: float16 [48, 1024]\n"
)


def written(kernel: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A model that answers with ``kernel``; with nothing, it answers nothing of use."""

    def prepare(patch: pytest.MonkeyPatch) -> None:
        answer = f"</think>\n\n<kernel_impl>\n```cpp\n{kernel}```\n</kernel_impl>" if kernel else "</think>\n"
        script = Path("script.json").absolute()
        script.write_text(json.dumps({"answers": [answer]}), encoding="utf-8")
        argv = (sys.executable, "-m", "kernelgen_ls.testing.scripted_worker", str(script))
        patch.setattr(generating, "LocalEngine", lambda _worker: LocalEngine(argv))
        patch.setattr(generating, "generation_choice", lambda settings: ModelChoice(path=script))

    return prepare


def measured(outcome: Outcome) -> Callable[[pytest.MonkeyPatch], None]:
    """A runner that answers with ``outcome``."""

    def prepare(patch: pytest.MonkeyPatch) -> None:
        async def ask(*_: object) -> tuple[MeasureResult, None]:
            return MeasureResult(outcome, message="as the test wants it"), None

        patch.setattr(measure, "_ask", ask)

    return prepare


def verified(outcome: Outcome) -> Callable[[pytest.MonkeyPatch], None]:
    """A runner that verifies with ``outcome``."""

    def prepare(patch: pytest.MonkeyPatch) -> None:
        async def ask(*_: object) -> VerifyResult:
            return VerifyResult(outcome, message="as the test wants it")

        patch.setattr(running, "verify_once", ask)

    return prepare


def examined(verdict: Verdict) -> Callable[[pytest.MonkeyPatch], None]:
    """A doctor who finds ``verdict``."""

    async def examine(_: object) -> tuple[Diagnosis, ...]:
        return (Diagnosis("part", verdict, "as the test wants it"),)

    return lambda patch: patch.setattr(examinations, "EXAMINATIONS", (examine,))


def shown(*, right: bool) -> Callable[[pytest.MonkeyPatch], None]:
    """A demo that goes ``right``."""

    async def scenes(*_: object) -> bool:
        return right

    return lambda patch: patch.setattr(show, "show", scenes)


def benchmark(*arguments: str) -> Callable[[pytest.MonkeyPatch], None]:
    """``bench all`` with one benchmark."""
    return lambda patch: patch.setattr(everything, "RUNS", (("one", arguments),))


@frozen
class Case:
    """A command line and how it ends."""

    line: str
    status: int
    prepare: Callable[[pytest.MonkeyPatch], None] = field(default=lambda patch: None, repr=False)

    @property
    def command(self) -> str:
        """The command's name."""
        return self.line.partition(" ")[0]


CASES = [
    Case("serve --log-level loud", 2),
    Case("check clean.cpp", 0),
    Case("check broken.cpp", 1),
    Case("check nowhere.cpp", 2),
    Case("complete clean.cpp:40:1", 0),
    Case("complete nowhere.cpp:1:1", 2),
    Case("complete clean.cpp:40:1 --model nowhere.gguf", 2),
    Case("generate spec.cpp --by model --n 1", 0, written(KERNEL)),
    Case("generate spec.cpp --by model --n 1 --rounds 0", 1, written(BROKEN)),
    Case("generate spec.cpp --by model --n 1 --rounds 0", 2, written("")),
    Case("generate clean.cpp", 2),
    Case("generate spec.cpp --n 1 --out clean.cpp/below", 2, written(KERNEL)),
    Case("verify clean.cpp --runner local --cases cases", 0, verified(Outcome.PASSED)),
    Case("verify clean.cpp --runner local --cases cases", 1, verified(Outcome.WRONG_VALUES)),
    Case("verify clean.cpp --runner local --cases cases", 2, verified(Outcome.INFRA_ERROR)),
    Case("measure clean.cpp --history", 0),
    Case("measure clean.cpp --history --plot clean.cpp/below.svg", 2),
    Case("measure clean.cpp --runner local --cases cases", 0, measured(Outcome.PASSED)),
    Case("measure clean.cpp --runner local --cases cases", 1, measured(Outcome.WRONG_VALUES)),
    Case("measure clean.cpp --runner local --cases cases", 2, measured(Outcome.INFRA_ERROR)),
    Case("measure clean.cpp --estimate", 2),
    Case("model list", 0),
    Case("model info clean.cpp", 2),
    Case("model info nowhere.gguf", 2),
    Case("runner", 2),
    Case("runner --listen 0.0.0.0:1", 2),
    Case("runner init-certs certs --host localhost", 0),
    Case("runner init-certs clean.cpp/below --host localhost", 2),
    Case("doctor", 0, examined(Verdict.NOTE)),
    Case("doctor", 1, examined(Verdict.BAD)),
    Case("demo", 0, shown(right=True)),
    Case("demo", 1, shown(right=False)),
    Case("demo --model nowhere.gguf", 2),
    Case("settings", 0),
    Case("settings --nothing", 2),
    Case("stats", 0),
    Case("stats --nothing", 2),
    Case("records path", 0),
    Case("records export --format sft", 2),
    Case("bench all", 0, benchmark("typing", "--help")),
    Case("bench all", 1, benchmark("no-such-benchmark")),
    Case("bench generate .", 2),
    Case("train evaluate nowhere", 2),
]
ELSEWHERE = {("serve", 0), ("serve", 1), ("doctor", 2), ("train", 0)}
"""The server's own process, an unknown chip and a whole training have tests of their own."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with kernels and nothing else, and a user who has set nothing."""
    for name in ("CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    (tmp_path / "clean.cpp").write_text(KERNEL, encoding="utf-8")
    (tmp_path / "broken.cpp").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "spec.cpp").write_text(SPECIFICATION, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.line} -> {case.status}")
def test_a_command_ends_as_the_table_says(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    case.prepare(monkeypatch)
    done = CliRunner().invoke(main, case.line.split())
    assert done.exit_code == case.status, done.output
    assert "Traceback" not in done.output


def test_the_table_is_whole() -> None:
    page = (ROOT / "docs" / "exit-statuses.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:3] == "| `"]
    assert [row[0].strip("`") for row in rows] == list(COMMANDS)
    said = {(row[0].strip("`"), status) for row in rows for status in range(3) if row[status + 1] != "-"}
    assert said == {(case.command, case.status) for case in CASES} | ELSEWHERE


@pytest.mark.usefixtures("place")
def test_a_kernel_that_cannot_be_written_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    written(KERNEL)(monkeypatch)
    done = CliRunner().invoke(main, ["generate", "spec.cpp", "--by", "model", "--out", "clean.cpp/below/add.cpp"])
    head, _, kernel = done.stdout.partition("\n")
    assert (done.exit_code, kernel) == (2, KERNEL)
    assert head.startswith("// As generated: right on the twin: ")
    assert "clean.cpp/below/add.cpp cannot be written: Not a directory" in done.stderr


def test_a_defect_of_ours_and_a_benchmark_that_cannot_run_are_no_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    def defect() -> None:
        raise AssertionError("this cannot happen")

    monkeypatch.setattr("kernelgen_ls.settings.all_settings", defect)
    done = CliRunner().invoke(main, ["settings"])
    assert done.exit_code == 2
    assert "AssertionError: this cannot happen" in done.output


def test_who_stops_a_command_is_not_told_that_the_code_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(work: Coroutine[object, object, object]) -> None:
        work.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(asyncio, "run", stopped)
    done = CliRunner().invoke(main, ["demo"])
    assert (done.exit_code, done.stderr) == (130, "Interrupted.\n")


def test_the_program_is_what_the_tests_call() -> None:
    line = [sys.executable, "-m", "kernelgen_ls", "check", "nowhere.cpp"]
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (2, "Error: nowhere.cpp does not exist\n")
