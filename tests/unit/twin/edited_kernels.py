"""Kernels of ``seeded/`` that are right as they stand, and slips that are made in them, each at one place."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.unit.twin.seeding import Array, Edit, Subject, edited

HERE = Path(__file__).with_name("seeded")
Made = tuple[list[Array], list[Array]]


def _normal(rng: np.random.Generator, *shape: int, dtype: type = np.float32) -> Array:
    return rng.standard_normal(shape).astype(dtype)


def _product(rng: np.random.Generator) -> Made:
    a, b = _normal(rng, 96, 64, dtype=np.float16), _normal(rng, 64, 48, dtype=np.float16)
    return [a, b], [a.astype(np.float32) @ b.astype(np.float32)]


def _fused(rng: np.random.Generator) -> Made:
    a, b = _normal(rng, 128, 32, dtype=np.float16), _normal(rng, 32, 32, dtype=np.float16)
    bias = _normal(rng, 32)
    return [a, b, bias], [np.maximum(a.astype(np.float32) @ b.astype(np.float32) + bias, 0)]


def _turned(rng: np.random.Generator) -> Made:
    x = _normal(rng, 2, 16, 96, dtype=np.float16)
    return [x], [np.ascontiguousarray(x.transpose(0, 2, 1))]


def _ordered(rng: np.random.Generator) -> Made:
    x = rng.permutation(8 * 128).reshape(8, 128).astype(np.float32)
    by = np.argsort(-x, axis=1, kind="stable")
    return [x], [np.take_along_axis(x, by, 1), by.astype(np.uint32)]


def _shifted(rng: np.random.Generator) -> Made:
    x = _normal(rng, 96, 64)
    return [x], [x - x.max(1, keepdims=True)]


def _cropped(rng: np.random.Generator) -> Made:
    x = rng.integers(-1000, 1000, (50, 90)).astype(np.int16)
    return [x], [x[11:48, 7:60] * np.int16(2)]


def _picked(rng: np.random.Generator) -> Made:
    x = _normal(rng, 27, 203)
    return [x], [x.argmax(1).astype(np.int32), x.max(1)]


def _looked_up(rng: np.random.Generator) -> Made:
    table, index = _normal(rng, 512), rng.integers(0, 512, 1111).astype(np.int32)
    table, index = _normal(rng, 512), rng.integers(0, 512, 1111).astype(np.int32)
    index[:2] = 0, 511
    return [table, index], [table[index]]


def _text(name: str) -> dict[str, str]:
    return {name: (HERE / name).read_text(encoding="utf-8")}


_PRODUCT = (
    Edit("pa.dstNzC0Stride = M;", "pa.dstNzC0Stride = K;", "buffer-bounds", r"DataCopy\(a, ag"),
    Edit("p.srcStride = M / 16;", "p.srcStride = K / 16;", "buffer-bounds", r"LoadData\(to\[i \* 16 \* K"),
    Edit("mp.k = K;", "mp.k = K * 2;", "buffer-bounds", r"Mmad\("),
    Edit("mp.m = M;", "mp.m = 16;", "uninitialised-global", r"Fixpipe\("),
    Edit("mp.n = N;", "mp.n = N * 100;", "matrix-size, buffer-bounds", r"Mmad\("),
    Edit("mp.cmatrixInitVal = true;", "mp.cmatrixInitVal = false;", "uninitialised-global", r"Fixpipe\("),
    Edit("fp.mSize = M;", "fp.mSize = 2 * M;", "buffer-bounds", r"Fixpipe\("),
    Edit("fp.nSize = N;", "fp.nSize = 2 * N;", "buffer-bounds", r"Fixpipe\("),
    Edit("fp.dstStride = N;", "fp.dstStride = N + 16;", "global-bounds, block-overlap", r"Fixpipe\("),
    Edit("fp.ndNum = 1;", "fp.ndNum = 1; fp.quantPre = QuantMode_t::F322F16;", "fixpipe-type", r"Fixpipe\("),
    Edit("a2.EnQue(to);", "", "deque-of-empty-queue", r"a2\.DeQue"),
    Edit("b2.EnQue(to);", "a2.EnQue(to);", "enque-of-foreign-tensor, deque-of-empty-queue"),
    Edit("b1.FreeTensor(from);", "", "tensor-leaked", r"b1\.(AllocTensor|DeQue)"),
    Edit("to[i * 16 * N]", "to[i * 16 * N + 16]", "misaligned"),
    Edit("co.DeQue<float>()", "co.AllocTensor<float>()", "queue-empty"),
    Edit(
        "(__gm__ half *)a + GetBlockIdx() * M * K",
        "(__gm__ half *)a + GetBlockIdx() * M * K * 2",
        "global-bounds",
        r"DataCopy\(a, ag",
    ),
    Edit(
        "(__gm__ float *)c + GetBlockIdx() * M * N",
        "(__gm__ float *)c + GetBlockIdx() * N",
        "block-overlap",
        r"Fixpipe\(",
    ),
    Edit("p.repeatTimes = N / 16;", "p.repeatTimes = N / 16 - 1;", "uninitialised-global", r"Fixpipe\("),
    Edit("pb.dstNzC0Stride = K;", "pb.dstNzC0Stride = N;", "uninitialised-global", r"Fixpipe\("),
    Edit(
        "pipe.InitBuffer(a2, 1, M * K * sizeof(half));",
        "pipe.InitBuffer(a2, 1, M * K);",
        "buffer-bounds",
        r"LoadData\(to",
    ),
    Edit("pipe.InitBuffer(co, 1, M * N * sizeof(float));", "", "queue-not-initialised", r"co\.AllocTensor"),
)
_FUSED = (
    Edit("CrossCoreWaitFlag(READY);", "", "block-read-race", r"DataCopy\(t, gw"),
    Edit("CrossCoreWaitFlag(READY);", "CrossCoreWaitFlag(READY + 1);", "hang"),
    Edit("CrossCoreSetFlag<0x2, PIPE_FIX>(READY);", "", "hang", "CrossCoreWaitFlag"),
    Edit(
        "CrossCoreSetFlag<0x2, PIPE_FIX>(READY);",
        "CrossCoreSetFlag<0x2, PIPE_MTE2>(READY);",
        "block-read-race",
        r"DataCopy\(t, gw",
    ),
    Edit(
        "CrossCoreSetFlag<0x2, PIPE_FIX>(READY);",
        "CrossCoreSetFlag<0x0, PIPE_FIX>(READY);",
        "hang",
        "CrossCoreWaitFlag",
    ),
    Edit(
        "SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID2);\n    WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID2);",
        "",
        "missing-sync",
        r"LoadData\(a2",
    ),
    Edit(
        "WaitFlag<HardEvent::MTE1_M>(EVENT_ID2);",
        "",
        "missing-sync, flag-left-set",
        r"Mmad\(|SetFlag<HardEvent::MTE1_M>",
    ),
    Edit("WaitFlag<HardEvent::MTE1_M>(EVENT_ID2);", "WaitFlag<HardEvent::MTE1_M>(EVENT_ID3);", "wait-without-set"),
    Edit(
        "SetFlag<HardEvent::M_FIX>(EVENT_ID2);\n    WaitFlag<HardEvent::M_FIX>(EVENT_ID2);",
        "",
        "missing-sync",
        r"Fixpipe\(",
    ),
    Edit("(__gm__ float *)y + base", "(__gm__ float *)y + group * ROWS * COLS", "block-overlap", r"DataCopy\(gy, r"),
    Edit("DataCopy(bb, gbias, COLS);", "", "uninitialised-global", r"DataCopy\(gy, r"),
    Edit(
        "Add(o, v, w, COLS, HALF, {1, 1, 1, COLS / 8, COLS / 8, 0});",
        "Add(o, v, w, COLS, HALF, {1, 1, 1, COLS / 8, COLS / 8, COLS / 8});",
        "buffer-bounds",
    ),
    Edit(
        "Add(o, v, w, COLS, HALF, {1, 1, 1, COLS / 8, COLS / 8, 0});",
        "Add(o, v, w, 4 * COLS, HALF, {1, 1, 1, COLS / 8, COLS / 8, 0});",
        "mask-range",
    ),
    Edit("qb.FreeTensor(w);", "q.FreeTensor(w);", "free-of-foreign-tensor"),
    Edit("f.srcStride = ROWS;", "f.srcStride = ROWS * 2;", "buffer-bounds", r"Fixpipe\("),
    Edit("DataCopy(t, gw, HALF * COLS);", "DataCopy(t, gw, ROWS * COLS);", "buffer-bounds"),
    Edit("GetBlockIdx() / 2", "GetBlockIdx()", "global-bounds", r"DataCopy\(t, gw"),
    Edit(
        "DataCopy(b1, gb, Nd2NzParams{1, DEPTH, COLS, 0, COLS, DEPTH, 1, 0});",
        "DataCopy(b1, gb, Nd2NzParams{1, ROWS, COLS, 0, COLS, DEPTH, 1, 0});",
        "buffer-bounds, global-bounds",
    ),
)
_TURNED = (
    Edit("p.dstRepStride = len_ == 16 ? 0 : 16;", "p.dstRepStride = 32;", "buffer-bounds", "TransDataTo5HD<half>"),
    Edit("p.repeatTimes = len_ / 16;", "p.repeatTimes = len_ / 8;", "buffer-bounds", "TransDataTo5HD<half>"),
    Edit("p.repeatTimes = len_ / 16;", "p.repeatTimes = 1;", "uninitialised-global", r"DataCopy\(yg_"),
    Edit("to[i] = d[i * 16];", "to[i] = d[i * 8];", "misaligned", "TransDataTo5HD<half>"),
    Edit("from[i] = t[i * len_];", "from[i] = t[i * len_ + 8];", "misaligned", "TransDataTo5HD<half>"),
    Edit("from[i] = t[i * len_];", "from[i] = t[i * 16];", "values"),
    Edit("i < 16", "i < 15", "tensor-without-memory", "TransDataTo5HD<half>"),
    Edit(
        "TransDataTo5HD<half>(to, from, p);", "src_.FreeTensor(t); TransDataTo5HD<half>(to, from, p);", "use-after-free"
    ),
    Edit("TransDataTo5HD<half>(to, from, p);", "dst_.EnQue(d); TransDataTo5HD<half>(to, from, p);", "use-while-queued"),
    Edit("DataCopy(yg_, r, size_);", "DataCopy(yg_, r, size_ * 2);", "buffer-bounds"),
    Edit(
        "(__gm__ half *)y + GetBlockIdx() * size_",
        "(__gm__ half *)y + GetBlockIdx() * len_",
        "block-overlap",
        r"DataCopy\(yg_",
    ),
    Edit("dst_.DeQue<half>()", "d", "use-while-queued", r"DataCopy\(yg_"),
)
_ORDERED = (
    Edit("Sort32<float>(runs, key, id, W / 32);", "Sort32<float>(runs, key, id, W / 32 + 1);", "buffer-bounds"),
    Edit("Sort32<float>(runs, key, id, W / 32);", "Sort32<float>(runs[4], key, id, W / 32 - 1);", "misaligned"),
    Edit("Sort32<float>(runs, key, id, W / 32);", "Sort32<float>(runs, key, id[4], W / 32 - 1);", "misaligned"),
    Edit("info.elementLengths[i] = 32;", "info.elementLengths[i] = 64;", "buffer-bounds", "MrgSort<float>"),
    Edit("info.validBit = 15;", "info.validBit = 7;", "uninitialised-global", r"DataCopy\(g[vp]\["),
    Edit("from.src4 = runs[192];", "from.src4 = runs[191];", "misaligned", "MrgSort<float>"),
    Edit("runs.Get<float>()", "pairs.Get<float>()", "overlap", "MrgSort<float>"),
    Edit(
        "CreateVecIndex(number, 0, W);", "CreateVecIndex(number, 0, W / 2);", "uninitialised-global", r"DataCopy\(gp\["
    ),
    Edit(
        "GatherMask(v, both, 1, false, 0, {1, 4, 8, 0}, kept);",
        "GatherMask(v, both, 1, false, 0, {1, 8, 8, 0}, kept);",
        "buffer-bounds",
    ),
    Edit(
        "GatherMask(v, both, 1, false, 0, {1, 4, 8, 0}, kept);",
        "GatherMask(v, both, 1, false, 0, {1, 3, 8, 0}, kept);",
        "uninitialised-global",
        r"DataCopy\(gv\[",
    ),
    Edit(
        "GetBlockIdx() * per + k",
        "GetBlockIdx() + k",
        "output-not-written, block-overlap, values",
        r"DataCopy\(g[vp]\[",
    ),
    Edit("outPlace.DeQue<uint32_t>()", "outPlace.AllocTensor<uint32_t>()", "queue-empty"),
    Edit("DataCopy(key, gx[r * W], W);", "DataCopy(key, gx[r * W], W - 4);", "copy-count"),
    Edit("DataCopy(gv[r * W], v, W);", "DataCopy(gv[r * W + 64], v, W);", "block-overlap, global-bounds"),
)
_SHIFTED = (
    Edit("Order<HardEvent::MTE2_V>();", "", "missing-sync", "WholeReduceMax"),
    Edit("Order<HardEvent::MTE2_V>();", "Order<HardEvent::V_MTE2>();", "missing-sync", "WholeReduceMax"),
    Edit("Order<HardEvent::V_MTE3>();", "", "missing-sync", r"DataCopy\(gy_"),
    Edit("Order<HardEvent::MTE3_V>();", "", "missing-sync", r"Sub\(y_"),
    Edit("Order<HardEvent::V_MTE2>();", "", "missing-sync", r"DataCopy\(x_"),
    Edit("WaitFlag<E>(id);", "", "flag-set-twice, flag-left-set, missing-sync", "SetFlag<E>|WholeReduceMax"),
    Edit("SetFlag<E>(id);", "SetFlag<E>(id + 8);", "event-id"),
    Edit(
        "Brcb(spread, m, ONCE / 8, {1, 8});",
        "Brcb(spread, m, ONCE / 16, {1, 8});",
        "uninitialised-global",
        r"DataCopy\(gy_",
    ),
    Edit("Brcb(spread, m, ONCE / 8, {1, 8});", "Brcb(spread, m[4], ONCE / 8, {1, 8});", "misaligned"),
    Edit(
        "Sub(y_, x_, spread, WIDTH, ONCE, {1, 1, 0, 8, 8, 1});",
        "Sub(y_, x_, spread, WIDTH, ONCE, {1, 1, 1, 8, 8, 1});",
        "buffer-bounds",
    ),
    Edit(
        "WholeReduceMax(m, x_, WIDTH, ONCE, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);",
        "WholeReduceMax(m, x_, WIDTH, ONCE + 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);",
        "buffer-bounds",
    ),
    Edit("rows / cores / ONCE * ONCE", "rows / cores + ONCE", "global-bounds", r"DataCopy\((x_|gy_)"),
    Edit("xb_.Get<float>()", "xb_.Get<float>(2 * ONCE * WIDTH)", "tensor-beyond-buffer"),
)
_CROPPED = (
    Edit(
        "p.srcStride = (w_.width - w_.cols) * sizeof(int16_t);",
        "p.srcStride = 2 * w_.width * sizeof(int16_t);",
        "global-bounds",
        r"DataCopyPad\(t, x_",
    ),
    Edit("static_cast<uint8_t>(line_ - w_.cols)", "static_cast<uint8_t>(line_)", "copy-padding", r"DataCopyPad\(t, x_"),
    Edit("y_[row * w_.cols]", "y_[row * line_]", "global-bounds"),
    Edit("row + BAND > w_.rows ? w_.rows - row : BAND", "BAND", "global-bounds", r"DataCopyPad\((t, x_|y_)"),
    Edit(
        "Muls(u, t, static_cast<int16_t>(2), h * line_);",
        "Muls(u, t, static_cast<int16_t>(2), h * w_.cols);",
        "uninitialised-global",
        r"DataCopyPad\(y_",
    ),
    Edit(
        "p.blockLen = w_.cols * sizeof(int16_t);",
        "p.blockLen = w_.cols;",
        "uninitialised-global, values",
        r"DataCopyPad\(y_",
    ),
    Edit("q_.FreeTensor(t);", "", "queue-empty, tensor-leaked", r"q_\.(AllocTensor|DeQue)"),
    Edit("r_.EnQue(u);", "q_.EnQue(u);", "enque-of-foreign-tensor"),
    Edit(
        "DataCopyPad(y_[row * w_.cols], u, p);",
        "r_.FreeTensor(u); DataCopyPad(y_[row * w_.cols], u, p);",
        "use-after-free",
    ),
    Edit(
        "pipe_.InitBuffer(q_, 2, BAND * line_ * sizeof(int16_t));",
        "pipe_.InitBuffer(q_, 2, BAND * w_.cols * sizeof(int16_t));",
        "buffer-bounds",
        r"DataCopyPad\(t, x_",
    ),
)
_PICKED = (
    Edit(
        "ReduceMax(t, l, work.Get<float>(), cols, true);",
        "ReduceMax(t, l, work.Get<float>(), cols);",
        "uninitialised-scalar",
        r"GetValue\(1\)",
    ),
    Edit(
        "ReduceMax(t, l, work.Get<float>(), cols, true);",
        "ReduceMax(t, l, work.Get<float>()[2], cols, true);",
        "misaligned",
    ),
    Edit(
        "ReduceMax(t, l, work.Get<float>(), cols, true);",
        "ReduceMax(t[1], l, work.Get<float>(), cols, true);",
        "misaligned",
    ),
    Edit("pipe.InitBuffer(work, wide * sizeof(float));", "pipe.InitBuffer(work, 32);", "work-buffer", "ReduceMax"),
    Edit("t.GetValue(1)", "t.GetValue(8)", "buffer-bounds"),
    Edit("rows - first < ROOM ? rows - first : ROOM", "ROOM", "global-bounds", r"DataCopyPad\(l, gx"),
    Edit("wf.SetValue(k, t.GetValue(0));", "wf.SetValue(first + k, t.GetValue(0));", "buffer-bounds"),
    Edit(
        "static_cast<uint32_t>(many * 4)", "static_cast<uint32_t>(ROOM * 4)", "global-bounds", r"DataCopyPad\(g[ib]\["
    ),
    Edit("q.FreeTensor(l);", "", "queue-empty", r"q\.AllocTensor"),
    Edit("l = q.DeQue<float>();", "", "use-while-queued", r"ReduceMax\("),
    Edit("gi[first]", "gi[GetBlockIdx() * many]", "block-overlap, output-not-written"),
    Edit("gx[(first + k) * cols]", "gx[(first + k) * wide]", "global-bounds"),
    Edit("wi.SetValue(k, *reinterpret_cast<int32_t *>(&index));", "", "uninitialised-global", r"DataCopyPad\(gi\["),
)
_LOOKED_UP = (
    Edit(
        "ShiftLeft(off, idx, 2, static_cast<int32_t>(len));",
        "ShiftLeft(off, idx, 1, static_cast<int32_t>(len));",
        "gather-offset",
        r"Gather\(",
    ),
    Edit(
        "Gather(out, t, off.ReinterpretCast<uint32_t>(), 0u, len);",
        "Gather(out, t[4], off.ReinterpretCast<uint32_t>(), 0u, len);",
        "misaligned",
    ),
    Edit(
        "Gather(out, t, off.ReinterpretCast<uint32_t>(), 0u, len);",
        "Gather(out, t, off.ReinterpretCast<uint32_t>(), 4u, len);",
        "buffer-bounds",
    ),
    Edit(
        "DataCopy(t, table, TABLE_LEN);",
        "DataCopy(t, table, TABLE_LEN / 2);",
        "uninitialised-global",
        r"DataCopyPad\(y\[",
    ),
    Edit("if (len > CHUNK) len = CHUNK;", "", "buffer-bounds", r"DataCopyPad\(idx"),
    Edit(
        "One(t, at, len);",
        "One(t, at, len); qTable.FreeTensor(t);",
        "use-after-free, double-free",
        r"Gather\(|qTable\.FreeTensor",
    ),
    Edit("qTable.DeQue<float>()", "qTable.AllocTensor<float>()", "queue-empty"),
    Edit("qOut.EnQue(out);", "qIndex.EnQue(out);", "enque-of-foreign-tensor, deque-of-empty-queue", r"qOut\.DeQue"),
    Edit("index[at]", "index[at + 2 * CHUNK]", "global-bounds"),
)
EDITED = [
    edited(Subject("product_by_hand", _text("mm.cpp"), 3, _product), _PRODUCT),
    edited(Subject("fused_bias", _text("fuse.cpp"), 2, _fused, workspace=128 * 32 * 4), _FUSED),
    edited(Subject("turn", _text("turn.cpp"), 2, _turned), _TURNED),
    edited(Subject("order", _text("order.cpp"), 2, _ordered), _ORDERED),
    edited(Subject("shift", _text("shift.cpp"), 2, _shifted), _SHIFTED),
    edited(Subject("crop", _text("crop.cpp"), 2, _cropped), _CROPPED),
    edited(Subject("pick", _text("pick.cpp"), 2, _picked), _PICKED),
    edited(Subject("lookup", _text("lookup.cpp"), 3, _looked_up), _LOOKED_UP),
]
