"""The mutator: each kind of defect changes a kernel where it says it does, and the checker finds it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from kernelgen_ls.bench.defects import figures, run
from kernelgen_ls.bench.mutate import KINDS, mutate, mutations
from kernelgen_ls.workspace.discover import targets

KERNEL = Path(__file__).parents[3] / "examples" / "silu_mul" / "op_kernel" / "silu_mul.cpp"


@pytest.mark.parametrize("kind", KINDS)
def test_a_mutation_changes_one_line_and_names_it(kind: str):
    text = KERNEL.read_text(encoding="utf-8")
    mutation = mutate(text, kind, Random(7))
    assert mutation is not None
    before, after = text.split("\n"), mutation.text.split("\n")
    changed = [number for number, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert changed == [mutation.line]
    assert mutation.description


def test_the_same_seed_makes_the_same_mutations():
    text = KERNEL.read_text(encoding="utf-8")
    assert list(mutations(text, Random(3), 2)) == list(mutations(text, Random(3), 2))


def test_there_is_no_mutation_where_there_is_no_place():
    assert mutate("int x;\n", "wrong-queue-position", Random(1)) is None


def test_every_defect_of_an_example_is_found_near_its_line():
    trials = list(run(targets([str(KERNEL)]), each=1, seed=5))
    assert {trial.mutation.kind for trial in trials} == set(KINDS)
    missed = [(trial.mutation.kind, trial.mutation.description) for trial in trials if not trial.found]
    assert missed == []
    assert figures(trials)["near"] == len(trials)
