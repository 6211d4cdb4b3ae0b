"""The recipes: how large the network is, how much it reads, how much is made for it. Data only."""

from __future__ import annotations

from attrs import frozen


@frozen
class Plan:
    """One way to train: sizes of the corpus' parts, of the network and of the evaluation."""

    name: str
    vocabulary: int
    tokenizer_kernels: int
    pairs: int
    tokens: int
    width: int
    layers: int
    heads: int
    feed_forward: int
    batch_tokens: int
    document_limit: int
    evaluation_lines: int
    evaluation_kernels: int
    evaluation_pairs: int
    decay: float = 0.45
    closing: float = 0.0
    settling: float = 0.0


STARTER = Plan(
    name="starter", vocabulary=3072, tokenizer_kernels=4000, pairs=6000, tokens=18_600_000, width=192, layers=4,
    heads=3, feed_forward=512, batch_tokens=2560, document_limit=1536, evaluation_lines=300, evaluation_kernels=120,
    evaluation_pairs=160, closing=0.094, settling=0.059,
)  # fmt: skip
"""What ships. About 2.4 million parameters; two workers of one thread each."""

SMOKE = Plan(
    name="smoke", vocabulary=1024, tokenizer_kernels=120, pairs=12, tokens=6_000, width=64, layers=2, heads=1,
    feed_forward=128, batch_tokens=1400, document_limit=1280, evaluation_lines=2, evaluation_kernels=0,
    evaluation_pairs=1,
)  # fmt: skip
"""Everything once, on a toy, within a minute."""
