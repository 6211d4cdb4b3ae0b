"""What the inference code asks of a loaded model. ``model.worker`` implements it with llama.cpp."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kernelgen_ls.model.inference.vocabulary import Vocabulary

Logits: TypeAlias = NDArray[np.float32]
"""One row: a value for each token of the vocabulary."""
TokenIds: TypeAlias = NDArray[np.intp]


class DecodeOutcome(Enum):
    """How an evaluation ended."""

    DONE = "done"
    ABORTED = "aborted"
    """Stopped by :meth:`Backend.abort`; nothing of the batch counts."""
    NO_ROOM = "no room"
    """The context has too few free cells for the batch; nothing of it counts."""


class BackendError(RuntimeError):
    """The model failed in a way that another request would meet too; the text is for the user."""


class GrammarError(ValueError):
    """The grammar is no valid GBNF; the text is for its author."""


class Grammar(Protocol):
    """A grammar's position in one text."""

    def allows(self, token: int) -> bool:
        """Whether the text may go on with ``token``."""

    def allowed(self, logits: Logits) -> TokenIds:
        """All tokens the text may go on with (end of generation among them where it may end)."""

    def accept(self, token: int) -> None:
        """Go on with ``token``, which :meth:`allows` has allowed."""

    def close(self) -> None:
        """Free what it holds."""


class Backend(Protocol):
    """A loaded model with one context of ``cells`` tokens shared by ``sequences`` sequences. One thread at a time."""

    vocabulary: Vocabulary
    cells: int
    sequences: int
    chunk: int
    """Most tokens to evaluate at a time while reading a prompt."""
    outputs: int
    """Most rows of logits of one evaluation."""
    can_trim: bool
    """Part of a sequence can be forgotten (not with recurrent models)."""

    def tokenize(self, text: str, special: bool) -> list[int]:
        """Token ids; special tokens are recognised where ``special``."""

    def evaluate(self, sequence: int, position: int, tokens: Sequence[int], outputs: int) -> DecodeOutcome:
        """Append ``tokens`` at ``position`` of a sequence; keeps the logits of the last ``outputs`` of them."""

    def logits(self, row: int) -> Logits:
        """Row ``row`` (0 is the first kept) of the last evaluation; valid until the next."""

    def trim(self, sequence: int, length: int) -> bool:
        """Forget a sequence's tokens from ``length`` on; False where this model cannot forget a part."""

    def copy(self, source: int, target: int, length: int) -> None:
        """Make ``target``, which is empty, start with the first ``length`` tokens of ``source``."""

    def save(self, sequence: int, tokens: Sequence[int], path: Path) -> int:
        """Write a sequence's state to a file; its bytes, 0 where that failed."""

    def load(self, sequence: int, path: Path) -> list[int]:
        """Read a state into an empty sequence; its tokens, none where the file is of no use."""

    def grammar(self, text: str) -> Grammar:
        """Start a grammar. Raises :class:`GrammarError`."""

    def abort(self) -> None:
        """Make the evaluation under way end at once; from any thread."""

    def resume(self) -> None:
        """Take :meth:`abort` back, before the next evaluation."""


class StateFiles(Protocol):
    """States of sequences on disk (see ``model.state_files``)."""

    def best(self, tokens: Sequence[int]) -> tuple[Path, int] | None:
        """The file whose tokens share the longest start with ``tokens``, and that length."""

    def path_for(self, tokens: Sequence[int]) -> Path | None:
        """Where to write the state of ``tokens``; None where it is there already."""

    def written(self, path: Path) -> None:
        """Make ``path`` count; old files go to keep the total within bounds."""
