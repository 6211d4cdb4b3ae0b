"""The mutator: each kind of defect changes a kernel where it says it does, and the checker finds it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from kernelgen_ls.bench.defects import figures, into_header, run
from kernelgen_ls.bench.edits import Finder
from kernelgen_ls.bench.mutate import KINDS, finder_of, mutate, mutations
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain
from kernelgen_ls.work.checking import request_of
from kernelgen_ls.workspace.discover import targets

ROOT = Path(__file__).parents[3]
KERNEL = ROOT / "examples" / "silu_mul" / "op_kernel" / "silu_mul.cpp"
KERNELS = sorted([KERNEL, *(ROOT / "tests" / "kernels" / "clean").glob("*.cpp")])


@pytest.mark.parametrize("kind", KINDS)
def test_a_mutation_changes_one_line_and_names_it(kind: str):
    text, mutation = next(
        (text, mutation)
        for text in (path.read_text(encoding="utf-8") for path in KERNELS)
        if (mutation := mutate(text, kind, Random(7))) is not None
    )
    after = mutation.text.split("\n")
    added = after[: len(after) - text.count("\n") - 1]
    assert all(line.startswith("#include <") for line in added)
    before = [*added, *text.split("\n")]
    changed = [number for number, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert changed == [mutation.line]
    assert mutation.description


def test_the_same_seed_makes_the_same_mutations():
    text = KERNEL.read_text(encoding="utf-8")
    assert list(mutations(text, Random(3), 2)) == list(mutations(text, Random(3), 2))


def test_there_is_no_mutation_where_there_is_no_place():
    assert mutate("int x;\n", "wrong-queue-position", Random(1)) is None


def test_a_kernel_whose_class_was_moved_into_a_header_is_as_clean_as_before():
    (target,) = targets([str(KERNEL)])
    moved = into_header(request_of(target, "Ascend910B1"))
    assert moved is not None
    texts = {item.path: item.text for item in moved.files if item.text is not None}
    header = next(path for path in texts if path.endswith("_class.h"))
    assert "class KernelSiluMul" in texts[header]
    assert "class" not in texts[moved.entry].replace("_class.h", "")
    assert EmbeddedToolchain().check(moved).outcome is Outcome.PASSED


@pytest.mark.parametrize("in_header", [False, True], ids=["source", "header"])
def test_what_a_compiler_refuses_is_found_near_its_line(in_header: bool):
    (target,) = targets([str(KERNEL)])
    trials = [trial for trial in run([target, target], each=1, seed=5) if trial.in_header is in_header]
    refused = [trial for trial in trials if finder_of(trial.mutation.kind) is Finder.COMPILER]
    assert len({trial.mutation.kind for trial in refused}) > 15
    missed = [(trial.mutation.kind, trial.mutation.description) for trial in refused if not trial.found]
    assert missed == []
    counted = figures(trials)
    assert counted["header" if in_header else "source"] == {
        "tried": len(trials),
        "found": sum(trial.found for trial in trials),
        "near": sum(trial.near for trial in trials),
    }
