"""Defects in kernels that are right: each is found, most at the line that was changed; nothing is found before."""

# ruff: noqa: E501 - a seed is a line
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.unit.twin.seeding import Array, Said, Seed, Subject, replaced, run, seeds
from tests.unit.twin.verifying import ROOT

CLEAN = ROOT / "tests/kernels/clean"
PLACES = 1
"""At how many places of a kernel each kind of change is made."""

Made = tuple[list[Array], list[Array]]
Generator = np.random.Generator


def normal(rng: Generator, *shape: int, dtype: type = np.float32) -> Array:
    return rng.standard_normal(shape).astype(dtype)


def softmax(rng: Generator) -> Made:
    x = normal(rng, 1024, 1000)
    e = np.exp(x - x.max(-1, keepdims=True))
    return [x], [e / e.sum(-1, keepdims=True)]


def log_softmax(rng: Generator) -> Made:
    x = normal(rng, 640, 1000)
    shifted = x - x.max(-1, keepdims=True)
    return [x], [shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))]


def layer_norm(rng: Generator) -> Made:
    given = [normal(rng, 2048, 768, dtype=np.float16), *(normal(rng, 768, dtype=np.float16) for _ in range(2))]
    x, gamma, beta = (one.astype(np.float32) for one in given)
    deviation = np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    return given, [((x - x.mean(-1, keepdims=True)) / deviation * gamma + beta).astype(np.float16)]


def dynamic_quant(rng: Generator) -> Made:
    half = normal(rng, 512, 1024, dtype=np.float16)
    x = half.astype(np.float32)
    scale = np.abs(x).max(-1) * np.float32(1 / 127)
    scaled = (x * (1 / (scale + np.float32(1e-12)))[:, None].astype(np.float32)).astype(np.float16)
    return [half], [np.rint(scaled).astype(np.int8), scale]


def quantised(rng: Generator) -> Made:
    x = normal(rng, 40 * 16384, dtype=np.float16) * np.float16(4)
    return [x], [np.rint(np.clip(x * np.float16(12.5) + np.float16(3), -128, 127)).astype(np.int8)]


def rotary(rng: Generator) -> Made:
    x, cos, sin = normal(rng, 2048, 16, 128), normal(rng, 2048, 128), normal(rng, 2048, 128)
    rotated = np.concatenate([-x[..., 64:], x[..., :64]], -1)
    return [x, cos, sin], [x * cos[:, None] + rotated * sin[:, None]]


def picked(rng: Generator) -> Made:
    table, index = normal(rng, 1000, 500), rng.integers(0, 1000, 4096).astype(np.int32)
    return [table, index], [table[index]]


def mixed(rng: Generator) -> Made:
    a, b, c = (rng.integers(-1000, 1000, 100000).astype(np.int32) for _ in range(3))
    return [a, b, c], [np.maximum(a * 3 + b, c)]


def dropped(rng: Generator) -> Made:
    x, keep = normal(rng, 3 * 65536, dtype=np.float16), rng.integers(0, 2, 3 * 65536).astype(np.uint8)
    return [x, keep], [x * keep.astype(np.float16) * np.float16(1 / 0.9)]


def summed(rng: Generator) -> Made:
    left, right = normal(rng, 8 * 16384, dtype=np.float16), normal(rng, 8 * 16384, dtype=np.float16)
    return [left, right], [left + right]


def chosen(rng: Generator) -> Made:
    given = [normal(rng, 4 * 16384) for _ in range(3)]
    return given, [np.where(given[0] > 0.5, given[1], given[2])]


def transposed(rng: Generator) -> Made:
    x = normal(rng, 5, 16, 16, dtype=np.float16)
    return [x], [x.transpose(0, 2, 1).copy()]


def counted(rng: Generator) -> Made:
    return [], [3 + np.arange(2048 * 16 * 4, dtype=np.float32) * np.float32(0.25)]


def clean(name: str, blocks: int, make: object) -> Subject:
    assert callable(make)
    return Subject(name, Path(CLEAN, f"{name}.cpp").read_text(encoding="utf-8"), blocks, make)


SUBJECTS = [
    clean("vector_sum", 8, summed),
    clean("int32_mix", 48, mixed),
    clean("dropout_mask", 3, dropped),
    clean("where_select", 4, chosen),
    clean("row_softmax", 48, softmax),
    clean("log_softmax", 48, log_softmax),
    clean("layer_norm_rows", 48, layer_norm),
    clean("gather_rows", 48, picked),
    clean("rotary_half", 48, rotary),
    clean("transpose_block", 5, transposed),
    clean("dynamic_quant", 48, dynamic_quant),
    clean("quant_per_tensor", 40, quantised),
    clean("fill_arange", 4, counted),
]

BY_HAND = """#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 1024;
extern "C" __global__ __aicore__ void by_hand(GM_ADDR x, GM_ADDR y, GM_ADDR total)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> inBuf, outBuf, sumBuf, workBuf;
    GlobalTensor<float> xGm, yGm, totalGm;
    uint32_t start = N * GetBlockIdx();
    xGm.SetGlobalBuffer((__gm__ float *)x + start, N);
    yGm.SetGlobalBuffer((__gm__ float *)y + start, N);
    totalGm.SetGlobalBuffer((__gm__ float *)total, 8);
    pipe.InitBuffer(inBuf, N * sizeof(float));
    pipe.InitBuffer(outBuf, N * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
    pipe.InitBuffer(workBuf, N * sizeof(float));
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    DataCopy(in, xGm, N);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(out, in, 2.0f, N);
    Duplicate(sum, 0.0f, 8);
    ReduceSum(sum, in, work, N);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);
    DataCopy(yGm, out, N);
    if (GetBlockIdx() == 0) {
        Duplicate(work, 0.0f, 8);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID2);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID2);
        DataCopy(totalGm, work, 8);
    }
    SyncAll();
    SetAtomicAdd<float>();
    DataCopy(totalGm, sum, 8);
    SetAtomicNone();
    SyncAll();
    LocalTensor<float> again = inBuf.Get<float>();
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    DataCopy(again, totalGm, 8);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
    Brcb(out, again, 1, {1, 8});
    Add(out, out, out, 8);
}
"""


def by_hand(rng: Generator) -> Made:
    x = normal(rng, 4, 1024)
    total = np.zeros(8, np.float32)
    total[0] = x.sum(dtype=np.float64)
    return [x], [x * 2, total]


HAND = Subject("by_hand", BY_HAND, 4, by_hand)
HAND_SEEDS = [
    replaced("no flag before V", BY_HAND, "    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);\n    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);\n    Muls", "    Muls", "missing-sync"),
    replaced("no flag before MTE3", BY_HAND, "    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);\n    WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);\n", "", "missing-sync"),
    replaced("another event is waited for", BY_HAND, "WaitFlag<HardEvent::V_MTE3>(EVENT_ID1)", "WaitFlag<HardEvent::V_MTE3>(EVENT_ID3)", "wait-without-set"),
    replaced("the other direction is waited for", BY_HAND, "WaitFlag<HardEvent::V_MTE3>(EVENT_ID1)", "WaitFlag<HardEvent::MTE3_V>(EVENT_ID1)", "wait-without-set"),
    replaced("a wait is missing", BY_HAND, "    WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);\n", "", "missing-sync", "flag-left-set"),
    replaced("a set is missing", BY_HAND, "    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);\n", "", "wait-without-set"),
    replaced("set twice", BY_HAND, "    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);\n", "    SetFlag<HardEvent::V_MTE3>(EVENT_ID1); SetFlag<HardEvent::V_MTE3>(EVENT_ID1);\n", "flag-set-twice"),
    replaced("no such event", BY_HAND, "SetFlag<HardEvent::V_MTE2>(EVENT_ID0)", "SetFlag<HardEvent::V_MTE2>(9)", "event-id"),
    replaced("no atomics", BY_HAND, "    SetAtomicAdd<float>();\n", "", "block-overlap", "values"),
    replaced("atomics are left on", BY_HAND, "    SetAtomicAdd<float>();\n    DataCopy(totalGm, sum, 8);\n    SetAtomicNone();\n", "    DataCopy(totalGm, sum, 8);\n    SetAtomicAdd<float>();\n", "block-overlap", "values"),
    replaced("no SyncAll before the sum", BY_HAND, "    SyncAll();\n    SetAtomicAdd", "    SetAtomicAdd", "block-overlap", "values"),
    replaced("no SyncAll after the sum", BY_HAND, "    SetAtomicNone();\n    SyncAll();\n", "    SetAtomicNone();\n", "block-read-race"),
    replaced("one block does not come", BY_HAND, "    SetAtomicNone();\n    SyncAll();\n", "    SetAtomicNone();\n    if (GetBlockIdx() == 1) { return; }\n    SyncAll();\n", "hang"),
    replaced("the accumulator is not cleared", BY_HAND, "    Duplicate(sum, 0.0f, 8);\n", "", "uninitialised-global"),
    replaced("blocks share a part", BY_HAND, "uint32_t start = N * GetBlockIdx();", "uint32_t start = (N - 8) * GetBlockIdx();", "block-overlap", "values"),
    replaced("the last block goes past the end", BY_HAND, "uint32_t start = N * GetBlockIdx();", "uint32_t start = N * GetBlockIdx() + 8;", "global-bounds"),
    replaced("one element too many", BY_HAND, "DataCopy(in, xGm, N);", "DataCopy(in, xGm, N + 1);", "copy-count"),
    replaced("an element that nobody wrote", BY_HAND, "    DataCopy(in, xGm, N);\n", "    float first = in.GetValue(0); DataCopy(in, xGm, N + uint32_t(first * 0));\n", "uninitialised-scalar"),
    replaced("shifted onto its source", BY_HAND, "Muls(out, in, 2.0f, N);", "Muls(out, in, 2.0f, N); Adds(out[8], out, 0.0f, N - 8);", "overlap", "values"),
    replaced("more than UB has", BY_HAND, "pipe.InitBuffer(inBuf, N * sizeof(float));", "pipe.InitBuffer(inBuf, 200 * 1024);", "memory-over-budget", "memory-bounds"),
    replaced("a tensor of nothing", BY_HAND, "LocalTensor<float> sum = sumBuf.Get<float>();", "LocalTensor<float> sum;", "tensor-without-memory"),
    replaced("no InitBuffer", BY_HAND, "    pipe.InitBuffer(sumBuf, 32);\n", "", "queue-not-initialised"),
    replaced("a mask of a repeat and more", BY_HAND, "Muls(out, in, 2.0f, N);", "Muls(out, in, 2.0f, uint64_t(128), 16, {1, 1, 8, 8});", "mask-range"),
    replaced("a repeat too many", BY_HAND, "Muls(out, in, 2.0f, N);", "Muls(out, in, 2.0f, uint64_t(64), 17, {1, 1, 8, 8});", "buffer-bounds"),
    replaced("a wrong stride", BY_HAND, "Muls(out, in, 2.0f, N);", "Muls(out, in, 2.0f, uint64_t(64), 16, {1, 1, 16, 8});", "buffer-bounds"),
    replaced("a wrong constant", BY_HAND, "Muls(out, in, 2.0f, N);", "Muls(out, in, 2.1f, N);", "values"),
    replaced("a pointer past the end", BY_HAND, "    TPipe pipe;\n", "    TPipe pipe; reinterpret_cast<__gm__ float *>(x)[4 * N + 8192] = 1;\n", "global-bounds"),
    replaced("no null", BY_HAND, "    TPipe pipe;\n", "    TPipe pipe; *reinterpret_cast<__gm__ volatile float *>(uintptr_t(GetBlockNum())) = 1;\n", "crash"),
    replaced("divided by zero", BY_HAND, "uint32_t start = N * GetBlockIdx();", "uint32_t start = N / (GetBlockIdx() - GetBlockIdx());", "crash"),
]  # fmt: skip


def is_flagged(seed: Seed, said: Said) -> bool:
    return bool(said.codes & seed.codes) or ("values" in seed.codes and not said.right)


def missed(subject: Subject, planted: list[Seed]) -> tuple[list[str], list[str]]:
    """The seeds that nothing was said of, and those of which nothing was said at their line."""
    unseen, elsewhere = [], []
    for seed in planted:
        said = run(subject, seed.text)
        told = f"{subject.name}:{seed.line}: {seed.what}: {sorted(said.found)}, {'right' if said.right else 'wrong'}"
        if not is_flagged(seed, said):
            unseen.append(told + (f" lacks {said.lacks}" if said.lacks else ""))
        elif not any(line == seed.line for _, line in said.found):
            elsewhere.append(told)
    return unseen, elsewhere


@pytest.mark.parametrize("subject", [*SUBJECTS, HAND], ids=lambda subject: subject.name)
def test_nothing_is_found_in_a_right_kernel(subject: Subject) -> None:
    said = run(subject, subject.text)
    assert (said.found, said.right, said.lacks) == (frozenset(), True, "")


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_a_seeded_defect_is_found(subject: Subject) -> None:
    planted = list(seeds(subject, PLACES))
    assert len(planted) >= 8
    unseen, _ = missed(subject, planted)
    assert unseen == []


def test_defects_of_flags_blocks_and_addresses_are_found() -> None:
    unseen, _ = missed(HAND, HAND_SEEDS)
    assert unseen == []
