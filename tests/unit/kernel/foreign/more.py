"""Forty more specifications, in yet another hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.unit.kernel.foreign.comments import entry
from tests.unit.kernel.foreign.foreign import Foreign, erf, rows, sigmoid, softmax


def np_scaled_tanh(scale: float, **inputs: Any) -> Any:
    return scale * np.tanh(inputs["input"])


MORE_COMMENTS = [
    Foreign(
        entry(
            """/**
 * \\details Squared ReLU followed by bias: out = relu(in0)^2 + in1
 * \\param in0 fp16 tensor [T, H]
 * \\param in1 fp16 tensor [H]
 * \\param out fp16 tensor [T, H]
 */""",
            "relu_sq_bias(GM_ADDR in0, GM_ADDR in1, GM_ADDR out, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "ReluSqBias",
        "in0:float16[T,H] in1:float16[H]",
        "out:float16[T,H]",
        lambda in0, in1: np.maximum(in0, 0) ** 2 + in1,
        shapes={"in1": (8,)},
    ),
    Foreign(
        entry(
            """// ---------------------------------------------------------------
// kernel  : dual_norm
// purpose : L1 and L2 norm of every row
// in      : src   float   [rows, cols]
// out     : l1    float   [rows]
//           l2    float   [rows]
// where     l1 = sum(|src|), l2 = sqrt(sum(src * src))
// ---------------------------------------------------------------""",
            "dual_norm(GM_ADDR src, GM_ADDR l1, GM_ADDR l2, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "DualNorm",
        "src:float32[rows,cols]",
        "l1:float32[rows] l2:float32[rows]",
        lambda src: (np.abs(src).sum(-1), np.sqrt((src * src).sum(-1))),
    ),
    Foreign(
        entry(
            """/*
 * 功能：y = x > threshold ? x : value （阈值激活）
 * threshold：float 属性，默认 0.1
 * value：float 属性，默认 20.0
 * 数据类型：half
 */""",
            "threshold_act(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "ThresholdAct",
        "x:float16",
        "y:float16",
        lambda x, threshold, value: np.where(x > threshold, x, value),
        "threshold=0.1 value=20.0",
    ),
    Foreign(
        entry(
            """// Computes the per-row softmax cross term p*log(p):
//   p = softmax(logits, axis=-1)
//   h = p * log(p)
// Args: logits (float, [B, C]) -> h (float, [B, C])""",
            "ent_term(GM_ADDR logits, GM_ADDR h, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "EntTerm",
        "logits:float32[B,C]",
        "h:float32[B,C]",
        lambda logits: softmax(logits) * np.log(softmax(logits)),
    ),
    Foreign(
        entry(
            """/* uint8 image normalise
   out = (float(img) / 255.0 - mean) / std
   img  : uint8_t  [N, C]
   mean : float    [C]
   std  : float    [C]
   out  : float    [N, C]   */""",
            "img_norm(GM_ADDR img, GM_ADDR mean, GM_ADDR std, GM_ADDR out, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "ImgNorm",
        "img:uint8[N,C] mean:float32[C] std:float32[C]",
        "out:float32[N,C]",
        lambda img, mean, std: (img / 255.0 - mean) / std,
        shapes={"mean": (8,), "std": (8,)},
        positive=("std",),
    ),
    Foreign(
        entry(
            """/// @brief Blend two tensors by a mask
/// @details dst = mask * a + (1 - mask) * b
/// @param a [in] bfloat16, N x C
/// @param b [in] bfloat16, N x C
/// @param mask [in] bfloat16, N x C
/// @param dst [out] bfloat16, N x C""",
            "blend(GM_ADDR a, GM_ADDR b, GM_ADDR mask, GM_ADDR dst, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "Blend",
        "a:bfloat16 b:bfloat16 mask:bfloat16",
        "dst:bfloat16",
        lambda a, b, mask: mask * a + (1 - mask) * b,
    ),
    Foreign(
        entry(
            """/*
 * 量化：先乘 scale 再加 offset，四舍五入后截断到 [-128, 127]
 *   q = clamp(round(x * scale + offset), -128, 127)
 * 入参 x：float16 [N, D]
 * 入参 scale：float16 [D]
 * 入参 offset：float16 [D]
 * 出参 q：int8 [N, D]
 */""",
            "quant_affine(GM_ADDR x, GM_ADDR scale, GM_ADDR offset, GM_ADDR q, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "QuantAffine",
        "x:float16[N,D] scale:float16[D] offset:float16[D]",
        "q:int8[N,D]",
        lambda x, scale, offset: np.clip(np.rint(x * scale + offset), -128, 127),
        shapes={"scale": (8,), "offset": (8,)},
    ),
    Foreign(
        entry(
            """// Gathers rows then scales them: out[n][d] = emb[idx[n]][d] * sqrt(512)
// emb: half [V, D]; idx: int32 [N]; out: half [N, D]""",
            "emb_scale(GM_ADDR emb, GM_ADDR idx, GM_ADDR out, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "EmbScale",
        "emb:float16[V,D] idx:int32[N]",
        "out:float16[N,D]",
        lambda emb, idx: emb[idx.astype(int)] * np.sqrt(512),
        shapes={"idx": (5,)},
        indices={"idx": 3},
    ),
]
MORE_ZH = [
    Foreign(
        """# CeluScale算子说明文档

### 算子概述
对输入逐元素做 CELU 激活，再乘以 gamma。

### 算子公式
$$y = \\gamma \\left( \\max(0, x) + \\min\\left(0, \\alpha\\left(e^{x/\\alpha} - 1\\right)\\right) \\right)$$

### 接口参数
| 名称 | 输入/输出 | 类型 | shape | 备注 |
|---|---|---|---|---|
| x | 输入 | float32 | [M, N] | |
| gamma | 属性 | float | / | 默认 2.0 |
| alpha | 属性 | float | / | 默认 0.5 |
| y | 输出 | float32 | [M, N] | |
""",
        "CeluScale",
        "x:float32[M,N]",
        "y:float32[M,N]",
        lambda x, gamma, alpha: gamma * (np.maximum(0, x) + np.minimum(0, alpha * (np.exp(x / alpha) - 1))),
        "gamma=2.0 alpha=0.5",
    ),
    Foreign(
        """# aclnnRowZScore

## 功能描述
算子功能：逐行标准化（样本标准差，分母为 N-1）。
计算公式：

```
z = (x - mean(x, dim=-1, keepdim=True)) / std(x, dim=-1, unbiased=True, keepdim=True)
```

## 参数说明
* **x**（输入）：float16 或 float32 的 2 维张量，shape 为 [N, D]。
* **z**（输出）：与 x 的数据类型和 shape 一致。
""",
        "RowZScore",
        "x:float16|float32[N,D]",
        "z:float16|float32[N,D]",
        lambda x: (x - rows(np.mean, x)) / x.std(-1, ddof=1, keepdims=True),
    ),
    Foreign(
        """# AddLayerNormDual

**算子功能**：残差相加后做 LayerNorm，同时输出相加结果。

**数学公式**：

$$
\\begin{aligned}
s &= a + b \\\\
y &= \\frac{s - \\mathrm{mean}(s)}{\\sqrt{\\mathrm{var}(s) + \\varepsilon}}
\\end{aligned}
$$

**输入参数**

1. `a`（float32）：[B, H]
2. `b`（float32）：[B, H]

**输出参数**

1. `y`（float32）：[B, H]
2. `s`（float32）：[B, H]

**属性参数**

1. `epsilon`（float，默认值 1e-5）
""",
        "AddLayerNormDual",
        "a:float32[B,H] b:float32[B,H]",
        "y:float32[B,H] s:float32[B,H]",
        lambda a, b, epsilon: (((a + b) - rows(np.mean, a + b)) / np.sqrt(rows(np.var, a + b) + epsilon), a + b),
        "epsilon=1e-5",
    ),
    Foreign(
        """# 算子：FloorModPair

输入两个 int32 张量 a、b（形状均为 [256]），输出商与余数：

- q = floor(a / b)
- r = a - q * b

输入：a，b
输出：q，r
数据类型：int32
形状：[256]
""",
        "FloorModPair",
        "a:int32[256] b:int32[256]",
        "q:int32[256] r:int32[256]",
        lambda a, b: (np.floor(a / b), a - np.floor(a / b) * b),
        shapes={"a": (9,), "b": (9,)},
        positive=("b",),
    ),
    Foreign(
        """# SigmoidFocal

## 功能说明
计算逐元素 focal 项。

记 $p = \\sigma(x)$，则

$$
loss = -\\alpha (1-p)^{\\gamma} t \\log(p) - (1-\\alpha) p^{\\gamma} (1-t) \\log(1-p)
$$

## 输入
- x：`float32`，`[N, C]`
- t：`float32`，`[N, C]`

## 输出
- loss：`float32`，`[N, C]`

## 属性
| 名称 | 类型 | 默认值 |
| :-- | :-- | :-- |
| alpha | float | 0.25 |
| gamma | float | 2.0 |
""",
        "SigmoidFocal",
        "x:float32[N,C] t:float32[N,C]",
        "loss:float32[N,C]",
        lambda x, t, alpha, gamma: (
            -alpha * (1 - sigmoid(x)) ** gamma * t * np.log(sigmoid(x))
            - (1 - alpha) * sigmoid(x) ** gamma * (1 - t) * np.log(1 - sigmoid(x))
        ),
        "alpha=0.25 gamma=2.0",
    ),
    Foreign(
        """# HalfToInt32

## 1 算子简介
将 float16 张量四舍六入五成双后转换为 int32。

## 2 计算逻辑
y = int32(rint(x))

## 3 输入
3.1 x：float16，任意维度

## 4 输出
4.1 y：int32，同 x 形状
""",
        "HalfToInt32",
        "x:float16",
        "y:int32",
        lambda x: np.rint(x),
    ),
    Foreign(
        """# GatherAddPos

### 原型
```python
def gather_add_pos(table, ids, pos, scale=1.0):
    \"\"\"查表并叠加位置编码。

    参数:
        table: 张量, float16, 形状 [V, D]
        ids: 张量, int32, 形状 [T]
        pos: 张量, float16, 形状 [T, D]
        scale: float, 缩放
    返回:
        out: 张量, float16, 形状 [T, D]
    \"\"\"
    return table[ids] * scale + pos
```
""",
        "GatherAddPos",
        "table:float16[V,D] ids:int32[T] pos:float16[T,D]",
        "out:float16[T,D]",
        lambda table, ids, pos, scale: table[ids.astype(int)] * scale + pos,
        "scale=1.0",
        shapes={"ids": (3,), "table": (5, 8)},
        indices={"ids": 5},
    ),
    Foreign(
        """# RowSoftplusMax

功能：先对每个元素取 softplus，再求每行最大值。

公式：`m = max(log(1 + exp(beta * x)) / beta, dim=-1)`

输入 x：float32，shape `[N, K]`
属性 beta：float，默认 1.5
输出 m：float32，shape `[N]`
""",
        "RowSoftplusMax",
        "x:float32[N,K]",
        "m:float32[N]",
        lambda x, beta: (np.log(1 + np.exp(beta * x)) / beta).max(-1),
        "beta=1.5",
    ),
]
MORE_EN = [
    Foreign(
        """# hypot_scale

| | |
|---|---|
| **Category** | elementwise |
| **Author** | kernels team |

Returns the scaled hypotenuse of two tensors.

### Definition

$$ out_i = s \\sqrt{a_i^2 + b_i^2} $$

### Arguments

`a` (Tensor) – float32, shape (N,)
`b` (Tensor) – float32, shape (N,)
`s` (float, default 1.0) – scale

### Result

`out` (Tensor) – float32, shape (N,)
""",
        "HypotScale",
        "a:float32[N] b:float32[N]",
        "out:float32[N]",
        lambda a, b, s: s * np.sqrt(a * a + b * b),
        "s=1.0",
        shapes={"a": (9,), "b": (9,)},
    ),
    Foreign(
        """# Rotary half (`rope_half`)

Applies a rotation given cos and sin tables of the same shape:

    y1 = x1 * c - x2 * s
    y2 = x2 * c + x1 * s

## Inputs

| tensor | dtype | shape |
| --- | --- | --- |
| x1 | float16/float32 | [T, D] |
| x2 | float16/float32 | [T, D] |
| c | float16/float32 | [T, D] |
| s | float16/float32 | [T, D] |

## Outputs

| tensor | dtype | shape |
| --- | --- | --- |
| y1 | float16/float32 | [T, D] |
| y2 | float16/float32 | [T, D] |
""",
        "RopeHalf",
        "x1:float16|float32[T,D] x2:float16|float32[T,D] c:float16|float32[T,D] s:float16|float32[T,D]",
        "y1:float16|float32[T,D] y2:float16|float32[T,D]",
        lambda x1, x2, c, s: (x1 * c - x2 * s, x2 * c + x1 * s),
    ),
    Foreign(
        """# WeightedRowMean

**What:** weighted mean of each row.

**How:** `out = sum(w * x, dim=1) / sum(w, dim=1)`

**Inputs:**
- `x`, shape `[M, N]`, fp32
- `w`, shape `[M, N]`, fp32

**Outputs:**
- `out`, shape `[M]`, fp32
""",
        "WeightedRowMean",
        "x:float32[M,N] w:float32[M,N]",
        "out:float32[M]",
        lambda x, w: (w * x).sum(-1) / w.sum(-1),
        positive=("w",),
    ),
    Foreign(
        """# aclnnGeluDropScale

## Description

y = 0.5 · x · (1 + erf(x / √2)) · mask / (1 − p)

## Input(s)

x – FLOAT16, ND
mask – FLOAT16, ND

## Attribute(s)

p – FLOAT, drop probability, 0.1 by default

## Output(s)

y – FLOAT16, ND
""",
        "GeluDropScale",
        "x:float16 mask:float16",
        "y:float16",
        lambda x, mask, p: 0.5 * x * (1 + erf(x / np.sqrt(2))) * mask / (1 - p),
        "p=0.1",
    ),
    Foreign(
        """# Int8 GEMV epilogue `dequant_relu`

### Contract

Given an int32 accumulator `acc` of shape [B, N], per-channel `scale` (fp32, [N]) and `bias` (fp32, [N]), produce

    y = relu(acc * scale + bias)

as fp16 with shape [B, N].

### Parameters

- acc (input, int32, [B, N])
- scale (input, float32, [N])
- bias (input, float32, [N])
- y (output, float16, [B, N])
""",
        "DequantRelu",
        "acc:int32[B,N] scale:float32[N] bias:float32[N]",
        "y:float16[B,N]",
        lambda acc, scale, bias: np.maximum(acc * scale + bias, 0),
        shapes={"scale": (8,), "bias": (8,)},
    ),
    Foreign(
        """# NormalizeL1

## Synopsis
`y = x / max(sum(abs(x), -1, keepdim=True), eps)`

## Dtypes
float16 · float32

## I/O
Input `x`: [R, C]
Output `y`: [R, C]

## Attrs
`eps`: float = 1e-12
""",
        "NormalizeL1",
        "x:float16|float32[R,C]",
        "y:float16|float32[R,C]",
        lambda x, eps: x / np.maximum(rows(np.sum, np.abs(x)), eps),
        "eps=1e-12",
    ),
    Foreign(
        """# LogCosh

The op computes the log-cosh penalty of the difference between `pred` and `target`:

$$\\ell = \\log\\left(\\frac{e^{d} + e^{-d}}{2}\\right), \\qquad d = pred - target$$

*Inputs* `pred`, `target`: float32 tensors of any shape. *Output* `l`: float32 tensor of the same shape.
""",
        "LogCosh",
        "pred:float32 target:float32",
        "l:float32",
        lambda pred, target: np.log(np.cosh(pred - target)),
    ),
    Foreign(
        """# TopRowIndexScale

Element `i` of the result is the largest entry of row `i` of `x` divided by the row's sum.

Formula:
  r[i] = max(x[i, :]) / sum(x[i, :])

Tensor list:
  x  in   float32  [N, C]
  r  out  float32  [N]
""",
        "TopRowIndexScale",
        "x:float32[N,C]",
        "r:float32[N]",
        lambda x: x.max(-1) / x.sum(-1),
        positive=("x",),
    ),
]


def js(
    op: str, ins: list[tuple[str, ...]], outs: list[tuple[str, ...]], attr: str = "", head: str = "", extra: str = ""
) -> str:
    """A definition on one line: tensors as name, type and further fields."""

    def tensors(listed: list[tuple[str, ...]]) -> str:
        return ", ".join(
            f'{{"name": "{name}", "param_type": "required", "format": ["ND"], "type": ["{dtype}"]{more}}}'
            for name, dtype, more in listed
        )

    attributes = f', "attr": [{attr}]' if attr else ""
    sides = f'"input_desc": [{tensors(ins)}], "output_desc": [{tensors(outs)}]'
    return f'{head}[{{"op": "{op}", {extra}"language": "cpp", {sides}{attributes}}}]\n'


MORE_DEFINITIONS = [
    Foreign(
        js(
            "SqrtSum",
            [("a", "float", ""), ("b", "float", "")],
            [("c", "float", "")],
            head="// c[i] = sqrt(a[i]^2 + b[i]^2 + 1)\n",
        ),
        "SqrtSum",
        "a:float32 b:float32",
        "c:float32",
        lambda a, b: np.sqrt(a * a + b * b + 1),
    ),
    Foreign(
        js(
            "ClipMul",
            [("x", "fp16", ""), ("w", "fp16", "")],
            [("y", "fp16", "")],
            '{"name": "hi", "param_type": "optional", "type": "float", "default_value": "6.0"}',
            extra='"Formula": "y = min(max(x, 0), hi) * w", ',
        ),
        "ClipMul",
        "x:float16 w:float16",
        "y:float16",
        lambda x, w, hi: np.clip(x, 0, hi) * w,
        "hi=6.0",
    ),
    Foreign(
        js(
            "RowLse",
            [("x", "float", ', "shape": ["N", "C"]')],
            [("y", "float", ', "shape": ["N"]')],
            extra='"details": "log-sum-exp of rows. y = log(sum(exp(x)))", ',
        ),
        "RowLse",
        "x:float32[N,C]",
        "y:float32[N]",
        lambda x: np.log(np.exp(x).sum(-1)),
    ),
    Foreign(
        js(
            "MulCast",
            [("x", "int32", ""), ("s", "float", "")],
            [("y", "fp16", ', "description": "y = cast(x, float32) * s"')],
        ),
        "MulCast",
        "x:int32 s:float32",
        "y:float16",
        lambda x, s: x * s,
        shapes={"s": (8,)},
    ),
    Foreign(
        """# Operator definition for msopgen
# 公式: out = x * cos + rot * sin
"""
        + js(
            "RopeApply",
            [("x", "bf16", ""), ("rot", "bf16", ""), ("cos", "bf16", ""), ("sin", "bf16", "")],
            [("out", "bf16", "")],
        ),
        "RopeApply",
        "x:bfloat16 rot:bfloat16 cos:bfloat16 sin:bfloat16",
        "out:bfloat16",
        lambda x, rot, cos, sin: x * cos + rot * sin,
    ),
    Foreign(
        js(
            "SignSqrt",
            [("x", "float", "")],
            [("y", "float", "")],
            head="/* y = sign(x) * sqrt(|x| + eps) - sqrt(eps) */\n",
            attr='{"name": "eps", "param_type": "optional", "type": "float", "default_value": 0.001}',
        ),
        "SignSqrt",
        "x:float32",
        "y:float32",
        lambda x, eps: np.sign(x) * np.sqrt(np.abs(x) + eps) - np.sqrt(eps),
        "eps=0.001",
    ),
    Foreign(
        js(
            "MaxMin",
            [("x", "float", "")],
            [
                ("hi", "float", ', "desc": "每行最大值 hi = max(x, dim=-1)"'),
                ("lo", "float", ', "desc": "每行最小值 lo = min(x, dim=-1)"'),
            ],
        ),
        "MaxMin",
        "x:float32",
        "hi:float32 lo:float32",
        lambda x: (x.max(-1), x.min(-1)),
    ),
    Foreign(
        js(
            "EluMix",
            [("x", "float", ""), ("z", "float", "")],
            [("y", "float", "")],
            '{"name": "alpha", "param_type": "optional", "type": "float", "default_value": "1.0"}',
        ),
        "EluMix",
        "x:float32 z:float32",
        "y:float32",
        lambda x, z, alpha: np.where(x > 0, x, alpha * (np.exp(x) - 1)) + z,
        "alpha=1.0",
        extra={
            "README.md": "# EluMix\n\nELU plus a second tensor.\n\n"
            "$$y = z + \\begin{cases} x & x > 0 \\\\ \\alpha (e^{x} - 1) & x \\le 0 \\end{cases}$$\n"
        },
    ),
]
MORE_DOCSTRINGS = [
    Foreign(
        '''def scaled_tanh(input, scale=1.5):
    r"""scaled_tanh(input, scale=1.5) -> Tensor

    Applies :math:`\\text{scale} \\cdot \\tanh(x)` elementwise.

    .. math::
        \\text{out} = \\text{scale} \\times \\tanh(\\text{input})

    Args:
        input (Tensor): the input tensor, float16.

    Keyword args:
        scale (Number, optional): multiplier. Default: 1.5
    """
''',
        "ScaledTanh",
        "input:float16",
        "out:float16",
        np_scaled_tanh,
        "scale=1.5",
    ),
    Foreign(
        '''def bce(p, t):
    """Binary cross entropy per element.

    Parameters
    ----------
    p : array_like of float32, shape (n,)
        Probabilities.
    t : array_like of float32, shape (n,)
        Targets.

    Returns
    -------
    ndarray of float32, shape (n,)
        ``-(t * log(p) + (1 - t) * log(1 - p))``
    """
    return -(t * np.log(p) + (1 - t) * np.log(1 - p))
''',
        "Bce",
        "p:float32[n] t:float32[n]",
        "out:float32[n]",
        lambda p, t: -(t * np.log(p) + (1 - t) * np.log(1 - p)),
        shapes={"p": (7,), "t": (7,)},
        positive=("p",),
    ),
    Foreign(
        '''class RMSNormGated(nn.Module):
    r"""RMS norm of x times SiLU of a gate.

    .. math::
        y = \\frac{x}{\\sqrt{\\frac{1}{D}\\sum_{i=1}^{D} x_i^2 + \\epsilon}} \\cdot w \\cdot \\frac{g}{1 + e^{-g}}

    Shape:
        - x: (N, D)
        - g: (N, D)
        - w: (D)
        - y: (N, D)
    """

    def __init__(self, eps: float = 1e-5):
        super().__init__()
        self.eps = eps

    def forward(self, x: torch.Tensor, g: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        h = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return h * w * F.silu(g)
''',
        "RMSNormGated",
        "x:[N,D] g:[N,D] w:[D]",
        "y:[N,D]",
        lambda x, g, w, eps: x / np.sqrt(rows(np.mean, x * x) + eps) * w * g * sigmoid(g),
        "eps=1e-5",
        shapes={"w": (8,)},
    ),
    Foreign(
        '''def leaky_clip(x, slope=0.01, cap=6.0):
    """
    :param x: input values
    :type x: torch.FloatTensor
    :param slope: slope below zero
    :type slope: float
    :param cap: upper limit
    :type cap: float
    :return: ``y = min(max(x, slope * x), cap)``
    :rtype: torch.FloatTensor
    """
    pass
''',
        "LeakyClip",
        "x:float32",
        "y:float32",
        lambda x, slope, cap: np.minimum(np.maximum(x, slope * x), cap),
        "slope=0.01 cap=6.0",
    ),
    Foreign(
        '''def quantize_rows(x: Tensor) -> Tuple[Tensor, Tensor]:
    r"""Symmetric per-row quantisation.

    .. math::
        s_i = \\frac{\\max_j |x_{ij}|}{127}

    .. math::
        q_{ij} = \\left\\lfloor \\frac{x_{ij}}{s_i} + \\frac{1}{2} \\right\\rfloor

    Args:
        x (Tensor): float32 matrix of shape [M, N].

    Returns:
        q (Tensor): int8 matrix of shape [M, N].
        s (Tensor): float32 vector of shape [M].
    """
''',
        "QuantizeRows",
        "x:float32[M,N]",
        "q:int8[M,N] s:float32[M]",
        lambda x: (np.floor(x / (rows(np.max, np.abs(x)) / 127) + 0.5), np.abs(x).max(-1) / 127),
    ),
    Foreign(
        '''def cosine_decay(x, period=32.0):
    """
    Computes ``y = 0.5 * (1 + cos(pi * x / period))``.

    Inputs:
        x: float32 tensor [L]

    Outputs:
        y: float32 tensor [L]
    """
''',
        "CosineDecay",
        "x:float32[L]",
        "y:float32[L]",
        lambda x, period: 0.5 * (1 + np.cos(np.pi * x / period)),
        "period=32.0",
        shapes={"x": (9,)},
    ),
    Foreign(
        '''def take_scaled(weight, indices, scale):
    r"""Picks rows and multiplies them by their own scale.

    .. math::
        \\mathrm{out}_{i,j} = \\mathrm{weight}_{\\mathrm{indices}_i, j} \\, \\mathrm{scale}_i

    Args:
        weight (torch.HalfTensor): [V, D]
        indices (torch.IntTensor): [T]
        scale (torch.HalfTensor): [T]

    Returns:
        out (torch.HalfTensor): [T, D]
    """
''',
        "TakeScaled",
        "weight:float16[V,D] indices:int32[T] scale:float16[T]",
        "out:float16[T,D]",
        lambda weight, indices, scale: weight[indices.astype(int)] * scale[:, None],
        shapes={"indices": (5,), "scale": (5,)},
        indices={"indices": 3},
    ),
    Foreign(
        '''def huber(x: "Tensor", y: "Tensor", delta: float = 1.0) -> "Tensor":
    r"""Huber loss without reduction.

    .. math::
        l_n = \\begin{cases}
        0.5 (x_n - y_n)^2, & \\text{if } |x_n - y_n| < \\delta \\\\
        \\delta * (|x_n - y_n| - 0.5 * \\delta), & \\text{otherwise }
        \\end{cases}

    Both inputs are float32 of shape :math:`(N, *)`.
    """
''',
        "Huber",
        "x: y:",
        "l:",
        lambda x, y, delta: np.where(np.abs(x - y) < delta, 0.5 * (x - y) ** 2, delta * (np.abs(x - y) - 0.5 * delta)),
        "delta=1.0",
    ),
]
