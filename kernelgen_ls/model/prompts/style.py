"""Which prompt a model wants, read from what its file says about itself."""

from __future__ import annotations

from kernelgen_ls.model.messages import ModelInfo
from kernelgen_ls.settings import PromptStyle

_FIM_FAMILIES = (
    "coder",
    "code",
    "starcoder",
    "codestral",
    "mellum",
    "granite",
    "stable-code",
    "refact",
    "fim",
)
"""Parts of names of model families that were trained to fill in the middle."""


def completion_style(model: ModelInfo, wanted: PromptStyle = PromptStyle.AUTO) -> PromptStyle:
    """The style to prompt ``model`` with for ghost text; ``wanted`` wins unless it is ``auto``.

    FIM tokens alone prove nothing: every Qwen3 tokenizer has them, and a chat model tuned on kernels (KernelGen-LM)
    was not trained with them. So a model is filled in the middle when its tokenizer can and its name says that it
    learned to, or when it has no chat template at all, i.e. is a base model.
    """
    if wanted is not PromptStyle.AUTO:
        return wanted
    if model.starter:
        return PromptStyle.STARTER
    name = model.name.lower()
    if "kernelgen" in name or not model.fim:
        return PromptStyle.PREFILL
    if not model.chat_template or any(family in name for family in _FIM_FAMILIES):
        return PromptStyle.FIM
    return PromptStyle.PREFILL
