"""A model's tokens as bytes: detokenising piece by piece, token healing, and which tokens never reach a user."""

from __future__ import annotations

import bisect
import codecs
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from attrs import define, field, frozen

if TYPE_CHECKING:
    from kernelgen_ls.model.inference.backend import TokenIds

_MOST_BACKED_UP = 3


@define(eq=False)
class Vocabulary:
    """``pieces[id]`` is a token's bytes, empty for control tokens.

    ``marked`` are tokens with a spelling of their own that the tokenizer recognises in any text (``</think>``);
    ``ends`` the tokens that end a generation.
    """

    pieces: Sequence[bytes]
    control: frozenset[int]
    marked: frozenset[int]
    ends: frozenset[int]
    begin: int | None = None
    """Token that every prompt starts with, where the model wants one."""
    fim: tuple[int, int, int] | None = None
    """Prefix, suffix and middle token."""
    cut_at_lines: bool = False
    """A text tokenizes the same in pieces that end in a line break and start with something to see (byte-level BPE)."""
    names: dict[int, str] = field(factory=dict)
    """Spelling of control tokens."""
    bos: int | None = None
    """The token that begins a text, whether or not prompts have to start with it."""
    eos: int | None = None
    """The token that ends one."""

    @cached_property
    def _ordinary(self) -> tuple[list[bytes], list[int]]:
        banned = self.control | self.marked | self.ends
        pieces = self.pieces
        tokens = sorted(
            (token for token, piece in enumerate(pieces) if piece and token not in banned), key=pieces.__getitem__
        )
        return [pieces[token] for token in tokens], tokens

    def spelling(self, token: int | None) -> str:
        """A token's text, control tokens spelled out, a partial character as U+FFFD; empty for None."""
        if token is None:
            return ""
        return self.names.get(token) or self.pieces[token].decode("utf-8", "replace")

    def prepare(self) -> None:
        """Sort the pieces now, and not while the first request waits: a third of a second for 150,000 of them."""
        assert self._ordinary

    @cached_property
    def marked_texts(self) -> tuple[str, ...]:
        """Spellings that must be broken up in a user's text; white space is left alone."""
        texts = (self.pieces[token].decode("utf-8", "ignore") for token in self.marked)
        return tuple(sorted({text for text in texts if len(text) > 1 and text.strip()}, key=len, reverse=True))

    def _starting_with(self, start: bytes) -> tuple[int, int]:
        pieces, _ = self._ordinary
        low = bisect.bisect_left(pieces, start)
        high = bisect.bisect_left(pieces, start + b"\xff" * 64, low)
        return low, high

    def extends(self, start: bytes, beyond: int) -> bool:
        """Whether a token goes on past ``beyond`` bytes of ``start``: longer than all of it, or ending within it."""
        pieces, _ = self._ordinary
        low, high = self._starting_with(start)
        if any(len(piece) > len(start) for piece in pieces[low : min(high, low + 8)]):
            return True
        return any(self._has(start[:length]) for length in range(beyond + 1, len(start) + 1))

    def _has(self, piece: bytes) -> bool:
        pieces, _ = self._ordinary
        at = bisect.bisect_left(pieces, piece)
        return at < len(pieces) and pieces[at] == piece

    def continuing(self, tail: bytes) -> TokenIds:
        """Tokens a text may go on with that has to start with ``tail``: those that start with it or are its start."""
        pieces, tokens = self._ordinary
        low, high = self._starting_with(tail)
        found = tokens[low:high]
        for length in range(1, len(tail)):
            at = bisect.bisect_left(pieces, tail[:length])
            while at < len(pieces) and pieces[at] == tail[:length]:
                found.append(tokens[at])
                at += 1
        return np.array(found, dtype=np.intp)

    def heal(self, tokens: Sequence[int], first: int) -> Healing:
        """Where to cut ``tokens`` so that the model may choose how the last word goes on.

        The cut is the earliest of the last three token boundaries from which a single token could have gone on past
        the next one, had the text been longer. Tokens before ``first`` (other segments, special tokens) stay.
        """
        best = Healing(len(tokens), b"")
        tail = b""
        for keep in range(len(tokens) - 1, max(first, len(tokens) - _MOST_BACKED_UP, 1) - 1, -1):
            token = tokens[keep]
            piece = self.pieces[token]
            if not piece or token in self.control or token in self.marked:
                break
            tail = piece + tail
            if self.extends(tail, len(piece)):
                best = Healing(keep, tail)
        return best


@frozen
class Healing:
    """``keep`` tokens stay; the text must go on with ``tail``."""

    keep: int
    tail: bytes


class Detokenizer:
    """Bytes of tokens to text, holding back an incomplete UTF-8 character; a prefix of bytes can be dropped."""

    def __init__(self, drop: int = 0) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._drop = drop

    def feed(self, piece: bytes) -> str:
        """The text that ``piece`` completes."""
        if self._drop:
            dropped = min(self._drop, len(piece))
            self._drop -= dropped
            piece = piece[dropped:]
        return self._decoder.decode(piece)


def blocks(text: str, size: int) -> list[str]:
    """``text`` in pieces of at least ``size`` characters cut between lines, the same ones when it grows at its end."""
    parts, start = [], 0
    at = text.find("\n", size)
    while 0 <= at < len(text) - 1:
        if text[at + 1].isspace():
            at = text.find("\n", at + 1)
            continue
        parts.append(text[start : at + 1])
        start = at + 1
        at = text.find("\n", start + size)
    return [*parts, text[start:]] if start < len(text) else parts


def broken_up(text: str, marked: Sequence[str]) -> list[str]:
    """``text`` in parts none of which spells a marked token: they are tokenized apart, as plain characters."""
    parts, start = [], 0
    while True:
        found = [(at, mark) for mark in marked if (at := text.find(mark, start)) >= 0]
        if not found:
            parts.append(text[start:])
            return [part for part in parts if part]
        at, mark = min(found, key=lambda pair: (pair[0], -len(pair[1])))
        cut = at + len(mark) // 2
        parts.append(text[start:cut])
        start = cut
