"""What the model is shown of a document, and which of its evaluated states serves the next request.

A document has a *wide* view: everything the limits allow. Evaluating it anew, after a jump to another place, takes
tens of seconds on a slow machine. So there is a *near* view beside it, a few lines around the cursor in a sequence of
its own: it answers while the wide one is evaluated ahead, at the lowest priority, and is left as soon as that is done.
On a machine that evaluates the wide view within a second the near one is never used.
"""

from __future__ import annotations

from attrs import define, evolve

from kernelgen_ls.model.completion.document import Cursor, DocumentSnapshot
from kernelgen_ls.model.completion.window import CHARS_PER_TOKEN, Window, WindowLimits, move_window, window_limits
from kernelgen_ls.model.messages import ModelInfo, Segment, Speed
from kernelgen_ls.model.prompts.completion import CompletionPrompt, completion_prompt, sight
from kernelgen_ls.model.prompts.context import CompletionContext
from kernelgen_ls.settings import CompletionSettings, PromptStyle

PATIENCE_SECONDS = 1.0
"""Evaluating takes no longer than this before a request, where that can be helped."""
_NEAR_SECONDS = 2.0
_NEAR_LEAST_CHARS = 600
_SMALL_MODEL = 200_000_000
_SLOW_PREFILL = 50.0
_NEAR_LINES, _NEAR_SUFFIX_LINES = 40, 8


@define(eq=False)
class View:
    """One window into a document and the engine's sequence that holds its state."""

    sequence: str
    limits: WindowLimits
    window: Window | None = None
    evaluated: str = ""
    """Text of the latest prompt that the engine has evaluated."""

    def prompt(
        self, document: DocumentSnapshot, cursor: Cursor, model: ModelInfo, style: PromptStyle
    ) -> CompletionPrompt:
        """The prompt at a cursor; moves the window as little as possible."""
        self.window = move_window(cursor.before, cursor.after, self.limits, self.window)
        context = CompletionContext(
            path=document.path,
            preceding=self.window.preceding,
            following=self.window.following,
            tail=self.window.tail,
            declarations=document.declarations,
        )
        return completion_prompt(context, model, style)

    def pending_tokens(self, prompt: CompletionPrompt) -> float:
        """About how many tokens of ``prompt`` the engine would have to evaluate."""
        text = joined(prompt.segments)
        return (len(text) - common_length(text, self.evaluated)) / CHARS_PER_TOKEN


@define(eq=False)
class Views:
    """The two views of one document."""

    model: ModelInfo
    """The model that they were made for; another one needs others."""
    wide: View
    near: View
    near_pays: bool

    @classmethod
    def of(
        cls, path: str, settings: CompletionSettings, model: ModelInfo, style: PromptStyle, speed: Speed, *, near: bool
    ) -> Views:
        """Views for a document, their limits fixed: limits that followed each measurement would move the windows.

        ``near`` False does without the near one: an engine that keeps no sequences has nothing to evaluate ahead.
        """
        wide = window_limits(settings, model, speed, sight(style))
        chars = int(max(_NEAR_LEAST_CHARS, CHARS_PER_TOKEN * _NEAR_SECONDS * speed.prefill))
        closer = evolve(
            wide,
            prefix_lines=min(wide.prefix_lines, _NEAR_LINES),
            suffix_lines=min(wide.suffix_lines, _NEAR_SUFFIX_LINES),
            prefix_chars=min(wide.prefix_chars, chars),
            suffix_chars=min(wide.suffix_chars, chars // 3),
        )
        pays = near and closer.prefix_chars * 2 < wide.prefix_chars
        return cls(model, View(path, wide), View(f"{path} (near)", closer), pays)

    def choose(
        self, document: DocumentSnapshot, cursor: Cursor, model: ModelInfo, style: PromptStyle, speed: Speed
    ) -> tuple[View, CompletionPrompt]:
        """The view to answer from now, and its prompt."""
        prompt = self.wide.prompt(document, cursor, model, style)
        rate = speed.prefill or _unmeasured(model)
        if not self.near_pays or self.wide.pending_tokens(prompt) <= PATIENCE_SECONDS * rate:
            return self.wide, prompt
        return self.near, self.near.prompt(document, cursor, model, style)

    def forget_states(self) -> None:
        """The engine lost what it had evaluated."""
        self.wide.evaluated = self.near.evaluated = ""


def _unmeasured(model: ModelInfo) -> float:
    """Tokens a second to expect before anything was measured: the first request must not take the machine's word."""
    slow = model.parameters > _SMALL_MODEL and not model.gpu_layers
    return _SLOW_PREFILL if slow else float("inf")


def joined(segments: tuple[Segment, ...]) -> str:
    """A prompt as one text."""
    return "".join(segment.text for segment in segments)


def common_length(one: str, other: str) -> int:
    """The length of the longest common beginning, by halving with whole-slice comparisons."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low
