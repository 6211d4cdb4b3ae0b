"""msopgen JSON with a formula beside it, as other people write them."""

import numpy as np

from tests.unit.kernel.foreign.foreign import Foreign, rows, sigmoid, softmax

DEFINITIONS = [
    Foreign(
        """// y = x * scale + shift
[
  {
    "op": "ScaleShift",
    "language": "cpp",
    "input_desc": [
      {"name": "x", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]},
      {"name": "shift", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}
    ],
    "output_desc": [{"name": "y", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}],
    "attr": [{"name": "scale", "param_type": "optional", "type": "float", "default_value": "3.0"}]
  }
]
""",
        "ScaleShift",
        "x:float16|float32 shift:float16|float32",
        "y:float16|float32",
        lambda x, shift, scale: x * scale + shift,
        "scale=3.0",
    ),
    Foreign(
        """# formula: z = tanh(x) - y * y
[{"op": "TanhSubSquare",
  "input_desc": [{"name": "x", "param_type": "required", "format": ["ND"], "type": ["float"]},
                 {"name": "y", "param_type": "required", "format": ["ND"], "type": ["float"]}],
  "output_desc": [{"name": "z", "param_type": "required", "format": ["ND"], "type": ["float"]}]}]
""",
        "TanhSubSquare",
        "x:float32 y:float32",
        "z:float32",
        lambda x, y: np.tanh(x) - y * y,
    ),
    Foreign(
        """[{
  "op": "RmsGamma",
  "desc": "Root mean square normalisation: y = x / sqrt(mean(x^2) + eps) * gamma",
  "input_desc": [{"name": "x", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]},
    {"name": "gamma", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}],
  "output_desc": [{"name": "y", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}],
  "attr": [{"name": "eps", "param_type": "optional", "type": "float", "default_value": 1e-6}]
}]
""",
        "RmsGamma",
        "x:float16|float32 gamma:float16|float32",
        "y:float16|float32",
        lambda x, gamma, eps: x / np.sqrt(rows(np.mean, x * x) + eps) * gamma,
        "eps=1e-6",
        shapes={"gamma": (8,)},
    ),
    Foreign(
        """[{
  "op": "SoftmaxScaled",
  "formula": "y = softmax(x * alpha, dim=-1)",
  "input_desc": [{"name": "x", "shape": [-1, 512], "param_type": "required", "format": ["ND"], "type": ["float"]}],
  "output_desc": [{"name": "y", "shape": [-1, 512], "param_type": "required", "format": ["ND"], "type": ["float"]}],
  "attr": [{"name": "alpha", "type": "float", "param_type": "optional", "default_value": "0.125"}]
}]
""",
        "SoftmaxScaled",
        "x:float32[-1,512]",
        "y:float32[-1,512]",
        lambda x, alpha: softmax(x * alpha),
        "alpha=0.125",
    ),
    Foreign(
        """/*
 * Quantises with a fixed scale.
 * q = cast(clamp(round(x * inv_scale), -128, 127), int8)
 */
{
  "op": "QuantFixed",
  "input_desc": [{"name": "x", "param_type": "required", "format": ["ND"], "type": ["fp16"]}],
  "output_desc": [{"name": "q", "param_type": "required", "format": ["ND"], "type": ["int8"]}],
  "attr": [{"name": "inv_scale", "param_type": "required", "type": "float", "default_value": 16.0}]
}
""",
        "QuantFixed",
        "x:float16",
        "q:int8",
        lambda x, inv_scale: np.clip(np.rint(x * inv_scale), -128, 127),
        "inv_scale=16.0",
    ),
    Foreign(
        """[{
  "op": "RowSumMax",
  "description": "每行求和与最大值：s = sum(x, dim=-1)；m = max(x, dim=-1)",
  "input_desc": [{"name": "x", "param_type": "required", "format": ["ND"], "type": ["float"]}],
  "output_desc": [{"name": "s", "param_type": "required", "format": ["ND"], "type": ["float"]},
    {"name": "m", "param_type": "required", "format": ["ND"], "type": ["float"]}]
}]
""",
        "RowSumMax",
        "x:float32",
        "s:float32 m:float32",
        lambda x: (x.sum(-1), x.max(-1)),
    ),
    Foreign(
        """[{"op": "GateMul",
  "input_desc": [
    {"name": "x", "param_type": "required", "format": ["ND"], "type": ["bf16"]},   // [M, N]
    {"name": "gate", "param_type": "required", "format": ["ND"], "type": ["bf16"]} // [M, N]
  ],
  "output_desc": [
    {"name": "y", "param_type": "required", "format": ["ND"], "type": ["bf16"]}    // y = x * sigmoid(gate)
  ]}]
""",
        "GateMul",
        "x:bfloat16 gate:bfloat16",
        "y:bfloat16",
        lambda x, gate: x * sigmoid(gate),
    ),
    Foreign(
        """[{
  "op": "SelectGreater",
  "input_desc": [{"name": "a", "param_type": "required", "format": ["ND"], "type": ["float"]},
    {"name": "b", "param_type": "required", "format": ["ND"], "type": ["float"]}],
  "output_desc": [{"name": "c", "param_type": "required", "format": ["ND"], "type": ["float"]}],
  "attr": []
}]
""",
        "SelectGreater",
        "a:float32 b:float32",
        "c:float32",
        lambda a, b: np.where(a > b, a - b, 0),
        extra={
            "README.md": "# SelectGreater\n\nElement-wise: `c = a - b` where a is greater, otherwise 0.\n\n"
            "```\nc = where(a > b, a - b, 0)\n```\n"
        },
    ),
    Foreign(
        """[{
  "op": "TakeRows",
  "desc": "out = table[idx]",
  "input_desc": [
    {"name": "table", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]},
    {"name": "idx", "param_type": "required", "format": ["ND", "ND"], "type": ["int32", "int32"]}
  ],
  "output_desc": [{"name": "out", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}]
}]
""",
        "TakeRows",
        "table:float16|float32 idx:int32",
        "out:float16|float32",
        lambda table, idx: table[idx.astype(int)],
        shapes={"idx": (4,)},
        indices={"idx": 3},
    ),
    Foreign(
        """[{
  "op": "DequantAdd",
  "comment": "y = x.astype(float16) * deq_scale + residual",
  "input_desc": [
    {"name": "x", "param_type": "required", "format": ["ND"], "type": ["int32"]},
    {"name": "deq_scale", "param_type": "required", "format": ["ND"], "type": ["fp16"]},
    {"name": "residual", "param_type": "optional", "format": ["ND"], "type": ["fp16"]}
  ],
  "output_desc": [{"name": "y", "param_type": "required", "format": ["ND"], "type": ["fp16"]}]
}]
""",
        "DequantAdd",
        "x:int32 deq_scale:float16 residual:float16",
        "y:float16",
        lambda x, deq_scale, residual: x.astype(np.float16) * deq_scale.astype(np.float64) + residual,
        shapes={"deq_scale": (8,)},
    ),
    Foreign(
        """[{
  "op": "NormPair",
  "input_desc": [{"name": "x", "param_type": "required", "format": ["ND"], "type": ["float"], "desc": "the operand"}],
  "output_desc": [
    {"name": "y", "param_type": "required", "format": ["ND"], "type": ["float"], "desc": "y = (x - mu) * rstd"},
    {"name": "mu", "format": ["ND"], "type": ["float"], "desc": "mu = mean(x, dim=-1, keepdim=True)"},
    {"name": "rstd", "format": ["ND"], "type": ["float"],
     "desc": "rstd = 1 / sqrt(var(x, dim=-1, correction=0, keepdim=True) + eps)"}
  ],
  "attr": [{"name": "eps", "param_type": "optional", "type": "float", "default_value": "0.001"}]
}]
""",
        "NormPair",
        "x:float32",
        "y:float32 mu:float32 rstd:float32",
        lambda x, eps: (
            (x - rows(np.mean, x)) / np.sqrt(rows(np.var, x) + eps),
            rows(np.mean, x),
            1 / np.sqrt(rows(np.var, x) + eps),
        ),
        "eps=0.001",
    ),
    Foreign(
        """{
  "op": "LeakyAdd",
  "input_desc": [{"name": "x1", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]},
    {"name": "x2", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}],
  "output_desc": [{"name": "y", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}],
  "attr": [{"name": "slope", "param_type": "optional", "type": "float", "default_value": "0.1"}],
  "notes": ["s = x1 + x2", "y = max(s, 0) + slope * min(s, 0)"]
}
""",
        "LeakyAdd",
        "x1:float16|float32 x2:float16|float32",
        "y:float16|float32",
        lambda x1, x2, slope: np.maximum(x1 + x2, 0) + slope * np.minimum(x1 + x2, 0),
        "slope=0.1",
    ),
]
