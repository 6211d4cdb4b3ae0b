"""ChatML, the commonest way to write turns down, and the one for a model that does not say its own."""

from __future__ import annotations

from collections.abc import Sequence

from kernelgen_ls.model.messages import Role, Turn

_START = "<|im_start|>"
END = "<|im_end|>"
USER = f"{_START}{Role.USER.value}\n"
"""Opens a user's turn."""
ASSISTANT = f"{END}\n{_START}{Role.ASSISTANT.value}\n"
"""Ends a turn and opens the model's."""


def frames(roles: Sequence[Role]) -> tuple[str, ...]:
    """What stands before, between and after the contents of turns of these roles; last what opens the model's turn."""
    opened = [f"{_START}{role.value}\n" for role in (*roles, Role.ASSISTANT)]
    return (opened[0], *(f"{END}\n{start}" for start in opened[1:]))


def user_turn(prompt: str) -> Turn:
    """The user's turn of a written prompt that has one; all of it where no turn is marked."""
    content = prompt.partition(USER)[2] or prompt
    return Turn(Role.USER, (content.rpartition(END)[0] or content,))
