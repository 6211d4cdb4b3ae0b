"""The ``prefill`` style: a chat model continues its own answer.

KernelGen-LM and its like answer a request with a reasoning and then a file in a frame. Completing in that
distribution means: the request asks for the file, the reasoning is already closed, the frame is already open, and the
answer so far is the file up to the cursor. What follows the cursor is part of the request, so that it stands before
everything that typing changes.
"""

from __future__ import annotations

from kernelgen_ls.model.messages import Conversation, Role, Turn
from kernelgen_ls.model.prompts import frame
from kernelgen_ls.model.prompts.context import CompletionContext

_INSTRUCTION = (
    "你是一个精通Ascend C编程的专家。请写出下面这个源文件：从文件开头写起，沿用文件里已有的命名、类型和风格，"
    "写到与“后续代码”衔接之处为止，不要重复后续代码。\n"
)


def conversation(context: CompletionContext) -> Conversation:
    """The turns of a completion request; the answer that is begun ends at the cursor."""
    request = [_INSTRUCTION]
    if context.declarations.strip():
        request.append(f"【相关声明】\n{frame.fenced(context.declarations.strip())}\n")
    if context.what_follows.strip():
        request.append(f"【后续代码】\n{frame.fenced(context.what_follows)}\n")
    request.append(f"【文件】{context.shown_path}\n")
    answer = (frame.opening(context.shown_path), context.preceding)
    return Conversation((Turn(Role.USER, tuple(request)), Turn(Role.ASSISTANT, answer)))
