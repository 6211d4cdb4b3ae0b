"""From a cursor's surroundings to a completion prompt, in the style that the model wants."""

from __future__ import annotations

from attrs import frozen

from kernelgen_ls.model.messages import FimTokens, ModelInfo, Segment
from kernelgen_ls.model.prompts import fim, prefill, starter
from kernelgen_ls.model.prompts.context import CompletionContext
from kernelgen_ls.model.prompts.style import completion_style
from kernelgen_ls.settings import PromptStyle

QWEN_FIM = FimTokens("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>")
"""Where a FIM model does not name its tokens: the names of the Qwen family, the most common one."""


@frozen
class CompletionPrompt:
    """A prompt ready to send, and the texts that end its answer."""

    segments: tuple[Segment, ...]
    stop_texts: tuple[str, ...] = ()


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
    return CompletionPrompt(prefill.completion_prompt(context), prefill.STOP_TEXTS)
