"""A language model in a page of Python: bytes are its tokens, plus a few words; what comes next follows from the text.

It keeps what was evaluated for each sequence as llama.cpp does, so a bookkeeping mistake shows as another text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from kernelgen_ls.model.inference.backend import DecodeOutcome, GrammarError, Logits, TokenIds
from kernelgen_ls.model.inference.scheduler import Steps
from kernelgen_ls.model.inference.vocabulary import Vocabulary

WORDS = (b"DataCopy", b"Data", b"Copy", b" Data", b"    ", b"   ", b" pipe", b"pipe", b".Init", b"InitBuffer", b");\n")
END, TURN, THINK = 256 + len(WORDS), 257 + len(WORDS), 258 + len(WORDS)


def toy_vocabulary(begin: int | None = None) -> Vocabulary:
    pieces = [bytes([byte]) for byte in range(256)] + list(WORDS) + [b"", b"", b"</think>"]
    return Vocabulary(
        pieces,
        frozenset({END, TURN}),
        frozenset({THINK}),
        frozenset({END}),
        begin,
        None,
        True,
        {END: "<|end|>", TURN: "<|turn|>"},
    )


class ToyGrammar:
    """Digits only, and the end after three of them."""

    def __init__(self) -> None:
        self.count = 0
        self.closed = False
        self.asked_for_all = 0

    def _tokens(self) -> list[int]:
        return [*range(48, 58), *([END] if self.count >= 3 else [])] if self.count < 5 else [END]

    def allows(self, token: int) -> bool:
        return token in self._tokens()

    def allowed(self, logits: Logits) -> TokenIds:
        self.asked_for_all += 1
        return np.array(self._tokens(), dtype=np.intp)

    def accept(self, token: int) -> None:
        assert self.allows(token)
        self.count += 1

    def close(self) -> None:
        self.closed = True


class ToyBackend:
    """``script`` gives the text the model wants to write after a prompt; without it the next token is a hash."""

    outputs = 8

    def __init__(
        self,
        script: Callable[[bytes], bytes] | None = None,
        *,
        cells: int = 512,
        sequences: int = 4,
        chunk: int = 16,
        can_trim: bool = True,
        begin: int | None = None,
    ) -> None:
        self.vocabulary = toy_vocabulary(begin)
        self.cells, self.sequences, self.chunk, self.can_trim = cells, sequences, chunk, can_trim
        self.script = script
        self.held: dict[int, list[tuple[int, int]]] = {number: [] for number in range(sequences)}
        self.evaluations: list[int] = []
        self.aborts = 0
        self.on_evaluate: Callable[[int, int], None] | None = None
        self._flag = False
        self._rows: list[Logits] = []
        self._cell = 0

    def tokenize(self, text: str, special: bool) -> list[int]:
        raw, at, out = text.encode("utf-8", "surrogateescape"), 0, []
        names = {b"<|end|>": END, b"<|turn|>": TURN} if special else {}
        names[b"</think>"] = THINK
        table = {**names, **{word: 256 + number for number, word in enumerate(WORDS)}}
        by_length = sorted(table, key=len, reverse=True)
        while at < len(raw):
            word = next((word for word in by_length if raw.startswith(word, at)), raw[at : at + 1])
            out.append(table.get(word, word[0]))
            at += len(word)
        return out

    def spell(self, tokens: Sequence[int]) -> bytes:
        return b"".join(self.vocabulary.pieces[token] for token in tokens)

    def _next(self, tokens: list[int]) -> Logits:
        row = np.zeros(len(self.vocabulary.pieces), dtype=np.float32)
        digest = hashlib.sha256(json.dumps(tokens).encode()).digest()
        row += np.frombuffer(digest * 9, dtype=np.uint8)[: row.size] / 512
        if self.script is not None:
            wanted = self.script(self.spell(tokens))
            following = self.tokenize(wanted.decode("utf-8", "surrogateescape"), True) if wanted else [END]
            row[following[0]] += 10
            if wanted:
                row[wanted[0]] += 5
        return row

    def _used(self) -> int:
        return len({cell for held in self.held.values() for _, cell in held})

    def evaluate(self, sequence: int, position: int, tokens: Sequence[int], outputs: int) -> DecodeOutcome:
        held = self.held[sequence]
        assert len(held) == position, "evaluated at another place than where the sequence ends"
        assert len(tokens) <= max(self.chunk, self.outputs)
        self.evaluations.append(len(tokens))
        if self.on_evaluate is not None:
            self.on_evaluate(sequence, len(tokens))
        if self._flag:
            self.aborts += 1
            return DecodeOutcome.ABORTED
        if self._used() + len(tokens) > self.cells:
            return DecodeOutcome.NO_ROOM
        self._rows = []
        for number, token in enumerate(tokens):
            self._cell += 1
            held.append((token, self._cell))
            if number >= len(tokens) - outputs:
                self._rows.append(self._next([token for token, _ in held]))
        return DecodeOutcome.DONE

    def logits(self, row: int) -> Logits:
        return self._rows[row]

    def trim(self, sequence: int, length: int) -> bool:
        if not self.can_trim and 0 < length < len(self.held[sequence]):
            return False
        del self.held[sequence][length:]
        return True

    def copy(self, source: int, target: int, length: int) -> None:
        assert not self.held[target]
        self.held[target] = self.held[source][:length]

    def save(self, sequence: int, tokens: Sequence[int], path: Path) -> int:
        header = np.array([0x67677371, 3, len(tokens), *tokens], dtype=np.int32)
        return path.write_bytes(header.tobytes() + b"state" * 20)

    def load(self, sequence: int, path: Path) -> list[int]:
        assert not self.held[sequence]
        raw = path.read_bytes()
        if not raw.endswith(b"state"):
            return []
        numbers = np.frombuffer(raw[: len(raw) // 4 * 4], dtype=np.int32)
        tokens = [int(token) for token in numbers[3 : 3 + numbers[2]]]
        for token in tokens:
            self._cell += 1
            self.held[sequence].append((token, self._cell))
        return tokens

    def grammar(self, text: str) -> ToyGrammar:
        if "root" not in text:
            raise GrammarError("the grammar is no valid GBNF: no root")
        self.last_grammar = ToyGrammar()
        return self.last_grammar

    def abort(self) -> None:
        self._flag = True

    def resume(self) -> None:
        self._flag = False


def run(steps: Steps[object]) -> object:
    """All steps of a job at once."""

    def driver() -> Iterator[None]:
        results.append((yield from steps))

    results: list[object] = []
    for _ in driver():
        pass
    return results[0]


def continuing(text: str) -> Callable[[bytes], bytes]:
    """A script: the model wants to write ``text`` again wherever the prompt ends in its middle."""
    whole = text.encode()

    def script(prompt: bytes) -> bytes:
        for length in range(min(len(prompt), len(whole)), 0, -1):
            at = whole.find(prompt[-length:])
            if at >= 0:
                return whole[at + length :]
        return whole

    return script
