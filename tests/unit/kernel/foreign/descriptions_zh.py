"""api_desc.md in Chinese, as other people write them."""

import numpy as np

from tests.unit.kernel.foreign.foreign import Foreign, rows, sigmoid, softmax

DESCRIPTIONS_ZH = [
    Foreign(
        """# AddReluScale 算子

## 1. 功能说明

对两个输入张量求和，经过 ReLU 激活后乘以标量 `alpha`。

公式如下：

$$
out = \\alpha \\cdot \\max(x_1 + x_2, 0)
$$

## 2. 参数说明

| 参数名 | 类别 | 数据类型 | 形状 | 说明 |
|:------|:----|:--------|:-----|:-----|
| x1 | 输入 | float16、float32 | [M, N] | 第一个加数 |
| x2 | 输入 | float16、float32 | [M, N] | 第二个加数 |
| alpha | 属性 | float | - | 缩放系数，默认值为 1.5 |
| out | 输出 | float16、float32 | [M, N] | 计算结果 |
""",
        "AddReluScale",
        "x1:float16|float32[M,N] x2:float16|float32[M,N]",
        "out:float16|float32[M,N]",
        lambda x1, x2, alpha: alpha * np.maximum(x1 + x2, 0),
        "alpha=1.5",
    ),
    Foreign(
        """# aclnnRowSoftmaxMask

## 支持的产品型号

- Atlas A2 训练系列产品

## 功能描述

- 算子功能：对输入加上掩码后，在最后一维做 softmax。
- 计算公式：

  $$
  s_{ij} = x_{ij} + mask_{ij}
  $$

  $$
  y_{ij} = \\frac{\\exp(s_{ij} - \\max_k s_{ik})}{\\sum_{k} \\exp(s_{ik} - \\max_l s_{il})}
  $$

## 参数说明

- x（aclTensor*，计算输入）：数据类型支持 FLOAT16、BFLOAT16，shape 为 [B, S]，数据格式支持 ND。
- mask（aclTensor*，计算输入）：数据类型支持 FLOAT16、BFLOAT16，shape 为 [B, S]，数据格式支持 ND。
- y（aclTensor*，计算输出）：数据类型支持 FLOAT16、BFLOAT16，shape 为 [B, S]，数据格式支持 ND。
""",
        "RowSoftmaxMask",
        "x:float16|bfloat16[B,S] mask:float16|bfloat16[B,S]",
        "y:float16|bfloat16[B,S]",
        lambda x, mask: softmax(x + mask),
    ),
    Foreign(
        """# 层归一化（LayerNormAffine）

**功能**：对最后一个维度做层归一化。

**公式**：

$$\\mu = \\frac{1}{D}\\sum_{i=1}^{D} x_i$$

$$\\sigma^2 = \\frac{1}{D}\\sum_{i=1}^{D}(x_i-\\mu)^2$$

$$y_i = \\gamma_i \\frac{x_i-\\mu}{\\sqrt{\\sigma^2+\\epsilon}} + \\beta_i$$

**输入**

- `x`：Tensor，float32，形状 `[N, D]`
- `gamma`：Tensor，float32，形状 `[D]`
- `beta`：Tensor，float32，形状 `[D]`

**输出**

- `y`：Tensor，float32，形状 `[N, D]`

**属性**

- `epsilon`：float，默认 `1e-5`
""",
        "LayerNormAffine",
        "x:float32[N,D] gamma:float32[D] beta:float32[D]",
        "y:float32[N,D]",
        lambda x, gamma, beta, epsilon: gamma * (x - rows(np.mean, x)) / np.sqrt(rows(np.var, x) + epsilon) + beta,
        "epsilon=1e-5",
    ),
    Foreign(
        """# 算子名称：MaskedSigmoidMul

## 算子描述
根据条件选择：当 cond 为真时取 sigmoid(a)，否则取 b，再乘以 c。

## 数学表达式
```
y = where(cond, sigmoid(a), b) * c
```

## 输入
1. cond: bool，[N, 64]
2. a: float16，[N, 64]
3. b: float16，[N, 64]
4. c: float16，[N, 64]

## 输出
1. y: float16，[N, 64]
""",
        "MaskedSigmoidMul",
        "cond:bool[N,64] a:float16[N,64] b:float16[N,64] c:float16[N,64]",
        "y:float16[N,64]",
        lambda cond, a, b, c: np.where(cond, sigmoid(a), b) * c,
    ),
    Foreign(
        """# PerTokenQuant

## 功能

按行（token）做动态对称量化：

1. 求每行绝对值的最大值：`amax = max(|x|)`
2. `scale = amax / 127`
3. `y = round(x / scale)`，并转换为 int8

## 接口

```python
def per_token_quant(x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    amax = x.abs().amax(dim=-1, keepdim=True)
    scale = amax / 127.0
    y = torch.round(x / scale).to(torch.int8)
    return y, scale
```

### 输入

| 名称 | 类型 | 维度 |
| ---- | ---- | ---- |
| x | float16 / bfloat16 | (T, H) |

### 输出

| 名称 | 类型 | 维度 |
| ---- | ---- | ---- |
| y | int8 | (T, H) |
| scale | float32 | (T, 1) |
""",
        "PerTokenQuant",
        "x:float16|bfloat16[T,H]",
        "y:int8[T,H] scale:float32[T,1]",
        lambda x: (np.rint(x / (rows(np.max, np.abs(x)) / 127)), rows(np.max, np.abs(x)) / 127),
    ),
    Foreign(
        """# Huber 损失逐元素版 HuberElem

## 功能描述

计算公式：

$$
loss = \\begin{cases}
\\frac{1}{2} (x-t)^2, & |x-t| \\le \\delta \\\\
\\delta \\left( |x-t| - \\frac{1}{2}\\delta \\right), & \\text{其他}
\\end{cases}
$$

## 输入输出

| 参数 | 输入/输出/属性 | 数据类型 | 是否必选 | 描述 |
| --- | --- | --- | --- | --- |
| x | 输入 | FLOAT | 必选 | 预测值 |
| t | 输入 | FLOAT | 必选 | 目标值 |
| delta | 属性 | FLOAT | 可选 | 阈值，默认为1.0 |
| loss | 输出 | FLOAT | 必选 | 损失 |
""",
        "HuberElem",
        "x:float32 t:float32",
        "loss:float32",
        lambda x, t, delta: np.where(np.abs(x - t) <= delta, 0.5 * (x - t) ** 2, delta * (np.abs(x - t) - 0.5 * delta)),
        "delta=1.0",
    ),
    Foreign(
        """# RowL2Norm

## 功能描述
按最后一维计算 L2 范数并归一化。

## 计算公式
$norm = \\sqrt{\\sum_{j=0}^{N-1} x_{ij}^2}$，$y_{ij} = x_{ij} / \\max(norm, eps)$

## 支持的数据类型
- torch.float16
- torch.float32

## 接口定义
```python
def row_l2_norm(x, eps=1e-12):
    '''
    Args:
        x (Tensor): 输入张量，形状 [M, N]
        eps (float): 防止除零
    Returns:
        y (Tensor): 归一化结果，形状 [M, N]
    '''
```
""",
        "RowL2Norm",
        "x:float16|float32[M,N]",
        "y:float16|float32[M,N]",
        lambda x, eps: x / np.maximum(np.sqrt(rows(np.sum, x * x)), eps),
        "eps=1e-12",
    ),
    Foreign(
        """# 反量化算子 DequantPerChannel

### 一、功能
将 int8 权重按通道反量化为半精度浮点。

### 二、公式
y[i][j] = (x[i][j] - offset[j]) * scale[j]

### 三、输入
x：int8，shape=[K, N]
offset：float16，shape=[N]
scale：float16，shape=[N]

### 四、输出
y：float16，shape=[K, N]
""",
        "DequantPerChannel",
        "x:int8[K,N] offset:float16[N] scale:float16[N]",
        "y:float16[K,N]",
        lambda x, offset, scale: (x - offset) * scale,
        shapes={"offset": (8,), "scale": (8,)},
    ),
    Foreign(
        """# IndexRows

## 功能
从 `data` 的第 0 维按 `idx` 取行，并加上 `pos`。

公式：$y_{i,:} = data_{idx_i,:} + pos_{i,:}$

## 输入
* `data` (float32) : shape `(V, D)`
* `idx` (int32) : shape `(L,)`
* `pos` (float32) : shape `(L, D)`

## 输出
* `y` (float32) : shape `(L, D)`
""",
        "IndexRows",
        "data:float32[V,D] idx:int32[L] pos:float32[L,D]",
        "y:float32[L,D]",
        lambda data, idx, pos: data[idx.astype(int)] + pos,
        shapes={"idx": (3,), "data": (5, 8)},
        indices={"idx": 5},
    ),
    Foreign(
        """# SumAbsMean

> 归约类算子，最后一轴

功能说明：同时输出每行绝对值之和与每行均值。

计算公式：

$$
a_i = \\sum_{j} |x_{ij}|, \\qquad m_i = \\frac{1}{N} \\sum_{j=1}^{N} x_{ij}
$$

输入说明：

- **x** (*Tensor*)：数据类型为 float32，形状为 (M, N)。

输出说明：

- **a** (*Tensor*)：数据类型为 float32，形状为 (M,)。
- **m** (*Tensor*)：数据类型为 float32，形状为 (M,)。
""",
        "SumAbsMean",
        "x:float32[M,N]",
        "a:float32[M] m:float32[M]",
        lambda x: (np.abs(x).sum(-1), x.mean(-1)),
    ),
    Foreign(
        """# ExpLogPow（指数对数混合）

## 功能描述
对每个元素计算：先取 `exp(-x)`，再加 1 取自然对数，最后乘以 `w` 的 `p` 次方。

数学公式：

    y = ln(1 + exp(-x)) * w^p

## 输入参数
- x：必选，float32，任意形状 ND
- w：必选，float32，与 x 同形状

## 属性
- p：float，可选，默认值：2.0

## 输出参数
- y：float32，与 x 同形状
""",
        "ExpLogPow",
        "x:float32 w:float32",
        "y:float32",
        lambda x, w, p: np.log(1 + np.exp(-x)) * w**p,
        "p=2.0",
    ),
    Foreign(
        """# Bf16ToFp32Sub

## 功能

把两个 bfloat16 输入提升为 float32 后相减：

$$z = \\mathrm{float32}(x) - \\mathrm{float32}(y)$$

## 输入

x: bfloat16 张量，形状 [64, 128]；y: bfloat16 张量，形状 [64, 128]

## 输出

z: float32 张量，形状 [64, 128]
""",
        "Bf16ToFp32Sub",
        "x:bfloat16[64,128] y:bfloat16[64,128]",
        "z:float32[64,128]",
        lambda x, y: x - y,
    ),
]
