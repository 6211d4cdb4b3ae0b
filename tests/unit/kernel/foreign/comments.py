"""Comments above entry functions, as other people write them."""

import numpy as np

from tests.unit.kernel.foreign.foreign import Foreign, erf, rows, sigmoid, softmax


def entry(comment: str, signature: str) -> str:
    return f'#include "kernel_operator.h"\n\n{comment}\nextern "C" __global__ __aicore__ void {signature} {{}}\n'


COMMENTS = [
    Foreign(
        entry(
            """/**
 * @brief  Scaled residual: out = alpha * x + residual
 * @param[in]  x         half, shape (B, H)
 * @param[in]  residual  half, shape (B, H)
 * @param[in]  alpha     float attribute, default 0.5
 * @param[out] out       half, shape (B, H)
 */""",
            "scaled_residual(GM_ADDR x, GM_ADDR residual, GM_ADDR out, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "ScaledResidual",
        "x:float16[B,H] residual:float16[B,H]",
        "out:float16[B,H]",
        lambda x, residual, alpha: alpha * x + residual,
        "alpha=0.5",
    ),
    Foreign(
        entry(
            """// HardClampSquare
//   y[i] = clamp(x[i] * x[i], lo, hi)
//
// Inputs:
//   x : float32, any shape
// Outputs:
//   y : float32, same shape as x
// Attributes:
//   lo : float, default 0.25
//   hi : float, default 4.0""",
            "hard_clamp_square(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "HardClampSquare",
        "x:float32",
        "y:float32",
        lambda x, lo, hi: np.clip(x * x, lo, hi),
        "lo=0.25 hi=4.0",
    ),
    Foreign(
        entry(
            """/*
 算子功能：带残差的 RMS 归一化
 计算公式：
     t = x + r
     y = t / sqrt(mean(t * t, dim=-1, keepdim=True) + eps) * g
 输入：
     x  (float16/float32)  [N, D]
     r  (float16/float32)  [N, D]
     g  (float16/float32)  [D]
 输出：
     y  (float16/float32)  [N, D]
     t  (float16/float32)  [N, D]
 属性：
     eps (float) 默认 1e-6
*/""",
            "res_rms(GM_ADDR x, GM_ADDR r, GM_ADDR g, GM_ADDR y, GM_ADDR t, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "ResRms",
        "x:float16|float32[N,D] r:float16|float32[N,D] g:float16|float32[D]",
        "y:float16|float32[N,D] t:float16|float32[N,D]",
        lambda x, r, g, eps: ((x + r) / np.sqrt(rows(np.mean, (x + r) ** 2) + eps) * g, x + r),
        "eps=1e-6",
    ),
    Foreign(
        entry(
            """//! Row-wise softmax with temperature.
//!
//! y = softmax(x / temperature) along the last dimension
//!
//! x: fp16 or bf16, [batch, seq]
//! y: same type and shape as x
//! temperature: float, defaults to 2.0""",
            "temp_softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "TempSoftmax",
        "x:float16|bfloat16[batch,seq]",
        "y:float16|bfloat16[batch,seq]",
        lambda x, temperature: softmax(x / temperature),
        "temperature=2.0",
    ),
    Foreign(
        entry(
            """// 功能: 逐元素计算 z = (x - y) ^ 2 / (|x| + |y| + 1)
// 输入: x, y  数据类型 float32, 形状 [32, 777]
// 输出: z     数据类型 float32, 形状 [32, 777]""",
            "canberra_like(GM_ADDR x, GM_ADDR y, GM_ADDR z)",
        ),
        "CanberraLike",
        "x:float32[32,777] y:float32[32,777]",
        "z:float32[32,777]",
        lambda x, y: (x - y) ** 2 / (np.abs(x) + np.abs(y) + 1),
    ),
    Foreign(
        entry(
            """/*!
 * \\brief Symmetric int8 quantisation of each element.
 *
 *   q = cast(clip(round(x / scale), -128, 127), int8)
 *
 * \\param x     [in]  tensor<half>   (M, K)
 * \\param scale [in]  tensor<float>  (1)
 * \\param q     [out] tensor<int8_t> (M, K)
 */""",
            "sym_quant(GM_ADDR x, GM_ADDR scale, GM_ADDR q, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "SymQuant",
        "x:float16[M,K] scale:float32[1]",
        "q:int8[M,K]",
        lambda x, scale: np.clip(np.rint(x / scale), -128, 127),
        positive=("scale",),
        shapes={"scale": (1,)},
    ),
    Foreign(
        entry(
            """// Op:      DequantBias
// Math:    y = float(x) * scale + bias
// Input 0: x     int32   [M, N]
// Input 1: scale float32 [N]
// Input 2: bias  float32 [N]
// Output0: y     float16 [M, N]""",
            "dequant_bias(GM_ADDR x, GM_ADDR scale, GM_ADDR bias, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "DequantBias",
        "x:int32[M,N] scale:float32[N] bias:float32[N]",
        "y:float16[M,N]",
        lambda x, scale, bias: x * scale + bias,
        shapes={"scale": (8,), "bias": (8,)},
    ),
    Foreign(
        entry(
            """/* Embedding lookup
 *
 * out = table[ids]
 *
 * table : half  [V, D]
 * ids   : int32 [T]
 * out   : half  [T, D]
 */""",
            "lookup_rows(GM_ADDR table, GM_ADDR ids, GM_ADDR out, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "LookupRows",
        "table:float16[V,D] ids:int32[T]",
        "out:float16[T,D]",
        lambda table, ids: table[ids.astype(int)],
        shapes={"ids": (5,)},
        indices={"ids": 3},
    ),
    Foreign(
        entry(
            """// 计算每行的均值和方差（总体方差）
//   mean = 1/N * Σ x
//   var  = 1/N * Σ (x - mean)^2
// 参数:
//   x    [in]  : float, [M, N]
//   mean [out] : float, [M]
//   var  [out] : float, [M]""",
            "row_stats(GM_ADDR x, GM_ADDR mean, GM_ADDR var, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "RowStats",
        "x:float32[M,N]",
        "mean:float32[M] var:float32[M]",
        lambda x: (x.mean(-1), x.var(-1)),
    ),
    Foreign(
        entry(
            """/**
 * GELU (exact, erf version) followed by a per-channel scale.
 *
 * Formula:  y = 0.5 * x * (1 + erf(x / sqrt(2))) * s
 *
 * @param x  GM address of the input, fp32, shape [R, C]
 * @param s  GM address of the scale, fp32, shape [C]
 * @param y  GM address of the output, fp32, shape [R, C]
 * @param workspace  user workspace
 * @param tiling     tiling data
 */""",
            "gelu_scale(GM_ADDR x, GM_ADDR s, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "GeluScale",
        "x:float32[R,C] s:float32[C]",
        "y:float32[R,C]",
        lambda x, s: 0.5 * x * (1 + erf(x / np.sqrt(2))) * s,
        shapes={"s": (8,)},
    ),
    Foreign(
        entry(
            """// gate * up, fused
// for each element i:
//     y[i] = gate[i] / (1 + exp(-gate[i])) * up[i]
// dtypes: half, bfloat16, float
// shapes: gate, up, y all [rows, cols]""",
            "swish_gate(GM_ADDR gate, GM_ADDR up, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "SwishGate",
        "gate:float16|bfloat16|float32[rows,cols] up:float16|bfloat16|float32[rows,cols]",
        "y:float16|bfloat16|float32[rows,cols]",
        lambda gate, up: gate * sigmoid(gate) * up,
    ),
    Foreign(
        entry(
            """/*
 * 【算子】类型转换并缩放
 * 【公式】y = (float)x × k，k 为属性，缺省值 0.125
 * 【输入】x：int16，ND
 * 【输出】y：float32，ND
 */""",
            "cast_scale(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)",
        ),
        "CastScale",
        "x:int16",
        "y:float32",
        lambda x, k: x * k,
        "k=0.125",
    ),
]
