"""Literal ends of a streamed text: found across pieces, and never shown, not even their beginning."""

from __future__ import annotations

from collections.abc import Sequence


class StopTexts:
    """Passes a text through piece by piece up to the first of ``texts``."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(text for text in texts if text)
        self._held = ""
        self.stopped = False

    def feed(self, piece: str) -> str:
        """What may be shown after ``piece``; what could be the beginning of a stop text is held back."""
        if self.stopped:
            return ""
        text = self._held + piece
        found = [at for stop in self._texts if (at := text.find(stop)) >= 0]
        if found:
            self.stopped = True
            self._held = ""
            return text[: min(found)]
        held = max((_overlap(text, stop) for stop in self._texts), default=0)
        self._held = text[len(text) - held :]
        return text[: len(text) - held]

    def rest(self) -> str:
        """What was held back, once the text has ended without a stop text."""
        held, self._held = self._held, ""
        return held


def _overlap(text: str, stop: str) -> int:
    for length in range(min(len(stop) - 1, len(text)), 0, -1):
        if text.endswith(stop[:length]):
            return length
    return 0
