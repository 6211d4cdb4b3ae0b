"""Ghost text from end to end: policy, cache, debounce, window, prompt, engine, filters.

One :class:`InlineCompleter` serves all documents. It never blocks and holds no protocol types; the language server
tells it what was opened, changed and closed, and converts what it answers. What a keystroke passes, in order:

1. ``complete`` asks the policy (``trigger``), then the typed-through cache: most keystrokes end here;
2. it waits (``debounce``); a newer request or a newer version of the document ends it here;
3. an answer that is already being made for the text typed so far is waited for, anything else is cancelled;
4. window and prompt are built and the engine is asked, within the budget;
5. the texts are filtered and kept in the cache, also when the document moved on meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from attrs import fields

from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.model.completion.cache import CachedText, CompletionCache
from kernelgen_ls.model.completion.debounce import Debounce
from kernelgen_ls.model.completion.document import Completion, Cursor, DocumentSnapshot, line_ending
from kernelgen_ls.model.completion.filters import fitted, rejection
from kernelgen_ls.model.completion.secrets import is_secret
from kernelgen_ls.model.completion.state import CompletionEngine, CompletionStats, OpenDocument, Running
from kernelgen_ls.model.completion.stopping import indent_columns
from kernelgen_ls.model.completion.trigger import decide, edit_end, last_change, wants_lines
from kernelgen_ls.model.completion.usage import Usage
from kernelgen_ls.model.completion.views import View, Views, joined
from kernelgen_ls.model.messages import (
    CompleteRequest,
    CompleteResult,
    DraftText,
    EngineState,
    ModelInfo,
    StopRules,
    Timings,
    WarmRequest,
)
from kernelgen_ls.settings import CompletionSettings, PromptStyle

log = logging.getLogger(__name__)

IDLE_SECONDS = 0.6
"""Pause after which the prompt at the cursor is evaluated in advance."""
ABANDONED_SECONDS = 0.1
"""How long an answer that nobody waits for any more goes on: time for the next keystroke's request to take it over."""
_SINGLE_LINE_TOKENS = 48
_FOLLOWING_CHARS = 600
_MANUAL_BUDGETS = 3
_DRAFTED_CHARS = 60_000
_PROMPT_TOKENS_GUESS = 8
_ANSWER_TOKENS_GUESS = 12


class InlineCompleter:
    """Answers ghost-text requests; see the module's docstring."""

    def __init__(
        self,
        engine: CompletionEngine,
        settings: CompletionSettings | None = None,
        *,
        style: PromptStyle = PromptStyle.AUTO,
        usage: Usage | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine = engine
        self.style = style
        self.last_result: CompleteResult | None = None
        """What the engine said last, before any filter: for those who want to know why nothing is shown."""
        self.usage = usage or Usage()
        self._settings = settings or CompletionSettings()
        self._clock = clock
        self._cache = CompletionCache()
        self._debounce = Debounce(self._settings.minimum_delay, self._settings.maximum_delay)
        self._sessions: dict[str, OpenDocument] = {}
        self._counts: dict[str, Any] = dict.fromkeys((f.name for f in fields(CompletionStats)), 0)
        self._identifiers = itertools.count(1)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._speed_known = False

    @property
    def settings(self) -> CompletionSettings:
        """The settings in force; assign to change them."""
        return self._settings

    @settings.setter
    def settings(self, settings: CompletionSettings) -> None:
        self._settings = settings
        self._debounce.minimum_ms = settings.minimum_delay
        self._debounce.maximum_ms = max(settings.minimum_delay, settings.maximum_delay)
        for session in self._sessions.values():
            session.views = None

    @property
    def stats(self) -> CompletionStats:
        """What became of the requests so far."""
        sessions = self._sessions.values()
        ahead = sum(session.idle is not None or session.warming is not None for session in sessions)
        return CompletionStats(**{**self._counts, "warming": ahead})

    def opened(self, document: DocumentSnapshot, position: Position | None = None) -> None:
        """A document was opened, with the cursor at ``position`` if the client says so: its prompt is warmed."""
        session = self._sessions[document.path] = OpenDocument(document, edited_at=position)
        self._when_idle(session)
        self.offer_drafts({document.path: document.text})

    def offer_drafts(self, texts: Mapping[str, str]) -> None:
        """Texts of the workspace by path: what stands in one kernel is likely to be written in the next one."""
        if not self._settings.drafting:
            return
        offered = tuple(
            DraftText(path, text)
            for path, text in texts.items()
            if len(text) <= _DRAFTED_CHARS and not is_secret(path, self._settings.exclude)
        )
        if offered:
            self._start(self._offer_drafts(offered))

    def changed(self, document: DocumentSnapshot) -> None:
        """A document has a new version. Cheap: called on every keystroke."""
        session = self._sessions.get(document.path)
        if session is None:
            self._sessions[document.path] = OpenDocument(document)
            return
        if document.version == session.document.version and document.text == session.document.text:
            return
        self._debounce.key(self._clock() * 1000)
        session.change = last_change(session.document.text, document.text)
        session.edited_at = edit_end(session.document.text, document.text)
        session.document = document
        self._when_idle(session)

    def moved(self, path: str, position: Position) -> None:
        """The client let slip where the cursor is (editors ask for code actions there): warm that place when idle."""
        session = self._sessions.get(path)
        if session is not None and session.edited_at != position:
            session.edited_at = position
            self._when_idle(session)

    def closed(self, path: str) -> None:
        """A document was closed: what was running for it is stopped and its answers are forgotten."""
        session = self._sessions.pop(path, None)
        if session is not None:
            self._stop(session)
        self._cache.forget(path)

    async def close(self) -> None:
        """Stop everything and write the counts."""
        for path in list(self._sessions):
            self.closed(path)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.usage.save()

    async def complete(
        self, document: DocumentSnapshot, position: Position, *, manual: bool = False, count: int = 1
    ) -> Completion | None:
        """The ghost text for a cursor; None when there is none or the document moved on.

        ``manual`` requests skip the debounce and the policy, get more time and ``count`` alternatives. Errors of the
        engine are raised as they come. Cancelling the call frees the engine.
        """
        session = self._session(document)
        self._count("requests")
        if document.version < session.document.version:
            self._count("superseded")
            return None
        cursor = Cursor.at(document.text, position)
        if not self._allowed(session, cursor, manual=manual):
            self._count("declined")
            return None
        self.usage.requested()
        session.serial += 1
        serial = session.serial
        found = self._cached(document.path, cursor, manual=manual, count=count)
        if found is not None:
            self._count("from_cache")
            return self._completion(session, document, cursor, found, "cache", Timings())
        if not manual:
            await asyncio.sleep(self._debounce.delay_ms(cursor.before[-1:]) / 1000)
        if self._moved_on(session, document, serial):
            self._count("superseded")
            return None
        taken = await self._take_over(session, cursor, manual=manual)
        if self._moved_on(session, document, serial):
            self._count("superseded")
            return None
        if taken is not None:
            self._count("taken_over")
            return self._completion(session, document, cursor, taken, "model", Timings())
        return await self._ask(session, document, cursor, manual=manual, count=count)

    def _session(self, document: DocumentSnapshot) -> OpenDocument:
        session = self._sessions.get(document.path)
        if session is None:
            session = self._sessions[document.path] = OpenDocument(document)
        elif document.version > session.document.version:
            self.changed(document)
        return session

    def _allowed(self, session: OpenDocument, cursor: Cursor, *, manual: bool) -> bool:
        if self._secret(session.document):
            return False
        if not manual and not self._settings.enabled:
            return False
        return decide(cursor, session.change, manual=manual).ask

    def _moved_on(self, session: OpenDocument, document: DocumentSnapshot, serial: int) -> bool:
        return (
            session.serial != serial
            or session.document.version != document.version
            or self._sessions.get(document.path) is not session
        )

    def _cached(self, path: str, cursor: Cursor, *, manual: bool, count: int) -> CachedText | None:
        found = self._cache.find(path, cursor.before, cursor.after)
        if found is None or not manual:
            return found
        enough = len(found.texts) >= count and (found.multiline or not wants_lines(cursor, manual=True))
        return found if enough else None

    async def _take_over(self, session: OpenDocument, cursor: Cursor, *, manual: bool) -> CachedText | None:
        """Wait for an answer already under way if that is sooner than a new one; cancel it otherwise."""
        running = session.running
        if running is None or running.task.done():
            return None
        elapsed_ms = (self._clock() - running.started) * 1000
        multiline = wants_lines(cursor, manual=manual)
        if manual or not running.may_answer(cursor, multiline=multiline) or elapsed_ms * 2 < self._debounce.response_ms:
            running.task.cancel()
            return None
        with contextlib.suppress(Exception):  # its own waiter reports it; here it only means "no answer"
            await self._wait(running)
        return self._cache.find(session.document.path, cursor.before, cursor.after)

    async def _ask(
        self, session: OpenDocument, document: DocumentSnapshot, cursor: Cursor, *, manual: bool, count: int
    ) -> Completion | None:
        model = self.engine.status.model
        if model is None:
            return None
        timings: list[Timings] = []
        multiline = wants_lines(cursor, manual=manual)
        views = self._views(session, model)
        view, prompt = views.choose(document, cursor, model, self.style, self.engine.status.speed)
        if view is views.wide:
            self._stop_warming(session)
        request = CompleteRequest(
            session=view.session,
            prompt=prompt.segments,
            stop=self._stop_rules(cursor, multiline=multiline, stop_texts=prompt.stop_texts),
            max_tokens=self._settings.max_tokens if multiline else min(self._settings.max_tokens, _SINGLE_LINE_TOKENS),
            budget_ms=self._settings.budget * (_MANUAL_BUDGETS if manual else 1),
            alternatives=max(count, 1),
            draft=self._settings.drafting,
        )
        task = self._start(self._answer(session, view, cursor, request, timings, multiline=multiline))
        running = session.running = Running(cursor.before, cursor.after, multiline, self._clock(), task)
        self._count("asked")
        found = await self._wait(running)
        if view is views.near:
            self._warm(session)
        if found is None or session.document.version != document.version:
            return None
        return self._completion(session, document, cursor, found, "model", timings[0])

    async def _answer(
        self,
        session: OpenDocument,
        view: View,
        cursor: Cursor,
        request: CompleteRequest,
        timings: list[Timings],
        *,
        multiline: bool,
    ) -> CachedText | None:
        """Ask the engine, keep what is fit to be shown."""
        try:
            result = await self.engine.complete(request)
        except Exception:
            # Whatever failed, nothing is known any more of what the engine has evaluated.
            if session.views is not None:
                session.views.forget_states()
            raise
        view.evaluated = joined(request.prompt)
        self._measure(result)
        timings.append(result.timings)
        texts = tuple(dict.fromkeys(c.text for c in result.candidates if rejection(c.text, cursor) is None))
        if not texts:
            self._count("rejected")
            return None
        found = CachedText(texts, result.candidates[0].stop, multiline)
        self._cache.put(session.document.path, cursor.before, cursor.after, found)
        return found

    def _measure(self, result: CompleteResult) -> None:
        timings = result.timings
        self.last_result = result
        self._debounce.responded(timings.total_ms)
        for name in ("evaluated", "prompt", "reused", "generated", "drafted"):
            self._count(name, getattr(timings, name))
        self._count("model_ms", timings.total_ms)
        self._count("accepted_drafts", timings.accepted)

    async def _wait(self, running: Running) -> CachedText | None:
        """The running call's answer. When its last waiter goes, it is cancelled unless taken over soon."""
        running.waiters += 1
        try:
            await asyncio.wait({running.task})
        finally:
            running.waiters -= 1
            if not running.waiters and not running.task.done():
                asyncio.get_running_loop().call_later(ABANDONED_SECONDS, self._abandon, running)
        # Cancelled: for a newer request, or with its document.
        return None if running.task.cancelled() else running.task.result()

    def _abandon(self, running: Running) -> None:
        if not running.waiters:
            running.task.cancel()

    def _completion(
        self,
        session: OpenDocument,
        document: DocumentSnapshot,
        cursor: Cursor,
        found: CachedText,
        source: str,
        timings: Timings,
    ) -> Completion | None:
        rules = self._stop_rules(cursor, multiline=found.multiline, stop_texts=())
        texts = tuple(dict.fromkeys(text for raw in found.texts if (text := fitted(raw, rules))))
        texts = tuple(text for text in texts if rejection(text, cursor) is None)
        if not texts:
            return None
        ending = line_ending(document.text)
        shown = [text.replace("\n", ending) for text in texts]
        place = Position(cursor.before.count("\n"), len(cursor.line_prefix))
        identifier = str(next(self._identifiers))
        self.usage.answered(identifier, shown[0], cached=source == "cache")
        return Completion(
            id=identifier,
            path=document.path,
            version=document.version,
            text=shown[0],
            range=Range(place, place),
            source=source,
            stop=found.stop,
            timings=timings,
            alternatives=tuple(shown[1:]),
        )

    def _stop_rules(self, cursor: Cursor, *, multiline: bool, stop_texts: tuple[str, ...]) -> StopRules:
        return StopRules(
            multiline=multiline,
            indent=indent_columns(cursor.line_prefix),
            following=cursor.after[:_FOLLOWING_CHARS],
            line_prefix=cursor.line_prefix,
            stop_texts=stop_texts,
            max_lines=self._settings.max_lines,
        )

    def _views(self, session: OpenDocument, model: ModelInfo) -> Views:
        if session.views is None or session.views.model != model:
            session.views = Views.of(session.document.path, self._settings, model, self.engine.status.speed)
        return session.views

    def _when_idle(self, session: OpenDocument) -> None:
        """Warm the prompt once nothing has happened for a while."""
        if session.idle is not None:
            session.idle.cancel()
        session.idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._warm, session)

    def _warm(self, session: OpenDocument) -> None:
        """Evaluate the wide view at the latest known place ahead, unless that is being done already."""
        session.idle = None
        document, position, model = session.document, session.edited_at, self.engine.status.model
        if model is None or position is None or not self._may_warm(session):
            return
        self._learn_speed()
        view = self._views(session, model).wide
        prompt = view.prompt(document, Cursor.at(document.text, position), model, self.style)
        text = joined(prompt.segments)
        if text == view.evaluated or (session.warming is not None and text.startswith(session.warming_text)):
            return
        self._stop_warming(session)
        session.warming_text = text
        session.warming = self._start(self._warm_up(session, view, WarmRequest(view.session, prompt.segments)))

    def _may_warm(self, session: OpenDocument) -> bool:
        return (
            self._settings.enabled
            and self.engine.status.state in (EngineState.READY, EngineState.SLOW, EngineState.BUSY)
            and self._sessions.get(session.document.path) is session
            and not self._secret(session.document)
            and (session.running is None or session.running.task.done())
        )

    def _learn_speed(self) -> None:
        """Take over the engine's measured speed once, as the first expectation of a response time."""
        speed = self.engine.status.speed
        if not self._speed_known and speed.decode and speed.prefill:
            self._speed_known = True
            seconds = _PROMPT_TOKENS_GUESS / speed.prefill + _ANSWER_TOKENS_GUESS / speed.decode
            self._debounce.expect(1000 * seconds)

    async def _offer_drafts(self, texts: tuple[DraftText, ...]) -> None:
        try:
            await self.engine.draft_texts(texts)
        except Exception as error:
            # Drafts are a courtesy too.
            log.debug("no drafts from %s: %s", ", ".join(text.name for text in texts), error)

    def _secret(self, document: DocumentSnapshot) -> bool:
        return is_secret(document.path, self._settings.exclude)

    async def _warm_up(self, session: OpenDocument, view: View, request: WarmRequest) -> None:
        text = session.warming_text
        try:
            timings = await self.engine.warm(request)
        except Exception as error:
            # Warming is a courtesy: what is wrong will show at the next request.
            log.debug("not warmed: %s", error)
        else:
            view.evaluated = text
            self._count("warmed")
            self._count("warmed_tokens", timings.prompt)
        finally:
            if session.warming is asyncio.current_task():
                session.warming = None

    def _stop_warming(self, session: OpenDocument) -> None:
        if session.idle is not None:
            session.idle.cancel()
            session.idle = None
        if session.warming is not None:
            session.warming.cancel()
            session.warming = None
            session.warming_text = ""

    def _stop(self, session: OpenDocument) -> None:
        self._stop_warming(session)
        if session.running is not None:
            session.running.task.cancel()

    def _start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # read, so that an error nobody waits for any more is not reported as forgotten

    def _count(self, name: str, more: float = 1) -> None:
        self._counts[name] += more
