"""What the starter is worth, on operators it has never seen: next lines, whole kernels, repairs."""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import asdict, define, field, frozen

from kernelgen_ls.folders import write_json
from kernelgen_ls.model.prompts import chatml, frame, starter
from kernelgen_ls.training.checking import Checker, Problem
from kernelgen_ls.training.corpus.kernels import Kernel
from kernelgen_ls.training.documents import Pair, sample_kernel, starter_spec
from kernelgen_ls.training.draws import GREEDY, Continuations, Draw
from kernelgen_ls.training.tokenizer import StarterTokenizer

KERNEL_TOKENS = 1600
LINE_TOKENS = 64
REPAIR_TOKENS = 220
REPAIR_ROUNDS = 4
SAMPLES = 10


@frozen
class Quality:
    """The figures, as shares of 1; ``*_count`` says of how many."""

    next_line_exact: float
    next_line_similarity: float
    next_line_count: int
    clean_at_1: float
    clean_at_10: float
    clean_at_10_with_repair: float
    kernel_count: int
    repaired: float
    repaired_exactly: float
    repair_count: int
    paired_queues: float
    """Kernels in which every AllocTensor has its FreeTensor, of the first answers."""
    right_arithmetic: float
    """First answers that compute by the very lines of the corpus' own kernel, which is known to be right."""


@define
class KernelCounts:
    """Of the operators asked for, how many got what they should."""

    clean_at_1: int = 0
    clean_at_10: int = 0
    repaired: int = 0
    paired: int = 0
    right: int = 0


@define
class Evaluation:
    """Evaluates what ``write`` continues prompts with; says through ``report`` how far it is."""

    write: Continuations
    tokenizer: StarterTokenizer
    checker: Checker = field(factory=Checker)
    report: Callable[[str], None] = lambda _: None

    def _stops(self) -> frozenset[int]:
        return frozenset(self.tokenizer.special(token) for token in (chatml.END, starter.END_FIX, "<|endoftext|>"))

    def next_line(self, before: str, after: str) -> str:
        """The greedy rest of the cursor's line."""
        prompt = self.tokenizer.encode(starter.completion_prompt(before, after))

        def ended(tokens: Sequence[int]) -> bool:
            return "\n" in self.tokenizer.decode(tokens[-1:])

        tokens = self.write(prompt, LINE_TOKENS, self._stops(), ended=ended)[0]
        return self.tokenizer.decode(tokens).split("\n")[0]

    def kernels(self, kernel: Kernel, draw: Draw, seed: int) -> list[str]:
        """Whole kernels for an operator, taken out of their frames."""
        spec = starter_spec(kernel.operator)
        prompt = self.tokenizer.encode(starter.generation_prompt(spec))
        answers = self.write(prompt, KERNEL_TOKENS, self._stops(), draw, seed)
        return [starter.restored(framed_kernel(self.tokenizer.decode(tokens)), spec) for tokens in answers]

    def repair(self, source: str, problem: Problem, draw: Draw = GREEDY, seed: int = 0) -> str:
        """The source after one repair."""
        prompt = self.tokenizer.encode(starter.repair_prompt(source, problem.line, problem.message))
        tokens = self.write(prompt, REPAIR_TOKENS, self._stops(), draw, seed)[0]
        return starter.apply_repair(source, problem.line, self.tokenizer.decode(tokens))

    def next_lines(self, count: int, seed: int) -> tuple[float, float]:
        """Exact matches and mean similarity over ``count`` lines of held-out kernels, the cursor at the indentation."""
        rng = random.Random(seed)
        exact, similar = 0, 0.0
        for at in range(count):
            source = sample_kernel(rng, simple=at % 4 == 0, held_out=True).source
            lines = source.split("\n")
            row = rng.choice([i for i, line in enumerate(lines) if i > 3 and line.strip()])
            indent = len(lines[row]) - len(lines[row].lstrip())
            before = "\n".join([*lines[:row], lines[row][:indent]])
            after = "\n" + "\n".join(lines[row + 1 :])
            wanted, got = lines[row].strip(), self.next_line(before, after).strip()
            exact += wanted == got
            similar += difflib.SequenceMatcher(None, wanted, got).ratio()
            if at % 25 == 24:
                self.report(f"next line: {exact} of {at + 1}")
        return exact / max(count, 1), similar / max(count, 1)

    def _clean(self, name: str, source: str) -> list[Problem]:
        return self.checker.errors_of_text(name, source) if source.strip() else [Problem(0, "empty")]

    def mended(self, name: str, source: str, problems: list[Problem]) -> bool:
        """Whether a few rounds of repair make the kernel clean.

        As in the product rules go first, and an answer that changes nothing is not asked for again: another is drawn.
        """
        repeats = 0
        for _ in range(REPAIR_ROUNDS):
            if not problems:
                return True
            if not source.strip():
                return False
            by_rule = self.checker.mended_by_rule(name, source)
            left = self._clean(name, by_rule) if by_rule != source else problems
            if len(left) < len(problems):
                source, problems = by_rule, left
                continue
            mended = self.repair(source, problems[0], Draw(0.7, 0.9) if repeats else GREEDY, repeats)
            repeats = repeats + 1 if mended == source else 0
            source, problems = mended, self._clean(name, mended)
        return not problems

    def whole_kernels(self, count: int, seed: int) -> KernelCounts:
        """Kernels for held-out operators: a greedy answer, and where that has errors nine drawn ones and repairs."""
        rng = random.Random(seed)
        counts = KernelCounts()
        for at in range(count):
            kernel = sample_kernel(rng, simple=True, held_out=True)
            name = kernel.operator.name
            sources = self.kernels(kernel, GREEDY, at)
            problems = [self._clean(name, sources[0])]
            counts.paired += sources[0].count("AllocTensor") == sources[0].count("FreeTensor") > 0
            counts.right += computes_as_planned(sources[0], kernel)
            counts.clean_at_1 += not problems[0]
            if problems[0]:
                drawn = self.kernels(kernel, Draw(0.7, 0.9, SAMPLES - 1), seed + at)
                sources += drawn
                problems += [self._clean(name, source) for source in drawn]
            any_clean = any(not found for found in problems)
            counts.clean_at_10 += any_clean
            order = sorted(range(len(sources)), key=lambda i: len(problems[i]))
            counts.repaired += any_clean or any(self.mended(name, sources[i], problems[i]) for i in order)
            self.report(
                f"kernels: {counts.clean_at_1} clean at 1, {counts.clean_at_10} at 10, {counts.repaired} with repair, "
                f"{counts.right} with the right arithmetic, of {at + 1}"
            )
        return counts

    def repairs(self, pairs: Sequence[Pair]) -> tuple[float, float]:
        """Defects after whose repair the checker finds nothing, and those mended to the very text."""
        clean = exact = 0
        for at, (_, original, broken, line, message) in enumerate(pairs):
            fixed = self.repair(broken, Problem(line, message))
            exact += fixed.rstrip() == original.rstrip()
            clean += fixed.rstrip() == original.rstrip() or (
                "GET_TILING_DATA" not in fixed and not self._clean("repaired", fixed)
            )
            if at % 20 == 19:
                self.report(f"repairs: {clean} of {at + 1}")
        return clean / len(pairs), exact / len(pairs)

    def quality(self, *, lines: int, kernels: int, pairs: Sequence[Pair], seed: int = 1) -> Quality:
        """All figures."""
        exact, similar = self.next_lines(lines, seed)
        counts = self.whole_kernels(kernels, seed + 1)
        clean, mended = self.repairs(pairs) if pairs else (0.0, 0.0)
        asked = max(kernels, 1)
        return Quality(
            next_line_exact=exact, next_line_similarity=similar, next_line_count=lines,
            clean_at_1=counts.clean_at_1 / asked, clean_at_10=counts.clean_at_10 / asked,
            clean_at_10_with_repair=counts.repaired / asked, kernel_count=kernels,
            repaired=clean, repaired_exactly=mended, repair_count=len(pairs),
            paired_queues=counts.paired / asked, right_arithmetic=counts.right / asked,
        )  # fmt: skip


def computes_as_planned(source: str, kernel: Kernel) -> bool:
    """Whether ``source`` holds the arithmetic of the corpus' own kernel, line for line and without others between."""
    written = "\n".join(line.strip() for line in source.splitlines())
    return "\n" + "\n".join(kernel.arithmetic) + "\n" in written


def framed_kernel(answer: str) -> str:
    """The kernel out of an answer's frame; empty where there is none."""
    _, _, rest = answer.partition(frame.FENCE_START)
    body, _, _ = rest.partition(f"\n{frame.FENCE}")
    return body + "\n" if body else ""


def write_quality(quality: Quality, path: Path) -> None:
    """The figures as JSON."""
    write_json(path, asdict(quality))


def quality_table(quality: Quality) -> list[tuple[str, str, str]]:
    """Rows of (figure, value, target)."""
    q = quality
    return [
        ("next line, exact", f"{q.next_line_exact:.1%} of {q.next_line_count}", ">= 55 %"),
        ("next line, edit similarity", f"{q.next_line_similarity:.3f}", ""),
        ("specification to kernel, clean at 1", f"{q.clean_at_1:.1%} of {q.kernel_count}", ">= 85 %"),
        ("specification to kernel, clean at 10", f"{q.clean_at_10:.1%}", ""),
        ("specification to kernel, clean at 10 with repair", f"{q.clean_at_10_with_repair:.1%}", ">= 98 %"),
        ("kernels whose every AllocTensor has a FreeTensor", f"{q.paired_queues:.1%}", ""),
        ("kernels that compute as the corpus' own do", f"{q.right_arithmetic:.1%}", ""),
        ("repair in one round, clean", f"{q.repaired:.1%} of {q.repair_count}", ">= 70 %"),
        ("repair in one round, the very text", f"{q.repaired_exactly:.1%}", ""),
    ]
