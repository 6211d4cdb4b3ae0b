"""How often ghost text was shown and accepted: counted on this machine, for its user, and sent nowhere."""

from __future__ import annotations

import contextlib
import json
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import attrs
from attrs import frozen

from kernelgen_ls.folders import data_folder, write_json

_REMEMBERED = 500
_SAVED_EVERY_SECONDS = 60.0


@frozen
class UsageCounts:
    """Totals since the file was begun. Characters are code points of inserted text."""

    requests: int = 0
    answered: int = 0
    from_cache: int = 0
    shown: int = 0
    accepted: int = 0
    partly_accepted: int = 0
    shown_characters: int = 0
    accepted_characters: int = 0


def usage_file() -> Path:
    """Where the counts are kept."""
    return data_folder() / "usage.json"


class Usage:
    """Counts in memory, written to ``path`` now and then and by :meth:`save`.

    A file that cannot be read or written is no error: counting must never get in the way.
    """

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._saved_at = clock()
        self._counts = _load(path) if path else UsageCounts()
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._shown: set[str] = set()
        self._accepted: dict[str, int] = {}

    @property
    def counts(self) -> UsageCounts:
        """The totals so far."""
        return self._counts

    def requested(self) -> None:
        """A completion was asked for and the policy let it through."""
        self._add(requests=1)

    def answered(self, identifier: str, text: str, *, cached: bool) -> None:
        """A text was given to the editor under ``identifier``."""
        self._texts[identifier] = text
        while len(self._texts) > _REMEMBERED:
            gone, _ = self._texts.popitem(last=False)
            self._shown.discard(gone)
            self._accepted.pop(gone, None)
        self._add(answered=1, from_cache=int(cached))

    def shown(self, identifier: str) -> None:
        """The editor showed it (counted once)."""
        text = self._texts.get(identifier)
        if text is not None and identifier not in self._shown:
            self._shown.add(identifier)
            self._add(shown=1, shown_characters=len(text))

    def accepted(self, identifier: str) -> None:
        """The user took all of it."""
        text = self._texts.get(identifier)
        if text is None or self._accepted.get(identifier) == len(text):
            return
        self.shown(identifier)
        before = self._accepted.get(identifier, 0)
        self._accepted[identifier] = len(text)
        self._add(accepted=1, accepted_characters=len(text) - before)

    def partly_accepted(self, identifier: str, characters: int) -> None:
        """The user took the first ``characters`` code points of it (counted once, however many words)."""
        text = self._texts.get(identifier)
        if text is None:
            return
        self.shown(identifier)
        before = self._accepted.get(identifier, 0)
        now = max(before, min(characters, len(text)))
        self._accepted[identifier] = now
        self._add(partly_accepted=int(before == 0 and now > 0), accepted_characters=now - before)

    def text(self, identifier: str) -> str | None:
        """The text that was given to the editor under ``identifier``, while it is remembered."""
        return self._texts.get(identifier)

    def save(self) -> None:
        """Write the totals to the file, whole or not at all."""
        self._saved_at = self._clock()
        if self._path is None:
            return
        with contextlib.suppress(OSError):
            write_json(self._path, attrs.asdict(self._counts), durable=False)

    def _add(self, **more: int) -> None:
        self._counts = attrs.evolve(
            self._counts, **{name: getattr(self._counts, name) + count for name, count in more.items()}
        )
        # A server that is killed loses a minute of counts, not a day.
        if self._clock() - self._saved_at > _SAVED_EVERY_SECONDS:
            self.save()


def _load(path: Path) -> UsageCounts:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return UsageCounts()
    if not isinstance(raw, dict):
        return UsageCounts()
    names = {field.name for field in attrs.fields(UsageCounts)}
    return UsageCounts(**{name: count for name, count in raw.items() if name in names and isinstance(count, int)})
