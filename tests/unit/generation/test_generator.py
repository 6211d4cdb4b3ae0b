"""Generation from task to ranked candidates: the model is scripted, the checker is the real one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.kernel.verdict import Verdict, VerdictOutcome
from kernelgen_ls.model.engine.protocol import Capabilities, EngineError
from kernelgen_ls.model.generation.answer import Cut
from kernelgen_ls.model.generation.candidate import Author, Candidate, CheckOutcome, End, GenerationStage, Progress
from kernelgen_ls.model.generation.generator import Generator, Plan
from kernelgen_ls.model.generation.written_by_rule import written_by_rule
from kernelgen_ls.model.messages import (
    EngineState,
    EngineStatus,
    GenerateRequest,
    GenerateResult,
    ModelInfo,
    StopReason,
    Timings,
)
from kernelgen_ls.model.prompts.task import GeneratedFile, GenerationTask, TaskTensor
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain
from kernelgen_ls.settings import GenerationMode, GenerationSettings

KERNEL = (
    Path(__file__).parents[3] / "kernelgen_ls" / "model" / "prompts" / "profiles" / "example_kernel.cpp"
).read_text("utf-8")
BROKEN = KERNEL.replace("Add(zLocal, xLocal, yLocal, cols);", "Addd(zLocal, xLocal, yLocal, cols);")
WORSE = BROKEN.replace("xGm[row * cols]", "xGmm[row * cols]")
TASK = GenerationTask(
    operator="AddRows",
    kernel="add_rows",
    mode=GenerationMode.STATIC,
    api_desc="# AddRows",
    cases="-",
    chip=chip_named("Ascend910B1"),
    kernel_template='#include "kernel_operator.h"\n'
    'extern "C" __global__ __aicore__ void add_rows(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace) {}\n',
    formula="z = x + y",
    inputs=(TaskTensor("x", "float16"), TaskTensor("y", "float16")),
    outputs=(TaskTensor("z", "float16"),),
)
PLAN = Plan(candidates=1, rounds=3, seconds=60)
MODEL = ModelInfo("/m.gguf", "m", "qwen3", 1, 1, 16384, 16384, 1, fim=False, chat_template="", gpu_layers=0, threads=1)


def framed(kernel: str) -> str:
    return f"想一想。\n</think>\n\n<kernel_impl>\n```cpp\n{kernel}```\n</kernel_impl>"


class ScriptedModel:
    """Gives its answers in turn; an exception among them is raised half way."""

    capabilities = Capabilities(segments=True, grammar=True)

    def __init__(self, *answers: str | Exception, stop: StopReason = StopReason.END) -> None:
        self.answers = list(answers)
        self.stop = stop
        self.requests: list[GenerateRequest] = []
        self.status = EngineStatus(EngineState.READY, model=MODEL)
        self.hangs = False
        self.cancelled = False

    async def generate(self, request: GenerateRequest, on_text: Callable[[str, int], None]) -> GenerateResult:
        self.requests.append(request)
        if self.hangs:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled = True
                raise
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        text = answer if isinstance(answer, str) else "想"
        pieces = [text[start : start + 8] for start in range(0, len(text), 8)]
        for count, piece in enumerate(pieces, 1):
            on_text(piece, count)
        if isinstance(answer, Exception):
            raise answer
        return GenerateResult(text, self.stop, Timings(evaluated=100, generated=len(pieces)))


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


class Checker:
    """The embedded tool chain as the generator sees it."""

    def __init__(self, toolchain: EmbeddedToolchain) -> None:
        self.toolchain = toolchain
        self.calls = 0

    async def __call__(self, files: tuple[GeneratedFile, ...]) -> CheckOutcome:
        self.calls += 1
        sources = tuple(SourceFile(file.path, file.text) for file in files)
        findings: list[Finding] = []
        for file in (file for file in files if file.path.endswith(".cpp")):
            findings += self.toolchain.check(CheckRequest(entry=file.path, files=sources, chip="Ascend910B1")).findings
        return CheckOutcome(tuple(dict.fromkeys(findings)))


@pytest.fixture
def check(toolchain: EmbeddedToolchain) -> Checker:
    return Checker(toolchain)


def generator(model: ScriptedModel, **settings: object) -> Generator:
    return Generator(model, GenerationSettings(**settings), lookup=lambda name: (f"void {name}(...)",))  # type: ignore[arg-type]  # one literal per test


async def test_clean_first_time(check: Checker) -> None:
    model = ScriptedModel(framed(KERNEL))
    progress: list[Progress] = []
    found = await generator(model).generate(TASK, check, plan=PLAN, on_progress=progress.append)
    assert found.clean
    assert found.best and found.best.files == (GeneratedFile("op_kernel/add_rows.cpp", KERNEL),)
    assert found.best.reasoning == "想一想。"
    assert found.summary == "Generate kernel AddRows: compiles"
    assert list(dict.fromkeys(p.stage for p in progress)) == [
        GenerationStage.READING,
        GenerationStage.REASONING,
        GenerationStage.WRITING,
        GenerationStage.CHECKING,
    ]
    assert "".join(p.reasoning for p in progress).strip() == "想一想。"
    assert progress[-1].tokens == found.tokens > 0
    assert model.requests[0].grammar_after == "</think>"
    assert "kernel_impl" in model.requests[0].grammar
    assert model.requests[0].shared == 2


async def test_repaired_on_round_two(check: Checker) -> None:
    model = ScriptedModel(framed(WORSE), framed(BROKEN), framed(KERNEL))
    found = await generator(model).generate(TASK, check, plan=PLAN)
    assert found.clean
    (candidate,) = found.candidates
    assert [len(attempt.errors) > 0 for attempt in candidate.attempts] == [True, True, False]
    assert (candidate.end, found.rounds) == (End.CLEAN, 2)
    repair = "".join(segment.text for segment in model.requests[1].prompt)
    assert "xGmm" in repair
    assert "void Addd(...)" in repair or "void DataCopy(...)" in repair
    assert "【编译日志】" in repair


async def test_rounds_run_out_and_the_best_is_offered_with_its_errors(check: Checker) -> None:
    model = ScriptedModel(framed(WORSE), framed(BROKEN), framed(WORSE.replace("cols = 0", "cols = 1")))
    found = await generator(model).generate(TASK, check, plan=evolve(PLAN, rounds=2))
    assert not found.clean
    assert found.candidates[0].end is End.ROUNDS
    assert found.best and found.best.files[0].text == BROKEN
    assert "1 error left" in found.summary
    assert "Addd" in found.summary


async def test_stops_on_repeats(check: Checker) -> None:
    model = ScriptedModel(framed(BROKEN))
    found = await generator(model).generate(TASK, check, plan=evolve(PLAN, rounds=10))
    assert found.candidates[0].end is End.REPEAT
    assert check.calls == 1
    assert len(model.requests) == 3
    assert len({request.sampling.seed for request in model.requests}) == 3


async def test_after_a_repair_that_changed_nothing_another_error_comes_first(check: Checker) -> None:
    model = ScriptedModel(framed(WORSE))
    await generator(model).generate(TASK, check, plan=evolve(PLAN, rounds=2))
    logs = [
        "".join(segment.text for segment in request.prompt).partition("【编译日志】")[2] for request in model.requests
    ]
    assert logs[1].index("xGmm") < logs[1].index("Addd")
    assert logs[2].index("Addd") < logs[2].index("xGmm")


async def test_truncated(check: Checker) -> None:
    model = ScriptedModel(framed(KERNEL)[:900], stop=StopReason.LENGTH)
    found = await generator(model).generate(TASK, check, plan=PLAN)
    assert found.candidates[0].end is End.CUT
    assert found.best and found.best.cut is Cut.CODE
    assert "cut off" in found.summary
    assert check.calls == 0


async def test_a_block_left_open_is_checked_like_any_other(check: Checker) -> None:
    model = ScriptedModel(framed(KERNEL).partition("```\n</kernel_impl>")[0], framed(KERNEL))
    found = await generator(model).generate(TASK, check, plan=PLAN)
    assert (found.clean, len(model.requests)) == (True, 1)
    model = ScriptedModel(framed(BROKEN).partition("```\n</kernel_impl>")[0], framed(KERNEL))
    found = await generator(model).generate(TASK, check, plan=PLAN)
    assert (found.clean, len(model.requests)) == (True, 2)


async def test_a_file_that_is_not_there_is_no_clean_one(check: Checker) -> None:
    line = "=" * 18
    model = ScriptedModel(f"想</think>\n{line} op_host/add_rows_tiling.h {line}\n```cpp\n#pragma once\n```\n")
    found = await generator(model).generate(evolve(TASK, mode=GenerationMode.FULL), check, plan=PLAN)
    assert not found.clean
    assert "lacks a file" in found.summary
    assert check.calls == 0


async def test_the_kernel_goes_where_the_project_has_it(check: Checker) -> None:
    line = "=" * 18
    paths = ("op_host/add_rows_tiling.h", "op_host/add_rows.cpp", "op_kernel/add_rows.cpp")
    texts = ("#pragma once\n", '#include "add_rows_tiling.h"\n', KERNEL)
    blocks = "".join(f"{line} {p} {line}\n```cpp\n{t}```\n" for p, t in zip(paths, texts, strict=True))
    task = evolve(TASK, mode=GenerationMode.FULL, kernel_file="op_kernel/rows.asc")
    found = await generator(ScriptedModel("想</think>\n" + blocks)).generate(task, check, plan=PLAN)
    assert found.best and [file.path for file in found.best.files] == [*paths[:2], "op_kernel/rows.asc"]


WRONG = KERNEL.replace("Add(zLocal", "Sub(zLocal")


def executed(outcome: VerdictOutcome, words: str, *mismatches: str) -> CheckOutcome:
    return CheckOutcome(
        verdict=Verdict(outcome, "twin", 3, "", words=words), mismatches=mismatches, formula="z = x + y"
    )


class Twin:
    """Says of a kernel that adds that it is right, and of any other that it is wrong."""

    async def __call__(self, files: tuple[GeneratedFile, ...]) -> CheckOutcome:
        if "Add(zLocal" in files[0].text:
            return executed(VerdictOutcome.RIGHT, "right on the twin: 3 cases")
        words = "wrong on the twin: case odd tail, z[3, 17] is 0.5 where 0.25 is right"
        return executed(VerdictOutcome.WRONG, words, "case odd tail: z[3, 17] is 0.5 where 0.25 is right")


async def test_a_wrong_kernel_is_mended_with_what_is_wrong_where() -> None:
    model = ScriptedModel(framed(WRONG), framed(KERNEL))
    found = await generator(model).generate(TASK, Twin(), plan=PLAN)
    assert found.summary == "Generate kernel AddRows: right on the twin: 3 cases"
    assert (found.rounds, found.candidates[0].end) == (1, End.CLEAN)
    repair = "".join(segment.text for segment in model.requests[1].prompt)
    assert "case odd tail: z[3, 17] is 0.5 where 0.25 is right" in repair
    assert "z = x + y" in repair
    assert "Sub(zLocal" in repair


async def test_a_wrong_kernel_is_said_wrong_first_and_ranks_behind_every_other() -> None:
    model = ScriptedModel(framed(WRONG))
    found = await generator(model).generate(TASK, Twin(), plan=Plan(2, 0, 60))
    assert len(model.requests) == 2
    assert found.summary.startswith("Generate kernel AddRows: wrong on the twin: case odd tail, z[3, 17] is 0.5")
    assert found.best is not None
    assert found.best.wrong
    found = await generator(ScriptedModel(framed(WRONG), framed(KERNEL))).generate(TASK, Twin(), plan=Plan(2, 0, 60))
    assert found.best is not None
    assert found.best.outcome.verified is True


async def test_a_model_that_mends_lines_writes_another_kernel_where_values_are_wrong() -> None:
    model = ScriptedModel(framed(WRONG))
    model.status = EngineStatus(EngineState.READY, model=evolve(MODEL, starter=True))
    found = await generator(model).generate(TASK, Twin(), plan=Plan(0, 3, 60))
    assert {candidate.end for candidate in found.candidates} == {End.WRONG}
    assert len(model.requests) == len(found.candidates) == 8
    files = (GeneratedFile("op_kernel/add_rows.cpp", WRONG),)
    with pytest.raises(EngineError, match="wrong values need a larger model"):
        await generator(model).correct(files, await Twin()(files), Twin(), kernel_path="op_kernel/add_rows.cpp")


async def test_wrong_values_of_a_document_are_fixed() -> None:
    files = (GeneratedFile("op_kernel/add_rows.cpp", WRONG),)
    model = ScriptedModel(framed(KERNEL))
    found = await generator(model).correct(
        files, await Twin()(files), Twin(), kernel_path="op_kernel/add_rows.cpp", plan=PLAN
    )
    assert found.summary == "Fix wrong values with KernelGen: right on the twin: 3 cases"
    assert "case odd tail" in "".join(segment.text for segment in model.requests[0].prompt)


async def test_a_compile_error_that_is_fixed_leaves_the_rest_of_the_kernel_alone(check: Checker) -> None:
    broken = (GeneratedFile("op_kernel/add_rows.cpp", BROKEN),)
    model = ScriptedModel(framed(WRONG))
    findings = (await check(broken)).findings
    found = await generator(model).fix(
        broken, findings, Twin(), kernel_path="op_kernel/add_rows.cpp", plan=evolve(PLAN, rounds=3)
    )
    assert len(model.requests) == 1
    assert found.summary.startswith("Fix with KernelGen: wrong on the twin")


async def test_what_was_written_before_ranks_with_the_models_own() -> None:
    files = (GeneratedFile("op_kernel/add_rows.cpp", KERNEL),)
    ruled = await written_by_rule(lambda: files, Twin())
    assert isinstance(ruled, Candidate)
    found = await generator(ScriptedModel(framed(WRONG))).generate(
        TASK, Twin(), plan=evolve(PLAN, rounds=0), before=(ruled,)
    )
    assert [candidate.author for candidate in found.candidates] == [Author.RULE, Author.MODEL]
    assert found.summary == "Generate kernel AddRows: right on the twin: 3 cases; written by rule"
    assert await written_by_rule(lambda: "not understood at `foo`", Twin()) == "not understood at `foo`"


async def test_the_time_limit_is_said_where_it_ended_the_search() -> None:
    model = ScriptedModel(framed(WRONG))

    async def twin_then_silence(files: tuple[GeneratedFile, ...]) -> CheckOutcome:
        model.hangs = True
        return await Twin()(files)

    found = await generator(model).generate(TASK, twin_then_silence, plan=Plan(2, 0, 0.5))
    assert found.summary.startswith("Generate kernel AddRows: wrong on the twin")
    assert found.summary.endswith("the time limit (generation.timeLimit) ended the search")


async def test_no_block(check: Checker) -> None:
    found = await generator(ScriptedModel("想</think>\n做不到。")).generate(TASK, check, plan=PLAN)
    assert found.best is None
    assert found.candidates[0].end is End.NO_CODE
    assert "no code block" in found.summary


async def test_a_draft_in_the_reasoning(check: Checker) -> None:
    answer = f"草稿：<kernel_impl>\n```cpp\n{BROKEN}```\n</kernel_impl>\n" + framed(KERNEL)
    found = await generator(ScriptedModel(answer)).generate(TASK, check, plan=PLAN)
    assert found.clean


async def test_best_of_n(check: Checker) -> None:
    model = ScriptedModel(framed(WORSE), framed(KERNEL), framed(BROKEN))
    plan = Plan(candidates=3, rounds=0, seconds=60, exhaustive=True)
    found = await generator(model).generate(TASK, check, plan=plan)
    assert [candidate.number for candidate in found.candidates] == [2, 3, 1]
    assert len({request.sampling.seed for request in model.requests}) == 3
    model = ScriptedModel(framed(KERNEL))
    assert len((await generator(model).generate(TASK, check, plan=evolve(plan, exhaustive=False))).candidates) == 1


async def test_a_seed_asks_for_the_same_however_long_it_takes(check: Checker) -> None:
    async def slow(files: tuple[GeneratedFile, ...]) -> CheckOutcome:
        for _ in range(50):
            await asyncio.sleep(0)
        return await check(files)

    asked = []
    for checking in (check, slow):
        model = ScriptedModel(framed(BROKEN), framed(WORSE), framed(KERNEL))
        await generator(model).generate(TASK, checking, plan=Plan(0, 0, 60, seed=3))
        asked.append([request.sampling for request in model.requests])
    assert asked[0] == asked[1]
    assert len(asked[0]) == 3


async def test_cancelled_while_reading_the_prompt(check: Checker) -> None:
    model = ScriptedModel("")
    model.hangs = True
    running = asyncio.ensure_future(generator(model).generate(TASK, check, plan=PLAN))
    while not model.requests:  # noqa: ASYNC110  # the condition is a list growing, not an event
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert model.cancelled


async def test_the_time_limit_keeps_what_there_is(check: Checker) -> None:
    model = ScriptedModel(framed(BROKEN))
    run = generator(model)
    first = await run.generate(TASK, check, plan=evolve(PLAN, rounds=0))
    assert first.best is not None
    model.hangs = True
    found = await run.generate(TASK, check, plan=evolve(PLAN, seconds=0.5))
    assert found.candidates[0].end is End.TIME
    assert found.best is None
    assert model.cancelled


async def test_the_worker_dies_half_way_and_the_next_candidate_is_written(check: Checker) -> None:
    model = ScriptedModel(EngineError("the worker died"), framed(KERNEL))
    found = await generator(model).generate(TASK, check, plan=Plan(2, 1, 60))
    assert found.clean
    assert {candidate.end for candidate in found.candidates} == {End.CLEAN, End.ENGINE}
    with pytest.raises(EngineError, match="the worker died"):
        await generator(ScriptedModel(EngineError("the worker died"))).generate(TASK, check, plan=Plan(2, 1, 60))


async def test_the_check_can_not_be_done(check: Checker) -> None:
    async def broken_check(files: tuple[GeneratedFile, ...]) -> CheckOutcome:
        return CheckOutcome(failed="the checker crashed")

    found = await generator(ScriptedModel(framed(KERNEL))).generate(TASK, broken_check, plan=PLAN)
    assert found.candidates[0].end is End.CHECK_FAILED
    assert not found.clean
    assert found.best is not None
    assert found.summary.endswith("written, but not checked: the checker crashed")


async def test_three_files(check: Checker) -> None:
    line = "=" * 18
    header = (
        '#include "register/tilingdata_base.h"\nnamespace optiling {\nBEGIN_TILING_DATA_DEF(AddRowsTilingData)\n'
        "TILING_DATA_FIELD_DEF(uint32_t, rows);\nTILING_DATA_FIELD_DEF(uint32_t, cols);\n"
        "END_TILING_DATA_DEF;\nREGISTER_TILING_DATA_CLASS(AddRows, AddRowsTilingData)\n}\n"
    )
    kernel = KERNEL.replace("    TilingDataDef tiling;\n", "    GET_TILING_DATA(tiling, tilingAddress);\n")
    kernel = kernel.replace("struct TilingDataDef {\n    uint32_t rows = 48;\n    uint32_t cols = 1024;\n};\n", "")
    kernel = kernel.replace("GM_ADDR workspace)", "GM_ADDR workspace, GM_ADDR tilingAddress)")
    kernel = kernel.replace("TilingDataDef", "AddRowsTilingData")
    texts = {
        "op_host/add_rows_tiling.h": header,
        "op_host/add_rows.cpp": '#include "add_rows_tiling.h"\n',
        "op_kernel/add_rows.cpp": kernel,
    }
    answer = "想</think>\n" + "".join(f"{line} {p} {line}\n```cpp\n{t}```\n" for p, t in texts.items())
    model = ScriptedModel(answer)
    found = await generator(model).generate(evolve(TASK, mode=GenerationMode.FULL), check, plan=PLAN)
    assert found.best and [file.path for file in found.best.files] == list(texts)
    assert found.clean, found.summary
    assert "op_host/add_rows_tiling.h" in model.requests[0].grammar


async def test_a_fix_of_a_document(check: Checker) -> None:
    files = (GeneratedFile("op_kernel/add_rows.cpp", BROKEN),)
    findings = (await check(files)).findings
    model = ScriptedModel(framed(KERNEL))
    found = await generator(model).fix(files, findings, check, kernel_path="op_kernel/add_rows.cpp", plan=PLAN)
    assert found.clean
    assert found.best and found.best.files[0].text == KERNEL
    nothing = await generator(model).fix((), (), check, kernel_path="k.cpp", plan=PLAN)
    assert nothing.candidates == ()


async def test_the_starter_mends_line_by_line(check: Checker) -> None:
    model = ScriptedModel(
        "        DataCopy(xLocal, xGm[row * cols], cols);\n",
        "        Add(zLocal, xLocal, yLocal, cols);\n",
    )
    model.status = EngineStatus(EngineState.READY, model=evolve(MODEL, starter=True))
    files = (GeneratedFile("op_kernel/add_rows.cpp", WORSE),)
    findings = (await check(files)).findings

    async def lines(request: GenerateRequest, on_text: Callable[[str, int], None]) -> GenerateResult:
        model.requests.append(request)
        shown = "".join(segment.text for segment in request.prompt)
        region = shown.split("<|fix|>")[1].split("<|endfix|>")[0]
        mended = region.replace("xGmm", "xGm").replace("Addd", "Add")
        return GenerateResult(mended, StopReason.END, Timings(generated=10))

    model.generate = lines  # type: ignore[method-assign]  # this one answers from the prompt
    found = await generator(model).fix(files, findings, check, kernel_path="op_kernel/add_rows.cpp", plan=PLAN)
    assert found.clean
    assert found.best and found.best.files[0].text == KERNEL
    assert len(model.requests) == 2
    assert model.requests[0].sampling.temperature == 0
    assert model.requests[0].grammar == ""


async def test_no_model(check: Checker) -> None:
    model = ScriptedModel("")
    model.status = EngineStatus(EngineState.OFF, "No model is chosen")
    with pytest.raises(EngineError, match="No model is chosen"):
        await generator(model).generate(TASK, check)


async def test_a_model_that_loops_is_ended_early(check: Checker) -> None:
    model = ScriptedModel("想</think>\n" + "y1 = Muls(y1, -1);" * 2_000)
    loop = model.generate

    async def endless(request: GenerateRequest, on_text: Callable[[str, int], None]) -> GenerateResult:
        await loop(request, on_text)
        await asyncio.Event().wait()
        raise AssertionError

    model.generate = endless  # type: ignore[method-assign]  # this one never ends by itself
    found = await generator(model).generate(TASK, check, plan=PLAN)
    assert found.best is None
    assert "over and over" in found.summary
