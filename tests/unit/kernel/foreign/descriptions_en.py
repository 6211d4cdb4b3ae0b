"""api_desc.md in English, as other people write them."""

import numpy as np

from tests.unit.kernel.foreign.foreign import Foreign, erf, rows, sigmoid, softmax

DESCRIPTIONS_EN = [
    Foreign(
        """# Operator: FusedBiasGelu

**Description.** Adds a bias along the last axis and applies the tanh approximation of GELU.

**Math**

```latex
t = x + b
y = \\frac{1}{2} t \\left(1 + \\tanh\\left(\\sqrt{\\frac{2}{\\pi}} (t + 0.044715 t^3)\\right)\\right)
```

**Inputs**

| Name | Dtype | Shape |
|------|-------|-------|
| x | fp16, bf16 | (N, C) |
| b | fp16, bf16 | (C,) |

**Outputs**

| Name | Dtype | Shape |
|------|-------|-------|
| y | fp16, bf16 | (N, C) |
""",
        "FusedBiasGelu",
        "x:float16|bfloat16[N,C] b:float16|bfloat16[C]",
        "y:float16|bfloat16[N,C]",
        lambda x, b: 0.5 * (x + b) * (1 + np.tanh(np.sqrt(2 / np.pi) * ((x + b) + 0.044715 * (x + b) ** 3))),
        shapes={"b": (8,)},
    ),
    Foreign(
        """# swiglu_clip

Computes `y = clamp(silu(a) * b, -limit, limit)` for every element.

## Arguments

- **a** — input tensor, float32, arbitrary shape
- **b** — input tensor, float32, same shape as `a`
- **limit** — float attribute (default: 7.0)

## Returns

- **y** — float32 tensor with the shape of `a`
""",
        "SwigluClip",
        "a:float32 b:float32",
        "y:float32",
        lambda a, b, limit: np.clip(a * sigmoid(a) * b, -limit, limit),
        "limit=7.0",
    ),
    Foreign(
        """# LogSoftmaxRows

## Overview

Numerically stable log-softmax over the last dimension.

## Formula

$$
y_{i,j} = x_{i,j} - m_i - \\log \\sum_{k} e^{x_{i,k} - m_i}, \\quad m_i = \\max_k x_{i,k}
$$

## Tensors

| Tensor | Direction | Type    | Shape  |
|--------|-----------|---------|--------|
| `x`    | in        | float32 | [R, C] |
| `y`    | out       | float32 | [R, C] |
""",
        "LogSoftmaxRows",
        "x:float32[R,C]",
        "y:float32[R,C]",
        lambda x: np.log(softmax(x)),
    ),
    Foreign(
        """# Group quantisation: `group_quant_u8`

## What it does

Asymmetric quantisation with a given scale and zero point:

    q = clip(round(x / s) + z, 0, 255)

## Inputs

- `x`: float16 tensor of shape [N, K]
- `s`: float16 tensor of shape [K]
- `z`: float16 tensor of shape [K]

## Outputs

- `q`: uint8 tensor of shape [N, K]
""",
        "GroupQuantU8",
        "x:float16[N,K] s:float16[K] z:float16[K]",
        "q:uint8[N,K]",
        lambda x, s, z: np.clip(np.rint(x / s) + z, 0, 255),
        shapes={"s": (8,), "z": (8,)},
        positive=("s",),
    ),
    Foreign(
        """## aclnnMeanVarNorm

### Functional Description

Subtracts the row mean and divides by the row standard deviation (biased), returning both the
normalised tensor and the reciprocal standard deviation.

$$ \\mu = E[x], \\quad rstd = \\frac{1}{\\sqrt{Var[x] + eps}}, \\quad y = (x - \\mu) \\cdot rstd $$

### Parameters

- `x` (Tensor, input): FLOAT or FLOAT16, ND, shape `[..., D]`.
- `eps` (double, attribute): added to the variance, defaults to 1e-05.
- `y` (Tensor, output): FLOAT or FLOAT16, same shape as `x`.
- `rstd` (Tensor, output): FLOAT, shape `[..., 1]`.
""",
        "MeanVarNorm",
        "x:float32|float16[...,D]",
        "y:float32|float16[...,D] rstd:float32[...,1]",
        lambda x, eps: (
            (x - rows(np.mean, x)) / np.sqrt(rows(np.var, x) + eps),
            1 / np.sqrt(rows(np.var, x) + eps),
        ),
        "eps=1e-05",
    ),
    Foreign(
        """# lerp_gate

### Summary
Linear interpolation between `start` and `end` with a learned gate.

### Python reference

```python
import torch

def lerp_gate(start, end, gate):
    w = torch.sigmoid(gate)
    return start + w * (end - start)
```

### Supported dtypes
float16, float32

### Inputs
* start: [B, T]
* end: [B, T]
* gate: [B, T]

### Outputs
* out: [B, T]
""",
        "LerpGate",
        "start:float16|float32[B,T] end:float16|float32[B,T] gate:float16|float32[B,T]",
        "out:float16|float32[B,T]",
        lambda start, end, gate: start + sigmoid(gate) * (end - start),
    ),
    Foreign(
        """# ROW_ARGMAX_VALUE

Purpose: returns the largest value of each row and its index.

Definition:

$$ v = \\max_{j} x_{ij} $$

$$ idx = \\operatorname{argmax}_{j} x_{ij} $$

Input:
- x: float32, [M, N]

Output:
- v: float32, [M]
- idx: int32, [M]
""",
        "RowArgmaxValue",
        "x:float32[M,N]",
        "v:float32[M] idx:int32[M]",
        lambda x: (x.max(-1), x.argmax(-1)),
    ),
    Foreign(
        """# Gather + scale (`gather_scale`)

## Semantics

`y[i, :] = weight[index[i], :] * factor`

## Interface

| parameter | kind | dtype | shape | default |
|---|---|---|---|---|
| weight | input | float16 | [V, D] | |
| index | input | int64 | [N] | |
| factor | attr | float | scalar | 0.5 |
| y | output | float16 | [N, D] | |
""",
        "GatherScale",
        "weight:float16[V,D] index:int64[N]",
        "y:float16[N,D]",
        lambda weight, index, factor: weight[index.astype(int)] * factor,
        "factor=0.5",
        shapes={"index": (5,)},
        indices={"index": 3},
    ),
    Foreign(
        """# KlElementwise

## Mathematical formulation

The pointwise Kullback-Leibler term is

$$
y = t \\left( \\ln t - \\ln p \\right)
$$

where $t$ is the target distribution and $p$ the prediction.

## Input parameters

1. `t` (float32): target, shape [N]
2. `p` (float32): prediction, shape [N]

## Output parameters

1. `y` (float32): shape [N]
""",
        "KlElementwise",
        "t:float32[N] p:float32[N]",
        "y:float32[N]",
        lambda t, p: t * (np.log(t) - np.log(p)),
        shapes={"t": (9,), "p": (9,)},
        positive=("t", "p"),
    ),
    Foreign(
        """# MishGrad

## Function

Gradient of Mish with respect to its input, multiplied by the incoming gradient.

Let `sp = log(1 + exp(x))` and `th = tanh(sp)`. Then

```
dx = dy * (th + x * sigmoid(x) * (1 - th * th))
```

## Inputs
- dy: float32 [*]
- x: float32 [*]

## Outputs
- dx: float32 [*]
""",
        "MishGrad",
        "dy:float32[*] x:float32[*]",
        "dx:float32[*]",
        lambda dy, x: (
            dy * (np.tanh(np.log(1 + np.exp(x))) + x * sigmoid(x) * (1 - np.tanh(np.log(1 + np.exp(x))) ** 2))
        ),
    ),
    Foreign(
        """# MinMaxNorm

Row-wise min-max normalisation.

**Equation:** `out = (x - min(x, -1, keepdim=True)) / (max(x, -1, keepdim=True) - min(x, -1, keepdim=True) + eps)`

**Inputs:** `x` — float16 | float32, shape [N, M]

**Outputs:** `out` — float16 | float32, shape [N, M]

**Attributes:** `eps` — float, 1e-6
""",
        "MinMaxNorm",
        "x:float16|float32[N,M]",
        "out:float16|float32[N,M]",
        lambda x, eps: (x - rows(np.min, x)) / (rows(np.max, x) - rows(np.min, x) + eps),
        "eps=1e-6",
    ),
    Foreign(
        """# PhiScale

## Description
Multiplies `x` by the standard normal CDF of `x`, then casts to half precision.

## Computation
$$ y = \\text{float16}\\left(x \\cdot \\Phi(x)\\right) $$

## Inputs
| name | type | shape | description |
| :-: | :-: | :-: | :-- |
| x | float32 | [n] | the operand |

## Outputs
| name | type | shape | description |
| :-: | :-: | :-: | :-- |
| y | float16 | [n] | the result |
""",
        "PhiScale",
        "x:float32[n]",
        "y:float16[n]",
        lambda x: (x * 0.5 * (1 + erf(x / np.sqrt(2)))).astype(np.float16),
        shapes={"x": (11,)},
    ),
]
