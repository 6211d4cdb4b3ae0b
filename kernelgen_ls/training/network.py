"""Qwen3 in PyTorch: the architecture llama.cpp calls ``qwen3``, small enough to train on a CPU.

Grouped-query attention with RMS-normed queries and keys, rotary positions (half-split layout), SwiGLU, RMSNorm before
each block, tied embeddings. Module names follow Hugging Face's, which is what the export maps from.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from attrs import frozen
from torch import Tensor, nn
from torch.nn import functional


@frozen
class NetworkConfig:
    """Sizes of the network. ``head_size`` times ``heads`` need not equal ``width``."""

    vocabulary: int
    width: int = 256
    layers: int = 6
    heads: int = 4
    kv_heads: int = 2
    head_size: int = 64
    feed_forward: int = 704
    context: int = 2048
    rope_base: float = 10_000.0
    epsilon: float = 1e-6


class RmsNorm(nn.Module):
    """Root-mean-square norm over the last axis."""

    def __init__(self, size: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        """Same shape as ``x``."""
        return functional.rms_norm(x, (x.shape[-1],), self.weight, self.epsilon)


def rotary(config: NetworkConfig, positions: Tensor) -> tuple[Tensor, Tensor]:
    """Cosines and sines of shape ``positions.shape + (head_size,)``."""
    half = config.head_size // 2
    rates = config.rope_base ** (-torch.arange(half, dtype=torch.float32) / half)
    angles = positions.float()[..., None] * rates
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary embedding of ``x`` (..., length, head_size)."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-second, first], dim=-1) * sin


class Attention(nn.Module):
    """Causal grouped-query attention; with a cache it appends to the keys and values it is given."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.q_proj = nn.Linear(config.width, config.heads * config.head_size, bias=False)
        self.k_proj = nn.Linear(config.width, config.kv_heads * config.head_size, bias=False)
        self.v_proj = nn.Linear(config.width, config.kv_heads * config.head_size, bias=False)
        self.o_proj = nn.Linear(config.heads * config.head_size, config.width, bias=False)
        self.q_norm = RmsNorm(config.head_size, config.epsilon)
        self.k_norm = RmsNorm(config.head_size, config.epsilon)

    def forward(
        self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None, past: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """``x`` is (batch, length, width); returns the same shape and the keys and values so far."""
        c = self.config
        batch, length, _ = x.shape
        q = rotate(self.q_norm(self.q_proj(x).view(batch, length, c.heads, c.head_size)).transpose(1, 2), cos, sin)
        k = rotate(self.k_norm(self.k_proj(x).view(batch, length, c.kv_heads, c.head_size)).transpose(1, 2), cos, sin)
        v = self.v_proj(x).view(batch, length, c.kv_heads, c.head_size).transpose(1, 2)
        if past is not None:
            k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
        group = c.heads // c.kv_heads
        keys, values = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        causal = mask is None and length > 1
        y = functional.scaled_dot_product_attention(q, keys, values, attn_mask=mask, is_causal=causal)
        return self.o_proj(y.transpose(1, 2).reshape(batch, length, -1)), (k, v)


class FeedForward(nn.Module):
    """SwiGLU."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(config.width, config.feed_forward, bias=False)
        self.up_proj = nn.Linear(config.width, config.feed_forward, bias=False)
        self.down_proj = nn.Linear(config.feed_forward, config.width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Same shape as ``x``."""
        result: Tensor = self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))
        return result


class Layer(nn.Module):
    """Attention and feed-forward, each behind a norm, each added to the stream."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.input_layernorm = RmsNorm(config.width, config.epsilon)
        self.self_attn = Attention(config)
        self.post_attention_layernorm = RmsNorm(config.width, config.epsilon)
        self.mlp = FeedForward(config)

    def forward(
        self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None, past: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """``x`` is (batch, length, width)."""
        attended, cache = self.self_attn(self.input_layernorm(x), cos, sin, mask, past)
        x = x + attended
        return x + self.mlp(self.post_attention_layernorm(x)), cache


Cache = list[tuple[Tensor, Tensor]]


class Network(nn.Module):
    """The language model."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.rounding: Callable[[Tensor], Tensor] | None = None
        """What the hidden states pass before the output matrix: see ``export.dequantised``."""
        self.embed_tokens = nn.Embedding(config.vocabulary, config.width)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.norm = RmsNorm(config.width, config.epsilon)
        for name, parameter in self.named_parameters():
            if parameter.ndim == 2:
                scale = 0.5 * config.width**-0.5
                if name.endswith(("o_proj.weight", "down_proj.weight")):
                    scale /= (2 * config.layers) ** 0.5
                nn.init.normal_(parameter, std=scale)
        # A token's own vector must not drown in what the layers add, or nothing can be copied. The last norm takes
        # from the tied output what that size would give it: a token that predicts itself.
        nn.init.normal_(self.embed_tokens.weight, std=0.3)
        nn.init.constant_(self.norm.weight, 0.05)

    def hidden(self, tokens: Tensor, positions: Tensor, mask: Tensor | None) -> Tensor:
        """Final hidden states of (batch, length) tokens."""
        cos, sin = rotary(self.config, positions)
        cos, sin = cos[:, None], sin[:, None]
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x, _ = layer(x, cos, sin, mask)
        result: Tensor = self.norm(x)
        return result

    def logits(self, hidden: Tensor) -> Tensor:
        """Next-token logits of hidden states (tied embeddings)."""
        if self.rounding is not None:
            hidden = self.rounding(hidden)
        return functional.linear(hidden, self.embed_tokens.weight)

    @torch.no_grad()
    def step(self, tokens: Tensor, cache: Cache | None) -> tuple[Tensor, Cache]:
        """Evaluate (batch, length) tokens after ``cache``; logits of the last one and the new cache."""
        past = cache[0][0].shape[2] if cache else 0
        positions = torch.arange(past, past + tokens.shape[1])[None]
        cos, sin = rotary(self.config, positions)
        x = self.embed_tokens(tokens)
        mask = None
        if past and tokens.shape[1] > 1:
            rows = torch.arange(tokens.shape[1])[:, None] + past
            mask = (torch.arange(past + tokens.shape[1])[None] <= rows)[None, None]
        fresh: Cache = []
        for at, layer in enumerate(self.layers):
            x, entry = layer(x, cos[:, None], sin[:, None], mask, cache[at] if cache else None)
            fresh.append(entry)
        return self.logits(self.norm(x[:, -1])), fresh

    def parameters_count(self) -> int:
        """How many numbers the network has."""
        return sum(parameter.numel() for parameter in self.parameters())
