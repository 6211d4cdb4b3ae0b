"""``generate`` and ``bench npukb`` over the real RPC, the real reader and the real checker; the model is scripted."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from kernelgen_ls.bench.npukb import npukb
from kernelgen_ls.cli.generate import generate
from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.store import NoModelError
from kernelgen_ls.report.json_schema import generate_schema
from kernelgen_ls.testing.scripted_worker import CUT, DIE
from kernelgen_ls.work import generating

PROFILES = Path(__file__).parents[3] / "kernelgen_ls" / "model" / "prompts" / "profiles"
KERNEL = (PROFILES / "example_kernel.cpp").read_text("utf-8")
BROKEN = KERNEL.replace("Add(zLocal", "Addd(zLocal")
SPEC = """// op: AddRows
// formula: z = x + y
// in x: float16 [48, 1024]
// in y: float16 [48, 1024]
// out z: float16 [48, 1024]
"""
KEPT = tempfile.TemporaryDirectory(prefix="kernelgen-ls-tests-")
"""What the twin compiles once is kept for all tests here."""


def framed(kernel: str) -> str:
    return f"先想。\n</think>\n\n<kernel_impl>\n```cpp\n{kernel}```\n</kernel_impl>"


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", KEPT.name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "op_kernel" / "add_rows.cpp"
    path.parent.mkdir()
    path.write_text(SPEC, encoding="utf-8")
    return path


def scripted(monkeypatch: pytest.MonkeyPatch, folder: Path, *answers: str) -> None:
    script = folder / "script.json"
    script.write_text(json.dumps({"answers": answers}), encoding="utf-8")
    argv = (sys.executable, "-m", "kernelgen_ls.testing.scripted_worker", str(script))
    monkeypatch.setattr(generating, "LocalEngine", lambda _worker: LocalEngine(argv))
    monkeypatch.setattr(generating, "generation_choice", lambda settings: ModelChoice(path=script))


def test_written_and_mended(spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, tmp_path, framed(BROKEN), framed(KERNEL))
    out = tmp_path / "out"
    done = CliRunner().invoke(generate, [str(spec), "--by", "model", "--json", "--n", "1", "--out", str(out)])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    jsonschema.validate(answer, generate_schema())
    assert answer["clean"]
    verdict = answer["candidates"][0]["verdict"]
    assert (verdict["outcome"], verdict["by"]) == ("right", "twin")
    head, _, rest = (out / "op_kernel" / "add_rows.cpp").read_text("utf-8").partition("\n")
    assert head == f"// As generated: {verdict['words']}"
    assert rest == KERNEL
    first, second = answer["candidates"][0]["attempts"]
    assert "Addd" in first["findings"][0]["message"]
    assert second["findings"] == []
    assert "void Add(const LocalTensor<T> &dst" in second["prompt"], "the signature of what was meant is quoted"
    assert "先想" in first["answer"]


def test_a_kernel_goes_into_the_file_that_is_named(spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, tmp_path, framed(KERNEL))
    out = tmp_path / "mine" / "add.cpp"
    done = CliRunner().invoke(generate, [str(spec), "--by", "model", "--n", "1", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert out.read_text("utf-8").endswith(KERNEL)


def test_a_wrong_kernel_is_said_to_be_wrong_before_anything_else(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(monkeypatch, tmp_path, framed(KERNEL.replace("Add(zLocal", "Sub(zLocal")))
    done = CliRunner().invoke(generate, [str(spec), "--by", "model", "--n", "1", "--rounds", "0", "--json"])
    assert done.exit_code == 1, done.output
    answer = json.loads(done.stdout)
    assert answer["verdict"]["outcome"] == answer["candidates"][0]["verdict"]["outcome"] == "wrong"
    assert answer["summary"].startswith("Generate kernel AddRows: wrong on the twin: case ")
    assert " where " in answer["summary"]


def test_errors_left(spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, tmp_path, framed(BROKEN))
    done = CliRunner().invoke(generate, [str(spec), "--by", "model", "--n", "1", "--rounds", "0"])
    assert done.exit_code == 1
    assert done.stdout.startswith("// As generated: 1 error left, the first in line")
    assert done.stdout.endswith(BROKEN)
    assert "1 error left" in done.stderr


def test_cut_and_nothing(spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, tmp_path, framed(KERNEL)[:700] + CUT)
    done = CliRunner().invoke(generate, [str(spec), "--by", "model", "--n", "1"])
    assert done.exit_code == 1
    assert "cut off" in done.stderr


def test_the_worker_dies_half_way(spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, tmp_path, "先想" + DIE)
    done = CliRunner().invoke(generate, [str(spec), "--by", "model", "--n", "2"])
    assert done.exit_code == 2
    assert "died" in done.output


def test_what_is_missing_is_asked_for(spec: Path) -> None:
    spec.write_text("// op: AddRows\n")
    done = CliRunner().invoke(generate, [str(spec)])
    assert done.exit_code == 2
    assert "lacks formula, inputs, outputs, dtypes" in done.output
    assert "in x: float16 [48, 1024]" in done.output


def test_the_benchmark_resumes(spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, tmp_path, framed(BROKEN), framed(KERNEL))
    for name in ("AddRows", "Other"):
        task = tmp_path / "bench" / "tasks" / "level1" / "Math" / name
        (task / "question" / "op_kernel").mkdir(parents=True)
        (task / "api_desc.md").write_text(
            f"# {name}\n\n## 功能描述\n\n$$\nz = x + y\n$$\n\n### 输入\n\n- `x`: float16\n- `y`: float16\n\n"
            "### 输出\n\n- `z`: float16\n",
            encoding="utf-8",
        )
        (task / "validation").mkdir()
        (task / "validation" / "test_cases.csv").write_text("case_id;x_shape;dtype\n0;[48, 1024];float16\n")
        (task / "question" / "op_kernel" / "add_rows.cpp").write_text(
            '#include "kernel_operator.h"\n'
            'extern "C" __global__ __aicore__ void add_rows(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace) {}\n'
        )
    out = tmp_path / "results"
    arguments = [str(tmp_path / "bench"), "--by", "model", "--out", str(out), "--json", str(out / "scores.json")]
    first = CliRunner().invoke(npukb, [*arguments, "--limit", "1"])
    assert first.exit_code == 0, first.output
    results = out / "results.jsonl"
    (line,) = results.read_text("utf-8").splitlines()
    (sample,) = (one for one in json.loads(line)["samples"] if one["written_by"] == "model")
    assert (sample["first_compiles"], sample["compiles"], sample["outcome"]) == (False, True, "right")
    with results.open("a") as file:
        file.write('{"task": "level1/Math/Oth')
    second = CliRunner().invoke(npukb, arguments)
    assert second.exit_code == 0, second.output
    assert len(results.read_text("utf-8").splitlines()) == 3
    scores = json.loads((out / "scores.json").read_text("utf-8"))
    assert scores[-1]["group"] == "all"
    assert scores[-1]["tasks"] == 2
    assert scores[-1]["compile"]["1"] == 100.0


def test_a_kernel_is_written_by_rule_without_any_model(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(settings: object) -> ModelChoice:
        raise NoModelError("no model is chosen", "")

    monkeypatch.setattr(generating, "generation_choice", none)
    done = CliRunner().invoke(generate, [str(spec), "--json"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    jsonschema.validate(answer, generate_schema())
    assert (answer["written_by"], answer["tokens"]) == ("rule", 0)
    assert answer["summary"].startswith("Generate kernel AddRows: right on the twin: ")
    assert answer["summary"].endswith("; written by rule")

    spec.write_text(SPEC.replace("x + y", "foo(x, y)"), encoding="utf-8")
    done = CliRunner().invoke(generate, [str(spec)])
    assert done.exit_code == 2
    assert "no model is chosen" in done.output
    assert "not written by rule: " in done.output
    assert "`foo`" in done.output
