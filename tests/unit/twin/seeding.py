"""Seeded defects: a kernel that holds its own defects, each behind a switch, and what the twin says of each.

A kernel's text is compiled once; the case's tiling key chooses the defect: ``SEED(3)`` is true where it is 3, and
nothing is wrong where it is 0. Beside a defect stands what is to be found::

    DataCopy(yGm, y, SEED(3) ? 2 * N : N);  // seed 3: buffer-bounds, global-bounds

Any of these codes is the defect's name; ``values`` means wrong outputs. The finding is to stand at the line of the
seed, or at one that says ``seen 3``, which is where the code's page in docs/twin says that it stands.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.findings import Finding, Location, Position, Range, Severity
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution.cases import Case, Tensor, judge
from kernelgen_ls.runner.execution.sandbox import job_folder
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.toolchains import never
from kernelgen_ls.runner.toolchains.configurations import kernel_configurations
from kernelgen_ls.runner.toolchains.source_tree import SourceTree
from kernelgen_ls.runner.toolchains.twin.build import Builder
from kernelgen_ls.runner.toolchains.twin.choosing import Choice
from kernelgen_ls.runner.toolchains.twin.compilers import find_compiler
from kernelgen_ls.runner.toolchains.twin.launch import Launch, Ran, run_library
from kernelgen_ls.runner.toolchains.twin.runtime_build import runtime_program
from kernelgen_ls.runner.toolchains.twin.schedules import both_schedules
from tests.unit.twin.verifying import CHIP

Array = np.ndarray[Any, Any]
Place = tuple[str, int]
SWITCH = "#define SEED(n) (kernelgenTilingKey == (n))\n"


@frozen
class Subject:
    """A right kernel: the first of ``files`` has its entry function, ``make`` gives its inputs and golden outputs."""

    name: str
    files: Mapping[str, str]
    blocks: int
    make: Callable[[np.random.Generator], tuple[list[Array], list[Array]]]
    workspace: int = 0
    kernel: str = ""
    """The entry function's name, where there are several."""


@frozen
class Seed:
    """One defect: the tiling key that switches it on, its codes, where it stands and where it may be said to stand."""

    number: int
    what: str
    codes: frozenset[str]
    places: frozenset[Place]


@frozen
class Said:
    """What the twin says: errors and warnings, and whether the outputs are right."""

    findings: tuple[Finding, ...]
    right: bool
    lacks: str = ""

    @property
    def codes(self) -> set[str]:
        """What was found."""
        return {code for code, _ in self.found}

    @property
    def found(self) -> set[tuple[str, Place]]:
        """Each finding's code and place."""
        return {(one.code.removeprefix("twin/"), place_of(one.location)) for one in self.findings}

    def flags(self, seed: Seed) -> bool:
        """Whether the seed is found by one of its names."""
        return bool(seed.codes & self.codes) or ("values" in seed.codes and not self.right)

    def places(self, seed: Seed) -> bool:
        """Whether a finding has one of the seed's places, as its own or a related one; values alone have none."""
        said = {
            place_of(one) for found in self.findings for one in (found.location, *(r.location for r in found.related))
        }
        return bool(seed.places & said) or (not self.findings and "values" in seed.codes)


def place_of(location: Location) -> Place:
    return location.path, location.range.start.line + 1


_SEED = re.compile(r"// seed (?P<number>\d+): (?P<codes>[^;/\n]*)")
_SEEN = re.compile(r"// seen (?P<numbers>[\d, ]+)")


def planted(subject: Subject) -> list[Seed]:
    """The seeds that stand in a subject's texts."""
    places: dict[int, set[Place]] = defaultdict(set)
    codes: dict[int, set[str]] = defaultdict(set)
    said: dict[int, str] = {}
    for path, text in subject.files.items():
        for number, line in enumerate(text.splitlines(), 1):
            for match in _SEED.finditer(line):
                key = int(match["number"])
                places[key].add((path, number))
                codes[key] |= {code.strip() for code in match["codes"].split(",")}
                said[key] = f"{path}:{number}: {line[match.start() :].partition(' // se')[0]}"
            for match in _SEEN.finditer(line):
                for key in map(int, match["numbers"].replace(",", " ").split()):
                    places[key].add((path, number))
    return [Seed(key, said[key], frozenset(codes[key]), frozenset(places[key])) for key in sorted(said)]


class Seeded:
    """A subject that is compiled, to be run with any of its seeds."""

    def __init__(self, subject: Subject, folder: Path) -> None:
        self._subject = subject
        self._folder = folder
        self._config = RunnerConfig()
        self._chip = chip_named(CHIP)
        entry = next(iter(subject.files))
        tree = SourceTree.of(dict(subject.files), str(folder / "src"))
        builder = Builder(find_compiler(), self._config, folder, self._chip, never)
        builder.write(tree)
        entries = Source.parse(subject.files[entry]).structure.entries
        self._kernel = next(one for one in entries if subject.kernel in ("", one.name))
        chosen = kernel_configurations(tree, entry, self._chip).configurations[0]
        chosen = evolve(chosen, prelude=f"{chosen.prelude}{SWITCH}")
        self._library = builder.build(tree, entry, self._kernel, Choice(chosen), "kernel")
        self._place = Location(entry, Range(Position(0, 0), Position(0, 0)))
        given, golden = subject.make(np.random.default_rng(7))
        self._case = Case(
            "seeded",
            tuple(self._saved(array, f"i{i}") for i, array in enumerate(given)),
            tuple(self._saved(array, f"o{i}") for i, array in enumerate(golden)),
            block_dim=subject.blocks,
            tolerance=(2e-3, 2e-3),
            workspace=subject.workspace,
        )

    def _saved(self, array: Array, name: str) -> Tensor:
        path = self._folder / name
        array.tofile(path)
        return Tensor(array.dtype.name, array.shape, str(path))

    def run(self, number: int = 0) -> Said:
        """What is said of the kernel with one seed, or as it is."""
        case = evolve(self._case, tiling_key=number)
        with tempfile.TemporaryDirectory(dir=self._folder) as outputs:

            def ran(launch: Launch) -> Ran:
                return run_library(
                    launch,
                    runtime_program(find_compiler()),
                    self._subject.files,
                    self._place,
                    Path(outputs),
                    self._config,
                    never,
                )

            def right(made: tuple[Path, ...]) -> bool:
                return judge(case, list(made)).outcome is Outcome.PASSED

            both = both_schedules(Launch(self._library, self._kernel, case, None, self._chip), ran, right, self._place)
            serious = tuple(one for one in both.findings if one.severity is not Severity.INFORMATION)
            return Said(serious, both.ran.end == "done" and right(both.ran.outputs), both.lacks)


@frozen
class Verdicts:
    """How the seeds of a subject came out: ``unseen`` were not found, ``elsewhere`` at no place of theirs."""

    seeds: int = 0
    unseen: list[str] = field(factory=list)
    elsewhere: list[str] = field(factory=list)
    of_the_original: list[str] = field(factory=list)


def verdicts(subject: Subject) -> Verdicts:
    """Run a subject with nothing wrong and with each of its seeds."""
    with job_folder() as folder:
        seeded = Seeded(subject, folder)
        original = seeded.run()
        seeds = planted(subject)
        unseen, elsewhere = [], []
        for seed in seeds:
            said = seeded.run(seed.number)
            told = f"{seed.what}: {sorted(said.found)}, {'right' if said.right else 'wrong'} {said.lacks}"
            if not said.flags(seed):
                unseen.append(told)
            elif not said.places(seed):
                elsewhere.append(told)
        wrong = [] if original.right else [f"{subject.name}: wrong outputs, or ended early {original.lacks}"]
        return Verdicts(
            len(seeds),
            unseen,
            elsewhere,
            [*(f"{subject.name}: {code} at {place}" for code, place in sorted(original.found)), *wrong],
        )


@frozen
class Changed:
    """A kernel's text with one change that no switch can make, and any of the codes that it is found by."""

    what: str
    text: str
    codes: frozenset[str]


def replaced(what: str, text: str, old: str, new: str, *codes: str) -> Changed:
    """The change where ``old``, which stands once in ``text``, becomes ``new``."""
    assert text.count(old) == 1, (what, old, text.count(old))
    return Changed(what, text.replace(old, new), frozenset(codes))


def run(subject: Subject, text: str = "") -> Said:
    """Compile and run the subject, or ``text`` in the place of its one file."""
    (path,) = subject.files
    with job_folder() as folder:
        return Seeded(evolve(subject, files={path: text}) if text else subject, folder).run()


_STATEMENT = r"(?P<indent>\n[ \t]*)(?P<statement>{})"


@frozen
class Mutation:
    """A kind of change, made wherever ``pattern`` matches a statement; ``new`` is a template of the match.

    ``seen`` is a template of a pattern of the lines where the page of one of ``codes`` says that its finding stands.
    """

    what: str
    pattern: str
    new: str
    codes: tuple[str, ...]
    seen: str = ""


_CALL = r"(?P<queue>[\w.]+?)\.{}\((?P<tensor>[^();]*)\);"
MUTATIONS = (
    Mutation(
        "a FreeTensor is missing",
        _CALL.format("FreeTensor"),
        "",
        ("tensor-leaked", "queue-empty"),
        r"QUEUE\.(template )?(AllocTensor|DeQue)",
    ),
    Mutation("freed twice", _CALL.format("FreeTensor"), r"\g<statement> \g<statement>", ("double-free",)),
    Mutation(
        "used after it is freed",
        _CALL.format("FreeTensor"),
        r"\g<statement> \g<tensor>.SetValue(0, \g<tensor>.GetValue(0));",
        ("use-after-free",),
    ),
    Mutation(
        "an EnQue is missing",
        _CALL.format("EnQue"),
        "",
        ("deque-of-empty-queue",),
        r"QUEUE\.(template )?(AllocTensor|DeQue)",
    ),
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
        r"DataCopy(Pad)?\(\w*(Gm|Global)|GetValue",
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


@frozen
class Edit:
    """A slip at one place: ``old``, which stands once in a kernel, becomes ``new``; statements or an expression.

    ``codes`` are what it is found by, ``seen`` a pattern of the lines where a page of theirs says that the finding
    stands; without one it stands at the edit.
    """

    old: str
    new: str
    codes: str
    seen: str = ""


@frozen
class _Change:
    start: int
    end: int
    new: str
    codes: str
    lines: tuple[int, ...]
    """Zero-based lines at which a page says that the finding stands."""


def mutated(subject: Subject) -> Subject:
    """The subject with every kind of change at every place of its one text, each behind its switch."""
    ((path, text),) = subject.files.items()
    changes = [
        _Change(
            *match.span("statement"),
            match.expand(mutation.new),
            f"{', '.join(mutation.codes)}; {mutation.what}",
            _matching(text, mutation.seen.replace("QUEUE", re.escape(match.groupdict().get("queue", "")))),
        )
        for mutation in MUTATIONS
        for match in re.finditer(_STATEMENT.format(mutation.pattern), text)
    ]
    return evolve(subject, files={path: _switched(text, changes)})


def edited(subject: Subject, edits: Sequence[Edit]) -> Subject:
    """The subject with each of the edits to its one text behind its switch."""
    ((path, text),) = subject.files.items()
    changes = []
    for edit in edits:
        assert text.count(edit.old) == 1, (subject.name, edit.old, text.count(edit.old))
        start, seen = text.index(edit.old), _matching(text, edit.seen)
        assert seen or not edit.seen, (subject.name, edit.seen)
        changes.append(_Change(start, start + len(edit.old), edit.new, edit.codes, seen))
    return evolve(subject, files={path: _switched(text, changes)})


def _matching(text: str, pattern: str) -> tuple[int, ...]:
    if not pattern:
        return ()
    return tuple(number for number, line in enumerate(text.split("\n")) if re.search(pattern, line))


def _switched(text: str, changes: Sequence[_Change]) -> str:
    """The text with change number n behind ``SEED(n)``; every line stays where it is."""
    lines = _behind(text, 0, len(text), list(enumerate(changes, 1))).split("\n")
    for number, change in enumerate(changes, 1):
        lines[text.count("\n", 0, change.start)] += f"  // seed {number}: {change.codes}"
        for line in change.lines:
            lines[line] += f"  // seen {number}"
    return "\n".join(lines)


def _behind(text: str, start: int, end: int, changes: list[tuple[int, _Change]]) -> str:
    """``text[start:end]`` with the changes in it behind their switches; one may lie within what another replaces."""
    pieces = []
    while changes:
        outer = min((change.start, -change.end) for _, change in changes)
        first, last = outer[0], -outer[1]
        here = [(number, change) for number, change in changes if first <= change.start < last]
        changes = [one for one in changes if one not in here]
        assert all(change.end <= last for _, change in here), text[first:last]
        same = [one for one in here if (one[1].start, one[1].end) == (first, last)]
        kept = _behind(text, first, last, [one for one in here if one not in same])
        pieces += [text[start:first], _switch(kept, same)]
        start = last
    return "".join([*pieces, text[start:end]])


def _switch(kept: str, changes: list[tuple[int, _Change]]) -> str:
    new = [(number, change.new.replace("\n", " ")) for number, change in changes]
    if kept.rstrip().endswith((";", "}")):
        return " else ".join([*(f"if (SEED({number})) {{ {text} }}" for number, text in new), f"{{ {kept} }}"])
    return "(" + "".join(f"SEED({number}) ? ({text}) : " for number, text in new) + f"({kept}))"
