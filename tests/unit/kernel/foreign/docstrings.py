"""Docstrings of torch functions in the numpy, Google and reST styles, as other people write them."""

import numpy as np

from tests.unit.kernel.foreign.foreign import Foreign, erf, rows, sigmoid, softmax

DOCSTRINGS = [
    Foreign(
        '''def soft_clip(x, low=-1.0, high=1.0):
    r"""Clips smoothly.

    .. math::
        \\text{out}_i = \\text{low} + (\\text{high} - \\text{low}) \\cdot \\sigma(x_i)

    Args:
        x (Tensor): the input tensor of float32.
        low (float, optional): lower bound. Default: -1.0
        high (float, optional): upper bound. Default: 1.0

    Returns:
        Tensor: out, the same shape as x.
    """
''',
        "SoftClip",
        "x:float32",
        "out:float32",
        lambda x, low, high: low + (high - low) * sigmoid(x),
        "low=-1.0 high=1.0",
    ),
    Foreign(
        '''def rms_norm_residual(x, residual, weight, eps=1e-6):
    """Add a residual and apply RMS normalisation.

    Parameters
    ----------
    x : torch.Tensor
        Activations, ``float16`` or ``float32``, shape ``(N, D)``.
    residual : torch.Tensor
        Residual stream, ``float16`` or ``float32``, shape ``(N, D)``.
    weight : torch.Tensor
        Gain, ``float16`` or ``float32``, shape ``(D,)``.
    eps : float, optional
        Added to the mean square.

    Returns
    -------
    y : torch.Tensor
        Normalised activations, ``float16`` or ``float32``, shape ``(N, D)``.
    h : torch.Tensor
        The sum, ``float16`` or ``float32``, shape ``(N, D)``.

    Notes
    -----
    .. math::

        h = x + residual

        y = \\frac{h}{\\sqrt{\\frac{1}{D} \\sum_{i=1}^{D} h_i^2 + eps}} \\cdot weight
    """
''',
        "RmsNormResidual",
        "x:float16|float32[N,D] residual:float16|float32[N,D] weight:float16|float32[D]",
        "y:float16|float32[N,D] h:float16|float32[N,D]",
        lambda x, residual, weight, eps: (
            (x + residual) / np.sqrt(rows(np.mean, (x + residual) ** 2) + eps) * weight,
            x + residual,
        ),
        "eps=1e-6",
    ),
    Foreign(
        '''def smooth_abs(x: torch.Tensor, mu: float = 0.1) -> torch.Tensor:
    """Smoothed absolute value.

    Computes :math:`y = \\sqrt{x^2 + \\mu^2} - \\mu` element-wise.

    :param x: operand of any shape (float32)
    :type x: torch.Tensor
    :param mu: width of the smoothed part
    :type mu: float
    :returns: y, a tensor like ``x``
    :rtype: torch.Tensor
    """
''',
        "SmoothAbs",
        "x:float32",
        "y:",
        lambda x, mu: np.sqrt(x * x + mu * mu) - mu,
        "mu=0.1",
    ),
    Foreign(
        '''def cosine_rows(a, b, eps=1e-8):
    r"""Cosine similarity of the rows of two matrices.

    .. math ::
        \\text{sim} = \\dfrac{\\sum_j a_j b_j}{\\max(\\sqrt{\\sum_j a_j^2} \\cdot \\sqrt{\\sum_j b_j^2}, \\epsilon)}

    Args:
        a (Tensor): float32 of shape :math:`(N, D)`
        b (Tensor): float32 of shape :math:`(N, D)`
        eps (float): small value to avoid division by zero

    Returns:
        sim (Tensor): float32 of shape :math:`(N)`
    """
''',
        "CosineRows",
        "a:float32[N,D] b:float32[N,D]",
        "sim:float32[N]",
        lambda a, b, eps: (a * b).sum(-1) / np.maximum(np.sqrt((a * a).sum(-1)) * np.sqrt((b * b).sum(-1)), eps),
        "eps=1e-8",
    ),
    Foreign(
        '''def hard_mish(x):
    r"""HardMish activation

    .. math::
        \\text{HardMish}(x) = \\frac{x}{2} \\cdot \\min(2, \\max(0, x + 2))

    Shape:
        - Input: :math:`(*)`, where :math:`*` means any number of dimensions.
        - Output: :math:`(*)`, same shape as the input.

    Supported dtypes: float16, float32.
    """
''',
        "HardMish",
        "x:float16|float32",
        "hardmish:float16|float32",
        lambda x: x / 2 * np.minimum(2, np.maximum(0, x + 2)),
    ),
    Foreign(
        '''def attention_weights(q, k, scale=0.25):
    """Scaled scores of one query against rows of keys, elementwise then softmax.

    Args:
        q: Tensor of shape [B, D], float32.
        k: Tensor of shape [B, D], float32.
        scale: Python float.

    Returns:
        Tensor of shape [B, D].

    Example::

        >>> attention_weights(q, k)
    """
    s = q * k * scale
    return torch.softmax(s, dim=-1)
''',
        "AttentionWeights",
        "q:float32[B,D] k:float32[B,D]",
        "out:float32[B,D]",
        lambda q, k, scale: softmax(q * k * scale),
        "scale=0.25",
    ),
    Foreign(
        '''def fake_quant(x, scale, zero_point, quant_min=-128, quant_max=127):
    r"""
    Quantises and dequantises.

    .. math::
        \\text{output} = (\\min(\\text{quant\\_max}, \\max(\\text{quant\\_min},
            \\text{round}(\\frac{x}{\\text{scale}}) + \\text{zero\\_point})) - \\text{zero\\_point})
            \\times \\text{scale}

    Args:
        x (Tensor): the values, in ``torch.float32``
        scale (Tensor): quantisation scale, in ``torch.float32``
        zero_point (Tensor): quantisation zero point, in ``torch.float32``
        quant_min (int): lower bound of the quantised domain
        quant_max (int): upper bound of the quantised domain

    Returns:
        output (Tensor): the values again, in ``torch.float32``
    """
''',
        "FakeQuant",
        "x:float32 scale:float32 zero_point:float32",
        "output:float32",
        lambda x, scale, zero_point, quant_min, quant_max: (
            (np.minimum(quant_max, np.maximum(quant_min, np.rint(x / scale) + zero_point)) - zero_point) * scale
        ),
        "quant_min=-128 quant_max=127",
        positive=("scale",),
    ),
    Foreign(
        '''class GluTanh(torch.nn.Module):
    """Gated tanh unit: ``y = tanh(a) * sigmoid(b)``.

    Inputs:
        a (float16 tensor, [N, C])
        b (float16 tensor, [N, C])
    """

    def forward(self, a, b):
        return torch.tanh(a) * torch.sigmoid(b)
''',
        "GluTanh",
        "a:float16[N,C] b:float16[N,C]",
        "y:float16",
        lambda a, b: np.tanh(a) * sigmoid(b),
    ),
    Foreign(
        '''def pick_rows(weight: Tensor, index: Tensor) -> Tensor:
    r"""Rows of a matrix by index.

    .. math:: \\text{out}_{ij} = \\text{weight}_{\\text{index}_i j}

    Parameters
    ----------
    weight : Tensor of float16, shape (V, D)
        the table
    index : Tensor of int32, shape (T,)
        which rows

    Returns
    -------
    out : Tensor of float16, shape (T, D)
    """
''',
        "PickRows",
        "weight:float16[V,D] index:int32[T]",
        "out:float16[T,D]",
        lambda weight, index: weight[index.astype(int)],
        shapes={"index": (5,)},
        indices={"index": 3},
    ),
    Foreign(
        '''def gaussian_nll(x, target, var, eps=1e-6):
    r"""Gaussian negative log likelihood, elementwise

    .. math::
        \\text{loss} = \\frac{1}{2}\\left(\\log\\left(\\max\\left(\\text{var}, \\text{eps}\\right)\\right)
            + \\frac{\\left(x - \\text{target}\\right)^2}{\\max\\left(\\text{var}, \\text{eps}\\right)}\\right)

    Args:
        x: float32 tensor
        target: float32 tensor
        var: float32 tensor of variances
        eps (float, optional): clamp. Default: ``1e-6``
    """
''',
        "GaussianNll",
        "x:float32 target:float32 var:float32",
        "loss:float32",
        lambda x, target, var, eps: 0.5 * (np.log(np.maximum(var, eps)) + (x - target) ** 2 / np.maximum(var, eps)),
        "eps=1e-6",
        positive=("var",),
    ),
    Foreign(
        '''def normal_cdf_pdf(x):
    r"""Distribution and density of the standard normal at x.

    .. math::
        \\begin{aligned}
        \\text{cdf} &= \\frac{1}{2}\\left[1 + \\operatorname{erf}\\left(\\frac{x}{\\sqrt{2}}\\right)\\right] \\\\
        \\text{pdf} &= \\frac{1}{\\sqrt{2\\pi}} e^{-\\frac{x^2}{2}}
        \\end{aligned}

    :param Tensor x: float32 values
    :return: tuple of (cdf, pdf), both float32
    """
''',
        "NormalCdfPdf",
        "x:float32",
        "cdf:float32 pdf:float32",
        lambda x: (0.5 * (1 + erf(x / np.sqrt(2))), np.exp(-x * x / 2) / np.sqrt(2 * np.pi)),
    ),
    Foreign(
        '''def masked_mean(x, mask):
    """Mean of the unmasked values of each row.

    ``out = sum(x * mask, dim=-1) / sum(mask, dim=-1)``

    Arguments:
        x (torch.FloatTensor): values [batch, length]
        mask (torch.FloatTensor): ones and zeros [batch, length]

    Return:
        out (torch.FloatTensor): means [batch]
    """
''',
        "MaskedMean",
        "x:float32[batch,length] mask:float32[batch,length]",
        "out:float32[batch]",
        lambda x, mask: (x * mask).sum(-1) / mask.sum(-1),
        positive=("mask",),
    ),
]
