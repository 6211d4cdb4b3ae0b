"""Which tokens stand in which sequence of the context, so that no prompt is evaluated twice.

Every request names its sequence (a document, a shared prompt, a generation). A request's prompt reuses the longest
common prefix of its own sequence, of any other (cells are shared, copying costs nothing) or of a state on disk. When
cells or sequences run out the least recently used one that no running generation needs is dropped.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from attrs import define, field

from kernelgen_ls.folders import writing
from kernelgen_ls.kernel.changes import common_prefix
from kernelgen_ls.model.inference.backend import Backend, DecodeOutcome, StateFiles

log = logging.getLogger(__name__)

_WORTH_READING = 32
_WORTH_SAVING = 96


class ContextFullError(Exception):
    """The prompt and its answer need more tokens than the context has."""


@define(eq=False)
class Slot:
    """One sequence: ``tokens`` is exactly what the context holds for it."""

    number: int
    name: str = ""
    tokens: list[int] = field(factory=list)
    used: int = 0
    pins: int = 0
    """Running requests that need it; it is not dropped while there are any."""
    saved: bool = False


class Sequences:
    """The sequences of one context. Only the engine thread calls it."""

    def __init__(self, backend: Backend, states: StateFiles | None = None) -> None:
        self._backend = backend
        self._states = states
        self._slots = [Slot(number) for number in range(backend.sequences)]
        self._refused = False
        self._clock = 0
        self.saved = 0
        self.restored = 0
        self.evicted = 0

    @property
    def live(self) -> list[Slot]:
        """Sequences that hold something."""
        return [slot for slot in self._slots if slot.tokens]

    def open(self, name: str, prompt: Sequence[int]) -> Slot:
        """The sequence called ``name``, starting with as much of ``prompt`` as is known anywhere; not longer than it.

        Raises :class:`ContextFullError` where every sequence is pinned.
        """
        slot = self._named(name)
        own = common_prefix(slot.tokens, prompt)
        donor, length = self._donor(slot, prompt)
        stored = self._states.best(prompt) if self._states is not None else None
        if stored is not None and stored[1] >= max(own, length) + _WORTH_READING and self._read(slot, stored[0]):
            own = common_prefix(slot.tokens, prompt)
        elif donor is not None and length > own:
            self.cut(slot, 0)
            self._backend.copy(donor.number, slot.number, length)
            slot.tokens = donor.tokens[:length]
            slot.saved = False
            own = length
        self.cut(slot, own)
        return slot

    def _named(self, name: str) -> Slot:
        self._clock += 1
        slot = self.find(name)
        if slot is None:
            free = [slot for slot in self._slots if not slot.name]
            slot = free[0] if free else self._oldest(None)
            if slot is None:
                raise ContextFullError("every sequence of the context is in use")
            if slot.name:
                self.drop(slot)
            slot.name = name
        slot.used = self._clock
        return slot

    def find(self, name: str) -> Slot | None:
        """The sequence called ``name``, where there is one."""
        return next((slot for slot in self._slots if slot.name == name), None)

    def _donor(self, slot: Slot, prompt: Sequence[int]) -> tuple[Slot | None, int]:
        best, length = None, 0
        for other in self._slots:
            if other is not slot and other.tokens and (common := common_prefix(other.tokens, prompt)) > length:
                best, length = other, common
        return best, length

    def _read(self, slot: Slot, path: Path) -> bool:
        self.cut(slot, 0)
        tokens = self._backend.load(slot.number, path)
        if not tokens:
            self._backend.trim(slot.number, 0)
            return False
        slot.tokens = tokens
        slot.saved = True
        self.restored += 1
        return True

    def cut(self, slot: Slot, length: int) -> None:
        """Forget ``slot``'s tokens from ``length`` on: all of them where the model cannot forget a part."""
        if length >= len(slot.tokens):
            return
        if not self._backend.trim(slot.number, length):
            self._backend.trim(slot.number, 0)
            length = 0
        del slot.tokens[length:]
        slot.saved = False

    def append(self, slot: Slot, tokens: Sequence[int], outputs: int) -> DecodeOutcome:
        """Evaluate ``tokens`` behind what ``slot`` holds; drops other sequences where cells are short.

        Raises :class:`ContextFullError` where nothing is left to drop.
        """
        while True:
            position = len(slot.tokens)
            if position + len(tokens) > self._backend.cells:
                raise ContextFullError(f"the context has {self._backend.cells} tokens")
            outcome = self._backend.evaluate(slot.number, position, tokens, outputs)
            if outcome is DecodeOutcome.DONE:
                slot.tokens.extend(tokens)
                slot.saved = False
                return outcome
            if not self._backend.trim(slot.number, position):
                self.cut(slot, 0)
            if outcome is DecodeOutcome.ABORTED:
                return outcome
            other = self._oldest(slot)
            if other is None:
                raise ContextFullError(f"the context of {self._backend.cells} tokens is full of running requests")
            self.evicted += 1
            self.drop(other)

    def _oldest(self, apart_from: Slot | None) -> Slot | None:
        droppable = [slot for slot in self._slots if slot.name and not slot.pins and slot is not apart_from]
        return min(droppable, key=lambda slot: slot.used, default=None)

    def save(self, slot: Slot) -> bool:
        """Write ``slot``'s state to disk where it is worth it and not there yet."""
        if self._states is None or slot.saved or len(slot.tokens) < _WORTH_SAVING:
            return False
        path = self._states.path_for(slot.tokens)
        if path is None:
            slot.saved = True
            return False
        try:
            with writing(path, durable=False) as part:
                if not self._backend.save(slot.number, slot.tokens, part):
                    raise OSError("the state does not reach the disk")
        except OSError as problem:
            # Said once: a disk that is full stays so for a while, and every request would say it again.
            log.log(logging.DEBUG if self._refused else logging.WARNING, "a state is not kept: %s", problem)
            self._refused = True
            return False
        self._states.written(path)
        slot.saved = True
        self.saved += 1
        return True

    def drop(self, slot: Slot, *, keep: bool = True) -> None:
        """Empty a sequence and free its name; ``keep`` writes its state to disk first."""
        if keep:
            self.save(slot)
        self.cut(slot, 0)
        slot.name = ""
        slot.saved = False
