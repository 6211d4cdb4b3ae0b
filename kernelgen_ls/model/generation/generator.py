"""From a task to ranked candidates: write, judge, mend with what the judge found, for a few rounds, best of n.

The judge is handed in: this room knows no runner. What is tried is counted in candidates and rounds, so that a seed
gives the same on a busy machine; the time limit is the user's own. Every wait can be cancelled at once; cancelling the
call cancels the model's work. What was found until the time limit is kept.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence

from attrs import define, evolve, field, frozen

from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.model.engine.protocol import Engine, EngineError, OnText
from kernelgen_ls.model.generation.answer import (
    AnswerReader,
    Cut,
    Part,
    loops,
    read_answer,
    with_entry_name,
    with_tiling_parameter,
)
from kernelgen_ls.model.generation.by_rule import mended_by_rule
from kernelgen_ls.model.generation.candidate import (
    Attempt,
    Candidate,
    Check,
    CheckOutcome,
    End,
    Generation,
    GenerationStage,
    Progress,
    ranked,
)
from kernelgen_ls.model.generation.findings import SignatureLookup, errors, signatures
from kernelgen_ls.model.generation.grammar import answer_grammar
from kernelgen_ls.model.messages import GenerateRequest, GenerateResult, Sampling, StopReason, Timings
from kernelgen_ls.model.prompts.frame import THINK_END
from kernelgen_ls.model.prompts.generation import GenerationPrompt, Profile, profile_for
from kernelgen_ls.model.prompts.task import GeneratedFile, GenerationTask, RepairTask
from kernelgen_ls.settings import GenerationSettings

OnProgress = Callable[[Progress], None]
_TOP_P = 0.9
_MOST_REPEATS = 2
_TICK_SECONDS = 0.4
_LOOP_CHECKED_EVERY = 32
"""Tokens; looking for a loop takes a fraction of a millisecond."""


@frozen
class Plan:
    """How much to try. ``exhaustive`` goes on after a candidate that settles it (benchmarks want all of them).

    ``candidates`` 0 are as many as suit the model; ``seconds`` end the request whatever was found.
    """

    candidates: int
    rounds: int
    seconds: float
    seed: int = 0
    exhaustive: bool = False

    @classmethod
    def of(cls, settings: GenerationSettings) -> Plan:
        """The user's own."""
        return cls(settings.candidates, settings.rounds, settings.time_limit)


class Generator:
    """Writes and mends kernels with one model."""

    def __init__(
        self,
        engine: Engine,
        settings: GenerationSettings,
        *,
        lookup: SignatureLookup = lambda name: (),
        wrapped: bool = False,
    ) -> None:
        """``lookup`` gives the declarations that repairs quote; for ``wrapped`` see ``TextProfile``."""
        self.engine = engine
        self.settings = settings
        self._lookup = lookup
        self._wrapped = wrapped

    async def generate(
        self,
        task: GenerationTask,
        check: Check,
        *,
        on_progress: OnProgress | None = None,
        plan: Plan | None = None,
        before: Iterable[Candidate] = (),
    ) -> Generation:
        """Write an operator; candidates that there were ``before`` are ranked with the model's.

        Raises :class:`EngineError` when the model never answered at all.
        """
        profile = self._profile()
        prompt = profile.generation(task)
        run = _Run(
            self, profile, check, plan or Plan.of(self.settings), task.kernel_path, on_progress, template_task=task
        )
        found = await run.all(f"Generate kernel {task.operator}", prompt, None)
        return evolve(found, candidates=ranked((*before, *found.candidates)))

    async def fix(
        self,
        files: Sequence[GeneratedFile],
        findings: Sequence[Finding],
        check: Check,
        *,
        kernel_path: str,
        title: str = "Fix with KernelGen",
        on_progress: OnProgress | None = None,
        plan: Plan | None = None,
    ) -> Generation:
        """Mend ``files`` with these findings; errors that are not among them are mended too if rounds are left.

        ``kernel_path`` is the file that the answer's block means when there is only one. Nothing is tried without an
        error among the findings. Raises :class:`EngineError` when the model never answered at all.
        """
        found = errors(findings)
        if not found:
            return Generation(title, self._profile().name, (), 0.0)
        start = Attempt(0, "", "", "", tuple(files), CheckOutcome(found))
        return await self._mend(start, check, kernel_path, title, on_progress, plan)

    async def correct(
        self,
        files: Sequence[GeneratedFile],
        outcome: CheckOutcome,
        check: Check,
        *,
        kernel_path: str,
        title: str = "Fix wrong values with KernelGen",
        on_progress: OnProgress | None = None,
        plan: Plan | None = None,
    ) -> Generation:
        """Mend ``files``, which compile and were executed with a wrong ``outcome``.

        Raises :class:`EngineError` when the model cannot be asked for that, or never answered at all.
        """
        start = Attempt(0, "", "", "", tuple(files), outcome)
        return await self._mend(start, check, kernel_path, title, on_progress, plan)

    async def _mend(
        self,
        start: Attempt,
        check: Check,
        kernel_path: str,
        title: str,
        on_progress: OnProgress | None,
        plan: Plan | None,
    ) -> Generation:
        profile = self._profile()
        prompt = self._repair(profile, kernel_path, start)
        if prompt is None:
            raise EngineError(
                f"{profile.name} models mend errors that have a line; wrong values need a larger model",
                "See `kernelgen-ls model list`",
            )
        plan = plan or Plan.of(self.settings)
        run = _Run(self, profile, check, plan, kernel_path, on_progress, corrects=start.wrong)
        return await run.all(title, prompt, start)

    def _profile(self) -> Profile:
        model = self.engine.status.model
        if model is None:
            raise EngineError(self.engine.status.detail or "no model is loaded", "See `kernelgen-ls doctor`")
        return profile_for(model, self.settings.profile, wrapped=self._wrapped)

    def _repair(
        self, profile: Profile, kernel_path: str, attempt: Attempt, repeats: int = 0
    ) -> GenerationPrompt | None:
        """The prompt that mends an attempt; after a repair that changed nothing another error comes first.

        None where the model's profile has no way to ask for it.
        """
        outcome = attempt.outcome
        found = attempt.errors or errors(outcome.ran)
        first = repeats % len(found) if found else 0
        found = found[first:] + found[:first]
        quoted = signatures(attempt.files, found, self._lookup)
        mismatches = outcome.mismatches if attempt.wrong else ()
        return profile.repair(RepairTask(kernel_path, attempt.files, found, quoted, mismatches, outcome.formula))


@define(eq=False)
class _Run:
    """One request: its limits, its progress, and what was written so far."""

    generator: Generator
    profile: Profile
    check: Check
    plan: Plan
    kernel_path: str
    on_progress: OnProgress | None
    template_task: GenerationTask | None = None
    corrects: bool = True
    """Whether wrong values are mended too: who asks to mend a compile error gets no other kernel than his."""
    tokens: int = 0
    tokens_looked_at: int = 0
    deadline: float = field(init=False)
    candidates: int = field(init=False)
    started: float = field(factory=time.monotonic)
    now: Progress = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.deadline = self.started + self.plan.seconds
        self.candidates = self.plan.candidates or self.profile.candidates
        self.now = Progress(GenerationStage.READING, 1, self.candidates)

    async def all(self, title: str, prompt: GenerationPrompt, start: Attempt | None) -> Generation:
        """Every candidate; the model's own failure ends the request only when nothing came of it."""
        ticking = asyncio.create_task(self._tick())
        try:
            return await self._all(title, prompt, start)
        finally:
            ticking.cancel()

    async def _tick(self) -> None:
        """Say where things stand also while the model says nothing: a long prompt takes minutes on a CPU."""
        while self.on_progress is not None:
            await asyncio.sleep(_TICK_SECONDS)
            self.on_progress(self.now)

    async def _all(self, title: str, prompt: GenerationPrompt, start: Attempt | None) -> Generation:
        candidates: list[Candidate] = []
        failure: EngineError | None = None
        for number in range(1, self.candidates + 1):
            try:
                candidate = await self._candidate(number, prompt, start)
            except EngineError as error:
                # The engine starts its worker again with the next request; the candidate it died on is lost.
                failure = error
                candidate = Candidate(number, self._seed(number, 0), (), End.ENGINE, str(error))
            candidates.append(candidate)
            if candidate.end is End.TIME or (candidate.end is End.CLEAN and not self.plan.exhaustive):
                break
        if failure is not None and all(candidate.end is End.ENGINE for candidate in candidates):
            raise failure
        return Generation(title, self.profile.name, ranked(candidates), time.monotonic() - self.started)

    async def _candidate(self, number: int, prompt: GenerationPrompt, start: Attempt | None) -> Candidate:
        attempts: list[Attempt] = []
        seen = {_signature(start.files)} if start else set()
        first_round = 1 if start else 0
        current, repeats = start, 0
        seed = self._seed(number, 0)
        rounds = self.plan.rounds * self.profile.repairs_a_round
        for round_number in range(first_round, rounds + 1):
            repairing = current is not None
            if current is not None and (attempts or number > 1):
                repair = self.generator._repair(self.profile, self.kernel_path, current, repeats)
                if repair is None:
                    return Candidate(number, seed, tuple(attempts), End.WRONG)
                prompt = repair
            self._tell(GenerationStage.REPAIRING if repairing else GenerationStage.READING, number, round_number)
            try:
                attempt = await self._attempt(prompt, number, round_number, repeats, current)
            except asyncio.TimeoutError:
                return Candidate(number, seed, tuple(attempts), End.TIME)
            repeated = _signature(attempt.files) in seen
            if attempt.files and attempt.whole and not repeated:
                self._tell(GenerationStage.CHECKING, number, round_number)
                attempt = await self._checked(attempt)
            if attempt.files and repeated and current is not None:
                attempt = evolve(attempt, outcome=current.outcome)
            attempts.append(attempt)
            seen.add(_signature(attempt.files))
            end = self._end(attempt)
            if end is not None:
                return Candidate(number, seed, tuple(attempts), end, attempt.outcome.failed or attempt.cut.value)
            repeats += repeated
            if repeats >= _MOST_REPEATS:
                return Candidate(number, seed, tuple(attempts), End.REPEAT)
            current = attempt if not repeated or current is None else current
        return Candidate(number, seed, tuple(attempts), End.ROUNDS)

    async def _checked(self, attempt: Attempt) -> Attempt:
        """An attempt with its verdict; what a rule can mend is mended first, if that leaves fewer errors."""
        attempt = evolve(attempt, outcome=await self.check(attempt.files))
        if attempt.outcome.failed or not attempt.errors:
            return attempt
        mended = mended_by_rule(attempt.files, attempt.errors)
        if mended == attempt.files:
            return attempt
        again = evolve(attempt, files=mended, outcome=await self.check(mended), by_rule=True)
        return again if again.checked and len(again.errors) < len(attempt.errors) else attempt

    async def _attempt(
        self, prompt: GenerationPrompt, number: int, round_number: int, repeats: int, current: Attempt | None
    ) -> Attempt:
        settings = self.generator.settings
        request = GenerateRequest(
            prompt=prompt.segments,
            max_tokens=min(settings.max_tokens, prompt.max_tokens or settings.max_tokens),
            sampling=self._sampling(number, round_number, repeats),
            shared=prompt.shared,
            grammar=self._grammar(prompt, current),
            grammar_after=THINK_END if prompt.thinking else "",
            conversation=prompt.conversation,
        )
        reader = AnswerReader(kernel_path=self.kernel_path, thinking=prompt.thinking)
        began, before = time.monotonic(), self.tokens
        self.tokens_looked_at = before

        def on_text(piece: str, tokens: int) -> None:
            reasoning = reader.feed(piece)
            self.tokens = before + tokens
            stage = GenerationStage.REASONING if reader.part is Part.REASONING else GenerationStage.WRITING
            self._tell(GenerationStage.REPAIRING if current is not None else stage, number, round_number, reasoning)
            # Pieces may come several tokens at a time.
            if tokens // _LOOP_CHECKED_EVERY > (self.tokens_looked_at - before) // _LOOP_CHECKED_EVERY:
                self.tokens_looked_at = before + tokens
                if loops(reader.tail):
                    looping.set()

        remaining = self.deadline - began
        if remaining <= 0:
            raise asyncio.TimeoutError
        looping = asyncio.Event()
        result = await self._answered(request, on_text, looping, remaining)
        if result is None:
            result = GenerateResult(reader.text, StopReason.RULE, Timings(generated=self.tokens - before))
        self.tokens = before + result.timings.generated
        files, reasoning, cut = self._read(prompt, result, current)
        if looping.is_set():
            files, cut = (), Cut.LOOP
        return Attempt(
            round=round_number,
            prompt="".join(segment.text for segment in prompt.segments),
            turns=prompt.turns,
            answer=result.text,
            reasoning=reasoning,
            files=files,
            cut=cut,
            tokens=result.timings.generated,
            prompt_tokens=result.timings.evaluated + result.timings.reused,
            seconds=time.monotonic() - began,
        )

    async def _answered(
        self, request: GenerateRequest, on_text: OnText, looping: asyncio.Event, seconds: float
    ) -> GenerateResult | None:
        """The engine's answer; None when it was ended because it looped. Raises ``TimeoutError`` after ``seconds``."""
        answering = asyncio.ensure_future(self.generator.engine.generate(request, on_text))
        noticing = asyncio.ensure_future(looping.wait())
        try:
            await asyncio.wait({answering, noticing}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                return answering.result()
            if looping.is_set():
                return None
            raise asyncio.TimeoutError
        finally:
            for task in (answering, noticing):
                task.cancel()
            await asyncio.gather(answering, noticing, return_exceptions=True)

    def _read(
        self, prompt: GenerationPrompt, result: GenerateResult, current: Attempt | None
    ) -> tuple[tuple[GeneratedFile, ...], str, Cut]:
        stopped_early = result.stop in (StopReason.LENGTH, StopReason.CONTEXT, StopReason.BUDGET)
        if prompt.apply is not None and current is not None:
            if not result.text.strip():
                return (), "", Cut.NOTHING
            mended = GeneratedFile(prompt.path, prompt.apply(result.text))
            return _laid_over(current.files, (mended,)), "", Cut.NO
        written = result.text if prompt.restore is None else prompt.restore(result.text)
        answer = read_answer(
            written, kernel_path=self.kernel_path, stopped_early=stopped_early, thinking=prompt.thinking
        )
        files = tuple(self._restored(file) for file in answer.files)
        if current is not None and files:
            files = _laid_over(current.files, files)
        missing = files and answer.whole and not self._wanted_paths() <= {file.path for file in files}
        return files, answer.reasoning, Cut.FILES if missing else answer.cut

    def _wanted_paths(self) -> set[str]:
        """The files that an answer has to hold: without them a check would say yes to nothing."""
        task = self.template_task
        return {self.kernel_path, *(task.host_paths if task is not None else ())}

    def _restored(self, file: GeneratedFile) -> GeneratedFile:
        """A kernel file in its place, its entry as the project has it: its name, the tiling parameter not shown."""
        task = self.template_task
        if task is None or file.path not in (self.kernel_path, task.usual_kernel_path):
            return file
        text = with_entry_name(file.text, task.kernel_template)
        if "GM_ADDR tiling" in task.kernel_template:
            text = with_tiling_parameter(text, task.kernel)
        return GeneratedFile(self.kernel_path, text)

    def _grammar(self, prompt: GenerationPrompt, current: Attempt | None) -> str:
        able = self.generator.engine.capabilities
        if not self.generator.settings.grammar or not prompt.whole_files or not able.grammar:
            return ""
        task = self.template_task
        if task is not None and task.host_paths:
            return answer_grammar((*task.host_paths, task.usual_kernel_path))
        if current is not None and len(current.files) > 1:
            return answer_grammar(tuple(file.path for file in current.files))
        return answer_grammar(())

    def _sampling(self, number: int, round_number: int, repeats: int) -> Sampling:
        """How an answer is drawn; a small model's first one is its surest."""
        surest = self.profile.surest_first and number == 1 and not repeats
        temperature = 0.0 if surest else self.generator.settings.temperature
        return Sampling(temperature, _TOP_P, seed=self._seed(number, round_number + 100 * repeats))

    def _seed(self, number: int, round_number: int) -> int:
        return (self.plan.seed * 1_000_003 + number * 1_009 + round_number) % (1 << 31)

    def _end(self, attempt: Attempt) -> End | None:
        """Why nothing more is to be tried after an attempt; None when what is wrong with it can be mended."""
        if not attempt.files:
            return End.NO_CODE
        if not attempt.whole:
            return End.CUT
        if attempt.outcome.failed:
            return End.CHECK_FAILED
        if attempt.wrong:
            return None if self.corrects else End.WRONG
        return End.CLEAN if attempt.clean else None

    def _tell(self, stage: GenerationStage, number: int, round_number: int, reasoning: str = "") -> None:
        self.now = Progress(stage, number, self.candidates, round_number, self.tokens)
        if self.on_progress is not None:
            self.on_progress(evolve(self.now, reasoning=reasoning))


def _laid_over(known: Sequence[GeneratedFile], new: Sequence[GeneratedFile]) -> tuple[GeneratedFile, ...]:
    """The known files with the new texts in the place of theirs; a repair may answer with some of the files only."""
    texts = {file.path: file.text for file in new}
    kept = [GeneratedFile(file.path, texts.pop(file.path, file.text)) for file in known]
    return (*kept, *(GeneratedFile(path, text) for path, text in texts.items()))


def _signature(files: Sequence[GeneratedFile]) -> tuple[tuple[str, str], ...]:
    """What makes two attempts the same: their code without white space."""
    return tuple((file.path, "".join(file.text.split())) for file in files)
