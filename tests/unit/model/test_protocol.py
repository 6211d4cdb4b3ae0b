"""A second engine, as a server of chat messages would be one: told turns, and nothing but turns."""

from __future__ import annotations

import pytest
from attrs import evolve

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.model.completion.document import DocumentSnapshot
from kernelgen_ls.model.completion.inline_completer import InlineCompleter
from kernelgen_ls.model.completion.stopping import Stopper
from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.engine.protocol import Capabilities, Engine, EngineError, OnStatus, OnText
from kernelgen_ls.model.generation.candidate import CheckOutcome
from kernelgen_ls.model.generation.generator import Generator, Plan
from kernelgen_ls.model.messages import (
    Candidate,
    CompleteRequest,
    CompleteResult,
    Conversation,
    DraftText,
    EngineState,
    EngineStatus,
    GenerateRequest,
    GenerateResult,
    ModelInfo,
    Segment,
    Stats,
    StopReason,
    Timings,
    TokenizeResult,
    WarmRequest,
)
from kernelgen_ls.model.prompts.task import GeneratedFile, GenerationTask, TaskTensor
from kernelgen_ls.settings import CompletionSettings, GenerationMode, GenerationSettings, PromptStyle

MODEL = ModelInfo("", "team", "", 0, 0, 32768, 32768, 0, fim=False, chat_template="", gpu_layers=0, threads=0)
KERNEL = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void add_rows(GM_ADDR x) {}\n'
TASK = GenerationTask(
    operator="AddRows",
    kernel="add_rows",
    mode=GenerationMode.STATIC,
    api_desc="# AddRows",
    cases="-",
    chip=chip_named("Ascend910B1"),
    kernel_template=KERNEL,
    inputs=(TaskTensor("x", "float16"),),
)


class ChatServer:
    """Keeps no state, counts no tokens, knows no grammar; it sees messages and answers with text."""

    capabilities = Capabilities()

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.asked: list[list[tuple[str, str]]] = []
        self.grammars: list[str] = []
        self.status = EngineStatus(EngineState.READY, model=MODEL)

    def _messages(self, conversation: Conversation | None) -> None:
        if conversation is None:
            raise EngineError("this server is told turns")
        self.asked.append([(turn.role.value, turn.text) for turn in conversation.turns])

    def on_status(self, callback: OnStatus) -> None:
        """It never changes."""

    async def start(self, model: ModelChoice) -> None:
        """It is there."""

    async def close(self) -> None:
        """It stays."""

    async def complete(self, request: CompleteRequest) -> CompleteResult:
        self._messages(request.conversation)
        stopper = Stopper(request.stop)
        stopper.feed(self.answer)
        return CompleteResult((Candidate(stopper.text, StopReason.RULE, 1),), Timings())

    async def generate(self, request: GenerateRequest, on_text: OnText) -> GenerateResult:
        self._messages(request.conversation)
        self.grammars.append(request.grammar)
        on_text(self.answer, 1)
        return GenerateResult(self.answer, StopReason.END, Timings(generated=1))

    async def warm(self, request: WarmRequest) -> Timings:
        raise EngineError("nothing is kept here")

    async def save(self, sequence: str) -> bool:
        return False

    async def forget(self, sequence: str) -> bool:
        return False

    async def tokenize(self, prompt: tuple[Segment, ...]) -> TokenizeResult:
        raise EngineError("this server counts no tokens")

    async def draft_texts(self, texts: tuple[DraftText, ...]) -> None:
        raise EngineError("this server draws no drafts")

    async def stats(self) -> Stats:
        return Stats()


@pytest.mark.parametrize("kind", [ChatServer, LocalEngine])
def test_they_are_engines(kind: type[Engine]) -> None:
    wanted = {name for name in vars(Engine) if not name.startswith("_")}
    assert {"complete", "generate"} < wanted
    assert wanted <= {*dir(kind), "status"}


@pytest.mark.parametrize("style", PromptStyle)
async def test_ghost_text(style: PromptStyle) -> None:
    server = ChatServer("x = 1;\n}\n")
    completer = InlineCompleter(server, CompletionSettings(minimum_delay=0, maximum_delay=0), style=style)
    document = DocumentSnapshot("op_kernel/k.cpp", 1, "void f() {\n    int n = 0;\n    \n}\n")
    completer.opened(document, Position(2, 4))
    assert completer.stats.warming == 0, "there is nothing to evaluate ahead"
    found = await completer.complete(document, Position(2, 4))
    assert found is not None and found.text == "x = 1;"
    ((user, asked), (assistant, begun)) = server.asked[0]
    assert (user, assistant) == ("user", "assistant")
    assert "【文件】op_kernel/k.cpp" in asked
    assert begun == "<kernel_impl>\n```cpp\nvoid f() {\n    int n = 0;\n    "
    await completer.close()


async def test_a_whole_kernel() -> None:
    server = ChatServer(f"想。</think>\n<kernel_impl>\n```cpp\n{KERNEL}```\n</kernel_impl>")

    async def check(files: tuple[GeneratedFile, ...]) -> CheckOutcome:
        return CheckOutcome()

    generator = Generator(server, GenerationSettings(grammar=True))
    found = await generator.generate(TASK, check, plan=Plan(candidates=1, rounds=0, seconds=60))
    assert found.clean
    assert found.best and found.best.files == (GeneratedFile("op_kernel/add_rows.cpp", KERNEL),)
    ((role, text),) = server.asked[0]
    assert role == "user"
    assert "【最终任务】" in text
    assert server.grammars == [""]


async def test_a_prompt_that_is_no_turns_is_refused_in_words() -> None:
    server = ChatServer("")
    server.status = evolve(server.status, model=evolve(MODEL, starter=True))
    with pytest.raises(EngineError, match="told turns"):
        await Generator(server, GenerationSettings()).generate(TASK, lambda files: None, plan=Plan(1, 0, 60))
