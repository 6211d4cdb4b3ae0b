"""What AscendC's functions compute on the twin, against numpy: a row a function, all of a table in one kernel.

A row is C++ over `d` (the destination), `a`, `b` (the sources), `w` (a work tensor), `n` elements of `T`, and the same
as an expression of numpy over `a` and `b` (float32 for floating point), rounded to the table's type once.
"""

from __future__ import annotations

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import serious, verify

Row = tuple[str, str]

ARITHMETIC: dict[str, Row] = {
    "add": ("Add(d, a, b, n);", "a + b"),
    "sub": ("Sub(d, a, b, n);", "a - b"),
    "mul": ("Mul(d, a, b, n);", "a * b"),
    "max": ("Max(d, a, b, n);", "np.maximum(a, b)"),
    "min": ("Min(d, a, b, n);", "np.minimum(a, b)"),
    "adds": ("Adds(d, a, T(3), n);", "a + 3"),
    "muls": ("Muls(d, a, T(3), n);", "a * 3"),
    "maxs": ("Maxs(d, a, T(1), n);", "np.maximum(a, 1)"),
    "mins": ("Mins(d, a, T(1), n);", "np.minimum(a, 1)"),
    "duplicate": ("Duplicate(d, T(5), n);", "np.full_like(a, 5)"),
    "operators": ("d = a + b;", "a + b"),
    "in place": ("Adds(a, a, T(1), n); Add(d, a, a, n);", "(a + 1) * 2"),
}
FLOATING: dict[str, Row] = {
    **ARITHMETIC,
    "abs": ("Abs(d, a, n);", "np.abs(a)"),
    "relu": ("Relu(d, a, n);", "np.maximum(a, 0)"),
    "div": ("Div(d, a, b, n);", "a / b"),
    "exp": ("Muls(w, a, T(0.001), n); Exp(d, w, n);", "np.exp(r(a * r(np.float32(0.001))))"),
    "ln": ("Abs(w, a, n); Adds(w, w, T(1), n); Ln(d, w, n);", "np.log(r(np.abs(a) + 1))"),
    "sqrt": ("Abs(w, a, n); Sqrt(d, w, n);", "np.sqrt(np.abs(a))"),
    "rsqrt": ("Abs(w, a, n); Adds(w, w, T(1), n); Rsqrt(d, w, n);", "1 / np.sqrt(r(np.abs(a) + 1))"),
    "reciprocal": ("Abs(w, a, n); Adds(w, w, T(1), n); Reciprocal(d, w, n);", "1 / r(np.abs(a) + 1)"),
    "leaky relu": ("LeakyRelu(d, a, T(0.25), n);", "np.where(a >= 0, a, a * 0.25)"),
    "axpy": ("Duplicate(d, T(2), n); Axpy(d, a, T(3), n);", "a * 3 + 2"),
    "add relu": ("AddRelu(d, a, b, n);", "np.maximum(a + b, 0)"),
    "sub relu": ("SubRelu(d, a, b, n);", "np.maximum(a - b, 0)"),
    "fused": ("Duplicate(d, T(2), n); FusedMulAdd(d, a, b, n);", "a * 2 + b"),
    "multiply add": ("Duplicate(d, T(2), n); MulAddDst(d, a, b, n);", "a * b + 2"),
    "tanh": ("Tanh(d, a, n);", "np.tanh(a)"),
    "sigmoid": ("Sigmoid(d, a, n);", "1 / (1 + np.exp(-a.astype(np.float64)))"),
    "sign": ("Sign(d, a, n);", "np.sign(a)"),
    "floor": ("Floor(d, a, n);", "np.floor(a)"),
    "ceil": ("Ceil(d, a, n);", "np.ceil(a)"),
    "trunc": ("Trunc(d, a, n);", "np.trunc(a)"),
    "sin": ("Muls(w, a, T(0.001), n); Sin(d, w, n);", "np.sin(r(a * r(np.float32(0.001))))"),
    "cos": ("Muls(w, a, T(0.001), n); Cos(d, w, n);", "np.cos(r(a * r(np.float32(0.001))))"),
    "erf": ("Erf(d, a, n);", "np.vectorize(math.erf)(a)"),
    "power": ("Power(d, a, T(2), n);", "a * a"),
    "sum": ("Duplicate(d, T(0), n); ReduceSum(d, a, w, n);", "first(np.sum(a, dtype=np.float64), a)"),
    "largest": ("Duplicate(d, T(0), n); ReduceMax(d, a, w, n, false);", "first(a.max(), a)"),
    "smallest": ("Duplicate(d, T(0), n); ReduceMin(d, a, w, n, false);", "first(a.min(), a)"),
    "index": ("Duplicate(d, T(0), n); CreateVecIndex(d, T(2), n);", "np.arange(2, 2 + a.size)"),
    "compare and select": (
        "LocalTensor<uint8_t> bits = w.template ReinterpretCast<uint8_t>(); Compare(bits, a, b, CMPMODE::GT, whole);"
        "Select(d, bits, a, T(9), SELMODE::VSEL_TENSOR_SCALAR_MODE, n);",
        "np.where(a > b, a, 9)",
    ),
    "compare with a scalar": (
        "LocalTensor<uint8_t> bits = w.template ReinterpretCast<uint8_t>();"
        "CompareScalar(bits, a, T(0), CMPMODE::LE, whole);"
        "Select(d, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, n);",
        "np.where(a <= 0, a, b)",
    ),
    "scalars": ("for (uint32_t i = 0; i < n; ++i) { d.SetValue(i, a.GetValue(n - 1 - i)); }", "a[::-1]"),
    "masked": (
        "Duplicate(d, T(7), n); Add(d, a, b, uint64_t(5), uint8_t(n * sizeof(T) / 256), {1, 1, 1, 8, 8, 8});",
        "masked(a + b, np.full_like(a, 7), lambda i: i < 5, size)",
    ),
    "masked by bits": (
        "uint64_t odd[2] = {0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa}; Duplicate(d, T(7), n);"
        "Muls(d, a, T(2), odd, uint8_t(n * sizeof(T) / 256), {1, 1, 8, 8});",
        "masked(a * 2, np.full_like(a, 7), lambda i: i % 2 == 1, size)",
    ),
    "counted by the mask": (
        "Duplicate(d, T(7), n); SetMaskCount(); SetVectorMask<T, MaskMode::COUNTER>(n - 1);"
        "Adds<T, false>(d, a, T(1), MASK_PLACEHOLDER, 1, {1, 1, 8, 8}); SetMaskNorm(); ResetMask();",
        "np.concatenate([a[:-1] + 1, [7]])",
    ),
    "the first block again": (
        "Duplicate(d, T(7), n); Adds(d, a, T(1), FULL, uint8_t(n * sizeof(T) / 256), {1, 0, 8, 8});",
        "repeated(a + 1, np.full_like(a, 7), size)",
    ),
}
WHOLE: dict[str, Row] = {
    **{name: row for name, row in ARITHMETIC.items() if name != "operators"},
    "shift left": ("ShiftLeft(d, a, T(2), n);", "a * 4"),
    "shift right": ("ShiftRight(d, a, T(2), n);", "a >> 2"),
}
CASTS: dict[str, Row] = {
    "none": ("Cast(h, a, RoundMode::CAST_NONE, n); Cast(d, h, RoundMode::CAST_NONE, n);", "a.astype(np.float16)"),
    **{
        f"to int32 {mode}": (
            f"LocalTensor<int32_t> i = w.template ReinterpretCast<int32_t>(); Cast(i, a, RoundMode::CAST_{mode}, n);"
            "Cast(d, i, RoundMode::CAST_NONE, n);",
            f"np.clip({whole}, -2.0**31, 2.0**31).astype(np.float32)",
        )
        for mode, whole in {
            "RINT": "np.rint(a)",
            "FLOOR": "np.floor(a)",
            "CEIL": "np.ceil(a)",
            "ROUND": "np.trunc(a.astype(np.float64) + np.copysign(0.5, a))",
            "TRUNC": "np.trunc(a)",
        }.items()
    },
    "to int16": (
        "LocalTensor<int16_t> i = w.template ReinterpretCast<int16_t>(); Cast(i, a, RoundMode::CAST_RINT, n);"
        "Cast(d, i, RoundMode::CAST_NONE, n);",
        "np.clip(np.rint(a), -32768, 32767)",
    ),
    "to int8 through half": (
        "LocalTensor<int8_t> i = w.template ReinterpretCast<int8_t>(); Cast(h, a, RoundMode::CAST_NONE, n);"
        "Cast(i, h, RoundMode::CAST_RINT, n); Cast(h, i, RoundMode::CAST_NONE, n);"
        "Cast(d, h, RoundMode::CAST_NONE, n);",
        "np.clip(np.rint(a.astype(np.float16).astype(np.float32)), -128, 127)",
    ),
    "to bfloat16": (
        "LocalTensor<bfloat16_t> i = w.template ReinterpretCast<bfloat16_t>(); Cast(i, a, RoundMode::CAST_RINT, n);"
        "Cast(d, i, RoundMode::CAST_NONE, n);",
        "bf16(a)",
    ),
    "half down": ("Cast(h, a, RoundMode::CAST_FLOOR, n); Cast(d, h, RoundMode::CAST_NONE, n);", "towards(a, -np.inf)"),
    "half up": ("Cast(h, a, RoundMode::CAST_CEIL, n); Cast(d, h, RoundMode::CAST_NONE, n);", "towards(a, np.inf)"),
    "to whole floats": (
        "Cast(d, a, RoundMode::CAST_ROUND, n);",
        "np.trunc(a.astype(np.float64) + np.copysign(0.5, a))",
    ),
}

KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint64_t FULL = %(full)s;
template <typename T> class Table {
public:
    using Local = LocalTensor<T>;
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n)
    {
        uint32_t whole = (n * sizeof(T) + 255) / 256 * 256 / sizeof(T);
        xGm.SetGlobalBuffer((__gm__ T *)x, n);
        yGm.SetGlobalBuffer((__gm__ T *)y, n);
        zGm.SetGlobalBuffer((__gm__ T *)z);
        pipe.InitBuffer(aQueue, 1, whole * sizeof(T));
        pipe.InitBuffer(bQueue, 1, whole * sizeof(T));
        pipe.InitBuffer(dQueue, 1, whole * sizeof(T));
        pipe.InitBuffer(wBuffer, whole * sizeof(T) + 256);
        pipe.InitBuffer(hBuffer, whole * sizeof(T));
        uint32_t row = 0;
%(steps)s
    }
private:
    template <typename F> __aicore__ inline void Step(uint32_t n, uint32_t whole, uint32_t &row, F body)
    {
        DataCopyExtParams one{1, uint32_t(n * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{false, 0, 0, T(0)};
        LocalTensor<T> a = aQueue.AllocTensor<T>();
        LocalTensor<T> b = bQueue.AllocTensor<T>();
        DataCopyPad(a, xGm, one, pad);
        DataCopyPad(b, yGm, one, pad);
        aQueue.EnQue(a);
        bQueue.EnQue(b);
        a = aQueue.DeQue<T>();
        b = bQueue.DeQue<T>();
        LocalTensor<T> d = dQueue.AllocTensor<T>();
        d.SetSize(n);
        PipeBarrier<PIPE_ALL>();
        body(d, a, b, wBuffer.Get<T>(), hBuffer.Get<half>());
        PipeBarrier<PIPE_ALL>();
        dQueue.EnQue(d);
        aQueue.FreeTensor(a);
        bQueue.FreeTensor(b);
        d = dQueue.DeQue<T>();
        DataCopyPad(zGm[row * n], d, one);
        dQueue.FreeTensor(d);
        row++;
    }
    TPipe pipe;
    TQue<TPosition::VECIN, 1> aQueue, bQueue;
    TQue<TPosition::VECOUT, 1> dQueue;
    TBuf<TPosition::VECCALC> wBuffer, hBuffer;
    GlobalTensor<T> xGm, yGm, zGm;
};
extern "C" __global__ __aicore__ void table(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR tiling)
{
    Table<%(type)s> op;
    op.Run(x, y, z, *reinterpret_cast<__gm__ uint32_t *>(tiling));
}
"""
STEP = """        Step(n, whole, row, [&](Local d, Local a, Local b, Local w, LocalTensor<half> h) {
            %s
        });"""
GOLDEN = """
import math
TYPE = np.%(numpy)s
def r(value): return np.asarray(value).astype(TYPE).astype(np.float32) if np.issubdtype(TYPE, np.floating) else value
def first(value, like):
    out = np.zeros_like(like)
    out[0] = value
    return out
def masked(new, old, takes, size):
    place = np.arange(new.size)
    inside = place < new.size * TYPE().itemsize // 256 * size
    return np.where(inside & takes(place %% size), new, old)
def repeated(new, old, size):
    place = np.arange(new.size)
    block = 32 // TYPE().itemsize
    inside = place < new.size * TYPE().itemsize // 256 * size
    return np.where(inside, new[place // size * size + place %% block], old)
def bf16(array):
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32).astype(np.uint64)
    return (((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16).astype(np.uint32).view(np.float32)
def towards(array, limit):
    near = array.astype(np.float16)
    wide = near.astype(np.float32)
    beyond = wide > array if limit < 0 else wide < array
    return np.where(beyond, np.nextafter(near, np.float16(limit)), near).astype(np.float32)
ROWS = %(rows)s
CASES = [{"n": n, "scale": scale} for n, scale in %(cases)s]
def inputs(case, rng):
    values = rng.standard_normal((2, case["n"])) * case["scale"]
    values = np.where(np.abs(values) < 0.01, 1, values)
    return [values[0].astype(TYPE), values[1].astype(TYPE)]
def golden(case, given):
    a, b = (one.astype(np.float32) if np.issubdtype(TYPE, np.floating) else one for one in given)
    size = 256 // TYPE().itemsize
    with np.errstate(all="ignore"):
        return [np.stack([np.asarray(eval(row, dict(globals(), a=a, b=b, size=size))).astype(TYPE) for row in ROWS])]
tiling = lambda case: int(case["n"]).to_bytes(4, "little")
TOLERANCE = %(tolerance)s
"""

TABLES = {
    "float": ("float", "float32", FLOATING, ((64, 1), (1000, 1), (37, 100), (2055, 1000), (1, 1)), (2e-5, 2e-5)),
    "half": ("half", "float16", FLOATING, ((128, 1), (1000, 1), (37, 16), (2055, 2), (1, 1)), (2e-3, 2e-3)),
    "int32_t": ("int32_t", "int32", WHOLE, ((64, 1000), (37, 2**29), (1001, 100)), (0, 0)),
    "int16_t": ("int16_t", "int16", WHOLE, ((128, 1000), (37, 8000), (1001, 100)), (0, 0)),
    "conversions": ("float", "float32", CASTS, ((64, 1), (1000, 100), (37, 2000), (5, 1)), (0, 0)),
}


@pytest.mark.parametrize("name", TABLES)
def test_functions_compute_what_numpy_does(name: str) -> None:
    kind, numpy, rows, cases, tolerance = TABLES[name]
    full = "64" if "float" in kind else "128"
    kernel = KERNEL % {"type": kind, "full": full, "steps": "\n".join(STEP % code for code, _ in rows.values())}
    golden = GOLDEN % {
        "numpy": numpy,
        "rows": [formula for _, formula in rows.values()],
        "cases": cases,
        "tolerance": tolerance,
    }
    result = verify({"kernel.cpp": kernel}, "kernel.cpp", "table", golden)
    wrong = [f"{one.name}: {one.message}" for one in result.cases if one.outcome is not Outcome.PASSED]
    assert (result.outcome, wrong, serious(result)) == (Outcome.PASSED, [], []), dict(enumerate(rows))
