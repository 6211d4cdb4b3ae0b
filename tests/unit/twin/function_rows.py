"""One table of what AscendC's functions compute: a row an interface and form, with the same in numpy.

A row is C++ that takes its sources with ``in<U>(count)``, gets memory with ``place<U>(count)`` and gives results away
with ``out(tensor, count)``; ``T`` is the table's element type, ``R`` how many of it a repeat has. Its numpy is an
expression over the sources ``x0``, ``x1``, ... (those of floating point as float32) that gives the results in order.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen


@frozen
class Row:
    """``inputs`` are expressions that make arrays; ``golden`` is one that makes an array or a tuple of them."""

    name: str
    code: str
    inputs: tuple[str, ...]
    golden: str


@frozen
class Table:
    """The rows of one element type, which numpy calls ``numpy``; ``cases`` are scales of the values."""

    kind: str
    numpy: str
    rows: tuple[Row, ...]
    cases: tuple[float, ...]
    tolerance: tuple[float, float]
    saturation: bool = False
    chip: str = "Ascend910B1"


def _row(name: str, code: str, *inputs: str, golden: str) -> Row:
    return Row(name, code, inputs, golden)


# --- Basic instructions in all their forms ----------------------------------------------------------------------------

UNARY = {
    "Abs": "np.abs(a)",
    "Relu": "np.where(a > 0, a, 0)",
    "Exp": "np.exp(a)",
    "Ln": "np.log(a)",
    "Sqrt": "np.sqrt(a)",
    "Rsqrt": "1 / np.sqrt(a)",
    "Reciprocal": "1 / a",
    "Neg": "-a",
    "Not": "~a",
}
BINARY = {
    "Add": "a + b",
    "Sub": "a - b",
    "Mul": "a * b",
    "Div": "a / b",
    "Max": "np.maximum(a, b)",
    "Min": "np.minimum(a, b)",
    "AddRelu": "np.maximum(a + b, 0)",
    "SubRelu": "np.maximum(a - b, 0)",
    "MulAddDst": "a * b + 7",
    "FusedMulAdd": "a * 7 + b",
    "FusedMulAddRelu": "np.maximum(a * 7 + b, 0)",
    "MulAddRelu": "np.maximum(a * b + 7, 0)",
    "And": "a & b",
    "Or": "a | b",
}
SCALAR = {
    "Adds": "a + 3",
    "Muls": "a * 3",
    "Maxs": "np.maximum(a, 3)",
    "Mins": "np.minimum(a, 3)",
    "LeakyRelu": "np.where(a >= 0, a, a * 3)",
    "Axpy": "a * 3 + 7",
    "ShiftLeft": "a << 3",
    "ShiftRight": "a >> 3",
}
"""The scalar is 3, and what the destination holds before is 7."""

FLOATING = {
    *("Abs", "Relu", "Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal", "Neg"),
    *("Add", "Sub", "Mul", "Div", "Max", "Min", "AddRelu", "SubRelu", "MulAddDst"),
    *("FusedMulAdd", "FusedMulAddRelu", "MulAddRelu"),
    *("Adds", "Muls", "Maxs", "Mins", "LeakyRelu", "Axpy"),
}
WHOLE = {"Add", "Sub", "Mul", "Max", "Min", "Adds", "Muls", "Maxs", "Mins"}
SHORT = {*WHOLE, "Not", "And", "Or", "AddRelu", "SubRelu", "ShiftLeft", "ShiftRight", "Neg"}
LONG = {*WHOLE, "Relu", "ShiftLeft", "ShiftRight", "Neg"}
POSITIVE = {"Ln", "Sqrt", "Rsqrt", "Reciprocal"}
EXTENDED = {"MulAddDst", "FusedMulAdd", "FusedMulAddRelu", "MulAddRelu", "Axpy"}
"""Those of which the count's form is enough beside the others that read their destination."""


def _parameters(operands: int, blocks: str, steps: str) -> str:
    return "{" + ", ".join((*blocks.split()[:operands], *steps.split()[:operands])) + "}"


def _forms(name: str, formula: str, sources: int, scalar: bool) -> Iterable[Row]:
    """The forms of an instruction: a count, both masks, strides, the counting mode with the mask set before."""
    names = ("a", "b")[:sources]
    make = "positive" if name in POSITIVE else "small" if name == "Exp" else "some"
    given = tuple(f"{make}(6 * R)" for _ in names)
    load = (
        "".join(f"auto {one} = in<T>(6 * R); " for one in names)
        + "auto d = place<T>(6 * R); Duplicate(d, T(7), 6 * R); "
    )
    operands = "d, " + ", ".join(names) + (", T(3)" if scalar else "")
    count = sources + 1
    f = f"lambda {', '.join(names)}: {formula}"
    xs = ", ".join(f"x{i}" for i in range(sources))

    def row(form: str, call: str, golden: str) -> Row:
        return Row(f"{name}, {form}", f"{load}{call} out(d, 6 * R);", given, golden)

    def masked(elements: str, repeats: str, blocks: str, steps: str) -> str:
        return f"masked({f}, ({xs},), {elements}, {repeats}, {blocks.split()[:count]}, {steps.split()[:count]})"

    tail = "2 * R + 13"
    yield row("count", f"{name}({operands}, {tail});", f"head(({f})({xs}), {tail})")
    if name in EXTENDED:
        return
    plain, dense = _parameters(count, "1 1 1", "8 8 8"), ("1 1 1", "8 8 8")
    yield row("mask", f"{name}({operands}, uint64_t(5), uint8_t(3), {plain});", masked("range(5)", "3", *dense))
    bits = "uint64_t bits[2] = {0xaaaaaaaaaaaaaaaa, 0x5555555555555555}; "
    chosen = "[i for i in range(R) if (i + i // 64) % 2]"
    if name == "Div":  # the mask of bits takes another half
        bits = "uint64_t bits[2] = {0x00000000ffffffff, 0}; "
        chosen = "range(32)"
    yield row("bits", f"{bits}{name}({operands}, bits, uint8_t(2), {plain});", masked(chosen, "2", *dense))
    strides = ("2 1 0", "16 8 9")
    spaced = _parameters(count, *strides)
    yield row("strides", f"{name}({operands}, uint64_t(R), uint8_t(2), {spaced});", masked("range(R)", "2", *strides))
    counting = f"SetMaskCount(); SetVectorMask<T, MaskMode::COUNTER>(0, {tail}); "
    off = f"{name}<T, false>({operands}, MASK_PLACEHOLDER, uint8_t(1), {plain}); SetMaskNorm(); ResetMask();"
    yield row("counting", counting + off, f"head(({f})({xs}), {tail})")


def instructions(names: set[str]) -> tuple[Row, ...]:
    """All forms of those basic instructions."""
    kinds = ((UNARY, 1, False), (BINARY, 2, False), (SCALAR, 1, True))
    return tuple(
        row
        for table, sources, scalar in kinds
        for name, formula in table.items()
        if name in names
        for row in _forms(name, formula, sources, scalar)
    )


# --- Filling, copying, comparing, selecting ---------------------------------------------------------------------------

D = "auto d = place<T>(6 * R); Duplicate(d, T(7), 6 * R); "
A = "auto a = in<T>(6 * R); "
AB = A + "auto b = in<T>(6 * R); "
BITS = "auto bits = place<uint8_t>(256); "
ODD = "uint64_t odd[2] = {0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa}; "
ODDS = "range(1, R, 2)"

FILLING = (
    _row(
        "Duplicate, mask",
        D + "Duplicate(d, T(3), uint64_t(9), uint8_t(2), 1, 8); out(d, 6 * R);",
        golden="masked(lambda: 3, (), range(9), 2, [1], [8])",
    ),
    _row(
        "Duplicate, bits and strides",
        D + ODD + "Duplicate(d, T(3), odd, uint8_t(2), 2, 16); out(d, 6 * R);",
        golden=f"masked(lambda: 3, (), {ODDS}, 2, [2], [16])",
    ),
    _row(
        "Copy, mask",
        A + D + "Copy(d, a, uint64_t(R), uint8_t(2), {2, 1, 16, 8}); out(d, 6 * R);",
        "some(6 * R)",
        golden="masked(lambda a: a, (x0,), range(R), 2, [2, 1], [16, 8])",
    ),
    _row(
        "Copy, bits",
        A + D + ODD + "Copy(d, a, odd, uint8_t(2), {1, 1, 8, 8}); out(d, 6 * R);",
        "some(6 * R)",
        golden=f"masked(lambda a: a, (x0,), {ODDS}, 2, [1, 1], [8, 8])",
    ),
    _row(
        "Brcb",
        "auto a = in<T>(16); auto d = place<T>(16 * B); Brcb(d, a, uint8_t(2), {1, 8}); out(d, 16 * B);",
        "some(16)",
        golden="np.repeat(x0, B)",
    ),
    _row(
        "NumericLimits",
        "auto d = place<T>(R); NumericLimits<T>::Max(d, 16); NumericLimits<T>::Lowest(d[16], 16); "
        "d.SetValue(32, NumericLimits<T>::Max()); out(d, 33);",
        golden="np.r_[np.full(16, limits.max), np.full(16, limits.min), [limits.max]]",
    ),
)
PROGRESSIONS = (
    _row(
        "CreateVecIndex, mask",
        D + "CreateVecIndex(d, T(2), uint64_t(R), uint8_t(2), 1, 8); out(d, 6 * R);",
        golden="head(np.arange(2, 2 + 6 * R), 2 * R)",
    ),
    _row(
        "ArithProgression",
        "auto d = place<T>(R); ArithProgression(d, T(2), T(3), 37); out(d, 37);",
        golden="np.arange(37) * 3 + 2",
    ),
    _row("Arange", "auto d = place<T>(R); Arange(d, T(2), T(3), 37); out(d, 37);", golden="np.arange(37) * 3 + 2"),
)
COMPARISONS = (
    *(
        _row(
            f"Compare, {mode}",
            AB + BITS + f"Compare(bits, a, b, CMPMODE::{mode}, 2 * R); out(bits, 2 * R / 8);",
            "whole(6 * R)",
            "whole(6 * R)",
            golden=f"pack(x0[:2 * R] {sign} x1[:2 * R])",
        )
        for mode, sign in {"LT": "<", "GT": ">", "EQ": "==", "LE": "<=", "GE": ">=", "NE": "!="}.items()
    ),
    _row(
        "Compare, repeats",
        AB + BITS + "Compare(bits, a, b, CMPMODE::LT, uint64_t(R), uint8_t(2), "
        "{1, 1, 1, 8, 8, 16}); out(bits, 2 * R / 8);",
        "whole(6 * R)",
        "whole(6 * R)",
        golden="pack(x0[:2 * R] < np.r_[x1[:R], x1[2 * R:3 * R]])",
    ),
    *(
        _row(
            f"{name}, {form}",
            A + BITS + f"{name}(bits, a, T(1), CMPMODE::GE, {arguments}); out(bits, 2 * R / 8);",
            "whole(6 * R)",
            golden="pack(x0[:2 * R] >= 1)",
        )
        for name in ("CompareScalar", "Compares")
        for form, arguments in {
            "count": "2 * R",
            "repeats": "uint64_t(R), uint8_t(2), {1, 1, 8, 8}",
        }.items()
    ),
    _row(
        "Compare into the register and Select",
        AB + D + "Compare(a, b, CMPMODE::LT, uint64_t(R), "
        "{1, 1, 1, 8, 8, 8}); Select<T, SELMODE::VSEL_CMPMASK_SPR>(d, a, b, uint8_t(2), {1, 1, 1, 8, 8, 8}); "
        "out(d, 6 * R);",
        "whole(6 * R)",
        "whole(6 * R)",
        golden="head(np.where(np.tile(x0[:R] < x1[:R], 6), x0, x1), 2 * R)",
    ),
    _row(
        "Select, the same bits",
        AB + D + BITS + "Compare(bits, a, b, CMPMODE::LT, R); "
        "Select(d, bits, a, b, SELMODE::VSEL_CMPMASK_SPR, uint64_t(9), uint8_t(2), {1, 1, 1, 8, 8, 8}); "
        "out(d, 6 * R);",
        "whole(6 * R)",
        "whole(6 * R)",
        golden="masked(lambda c, a, b: np.where(c, a, b), (np.tile(x0[:R] < x1[:R], 6), x0, x1), range(9), 2, "
        "[1] * 4, [8] * 4)",
    ),
    _row(
        "Select, a scalar",
        AB + D + BITS + ODD + "Compare(bits, a, b, CMPMODE::LT, 2 * R); "
        "Select(d, bits, a, T(9), SELMODE::VSEL_TENSOR_SCALAR_MODE, odd, uint8_t(2), {1, 1, 1, 8, 8, 8}); "
        "out(d, 6 * R);",
        "whole(6 * R)",
        "whole(6 * R)",
        golden=f"masked(lambda a, b: np.where(a < b, a, 9), (x0, x1), {ODDS}, 2, [1] * 3, [8] * 3)",
    ),
    _row(
        "Select, a scalar of the register",
        AB + D + BITS + "Compare(bits, a, b, CMPMODE::LT, 2 * R); "
        "auto s = place<T>(16); Duplicate(s, T(9), 16); SetCmpMask(s); "
        "Select(d, bits, a, uint8_t(2), {1, 1, 1, 8, 8, 8}); out(d, 6 * R);",
        "whole(6 * R)",
        "whole(6 * R)",
        golden="head(np.where(x0 < x1, x0, 9), 2 * R)",
    ),
    _row(
        "GetCmpMask",
        AB + BITS + "Duplicate(bits.ReinterpretCast<int16_t>(), int16_t(0), 16); Compare(a, b, "
        "CMPMODE::GT, uint64_t(R), {1, 1, 1, 8, 8, 8}); GetCmpMask(bits); out(bits, R / 8);",
        "whole(6 * R)",
        "whole(6 * R)",
        golden="pack(x0[:R] > x1[:R])",
    ),
)

# --- Reductions -------------------------------------------------------------------------------------------------------

W = "auto w = place<T>(256); "
REDUCTIONS = (
    _row(
        "ReduceSum, count",
        A + D + W + "ReduceSum(d, a, w, 2 * R + 13); out(d, 1);",
        "whole(6 * R)",
        golden="total(x0[:2 * R + 13])",
    ),
    _row(
        "ReduceSum, mask",
        A + D + W + "ReduceSum(d, a, w, int32_t(9), int32_t(3), int32_t(16)); out(d, 1);",
        "whole(6 * R)",
        golden="total(x0.reshape(3, -1)[:, :9])",
    ),
    _row(
        "ReduceSum, bits",
        A + D + W + ODD + "ReduceSum(d, a, w, odd, int32_t(3), int32_t(16)); out(d, 1);",
        "whole(6 * R)",
        golden="total(x0.reshape(3, -1)[:, 1:R:2])",
    ),
    *(
        _row(
            f"Reduce{kind}, {form}",
            A + D + W + ODD + f"Reduce{kind}(d, a, w, {arguments}, true); out(d, 1); "
            "auto e = place<uint8_t>(32); for (uint32_t i = 0; i < sizeof(T); ++i) { "
            "e.SetValue(i, d.ReinterpretCast<uint8_t>().GetValue(sizeof(T) + i)); } out(e, sizeof(T));",
            "some(6 * R)",
            golden=f"best(x0, {elements}, np.{numpy})",
        )
        for kind, numpy in {"Max": "argmax", "Min": "argmin"}.items()
        for form, (arguments, elements) in {
            "count": ("2 * R + 13", "np.arange(2 * R + 13)"),
            "mask": ("int32_t(9), int32_t(3), int32_t(8)", "places(3, range(9), 1, 8)"),
            "bits": ("odd, int32_t(3), int32_t(8)", f"places(3, {ODDS}, 1, 8)"),
        }.items()
    ),
    _row(
        "the last maximum",
        A + D + W + "ReduceMax(d, a, w, 2 * R, true); T value, index; "
        "GetReduceMaxMinCount(value, index); d.SetValue(0, value); out(d, 1);",
        "some(6 * R)",
        golden="x0[:2 * R].max().reshape(1)",
    ),
    _row(
        "the last sum",
        A + D + W + "ReduceSum(d, a, w, R); d.SetValue(0, GetAccVal<T>()); out(d, 1);",
        "whole(6 * R)",
        golden="total(x0[:R])",
    ),
    _row(
        "the bits of the last sum",
        A + D + W + "ReduceSum(d, a, w, R); uint64_t bits = GetAccVal(); "
        "d.SetValue(0, T(*reinterpret_cast<float *>(&bits))); out(d, 1);",
        "whole(6 * R)",
        golden="total(x0[:R])",
    ),
    *(
        _row(
            f"{name}, {form}",
            A + D + ODD + f"{name}(d, a, {mask}, int32_t(3), int32_t(1), int32_t(1), int32_t(16)); out(d, 3);",
            "whole(6 * R)",
            golden=f"rows(np.sum, x0, 3, 2 * R, {elements})",
        )
        for name in ("WholeReduceSum", "ReduceRepeat<ReduceType::SUM>")
        for form, (mask, elements) in {"mask": ("int32_t(9)", "range(9)"), "bits": ("odd", ODDS)}.items()
    ),
    *(
        _row(
            f"WholeReduce{kind}, {order}",
            A + D + f"WholeReduce{kind}(d, a, int32_t(R), int32_t(3), int32_t(1), "
            f"int32_t(1), int32_t(8), ReduceOrder::ORDER_{order}); out(d, {count});",
            "some(6 * R)",
            golden=golden % {"f": numpy},
        )
        for kind, numpy in {"Max": "max", "Min": "min"}.items()
        for order, count, golden in (
            ("ONLY_VALUE", 3, "x0.reshape(6, -1)[:3].%(f)s(1)"),
            ("VALUE_INDEX", 6, "pairs(x0.reshape(6, -1)[:3], np.arg%(f)s)"),
            ("INDEX_VALUE", 6, "pairs(x0.reshape(6, -1)[:3], np.arg%(f)s)[:, ::-1]"),
        )
    ),
    *(
        _row(
            f"BlockReduce{kind}, {form}",
            A + D + ODD + f"BlockReduce{kind}(d, a, int32_t(2), {mask}, int32_t(1), "
            "int32_t(1), int32_t(8)); out(d, 16);",
            "whole(6 * R)",
            golden=f"np.{numpy}(x0[:2 * R].reshape(16, -1)[:, {chosen}], 1)",
        )
        for kind, numpy in {"Sum": "sum", "Max": "max", "Min": "min"}.items()
        for form, (mask, chosen) in {"mask": ("int32_t(R)", ":"), "bits": ("odd", "1::2")}.items()
    ),
    _row(
        "ReduceDataBlock",
        A + D + "ReduceDataBlock<ReduceType::MAX>(d, a, int32_t(R), int32_t(2), int32_t(1), "
        "int32_t(1), int32_t(8)); out(d, 16);",
        "whole(6 * R)",
        golden="x0[:2 * R].reshape(16, -1).max(1)",
    ),
    *(
        _row(
            f"{name}",
            A + D + f"{name}(d, a, {first}, {second}, int32_t(1), int32_t(1), int32_t(8)); out(d, R);",
            "whole(6 * R)",
            golden="x0[:2 * R].reshape(-1, 2).sum(1)",
        )
        for name, first, second in (
            ("PairReduceSum", "int32_t(2)", "int32_t(R)"),
            ("ReducePairElem<ReduceType::SUM>", "int32_t(R)", "int32_t(2)"),
        )
    ),
    *(
        _row(
            f"Reduce{kind}, {pattern}",
            f"auto a = in<T>(24 * B); auto d = place<T>(24 * B); auto t = place<uint8_t>(256); "
            f"uint32_t shape[] = {{{shape}}}; Reduce{kind}<T, AscendC::Pattern::Reduce::{pattern}>(d, a, "
            f"{temporary}shape, true); out(d, {count});",
            "whole(24 * B)",
            golden=golden.replace("F", numpy),
        )
        for kind, numpy in {"Sum": "sum", "Max": "max", "Min": "min", "Mean": "mean"}.items()
        for pattern, shape, count, golden, temporary in (
            ("AR", "24, B", "24", "x0.reshape(24, -1).F(1)", "t, "),
            ("RA", "24, B", "B", "x0.reshape(24, -1).F(0)", ""),
        )
    ),
    _row(
        "ReduceProd and ReduceAny",
        "auto a = in<T>(3 * B); auto d = place<T>(3 * B); uint32_t shape[] = {3, B}; "
        "ReduceProd<T, AscendC::Pattern::Reduce::RA>(d, a, shape, true); out(d, B); "
        "ReduceAny<T, AscendC::Pattern::Reduce::AR>(d, a, shape, true); out(d, 3); "
        "ReduceAll<T, AscendC::Pattern::Reduce::AR>(d, a, shape, true); out(d, 3);",
        "whole(3 * B) % 3",
        golden="(x0.reshape(3, -1).prod(0), x0.reshape(3, -1).any(1), x0.reshape(3, -1).all(1))",
    ),
    _row(
        "Sum and Mean",
        "auto a = in<T>(5 * R); auto d = place<T>(R); auto t = place<uint8_t>(256); "
        "Sum(d, a, t, {5, R, R - 3}); out(d, 5); Mean(d, a, {5, R, R - 3}); out(d, 5);",
        "whole(5 * R)",
        golden="(x0.reshape(5, -1)[:, :-3].sum(1), x0.reshape(5, -1)[:, :-3].mean(1))",
    ),
    _row(
        "CumSum",
        "constexpr static CumSumConfig LAST{true, false, true}; constexpr static CumSumConfig FIRST{false}; "
        "auto a = in<T>(3 * B); auto d = place<T>(3 * B); auto l = place<T>(B); auto t = place<uint8_t>(256); "
        "CumSum<T, LAST>(d, l, a, t, {3, B}); out(d, 3 * B); out(l, B); CumSum<T, FIRST>(d, l, a, {3, B}); "
        "out(d, 3 * B);",
        "whole(3 * B)",
        golden="(x0.reshape(3, -1).cumsum(1), x0.reshape(3, -1).cumsum(1)[2], x0.reshape(3, -1).cumsum(0))",
    ),
)

# --- Moving elements --------------------------------------------------------------------------------------------------

OFFSETS = "auto o = in<uint32_t>(2 * R); "
MOVING = (
    _row(
        "Gather, count",
        A + D + OFFSETS + "Gather(d, a, o, 0u, 2 * R - 3); out(d, 6 * R);",
        "some(6 * R)",
        "offsets(2 * R)",
        golden="np.r_[x0[x1[:-3] // SIZE], np.full(4 * R + 3, 7)]",
    ),
    _row(
        "Gather, mask",
        A + D + OFFSETS + "Gather(d, a, o, uint32_t(B * sizeof(T)), uint64_t(9), uint8_t(2), "
        "uint16_t(16)); out(d, 6 * R);",
        "some(6 * R)",
        "offsets(2 * R) // 8 // SIZE * SIZE",
        golden="masked(lambda at: x0[at // SIZE + B], (x1,), range(9), 2, [1, 1], [16, 8])",
    ),
    _row(
        "Scatter",
        A + D + OFFSETS + "Scatter(d, a, o, 0u, 2 * R - 3); out(d, 6 * R); "
        "Scatter(d, a, o, uint32_t(B * sizeof(T)), uint64_t(9), uint8_t(2), uint8_t(16)); out(d, 6 * R);",
        "some(6 * R)",
        "(rng.permutation(2 * R) * SIZE).astype(np.uint32)",
        golden="scatter(x0, x1 // SIZE)",
    ),
    _row(
        "Gatherb",
        A + D + "auto o = in<uint32_t>(16); Gatherb(d, a, o, uint8_t(2), {1, 8}); out(d, 2 * R);",
        "some(6 * R)",
        "rng.permutation(16).astype(np.uint32) * 32",
        golden="x0.reshape(-1, B)[x1 // 32].reshape(-1)",
    ),
    *(
        _row(
            f"GatherMask, pattern {pattern}",
            A + D + f"uint64_t kept; GatherMask(d, a, uint8_t({pattern}), {counted}, "
            f"uint32_t({mask}), {{1, 2, 8, 8}}, kept); out(d, uint32_t(kept));",
            "some(6 * R)",
            golden=f"x0.reshape(6, -1)[:2, :{mask or 'R'}].reshape(2, -1)[:, {chosen}]",
        )
        for pattern, counted, mask, chosen in (
            (1, "false", 0, "::2"),
            (2, "true", 9, "1::2"),
            (4, "false", 0, "1::4"),
            (6, "true", 21, "3::4"),
            (7, "true", 9, ":"),
        )
    ),
    _row(
        "GatherMask, of a tensor",
        A + D + "auto p = in<PatternOf<T>>(64 / sizeof(T)); uint64_t kept; GatherMask(d, a, p, true, "
        "uint32_t(R), {1, 2, 8, 1}, kept); out(d, uint32_t(kept));",
        "some(6 * R)",
        "rng.integers(0, 256, 64).astype(np.uint8).view(np.dtype(f'uint{SIZE * 8}'))",
        golden="x0[:2 * R][np.concatenate([np.unpackbits(x1.view(np.uint8)[at:at + R // 8], bitorder='little') "
        "for at in (0, 32)]).astype(bool)]",
    ),
    _row(
        "BroadCast",
        "auto a = in<T>(5 * B); auto d = place<T>(5 * B * 3); uint32_t to[] = {5, B}, from[] = {5, 1}, "
        "line[] = {1, B}; BroadCast<T, 2, 1>(d, a, to, from); out(d, 5 * B); "
        "BroadCast<T, 2, 0>(d, a, to, line); out(d, 5 * B);",
        "some(5 * B)",
        golden="(np.repeat(x0[:5], B), np.tile(x0[:B], 5))",
    ),
    _row(
        "DropOut",
        "auto a = in<T>(2 * R); auto m = in<uint8_t>(2 * R); auto d = place<T>(2 * R); "
        "DropOut(d, a, m, 0.5f, {2, R, R}); out(d, 2 * R); DropOut<T, false, 3>(d, a, m, 0.5f, {2, R, R / 8}); "
        "out(d, 2 * R);",
        "some(2 * R)",
        "rng.integers(0, 2, 2 * R).astype(np.uint8)",
        golden="(np.where(x1, x0 * 2, 0), np.where(np.unpackbits(x1[:R // 4], bitorder='little'), x0 * 2, 0))",
    ),
    _row(
        "Pad and UnPad",
        "auto a = in<T>(4 * B); auto d = place<T>(4 * B); PadParams p{1, 2, 9}; PadTiling t{}; "
        "t.srcHeight = 4; t.srcWidth = t.srcOriWidth = B - 3; Pad(d, a, p, t); out(d, 4 * B); "
        "UnPadParams u{0, 3}; UnPadTiling v{}; v.srcHeight = 4; v.srcWidth = B; UnPad(d, a, u, v); "
        "out(d, 4 * (B - 3));",
        "some(4 * B)",
        golden="(np.pad(x0[:4 * (B - 3)].reshape(4, -1), ((0, 0), (1, 2)), constant_values=9), "
        "x0.reshape(4, -1)[:, :-3])",
    ),
    _row(
        "Interleave",
        "auto a = in<T>(R); auto b = in<T>(R); auto d = place<T>(R); auto e = place<T>(R); "
        "Interleave(d, e, a, b, int32_t(R)); out(d, R); out(e, R); DeInterleave(a, b, d, e, int32_t(R)); out(a, R); "
        "out(b, R);",
        "some(R)",
        "some(R)",
        golden="(np.stack([x0, x1], 1).reshape(-1)[:R], np.stack([x0, x1], 1).reshape(-1)[R:], x0, x1)",
    ),
    _row(
        "VectorPadding",
        "auto a = in<T>(R); auto d = place<T>(R); VectorPadding(d, a, uint8_t(0), true, R); out(d, R); "
        "VectorPadding(d, a, uint8_t(1), false, R); out(d, R); VectorPadding(d, a, uint8_t(2), false, R); out(d, R);",
        "some(R)",
        golden="(np.repeat(x0.reshape(8, -1)[:, -1], B), x0.reshape(8, -1)[:, ::-1], "
        "np.c_[np.zeros(8), x0.reshape(8, -1)[:, :0:-1]])",
    ),
    _row(
        "TransDataTo5HD",
        "auto a = in<T>(16 * B); auto d = place<T>(16 * B); LocalTensor<T> s[16], r[16]; "
        "for (int i = 0; i < 16; ++i) { s[i] = a[i * B]; r[i] = d[i * B]; } TransDataTo5HD<T>(r, s, {}); "
        "out(d, 16 * B);",
        "some(16 * B)",
        golden="x0.reshape(16, B).T",
    ),
)
SIXTEEN_BITS = (
    _row(
        "Transpose",
        "auto a = in<T>(256); auto d = place<T>(256); Transpose(d, a); out(d, 256);",
        "some(256)",
        golden="x0.reshape(16, 16).T",
    ),
    _row(
        "Transpose of images",
        "auto a = in<T>(2 * 16 * 32); auto d = place<T>(1024); auto t = place<uint8_t>(64); "
        "Transpose(d, a, t, {2, 16, 4, 8, TransposeType::TRANSPOSE_NCHW2NHWC}); out(d, 1024);",
        "some(1024)",
        golden="x0.reshape(2, 16, 32).transpose(0, 2, 1)",
    ),
    _row(
        "BilinearInterpolation",
        "auto a = in<T>(512); auto o = in<uint32_t>(32); auto b = in<T>(32); "
        "auto d = place<T>(256); auto t = place<uint8_t>(2048); "
        "BilinearInterpolation(d, a, o, b, uint64_t(128), uint8_t(2), true, uint16_t(1), uint16_t(128), uint8_t(2), "
        "t); "
        "out(d, 256);",
        "whole(512)",
        "np.arange(32).astype(np.uint32) * 32",
        "whole(32)",
        golden="(x0.reshape(2, 2, 8, 16) * x2.reshape(2, 2, 8, 1)).sum(1)",
    ),
)

# --- The library, element by element ----------------------------------------------------------------------------------

N = 37


def _library(name: str, formula: str, make: str = "some", temporary: bool = True) -> Row:
    call = f"{name}(d, a, t, {N}u); out(d, {N}); " if temporary else ""
    golden = f"({formula}, {formula})" if temporary else formula
    memory = f"auto a = in<T>({N}); auto d = place<T>({N}); auto t = place<uint8_t>(256); "
    code = f"{memory}{call}{name}(d, a, {N}u); out(d, {N});"
    return Row(name, code, (f"{make}({N})",), f"(lambda a: {golden})(x0.astype(np.float64))")


MATH = (
    *(
        _library(name, formula, make)
        for name, formula, make in (
            ("Tanh", "np.tanh(a)", "some"),
            ("Sinh", "np.sinh(a)", "small"),
            ("Cosh", "np.cosh(a)", "small"),
            ("Sin", "np.sin(a)", "small"),
            ("Cos", "np.cos(a)", "small"),
            ("Tan", "np.tan(a)", "unit"),
            ("Asin", "np.arcsin(a)", "unit"),
            ("Acos", "np.arccos(a)", "unit"),
            ("Atan", "np.arctan(a)", "some"),
            ("Asinh", "np.arcsinh(a)", "some"),
            ("Acosh", "np.arccosh(a)", "above"),
            ("Atanh", "np.arctanh(a)", "unit"),
            ("Erf", "each(math.erf, a)", "some"),
            ("Erfc", "each(math.erfc, a)", "some"),
            ("Lgamma", "each(math.lgamma, a)", "above"),
            ("Sign", "np.sign(a)", "some"),
            ("Trunc", "np.trunc(a)", "some"),
            ("Frac", "a - np.trunc(a)", "some"),
            ("Round", "np.rint(a)", "some"),
            ("Floor", "np.floor(a)", "some"),
            ("Ceil", "np.ceil(a)", "some"),
            ("Log", "np.log(a)", "positive"),
            ("Log2", "np.log2(a)", "positive"),
            ("Log10", "np.log10(a)", "positive"),
            ("Sigmoid", "1 / (1 + np.exp(-a))", "small"),
            ("Gelu", "gelu(a)", "some"),
            ("FasterGelu", "a / (1 + np.exp(-1.702 * a))", "small"),
            ("FasterGeluV2", "fast_gelu(a)", "some"),
        )
    ),
    _row(
        "Digamma",
        f"auto a = in<T>({N}); auto d = place<T>({N}); Digamma(d, a, {N}u); out(d, {N});",
        f"above({N})",
        golden="each(lambda a: (math.lgamma(a + 1e-4) - math.lgamma(a - 1e-4)) / 2e-4, x0.astype(np.float64))",
    ),
    _row(
        "Silu and Swish",
        f"auto a = in<T>({N}); auto d = place<T>({N}); Silu(d, a, {N}u); out(d, {N}); "
        f"Swish(d, a, {N}u, T(1.5)); out(d, {N});",
        f"small({N})",
        golden="(x0 / (1 + np.exp(-x0)), x0 / (1 + np.exp(-1.5 * x0)))",
    ),
    *(
        _row(
            name,
            f"auto a = in<T>({N}); auto b = in<T>({N}); auto d = place<T>({N}); auto t = place<uint8_t>(256); "
            f"{name}(d, a, b{scalar}, t, {N}u); out(d, {N}); {name}(d, a, b{scalar}, {N}u); out(d, {N});",
            f"some({N})",
            f"{make}({N})",
            golden=f"({formula}, {formula})",
        )
        for name, scalar, formula, make in (
            ("SwiGLU", ", 1.5f", "x0 * x1 / (1 + np.exp(-1.5 * x1))", "small"),
            ("GeGLU", "", "x0 * gelu(x1)", "some"),
            ("ReGlu", "", "x0 * np.maximum(x1, 0)", "some"),
            ("Fmod", "", "np.fmod(x0, x1)", "some"),
            ("Hypot", "", "np.hypot(x0, x1)", "some"),
        )
    ),
    _row(
        "Power",
        f"auto a = in<T>({N}); auto b = in<T>({N}); auto d = place<T>({N}); Power(d, a, b, {N}u); "
        f"out(d, {N}); Power(d, a, T(2), {N}u); out(d, {N}); Power(d, T(2), b, {N}u); out(d, {N});",
        f"above({N}) % 9 + 1",
        f"unit({N})",
        golden="(x0 ** x1, x0 ** 2, 2 ** x1)",
    ),
    _row(
        "Exp of the library",
        f"auto a = in<T>({N}); auto d = place<T>({N}); Exp<T, 15>(d, a, {N}u); out(d, {N});",
        f"small({N})",
        golden="np.exp(x0)",
    ),
    _row(
        "Clamps",
        f"auto a = in<T>({N}); auto d = place<T>({N}); ClampMax(d, a, T(1), {N}u); out(d, {N}); "
        f"ClampMin(d, a, T(1), {N}u); out(d, {N}); Clamp(d, a, T(-1), T(1), {N}u); out(d, {N});",
        f"some({N})",
        golden="(np.minimum(x0, 1), np.maximum(x0, 1), np.clip(x0, -1, 1))",
    ),
    _row(
        "Where",
        f"auto a = in<T>({N}); auto c = in<uint8_t>({N}); auto d = place<T>({N}); "
        f"Where(d, a, T(3), c, {N}u); out(d, {N});",
        f"some({N})",
        f"rng.integers(0, 2, {N}).astype(np.uint8)",
        golden="np.where(x1, x0, 3)",
    ),
    _row(
        "logical functions",
        f"auto a = in<T>({N}); auto b = in<T>({N}); auto d = place<uint8_t>({N}); "
        f"LogicalAnd(d, a, b, {N}u); out(d, {N}); LogicalOr(d, a, b, {N}u); out(d, {N}); LogicalNot(d, a, {N}u); "
        f"out(d, {N});",
        f"whole({N}) % 2",
        f"whole({N}) % 2",
        golden="tuple(np.uint8(one) for one in ((x0 != 0) & (x1 != 0), (x0 != 0) | (x1 != 0), x0 == 0))",
    ),
    _row(
        "Axpy of the library",
        f"auto a = in<T>({N}); auto d = place<T>({N}); auto t = place<uint8_t>(256); "
        f"Duplicate(d, T(2), {N}); Axpy(d, a, T(3), t, {N}u); out(d, {N});",
        f"some({N})",
        golden="x0 * 3 + 2",
    ),
    _row(
        "Prelu, AbsSub, ExpSub",
        f"auto a = in<T>({N}); auto b = in<T>({N}); auto d = place<T>({N}); "
        f"Prelu(d, a, b, {N}u); out(d, {N}); AbsSub(d, a, b, {N}u); out(d, {N}); ExpSub(d, a, b, {N}u); out(d, {N});",
        f"unit({N})",
        f"unit({N})",
        golden="(np.where(x0 >= 0, x0, x0 * x1), np.abs(x0 - x1), np.exp(x0 - x1))",
    ),
    _row(
        "Subs and Divs",
        f"auto a = in<T>({N}); auto d = place<T>({N}); Subs(d, T(3), a, {N}); out(d, {N}); "
        f"Subs(d, a, T(3), {N}); out(d, {N}); Divs(d, T(3), a, {N}); out(d, {N});",
        f"positive({N})",
        golden="(3 - x0, x0 - 3, 3 / x0)",
    ),
    _row(
        "Truncate",
        f"auto a = in<T>({N}); auto d = place<T>({N}); Truncate<T, RoundMode::CAST_FLOOR>(d, a, {N}u); "
        f"out(d, {N}); Truncate<T, RoundMode::CAST_ROUND>(d, a, {N}u); out(d, {N});",
        f"some({N})",
        golden="(np.floor(x0), np.trunc(x0.astype(np.float64) + np.copysign(0.5, x0)))",
    ),
)

# --- The library over rows --------------------------------------------------------------------------------------------

ROWS = 5
SHAPE = f"SoftMaxTiling s{{}}; s.srcM = {ROWS}; s.srcK = R; SoftMaxShapeInfo shape{{{ROWS}, R, {ROWS}, R - 3}}; "
X = f"auto x = in<T>({ROWS} * R); auto d = place<T>({ROWS} * R); Duplicate(d, T(7), {ROWS} * R); "
PART = f"auto %s = place<T>({ROWS} * B); "
GIVEN = f"unit({ROWS} * R)"
NORM = f"t.bLength = 1; t.sLength = {ROWS}; t.hLength = R; t.originalHLength = R - 3; "
GAMMA = "auto g = in<T>(R); auto b = in<T>(R); "
MOMENTS = f"auto m = place<T>({ROWS} * B); auto v = place<T>({ROWS} * B); "
LIBRARY = (
    _row(
        "SoftMax",
        X + SHAPE + PART % "sum" + PART % "top" + "SoftMax(d, sum, top, x, s, shape); "
        f"out(d, {ROWS} * R); out(sum, {ROWS} * B); out(top, {ROWS} * B);",
        GIVEN,
        golden="(padded(softmax(x0)[0]), *softmax(x0)[1:])",
    ),
    _row(
        "SoftMax alone",
        X + SHAPE + f"SoftMax(d, x, s, shape); out(d, {ROWS} * R);",
        GIVEN,
        golden="padded(softmax(x0)[0])",
    ),
    _row(
        "SimpleSoftMax",
        X + SHAPE + PART % "sum" + PART % "top" + "SoftMax(d, sum, top, x, s, shape); Duplicate(d, T(7), "
        f"{ROWS} * R); SimpleSoftMax(d, sum, top, x, s, shape); out(d, {ROWS} * R);",
        GIVEN,
        golden="padded(softmax(x0)[0])",
    ),
    _row(
        "LogSoftMax",
        X + PART % "sum" + PART % "top" + f"LogSoftMaxTiling s{{}}; s.srcM = {ROWS}; s.srcK = R; "
        f"auto t = place<uint8_t>(64); LogSoftMax(d, sum, top, x, t, s, {{{ROWS}, R, {ROWS}, R - 3}}); "
        f"out(d, {ROWS} * R);",
        GIVEN,
        golden="padded(np.log10(softmax(x0)[0]))",
    ),
    *(
        _row(
            name,
            X
            + f"auto y = in<T>({ROWS} * R); "
            + SHAPE
            + "".join(PART % one for one in ("sum", "top", "factor"))
            + f"auto sum0 = place<T>({ROWS} * B); auto top0 = place<T>({ROWS} * B); {first} {second} "
            f"out(d, {ROWS} * R); out(sum, {ROWS} * B); out(top, {ROWS} * B); out(factor, {ROWS} * B);",
            GIVEN,
            GIVEN,
            golden=f"flash(x0, x1, {divided})",
        )
        for name, first, second, divided in (
            (
                "SoftmaxFlash",
                "SoftmaxFlash(d, sum0, top0, x, factor, sum0, top0, s, false, shape);",
                "SoftmaxFlash(d, sum, top, y, factor, sum0, top0, s, true, shape);",
                "True",
            ),
            (
                "SoftmaxFlashV2",
                "SoftmaxFlashV2<T, false>(d, sum0, top0, x, factor, sum0, top0, s, shape);",
                "SoftmaxFlashV2<T, true>(d, sum, top, y, factor, sum0, top0, s, shape);",
                "False",
            ),
        )
    ),
    _row(
        "SoftmaxGrad",
        X
        + f"auto y = in<T>({ROWS} * R); "
        + SHAPE
        + PART % "sum"
        + f"SoftmaxGrad(d, x, y, s, false, shape); out(d, {ROWS} * R); SoftmaxGradFront(sum, x, y, s, shape); "
        f"out(sum, {ROWS} * B);",
        GIVEN,
        GIVEN,
        golden="softmax_grad(x0, x1)",
    ),
    _row(
        "AdjustSoftMaxRes",
        X + PART % "top" + f"Duplicate(top, T(1), {ROWS} * B); Duplicate(top, T(2), B); "
        f"AdjustSoftMaxRes(x, top, uint32_t(::kgtwin::bitsOf(T(2))), T(9), {{{ROWS}, R, {ROWS}, R}}); "
        f"out(x, {ROWS} * R);",
        GIVEN,
        golden="np.r_[np.full(R, 9), x0[R:]]",
    ),
    _row(
        "LayerNorm",
        X + GAMMA + MOMENTS + f"LayerNormTiling t{{}}; {NORM} LayerNorm(d, m, v, x, g, b, T(0.001), t); "
        f"out(d, {ROWS} * R); out(m, {ROWS}); out(v, {ROWS});",
        GIVEN,
        "unit(R)",
        "unit(R)",
        golden="layer_norm(x0, x1, x2)",
    ),
    _row(
        "LayerNorm with the reciprocal",
        X + GAMMA + f"auto m = place<float>({ROWS} * 8); auto v = place<float>({ROWS} * 8); "
        f"LayerNorm<T, T>(d, m, v, x, g, b, 0.001f, LayerNormPara{{{ROWS}, R - 3, R}}, LayerNormSeparateTiling{{}}); "
        f"out(d, {ROWS} * R);",
        GIVEN,
        "unit(R)",
        "unit(R)",
        golden="layer_norm(x0, x1, x2)[0]",
    ),
    _row(
        "Normalize",
        X + GAMMA + f"auto m = place<float>(8); auto v = place<float>(8); auto r = place<float>(8); "
        "Duplicate(m, 0.5f, 8); Duplicate(v, 4.0f, 8); "
        f"Normalize<T, T>(d, r, m, v, x, g, b, 0.0f, NormalizePara{{{ROWS}, R - 3, R}}); out(d, {ROWS} * R);",
        GIVEN,
        "unit(R)",
        "unit(R)",
        golden="padded((real(x0) - 0.5) / 2 * x1[:-3] + x2[:-3])",
    ),
    _row(
        "RmsNorm",
        X + GAMMA + f"RmsNormTiling t{{}}; {NORM} RmsNorm(d, x, g, T(0.001), t); out(d, {ROWS} * R);",
        GIVEN,
        "unit(R)",
        "unit(R)",
        golden="padded(real(x0) / np.sqrt((real(x0) ** 2).mean(1, keepdims=True) + 0.001) * x1[:-3])",
    ),
    _row(
        "DeepNorm",
        X + f"auto y = in<T>({ROWS} * R); " + GAMMA + MOMENTS + f"DeepNormTiling t{{}}; {NORM} "
        f"DeepNorm(d, m, v, x, y, b, g, T(0.5), T(0.001), t); out(d, {ROWS} * R); out(m, {ROWS});",
        GIVEN,
        GIVEN,
        "unit(R)",
        "unit(R)",
        golden="layer_norm(0.5 * x0 + x1, x2, x3)[:2]",
    ),
    _row(
        "BatchNorm",
        "auto x = in<T>(6 * B); auto g = in<T>(6); auto b = in<T>(6); auto d = place<T>(6 * B); "
        "auto m = place<T>(B); auto v = place<T>(B); BatchNormTiling t{}; t.originalBLength = 6; t.meanVarSize = B; "
        "BatchNorm(d, m, v, x, g, b, T(0.001), t); out(d, 6 * B); out(m, B); out(v, B);",
        "unit(6 * B)",
        "unit(6)",
        "unit(6)",
        golden="batch_norm(x0.reshape(6, -1), x1, x2)",
    ),
    _row(
        "GroupNorm",
        "auto x = in<T>(2 * 4 * R); auto g = in<T>(4); auto b = in<T>(4); auto d = place<T>(8 * R); "
        "Duplicate(d, T(7), 8 * R); auto m = place<T>(B); auto v = place<T>(B); GroupNormTiling t{}; t.n = 2; t.c = 4; "
        "t.g = 2; t.d = 2; t.hw = R - 3; t.hwAlignSize = R; GroupNorm(d, m, v, x, g, b, T(0.001), t); "
        "out(d, 8 * R); out(m, 4); out(v, 4);",
        "unit(8 * R)",
        "unit(4)",
        "unit(4)",
        golden="group_norm(x0, x1, x2)",
    ),
    _row(
        "LayerNormGrad",
        X + f"auto y = in<T>({ROWS} * R); auto v = in<T>({ROWS}); auto m = in<T>({ROWS}); auto g = in<T>(R); "
        f"auto r = place<T>({ROWS} * R); Duplicate(r, T(7), {ROWS} * R); LayerNormGradTiling t{{}}; {NORM} "
        f"LayerNormGrad(d, r, x, y, v, m, g, T(0.001), t); out(d, {ROWS} * R); out(r, {ROWS} * R); "
        f"auto p = place<T>(R); auto q = place<T>(R); LayerNormGradBetaTiling u{{}}; u.bLength = 1; "
        f"u.sLength = {ROWS}; "
        "u.hLength = R; u.originalHLength = R - 3; LayerNormGradBeta(p, q, r, x, u); out(p, R - 3); out(q, R - 3);",
        GIVEN,
        GIVEN,
        f"np.abs(unit({ROWS})) + 1",
        f"unit({ROWS})",
        "unit(R)",
        golden="layer_norm_grad(x0, x1, x2, x3, x4)",
    ),
    _row(
        "Quantisation",
        "auto x = in<T>(2 * R); auto g = in<T>(R); auto d = place<int8_t>(2 * R); "
        "AscendQuant(d, x, 20.0f, 1.0f, 2 * R); out(d, 2 * R); AscendQuant(d, x, g, T(1), R, 2 * R); out(d, 2 * R); "
        "AscendQuant(d, x, g, g, R, R, 2 * R); out(d, 2 * R);",
        "unit(2 * R)",
        "unit(R) * 30",
        golden="(quant(x0, np.float32(20), np.float32(1)), quant(x0, np.tile(x1, 2), np.float32(1)), "
        "quant(x0, np.tile(x1, 2), np.tile(x1, 2)))",
    ),
    _row(
        "AscendDequant",
        "auto x = in<int32_t>(3 * 16); auto g = in<float>(16); auto d = place<T>(3 * 16); "
        "AscendDequant<T, float, DeQuantMode::DEQUANT_WITH_MULTI_ROW>(d, x, g, DequantParams{3, 16, 16}); out(d, 48); "
        "AscendDequant(d, x, 0.5f, DequantParams{3, 16, 16}); out(d, 48); AscendDequant(d, x, g, 16u); out(d, 48);",
        "rng.integers(-999, 999, 48).astype(np.int32)",
        "rng.standard_normal(16).astype(np.float32)",
        golden="(x0 * np.tile(x1, 3), x0 * 0.5, x0 * np.tile(x1, 3))",
    ),
)
WELFORD = (
    _row(
        "Welford",
        "auto x = in<T>(64); auto m = place<float>(64); auto v = place<float>(64); Duplicate(m, 0.5f, 64); "
        "Duplicate(v, 2.0f, 64); WelfordUpdate<T, float>(m, v, m, v, x, WelfordUpdateParam{1, 64, 64, 0.25f}); "
        "out(m, 64); out(v, 64); auto p = place<float>(8); auto q = place<float>(8); "
        "WelfordFinalizePara w{4, 64, 4, 64, 0, 0, 1.0f / 64, 1.0f / 256, 1.0f / 255}; "
        "WelfordFinalize(p, q, m, v, w); out(p, 1); out(q, 1);",
        "unit(64)",
        golden="welford(x0)",
    ),
)
SORTING = (
    _row(
        "Sort of the library",
        "constexpr static SortConfig DOWN{SortType::RADIX_SORT, true}; auto x = in<T>(50); "
        "auto d = place<T>(50); auto i = place<uint32_t>(50); Sort(d, x, 50u); out(d, 50); "
        "Sort<T, false, DOWN>(d, i, x, 50u); out(d, 50); out(i, 50);",
        "whole(50)",
        golden="(np.sort(x0), -np.sort(-x0), np.argsort(-x0, kind='stable').astype(np.uint32))",
    ),
    _row(
        "TopK",
        "auto x = in<T>(2 * 64); auto d = place<T>(64); auto i = place<int32_t>(64); LocalTensor<int32_t> no; "
        "LocalTensor<bool> f; TopkTiling t{}; TopK<T>(d, i, x, no, f, 5, t, TopKInfo{2, 64, 61}); out(d, 5); "
        "out(i, 5); out(i[8], 5); TopK<T, false, false, false, TopKMode::TOPK_NSMALL>(d, i, x, no, f, 5, t, "
        "TopKInfo{4, 32, 30}, false); "
        "out(d, 20);",
        "whole(128)",
        golden="top_k(x0)",
    ),
    _row(
        "proposals",
        "auto x = in<T>(32); auto d = place<T>(256); auto e = place<T>(256); Duplicate(d, T(0), 256); "
        "ProposalConcat(d, x, 2, 4); ProposalConcat(d, x, 2, 1); RpSort16(e, d, 2); ProposalExtract(d, e, 2, 1); "
        "out(d, 32);",
        "whole(32)",
        golden="-np.sort(-x0.reshape(2, 16), 1)",
    ),
    _row(
        "merged proposals",
        "auto x = in<T>(32); auto d = place<T>(256); auto e = place<T>(256); Duplicate(d, T(0), 256); "
        "ProposalConcat(d, x, 2, 4); RpSort16(e, d, 2); uint16_t lengths[4] = {16, 16, 16, 16}; "
        "MrgSort4(d, MrgSortSrcList<T>(e, e[128], e, e), MrgSort4Info(lengths, false, 3, 1)); "
        "ProposalExtract(e, d, 2, 4); out(e, 32);",
        "whole(32)",
        golden="-np.sort(-x0)",
    ),
)

# --- Conversions ------------------------------------------------------------------------------------------------------

CONVERTING = (
    _row(
        "AddReluCast and SubReluCast",
        "auto a = in<float>(70); auto b = in<float>(70); auto d = place<half>(128); "
        "AddReluCast(d, a, b, 70u); out(d, 70); SubReluCast(d, a, b, uint64_t(64), uint8_t(1), {1, 1, 1, 4, 8, 8}); "
        "out(d, 64);",
        "some(70)",
        "some(70)",
        golden="(np.maximum(x0 + x1, 0).astype(np.float16), np.maximum(x0 - x1, 0)[:64].astype(np.float16))",
    ),
    _row(
        "MulCast",
        "auto a = in<half>(128); auto b = in<half>(128); auto d = place<int8_t>(128); MulCast(d, a, b, 128u); "
        "out(d, 128);",
        "(rng.standard_normal(128) * 9).astype(np.float16)",
        "(rng.standard_normal(128) * 9).astype(np.float16)",
        golden="np.clip(np.rint((x0 * x1).astype(np.float16).astype(np.float32)), -128, 127).astype(np.int8)",
    ),
    _row(
        "AddDeqRelu",
        "auto a = in<int32_t>(70); auto b = in<int32_t>(70); auto d = place<half>(128); "
        "SetDeqScale(half(0.5)); AddDeqRelu(d, a, b, 70); out(d, 70); "
        "AddDeqRelu(d, a, b, uint64_t(9), uint8_t(1), {1, 1, 1, 4, 8, 8}); CastDequant(d, a, 70u); out(d, 70);",
        "rng.integers(-999, 999, 70).astype(np.int32)",
        "rng.integers(-999, 999, 70).astype(np.int32)",
        golden="(np.maximum((x0 + x1) * 0.5, 0).astype(np.float16), (x0 * 0.5).astype(np.float16))",
    ),
    _row(
        "CastDequant to 8 bits",
        "auto a = in<int16_t>(16); auto d = place<int8_t>(32); "
        "Duplicate(d.ReinterpretCast<int16_t>(), int16_t(0), 16); SetDeqScale(0.5f, int16_t(3), true); "
        "CastDequant<int8_t, int16_t, false, false>(d, a, 16u); out(d, 16);",
        "(rng.integers(-400, 400, 16) * 2).astype(np.int16)",
        golden="np.clip(x0 * 0.5 + 3, -128, 127).astype(np.int8)",
    ),
    _row(
        "ScalarCast",
        "auto d = place<T>(8); d.SetValue(0, T(ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(2.2f))); "
        "d.SetValue(1, T(ScalarCast<float, int32_t, RoundMode::CAST_FLOOR>(-2.2f))); "
        "d.SetValue(2, T(float(ScalarCast<float, half, RoundMode::CAST_ODD>(1.0001f)))); "
        "d.SetValue(3, T(float(Cast(3.14159f)))); d.SetValue(4, Std::sqrt(9.0f)); bfloat16_t b(1.5f); b += 2; "
        "d.SetValue(5, T(float(b))); out(d, 6);",
        golden="np.array([3, -3, 1 + 2.0**-10, 3.140625, 3, 3.5], np.float32)",
    ),
    _row(
        "Mull",
        "auto a = in<int32_t>(37); auto b = in<int32_t>(37); auto d = place<int32_t>(37); auto e = place<int32_t>(37); "
        "Mull(d, e, a, b, 37u); out(d, 37); out(e, 37);",
        "rng.integers(-2**31, 2**31, 37).astype(np.int32)",
        "rng.integers(-2**31, 2**31, 37).astype(np.int32)",
        golden="((x0.astype(np.int64) * x1).astype(np.int32), (x0.astype(np.int64) * x1 >> 32).astype(np.int32))",
    ),
    _row(
        "SinCos and Fma",
        f"auto a = in<T>({N}); auto d = place<T>({N}); auto e = place<T>({N}); SinCos(d, e, a, {N}u); "
        f"out(d, {N}); out(e, {N}); Fma(d, a, e, a, {N}u); out(d, {N});",
        f"small({N})",
        golden="(np.sin(x0), np.cos(x0), x0 * np.cos(x0) + x0)",
    ),
)
ANTIQUANT = (
    _row(
        "AscendAntiQuant",
        "auto x = in<int8_t>(4 * 32); auto o = in<half>(32); auto g = in<half>(32); auto d = place<half>(128); "
        "AscendAntiQuant<int8_t, half, false>(d, x, o, g, 4u); out(d, 128); "
        "AscendAntiQuant<int8_t, half, false>(d, x, half(2), half(0.5), 4u); out(d, 128);",
        "rng.integers(-128, 128, 128).astype(np.int8)",
        "rng.integers(-9, 9, 32).astype(np.float16)",
        "rng.standard_normal(32).astype(np.float16)",
        golden="((x0 + np.tile(x1, 4)) * np.tile(x2, 4), (x0.astype(np.float32) + 2) * 0.5)",
    ),
)
WHOLE_NUMBERS = (
    _row(
        "Xor",
        f"auto a = in<T>({N}); auto b = in<T>({N}); auto d = place<T>({N}); Xor(d, a, b, {N}u); out(d, {N});",
        f"some({N})",
        f"some({N})",
        golden="x0 ^ x1",
    ),
    _row(
        "Ands and Ors",
        f"auto a = in<T>({N}); auto d = place<T>({N}); Ands(d, a, T(12), {N}); out(d, {N}); "
        f"Ors(d, T(12), a, {N}); out(d, {N});",
        f"some({N})",
        golden="(x0 & 12, x0 | 12)",
    ),
    _row(
        "bitwise functions",
        f"auto a = in<T>({N}); auto b = in<T>({N}); auto d = place<T>({N}); "
        f"BitwiseAnd(d, a, b, {N}u); out(d, {N}); BitwiseOr(d, a, b, {N}u); out(d, {N}); BitwiseXor(d, a, b, {N}u); "
        f"out(d, {N}); BitwiseNot(d, a, {N}u); out(d, {N});",
        f"some({N})",
        f"some({N})",
        golden="(x0 & x1, x0 | x1, x0 ^ x1, ~x0)",
    ),
    _row(
        "ShiftRight that rounds",
        "auto a = in<T>(R); auto d = place<T>(R); ShiftRight(d, a, T(5), uint64_t(R), "
        "uint8_t(1), {1, 1, 8, 8}, true); out(d, R);",
        "some(R)",
        golden="(x0 >> 5) + (x0 >> 4 & 1)",
    ),
)

# --- Numbers at the ends, and what leaves no number -------------------------------------------------------------------

ODDITIES = (
    *(
        _row(
            f"{name} of special values",
            f"auto a = in<T>(R); auto b = in<T>(R); auto d = place<T>(R); {name}(d, a, b, int32_t(R)); out(d, R);",
            "special(R)",
            "special(R)",
            golden=f"beyond({BINARY[name].replace('a', 'x0').replace('b', 'x1')})",
        )
        for name in ("Add", "Sub", "Mul", "Div")
    ),
    *(
        _row(
            f"{name} of special values",
            f"auto a = in<T>(R); auto d = place<T>(R); {name}(d, a, {more}R); out(d, R);",
            "special(R)",
            golden=f"beyond({formula})",
        )
        for name, more, formula in (
            ("Exp", "", "np.exp(x0)"),
            ("Ln", "", "np.log(x0)"),
            ("Sqrt", "", "np.sqrt(x0)"),
            ("Abs", "", "np.abs(x0)"),
            ("Muls", "T(3), ", "x0 * np.float32(3)"),
            ("Tanh", "", "np.tanh(x0)"),
        )
    ),
    *(
        _row(
            f"Compare of special values, {mode}",
            f"auto a = in<T>(R); auto b = in<T>(R); {BITS} Compare(bits, a, b, CMPMODE::{mode}, R); out(bits, R / 8);",
            "special(R)",
            "special(R)",
            golden=f"pack(x0 {sign} x1)",
        )
        for mode, sign in {"LT": "<", "GE": ">=", "EQ": "==", "NE": "!="}.items()
    ),
    _row(
        "Cast of special values",
        "auto a = in<T>(R); auto d = place<int32_t>(R); Cast(d, a, RoundMode::CAST_TRUNC, R); out(d, R); "
        "Cast(d, a, RoundMode::CAST_CEIL, R); out(d, R);",
        "special(R)",
        golden="(to_int32(np.trunc(x0)), to_int32(np.ceil(x0)))",
    ),
)
MORE = (
    _row(
        "TransDataTo5HD, repeats",
        "auto a = in<T>(32 * B); auto d = place<T>(32 * B); LocalTensor<T> s[16], r[16]; "
        "for (int i = 0; i < 16; ++i) { s[i] = a[i * 2 * B]; r[i] = d[i * B]; } "
        "TransDataTo5HD<T>(r, s, {false, false, 2, 16, 1}); out(d, 32 * B);",
        "some(32 * B)",
        golden="x0.reshape(16, 2 * B).T",
    ),
    _row(
        "TransDataTo5HD, one repeat and strides",
        "auto a = in<T>(17 * B); auto d = place<T>(18 * B); LocalTensor<T> s[16], r[16]; "
        "for (int i = 0; i < 16; ++i) { s[i] = a[i * B]; r[i] = d[i * B]; } "
        "TransDataTo5HD<T>(r, s, {false, false, 1, 2, 1}); out(d[2 * B], 16 * B);",
        "some(17 * B)",
        golden="x0[B:].reshape(16, B).T",
    ),
    _row(
        "scalars",
        "auto d = place<T>(8); d.SetValue(0, T(ScalarGetCountOfValue<1>(11))); "
        "d.SetValue(1, T(ScalarCountLeadingZero(1))); d.SetValue(2, T(ScalarGetSFFValue<1>(8))); "
        "d.SetValue(3, T(CountBitsCntSameAsSignBit(-1))); d.SetValue(4, T(DivCeil(9, 4))); "
        "d.SetValue(5, T(AlignUp(9, 4))); out(d, 6);",
        golden="np.array([3, 63, 3, 63, 3, 12], np.float32)",
    ),
    _row(
        "more than 255 repeats in the counting mode",
        "auto a = in<T>(260 * R); auto d = place<T>(260 * R); SetMaskCount(); "
        "SetVectorMask<T, MaskMode::COUNTER>(0, 260 * R); Adds<T, false>(d, a, T(1), MASK_PLACEHOLDER, uint8_t(1), "
        "{1, 1, 8, 8}); SetMaskNorm(); ResetMask(); out(d, 260 * R);",
        "whole(260 * R)",
        golden="x0 + 1",
    ),
    _row(
        "what only watches",
        'auto a = in<T>(R); PRINTF("%d", 1); AscendC::printf("%f", 1.0f); DumpTensor(a, 1u, 8u); assert(true); '
        "PRELOAD(2); ICachePreLoad(1); PrintTimeStamp(1u); TRACE_START(1u); TRACE_STOP(1u); Nop(); out(a, R);",
        "some(R)",
        golden="x0",
    ),
)

# --- What Ascend 950 brought ------------------------------------------------------------------------------------------

SCALARS_FIRST = (
    *(
        _row(
            f"{name}, a scalar first",
            f"auto a = in<T>({N}); auto s = in<T>({N}); auto d = place<T>({N}); {name}(d, T(3), a, {N}); out(d, {N}); "
            f"{name}(d, a, s, {N}); out(d, {N}); {name}(d, a, T(3), {N}); out(d, {N});",
            f"some({N})",
            f"some({N})",
            golden=f"({formula % ('3', 'x0')}, {formula % ('x0', 'x1[0]')}, {formula % ('x0', '3')})",
        )
        for name, formula in (
            ("Adds", "%s + %s"),
            ("Muls", "%s * %s"),
            ("Maxs", "np.maximum(%s, %s)"),
            ("Mins", "np.minimum(%s, %s)"),
        )
    ),
    *(
        _row(
            f"Compares, {mode}",
            "auto a = in<T>(6 * R); " + BITS + f"Compares(bits, T(1), a, CMPMODE::{mode}, R); out(bits, R / 8); "
            f"Compares(bits, a, T(1), CMPMODE::{mode}, R); out(bits, R / 8);",
            "whole(6 * R)",
            golden=f"(pack(1 {sign} x0[:R]), pack(x0[:R] {sign} 1))",
        )
        for mode, sign in {"LT": "<", "GE": ">=", "EQ": "=="}.items()
    ),
    _row(
        "IsNan and its like",
        "auto a = in<T>(R); auto d = place<uint8_t>(R); IsNan(d, a, R); out(d, R); IsInf(d, a, R); out(d, R); "
        "IsFinite(d, a, R); out(d, R); auto e = place<T>(R); Copy(e, a, R); out(e, R);",
        "special(R)",
        golden="(*(np.uint8(one) for one in (np.isnan(x0), np.isinf(x0), np.isfinite(x0))), x0)",
    ),
)

INSTRUCTIONS = (*FILLING, *PROGRESSIONS, *COMPARISONS, *REDUCTIONS, *MOVING, *MORE, *ODDITIES)
LIBRARIES = (*MATH, *LIBRARY, *SORTING)
_FLOAT = ("float", "float32")
_HALF = ("half", "float16")
TABLES = {
    "basic float": Table(*_FLOAT, instructions(FLOATING), (1, 1000), (3e-6, 3e-6)),
    "float": Table(*_FLOAT, INSTRUCTIONS, (1, 1000), (3e-6, 3e-6)),
    "library float": Table(*_FLOAT, (*LIBRARIES, *WELFORD, *CONVERTING), (1, 10), (2e-5, 2e-5)),
    "basic half": Table(*_HALF, instructions(FLOATING), (1, 20), (1.1e-3, 1e-3)),
    "half": Table(*_HALF, (*INSTRUCTIONS, *SIXTEEN_BITS), (1, 20), (1.1e-3, 1e-3)),
    "library half": Table(*_HALF, (*LIBRARIES, *ANTIQUANT), (1, 10), (2e-3, 2e-3)),
    "saturating half": Table(*_HALF, ODDITIES, (1,), (1.1e-3, 1e-3), saturation=True),
    "Ascend950": Table(*_FLOAT, SCALARS_FIRST, (1,), (3e-6, 3e-6), chip="Ascend950"),
    "int32_t": Table(
        "int32_t", "int32", (*instructions(LONG), *FILLING, *PROGRESSIONS, *WHOLE_NUMBERS), (1, 1e6), (0, 0)
    ),
    "int16_t": Table(
        "int16_t", "int16", (*instructions(SHORT), *FILLING, *PROGRESSIONS, *WHOLE_NUMBERS), (1, 100), (0, 0)
    ),
}
