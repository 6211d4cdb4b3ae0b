"""Candidates: what was tried for one request, what the checker said, which one is best."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from enum import Enum

from attrs import field, frozen

from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.model.generation.answer import Cut
from kernelgen_ls.model.generation.findings import errors, warnings
from kernelgen_ls.model.messages import Turn
from kernelgen_ls.model.prompts.task import GeneratedFile


class GenerationStage(str, Enum):
    """What a generation is doing; the values are what the editor's status is told."""

    READING = "reading"
    """The prompt is evaluated."""
    REASONING = "reasoning"
    WRITING = "writing"
    CHECKING = "checking"
    REPAIRING = "repairing"
    """A repair's prompt is evaluated or its answer written."""


@frozen
class Progress:
    """Where a generation stands. ``candidate`` and ``round`` count from 1 and 0; ``reasoning`` is the next piece."""

    stage: GenerationStage
    candidate: int
    candidates: int
    round: int = 0
    tokens: int = 0
    """Tokens written so far, over all candidates and rounds."""
    reasoning: str = ""


@frozen
class CheckOutcome:
    """What the checker says of some files. ``failed`` says, in a line, that the check itself could not be done.

    ``verified`` and ``latency_us`` are None where nothing executed the kernel; ``run`` says in words what executing it
    came to, or why it was not executed, and is empty where nobody was to execute it.
    """

    findings: tuple[Finding, ...] = ()
    failed: str = ""
    verified: bool | None = None
    run: str = ""
    latency_us: float | None = None


Check = Callable[[tuple[GeneratedFile, ...]], Awaitable[CheckOutcome]]
"""Checks generated files in their place in the project."""


@frozen
class Attempt:
    """One answer of the model and what became of it. ``round`` 0 is the first writing, later ones are repairs."""

    round: int
    prompt: str
    """As the model read it."""
    answer: str
    reasoning: str
    files: tuple[GeneratedFile, ...]
    outcome: CheckOutcome = field(factory=CheckOutcome)
    cut: Cut = Cut.NO
    tokens: int = 0
    prompt_tokens: int = 0
    seconds: float = 0.0
    by_rule: bool = False
    """Whether ``files`` are the answer's no more: a rule mended them (see ``by_rule``)."""
    turns: tuple[Turn, ...] = ()
    """What the prompt says, whatever the model's way to write turns."""
    hints: tuple[str, ...] = ()
    """Where the kernel's calls do not fit the formula's words; a hint, never a verdict (see ``formula``)."""

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What the compiler refuses."""
        return errors(self.outcome.findings)

    @property
    def whole(self) -> bool:
        """Whether the model finished what it wrote."""
        return self.cut.whole

    @property
    def checked(self) -> bool:
        """Whether there is a verdict: whole files and a check that worked."""
        return bool(self.files) and self.whole and not self.outcome.failed

    @property
    def clean(self) -> bool:
        """Whether it compiles."""
        return self.checked and not self.errors

    @property
    def rank(self) -> tuple[float, ...]:
        """Smaller is better: compiles, verified, fewer errors, hints and lints, faster; an unchecked one after all."""
        verified = self.outcome.verified
        return (
            0 if self.clean else 1 if self.checked else 2 if self.files else 3,
            0 if verified else 1 if verified is None else 2,
            len(self.errors),
            len(self.hints) if not verified else 0,
            len(warnings(self.outcome.findings)),
            self.outcome.latency_us if self.outcome.latency_us is not None else float("inf"),
        )


class End(str, Enum):
    """Why no more was tried for a candidate."""

    CLEAN = "clean"
    ROUNDS = "no repair rounds left"
    REPEAT = "the model repeated itself"
    NO_CODE = "the answer held no code"
    CUT = "the answer was cut off"
    CHECK_FAILED = "the check could not be done"
    TIME = "time limit"
    ENGINE = "the model failed"


@frozen
class Candidate:
    """All attempts of one seed, in order."""

    number: int
    seed: int
    attempts: tuple[Attempt, ...]
    end: End
    problem: str = ""
    """What failed, when ``end`` says that the engine or the check did."""

    @property
    def best(self) -> Attempt | None:
        """The best attempt; the later of equals, since it saw more."""
        return min(reversed(self.attempts), key=lambda attempt: attempt.rank, default=None)


@frozen
class Generation:
    """Everything that was tried for one request; ``candidates`` are ranked, the best first."""

    title: str
    profile: str
    candidates: tuple[Candidate, ...]
    seconds: float

    @property
    def best(self) -> Attempt | None:
        """The attempt to offer: compile-clean if there is one; None when no candidate has code."""
        best = self.candidates[0].best if self.candidates else None
        return best if best is not None and best.files else None

    @property
    def tokens(self) -> int:
        """Tokens written over all attempts."""
        return sum(attempt.tokens for candidate in self.candidates for attempt in candidate.attempts)

    @property
    def rounds(self) -> int:
        """Repairs tried over all candidates."""
        return sum(attempt.round > 0 for candidate in self.candidates for attempt in candidate.attempts)

    @property
    def clean(self) -> bool:
        """Whether what is offered compiles."""
        return self.best is not None and self.best.clean

    @property
    def hint(self) -> str:
        """What a comparison with the formula finds odd about the best one that compiles, said as a hint; or empty."""
        best = self.best
        if best is None or not best.clean or best.outcome.verified or not best.hints:
            return ""
        return f"a comparison with the formula, no verification, found: {'; '.join(best.hints)}"

    @property
    def summary(self) -> str:
        """One line for the user: what there is, or why there is nothing."""
        best = self.best
        if best is None:
            problems = [candidate.problem or candidate.end.value for candidate in self.candidates]
            return f"{self.title}: nothing to offer ({'; '.join(dict.fromkeys(problems)) or 'no candidate'})"
        if best.outcome.failed:
            return f"{self.title}: written, but not checked: {best.outcome.failed}"
        if not best.whole:
            return f"{self.title}: incomplete: {best.cut.value}"
        if best.clean:
            warned = len(warnings(best.outcome.findings))
            said = "compiles" + (f", {warned} warnings" if warned else "")
            run = best.outcome.run
            ordered = (run, said) if best.outcome.verified is False else (said, run)
            return f"{self.title}: {'; '.join(filter(None, (*ordered, self.hint)))}"
        first = best.errors[0]
        return (
            f"{self.title}: {len(best.errors)} errors left, the first in line {first.location.range.start.line + 1}: "
            f"{first.message}"
        )


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The best first; candidates without any attempt last."""
    return tuple(sorted(candidates, key=lambda candidate: candidate.best.rank if candidate.best else (4.0,)))
