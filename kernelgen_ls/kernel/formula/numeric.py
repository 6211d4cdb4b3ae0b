"""What each function of ``functions`` computes, with numpy: PyTorch's definitions in float64.

The parameters have the names that ``functions`` gives them. Only ``evaluation`` imports this, when it evaluates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kernelgen_ls.kernel.dtypes import find_dtype

Array = Any
"""An array, or a number that broadcasts like one."""
Axes = int | Sequence[int] | None

_erf = np.vectorize(math.erf, otypes=[np.float64])
_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-np.asarray(x, np.float64)))


def _silu(x: Array, beta: Array = 1.0) -> Array:
    return x * _sigmoid(beta * x)


def _gelu(x: Array, approximate: object = "none") -> Array:
    if approximate in ("tanh", True):
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    if approximate not in ("none", "erf", None, False):
        raise ValueError(f"gelu has no approximation {approximate!r}")
    return 0.5 * x * (1 + _erf(x / math.sqrt(2)))


def _softplus(x: Array, beta: Array = 1.0, threshold: Array = 20.0) -> Array:
    return np.where(x * beta > threshold, x, np.log1p(np.exp(np.minimum(x * beta, threshold))) / beta)


def _round(x: Array, decimals: int = 0) -> Array:
    return np.round(x, int(decimals))


def _add(x: Array, other: Array, alpha: Array = 1) -> Array:
    return _number(x) + alpha * _number(other)


def _sub(x: Array, other: Array, alpha: Array = 1) -> Array:
    return _number(x) - alpha * _number(other)


def _number(x: Array) -> Array:
    """Truth values as numbers: numpy neither subtracts nor negates them."""
    return x.astype(np.float64) if isinstance(x, np.ndarray | np.generic) and x.dtype.kind == "b" else x


def _div(x: Array, other: Array, rounding_mode: str | None = None) -> Array:
    result = np.divide(_number(x), np.asarray(_number(other), np.float64))
    if rounding_mode is None:
        return result
    return np.floor(result) if rounding_mode == "floor" else np.trunc(result)


def _pow(x: Array, exponent: Array) -> Array:
    return np.power(np.asarray(x, np.float64), exponent)


def _clamp(x: Array, min: Array = None, max: Array = None) -> Array:  # noqa: A002 (PyTorch's names of the parameters)
    x = x if min is None else np.maximum(x, min)
    return x if max is None else np.minimum(x, max)


def _truth(x: Array) -> Array:
    return np.asarray(x) != 0


def _invert(x: Array) -> Array:
    """The other truth value. Of a number nobody says whether its bits or its truth are meant."""
    if np.asarray(x).dtype.kind != "b":
        raise ValueError("whether a number's bits or its truth are inverted is not said")
    return ~np.asarray(x)


def _lgamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except ValueError:
        return math.inf
    except OverflowError:
        return math.inf


def _where(condition: Array, x: Array, other: Array) -> Array:
    return np.where(_truth(condition), x, other)


def _elu(x: Array, alpha: Array = 1.0) -> Array:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def _celu(x: Array, alpha: Array = 1.0) -> Array:
    return np.maximum(x, 0) + np.minimum(alpha * np.expm1(np.minimum(x, 0) / alpha), 0)


def _selu(x: Array) -> Array:
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return scale * _elu(x, alpha)


def _cast(x: Array, dtype: object) -> Array:
    found = find_dtype(str(dtype))
    if found is None:
        raise ValueError(f"{dtype!r} is no element type")
    if found.kind == "b":
        return _truth(x)
    if found.kind in "iu":
        return _integer(_number(np.asarray(x)), found.bits, found.kind == "i")
    if found.name == "bfloat16":
        return _to_bfloat16(np.asarray(x, np.float64))
    if found.kind != "f" or found.ml_dtypes or found.numpy is None:
        raise ValueError(f"a cast to {found.name} is not computed")
    return np.asarray(x).astype(found.numpy).astype(np.float64)


def _integer(x: Array, bits: int, is_signed: bool) -> Array:
    """Cut towards zero, and kept within what the type holds."""
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if is_signed else (0, 2**bits - 1)
    return np.clip(np.trunc(np.nan_to_num(np.asarray(x, np.float64), nan=0.0)), low, high)


def _to_bfloat16(x: Array) -> Array:
    """Rounded to 8 significant bits, to even; what exceeds the largest is infinite."""
    mantissa, exponent = np.frexp(x)
    # Below 2**-126 the numbers lie as far apart as just above it.
    bits = 8 - np.maximum(-125 - exponent, 0)
    rounded = np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits)
    largest = float.fromhex("0x1.fep127")
    return np.where(np.isfinite(x), np.where(np.abs(rounded) > largest, np.copysign(np.inf, x), rounded), x)


# Reductions


def _axes(dim: Axes | float) -> int | tuple[int, ...] | None:
    if dim is None:
        return None
    if isinstance(dim, int | float):
        return int(dim)
    return tuple(int(axis) for axis in dim)


def _reduction(function: Callable[..., Array]) -> Callable[..., Array]:
    def reduce(x: Array, dim: Axes = None, keepdim: bool = False) -> Array:
        return function(np.asarray(x), axis=_axes(dim), keepdims=bool(keepdim))

    return reduce


def _variance(
    x: Array, dim: Axes = None, correction: float | None = None, keepdim: bool = False, unbiased: bool = True
) -> Array:
    correction = float(bool(unbiased)) if correction is None else correction
    return np.var(np.asarray(x, np.float64), axis=_axes(dim), ddof=correction, keepdims=bool(keepdim))


def _standard(
    x: Array, dim: Axes = None, correction: float | None = None, keepdim: bool = False, unbiased: bool = True
) -> Array:
    return np.sqrt(_variance(x, dim, correction, keepdim, unbiased))


def _norm(
    x: Array,
    ord: float | str | None = 2,  # noqa: A002 (PyTorch's name of the parameter)
    dim: Axes = None,
    keepdim: bool = False,
    p: float | str | None = None,
) -> Array:
    order = ord if p is None else p
    order = 2.0 if order is None or order == "fro" else float(order)
    size, axis, keep = np.abs(x), _axes(dim), bool(keepdim)
    if order == math.inf:
        return np.max(size, axis=axis, keepdims=keep)
    if order == -math.inf:
        return np.min(size, axis=axis, keepdims=keep)
    if order == 0:
        return np.sum(size != 0, axis=axis, keepdims=keep)
    return np.sum(size**order, axis=axis, keepdims=keep) ** (1 / order)


def _logsumexp(x: Array, dim: Axes = None, keepdim: bool = False) -> Array:
    axis = _axes(dim)
    largest = np.max(x, axis=axis, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0)
    result = np.log(np.sum(np.exp(x - largest), axis=axis, keepdims=True)) + largest
    return result if keepdim else np.squeeze(result, axis)


def _softmax(x: Array, dim: int | None = -1) -> Array:
    axis = -1 if dim is None else int(dim)
    shifted = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return shifted / np.sum(shifted, axis=axis, keepdims=True)


def _log_softmax(x: Array, dim: int | None = -1) -> Array:
    axis = -1 if dim is None else int(dim)
    return x - _logsumexp(x, axis, True)


def _normalised(x: Array, axes: tuple[int, ...], eps: Array) -> Array:
    centred = x - np.mean(x, axis=axes, keepdims=True)
    return centred / np.sqrt(np.mean(centred**2, axis=axes, keepdims=True) + eps)


def _normalised_axes(normalized_shape: Any) -> tuple[int, ...]:
    count = len(normalized_shape) if isinstance(normalized_shape, tuple | list) else 1
    return tuple(range(-count, 0))


def _layer_norm(
    x: Array, normalized_shape: Any = None, weight: Array = None, bias: Array = None, eps: Array = 1e-5
) -> Array:
    result = _normalised(x, _normalised_axes(normalized_shape), eps)
    result = result if weight is None else result * weight
    return result if bias is None else result + bias


def _rms_norm(x: Array, normalized_shape: Any = None, weight: Array = None, eps: Array = 1e-6) -> Array:
    axes = _normalised_axes(normalized_shape)
    result = x / np.sqrt(np.mean(x**2, axis=axes, keepdims=True) + (1e-6 if eps is None else eps))
    return result if weight is None else result * weight


def _group_norm(x: Array, num_groups: int, weight: Array = None, bias: Array = None, eps: Array = 1e-5) -> Array:
    grouped = x.reshape(x.shape[0], int(num_groups), -1)
    result = _normalised(grouped, (-1,), eps).reshape(x.shape)
    channels = (1, -1, *(1 for _ in x.shape[2:]))
    result = result if weight is None else result * np.reshape(weight, channels)
    return result if bias is None else result + np.reshape(bias, channels)


def _normalize(x: Array, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Array:
    return x / np.maximum(_norm(x, p, dim, True), eps)


def _halves(x: Array, dim: int) -> tuple[Array, Array]:
    first, second = np.split(x, 2, axis=int(dim))
    return first, second


def _glu(x: Array, dim: int = -1) -> Array:
    first, second = _halves(x, dim)
    return first * _sigmoid(second)


def _swiglu(x: Array, dim: int = -1) -> Array:
    first, second = _halves(x, dim)
    return _silu(first) * second


def _geglu(x: Array, dim: int = -1) -> Array:
    first, second = _halves(x, dim)
    return _gelu(first) * second


# Shapes


def _whole(x: Array) -> Array:
    return np.asarray(x).astype(np.int64)


def _transpose(x: Array, dim0: int = -2, dim1: int = -1) -> Array:
    return np.swapaxes(x, int(dim0), int(dim1)) if np.ndim(x) > 1 else x


def _reshape(x: Array, shape: Any) -> Array:
    return np.reshape(x, tuple(int(size) for size in np.atleast_1d(shape)))


def _flatten(x: Array, start_dim: int = 0, end_dim: int = -1) -> Array:
    start, end = int(start_dim) % x.ndim, int(end_dim) % x.ndim
    return x.reshape(*x.shape[:start], -1, *x.shape[end + 1 :])


def _slice(x: Array, dim: int, start: int | None, end: int | None, step: int | None = None) -> Array:
    return _item(x, *[slice(None)] * (int(dim) % x.ndim), _range(start, end, step))


def _narrow(x: Array, dim: int, start: int, length: int) -> Array:
    return _slice(x, dim, start, int(start) + int(length))


def _chunk(x: Array, chunks: int, dim: int = 0) -> tuple[Array, ...]:
    return _split(x, -(-x.shape[int(dim)] // int(chunks)), dim)


def _split(x: Array, split_size: Any, dim: int = 0) -> tuple[Array, ...]:
    axis = int(dim)
    if isinstance(split_size, tuple | list):
        places = np.cumsum([int(size) for size in split_size])[:-1]
    else:
        places = np.arange(int(split_size), x.shape[axis], int(split_size))
    return tuple(np.split(x, places, axis=axis))


def _range(start: Any = None, end: Any = None, step: Any = None) -> slice:
    return slice(*(None if one is None else int(one) for one in (start, end, step)))


def _item(x: Any, *index: Any) -> Array:
    if isinstance(x, tuple):
        return x[index[0] if isinstance(index[0], slice) else int(index[0])]
    return x[tuple(_place(one) for one in index)]


def _replaced(x: Array, value: Array, *index: Any) -> Array:
    """The array with other values at some places."""
    changed = np.array(x, np.float64)
    changed[tuple(_place(one) for one in index)] = value
    return changed


def _place(one: Any) -> Any:
    if one is None or isinstance(one, slice):
        return one
    if isinstance(one, str):
        return Ellipsis
    if np.ndim(one) == 0:
        return int(one)
    return one if np.asarray(one).dtype.kind == "b" else _whole(one)


def _gather(x: Array, dim: int, index: Array) -> Array:
    return np.take_along_axis(x, _whole(index), int(dim))


def _index_select(x: Array, dim: int, index: Array) -> Array:
    return np.take(x, _whole(index), axis=int(dim))


def _take(x: Array, index: Array, dim: int | None = None) -> Array:
    return np.take(x, _whole(index), axis=None if dim is None else int(dim))


def _one_hot(x: Array, num_classes: int = -1) -> Array:
    index = _whole(x)
    count = int(num_classes) if num_classes > 0 else int(index.max()) + 1
    if index.size and (index.min() < 0 or index.max() >= count):
        raise ValueError("a class that one_hot does not have")
    return np.eye(count)[index]


def _repeat(x: Array, *repeats: Any) -> Array:
    return np.tile(x, tuple(int(one) for one in np.atleast_1d(repeats[0] if len(repeats) == 1 else repeats)))


def _expand(x: Array, shape: Any) -> Array:
    sizes = [int(size) for size in np.atleast_1d(shape)]
    kept = [1] * (len(sizes) - np.ndim(x)) + list(np.shape(x))
    return np.broadcast_to(x, tuple(old if size == -1 else size for size, old in zip(sizes, kept, strict=True)))


def _arange(start: float, end: float | None = None, step: float = 1) -> Array:
    return np.arange(0 if end is None else start, start if end is None else end, step, dtype=np.float64)


def _size(x: Array, dim: int | None = None) -> int:
    return int(np.size(x) if dim is None else np.shape(x)[int(dim)])


def _places(given: Any) -> Any:
    given = tuple(given.reshape(-1)) if isinstance(given, np.ndarray) else given
    return tuple(int(one) for one in given) if isinstance(given, tuple) else int(given)


def _squeeze(x: Array, dim: Axes = None) -> Array:
    """Axes of another length than one stay, as in PyTorch."""
    if dim is None:
        return np.squeeze(x)
    axes = _axes(dim)
    axes = axes if isinstance(axes, tuple) else (axes,)  # type: ignore[assignment] # no None is left
    return np.squeeze(x, tuple(axis for axis in axes if np.shape(x)[axis] == 1))  # type: ignore[union-attr] # nor here


def _binary(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    def apply(x: Array, other: Array) -> Array:
        return function(_number(x), _number(other))

    return apply


def _unary(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    def apply(x: Array) -> Array:
        return function(np.asarray(_number(x), np.float64))

    return apply


NUMERIC: Mapping[str, Callable[..., Any]] = {
    "abs": _unary(np.abs),
    "neg": lambda x: -_number(x),
    "exp": _unary(np.exp),
    "exp2": _unary(np.exp2),
    "expm1": _unary(np.expm1),
    "log": _unary(np.log),
    "log2": _unary(np.log2),
    "log10": _unary(np.log10),
    "log1p": _unary(np.log1p),
    "sqrt": _unary(np.sqrt),
    "rsqrt": _unary(lambda x: 1 / np.sqrt(x)),
    "reciprocal": _unary(lambda x: 1 / x),
    "square": _unary(np.square),
    "sign": _unary(np.sign),
    "floor": _unary(np.floor),
    "ceil": _unary(np.ceil),
    "trunc": _unary(np.trunc),
    "round": _round,
    "frac": _unary(lambda x: x - np.trunc(x)),
    "sin": _unary(np.sin),
    "cos": _unary(np.cos),
    "tan": _unary(np.tan),
    "asin": _unary(np.arcsin),
    "acos": _unary(np.arccos),
    "atan": _unary(np.arctan),
    "sinh": _unary(np.sinh),
    "cosh": _unary(np.cosh),
    "tanh": _unary(np.tanh),
    "asinh": _unary(np.arcsinh),
    "acosh": _unary(np.arccosh),
    "atanh": _unary(np.arctanh),
    "erf": _erf,
    "erfc": _erfc,
    "ndtr": lambda x: 0.5 * _erfc(-x / math.sqrt(2)),
    "lgamma": np.vectorize(_lgamma, otypes=[np.float64]),
    "logit": _unary(lambda x: np.log(x / (1 - x))),
    "sinc": _unary(np.sinc),
    "signbit": _unary(np.signbit),
    "isposinf": _unary(np.isposinf),
    "isneginf": _unary(np.isneginf),
    "invert": _invert,
    "xlogy": _binary(lambda x, other: np.where((x == 0) & ~np.isnan(other), 0.0, x * np.log(other))),
    "logaddexp": _binary(np.logaddexp),
    "logaddexp2": _binary(np.logaddexp2),
    "copysign": _binary(np.copysign),
    "heaviside": _binary(np.heaviside),
    "squared_difference": _binary(lambda x, other: (x - other) ** 2),
    "rsub": lambda x, other, alpha=1: _sub(other, x, alpha),
    "sigmoid": _sigmoid,
    "logsigmoid": lambda x: -np.logaddexp(0, -np.asarray(x, np.float64)),
    "silu": _silu,
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "gelu": _gelu,
    "quick_gelu": lambda x: x * _sigmoid(1.702 * x),
    "hardsigmoid": lambda x, alpha=1 / 6, beta=0.5: np.clip(alpha * x + beta, 0, 1),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hardtanh": lambda x, min_val=-1.0, max_val=1.0: np.clip(x, min_val, max_val),
    "hardshrink": lambda x, lambd=0.5: np.where(np.abs(x) > lambd, x, 0),
    "softshrink": lambda x, lambd=0.5: np.sign(x) * np.maximum(np.abs(x) - lambd, 0),
    "softplus": _softplus,
    "softsign": lambda x: x / (1 + np.abs(x)),
    "tanhshrink": lambda x: x - np.tanh(x),
    "mish": lambda x: x * np.tanh(np.logaddexp(0, x)),
    "selu": _selu,
    "elu": _elu,
    "celu": _celu,
    "leaky_relu": lambda x, negative_slope=0.01: np.where(x > 0, x, negative_slope * x),
    "prelu": lambda x, weight: np.where(x > 0, x, weight * x),
    "threshold": lambda x, threshold, value: np.where(x > threshold, x, value),
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "logical_not": lambda x: ~_truth(x),
    "add": _add,
    "sub": _sub,
    "mul": _binary(np.multiply),
    "div": _div,
    "floordiv": _binary(lambda x, other: np.floor(np.divide(x, np.asarray(other, np.float64)))),
    "remainder": _binary(np.remainder),
    "fmod": _binary(np.fmod),
    "pow": _pow,
    "atan2": _binary(np.arctan2),
    "hypot": _binary(np.hypot),
    "eq": lambda x, other: x == other,
    "ne": lambda x, other: x != other,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "logical_and": lambda x, other: _truth(x) & _truth(other),
    "logical_or": lambda x, other: _truth(x) | _truth(other),
    "logical_xor": lambda x, other: _truth(x) ^ _truth(other),
    "where": _where,
    "clamp": _clamp,
    "lerp": lambda x, end, weight: x + weight * (end - x),
    "addcmul": lambda x, tensor1, tensor2, value=1.0: x + value * tensor1 * tensor2,
    "addcdiv": lambda x, tensor1, tensor2, value=1.0: x + value * _div(tensor1, tensor2),
    "cast": _cast,
    "masked_fill": lambda x, mask, value: np.where(_truth(mask), value, x),
    "addmm": lambda x, mat1, mat2, beta=1, alpha=1: beta * x + alpha * np.matmul(mat1, mat2),
    "cross": lambda x, other, dim=-1: np.cross(x, other, axis=int(dim)),
    "nan_to_num": lambda x, nan=0.0, posinf=None, neginf=None: np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf),
    "maximum": _binary(np.maximum),
    "minimum": _binary(np.minimum),
    "sum": _reduction(np.sum),
    "mean": _reduction(np.mean),
    "prod": _reduction(np.prod),
    "amax": _reduction(np.max),
    "amin": _reduction(np.min),
    "argmax": _reduction(np.argmax),
    "argmin": _reduction(np.argmin),
    "any": _reduction(np.any),
    "all": _reduction(np.all),
    "var": _variance,
    "std": _standard,
    "norm": _norm,
    "logsumexp": _logsumexp,
    "softmax": _softmax,
    "log_softmax": _log_softmax,
    "softmin": lambda x, dim=-1: _softmax(-x, dim),
    "cumsum": lambda x, dim=-1: np.cumsum(x, axis=int(dim)),
    "cumprod": lambda x, dim=-1: np.cumprod(x, axis=int(dim)),
    "layer_norm": _layer_norm,
    "rms_norm": _rms_norm,
    "group_norm": _group_norm,
    "normalize": _normalize,
    "glu": _glu,
    "swiglu": _swiglu,
    "geglu": _geglu,
    "matmul": lambda x, other: np.matmul(_number(x), _number(other)),
    "outer": lambda x, other: np.multiply.outer(x, other),
    "transpose": _transpose,
    "permute": lambda x, dims: np.transpose(x, _axes(dims)),
    "reshape": _reshape,
    "flatten": _flatten,
    "squeeze": _squeeze,
    "unsqueeze": lambda x, dim: np.expand_dims(x, int(dim)),
    "expand": _expand,
    "repeat": _repeat,
    "flip": lambda x, dims: np.flip(x, _axes(dims)),
    "roll": lambda x, shifts, dim=None: np.roll(x, _places(shifts), None if dim is None else _places(dim)),
    "slice": _slice,
    "narrow": _narrow,
    "chunk": _chunk,
    "split": _split,
    "item": _item,
    "gather": _gather,
    "index_select": _index_select,
    "take": _take,
    "embedding": lambda index, weight: np.take(weight, _whole(index), axis=0),
    "one_hot": _one_hot,
    "tril": lambda x, diagonal=0: np.tril(x, int(diagonal)),
    "triu": lambda x, diagonal=0: np.triu(x, int(diagonal)),
    "zeros_like": np.zeros_like,
    "ones_like": np.ones_like,
    "full_like": lambda x, value: np.broadcast_to(np.asarray(value, np.float64), np.shape(x)),
    "full": lambda shape, value: np.full(_places(shape), value, np.float64),
    "arange": _arange,
    "zeros": lambda shape: np.zeros(_places(shape)),
    "ones": lambda shape: np.ones(_places(shape)),
    "size": _size,
    "rank": lambda x: int(np.ndim(x)),
    "shape": lambda x: tuple(np.shape(x)),
    "length": len,
    "repeat_interleave": lambda x, repeats, dim=None: np.repeat(
        x, _whole(repeats), axis=None if dim is None else int(dim)
    ),
    "masked_select": lambda x, mask: np.broadcast_to(x, np.broadcast_shapes(np.shape(x), np.shape(mask)))[
        np.broadcast_to(_truth(mask), np.broadcast_shapes(np.shape(x), np.shape(mask)))
    ],
    "replaced": _replaced,
    "cat": lambda *x, dim=0: np.concatenate(x, axis=int(dim)),
    "stack": lambda *x, dim=0: np.stack(x, axis=int(dim)),
    # Parts of an index and lists of numbers.
    "tuple": lambda *items: items,
    "range": _range,
}
"""What computes each function of ``functions.FUNCTIONS``."""
