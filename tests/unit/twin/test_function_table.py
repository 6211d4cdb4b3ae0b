"""The rows of ``function_rows``, a kernel an element type, on the twin and in numpy."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from kernelgen_ls.runner.jobs.messages import CaseResult, Outcome
from tests.unit.twin.function_rows import TABLES, Table
from tests.unit.twin.verifying import serious, verify

KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;
using T = %(kind)s;
constexpr uint32_t R = 256 / sizeof(T), B = 32 / sizeof(T);
template <typename U> using PatternOf = std::conditional_t<sizeof(U) == 2, uint16_t, uint32_t>;
class Rows {
public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, GM_ADDR z)
    {
        given = x;
        values = y;
        bytes = z;
        pipe.InitBuffer(memory, 184 * 1024);
%(rows)s
        auto last = place<uint8_t>(32);
        Duplicate(last.ReinterpretCast<int16_t>(), int16_t(0), 16);
        out(last, 1);
    }

private:
    template <typename U> __aicore__ inline LocalTensor<U> place(uint32_t count)
    {
        LocalTensor<U> tensor = memory.GetWithOffset<U>(count, top);
        top += (count * sizeof(U) + 255) / 256 * 256;
        return tensor;
    }
    template <typename U> __aicore__ inline LocalTensor<U> in(uint32_t count)
    {
        LocalTensor<U> tensor = place<U>(count);
        GlobalTensor<U> from;
        from.SetGlobalBuffer((__gm__ U *)given, count);
        DataCopyPadExtParams<U> unpadded{false, 0, 0, U(0)};
        DataCopyPad(tensor, from, DataCopyExtParams{1, uint32_t(count * sizeof(U)), 0, 0, 0}, unpadded);
        given += (count * sizeof(U) + 31) / 32 * 32;
        PipeBarrier<PIPE_ALL>();
        return tensor;
    }
    template <typename U> __aicore__ inline void out(const LocalTensor<U> &tensor, uint32_t count)
    {
        GM_ADDR &to = std::is_same_v<U, T> ? values : bytes;
        GlobalTensor<U> global;
        global.SetGlobalBuffer((__gm__ U *)to, count);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(global, tensor, DataCopyExtParams{1, uint32_t(count * sizeof(U)), 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        to += count * sizeof(U);
    }
    TPipe pipe;
    TBuf<TPosition::VECCALC> memory;
    uint32_t top = 0;
    GM_ADDR given;
    GM_ADDR values;
    GM_ADDR bytes;
};
extern "C" __global__ __aicore__ void rows(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    Rows op;
    op.Run(x, y, z);
}
"""
CASES = '''
import math
TYPE = np.%(numpy)s
SIZE = TYPE().itemsize
R, B = 256 // SIZE, 32 // SIZE
FLOATING = np.issubdtype(TYPE, np.floating)
limits = np.finfo(TYPE) if FLOATING else np.iinfo(TYPE)
CASES = [{"scale": scale} for scale in %(cases)s]
ROWS = %(rows)s
TOLERANCE = %(tolerance)s
SATURATION = %(saturation)s


def makers(rng, scale):
    """What makes sources of ``n`` elements."""
    def some(n):
        if FLOATING: return rng.standard_normal(n) * scale
        return rng.integers(-scale * 9, scale * 9, n)
    def whole(n): return rng.integers(-9, 9, n)
    def positive(n): return np.abs(rng.standard_normal(n) * scale) + 0.5
    def above(n): return np.abs(rng.standard_normal(n) * scale) + 1.1
    def small(n): return rng.standard_normal(n)
    def unit(n): return rng.uniform(-0.99, 0.99, n)
    def special(n):
        ends = [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, limits.max, limits.min, limits.tiny, limits.smallest_subnormal]
        return rng.choice(np.array(ends, TYPE), n)
    def offsets(n): return (rng.integers(0, 2 * R, n) * SIZE).astype(np.uint32)
    return dict(locals())


def inputs(case, rng):
    made = makers(rng, case["scale"])
    pieces = []
    for expressions, _ in ROWS:
        for one in expressions:
            array = np.asarray(eval(one, dict(globals(), **made)))
            if array.dtype in (np.float64, np.int64): array = array.astype(TYPE)
            raw = np.frombuffer(array.tobytes(), np.uint8)
            pieces.append(np.pad(raw, (0, -raw.size %% 32)))
            kept.append(array)
    return [np.concatenate(pieces)]


kept = []
"""The sources in order, as they were made."""


def places(repeats, elements, block, step):
    e = np.asarray(list(elements))[None]
    return (np.arange(repeats)[:, None] * step * B + e // B * block * B + e %% B).reshape(-1)
def masked(f, sources, elements, repeats, blocks, steps):
    d = np.full(6 * R, 7, np.float64 if FLOATING else TYPE)
    to, *where = (places(repeats, elements, int(block), int(step)) for block, step in zip(blocks, steps))
    d[to] = f(*(x[at] for x, at in zip(sources, where)))
    return d
def beyond(x): return np.nan_to_num(np.asarray(x).astype(TYPE), nan=0) if SATURATION else x
def to_int32(x): return np.clip(np.nan_to_num(x.astype(np.float64), nan=0), -2**31, 2**31 - 1).astype(np.int32)
def scatter(x, at):
    d = np.full(6 * R, 7, np.float64)
    d[at[:-3]] = x[:2 * R - 3]
    first = d.copy()
    for repeat in range(2): d[at[repeat * R:repeat * R + 9] + B] = x[repeat * 2 * R:repeat * 2 * R + 9]
    return first, d
def head(new, count): return np.where(np.arange(new.size) < count, new, 7)
def pack(bits): return np.packbits(bits, bitorder="little")
def total(x): return np.asarray([x.sum(dtype=np.float64)])
def best(x, elements, which):
    at = which(x[elements])
    # Of a strided form the number counts the elements of whole repeats.
    return x[elements][at].reshape(1), np.array([elements[at]], np.dtype(f"uint{SIZE * 8}")).view(np.uint8)
def rows(f, x, count, pitch, elements): return f(x[:count * pitch].reshape(count, pitch)[:, list(elements)], 1)
def pairs(x, which):
    at = which(x, 1)
    index = at.astype(np.dtype(f"uint{SIZE * 8}")).view(TYPE).astype(np.float32)
    return np.stack([np.take_along_axis(x, at[:, None], 1)[:, 0], index], 1)
def each(f, x): return np.array([f(float(one)) for one in x])
def gelu(x): return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))
def fast_gelu(x):
    low = np.minimum(np.abs(0.7071 * x), 1.769) - 1.769
    return x * (np.sign(x) * (-0.1444 * low ** 2 + 0.5) + 0.5)


def real(x): return x.reshape(5, R)[:, :-3].astype(np.float64)
def padded(x): return np.pad(x, ((0, 0), (0, 3)), constant_values=7)
def blocks(x): return np.repeat(x.reshape(-1), B)
def softmax(x):
    x = real(x)
    top = x.max(1, keepdims=True)
    e = np.exp(x - top)
    return e / e.sum(1, keepdims=True), blocks(e.sum(1)), blocks(top)
def hold(x): return np.asarray(x).astype(TYPE).astype(np.float64)
def flash(before, x, divided):
    old = real(before)
    top0 = old.max(1, keepdims=True)
    sum0 = hold(np.exp(old - top0).sum(1, keepdims=True))
    x = real(x)
    top = np.maximum(top0, x.max(1, keepdims=True))
    e = np.exp(x - top)
    factor = np.exp(top0 - top)
    total = e.sum(1, keepdims=True) + factor * sum0
    if divided: return padded(e / total), blocks(total), blocks(top), blocks(factor * sum0 / total)
    return padded(e), blocks(total), blocks(top), blocks(factor)
def softmax_grad(g, y):
    g, y = real(g), real(y)
    s = (g * y).sum(1, keepdims=True)
    return padded((g - s) * y), blocks(s)
def layer_norm(x, gamma, beta):
    x = real(x)
    mean, variance = x.mean(1, keepdims=True), x.var(1, keepdims=True)
    return padded((x - mean) / np.sqrt(variance + 0.001) * gamma[:-3] + beta[:-3]), mean, variance
def batch_norm(x, gamma, beta):
    x = x.astype(np.float64)
    return (x - x.mean(0)) / np.sqrt(x.var(0) + 0.001) * gamma[:, None] + beta[:, None], x.mean(0), x.var(0)
def group_norm(x, gamma, beta):
    x = x.reshape(2, 2, 2, R)[..., :-3].astype(np.float64)
    mean, variance = x.mean((2, 3), keepdims=True), x.var((2, 3), keepdims=True)
    y = (x - mean) / np.sqrt(variance + 0.001) * gamma.reshape(1, 2, 2, 1) + beta.reshape(1, 2, 2, 1)
    return np.pad(y, ((0, 0),) * 3 + ((0, 3),), constant_values=7), mean, variance
def layer_norm_grad(dy, x, variance, mean, gamma):
    dy, x = real(dy), real(x)
    n, s = x.shape[1], (variance[:, None].astype(np.float64) + 0.001) ** -0.5
    c, p = x - mean[:, None], dy * gamma[:-3]
    by_variance = (-0.5 * p * c * s ** 3).sum(1, keepdims=True)
    by_mean = (-p * s).sum(1, keepdims=True) + by_variance / n * (-2 * c).sum(1, keepdims=True)
    for_gamma = c * s
    return (padded(p * s + by_variance * 2 / n * c + by_mean / n), padded(for_gamma),
            (dy * hold(for_gamma)).sum(0), dy.sum(0))
def quant(x, scale, offset):
    h = lambda one: np.asarray(one).astype(np.float16).astype(np.float32)
    return np.clip(np.rint(h(h(h(x) * h(scale)) + h(offset))), -128, 127).astype(np.int8)
def welford(x):
    m = 0.5 + (x - 0.5) * 0.25
    v = 2 + (x - 0.5) * (x - m)
    mean = m.mean(dtype=np.float64)
    found = (v.sum(dtype=np.float64) + (4 * (m - mean) ** 2).sum()) / 256
    return m, v, mean, found
def top_k(x):
    wide, narrow = x.reshape(2, 64)[:, :61], x.reshape(4, 32)[:, :30]
    order = np.argsort(-wide, 1, kind="stable")[:, :5]
    return (np.take_along_axis(wide, order, 1)[0], order[0].astype(np.int32), order[1].astype(np.int32),
            np.sort(narrow, 1)[:, :5])


def golden_rows(sources):
    """The results of each row: an array, or several, with their types."""
    rest = iter(sources)
    for expressions, golden in ROWS:
        given = {f"x{i}": next(rest) for i in range(len(expressions))}
        given = {k: v.astype(np.float32) if v.dtype.kind == "f" else v for k, v in given.items()}
        with np.errstate(all="ignore"):
            made = eval(golden, dict(globals(), **given))
        yield [np.asarray(one) for one in (made if isinstance(made, tuple) else (made,))]


def is_value(array):
    """Whether an array is of the table's type: its bytes are compared otherwise."""
    if array.dtype in (np.float64, np.int64) or array.dtype == np.bool_: return True
    if FLOATING: return array.dtype == np.float32 or array.dtype == TYPE
    return array.dtype == TYPE


def golden(case, given):
    values, raw = [np.zeros(0, TYPE)], [np.zeros(0, np.uint8)]
    for made in golden_rows(kept):
        for one in made:
            if is_value(one): values.append(one.reshape(-1).astype(TYPE))
            else: raw.append(np.frombuffer(np.ascontiguousarray(one).tobytes(), np.uint8))
    kept.clear()
    return [np.concatenate(values), np.concatenate([*raw, np.zeros(1, np.uint8)])]
'''


def texts(table: Table) -> tuple[str, str]:
    """The kernel of a table, and its cases file."""
    body = "\n".join(f"        {{ top = 0; {row.code} }} // {row.name}" for row in table.rows)
    rows = [(row.inputs, row.golden) for row in table.rows]
    said = CASES % {
        "numpy": table.numpy,
        "cases": table.cases,
        "rows": rows,
        "tolerance": table.tolerance,
        "saturation": table.saturation,
    }
    return KERNEL % {"kind": table.kind, "rows": body}, said


def _row_of(table: Table, cases: str, result: CaseResult) -> str:
    """The row that a wrong value belongs to."""
    match = re.search(r"output (?P<output>\d+).*?at \[(?P<at>\d+)\]", result.message)
    if match is None:
        return result.message
    space: dict[str, Any] = {"np": np}
    exec(cases, space)
    space["inputs"](space["CASES"][0], np.random.default_rng(0))
    offset = 0
    for row, made in zip(table.rows, space["golden_rows"](space["kept"]), strict=True):
        for number, one in enumerate(made):
            value = space["is_value"](one)
            if value != (match["output"] == "0"):
                continue
            size = one.size if value else one.nbytes
            if offset <= int(match["at"]) < offset + size:
                return f"{row.name}: result {number}, element {int(match['at']) - offset}: {result.message}"
            offset += size
    return result.message


@pytest.mark.parametrize("name", TABLES)
def test_every_form_computes_what_numpy_does(name: str) -> None:
    kernel, cases = texts(TABLES[name])
    result = verify({"kernel.cpp": kernel}, "kernel.cpp", "rows", cases, TABLES[name].chip)
    wrong = [_row_of(TABLES[name], cases, one) for one in result.cases if one.outcome is not Outcome.PASSED]
    assert (result.outcome, wrong, serious(result)) == (Outcome.PASSED, [], []), result.message
