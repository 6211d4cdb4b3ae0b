"""Ghost text from end to end: policy, cache, debounce, window, prompt, engine, filters.

One :class:`InlineCompleter` serves all documents. It never blocks and holds no protocol types; the language server
tells it what was opened, changed and closed, and converts what it answers. What a keystroke passes, in order:

1. ``complete`` asks the policy (``trigger``), then the typed-through cache: most keystrokes end here;
2. it waits (``debounce``); a newer request or a newer version of the document ends it here;
3. an answer that is already being made for the text typed so far is waited for, anything else is cancelled;
4. window and prompt are built and the engine is asked, within the budget;
5. the texts are filtered and kept in the cache, also when the document moved on meanwhile.

What happens between keystrokes, while the user pauses, is ``warming``'s.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import Callable, Mapping

from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.model.completion.cache import CachedText, CompletionCache
from kernelgen_ls.model.completion.debounce import Debounce
from kernelgen_ls.model.completion.document import Completion, Cursor, DocumentSnapshot, line_ending
from kernelgen_ls.model.completion.filters import fitted, rejection
from kernelgen_ls.model.completion.running import Running
from kernelgen_ls.model.completion.state import CompleterState, CompletionStats, OpenDocument
from kernelgen_ls.model.completion.stopping import indent_columns
from kernelgen_ls.model.completion.trigger import decide, edit_end, last_change, wants_lines
from kernelgen_ls.model.completion.usage import Usage
from kernelgen_ls.model.completion.views import View, joined
from kernelgen_ls.model.completion.warming import Warming
from kernelgen_ls.model.engine.protocol import Engine
from kernelgen_ls.model.messages import CompleteRequest, CompleteResult, DraftText, StopRules, Timings
from kernelgen_ls.settings import CompletionSettings, PromptStyle

log = logging.getLogger(__name__)

_SINGLE_LINE_TOKENS = 48
_FOLLOWING_CHARS = 600
_MANUAL_BUDGETS = 3
_DRAFTED_CHARS = 60_000


class InlineCompleter:
    """Answers ghost-text requests; see the module's docstring."""

    def __init__(
        self,
        engine: Engine,
        settings: CompletionSettings | None = None,
        *,
        style: PromptStyle = PromptStyle.AUTO,
        usage: Usage | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine = engine
        self.last_result: CompleteResult | None = None
        """What the engine said last, before any filter: for those who want to know why nothing is shown."""
        self.usage = usage or Usage()
        self._clock = clock
        self._cache = CompletionCache()
        self._state = CompleterState(settings or CompletionSettings(), style)
        self._debounce = Debounce(self.settings.minimum_delay, self.settings.maximum_delay)
        self._warming = Warming(engine, self._state, self._debounce)
        self._identifiers = itertools.count(1)

    @property
    def settings(self) -> CompletionSettings:
        """The settings in force; assign to change them."""
        return self._state.settings

    @settings.setter
    def settings(self, settings: CompletionSettings) -> None:
        self._state.settings = settings
        self._debounce.minimum_ms = settings.minimum_delay
        self._debounce.maximum_ms = max(settings.minimum_delay, settings.maximum_delay)
        self._state.forget_views()

    @property
    def style(self) -> PromptStyle:
        """The form of the prompts; assign to change it."""
        return self._state.style

    @style.setter
    def style(self, style: PromptStyle) -> None:
        self._state.style = style
        self._state.forget_views()

    @property
    def stats(self) -> CompletionStats:
        """What became of the requests so far."""
        return self._state.stats()

    def opened(self, document: DocumentSnapshot, position: Position | None = None) -> None:
        """A document was opened, with the cursor at ``position`` if the client says so: its prompt is warmed."""
        opened = self._state.documents[document.path] = OpenDocument(document, edited_at=position)
        self._warming.when_idle(opened)
        self.offer_drafts({document.path: document.text})

    def offer_drafts(self, texts: Mapping[str, str]) -> None:
        """Texts of the workspace by path: what stands in one kernel is likely to be written in the next one."""
        if not self.settings.drafting or not self.engine.capabilities.drafts:
            return
        offered = tuple(
            DraftText(path, text)
            for path, text in texts.items()
            if len(text) <= _DRAFTED_CHARS and not self._state.is_secret(path)
        )
        if offered:
            self._state.start(self._offer_drafts(offered))

    def changed(self, document: DocumentSnapshot) -> None:
        """A document has a new version. Cheap: called on every keystroke."""
        opened = self._state.documents.get(document.path)
        if opened is None:
            self._state.documents[document.path] = OpenDocument(document)
            return
        if document.version == opened.document.version and document.text == opened.document.text:
            return
        self._debounce.key(self._clock() * 1000)
        opened.change = last_change(opened.document.text, document.text)
        opened.edited_at = edit_end(opened.document.text, document.text)
        opened.document = document
        self._warming.when_idle(opened)

    def moved(self, path: str, position: Position) -> None:
        """The client let slip where the cursor is (editors ask for code actions there): warm that place when idle."""
        opened = self._state.documents.get(path)
        if opened is not None and opened.edited_at != position:
            opened.edited_at = position
            self._warming.when_idle(opened)

    def closed(self, path: str) -> None:
        """A document was closed: what was running for it is stopped and its answers are forgotten."""
        opened = self._state.documents.pop(path, None)
        if opened is not None:
            self._stop(opened)
        self._cache.forget(path)

    async def close(self) -> None:
        """Stop everything and write the counts."""
        for path in list(self._state.documents):
            self.closed(path)
        await self._state.end_tasks()
        self.usage.save()

    async def complete(
        self, document: DocumentSnapshot, position: Position, *, manual: bool = False, count: int = 1
    ) -> Completion | None:
        """The ghost text for a cursor; None when there is none or the document moved on.

        ``manual`` requests skip the debounce and the policy, get more time and ``count`` alternatives. Errors of the
        engine are raised as they come. Cancelling the call frees the engine.
        """
        opened = self._opened(document)
        self._state.count("requests")
        if document.version < opened.document.version:
            self._state.count("superseded")
            return None
        cursor = Cursor.at(document.text, position)
        if not self._allowed(opened, cursor, manual=manual):
            self._state.count("declined")
            return None
        self.usage.requested()
        opened.serial += 1
        serial = opened.serial
        found = self._cached(document.path, cursor, manual=manual, count=count)
        if found is not None:
            self._state.count("from_cache")
            return self._completion(opened, document, cursor, found, "cache", Timings())
        if not manual:
            await asyncio.sleep(self._debounce.delay_ms(cursor.before[-1:]) / 1000)
        if self._moved_on(opened, document, serial):
            self._state.count("superseded")
            return None
        taken = await self._take_over(opened, cursor, manual=manual)
        if self._moved_on(opened, document, serial):
            self._state.count("superseded")
            return None
        if taken is not None:
            self._state.count("taken_over")
            return self._completion(opened, document, cursor, taken, "model", Timings())
        return await self._ask(opened, document, cursor, manual=manual, count=count)

    def _opened(self, document: DocumentSnapshot) -> OpenDocument:
        opened = self._state.documents.get(document.path)
        if opened is None:
            opened = self._state.documents[document.path] = OpenDocument(document)
        elif document.version > opened.document.version:
            self.changed(document)
        return opened

    def _allowed(self, opened: OpenDocument, cursor: Cursor, *, manual: bool) -> bool:
        if self._state.is_secret(opened.document.path):
            return False
        if not manual and not self.settings.enabled:
            return False
        return decide(cursor, opened.change, manual=manual).ask

    def _moved_on(self, opened: OpenDocument, document: DocumentSnapshot, serial: int) -> bool:
        return (
            opened.serial != serial
            or opened.document.version != document.version
            or self._state.documents.get(document.path) is not opened
        )

    def _cached(self, path: str, cursor: Cursor, *, manual: bool, count: int) -> CachedText | None:
        found = self._cache.find(path, cursor.before, cursor.after)
        if found is None or not manual:
            return found
        enough = len(found.texts) >= count and (found.multiline or not wants_lines(cursor, manual=True))
        return found if enough else None

    async def _take_over(self, opened: OpenDocument, cursor: Cursor, *, manual: bool) -> CachedText | None:
        """Wait for an answer already under way if that is sooner than a new one; cancel it otherwise."""
        running = opened.running
        if running is None or running.task.done():
            return None
        elapsed_ms = (self._clock() - running.started) * 1000
        multiline = wants_lines(cursor, manual=manual)
        if manual or not running.may_answer(cursor, multiline=multiline) or elapsed_ms * 2 < self._debounce.response_ms:
            running.task.cancel()
            return None
        with contextlib.suppress(Exception):  # its own waiter reports it; here it only means "no answer"
            await running.wait()
        return self._cache.find(opened.document.path, cursor.before, cursor.after)

    async def _ask(
        self, opened: OpenDocument, document: DocumentSnapshot, cursor: Cursor, *, manual: bool, count: int
    ) -> Completion | None:
        status, able = self.engine.status, self.engine.capabilities
        if status.model is None:
            return None
        timings: list[Timings] = []
        multiline = wants_lines(cursor, manual=manual)
        views = self._state.views_of(opened, status.model, able, status.speed)
        style = self._state.style_for(status.model, able)
        view, prompt = views.choose(document, cursor, status.model, style, status.speed)
        if view is views.wide:
            self._warming.stop(opened)
        request = CompleteRequest(
            sequence=view.sequence,
            prompt=prompt.segments,
            stop=self._stop_rules(cursor, multiline=multiline, stop_texts=prompt.stop_texts),
            max_tokens=self.settings.max_tokens if multiline else min(self.settings.max_tokens, _SINGLE_LINE_TOKENS),
            budget_ms=self.settings.budget * (_MANUAL_BUDGETS if manual else 1),
            alternatives=max(count, 1),
            draft=self.settings.drafting,
            conversation=prompt.conversation,
        )
        task = self._state.start(self._answer(opened, view, cursor, request, timings, multiline=multiline))
        running = opened.running = Running(cursor.before, cursor.after, multiline, self._clock(), task)
        self._state.count("asked")
        found = await running.wait()
        if view is views.near:
            self._warming.warm(opened)
        if found is None or opened.document.version != document.version:
            return None
        return self._completion(opened, document, cursor, found, "model", timings[0])

    async def _answer(
        self,
        opened: OpenDocument,
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
            if opened.views is not None:
                opened.views.forget_states()
            raise
        view.evaluated = joined(request.prompt)
        self._measure(result)
        timings.append(result.timings)
        texts = tuple(dict.fromkeys(c.text for c in result.candidates if rejection(c.text, cursor) is None))
        if not texts:
            self._state.count("rejected")
            return None
        found = CachedText(texts, result.candidates[0].stop, multiline)
        self._cache.put(opened.document.path, cursor.before, cursor.after, found)
        return found

    def _measure(self, result: CompleteResult) -> None:
        timings = result.timings
        self.last_result = result
        self._debounce.responded(timings.total_ms)
        for name in ("evaluated", "prompt", "reused", "generated", "drafted"):
            self._state.count(name, getattr(timings, name))
        self._state.count("model_ms", timings.total_ms)
        self._state.count("accepted_drafts", timings.accepted)

    def _completion(
        self,
        opened: OpenDocument,
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
            max_lines=self.settings.max_lines,
        )

    async def _offer_drafts(self, texts: tuple[DraftText, ...]) -> None:
        try:
            await self.engine.draft_texts(texts)
        except Exception as error:
            # Drafts are a courtesy too.
            log.debug("no drafts from %s: %s", ", ".join(text.name for text in texts), error)

    def _stop(self, opened: OpenDocument) -> None:
        self._warming.stop(opened)
        if opened.running is not None:
            opened.running.task.cancel()
