"""The typed-through cache: typing what the ghost text says costs no model call, and neither does coming back.

An answer is kept under the surroundings of the cursor it was made for (a bounded piece before and after). A later
cursor finds it if its text before is that of the answer plus the first characters of the answer; what is left of the
answer is then the ghost text, the very same the user was looking at. Answers that came too late to be shown are kept
too: the cursor may well return there.
"""

from __future__ import annotations

from collections import OrderedDict

from attrs import frozen

from kernelgen_ls.model.messages import StopReason

BEFORE_CHARS = 2_000
AFTER_CHARS = 400
MOST_TYPED = 80
"""Characters typed into an answer after which it is no longer looked for."""
_AUTOMATIC_CLOSERS = ")]}\"'"


@frozen
class CachedText:
    """One answer: its texts, best first, and why the first one ended."""

    texts: tuple[str, ...]
    stop: StopReason
    multiline: bool


class CompletionCache:
    """Answers by their cursor's surroundings; the oldest unused one goes when ``capacity`` is reached."""

    def __init__(self, capacity: int = 250) -> None:
        self._capacity = capacity
        self._entries: OrderedDict[tuple[str, str, str], CachedText] = OrderedDict()

    def put(self, path: str, before: str, after: str, answer: CachedText) -> None:
        """Keep an answer made for a cursor between ``before`` and ``after`` (whole texts, ``\\n`` endings)."""
        key = _key(path, before, after)
        self._entries[key] = answer
        self._entries.move_to_end(key)
        while len(self._entries) > self._capacity:
            self._entries.popitem(last=False)

    def find(self, path: str, before: str, after: str) -> CachedText | None:
        """The answer that the cursor stands in, cut to what is not typed yet; None when there is none.

        An answer that has been typed to its end is no answer any more. Closing brackets and quotes that the editor
        put behind the cursor by itself while the answer was typed are looked through.
        """
        for closers in _automatic_closers(after):
            found = self._find(path, before, after[closers:])
            if found is not None:
                return found
        return None

    def forget(self, path: str) -> None:
        """Drop the answers of one document."""
        for key in [key for key in self._entries if key[0] == path]:
            del self._entries[key]

    def _find(self, path: str, before: str, after: str) -> CachedText | None:
        for typed in range(min(MOST_TYPED, len(before)) + 1):
            key = _key(path, before[: len(before) - typed], after)
            answer = self._entries.get(key)
            if answer is None:
                continue
            written = before[len(before) - typed :]
            texts = tuple(left for text in answer.texts if (left := untyped(text, written)))
            # The first text is the one that was shown: showing another one instead would flicker.
            if texts and untyped(answer.texts[0], written):
                self._entries.move_to_end(key)
                return CachedText(texts, answer.stop, answer.multiline)
        return None


def untyped(text: str, typed: str) -> str:
    """What is left of a ghost text once ``typed`` has been written; empty when it is another text or complete.

    An editor's own indentation of a fresh line need not be the text's: white space after a typed line break counts as
    typed even where it differs in width.
    """
    if text.startswith(typed):
        return text[len(typed) :]
    head, broken, indentation = typed.rpartition("\n")
    if broken and not indentation.strip() and text.startswith(head + "\n"):
        rest = text[len(head) + 1 :]
        return rest.lstrip(" \t") if not rest.startswith("\n") else ""
    return ""


def _automatic_closers(after: str) -> range:
    count = 0
    while count < min(len(after), 4) and after[count] in _AUTOMATIC_CLOSERS:
        count += 1
    return range(count + 1)


def _key(path: str, before: str, after: str) -> tuple[str, str, str]:
    return path, before[-BEFORE_CHARS:], after[:AFTER_CHARS]
