"""Warming: while the user pauses, the prompt at the cursor is evaluated ahead, so that the next request finds it done.

It is always the wide view (``views``), at the engine's lowest priority, and one prompt a document at a time. It gives
way to requests, and its failures are nobody's errors.
"""

from __future__ import annotations

import asyncio
import logging

from kernelgen_ls.model.completion.debounce import Debounce
from kernelgen_ls.model.completion.document import Cursor
from kernelgen_ls.model.completion.state import CompleterState, OpenDocument
from kernelgen_ls.model.completion.views import View, joined
from kernelgen_ls.model.engine.protocol import Engine
from kernelgen_ls.model.messages import EngineState, WarmRequest

log = logging.getLogger(__name__)

IDLE_SECONDS = 0.6
"""Pause after which the prompt at the cursor is evaluated in advance."""
_PROMPT_TOKENS_GUESS = 8
_ANSWER_TOKENS_GUESS = 12


class Warming:
    """Evaluates prompts ahead of any request; see the module's docstring."""

    def __init__(self, engine: Engine, state: CompleterState, debounce: Debounce) -> None:
        """``debounce`` is told the engine's speed once it is known."""
        self._engine = engine
        self._state = state
        self._debounce = debounce
        self._speed_known = False

    def when_idle(self, opened: OpenDocument) -> None:
        """Warm the prompt once nothing has happened for a while."""
        if opened.idle is not None:
            opened.idle.cancel()
            opened.idle = None
        if self._engine.capabilities.sequences:
            opened.idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.warm, opened)

    def warm(self, opened: OpenDocument) -> None:
        """Evaluate the wide view at the latest known place ahead, unless that is being done already."""
        opened.idle = None
        document, position, status = opened.document, opened.edited_at, self._engine.status
        if status.model is None or position is None or not self._may_warm(opened):
            return
        self._learn_speed()
        able = self._engine.capabilities
        view = self._state.views_of(opened, status.model, able, status.speed).wide
        style = self._state.style_for(status.model, able)
        prompt = view.prompt(document, Cursor.at(document.text, position), status.model, style)
        text = joined(prompt.segments)
        if text == view.evaluated or (opened.warming is not None and text.startswith(opened.warming_text)):
            return
        self.stop(opened)
        opened.warming_text = text
        opened.warming = self._state.start(self._evaluate(opened, view, WarmRequest(view.sequence, prompt.segments)))

    def stop(self, opened: OpenDocument) -> None:
        """Neither warm nor wait for a pause any more."""
        if opened.idle is not None:
            opened.idle.cancel()
            opened.idle = None
        if opened.warming is not None:
            opened.warming.cancel()
            opened.warming = None
            opened.warming_text = ""

    def _may_warm(self, opened: OpenDocument) -> bool:
        path = opened.document.path
        return (
            self._state.settings.enabled
            and self._engine.status.state in (EngineState.READY, EngineState.SLOW, EngineState.BUSY)
            and self._state.documents.get(path) is opened
            and not self._state.is_secret(path)
            and (opened.running is None or opened.running.task.done())
        )

    def _learn_speed(self) -> None:
        """Take over the engine's measured speed once, as the first expectation of a response time."""
        speed = self._engine.status.speed
        if not self._speed_known and speed.decode and speed.prefill:
            self._speed_known = True
            seconds = _PROMPT_TOKENS_GUESS / speed.prefill + _ANSWER_TOKENS_GUESS / speed.decode
            self._debounce.expect(1000 * seconds)

    async def _evaluate(self, opened: OpenDocument, view: View, request: WarmRequest) -> None:
        text = opened.warming_text
        try:
            timings = await self._engine.warm(request)
        except Exception as error:
            # Warming is a courtesy: what is wrong will show at the next request.
            log.debug("not warmed: %s", error)
        else:
            view.evaluated = text
            self._state.count("warmed")
            self._state.count("warmed_tokens", timings.prompt)
        finally:
            if opened.warming is asyncio.current_task():
                opened.warming = None
