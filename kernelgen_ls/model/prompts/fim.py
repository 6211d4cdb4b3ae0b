"""The ``fim`` style: a model trained to fill in the middle.

The suffix comes first (what papers call SPM): the same three labelled parts as in the usual order, but typing then
appends to the prompt's end instead of pushing the suffix along. The part before the cursor is the last segment that
is not a special token; token healing backs up there, before the token that opens the middle.
"""

from __future__ import annotations

from kernelgen_ls.model.messages import FimTokens, Segment
from kernelgen_ls.model.prompts.context import CompletionContext


def completion_prompt(context: CompletionContext, tokens: FimTokens) -> tuple[Segment, ...]:
    """The segments of a completion request. A file's first line names it, as such models saw files in training."""
    head = f"// {context.shown_path}\n"
    if context.declarations.strip():
        head += context.declarations.strip() + "\n\n"
    return (
        Segment(tokens.suffix, special=True),
        Segment("\n" + context.what_follows.rstrip() if context.what_follows.strip() else "\n"),
        Segment(tokens.prefix, special=True),
        Segment(head),
        Segment(context.preceding),
        Segment(tokens.middle, special=True),
    )


def stop_texts(tokens: FimTokens) -> tuple[str, ...]:
    """The texts that end an answer, should the model spell them out instead of ending."""
    return tuple(text for text in (tokens.prefix, tokens.suffix, tokens.middle) if text)
