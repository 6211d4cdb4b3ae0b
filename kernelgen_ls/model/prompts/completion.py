"""From a cursor's surroundings to a completion prompt, in the style that the model wants."""

from __future__ import annotations

from attrs import frozen

from kernelgen_ls.model.messages import Conversation, FimTokens, ModelInfo, Segment
from kernelgen_ls.model.prompts import fim, prefill, starter
from kernelgen_ls.model.prompts.chat import ChatFormat
from kernelgen_ls.model.prompts.context import CompletionContext, Sight
from kernelgen_ls.model.prompts.frame import STOP_TEXTS
from kernelgen_ls.model.prompts.style import completion_style
from kernelgen_ls.settings import PromptStyle

QWEN_FIM = FimTokens("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>")
"""Where a FIM model does not name its tokens: the names of the Qwen family, the most common one."""


@frozen
class CompletionPrompt:
    """A prompt ready to send, and the texts that end its answer; ``conversation`` where it is made of turns."""

    segments: tuple[Segment, ...]
    stop_texts: tuple[str, ...] = ()
    conversation: Conversation | None = None


def completion_prompt(
    context: CompletionContext, model: ModelInfo, wanted: PromptStyle = PromptStyle.AUTO
) -> CompletionPrompt:
    """The completion prompt for ``model``; ``wanted`` overrides the style that its file suggests."""
    style = completion_style(model, wanted)
    if style is PromptStyle.STARTER:
        after = f"{context.tail}\n{context.following}" if context.tail or context.following else ""
        return CompletionPrompt(starter.completion_prompt(context.preceding, after))
    if style is PromptStyle.FIM:
        tokens = model.fim_tokens if model.fim_tokens.prefix else QWEN_FIM
        return CompletionPrompt(fim.completion_prompt(context, tokens), fim.stop_texts(tokens))
    asked = prefill.conversation(context)
    return CompletionPrompt(ChatFormat.of(model).written(asked).segments, STOP_TEXTS, asked)


def sight(style: PromptStyle) -> Sight | None:
    """What prompts of a style look at, where they were trained on so much and no more."""
    return starter.SIGHT if style is PromptStyle.STARTER else None
