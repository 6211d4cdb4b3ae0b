"""Turns as the text that a model reads: by its own chat template, as ChatML where it has none.

A template is rendered with placeholders in the place of what the turns say, and its output is cut there. So what the
template wrote is known from what it was given: only the former may hold special tokens, whatever a user's file spells.
And it is rendered once for turns of the same roles, not once for each key.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from functools import lru_cache

from attrs import frozen

from kernelgen_ls.model.messages import Conversation, ModelInfo, Role, Segment
from kernelgen_ls.model.prompts import chatml
from kernelgen_ls.model.prompts.frame import THINK, THINK_END

log = logging.getLogger(__name__)


@frozen
class Written:
    """A conversation as segments, ready to send. ``shared`` counts the leading ones that other prompts begin with.

    ``thinking`` says that the reasoning is left open: the model writes it first.
    """

    segments: tuple[Segment, ...]
    shared: int
    thinking: bool


@frozen
class ChatFormat:
    """How turns are written for one model. ``template`` is its Jinja text; empty: ChatML.

    ``begin`` and ``end`` are the texts of its BOS and EOS tokens. ``thinks`` says that it was taught to reason between
    ``<think>`` and ``</think>``: the tags are set only for such a model.
    """

    template: str = ""
    begin: str = ""
    end: str = ""
    thinks: bool = True

    @classmethod
    def of(cls, model: ModelInfo) -> ChatFormat:
        """The model's own; ChatML where it has no template, or one that was found to be of no use.

        Every KernelGen-LM reasons, also the one whose template is that of a model which does not.
        """
        template = model.chat_template
        thinks = not template or THINK in template or THINK_END in template or "kernelgen" in model.name.lower()
        return cls("" if model.chat_problem else template, model.begin_text, model.end_text, thinks)

    def written(self, conversation: Conversation) -> Written:
        """The conversation as this model reads it."""
        turns = conversation.turns
        begun: tuple[str, ...] = ()
        if turns and turns[-1].role is Role.ASSISTANT:
            turns, begun = turns[:-1], turns[-1].pieces
        thinking = conversation.thinking and not begun
        frames = _frames(self, tuple(turn.role for turn in turns), thinking)
        segments: list[Segment] = []
        pieces = shared = 0
        for before, contents in zip(frames, (*(turn.pieces for turn in turns), begun), strict=True):
            segments += [Segment(before, special=True)] if before else []
            for piece in contents:
                segments.append(Segment(piece))
                pieces += 1
                shared = len(segments) if pieces <= conversation.shared else shared
        return Written(tuple(segments), shared, thinking and frames[-1].rstrip().endswith(THINK))

    def prepare(self) -> None:
        """Run the template now, for plain requests, and not while the first one waits."""
        for thinking in (True, False):
            _frames(self, (Role.USER,), thinking)

    def problem(self) -> str:
        """Why the template cannot be used for a plain request, in a line for the user; empty where it can."""
        from kernelgen_ls.model.prompts.template import ChatTemplateError

        if not self.template:
            return ""
        try:
            for thinking in (True, False):
                _rendered(self, (Role.USER,), thinking)
        except ChatTemplateError as error:
            return f"Its chat template {error}. Prompts are written as ChatML, which it may not know"
        return ""


CHATML = ChatFormat()


@lru_cache(maxsize=64)
def _frames(chat: ChatFormat, roles: tuple[Role, ...], thinking: bool) -> tuple[str, ...]:
    """What stands before each turn's content, and last what opens the answer, with the tags of a reasoning."""
    *before, last = _by_template(chat, roles, thinking) if chat.template else chatml.frames(roles)
    if chat.thinks:
        last = _reasoning_open(last) if thinking else _reasoning_closed(last)
    return (*before, last)


def _reasoning_open(start: str) -> str:
    return start if start.rstrip().endswith((THINK, THINK_END)) else start + THINK


def _reasoning_closed(start: str) -> str:
    """An answer's start without a reasoning: an empty one, unless the template wrote that already or opened one."""
    bare = start.rstrip()
    if bare.endswith(THINK_END):
        return start
    before = bare.removesuffix(THINK) if bare.endswith(THINK) else start
    return f"{before}{THINK}\n\n{THINK_END}\n\n"


def _by_template(chat: ChatFormat, roles: tuple[Role, ...], thinking: bool) -> tuple[str, ...]:
    from kernelgen_ls.model.prompts.template import ChatTemplateError

    try:
        return _rendered(chat, roles, thinking)
    except ChatTemplateError as error:
        log.warning("The model's chat template %s. This prompt is written as ChatML", error)
        return chatml.frames(roles)


def _rendered(chat: ChatFormat, roles: tuple[Role, ...], thinking: bool) -> tuple[str, ...]:
    """The template's own text around the contents. Raises ``ChatTemplateError``.

    Where it takes no system turn, or moves it, what the system says stands in front of the user's words.
    """
    from kernelgen_ls.model.prompts.template import ChatTemplateError

    try:
        return _around(chat, roles, thinking)
    except ChatTemplateError as error:
        if roles[:2] != (Role.SYSTEM, Role.USER):
            raise
        log.info("The model's chat template %s: the system's words are put before the user's", error)
        return _around(chat, roles, thinking, joined=True)


def _around(chat: ChatFormat, roles: Sequence[Role], thinking: bool, *, joined: bool = False) -> tuple[str, ...]:
    """What the template writes around placeholders, which must not depend on them; ``joined`` makes one turn of two."""
    from kernelgen_ls.model.prompts.template import ChatTemplateError, render

    found = set()
    for size in (12, 15):
        marks = [_placeholder(size) for _ in roles]
        turns = [{"role": role.value, "content": mark} for role, mark in zip(roles, marks, strict=True)]
        if joined:
            turns = [{"role": Role.USER.value, "content": "\n\n".join(marks[:2])}, *turns[2:]]
        found.add(_cut(render(chat.template, turns, thinking=thinking, begin=chat.begin, end=chat.end), marks))
    if len(found) > 1:
        raise ChatTemplateError("depends on the words that it is given")
    return found.pop()


def _placeholder(size: int) -> str:
    """A text that no one can guess, that trimming does not touch, and that shows every kind of escaping."""
    return f"{secrets.token_hex(size)}\n\"<&>'\\{secrets.token_hex(size)}"


def _cut(text: str, marks: Sequence[str]) -> tuple[str, ...]:
    from kernelgen_ls.model.prompts.template import ChatTemplateError

    if any(text.count(mark) > 1 for mark in marks):
        raise ChatTemplateError("repeats what it is given")
    places = [text.find(mark) for mark in marks]
    if -1 in places:
        raise ChatTemplateError("drops or alters what it is given")
    if places != sorted(places):
        raise ChatTemplateError("changes the order of the turns")
    starts = [0, *(place + len(mark) for place, mark in zip(places, marks, strict=True))]
    return tuple(text[start:end] for start, end in zip(starts, [*places, len(text)], strict=True))
