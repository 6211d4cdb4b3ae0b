"""What a model engine can do, whatever it is: a worker on this machine, a server of a team's.

Whoever completes or generates takes an :class:`Engine` and asks its :class:`Capabilities` for what not every engine
has. What is missing there costs time or comfort, never an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from attrs import frozen

from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.messages import (
    CompleteRequest,
    CompleteResult,
    DraftText,
    EngineStatus,
    GenerateRequest,
    GenerateResult,
    Segment,
    Stats,
    Timings,
    TokenizeResult,
    WarmRequest,
)

OnStatus = Callable[[EngineStatus], None]
OnText = Callable[[str, int], None]
"""Gets the pieces of an answer and the number of tokens so far."""

NO_LLAMA = "The model engine is not installed (llama-cpp-python)"
INSTALL_LLAMA = "run `pip install llama-cpp-python==0.3.36` in this environment, then `kernelgen-ls doctor`"


class EngineError(RuntimeError):
    """A request failed: what happened, and what to do."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(f"{message}. {advice}" if advice else message)
        self.message = message
        self.advice = advice


@frozen
class Capabilities:
    """What an engine has beside completing and generating. The default is a server that is told turns and no more."""

    segments: bool = False
    """Reads a prompt's segments, and never takes a special token from a user's text. Without it only prompts that are
    turns can be asked."""
    fim: bool = False
    """Takes prompts that have the middle filled in, where the model can."""
    sequences: bool = False
    """Keeps evaluated prompts by name: ``warm``, ``save`` and ``forget`` do something."""
    token_counts: bool = False
    """``tokenize`` answers."""
    drafts: bool = False
    """Uses the texts of ``draft_texts``."""
    grammar: bool = False
    """Holds an answer to a GBNF grammar; without it a request's grammar is let be."""


class Engine(Protocol):
    """One model to ask, in the event loop that ``start`` ran in. Cancelling a call frees the engine."""

    @property
    def capabilities(self) -> Capabilities:
        """What it has beside the requests that every engine answers."""

    @property
    def status(self) -> EngineStatus:
        """How it stands, and what the model says of itself once it is there."""

    def on_status(self, callback: OnStatus) -> None:
        """Call ``callback`` with every new status."""

    async def start(self, model: ModelChoice) -> None:
        """Get ``model`` ready. Never raises for one that does not work: the status says so and what to do."""

    async def close(self) -> None:
        """End what was started."""

    async def complete(self, request: CompleteRequest) -> CompleteResult:
        """One inline completion. Raises :class:`EngineError`."""

    async def generate(self, request: GenerateRequest, on_text: OnText) -> GenerateResult:
        """A whole answer, its pieces to ``on_text`` as they come. Raises :class:`EngineError`."""

    async def warm(self, request: WarmRequest) -> Timings:
        """Evaluate a prompt's start when there is nothing else to do. Raises :class:`EngineError`."""

    async def save(self, sequence: str) -> bool:
        """Write a sequence's state to disk; whether there was something new to write."""

    async def forget(self, sequence: str) -> bool:
        """Drop a sequence's state from memory (kept on disk where that is worth it)."""

    async def tokenize(self, prompt: tuple[Segment, ...]) -> TokenizeResult:
        """A prompt's tokens. Raises :class:`EngineError`, also where nobody can say them."""

    async def draft_texts(self, texts: tuple[DraftText, ...]) -> None:
        """Texts of the workspace to look drafts up in, by name; an empty text forgets one."""

    async def stats(self) -> Stats:
        """What it did so far. Raises :class:`EngineError`."""
