"""Ghost text from request to answer, over an engine that answers from a script."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

import pytest
from attrs import evolve

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.model.completion import running, warming
from kernelgen_ls.model.completion.document import DocumentSnapshot
from kernelgen_ls.model.completion.inline_completer import InlineCompleter
from kernelgen_ls.model.completion.stopping import Stopper
from kernelgen_ls.model.engine.protocol import Capabilities
from kernelgen_ls.model.messages import (
    Candidate,
    CompleteRequest,
    CompleteResult,
    DraftText,
    EngineState,
    EngineStatus,
    ModelInfo,
    Speed,
    StopReason,
    Timings,
    WarmRequest,
)
from kernelgen_ls.settings import CompletionSettings

MODEL = ModelInfo(
    path="/m.gguf",
    name="tiny",
    architecture="qwen3",
    parameters=1,
    bytes=1,
    context=4096,
    trained_context=4096,
    vocabulary=1000,
    fim=False,
    chat_template="",
    gpu_layers=0,
    threads=1,
)
SETTINGS = CompletionSettings(minimum_delay=0, maximum_delay=0)


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110  # the condition is a list growing, not an event
        await asyncio.sleep(0)


class ScriptedEngine:
    """Answers with what the full text says comes next, or with what it is told."""

    capabilities = Capabilities(segments=True, fim=True, sequences=True, drafts=True)

    def __init__(self, answer: Callable[[str], str] | None = None) -> None:
        self.answer = answer or (lambda before: "x = 1;\n    y = 2;\n\n")
        self.requests: list[CompleteRequest] = []
        self.warmed: list[WarmRequest] = []
        self.drafts: list[DraftText] = []
        self.cancelled = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None
        self.status = EngineStatus(EngineState.READY, model=MODEL)

    async def complete(self, request: CompleteRequest) -> CompleteResult:
        self.requests.append(request)
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error:
            raise self.error
        stopper = Stopper(request.stop)
        stopper.feed(self.answer(request.prompt[-1].text))
        texts = [stopper.text] * request.alternatives
        return CompleteResult(
            tuple(Candidate(text + "!" * n, StopReason.RULE, 3) for n, text in enumerate(texts)),
            Timings(evaluated=2, reused=100, generated=3, total_ms=1),
        )

    async def warm(self, request: WarmRequest) -> Timings:
        self.warmed.append(request)
        return Timings(prompt=7)

    async def draft_texts(self, texts: tuple[DraftText, ...]) -> None:
        self.drafts += texts


class Editor:
    """One document with a cursor, and the completer that serves it."""

    def __init__(self, engine: ScriptedEngine, text: str, settings: CompletionSettings = SETTINGS) -> None:
        before, self.after = text.split("|")
        self.completer = InlineCompleter(engine, settings)
        self.document = DocumentSnapshot("op_kernel/k.cpp", 1, before + self.after)
        self.before = before
        self.completer.opened(self.document)

    @property
    def position(self) -> Position:
        lines = self.before.replace("\r\n", "\n").split("\n")
        return Position(len(lines) - 1, len(lines[-1]))

    def write(self, text: str) -> None:
        self.before += text
        self._changed()

    def delete(self, count: int) -> None:
        self.before = self.before[:-count]
        self._changed()

    def _changed(self) -> None:
        text = self.before + self.after
        self.document = evolve(self.document, version=self.document.version + 1, text=text)
        self.completer.changed(self.document)

    async def ghost(self, *, manual: bool = False, count: int = 1) -> str | None:
        found = await self.completer.complete(self.document, self.position, manual=manual, count=count)
        if found is not None:
            assert found.version == self.document.version
            assert found.range.start == found.range.end == self.position
        return found.text if found else None


KERNEL = "void f() {\n    int n = 0;\n    |\n}\n"


async def test_a_completion_and_typing_through_it() -> None:
    engine = ScriptedEngine()
    editor = Editor(engine, KERNEL)
    assert await editor.ghost() == "x = 1;\n    y = 2;"
    for typed in "x = 1;":
        editor.write(typed)
        assert (await editor.ghost() or "").endswith("\n    y = 2;")
    editor.write("\n    ")
    assert await editor.ghost() == "y = 2;"
    assert len(engine.requests) == 1
    assert editor.completer.stats.from_cache == 7
    editor.write("z")
    await editor.ghost()
    assert len(engine.requests) == 2


async def test_the_prompt_only_grows_while_typing() -> None:
    engine = ScriptedEngine(lambda before: "never typed;")
    editor = Editor(engine, KERNEL)
    for typed in "n = GetBlockIdx();\n    n += 1;":
        editor.write(typed)
        await editor.ghost()
    prompts = ["".join(segment.text for segment in request.prompt) for request in engine.requests]
    assert len(prompts) > 20
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(prompts))


async def test_superseded_requests_never_reach_the_engine() -> None:
    engine = ScriptedEngine()
    editor = Editor(engine, KERNEL, evolve(SETTINGS, minimum_delay=5, maximum_delay=5))
    asked = []
    for typed in "int a":
        editor.write(typed)
        # They all begin before the loop looks at a timer again, so none of them can outwait its delay meanwhile.
        asked.append(asyncio.ensure_future(editor.completer.complete(editor.document, editor.position)))
    answers = await asyncio.gather(*asked)
    assert answers[:-1] == [None] * 4
    assert answers[-1] is not None
    assert len(engine.requests) == 1


async def test_null_when_the_document_moved_on_and_the_answer_is_kept() -> None:
    engine = ScriptedEngine()
    engine.gate.clear()
    editor = Editor(engine, KERNEL)
    asked = asyncio.ensure_future(editor.ghost())
    await until(lambda: bool(engine.requests))
    old = editor.document
    editor.write("x")
    engine.gate.set()
    assert await asked is None
    assert await editor.ghost() == " = 1;\n    y = 2;"
    assert len(engine.requests) == 1
    assert await editor.completer.complete(old, Position(2, 4)) is None, "an older version is never answered"


async def test_an_answer_for_other_text_is_cancelled() -> None:
    engine = ScriptedEngine()
    engine.gate.clear()
    editor = Editor(engine, KERNEL)
    first = asyncio.ensure_future(editor.ghost())
    await until(lambda: bool(engine.requests))
    editor.write("q")
    second = asyncio.ensure_future(editor.ghost())
    await until(lambda: len(engine.requests) >= 2)
    assert engine.cancelled == 1
    engine.gate.set()
    assert await first is None
    assert await second == "x = 1;"


async def test_cancelling_frees_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "ABANDONED_SECONDS", 0)
    engine = ScriptedEngine()
    engine.gate.clear()
    editor = Editor(engine, KERNEL)
    asked = asyncio.ensure_future(editor.ghost())
    await until(lambda: bool(engine.requests))
    asked.cancel()
    await until(lambda: bool(engine.cancelled))
    with pytest.raises(asyncio.CancelledError):
        await asked


async def test_not_on_backspace_but_when_asked_for() -> None:
    engine = ScriptedEngine()
    editor = Editor(engine, KERNEL)
    editor.write("xx")
    editor.delete(2)
    assert await editor.ghost() is None
    assert not engine.requests
    assert await editor.ghost(manual=True) == "x = 1;\n    y = 2;"


async def test_alternatives_on_request() -> None:
    engine = ScriptedEngine()
    editor = Editor(engine, KERNEL)
    found = await editor.completer.complete(editor.document, editor.position, manual=True, count=3)
    assert found and found.alternatives == ("x = 1;\n    y = 2;!", "x = 1;\n    y = 2;!!")


async def test_secret_and_switched_off() -> None:
    engine = ScriptedEngine()
    editor = Editor(engine, KERNEL)
    secret = evolve(editor.document, path=".env")
    assert await editor.completer.complete(secret, editor.position, manual=True) is None
    editor.completer.settings = evolve(SETTINGS, enabled=False)
    assert await editor.ghost() is None
    assert await editor.ghost(manual=True) is not None
    assert len(engine.requests) == 1


async def test_the_document_s_line_endings() -> None:
    engine = ScriptedEngine()
    editor = Editor(engine, KERNEL.replace("\n", "\r\n"))
    assert await editor.ghost() == "x = 1;\r\n    y = 2;"
    assert "\r" not in engine.requests[0].prompt[-1].text


async def test_the_bracket_behind_the_cursor_is_not_written_twice() -> None:
    engine = ScriptedEngine(lambda before: "Copy(x, y);")
    editor = Editor(engine, KERNEL)
    editor.write("Data")
    assert await editor.ghost() == "Copy(x, y);"
    editor.before, editor.after = editor.before + "Copy(", ")" + editor.after
    editor.write("")
    assert await editor.ghost() == "x, y"
    assert len(engine.requests) == 1


async def test_unfit_texts_are_not_shown() -> None:
    engine = ScriptedEngine(lambda before: "<|im_start|>")
    editor = Editor(engine, KERNEL)
    assert await editor.ghost() is None
    assert editor.completer.stats.rejected == 1


async def test_an_engine_without_model_and_an_engine_that_fails() -> None:
    engine = ScriptedEngine()
    editor = Editor(engine, KERNEL)
    engine.status = EngineStatus(EngineState.LOADING)
    assert await editor.ghost() is None
    engine.status = EngineStatus(EngineState.READY, model=MODEL)
    engine.error = RuntimeError("the worker died")
    with pytest.raises(RuntimeError):
        await editor.ghost()
    engine.error = None
    assert await editor.ghost() is not None


async def test_the_prompt_is_warmed_when_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "IDLE_SECONDS", 0)
    engine = ScriptedEngine()
    editor = Editor(engine, KERNEL)
    editor.write("n")
    await until(lambda: bool(engine.warmed))
    await editor.ghost()
    assert engine.warmed[-1].prompt == engine.requests[0].prompt


async def test_closing_forgets() -> None:
    engine = ScriptedEngine()
    engine.gate.clear()
    editor = Editor(engine, KERNEL)
    asked = asyncio.ensure_future(editor.ghost())
    await until(lambda: bool(engine.requests))
    editor.completer.closed(editor.document.path)
    assert await asked is None
    await editor.completer.close()
    assert engine.cancelled == 1


LONG = "".join(f"    value{n} = Compute(value{n - 1}, {n});\n" for n in range(400))


async def test_a_slow_machine_answers_from_near_by_while_the_rest_is_evaluated_ahead() -> None:
    engine = ScriptedEngine(lambda before: "never typed;")
    engine.status = EngineStatus(EngineState.READY, model=evolve(MODEL, context=16384), speed=Speed(60, 10))
    editor = Editor(engine, f"void f() {{\n{LONG}    |\n{LONG}}}\n")
    editor.write("a")
    await editor.ghost()
    near = engine.requests[-1]
    assert near.sequence.endswith("(near)")
    assert sum(len(segment.text) for segment in near.prompt) < 1_000
    await until(lambda: bool(engine.warmed))
    assert sum(len(segment.text) for segment in engine.warmed[-1].prompt) > 2_500
    await until(lambda: not editor.completer.stats.warming)
    editor.write("b")
    await editor.ghost()
    assert engine.requests[-1].sequence == "op_kernel/k.cpp"
    assert "".join(s.text for s in engine.requests[-1].prompt).startswith(
        "".join(s.text for s in engine.warmed[-1].prompt)
    )


async def test_a_fast_machine_never_needs_the_near_view() -> None:
    engine = ScriptedEngine()
    engine.status = EngineStatus(EngineState.READY, model=evolve(MODEL, context=16384), speed=Speed(5000, 100))
    editor = Editor(engine, f"void f() {{\n{LONG}    |\n{LONG}}}\n")
    editor.write("a")
    await editor.ghost()
    assert engine.requests[-1].sequence == "op_kernel/k.cpp"


async def test_a_large_model_of_unknown_speed_answers_from_near_by() -> None:
    engine = ScriptedEngine()
    engine.status = EngineStatus(EngineState.READY, model=evolve(MODEL, context=16384, parameters=600_000_000))
    editor = Editor(engine, f"void f() {{\n{LONG}    |\n{LONG}}}\n")
    editor.write("a")
    await editor.ghost()
    assert engine.requests[-1].sequence.endswith("(near)")


async def test_where_the_cursor_went_is_warmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "IDLE_SECONDS", 0)
    engine = ScriptedEngine()
    editor = Editor(engine, f"|{LONG}")
    await asyncio.sleep(0)
    assert not engine.warmed, "nobody knows yet where the cursor is"
    editor.completer.moved(editor.document.path, Position(200, 0))
    await until(lambda: bool(engine.warmed))
    assert "value199 =" in engine.warmed[-1].prompt[-1].text
    assert "value201 =" not in engine.warmed[-1].prompt[-1].text


async def test_texts_of_the_workspace_are_offered_for_drafts_but_no_secrets() -> None:
    engine = ScriptedEngine()
    completer = InlineCompleter(engine)
    completer.offer_drafts({"op_kernel/a.cpp": "int a;\n", "keys/.env": "TOKEN=1\n", "op_kernel/b.cpp": "int b;\n"})
    await until(lambda: bool(engine.drafts))
    await completer.close()
    assert [draft.name for draft in engine.drafts] == ["op_kernel/a.cpp", "op_kernel/b.cpp"]


async def test_open_documents_are_looked_up_for_drafts() -> None:
    engine = ScriptedEngine()
    editor = Editor(engine, KERNEL)
    editor.completer.opened(evolve(editor.document, path="keys/.env"))
    await editor.ghost()
    assert [draft.name for draft in engine.drafts] == ["op_kernel/k.cpp"]
