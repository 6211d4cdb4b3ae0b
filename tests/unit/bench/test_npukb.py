"""The benchmark over a checkout: reading tasks, resuming, scoring."""

import json
from pathlib import Path

from kernelgen_ls.bench.npukb import read_results, scores, task_texts, tasks_in
from kernelgen_ls.bench.samples import By, Sample, Tried, at_k


def make_task(root: Path, name: str) -> None:
    folder = root / "tasks" / name
    for path in ("api_desc.md", "validation/test_cases.csv", "question/op_kernel/op.cpp", "question/op_host/op.cpp"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path)
    (folder / "answer" / "0").mkdir(parents=True)
    (folder / "answer" / "0" / "api_desc.md").write_text("not a task")


def test_tasks_of_a_checkout(tmp_path: Path) -> None:
    for name in ("level1/Math/Abs", "level1/Index/Gather", "level2/Norm/LayerNorm"):
        make_task(tmp_path, name)
    assert [task.name for task in tasks_in(tmp_path, ())] == [
        "level1/Index/Gather",
        "level1/Math/Abs",
        "level2/Norm/LayerNorm",
    ]
    (only,) = tasks_in(tmp_path / "tasks", ("2",))
    assert only.operator == "LayerNorm"
    assert task_texts(only) == {
        "api_desc.md": "api_desc.md",
        "test_cases.csv": "validation/test_cases.csv",
        "op_kernel/op.cpp": "question/op_kernel/op.cpp",
        "op_host/op.cpp": "question/op_host/op.cpp",
    }


def test_a_run_goes_on_after_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    sample = {"written_by": "model", "first_compiles": False, "compiles": True, "outcome": "right"}
    line = {"task": "level1/Math/Abs", "samples": [sample], "tokens": 5, "seconds": 1.0, "problem": "", "said": ""}
    file.write_text(json.dumps(line) + '\n{"task": "level1/Ma')
    assert read_results(file) == {
        "level1/Math/Abs": Tried("level1/Math/Abs", (Sample("model", False, True, "right"),), 5, 1.0)
    }
    assert read_results(tmp_path / "none") == {}


def test_the_estimate_of_one_of_k() -> None:
    assert at_k(10, 0, 1) == 0
    assert at_k(10, 10, 5) == 1
    assert abs(at_k(4, 1, 2) - 0.5) < 1e-9
    assert at_k(1, 0, 2) == 0
    assert at_k(0, 0, 1) == 0


def test_scores() -> None:
    ruled = Sample("rule", True, True, "right")
    rows = scores(
        [
            Tried(
                "level1/Math/Abs", (ruled, Sample("model", True, True, "wrong"), Sample("model", False, True, "right"))
            ),
            Tried("level1/Math/Add", (Sample("model", False, False), Sample("model", False, True, "not_executed"))),
            Tried("level2/Norm/N", problem="no formula"),
        ],
        (1, 2),
        tuple(By),
    )
    by_group = {(row.group, row.by): row for row in rows}
    assert list(dict.fromkeys(group for group, _ in by_group)) == [
        "level1",
        "level1/Math",
        "level2",
        "level2/Norm",
        "all",
    ]
    model = by_group["level1", By.MODEL]
    assert model.compile_first == {1: 25.0, 2: 50.0}
    assert model.compile == {1: 75.0, 2: 100.0}
    assert model.right == {1: 25.0, 2: 50.0}
    assert (model.wrong, model.not_executed) == (33.3, 33.3)
    assert by_group["level1", By.RULE].right == {1: 50.0, 2: 50.0}
    assert by_group["level1", By.BOTH].right == {1: 50.0, 2: 50.0}
    assert by_group["level2", By.BOTH].right == {1: 0.0, 2: 0.0}
    assert by_group["all", By.BOTH].compile == {1: 50.0, 2: 66.7}
