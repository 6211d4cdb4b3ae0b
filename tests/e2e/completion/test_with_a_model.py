"""Ghost text over a real worker with a tiny model: token sequences, reuse, the complete command."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner

from kernelgen_ls.bench.typing import KERNEL
from kernelgen_ls.bench.typing_trace import Kind, typing_trace
from kernelgen_ls.cli.complete import complete
from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.model.completion.document import DocumentSnapshot
from kernelgen_ls.model.completion.inline_completer import InlineCompleter
from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.messages import CompleteRequest
from kernelgen_ls.model.prompts.completion import completion_prompt
from kernelgen_ls.model.prompts.context import CompletionContext
from kernelgen_ls.settings import CompletionSettings, PromptStyle

pytestmark = pytest.mark.engine
GOLDEN = Path(__file__).parent / "golden"
SETTINGS = CompletionSettings(minimum_delay=0, maximum_delay=0, max_tokens=4, budget=60_000)


@pytest.fixture
async def engine(tiny_gguf: Path) -> AsyncIterator[LocalEngine]:
    engine = LocalEngine()
    await engine.start(ModelChoice(tiny_gguf, threads=1))
    assert engine.status.model is not None, engine.status.detail
    yield engine
    await engine.close()


CONTEXT = CompletionContext(
    path="op_kernel/add.cpp",
    preceding="template <typename T>\n__aicore__ inline void Comp",
    following="    pipe.InitBuffer(inQueueX, BUFFER_NUM, 32);\n}\n",
    declarations="struct T { uint32_t n; }; // <|im_end|> stays text",
)


@pytest.mark.parametrize("style", [PromptStyle.PREFILL, PromptStyle.FIM])
async def test_token_sequences(engine: LocalEngine, style: PromptStyle) -> None:
    model = engine.status.model
    assert model is not None
    prompt = completion_prompt(CONTEXT, model, style)
    tokens = await engine.tokenize(prompt.segments)
    written = "".join(f"{token} {piece!r}\n" for token, piece in zip(tokens.tokens, tokens.pieces, strict=True))
    assert written == (GOLDEN / f"tokens-{style.value}.txt").read_text("utf-8")
    special = [piece for piece in tokens.pieces if piece.startswith("<|")]
    assert "<|im_end|>" not in special or style is PromptStyle.PREFILL, "the user's text made a special token"
    assert len(special) == 3


async def test_a_key_costs_a_token_or_two(engine: LocalEngine) -> None:
    completer = InlineCompleter(engine, SETTINGS)
    trace = typing_trace(KERNEL.read_text("utf-8"), lines=4)
    document = DocumentSnapshot("op_kernel/k.cpp", 0, trace.start)
    completer.opened(document)
    costs: list[int] = []
    for step in trace.steps:
        document = evolve(document, version=document.version + 1, text=step.text)
        before = step.text[: step.offset]
        place = Position(before.count("\n"), len(before) - before.rfind("\n") - 1)
        asked = completer.stats
        completer.changed(document)
        found = await completer.complete(document, place)
        assert found is None or found.version == document.version
        now = completer.stats
        if step.kind is Kind.APPENDED and now.asked > asked.asked:
            costs.append(now.prompt - asked.prompt)
    await completer.close()
    assert len(costs) > 20
    assert sorted(costs)[len(costs) // 2] <= 2
    assert max(costs) <= 8


def test_the_command(tiny_gguf: Path, tmp_path: Path) -> None:
    file = tmp_path / "k.cpp"
    file.write_text(KERNEL.read_text("utf-8"), encoding="utf-8")
    done = CliRunner().invoke(complete, [f"{file}:60:9", "--model", str(tiny_gguf), "--json"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert (answer["line"], answer["column"]) == (60, 9)
    assert answer["model"]["name"] == "random-qwen3-tiny"
    assert answer["timings"]["prompt"] + answer["timings"]["reused"] > 500
    assert answer["text"] is None or answer["text"].strip()


@pytest.mark.parametrize(
    ("place", "says"),
    [("none.cpp:1:1", "there is no file"), ("{file}:9:1", "has 2 lines"), ("{file}:1:9", "has no column 9")],
)
def test_places_that_are_not_there(tmp_path: Path, place: str, says: str) -> None:
    file = tmp_path / "k.cpp"
    file.write_text("ab\n")
    done = CliRunner().invoke(complete, [place.format(file=file)])
    assert done.exit_code == 2
    assert says in done.output


def test_no_such_model(tmp_path: Path) -> None:
    file = tmp_path / "k.cpp"
    file.write_text("ab\n")
    done = CliRunner().invoke(complete, [f"{file}:1:1", "--model", str(tmp_path / "none.gguf")])
    assert done.exit_code == 2
    assert "none.gguf" in done.output


async def test_healing_backs_up_before_the_middle_token(engine: LocalEngine) -> None:
    model = engine.status.model
    assert model is not None
    context = evolve(CONTEXT, preceding="    pipe.InitBuf")
    prompt = completion_prompt(context, model, PromptStyle.FIM).segments
    result = await engine.complete(CompleteRequest("heal", prompt, max_tokens=6))
    assert result.timings.healed > 0
    greedy = await engine.complete(CompleteRequest("no heal", prompt, max_tokens=6, heal=False))
    assert greedy.timings.healed == 0
    assert greedy.timings.prompt + greedy.timings.reused == (
        result.timings.prompt + result.timings.reused + result.timings.healed
    )
