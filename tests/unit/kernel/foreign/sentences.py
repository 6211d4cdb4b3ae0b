"""Specifications whose sentences tell of parameters: what is one array says the formula, what it holds the words."""

from __future__ import annotations

import numpy as np

from tests.unit.kernel.foreign.comments import entry
from tests.unit.kernel.foreign.foreign import Foreign, sigmoid

SENTENCE_COMMENTS = [
    Foreign(
        entry(
            "// axpby: c = 2.5 * a - b / 4\n// a, b and c are float arrays with 6007 elements",
            "axpby(GM_ADDR a, GM_ADDR b, GM_ADDR c)",
        ),
        "Axpby",
        "a:float32[6007] b:float32[6007]",
        "c:float32[6007]",
        lambda a, b: 2.5 * a - b / 4,
        shapes={"a": (8,), "b": (8,)},
    ),
    Foreign(
        entry(
            "// out = max(p, q) - min(p, q)\n// p, q, out: int16, 2050 elements each",
            "spread(GM_ADDR p, GM_ADDR q, GM_ADDR out)",
        ),
        "Spread",
        "p:int16[2050] q:int16[2050]",
        "out:int16[2050]",
        lambda p, q: np.maximum(p, q) - np.minimum(p, q),
        shapes={"p": (8,), "q": (8,)},
    ),
    Foreign(
        entry("// y = 1 / (x + 3), x and y: float32 [7]", "recip(GM_ADDR x, GM_ADDR y)"),
        "Recip",
        "x:float32[7]",
        "y:float32[7]",
        lambda x: 1 / (x + 3),
    ),
    Foreign(
        entry(
            "// Normalises pixels: pixel is uint8 [3, 31], image is float16 of the same shape.\n// image = pixel / 255",
            "normalise(GM_ADDR pixel, GM_ADDR image)",
        ),
        "Normalise",
        "pixel:uint8[3,31]",
        "image:float16[3,31]",
        lambda pixel: pixel / 255,
    ),
    Foreign(
        entry(
            """// For every row of vals (bf16 [16, 100]):
//   hi  = max(vals)           (bf16 [16])
//   lo  = min(vals)           (bf16 [16])
//   mid = (hi + lo) / 2       (bf16 [16])""",
            "range_mid(GM_ADDR vals, GM_ADDR hi, GM_ADDR lo, GM_ADDR mid)",
        ),
        "RangeMid",
        "vals:bfloat16[16,100]",
        "hi:bfloat16[16] lo:bfloat16[16] mid:bfloat16[16]",
        lambda vals: (vals.max(-1), vals.min(-1), (vals.max(-1) + vals.min(-1)) / 2),
    ),
    Foreign(
        entry(
            """// Inputs:
//   scores  : float32[21, 144]
// Outputs:
//   total   : float32[21]
// Semantics:
//   total[i] = sum_j log(1 + exp(scores[i, j]))""",
            "softplus_sum(GM_ADDR scores, GM_ADDR total)",
        ),
        "SoftplusSum",
        "scores:float32[21,144]",
        "total:float32[21]",
        lambda scores: np.log1p(np.exp(scores)).sum(-1),
    ),
    Foreign(
        entry(
            """/**
 * @brief Shrinks: dst = src - tanh(src)
 * @param[in]  src half, 37 x 53
 * @param[out] dst half, 37 x 53
 */""",
            "shrink(GM_ADDR src, GM_ADDR dst)",
        ),
        "Shrink",
        "src:float16[37,53]",
        "dst:float16[37,53]",
        lambda src: src - np.tanh(src),
    ),
    Foreign(
        entry(
            """/// @brief  b = (a > 0 ? a : 0.1f * a) + 1
/// @param a  input, half[3][100]
/// @param b  output, half[3][100]""",
            "leaky_plus(GM_ADDR a, GM_ADDR b)",
        ),
        "LeakyPlus",
        "a:float16[3,100]",
        "b:float16[3,100]",
        lambda a: np.where(a > 0, a, 0.1 * a) + 1,
    ),
    Foreign(
        entry(
            """/**
* @brief Multiplies two tensors and adds the result, scaled: y = first + value * x1 * x2 . \n

* @par Inputs:
* @li first: A ND Tensor of type float32, shape [12, 345].
* @li x1: A ND Tensor of type float32, shape [12, 345].
* @li x2: A ND Tensor of type float32, shape [12, 345]. \n

* @par Attributes:
* @li value: A float scalar. Defaults to 0.5. \n

* @par Outputs:
* y: A ND Tensor. Has the same type and shape as "first".
*/""",
            "addcmul(GM_ADDR first, GM_ADDR x1, GM_ADDR x2, GM_ADDR y)",
        ),
        "Addcmul",
        "first:float32[12,345] x1:float32[12,345] x2:float32[12,345]",
        "y:float32[12,345]",
        lambda first, x1, x2, value: first + value * x1 * x2,
        "value=0.5",
    ),
]

SENTENCE_DESCRIPTIONS = [
    Foreign(
        """# ScaleTanh

y = a * tanh(b * x)

## 参数说明

<table style="width: 900px">
<thead><tr><th>参数名</th><th>输入/输出/属性</th><th>描述</th><th>数据类型</th><th>shape</th></tr></thead>
<tbody>
<tr><td><code>x</code></td><td>输入</td><td>公式中的x</td><td>FLOAT16、FLOAT</td><td>[N, D]</td></tr>
<tr><td>a</td><td>属性</td><td>缩放，默认值为1.5</td><td>float</td><td>-</td></tr>
<tr><td>b</td><td>属性</td><td>斜率，<br>默认值为0.5</td><td>float</td><td>-</td></tr>
<tr>
  <td>y</td>
  <td>输出</td>
  <td>公式中的y</td>
  <td>FLOAT16、FLOAT</td>
  <td>[N, D]</td>
</tr>
</tbody></table>
""",
        "ScaleTanh",
        "x:float16|float32[N,D]",
        "y:float16|float32[N,D]",
        lambda x, a, b: a * np.tanh(b * x),
        "a=1.5 b=0.5",
    ),
    Foreign(
        """# hard_sigmoid

y = max(0, min(1, alpha * x + beta))

#### Attributes

<dl>
<dt><tt>alpha</tt> : float (default is 0.2)</dt>
<dd>Value of alpha.</dd>
<dt><tt>beta</tt> : float (default is 0.5)</dt>
<dd>Value of beta.</dd>
</dl>

#### Inputs

<dl>
<dt><tt>x</tt> : float16 [N, D]</dt>
<dd>What is &lt;bounded&gt;.</dd>
</dl>

#### Outputs

<dl>
<dt><tt>y</tt> : float16 [N, D]</dt>
</dl>
""",
        "HardSigmoid",
        "x:float16[N,D]",
        "y:float16[N,D]",
        lambda x, alpha, beta: np.clip(alpha * x + beta, 0, 1),
        "alpha=0.2 beta=0.5",
    ),
    Foreign(
        """# Center and power

Arguments:
  feat   [B, L]  float16   features
  shift  [B, 1]  float16   subtracted from each row
Result:
  res    [B, L]  float16

    t = feat - shift
    res = t * t * t - 0.5 * t
""",
        "Center",
        "feat:float16[B,L] shift:float16[B,1]",
        "res:float16[B,L]",
        lambda feat, shift: (feat - shift) ** 3 - 0.5 * (feat - shift),
        shapes={"shift": (3, 1)},
    ),
    Foreign(
        r"""# quant_columns

$$ y_{i,j} = x_{i,j} \cdot scales_j + zero\_points_j $$

x: float `[N, C]`, scales and zero_points: float `[C]`.
""",
        "QuantColumns",
        "x:float32[N,C] scales:float32[C] zero_points:float32[C]",
        "y:float32",
        lambda x, scales, zero_points: x * scales + zero_points,
        shapes={"scales": (8,), "zero_points": (8,)},
    ),
    Foreign(
        """# row_length

Input `x` float32 `[N, D]`, output `y` float32 `[N]`: y = sqrt(sum(x * x, axis=-1)) for x of any size
""",
        "RowLength",
        "x:float32[N,D]",
        "y:float32[N]",
        lambda x: np.sqrt((x * x).sum(-1)),
    ),
    Foreign(
        """# pairwise_gate

`x` has shape `(B, H)`, `gate` `(B, 1)`; both bfloat16. The result `out` is bfloat16 and of `x`'s shape.

~~~python
out = x * torch.sigmoid(gate) + x
~~~
""",
        "PairwiseGate",
        "x:bfloat16[B,H] gate:bfloat16[B,1]",
        "out:bfloat16",
        lambda x, gate: x * sigmoid(gate) + x,
        shapes={"gate": (3, 1)},
    ),
    Foreign(
        """# l1_rows

    y = v / max(sum(|v|, -1, keepdim=True), eps)

v: fp16/fp32 [M, N]; y: fp16/fp32 [M, N]; eps: float = 1e-12
""",
        "L1Rows",
        "v:float16|float32[M,N]",
        "y:float16|float32[M,N]",
        lambda v, eps: v / np.maximum(np.abs(v).sum(-1, keepdims=True), eps),
        "eps=1e-12",
    ),
    Foreign(
        """# MaskedScale

$$
y_i = \\begin{cases} 2 x_i & \\text{if } mask_i \\\\ 0 & \\text{otherwise} \\end{cases}
$$

| name | role | dtype | shape |
|------|------|-------|-------|
| x | input | float | (T, H) |
| mask | input | bool | (T, H) |
| y | output | float | (T, H) |
""",
        "MaskedScale",
        "x:float32[T,H] mask:bool[T,H]",
        "y:float32[T,H]",
        lambda x, mask: np.where(mask, 2 * x, 0),
    ),
    Foreign(
        """# label_loss

**Inputs**: `logits` (float32, [N, C]), `labels` (float32, [N, C])

**Outputs**: `loss` (float32, [N])

loss = -sum(labels * log(logits), -1)
""",
        "LabelLoss",
        "logits:float32[N,C] labels:float32[N,C]",
        "loss:float32[N]",
        lambda logits, labels: -(labels * np.log(logits)).sum(-1),
        positive=("logits",),
    ),
]

SENTENCE_DOCSTRINGS = [
    Foreign(
        '''class RowAngles(nn.Module):
    """Computes the cosine similarity of the rows of two float32 tensors."""

    def __init__(self, eps: float = 1e-8):
        super().__init__()
        self.eps = eps

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        lengths = torch.sqrt((a * a).sum(dim=-1)) * torch.sqrt((b * b).sum(dim=-1))
        return (a * b).sum(dim=-1) / torch.clamp(lengths, min=self.eps)
''',
        "RowAngles",
        "a:float32 b:float32",
        "out:float32",
        lambda a, b, eps: (a * b).sum(-1) / np.maximum(np.sqrt((a * a).sum(-1)) * np.sqrt((b * b).sum(-1)), eps),
        "eps=1e-8",
    ),
    Foreign(
        '''import jax
import jax.numpy as jnp

def squared_gate(x, g):
    """Gated squared ReLU.

    Args:
      x: bfloat16[B, H] activations.
      g: bfloat16[B, H] gate.

    Returns:
      y: bfloat16[B, H]
    """
    return jnp.square(jnp.maximum(x, 0)) * jax.nn.gelu(g)
''',
        "SquaredGate",
        "x:bfloat16[B,H] g:bfloat16[B,H]",
        "y:bfloat16[B,H]",
        lambda x, g: np.maximum(x, 0) ** 2 * 0.5 * g * (1 + np.tanh(np.sqrt(2 / np.pi) * (g + 0.044715 * g**3))),
    ),
    Foreign(
        '''def shifted(input, rest):
    """Shifts.

    Parameters
    ----------
    input : ndarray of float32, shape (N, D)
        What is shifted.
    rest : ndarray of float32, shape (N, D)
        The second half.

    Returns
    -------
    y : ndarray of float32, shape (N, D)
    """
    return input + 2 * rest
''',
        "Shifted",
        "input:float32[N,D] rest:float32[N,D]",
        "y:float32[N,D]",
        lambda **given: given["input"] + 2 * given["rest"],
    ),
]
