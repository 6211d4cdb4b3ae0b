"""The ``prefill`` style: a chat model continues its own answer.

KernelGen-LM and its like answer a request with a reasoning and then a file between tags. Completing in that
distribution means: the request asks for the file, the reasoning is already closed, the tag and the code fence are
already open, and the answer so far is the file up to the cursor. What follows the cursor is part of the request,
so that it stands before everything that typing changes.
"""

from __future__ import annotations

from kernelgen_ls.model.messages import Segment
from kernelgen_ls.model.prompts.context import CompletionContext

USER = Segment("<|im_start|>user\n", special=True)
END_OF_TURN = Segment("<|im_end|>\n", special=True)
ANSWER = Segment("<|im_start|>assistant\n<think>\n\n</think>\n\n", special=True)

_INSTRUCTION = (
    "你是一个精通Ascend C编程的专家。请写出下面这个源文件：从文件开头写起，沿用文件里已有的命名、类型和风格，"
    "写到与“后续代码”衔接之处为止，不要重复后续代码。\n"
)

STOP_TEXTS = ("```", "</kernel_impl>", "<kernel_impl>", "==================")
"""What this style's answers end with beside the model's own end of turn."""


def completion_prompt(context: CompletionContext) -> tuple[Segment, ...]:
    """The segments of a completion request; the last one ends at the cursor."""
    request = [Segment(_INSTRUCTION)]
    if context.declarations.strip():
        request.append(Segment(f"【相关声明】\n```cpp\n{context.declarations.strip()}\n```\n"))
    if context.what_follows.strip():
        request.append(Segment(f"【后续代码】\n```cpp\n{context.what_follows.rstrip()}\n```\n"))
    request.append(Segment(f"【文件】{context.shown_path}\n"))
    return (
        USER,
        *request,
        END_OF_TURN,
        ANSWER,
        Segment(answer_frame(context.shown_path)),
        Segment(context.preceding),
    )


def answer_frame(path: str) -> str:
    """What stands before a file's text in an answer: host files have their own header line (18 ``=`` each side)."""
    if path.startswith("op_host/"):
        return f"{'=' * 18} {path} {'=' * 18}\n```cpp\n"
    return "<kernel_impl>\n```cpp\n"
