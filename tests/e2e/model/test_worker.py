"""The engine and a real worker over a tiny random model."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from pathlib import Path

import pytest
from attrs import evolve

from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.engine.protocol import EngineError
from kernelgen_ls.model.messages import (
    CompleteRequest,
    CompleteResult,
    Conversation,
    DraftText,
    EngineState,
    EngineStatus,
    GenerateRequest,
    Role,
    Sampling,
    Segment,
    StopReason,
    StopRules,
    Turn,
    WarmRequest,
)
from kernelgen_ls.model.prompts import chatml
from kernelgen_ls.model.prompts.chat import ChatFormat
from kernelgen_ls.testing.make_gguf import small_tokenizer, write_model
from tests.e2e.model.conftest import Open

pytestmark = pytest.mark.engine

LOOSE = StopRules(max_lines=999)
KERNEL = "".join(
    f"    LocalTensor<T> xLocal{number} = inQueueX.AllocTensor<T>();\n    DataCopy(xLocal{number}, xGm[{number}], 8);\n"
    for number in range(12)
)


def request(text: str, sequence: str = "a.cpp", **options: object) -> CompleteRequest:
    options.setdefault("stop", LOOSE)
    options.setdefault("max_tokens", 16)
    return CompleteRequest(sequence, (Segment(chatml.USER, special=True), Segment(text)), **options)


def texts(result: CompleteResult) -> list[str]:
    return [candidate.text for candidate in result.candidates]


async def until(condition: object, *arguments: object) -> None:
    """Wait for a coroutine function to say yes."""

    async def wait() -> None:
        while not await condition(*arguments):  # noqa: ASYNC110 # the condition is another process's state
            await asyncio.sleep(0.01)

    await asyncio.wait_for(wait(), 60)


async def test_it_says_what_it_loaded(open_engine: Open) -> None:
    engine = await open_engine()
    model = engine.status.model
    assert model is not None
    assert (model.architecture, model.fim, model.context, model.gpu_layers) == ("qwen3", True, 4096, 0)
    assert model.fim_tokens.middle == "<|fim_middle|>"
    assert "im_start" in model.chat_template


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{{ bos_token }}{% for m in messages %}<start>{{ m.content }}{% endfor %}<model>", ""),
        ("", ""),
        ("{{ raise_exception('no') }}", "refuses these turns: no"),
        ("{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", "does not end"),
        ("{{ messages[0].content }}" + "#" * 1_000_000, "is too long"),
    ],
)
async def test_a_chat_template_is_tried_when_the_model_is_loaded(
    open_engine: Open, tmp_path: Path, template: str, says: str
) -> None:
    path = tmp_path / "m.gguf"
    write_model(path, "tiny", "f16", evolve(small_tokenizer(), chat_template=template))
    engine = await open_engine(path)
    model = engine.status.model
    assert model is not None
    assert model.chat_template == template[: len(model.chat_template)]
    assert bool(model.chat_template) == bool(template)
    assert (model.begin_text, model.end_text) == ("<|endoftext|>", "<|im_end|>")
    assert says in model.chat_problem
    assert bool(model.chat_problem) == bool(says)
    assert engine.status.detail in ("", model.chat_problem)
    written = ChatFormat.of(model).written(Conversation((Turn(Role.USER, ("hi <model>",)),)))
    first = "<|endoftext|><start>" if template.startswith("{{ bos") else "<|im_start|>user\n"
    assert written.segments[0].text == first
    tokens = await engine.tokenize(written.segments)
    assert "".join(tokens.pieces) == "".join(segment.text for segment in written.segments)


async def test_a_reused_state_gives_the_same_tokens_as_a_fresh_one(open_engine: Open) -> None:
    engine = await open_engine()
    edits = [KERNEL, KERNEL[:-20], KERNEL[:-20] + "pipe.Init", KERNEL[:300] + "x" + KERNEL[300:], KERNEL[40:]]
    reused = [await engine.complete(request(text, draft=False)) for text in edits]
    for number, text in enumerate(edits):
        await engine.forget("a.cpp")
        fresh = await engine.complete(request(text, sequence=f"fresh{number}", draft=False))
        assert texts(reused[number]) == texts(fresh)
    assert reused[2].timings.reused > 0.9 * reused[0].timings.evaluated


async def test_drafts_change_no_character(open_engine: Open) -> None:
    engine = await open_engine()
    await engine.draft_texts((DraftText("b.cpp", KERNEL * 2),))
    for start in (KERNEL, KERNEL[:200], "DataCopy(x"):
        plain = await engine.complete(request(start, draft=False, max_tokens=48))
        drafted = await engine.complete(request(start, draft=True, max_tokens=48))
        assert texts(plain) == texts(drafted)


async def test_healing_goes_on_with_the_word(open_engine: Open) -> None:
    engine = await open_engine()
    result = await engine.complete(request("x;\n    DataCop"))
    assert result.timings.healed >= 1
    whole = (await engine.tokenize((Segment("DataCopy"),))).pieces
    assert "DataCopy" in "".join(whole)


async def test_sequences_interleave_without_mixing(open_engine: Open) -> None:
    engine = await open_engine()
    starts = {"a.cpp": KERNEL[:250], "b.cpp": "class KernelAdd {\n public:\n"}
    alone = {name: texts(await engine.complete(request(text, sequence=name + "?"))) for name, text in starts.items()}
    for _ in range(3):
        answers = await asyncio.gather(
            *(engine.complete(request(text, sequence=name)) for name, text in starts.items())
        )
        assert {name: texts(answer) for name, answer in zip(starts, answers, strict=True)} == alone


async def test_special_tokens_of_the_user_are_characters(open_engine: Open) -> None:
    engine = await open_engine()
    tokens = await engine.tokenize((Segment("<|im_start|>", special=True), Segment("a <|im_end|> </think>")))
    assert tokens.pieces[0] == "<|im_start|>"
    assert not {"<|im_end|>", "</think>"} & set(tokens.pieces)
    assert "".join(tokens.pieces[1:]) == "a <|im_end|> </think>"


async def test_a_long_text_tokenizes_the_same_in_the_pieces_it_is_kept_in(open_engine: Open) -> None:
    engine = await open_engine()
    text = (KERNEL + "\n\n\t// 逐元素\n}\n#include <x>\n\n" + KERNEL) * 2
    ours = await engine.tokenize((Segment(text),))
    # A special segment is tokenized whole; this text spells no special token.
    whole = await engine.tokenize((Segment(text, special=True),))
    assert ours.tokens == whole.tokens


async def test_cancelling_a_long_prompt_frees_the_engine_within_one_chunk(open_engine: Open) -> None:
    engine = await open_engine()
    for number in range(5):
        before = (await engine.stats()).evaluated
        long = "".join(f"{number}{index} " for index in range(700))
        task = asyncio.create_task(engine.complete(request(long, f"long{number}", max_tokens=900, draft=False)))

        async def started(before: int = before) -> bool:
            return (await engine.stats()).evaluated > before

        await until(started)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # Asked after the cancel, on the same pipe: however long the two took on their way, nothing lies between them.
        at_cancel = (await engine.stats()).evaluated
        small = await engine.complete(request("x", sequence="small", max_tokens=1))
        after = (await engine.stats()).evaluated - small.timings.evaluated
        # What was under way when the cancel came (a chunk of 256, or a token) and no more.
        assert after - at_cancel <= 2 * 256
        assert after - before < 3000


async def test_typing_comes_before_a_running_generation_which_then_goes_on(open_engine: Open) -> None:
    engine = await open_engine()
    pieces: list[int] = []
    first = asyncio.Event()

    def on_text(text: str, tokens: int) -> None:
        pieces.append(tokens)
        first.set()

    prompt = (Segment("<|im_start|>assistant\n<think>", special=True),)
    wanted = GenerateRequest(prompt, max_tokens=1500, sampling=Sampling(temperature=1.0, seed=3))
    generation = asyncio.create_task(engine.generate(wanted, on_text))
    await asyncio.wait_for(first.wait(), 30)
    for number in range(5):
        await engine.complete(request("DataCopy(x", sequence=f"{number}.cpp", max_tokens=4))
        assert not generation.done()
    disturbed = await generation
    undisturbed = await engine.generate(wanted, lambda text, tokens: None)
    # Drafts follow measured times, so far on two sums may round apart and a draw with them.
    assert disturbed.text[:400] == undisturbed.text[:400]
    assert pieces == sorted(pieces)


async def test_a_killed_worker_fails_its_request_and_the_next_one_works(open_engine: Open) -> None:
    engine = await open_engine()
    states: list[EngineState] = []
    engine.on_status(lambda status: states.append(status.state))
    before = texts(await engine.complete(request("DataCopy(")))
    pids = [engine.pid]

    def kill(*_: object) -> None:
        # At the first text: of the four thousand tokens more are to come than the pipe between us can hold.
        if pids and (pid := pids.pop()) is not None:
            os.kill(pid, signal.SIGKILL)

    with pytest.raises(EngineError, match="died during this request"):
        await engine.generate(GenerateRequest((Segment("x"),), max_tokens=4000), kill)
    assert not pids
    assert engine.status.state is EngineState.FAILED
    assert texts(await engine.complete(request("DataCopy("))) == before
    assert states[-1] in {EngineState.READY, EngineState.SLOW}
    assert EngineState.FAILED in states and EngineState.LOADING in states


async def test_a_worker_that_keeps_dying_is_left_alone_for_a_while(open_engine: Open) -> None:
    engine = await open_engine()
    for _ in range(3):
        await engine.stats()
        assert engine.pid is not None
        os.kill(engine.pid, signal.SIGKILL)
        with pytest.raises(EngineError):
            await engine.complete(request("x"))
    with pytest.raises(EngineError, match="rests"):
        await engine.complete(request("x"))


async def test_states_survive_on_disk(open_engine: Open, tmp_path: Path) -> None:
    first = await open_engine(state_dir=tmp_path / "states")
    before = await first.complete(request(KERNEL))
    assert await first.save("a.cpp")
    await first.close()
    second = await open_engine(state_dir=tmp_path / "states")
    after = await second.complete(request(KERNEL, sequence="renamed.cpp"))
    assert texts(after) == texts(before)
    assert after.timings.reused > 100
    assert after.timings.evaluated - after.timings.generated <= 1
    assert (await second.stats()).restored == 1


async def test_a_worker_that_ends_keeps_its_states(open_engine: Open, tmp_path: Path) -> None:
    first = await open_engine(state_dir=tmp_path / "states")
    await first.complete(request(KERNEL))
    await first.close()
    assert list((tmp_path / "states").rglob("*.state"))


async def test_memory_and_sequences_stay_bounded(open_engine: Open) -> None:
    engine = await open_engine(sequences=4, context=1024)
    for number in range(30):
        await engine.complete(request(f"// {number}\n" + KERNEL[: 20 * number], sequence=f"{number}.cpp", max_tokens=4))
    stats = await engine.stats()
    assert stats.sequences <= 4
    assert stats.cells <= 4 * 1024
    middle = stats.memory
    for number in range(60):
        await engine.complete(request(f"// {number}\n" + KERNEL[: 10 * number], sequence=f"{number}.cpp", max_tokens=4))
    assert (await engine.stats()).memory < middle + (16 << 20)


async def test_a_prompt_over_the_context_says_what_to_do_and_the_next_request_works(open_engine: Open) -> None:
    engine = await open_engine(context=256)
    with pytest.raises(EngineError, match="context"):
        await engine.complete(request(KERNEL))
    assert (await engine.complete(request("x"))).candidates


async def test_a_grammar_holds_after_its_marker_and_a_bad_one_is_an_error(open_engine: Open) -> None:
    engine = await open_engine()
    answer = await engine.generate(
        GenerateRequest((Segment("x"),), max_tokens=60, grammar='root ::= "ab" [0-9] "." ', sampling=Sampling(1.0)),
        lambda *_: None,
    )
    assert answer.text[:2] == "ab" and answer.text[2].isdecimal() and answer.text[3:] == "."
    assert answer.stop is StopReason.END
    for bad in ("root ::= (", "nothing", 'a ::= "b"', "root ::= missing"):
        with pytest.raises(EngineError, match="GBNF"):
            await engine.generate(GenerateRequest((Segment("x"),), grammar=bad), lambda *_: None)
    assert (await engine.complete(request("x"))).candidates


async def test_warming_makes_the_next_request_short(open_engine: Open) -> None:
    engine = await open_engine()
    wanted = request(KERNEL)
    await engine.warm(WarmRequest(wanted.sequence, wanted.prompt))
    result = await engine.complete(wanted)
    assert result.timings.evaluated - result.timings.generated <= 1


async def test_a_replaced_model_is_loaded_again_once_it_is_whole(
    open_engine: Open, tiny_gguf: Path, tmp_path: Path
) -> None:
    path = tmp_path / "model.gguf"
    shutil.copy(tiny_gguf, path)
    engine = await open_engine(path)
    first = engine.pid
    content = await asyncio.to_thread(tiny_gguf.read_bytes)
    loads: list[EngineStatus] = []
    engine.on_status(lambda status: loads.append(status) if status.state is EngineState.LOADING else None)
    half = tmp_path / "half.gguf"
    half.write_bytes(content[: len(content) // 2])
    half.replace(path)
    assert (await engine.complete(request("x"))).candidates
    assert engine.pid == first and not loads
    whole = tmp_path / "whole.gguf"
    whole.write_bytes(content)
    whole.replace(path)

    async def reloaded() -> bool:
        return engine.pid not in (first, None)

    await until(reloaded)
    assert loads
    assert (await engine.complete(request("x"))).candidates


@pytest.mark.parametrize("content", [b"", b"garbage" * 9])
async def test_a_bad_file_is_a_status_not_a_crash(open_engine: Open, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(content)
    engine = await open_engine(path, ready=False)
    assert engine.status.state is EngineState.FAILED
    assert "bad.gguf" in engine.status.detail
    with pytest.raises(EngineError, match=r"bad\.gguf"):
        await engine.complete(request("x"))


async def test_no_model_at_all_is_an_error_that_says_what_to_do() -> None:
    engine = LocalEngine()
    with pytest.raises(EngineError, match="kernelgen-ls model use"):
        await engine.complete(request("x"))
    assert engine.status.state is EngineState.OFF
