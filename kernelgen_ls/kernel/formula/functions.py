"""THE table of what a formula can call: each function's one name, its parameters, and what else it is called.

Names, order of parameters and defaults are PyTorch's; the other names are numpy's, ONNX's and those of papers.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen


@frozen
class Function:
    """``operands`` is the number of leading parameters that must be given; the others are options.

    ``many``: the operands are a list, or as many as are written (``cat``, ``maximum``).
    """

    name: str
    parameters: tuple[str, ...]
    operands: int
    aliases: tuple[str, ...] = ()
    positional: int = 0
    """How many of the parameters can be given by their place."""
    many: bool = False
    reduces: bool = False
    """Whether it gives one number for all elements along ``dim``."""


def _functions(text: str, *, many: bool = False, reduces: bool = False) -> list[Function]:
    """Read lines ``name other names: operands = options * options that are given by name alone``."""
    found = []
    for line in text.strip().splitlines():
        names, _, written = line.partition(":")
        name, *aliases = names.split()
        operands, _, options = written.partition("=")
        required = tuple(operands.split())
        by_place, _, by_name = options.partition("*")
        placed = required + tuple(by_place.split())
        parameters = placed + tuple(by_name.split())
        found.append(Function(name, parameters, len(required), tuple(aliases), len(placed), many, reduces))
    return found


_ELEMENTWISE = """
abs absolute fabs absval: x
neg negative: x
exp: x
exp2: x
expm1: x
log ln log_e: x
log2: x
log10 lg: x
log1p: x
sqrt: x
rsqrt: x
reciprocal recip inv: x
square: x
sign sgn signum: x
floor: x
ceil ceiling: x
trunc fix: x
round rint: x = * decimals
frac: x
sin: x
cos: x
tan: x
asin arcsin: x
acos arccos: x
atan arctan: x
sinh: x
cosh: x
tanh: x
asinh arcsinh: x
acosh arccosh: x
atanh arctanh: x
erf: x
erfc: x
ndtr: x
lgamma: x
logit: x
sinc: x
signbit: x
isposinf: x
isneginf: x
invert bitwise_not: x
sigmoid logistic expit: x
logsigmoid log_sigmoid: x
silu swish: x = beta
relu: x
relu6: x
gelu: x = approximate
quick_gelu quickgelu fast_quick_gelu: x
hardsigmoid hard_sigmoid: x = alpha beta
hardswish hard_swish: x
hardtanh hard_tanh: x = min_val max_val
hardshrink hard_shrink: x = lambd
softshrink soft_shrink: x = lambd
softplus: x = beta threshold
softsign: x
tanhshrink: x
mish: x
selu: x
elu: x = alpha
celu: x = alpha
leaky_relu leakyrelu lrelu: x = negative_slope
prelu: x weight
threshold: x threshold value
isnan: x
isinf: x
isfinite: x
logical_not not: x
add: x other = * alpha
sub subtract: x other = * alpha
mul multiply: x other
div divide true_divide: x other = * rounding_mode
floordiv floor_divide: x other
remainder mod: x other
fmod: x other
pow power: x exponent
atan2 arctan2: x other
xlogy: x other
logaddexp: x other
logaddexp2: x other
copysign: x other
heaviside: x other
squared_difference: x other
rsub: x other = * alpha
hypot: x other
eq equal: x other
ne not_equal: x other
lt less: x other
le less_equal: x other
gt greater: x other
ge greater_equal: x other
logical_and and: x other
logical_or or: x other
logical_xor xor: x other
where select: condition x other
clamp clip: x = min max
lerp: x end weight
addcmul: x tensor1 tensor2 = * value
addcdiv: x tensor1 tensor2 = * value
cast to type astype: x dtype
masked_fill: x mask value
addmm baddbmm: x mat1 mat2 = * beta alpha
nan_to_num: x = nan posinf neginf
"""
_MANY = """
maximum fmax max: x
minimum fmin min: x
"""
_REDUCTIONS = """
sum reduce_sum reducesum: x = dim keepdim
mean reduce_mean reducemean average: x = dim keepdim
prod reduce_prod: x = dim keepdim
amax reduce_max reducemax: x = dim keepdim
amin reduce_min reducemin: x = dim keepdim
var variance: x = dim correction keepdim unbiased
std: x = dim correction keepdim unbiased
argmax: x = dim keepdim
argmin: x = dim keepdim
any: x = dim keepdim
all: x = dim keepdim
norm vector_norm: x = ord dim keepdim p
logsumexp: x = dim keepdim
"""
_ROWS = """
softmax: x = dim
log_softmax logsoftmax: x = dim
softmin: x = dim
cumsum: x = dim
cumprod: x = dim
layer_norm layernorm: x = normalized_shape weight bias eps
rms_norm rmsnorm: x = normalized_shape weight eps
group_norm groupnorm: x num_groups = weight bias eps
normalize l2_normalize: x = p dim eps
glu: x = dim
swiglu: x = dim
geglu: x = dim
"""
_SHAPES = """
matmul mm bmm dot mv: x other
outer: x other
cross: x other = dim
transpose swapaxes: x = dim0 dim1
permute: x dims
reshape view: x shape
flatten: x = start_dim end_dim
squeeze: x = dim
unsqueeze expand_dims: x dim
expand broadcast_to: x shape
repeat tile: x repeats
flip: x dims
roll: x shifts = dim
slice: x dim start end = step
narrow: x dim start length
chunk: x chunks = dim
split: x split_size = dim
item: x index
gather take_along_axis: x dim index
index_select: x dim index
take: x index = dim
embedding: index weight
one_hot: x = num_classes
tril: x = diagonal
triu: x = diagonal
zeros_like zeroslike: x
ones_like oneslike: x
full_like fill_like: x value
full fill: shape value
arange: start = end step
zeros: shape
ones: shape
size numel: x = dim
rank dim ndim: x
shape: x
length len: x
repeat_interleave: x repeats = dim
masked_select: x mask
"""
_LISTS = """
cat concat concatenate: x = dim
stack: x = dim
"""

FUNCTIONS: Mapping[str, Function] = {
    function.name: function
    for function in (
        *_functions(_ELEMENTWISE),
        *_functions(_MANY, many=True),
        *_functions(_REDUCTIONS, reduces=True),
        *_functions(_ROWS),
        *_functions(_SHAPES),
        *_functions(_LISTS, many=True),
    )
}
"""Every function by its one name."""

LOGICAL = frozenset(
    (
        *("lt", "le", "gt", "ge", "eq", "ne", "logical_and", "logical_or", "logical_not", "logical_xor", "invert"),
        *("isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit", "any", "all"),
    )
)
"""What gives truth values."""

_ALIASES = {alias: function for function in FUNCTIONS.values() for alias in (function.name, *function.aliases)}
_PREFIXES = ("torch.nn.functional.", "torch.special.", "torch.linalg.", "torch.", "numpy.", "np.", "math.", "F.", "nn.")

OPTIONS: Mapping[str, str] = {
    "axis": "dim",
    "axes": "dim",
    "keepdims": "keepdim",
    "keep_dims": "keepdim",
    "epsilon": "eps",
    "a_min": "min",
    "a_max": "max",
    "gamma": "weight",
    "slope": "negative_slope",
    "ddof": "correction",
    "dim_": "dim",
}
"""What parameters are called elsewhere."""


def find_function(name: str) -> Function | None:
    """The function by any of its names, in any case, with or without its module in front."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            name = name.removeprefix(prefix)
            break
    lowered = name.lower()
    return _ALIASES.get(lowered) or _ALIASES.get(lowered.replace("_", ""))
