"""What the session remembers: open documents, engine calls under way, counts; and what it needs of an engine."""

from __future__ import annotations

import asyncio
from typing import Protocol

from attrs import define, frozen

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.model.completion.cache import CachedText
from kernelgen_ls.model.completion.document import Cursor, DocumentSnapshot
from kernelgen_ls.model.completion.trigger import Change
from kernelgen_ls.model.completion.views import Views
from kernelgen_ls.model.messages import CompleteRequest, CompleteResult, DraftText, EngineStatus, Timings, WarmRequest


class CompletionEngine(Protocol):
    """What the session needs of the model engine."""

    @property
    def status(self) -> EngineStatus:
        """Where the worker stands."""

    async def complete(self, request: CompleteRequest) -> CompleteResult:
        """One completion; cancelling the call frees the engine."""

    async def warm(self, request: WarmRequest) -> Timings:
        """Evaluate a prompt in advance, at the lowest priority."""

    async def draft_texts(self, texts: tuple[DraftText, ...]) -> None:
        """Texts to look drafts up in."""


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
class Running:
    """An engine call under way, and the cursor it was made for."""

    before: str
    after: str
    multiline: bool
    started: float
    task: asyncio.Task[CachedText | None]
    waiters: int = 0

    def may_answer(self, cursor: Cursor, *, multiline: bool) -> bool:
        """Whether the cursor only typed on since; whether it typed what the answer says, only the answer will tell."""
        return (
            not self.task.done()
            and (self.multiline or not multiline)
            and cursor.before.startswith(self.before)
            and cursor.after.endswith(self.after)
            and len(cursor.after) - len(self.after) <= 2
        )


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
