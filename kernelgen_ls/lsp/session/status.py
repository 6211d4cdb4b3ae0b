"""What the editors' status bar shows: one immutable payload, sent when it changes, a few times a second at most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Any

import attrs
from attrs import frozen

from kernelgen_ls.model.messages import EngineState, EngineStatus
from kernelgen_ls.settings import Settings
from kernelgen_ls.settings.schema import plain

SEND_INTERVAL = 0.2


class State(str, Enum):
    """The whole server in one word."""

    READY = "ready"
    BUSY = "busy"
    LOADING = "loading"
    WARNING = "warning"
    ERROR = "error"
    OFF = "off"


class CheckerState(str, Enum):
    """Where the local checker stands."""

    OFF = "off"
    STARTING = "starting"
    READY = "ready"
    BUSY = "busy"
    FAILED = "failed"


@frozen
class ModelPart:
    """A model's worker; speeds in tokens a second."""

    state: EngineState = EngineState.OFF
    name: str = ""
    starter: bool = False
    progress: float = 0.0
    detail: str = ""
    prefill: float = 0.0
    decode: float = 0.0


@frozen
class CheckerPart:
    """The local checker."""

    state: CheckerState = CheckerState.STARTING
    detail: str = ""


@frozen
class RunnerPart:
    """A remote runner: ``state`` is ``connected``, ``connecting`` or ``unreachable``."""

    name: str
    state: str
    detail: str = ""


@frozen
class GenerationPart:
    """A running generation; candidates and rounds count from 1."""

    title: str
    stage: str = "reading"
    candidate: int = 1
    candidates: int = 1
    round: int = 1
    tokens: int = 0


@frozen
class CompletionPart:
    """Whether ghost text is on."""

    enabled: bool = True
    trigger: str = "automatic"


@frozen
class Status:
    """Everything at once; ``payload`` is what ``kernelgen/status`` carries."""

    model: ModelPart = ModelPart(state=EngineState.LOADING)
    generation_model: ModelPart | None = None
    checker: CheckerPart = CheckerPart()
    runners: tuple[RunnerPart, ...] = ()
    generation: GenerationPart | None = None
    completion: CompletionPart = CompletionPart()
    enabled: bool = True

    def summary(self) -> tuple[State, str, str]:
        """State, a short message, and a sentence that says what to do."""
        if not self.enabled:
            return State.OFF, "KernelGen off", "Completion, checks and generation are all disabled in the settings."
        if self.generation is not None:
            return State.BUSY, f"{self.generation.title}: {self.generation.stage}", ""
        name = self.model.name or "KernelGen"
        match self.model.state:
            case EngineState.LOADING:
                return State.LOADING, f"loading {name} {self.model.progress:.0%}", self.model.detail
            case EngineState.FAILED:
                return State.ERROR, "model stopped", self.model.detail
            case EngineState.OFF:
                return State.WARNING, "no model", self.model.detail
            case EngineState.SLOW:
                return State.WARNING, f"{name} (slow here)", self.model.detail
        if self.checker.state is CheckerState.FAILED:
            return State.WARNING, "checker stopped", self.checker.detail
        unreachable = [runner for runner in self.runners if runner.state == "unreachable"]
        if unreachable:
            return State.WARNING, f"runner {unreachable[0].name} unreachable", unreachable[0].detail
        busy = EngineState.BUSY is self.model.state or self.checker.state is CheckerState.BUSY
        return State.BUSY if busy else State.READY, name, self.model.detail

    def payload(self) -> dict[str, Any]:
        """The notification's parameters (see docs/protocol.md)."""
        state, message, detail = self.summary()
        parts: dict[str, Any] = plain(self)
        del parts["enabled"]
        return {"state": state.value, "message": message, "detail": detail, **parts}


def model_part(status: EngineStatus) -> ModelPart:
    """The status bar's view of an engine."""
    return ModelPart(
        state=status.state,
        name=status.model.name if status.model else "",
        starter=bool(status.model and status.model.starter),
        progress=status.progress,
        detail=status.detail,
        prefill=status.speed.prefill,
        decode=status.speed.decode,
    )


class StatusBoard:
    """Holds the current status and sends changes, coalesced."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self._send = send
        self._timer: asyncio.TimerHandle | None = None
        self._sent: dict[str, Any] | None = None
        self._open = False
        self.status = Status()

    def open(self) -> None:
        """Begin to send; nothing may be sent before the client is initialised."""
        self._open = True
        self.update()

    def update(self, **changes: Any) -> None:
        """Change parts of the status (fields of ``Status``)."""
        self.status = attrs.evolve(self.status, **changes)
        if self._open and self._timer is None:
            self._flush()

    def settings_changed(self, settings: Settings) -> None:
        """Follow the settings that the status shows."""
        self.update(
            completion=CompletionPart(settings.completion.enabled, settings.completion.trigger.value),
            enabled=settings.completion.enabled or settings.check.enabled or settings.generation.enabled,
        )

    def close(self) -> None:
        """Send nothing any more."""
        self._open = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _flush(self) -> None:
        self._timer = None
        payload = self.status.payload()
        if payload == self._sent:
            return
        self._sent = payload
        self._send(payload)
        self._timer = asyncio.get_running_loop().call_later(SEND_INTERVAL, self._flush)
