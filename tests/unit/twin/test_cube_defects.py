"""Defects in kernels of the cube unit, alone and beside vector cores: found, and nothing in the right kernel."""

# ruff: noqa: E501 - a seed is a line
from __future__ import annotations

import numpy as np
import pytest

from tests.unit.twin.seeding import Array, Changed, Subject, replaced, run

PRODUCT = """#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t M = 32, K = 128, N = 64, TILE = 64;
extern "C" __global__ __cube__ void product(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    GlobalTensor<half> xGm, yGm;
    GlobalTensor<float> zGm;
    xGm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * M * K);
    yGm.SetGlobalBuffer((__gm__ half *)y);
    zGm.SetGlobalBuffer((__gm__ float *)z + GetBlockIdx() * M * N);
    LocalTensor<half> a1(TPosition::A1, 0, M * TILE), b1(TPosition::B1, 64 * 1024, TILE * N);
    LocalTensor<half> a2(TPosition::A2, 0, M * TILE), b2(TPosition::B2, 0, TILE * N);
    LocalTensor<float> c(TPosition::CO1, 0, M * N);
    SetFlag<HardEvent::MTE1_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::M_MTE1>(EVENT_ID0);
    for (uint32_t k = 0; k < K; k += TILE) {
        WaitFlag<HardEvent::MTE1_MTE2>(EVENT_ID0);
        DataCopy(a1, xGm[k], Nd2NzParams(1, M, TILE, 0, K, M, 1, 0));
        DataCopy(b1, yGm[k * N], Nd2NzParams(1, TILE, N, 0, N, TILE, 1, 0));
        SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
        WaitFlag<HardEvent::M_MTE1>(EVENT_ID0);
        for (uint32_t i = 0; i < M / 16; ++i) {
            LoadData(a2[i * TILE * 16], a1, LoadData2DParams(i, TILE / 16, M / 16, 0, 0, false, 0));
        }
        for (uint32_t i = 0; i < TILE / 16; ++i) {
            LoadData(b2[i * N * 16], b1, LoadData2DParams(i, N / 16, TILE / 16, 0, 0, true, 0));
        }
        SetFlag<HardEvent::MTE1_MTE2>(EVENT_ID0);
        SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
        WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
        MmadParams params;
        params.m = M;
        params.n = N;
        params.k = TILE;
        params.cmatrixInitVal = k == 0;
        Mmad(c, a2, b2, params);
        PipeBarrier<PIPE_M>();
        SetFlag<HardEvent::M_MTE1>(EVENT_ID0);
    }
    WaitFlag<HardEvent::MTE1_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::M_MTE1>(EVENT_ID0);
    SetFlag<HardEvent::M_FIX>(EVENT_ID0);
    WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
    Fixpipe(zGm, c, FixpipeParamsV220(N, M, M, N, false));
}
"""


def product(rng: np.random.Generator) -> tuple[list[Array], list[Array]]:
    x, y = (rng.standard_normal(shape).astype(np.float16) for shape in ((96, 128), (128, 64)))
    return [x, y], [x.astype(np.float32) @ y.astype(np.float32)]


FORWARD = "        SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);\n        WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);\n"
TO_MMAD = "        SetFlag<HardEvent::MTE1_M>(EVENT_ID0);\n        WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);\n"
TO_FIX = "    SetFlag<HardEvent::M_FIX>(EVENT_ID0);\n    WaitFlag<HardEvent::M_FIX>(EVENT_ID0);\n"
CUBE = Subject("product", {"product.cpp": PRODUCT}, 3, product)
CUBE_SEEDS = [
    replaced("L1 is read before it is there", PRODUCT, FORWARD, "", "missing-sync"),
    replaced("L0 is read before it is there", PRODUCT, TO_MMAD, "", "missing-sync"),
    replaced("L0C is read before it is there", PRODUCT, TO_FIX, "", "missing-sync"),
    replaced("L1 is written while it is read", PRODUCT, "        WaitFlag<HardEvent::MTE1_MTE2>(EVENT_ID0);\n        DataCopy", "        DataCopy", "missing-sync"),
    replaced("L0 is written while it is read", PRODUCT, "        WaitFlag<HardEvent::M_MTE1>(EVENT_ID0);\n        for", "        for", "missing-sync"),
    replaced("a flag of another direction", PRODUCT, "WaitFlag<HardEvent::M_FIX>", "WaitFlag<HardEvent::FIX_M>", "wait-without-set"),
    replaced("L0C is full", PRODUCT, "c(TPosition::CO1, 0, M * N)", "c(TPosition::CO1, 124 * 1024, M * N)", "memory-bounds"),
    replaced("L0A is full", PRODUCT, "a2(TPosition::A2, 0, M * TILE)", "a2(TPosition::A2, 62 * 1024, M * TILE)", "memory-bounds"),
    replaced("L1 is full", PRODUCT, "b1(TPosition::B1, 64 * 1024, TILE * N)", "b1(TPosition::B1, 508 * 1024, TILE * N)", "memory-bounds"),
    replaced("the left matrix is not aligned", PRODUCT, "a2(TPosition::A2, 0,", "a2(TPosition::A2, 32,", "misaligned"),
    replaced("more fractals than L0B has", PRODUCT, "LoadData2DParams(i, N / 16, TILE / 16, 0, 0, true, 0)", "LoadData2DParams(i, 255, 0, 0, 0, true, 0)", "memory-bounds"),
    replaced("rows and fractals are mixed up", PRODUCT, "LoadData2DParams(i, TILE / 16, M / 16, 0, 0, false, 0)", "LoadData2DParams(i, TILE / 16, 1, 0, 0, false, 0)", "values"),
    replaced("a row too many", PRODUCT, "FixpipeParamsV220(N, M, M, N, false)", "FixpipeParamsV220(N, M + 1, M, N, false)", "uninitialised-global", "global-bounds", "block-overlap"),
    replaced("a wider result", PRODUCT, "FixpipeParamsV220(N, M, M, N, false)", "FixpipeParamsV220(N + 16, M, M, N, false)", "uninitialised-global", "global-bounds", "block-overlap"),
    replaced("the sum is never cleared", PRODUCT, "params.cmatrixInitVal = k == 0;", "params.cmatrixInitVal = false;", "uninitialised-global"),
    replaced("half of a float without saying so", PRODUCT, "Fixpipe(zGm, c,", "Fixpipe(zGm.ReinterpretCast<half>(), c,", "fixpipe-type"),
    replaced("past the end of an input", PRODUCT, "Nd2NzParams(1, TILE, N, 0, N, TILE, 1, 0)", "Nd2NzParams(1, TILE, N, 0, N + 16, TILE, 1, 0)", "global-bounds", "values"),
    replaced("all blocks in one place", PRODUCT, "(__gm__ float *)z + GetBlockIdx() * M * N", "(__gm__ float *)z", "block-overlap", "values"),
    replaced("the product is read before it is out", PRODUCT, "FixpipeParamsV220(N, M, M, N, false));\n", "FixpipeParamsV220(N, M, M, N, false));\n    DataCopy(a1, zGm.ReinterpretCast<half>(), Nd2NzParams(1, 16, 64, 0, 64, 16, 1, 0));\n", "missing-sync"),
    replaced("too large a product", PRODUCT, "params.k = TILE;", "params.k = 4096;", "memory-bounds", "matrix-size"),
]  # fmt: skip

LEAKY = """#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t M = 32, K = 64, N = 64;
constexpr uint16_t DONE = 1, BACK = 2;
extern "C" __global__ __aicore__ void leaky(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GlobalTensor<float> between, zGm;
    uint32_t group = GetBlockIdx();
    if ASCEND_IS_AIV {
        group = GetBlockIdx() / GetTaskRation();
    }
    between.SetGlobalBuffer((__gm__ float *)workspace + group * M * N);
    zGm.SetGlobalBuffer((__gm__ float *)z + group * 2 * M * N);
    if ASCEND_IS_AIC {
        GlobalTensor<half> xGm, yGm;
        xGm.SetGlobalBuffer((__gm__ half *)x + group * 2 * M * K);
        yGm.SetGlobalBuffer((__gm__ half *)y);
        TPipe pipe;
        TQue<TPosition::A1, 1> a1Queue;
        TQue<TPosition::A2, 1> a2Queue;
        TQue<TPosition::B1, 1> b1Queue;
        TQue<TPosition::B2, 1> b2Queue;
        TQue<TPosition::CO1, 1> cQueue;
        pipe.InitBuffer(a1Queue, 1, M * K * sizeof(half));
        pipe.InitBuffer(a2Queue, 1, M * K * sizeof(half));
        pipe.InitBuffer(b1Queue, 1, K * N * sizeof(half));
        pipe.InitBuffer(b2Queue, 1, K * N * sizeof(half));
        pipe.InitBuffer(cQueue, 1, M * N * sizeof(float));
        for (uint32_t round = 0; round < 2; ++round) {
            LocalTensor<half> a1 = a1Queue.AllocTensor<half>();
            LocalTensor<half> b1 = b1Queue.AllocTensor<half>();
            DataCopy(a1, xGm[round * M * K], Nd2NzParams(1, M, K, 0, K, M, 1, 0));
            DataCopy(b1, yGm, Nd2NzParams(1, K, N, 0, N, K, 1, 0));
            a1Queue.EnQue(a1);
            b1Queue.EnQue(b1);
            a1 = a1Queue.DeQue<half>();
            b1 = b1Queue.DeQue<half>();
            LocalTensor<half> a2 = a2Queue.AllocTensor<half>();
            LocalTensor<half> b2 = b2Queue.AllocTensor<half>();
            for (uint32_t i = 0; i < M / 16; ++i) {
                LoadData(a2[i * K * 16], a1, LoadData2DParams(i, K / 16, M / 16, 0, 0, false, 0));
            }
            for (uint32_t i = 0; i < K / 16; ++i) {
                LoadData(b2[i * N * 16], b1, LoadData2DParams(i, N / 16, K / 16, 0, 0, true, 0));
            }
            a2Queue.EnQue(a2);
            b2Queue.EnQue(b2);
            a1Queue.FreeTensor(a1);
            b1Queue.FreeTensor(b1);
            a2 = a2Queue.DeQue<half>();
            b2 = b2Queue.DeQue<half>();
            LocalTensor<float> c = cQueue.AllocTensor<float>();
            Mmad(c, a2, b2, MmadParams(M, N, K, false));
            cQueue.EnQue(c);
            a2Queue.FreeTensor(a2);
            b2Queue.FreeTensor(b2);
            c = cQueue.DeQue<float>();
            if (round > 0) {
                CrossCoreWaitFlag(BACK);
            }
            Fixpipe(between, c, FixpipeParamsV220(N, M, M, N, false));
            cQueue.FreeTensor(c);
            CrossCoreSetFlag<2, PIPE_FIX>(DONE);
        }
        CrossCoreWaitFlag(BACK);
    }
    if ASCEND_IS_AIV {
        TPipe pipe;
        TQue<TPosition::VECIN, 1> inQueue;
        TQue<TPosition::VECOUT, 1> outQueue;
        constexpr uint32_t half_ = M * N / 2;
        pipe.InitBuffer(inQueue, 1, half_ * sizeof(float));
        pipe.InitBuffer(outQueue, 1, half_ * sizeof(float));
        uint32_t start = GetSubBlockIdx() * half_;
        for (uint32_t round = 0; round < 2; ++round) {
            CrossCoreWaitFlag(DONE);
            LocalTensor<float> in = inQueue.AllocTensor<float>();
            DataCopy(in, between[start], half_);
            CrossCoreSetFlag<2, PIPE_MTE2>(BACK);
            inQueue.EnQue(in);
            in = inQueue.DeQue<float>();
            LocalTensor<float> out = outQueue.AllocTensor<float>();
            LeakyRelu(out, in, 0.01f, half_);
            outQueue.EnQue(out);
            inQueue.FreeTensor(in);
            out = outQueue.DeQue<float>();
            DataCopy(zGm[round * M * N + start], out, half_);
            outQueue.FreeTensor(out);
        }
    }
}
"""


def leaky(rng: np.random.Generator) -> tuple[list[Array], list[Array]]:
    x, y = (rng.standard_normal(shape).astype(np.float16) for shape in ((128, 64), (64, 64)))
    c = x.astype(np.float32) @ y.astype(np.float32)
    return [x, y], [np.where(c > 0, c, c * np.float32(0.01))]


MIX = Subject("leaky", {"leaky.cpp": LEAKY}, 2, leaky, workspace=2 * 32 * 64 * 4)
MIX_SEEDS = [
    replaced("the cube does not say that it is done", LEAKY, "            CrossCoreSetFlag<2, PIPE_FIX>(DONE);\n", "", "hang"),
    replaced("one vector core never answers", LEAKY, "            CrossCoreSetFlag<2, PIPE_MTE2>(BACK);\n", "            if (GetSubBlockIdx() == 0) CrossCoreSetFlag<2, PIPE_MTE2>(BACK);\n", "hang"),
    replaced("vector cores wait for another flag", LEAKY, "            CrossCoreWaitFlag(DONE);\n", "            CrossCoreWaitFlag(BACK);\n", "hang"),
    replaced("nobody waits for the product", LEAKY, "            CrossCoreWaitFlag(DONE);\n", "", "uninitialised-global", "values"),
    replaced("a tensor of L0C stays taken", LEAKY, "            cQueue.FreeTensor(c);\n", "", "queue-empty", "tensor-leaked"),
    replaced("a buffer of L0C that is too small", LEAKY, "pipe.InitBuffer(cQueue, 1, M * N * sizeof(float))", "pipe.InitBuffer(cQueue, 1, M * N * sizeof(half))", "buffer-bounds"),
    replaced("the product is written before the last one is read", LEAKY, "            if (round > 0) {\n                CrossCoreWaitFlag(BACK);\n            }\n", "", "block-read-race"),
    replaced("told before the product is out", LEAKY, "CrossCoreSetFlag<2, PIPE_FIX>(DONE)", "CrossCoreSetFlag<2, PIPE_MTE2>(DONE)", "block-read-race"),
    replaced("answered before the product is in", LEAKY, "CrossCoreSetFlag<2, PIPE_MTE2>(BACK)", "CrossCoreSetFlag<2, PIPE_MTE3>(BACK)", "block-read-race"),
    replaced("all groups in one workspace", LEAKY, "(__gm__ float *)workspace + group * M * N", "(__gm__ float *)workspace", "block-overlap", "block-read-race"),
    replaced("both vector cores do the same half", LEAKY, "uint32_t start = GetSubBlockIdx() * half_;", "uint32_t start = 0;", "block-overlap", "values"),
]  # fmt: skip


@pytest.mark.parametrize("subject", [CUBE, MIX], ids=lambda subject: subject.name)
def test_nothing_is_found_in_a_right_kernel(subject: Subject) -> None:
    said = run(subject)
    assert (said.found, said.right, said.lacks) == (set(), True, "")


@pytest.mark.parametrize(("subject", "planted"), [(CUBE, CUBE_SEEDS), (MIX, MIX_SEEDS)], ids=["cube", "mix"])
def test_a_seeded_defect_is_found(subject: Subject, planted: list[Changed]) -> None:
    unseen = []
    for seed in planted:
        said = run(subject, seed.text)
        if not said.codes & seed.codes and ("values" not in seed.codes or said.right):
            unseen.append((seed.what, sorted(said.found), said.right, said.lacks))
    assert unseen == []
