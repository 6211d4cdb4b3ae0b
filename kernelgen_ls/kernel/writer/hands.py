"""The ways in which kernels are written that compute the same: a hand is all of a writer's choices of style."""

from __future__ import annotations

from enum import Enum

from attrs import frozen


class Form(Enum):
    """How a kernel is laid out: a class with CopyIn, Compute and CopyOut, or one function with a loop."""

    CLASS = "class"
    FUNCTION = "function"


@frozen
class Hand:
    """Choices of style. Patterns have ``{}`` in the place of a tensor's or a temporary's name."""

    form: Form = Form.CLASS
    indent: str = "    "
    global_tensor: str = "{}Gm"
    queue: str = "{}Queue"
    local: str = "{}Local"
    wide: str = "{}Float"
    buffer: str = "{}Buf"
    copy_in: str = "CopyIn"
    compute: str = "Compute"
    copy_out: str = "CopyOut"


CLASS = Hand()
FUNCTION = Hand(form=Form.FUNCTION)
