"""Seeded defects: a kernel's text, changed at one place, and what the twin says of it.

The inputs and golden outputs of a kernel are made once; each changed text is compiled and run on them.
"""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.findings import Location, Position, Range, Severity
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution.cases import Case, Tensor, judge
from kernelgen_ls.runner.execution.sandbox import job_folder
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.toolchains import never
from kernelgen_ls.runner.toolchains.configurations import kernel_configurations
from kernelgen_ls.runner.toolchains.source_tree import SourceTree
from kernelgen_ls.runner.toolchains.twin.build import Builder, runtime_program
from kernelgen_ls.runner.toolchains.twin.choosing import Choice
from kernelgen_ls.runner.toolchains.twin.compilers import find_compiler
from kernelgen_ls.runner.toolchains.twin.launch import Launch, run_library
from tests.unit.twin.verifying import CHIP

Array = np.ndarray[Any, Any]
_KEPT = tempfile.TemporaryDirectory(prefix="kernelgen-seeds-")


@frozen
class Subject:
    """A right kernel: ``make`` gives its inputs and its golden outputs."""

    name: str
    text: str
    blocks: int
    make: Callable[[np.random.Generator], tuple[list[Array], list[Array]]]
    workspace: int = 0
    """The bytes that a parameter called so is given."""


@frozen
class Said:
    """What the twin says: errors and warnings as (code, one-based line), and whether the outputs are right."""

    found: frozenset[tuple[str, int]]
    right: bool
    lacks: str = ""

    @property
    def codes(self) -> set[str]:
        return {code for code, _ in self.found}


@frozen
class Seed:
    """One change of a kernel: ``line`` is the one-based line of the changed text."""

    what: str
    text: str
    line: int
    codes: frozenset[str]
    """Any of these is the defect's name; "values" where only the outputs tell."""


def _saved(array: Array, name: str) -> Tensor:
    path = Path(_KEPT.name, name)
    array.tofile(path)
    return Tensor(array.dtype.name, array.shape, str(path))


@functools.lru_cache(maxsize=64)
def _case(name: str, subject: Subject) -> Case:
    given, golden = subject.make(np.random.default_rng(7))
    return Case(
        name,
        tuple(_saved(array, f"{name}-i{i}") for i, array in enumerate(given)),
        tuple(_saved(array, f"{name}-o{i}") for i, array in enumerate(golden)),
        block_dim=subject.blocks,
        workspace=subject.workspace,
        tolerance=(2e-3, 2e-3),
    )


def run(subject: Subject, text: str) -> Said:
    """Compile and run ``text`` in the place of the subject's own."""
    config, chip = RunnerConfig(), chip_named(CHIP)
    case = _case(subject.name, subject)
    with job_folder() as folder:
        tree = SourceTree.of({"kernel.cpp": text}, str(folder / "src"))
        builder = Builder(find_compiler(), config, folder, chip, never)
        builder.write(tree)
        kernel = Source.parse(text).structure.entries[0]
        chosen = Choice(kernel_configurations(tree, "kernel.cpp", chip).configurations[0])
        library = builder.build(tree, "kernel.cpp", kernel, chosen, "kernel")
        program = runtime_program(find_compiler())
        place = Location("kernel.cpp", Range(Position(0, 0), Position(0, 0)))
        found, right = set(), True
        for number, backwards in enumerate((False, True)):
            outputs = folder / f"outputs-{number}"
            outputs.mkdir()
            launch = Launch(library, kernel, case, None, chip, reversed=backwards)
            ran = run_library(launch, program, {"kernel.cpp": text}, place, outputs, config, never)
            if ran.lacks:
                return Said(frozenset(), False, ran.lacks)
            found |= {
                (finding.code.removeprefix("twin/"), finding.location.range.start.line + 1)
                for finding in ran.findings
                if finding.severity is not Severity.INFORMATION
            }
            right = right and ran.end == "done" and judge(case, list(ran.outputs)).outcome is Outcome.PASSED
        return Said(frozenset(found), right)


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def replaced(what: str, text: str, old: str, new: str, *codes: str) -> Seed:
    """A seed where ``old``, which stands once in ``text``, becomes ``new``."""
    assert text.count(old) == 1, (what, old, text.count(old))
    at = text.index(old)
    return Seed(what, text.replace(old, new), line_of(text, at), frozenset(codes))


_STATEMENT = r"(?P<indent>\n[ \t]*)(?P<statement>{})"


@frozen
class Mutation:
    """A kind of change, made wherever ``pattern`` matches a statement; ``new`` is a template of the match."""

    what: str
    pattern: str
    new: str
    codes: tuple[str, ...]


_CALL = r"(?P<queue>[\w.]+?)\.{}\((?P<tensor>[^();]*)\);"
MUTATIONS = (
    Mutation("a FreeTensor is missing", _CALL.format("FreeTensor"), "", ("tensor-leaked", "queue-empty")),
    Mutation("freed twice", _CALL.format("FreeTensor"), r"\g<statement> \g<statement>", ("double-free",)),
    Mutation(
        "used after it is freed",
        _CALL.format("FreeTensor"),
        r"\g<statement> \g<tensor>.SetValue(0, \g<tensor>.GetValue(0));",
        ("use-after-free",),
    ),
    Mutation("an EnQue is missing", _CALL.format("EnQue"), "", ("deque-of-empty-queue",)),
    Mutation("handed on twice", _CALL.format("EnQue"), r"\g<statement> \g<statement>", ("enque-twice",)),
    Mutation(
        "freed before it is handed on",
        _CALL.format("EnQue"),
        r"\g<queue>.FreeTensor(\g<tensor>); \g<statement>",
        ("use-after-free",),
    ),
    Mutation(
        "used while it waits",
        _CALL.format("EnQue"),
        r"\g<statement> \g<tensor>.SetValue(0, 1);",
        ("use-while-queued",),
    ),
    Mutation(
        "a block for a buffer",
        r"(?P<call>[\w.>-]+InitBuffer\([^;]*), (?!32\b)(?P<bytes>[^,;]+)\);",
        r"\g<call>, 32);",
        ("buffer-bounds", "tensor-beyond-buffer", "work-buffer"),
    ),
    Mutation(
        "nothing is copied in",
        r"(?:AscendC::)?DataCopy(?:Pad)?\(\w+(?:\[[^\]]*\])?, \w*(?:Gm|Global|source)\w*[^;]*\);",
        "",
        ("uninitialised-global", "uninitialised-scalar"),
    ),
    Mutation(
        "a block too much is copied out",
        r"(?P<copy>(?:AscendC::)?DataCopy)\((?P<to>\w*(?:Gm|Global)\w*(?:\[[^\]]*\])?), "
        r"(?P<from>\w+), (?P<count>\w+)\);",
        r"\g<copy>(\g<to>, \g<from>, \g<count> + 64);",
        ("buffer-bounds", "global-bounds", "uninitialised-global", "block-overlap"),
    ),
    Mutation(
        "an operand off its block",
        r"(?P<op>Adds|Muls|Mul|Add|Exp|Maxs)\((?P<to>\w+), (?P<from>\w+), (?P<rest>[^;]*)\);",
        r"\g<op>(\g<to>[1], \g<from>, \g<rest>);",
        ("misaligned",),
    ),
)


def seeds(subject: Subject, most: int) -> Iterator[Seed]:
    """Every kind of change at ``most`` places of the kernel, the first and the last ones."""
    for mutation in MUTATIONS:
        matches = list(re.finditer(_STATEMENT.format(mutation.pattern), subject.text))
        chosen = matches if len(matches) <= most else [*matches[: most - 1], matches[-1]]
        for match in chosen:
            new = match["indent"] + match.expand(mutation.new)
            text = subject.text[: match.start()] + new + subject.text[match.end() :]
            line = line_of(subject.text, match.start("statement"))
            yield Seed(f"{mutation.what}: {match['statement']}", text, line, frozenset(mutation.codes))
