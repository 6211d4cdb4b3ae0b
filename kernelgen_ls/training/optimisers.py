"""Muon for the matrices, AdamW for the rest: at this size far better per token than AdamW alone.

Muon orthogonalises the momentum of each matrix by a few Newton-Schulz steps (Jordan et al., 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor
from torch.optim import Optimizer


def orthogonalised(matrix: Tensor, steps: int = 5) -> Tensor:
    """The nearest semi-orthogonal matrix, roughly: a quintic iteration on the singular values."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = matrix / (matrix.norm() + 1e-7)
    tall = x.shape[0] > x.shape[1]
    if tall:
        x = x.T
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    result: Tensor = x.T if tall else x
    return result


class Muon(Optimizer):
    """Momentum, orthogonalised, scaled so that an update's size does not depend on the matrix's shape.

    Where ``count`` processes train together on the same gradients, each orthogonalises its share of the matrices and
    ``gather`` adds up what they have.
    """

    def __init__(
        self, matrices: Iterable[Tensor], rate: float, momentum: float = 0.95, decay: float = 0.4,
        rank: int = 0, count: int = 1, gather: Callable[[Tensor], object] = lambda _: None,
    ) -> None:  # fmt: skip
        super().__init__(list(matrices), {"lr": rate, "momentum": momentum, "decay": decay})
        self.rank, self.count, self.gather = rank, count, gather

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # a closure is never used here
        """One update."""
        for group in self.param_groups:
            matrices = [matrix for matrix in group["params"] if matrix.grad is not None]
            updates = torch.zeros(sum(matrix.numel() for matrix in matrices))
            for at, (matrix, update) in enumerate(zip(matrices, _parts(updates, matrices), strict=True)):
                state = self.state[matrix]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(matrix)
                momentum = state["momentum"]
                momentum.lerp_(matrix.grad, 1 - group["momentum"])
                if at % self.count == self.rank:
                    update.copy_(orthogonalised(matrix.grad.lerp(momentum, group["momentum"])))
            self.gather(updates)
            for matrix, update in zip(matrices, _parts(updates, matrices), strict=True):
                scale = max(1.0, matrix.shape[0] / matrix.shape[1]) ** 0.5
                matrix.mul_(1 - group["lr"] * group["decay"])
                matrix.add_(update, alpha=-group["lr"] * scale)


def _parts(flat: Tensor, matrices: Sequence[Tensor]) -> list[Tensor]:
    """Views of ``flat`` in the shapes of ``matrices``, one after the other."""
    pieces = torch.split(flat, [matrix.numel() for matrix in matrices])
    return [piece.view_as(matrix) for piece, matrix in zip(pieces, matrices, strict=True)]
