"""An engine's status: who is told of it, and what the speed in it is good for."""

from __future__ import annotations

import logging

from attrs import evolve

from kernelgen_ls.model.engine.protocol import OnStatus
from kernelgen_ls.model.messages import EngineState, EngineStatus, Speed, Timings

log = logging.getLogger(__name__)

_TYPICAL_PROMPT, _TYPICAL_ANSWER = 8, 12
"""Tokens to evaluate and to write for a usual proposal, once the file's state is warm."""
_SLOW_SECONDS = 2.0
_TELLING_PROMPT = 64
"""Tokens from which on a prompt says how fast this machine reads."""


class StatusFeed:
    """The status and its listeners. Says nothing new twice."""

    def __init__(self, status: EngineStatus) -> None:
        self.status = status
        self._listeners: list[OnStatus] = []

    def on_status(self, callback: OnStatus) -> None:
        """Call ``callback`` with every new status."""
        self._listeners.append(callback)

    def set(self, status: EngineStatus) -> None:
        """The engine stands differently now."""
        if status == self.status:
            return
        self.status = status
        for listener in self._listeners:
            _tell(listener, status)

    def fail(self, detail: str) -> None:
        """It failed, and why."""
        self.set(evolve(self.status, state=EngineState.FAILED, detail=detail, progress=0.0))

    def settle(self, *, busy: bool) -> None:
        """Ready, busy or slow, after a request or a measurement of a worker that runs."""
        model = self.status.model
        state, detail = EngineState.READY, model.chat_problem if model is not None else ""
        if too_slow_to_type(self.status.speed):
            state = EngineState.SLOW
            detail = (
                f"{self.status.speed.decode:.1f} tokens/s here: too slow to type with; choose a smaller model for "
                "typing (`kernelgen-ls model use --typing PATH`)"
            )
        self.set(evolve(self.status, state=EngineState.BUSY if busy else state, detail=detail, progress=1.0))

    def learn(self, timings: Timings) -> None:
        """Let the speed follow what a request took."""
        speed = self.status.speed
        if timings.generated > 1 and timings.decode_ms:
            speed = evolve(speed, decode=_average(speed.decode, 1000 * timings.generated / timings.decode_ms))
        read, read_ms = timings.evaluated - timings.generated, timings.first_ms - timings.queue_ms
        if read >= _TELLING_PROMPT and read_ms > 0:
            speed = evolve(speed, prefill=_average(speed.prefill, 1000 * read / read_ms))
        self.set(evolve(self.status, speed=speed))


def _average(known: float, new: float) -> float:
    return known + 0.2 * (new - known) if known else new


def _tell(listener: OnStatus, status: EngineStatus) -> None:
    try:
        listener(status)
    except Exception:
        # A defect in whoever shows the status must not stop the engine.
        log.exception("a listener to the engine's status failed")


def too_slow_to_type(speed: Speed) -> bool:
    """Whether a usual proposal takes over two seconds at this speed; False while it is unknown."""
    if not speed.prefill or not speed.decode:
        return False
    return _TYPICAL_PROMPT / speed.prefill + _TYPICAL_ANSWER / speed.decode > _SLOW_SECONDS
