"""How long to wait after a key before the model is asked: not at all when it is fast, for the pause when it is slow.

A model that answers within half the time between two keys may be asked at every key: its answer is on the screen
before the next one. One that does not would only heat the machine on answers nobody sees, so the request waits for a
pause: a multiple of the user's own average interval between keys, less after characters where people stop to think.
"""

from __future__ import annotations

THINKING_CHARACTERS = frozenset("(,{;=.>:\n ")
"""After these a pause is likelier: a name or an argument is due."""
_LONGEST_INTERVAL_MS = 2_000.0
_SMOOTHING = 0.2
_RATE_IN_WORD = 2.0
_RATE_AFTER_THINKING = 1.25


class Debounce:
    """Learns the interval between keys and the response time of the model; times in milliseconds."""

    def __init__(self, minimum_ms: float, maximum_ms: float, expected_response_ms: float = 500.0) -> None:
        self.minimum_ms = minimum_ms
        self.maximum_ms = max(minimum_ms, maximum_ms)
        self._interval = 200.0
        self._response = expected_response_ms
        self._last_key: float | None = None

    @property
    def response_ms(self) -> float:
        """The expected response time of the model."""
        return self._response

    def key(self, now_ms: float) -> None:
        """A key was typed. Long pauses are thinking, not typing, and teach nothing."""
        if self._last_key is not None and 0 <= now_ms - self._last_key < _LONGEST_INTERVAL_MS:
            self._interval += _SMOOTHING * (now_ms - self._last_key - self._interval)
        self._last_key = now_ms

    def responded(self, milliseconds: float) -> None:
        """The model answered a request in this time."""
        self._response += _SMOOTHING * (milliseconds - self._response)

    def expect(self, milliseconds: float) -> None:
        """Start from a measured speed instead of the built-in guess."""
        self._response = milliseconds

    def delay_ms(self, last_character: str) -> float:
        """How long to wait after a key that wrote ``last_character``."""
        if self._response <= self._interval / 2:
            return self.minimum_ms
        rate = _RATE_AFTER_THINKING if last_character in THINKING_CHARACTERS else _RATE_IN_WORD
        return min(max(self.minimum_ms, rate * self._interval), self.maximum_ms)
