"""What a completer remembers: settings, open documents, counts, tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from attrs import define, field, fields, frozen

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.model.completion.document import DocumentSnapshot
from kernelgen_ls.model.completion.running import Running
from kernelgen_ls.model.completion.secrets import is_secret
from kernelgen_ls.model.completion.trigger import Change
from kernelgen_ls.model.completion.views import Views
from kernelgen_ls.model.engine.protocol import Capabilities
from kernelgen_ls.model.messages import ModelInfo, Speed
from kernelgen_ls.model.prompts.style import completion_style
from kernelgen_ls.settings import CompletionSettings, PromptStyle


@frozen
class CompletionStats:
    """What became of the requests since the start. Token counts are those of requests that reached the engine."""

    requests: int = 0
    declined: int = 0
    """The policy said no: a deletion, inside a word, a secret file."""
    from_cache: int = 0
    superseded: int = 0
    """Ended before the engine was asked, since a newer request or version came."""
    asked: int = 0
    """Requests that reached the engine."""
    taken_over: int = 0
    """Answered by an answer already being made for an earlier keystroke."""
    rejected: int = 0
    evaluated: int = 0
    prompt: int = 0
    """Those of ``evaluated`` that belonged to prompts."""
    reused: int = 0
    generated: int = 0
    drafted: int = 0
    accepted_drafts: int = 0
    warmed: int = 0
    """Prompts evaluated ahead of any request."""
    warmed_tokens: int = 0
    warming: int = 0
    """Documents whose prompt is being evaluated ahead now, or will be after the pause."""
    model_ms: float = 0.0
    """Time that the engine took for these requests, waiting included."""


@define(eq=False)
class OpenDocument:
    """What is remembered of one open document."""

    document: DocumentSnapshot
    change: Change = Change.NONE
    edited_at: Position | None = None
    serial: int = 0
    views: Views | None = None
    running: Running | None = None
    warming: asyncio.Task[None] | None = None
    warming_text: str = ""
    idle: asyncio.TimerHandle | None = None


def _no_counts() -> dict[str, Any]:
    return dict.fromkeys((f.name for f in fields(CompletionStats)), 0)


@define(eq=False)
class CompleterState:
    """What requests and warming share: the settings in force, the documents by path, the counts and the tasks."""

    settings: CompletionSettings
    style: PromptStyle
    documents: dict[str, OpenDocument] = field(factory=dict)
    _counts: dict[str, Any] = field(factory=_no_counts)
    _tasks: set[asyncio.Task[Any]] = field(factory=set)

    def style_for(self, model: ModelInfo, able: Capabilities) -> PromptStyle:
        """The style to prompt a model with: the wanted one, as far as the engine can take it."""
        style = completion_style(model, self.style)
        if not able.segments or (style is PromptStyle.FIM and not able.fim):
            return PromptStyle.PREFILL
        return style

    def views_of(self, opened: OpenDocument, model: ModelInfo, able: Capabilities, speed: Speed) -> Views:
        """A document's views for a model, made anew when there are none or it is another model."""
        if opened.views is None or opened.views.model != model:
            style = self.style_for(model, able)
            opened.views = Views.of(opened.document.path, self.settings, model, style, speed, near=able.sequences)
        return opened.views

    def forget_views(self) -> None:
        """What the limits or the form of the prompts follow has changed."""
        for opened in self.documents.values():
            opened.views = None

    def is_secret(self, path: str) -> bool:
        """Whether the model must never see this file."""
        return is_secret(path, self.settings.exclude)

    def count(self, name: str, more: float = 1) -> None:
        """Add to one of the :class:`CompletionStats`."""
        self._counts[name] += more

    def stats(self) -> CompletionStats:
        """The counts so far."""
        ahead = sum(opened.idle is not None or opened.warming is not None for opened in self.documents.values())
        return CompletionStats(**{**self._counts, "warming": ahead})

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run work as a task that :meth:`end_tasks` ends."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def end_tasks(self) -> None:
        """Cancel what runs and wait for its end."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # read, so that an error nobody waits for any more is not reported as forgotten
