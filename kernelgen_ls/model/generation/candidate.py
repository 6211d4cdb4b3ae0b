"""Candidates: what was tried for one request, what the judge said, which one is best."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from enum import Enum

from attrs import field, frozen

from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.kernel.verdict import Verdict, VerdictOutcome
from kernelgen_ls.model.generation.answer import Cut
from kernelgen_ls.model.generation.findings import errors, warnings
from kernelgen_ls.model.messages import Turn
from kernelgen_ls.model.prompts.task import GeneratedFile


class GenerationStage(str, Enum):
    """What a generation is doing; the values are what the editor's status is told."""

    BY_RULE = "by rule"
    """A kernel is written by rule and judged; no model has a part in it."""
    READING = "reading"
    """The prompt is evaluated."""
    REASONING = "reasoning"
    WRITING = "writing"
    CHECKING = "checking"
    """A candidate is judged: checked, and run on its cases."""
    REPAIRING = "repairing"
    """A repair's prompt is evaluated or its answer written."""


@frozen
class Progress:
    """Where a generation stands. ``candidate`` and ``round`` count from 1 and 0; ``reasoning`` is the next piece.

    ``candidate`` and ``candidates`` are 0 while a kernel is written by rule.
    """

    stage: GenerationStage
    candidate: int
    candidates: int
    round: int = 0
    tokens: int = 0
    """Tokens written so far, over all candidates and rounds."""
    reasoning: str = ""


@frozen
class CheckOutcome:
    """What the judge says of some files. ``failed`` says, in a line, that the check itself could not be done.

    ``verdict`` is what executing the kernel came to, or why it was not executed; None where nobody was to execute it.
    ``ran`` are the findings of the run, ``mismatches`` lines on what is wrong where; ``formula`` is what was compared
    with, where there is a formula. ``latency_us`` is None where nobody measured.
    """

    findings: tuple[Finding, ...] = ()
    failed: str = ""
    verdict: Verdict | None = None
    ran: tuple[Finding, ...] = ()
    mismatches: tuple[str, ...] = ()
    formula: str = ""
    latency_us: float | None = None

    @property
    def verified(self) -> bool | None:
        """Whether the kernel was executed and is right; None where nobody can tell."""
        known = {VerdictOutcome.RIGHT: True, VerdictOutcome.WRONG: False}
        return known.get(self.verdict.outcome) if self.verdict is not None else None

    @property
    def words(self) -> str:
        """The verdict in a line; empty where nobody was to execute the kernel."""
        return self.verdict.words if self.verdict is not None else ""


Check = Callable[[tuple[GeneratedFile, ...]], Awaitable[CheckOutcome]]
"""Judges generated files in their place in the project."""

Writer = Callable[[], Sequence[GeneratedFile] | str]
"""Writes a kernel by rule: the files, or a line that says why it cannot."""


@frozen
class Attempt:
    """One text of a kernel and what became of it. ``round`` 0 is the first writing, later ones are repairs."""

    round: int
    prompt: str
    """As the model read it; empty where no model was asked."""
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

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What the compiler refuses."""
        return errors(self.outcome.findings)

    @property
    def wrong(self) -> bool:
        """Whether it compiles, was executed, and does not compute what it should."""
        return self.clean and self.outcome.verified is False

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
        """Smaller is better: compiles, verified, fewer errors and lints, faster; an unchecked one after all."""
        verified = self.outcome.verified
        return (
            0 if self.clean else 1 if self.checked else 2 if self.files else 3,
            0 if verified else 1 if verified is None else 2,
            len(self.errors),
            len(warnings(self.outcome.findings)),
            self.outcome.latency_us if self.outcome.latency_us is not None else float("inf"),
        )

    @property
    def said(self) -> str:
        """What is known of it, in a line: the verdict, and first of all that it is wrong or has errors."""
        return self._said(self.outcome.words)

    @property
    def brief(self) -> str:
        """The same without what a right kernel's cases were made from: for a title."""
        return self._said(self.outcome.verdict.brief if self.outcome.verdict is not None else "")

    def _said(self, words: str) -> str:
        if not self.whole:
            return f"incomplete: {self.cut.value}"
        if self.outcome.failed:
            return f"written, but not checked: {self.outcome.failed}"
        if self.errors:
            first = self.errors[0]
            count = f"{len(self.errors)} error{'s' if len(self.errors) > 1 else ''} left, the first in line"
            return f"{count} {first.location.range.start.line + 1}: {first.message}"
        warned = len(warnings(self.outcome.findings))
        executed = self.outcome.verified is not None
        parts = (
            "" if executed else "compiles",
            words,
            f"{warned} warning{'s' if warned > 1 else ''}" if warned else "",
        )
        return "; ".join(filter(None, parts))


class End(str, Enum):
    """Why no more was tried for a candidate."""

    CLEAN = "clean"
    WRONG = "it does not compute what it should"
    ROUNDS = "no repair rounds left"
    REPEAT = "the model repeated itself"
    NO_CODE = "the answer held no code"
    CUT = "the answer was cut off"
    CHECK_FAILED = "the check could not be done"
    TIME = "time limit"
    ENGINE = "the model failed"


class Author(str, Enum):
    """Who wrote a candidate."""

    RULE = "rule"
    MODEL = "model"


@frozen
class Candidate:
    """All attempts of one seed, in order; ``number`` is 0 for the one that is written by rule."""

    number: int
    seed: int
    attempts: tuple[Attempt, ...]
    end: End
    problem: str = ""
    """What failed, when ``end`` says that the engine or the check did."""
    author: Author = Author.MODEL

    @property
    def best(self) -> Attempt | None:
        """The best attempt; the later of equals, since it saw more."""
        return min(reversed(self.attempts), key=lambda attempt: attempt.rank, default=None)


@frozen
class Generation:
    """Everything that was tried for one request; ``candidates`` are ranked, the best first.

    ``remarks`` are lines on what was not tried, and why.
    """

    title: str
    profile: str
    candidates: tuple[Candidate, ...]
    seconds: float
    remarks: tuple[str, ...] = ()

    @property
    def best(self) -> Attempt | None:
        """The attempt to offer: compile-clean if there is one; None when no candidate has code."""
        best = self.candidates[0].best if self.candidates else None
        return best if best is not None and best.files else None

    @property
    def author(self) -> Author:
        """Who wrote what is offered."""
        return self.candidates[0].author if self.candidates else Author.MODEL

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
    def said(self) -> str:
        """What is known of what is offered, in a line, and who wrote it where no model did; empty for nothing."""
        return self._with_author(self.best.said) if self.best is not None else ""

    @property
    def offer(self) -> str:
        """The title of what is offered: what was asked for, and what is known of it, in a line."""
        return f"{self.title}: {self._with_author(self.best.brief)}" if self.best is not None else self.title

    def _with_author(self, said: str) -> str:
        return "; ".join((said, *(["written by rule"] if self.author is Author.RULE else []), *self._unsaid))

    @property
    def summary(self) -> str:
        """One line for the user: what there is, or why there is nothing."""
        if self.best is None:
            problems = [candidate.problem or candidate.end.value for candidate in self.candidates]
            why = "; ".join(dict.fromkeys((*problems, *self.remarks))) or "no candidate"
            return f"{self.title}: nothing to offer ({why})"
        return f"{self.title}: {self.said}"

    @property
    def _unsaid(self) -> tuple[str, ...]:
        """What a kernel that is not known to be right leaves to be said: what kept others from being tried."""
        if self.best is None or self.best.outcome.verified:
            return ()
        cut = any(candidate.end is End.TIME for candidate in self.candidates)
        return (*(["the time limit (generation.timeLimit) ended the search"] if cut else []), *self.remarks)


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The best first, of equals the earlier; candidates without any attempt last."""
    return tuple(sorted(candidates, key=lambda candidate: candidate.best.rank if candidate.best else (4.0,)))
