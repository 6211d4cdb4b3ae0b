"""The starter's tokenizer: a byte-level BPE whose merges follow the structure of AscendC code.

Merges are learned inside pieces that never cross the boundary of a word of an identifier, so that a name is cut into
the same tokens wherever it stands (which is what lets a small model copy it), while frequent whole spellings
(``DataCopyPad``, a line break with its indentation, `` = ``) become one token. At run time the text is cut at digits
only; that gives the same tokens, since no merge crosses a finer boundary by construction of the merges.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import frozen
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

from kernelgen_ls.model.messages import Segment
from kernelgen_ls.training.corpus.words import words_of

SPECIALS = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<|fim_prefix|>", "<|fim_suffix|>",
    "<|fim_middle|>", "<|spec|>", "<|log|>", "<|code|>", "<|fix|>", "<|endfix|>", "<|related|>", "<|repo_name|>",
    "<|file_sep|>",
)  # fmt: skip
RUNTIME_SPLITS = (r"\p{N}+", r"(?=(\d{3})+(?!\d))")
"""llama.cpp's ``superbpe`` pre-tokenizer: runs of digits stand alone, cut in threes from the right; no other cuts."""

_FIXED = (
    r"\n[ \t]*|__aicore__ inline void |__aicore__ inline |__global__ __aicore__ void |extern \"C\" |\(?__gm__ "
    r"|sizeof\(|GM_ADDR |constexpr |#include |const |// | \* sizeof\(|, 0, 0, 0\};|, 0, 0\};|\{false, 0, 0, 0\}|>\(\);"
    r"|> |, "
    r"|(?:AscendC::)?(?:TPosition|QuePosition)::VEC[A-Z]+[,>] |(?:AscendC::)?RoundMode::CAST_[A-Z]+, "
    r"|(?:AscendC::)?CMPMODE::[A-Z]+, |(?:AscendC::)?SELMODE::VSEL_TENSOR_TENSOR_MODE, |(?:AscendC::)?HardEvent::V_S>\("
    r"|PipeBarrier<PIPE_ALL>\(\);|PipeBarrier<PIPE_V>\(\);|GetBlockNum\(\)|GetBlockIdx\(\)|\.GetValue\(0\);"
    r"|u?int(?=\d)|_t |\{1, static_cast<u?int"
)
_PIECES = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|\p{N}+|_+|[\p{Han}，。、：；（）]+| ?[^\w\s]+ ?|\s+|."
_KEYWORDS = frozenset(
    words_of(
        """
        class public private template typename struct using namespace void bool float half for if else return while
        static_cast reinterpret_cast sizeof bfloat true false event_t workspace tiling op pipe tilingData
        """
    )
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@frozen
class StarterTokenizer:
    """Encodes segments as llama.cpp will: special tokens only where a segment says so."""

    inner: Tokenizer

    @property
    def size(self) -> int:
        """How many tokens the vocabulary has."""
        return int(self.inner.get_vocab_size())

    def special(self, token: str) -> int:
        """The id of a special token."""
        identifier = self.inner.token_to_id(token)
        if identifier is None:
            raise ValueError(f"The tokenizer has no token {token}.")
        return int(identifier)

    def piece(self, token: int) -> str:
        """A token's spelling in GPT-2's printable stand-ins for bytes."""
        text = self.inner.id_to_token(token)
        if text is None:
            raise ValueError(f"The tokenizer has no token {token}.")
        return str(text)

    def encode_text(self, text: str) -> list[int]:
        """The tokens of a text in which nothing is special."""
        if not text:
            return []
        parts = re.split("(" + "|".join(re.escape(s) for s in SPECIALS) + ")", text)
        if len(parts) == 1:
            return list(self.inner.encode(text, add_special_tokens=False).ids)
        tokens: list[int] = []
        for part in parts:  # a special token's spelling in plain text is cut so that it stays characters
            for piece in (part[:1], part[1:]) if part in SPECIALS else (part,):
                if piece:
                    tokens += self.inner.encode(piece, add_special_tokens=False).ids
        return tokens

    def encode(self, segments: Iterable[Segment]) -> list[int]:
        """The tokens of a prompt."""
        tokens: list[int] = []
        for segment in segments:
            if segment.special:
                tokens += self.inner.encode(segment.text, add_special_tokens=False).ids
            else:
                tokens += self.encode_text(segment.text)
        return tokens

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of ordinary tokens; special ones are left out."""
        return self.decode_bytes(tokens).decode("utf-8", errors="replace")

    def decode_bytes(self, tokens: Sequence[int]) -> bytes:
        """The bytes of ordinary tokens; special ones are left out."""
        return b"".join(_token_bytes(self.piece(token)) for token in tokens if token >= len(SPECIALS))

    def save(self, path: Path) -> None:
        """Write the Hugging Face ``tokenizer.json``."""
        self.inner.save(str(path))

    @staticmethod
    def load(path: Path) -> StarterTokenizer:
        """Read a ``tokenizer.json``."""
        return StarterTokenizer(Tokenizer.from_file(str(path)))


def _byte_alphabet() -> dict[str, int]:
    """GPT-2's printable stand-ins for bytes."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    table = {chr(byte): byte for byte in kept}
    missing = [byte for byte in range(256) if byte not in kept]
    table.update({chr(256 + at): byte for at, byte in enumerate(missing)})
    return table


_BYTES = _byte_alphabet()


def _token_bytes(token: str) -> bytes:
    return bytes(_BYTES[char] for char in token)


def learn(texts: Sequence[str], size: int, *, fixed_share: float = 0.03) -> StarterTokenizer:
    """Learn a vocabulary of ``size`` tokens, specials included.

    Identifiers in more than ``fixed_share`` of the texts count as the language's own and may become whole tokens.
    """
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(set(_IDENTIFIER.findall(text)))
    own = (word for word in seen if word in _KEYWORDS or (word[0].isupper() and not any(c.isdigit() for c in word)))
    common = [word for word in own if seen[word] > fixed_share * len(texts)]
    words = "|".join(re.escape(word) for word in sorted(common, key=lambda word: (-len(word), word)))
    pieces = (
        f"{_FIXED}|(?:AscendC::|\\.)?\\b(?:{words})\\b[(<]?|AscendC::|{_PIECES}" if words else f"{_FIXED}|{_PIECES}"
    )
    teacher = Tokenizer(models.BPE())
    teacher.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pieces), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIALS),
        initial_alphabet=sorted(_BYTES),
        show_progress=False,
        min_frequency=8,
    )
    teacher.train_from_iterator(texts, trainer)
    teacher.pre_tokenizer = pre_tokenizers.Sequence(
        [
            *(pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in RUNTIME_SPLITS),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return StarterTokenizer(teacher)
