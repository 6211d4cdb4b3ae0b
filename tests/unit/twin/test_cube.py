"""The cube unit against numpy: matrices of odd sizes through every way into L0, multiplied, and out of L0C.

One kernel has all of them; a case says element type, sizes, the way of each factor in, and the way of the result out.
"""

# ruff: noqa: E501 - AscendC calls, one a line
from __future__ import annotations

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import serious, verify

KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;
enum Way { ROWS, TURNED, IMAGE, IMAGE_TURNED };
enum Out { NORMAL, NZ, HALF, RELU, BYTES, BYTE_COLUMNS, SPLIT, DEQUANTISED, COPIED, BFLOAT };
struct Tiling { uint32_t type, m, k, n, left, right, bias, out, parts; float factor; };
__aicore__ inline uint32_t Up(uint32_t value, uint32_t step) { return (value + step - 1) / step * step; }

template <typename T, typename C> class Cube {
public:
    static constexpr uint32_t w = sizeof(T), c0 = 32 / w, side = w == 1 ? 32 : 16, fractal = 512 / w;
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, GM_ADDR biases, GM_ADDR quant, GM_ADDR z, const Tiling &tiling)
    {
        t = tiling;
        LocalTensor<T> a1(TPosition::A1, 0, 64 * 1024), b1(TPosition::B1, 128 * 1024, 64 * 1024);
        LocalTensor<T> a2(TPosition::A2, 0, 64 * 1024 / w), b2(TPosition::B2, 0, 64 * 1024 / w);
        LocalTensor<C> c(TPosition::CO1, 0, 32 * 1024);
        xGm.SetGlobalBuffer((__gm__ T *)x);
        yGm.SetGlobalBuffer((__gm__ T *)y);
        bool turnedLeft = t.left == TURNED || t.left == IMAGE_TURNED, turnedRight = t.right == ROWS || t.right == IMAGE;
        In(a1, xGm, turnedLeft ? t.k : t.m, turnedLeft ? t.m : t.k);
        In(b1, yGm, turnedRight ? t.k : t.n, turnedRight ? t.n : t.k);
        SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
        if (t.m == 1) LoadData(a2, a1, LoadData2DParams(0, uint8_t(Up(t.k * w, 512) / 512), 1, 0, 0, false, 0));
        else Left(a2, a1);
        Right(b2, b1);
        LocalTensor<C> table(TPosition::C2, 0, 256);
        if (t.bias) {
            GlobalTensor<C> biasGm;
            biasGm.SetGlobalBuffer((__gm__ C *)biases);
            LocalTensor<C> bias1(TPosition::C1, 256 * 1024, 256);
            DataCopy(bias1, biasGm, Up(t.n, 16));
            SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
            DataCopy(table, bias1, DataCopyParams(1, uint16_t(Up(t.n, 16) / 16), 0, 0));
        }
        SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
        WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
        MmadParams params;
        params.m = t.m;
        params.n = w == 1 && turnedRight ? Up(t.n, 32) : t.n;
        params.k = t.k;
        params.kDirectionAlign = w == 4 && t.left == IMAGE_TURNED;
        for (uint32_t part = 0; part < t.parts; ++part) { // the same product over and over
            params.cmatrixInitVal = part == 0 && !t.bias;
            if (part == 0 && t.bias) Mmad(c, a2, b2, table, params);
            else Mmad(c, a2, b2, params);
            PipeBarrier<PIPE_M>();
        }
        SetFlag<HardEvent::M_FIX>(EVENT_ID0);
        WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
        Out(c, quant, z);
    }

private:
    __aicore__ inline void In(LocalTensor<T> l1, GlobalTensor<T> gm, uint32_t rows, uint32_t columns)
    {
        if (rows == 1 && t.m == 1) {
            InitConstValue(l1.template ReinterpretCast<half>(), InitConstValueParams<half>(1, Up(columns * w, 512) / 32, 0, half(7)));
            SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID1);
            WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID1);
            DataCopy(l1, gm, columns);
            return;
        }
        DataCopy(l1, gm, Nd2NzParams(1, rows, columns, 0, columns, Up(rows, side), 1, 0));
    }
    __aicore__ inline LoadData3DParamsV2<T> Image(uint32_t rows, uint32_t columns, bool turn)
    {
        LoadData3DParamsV2<T> image;
        image.l1H = 1;
        image.l1W = Up(rows, side);
        image.channelSize = image.kExtension = Up(columns, c0);
        image.mExtension = rows;
        image.enTranspose = turn;
        return image;
    }
    __aicore__ inline void Left(LocalTensor<T> a2, LocalTensor<T> a1)
    {
        uint32_t rows = Up(t.m, 16) / 16, blocks = Up(t.k, c0) / c0, step = Up(t.m, side) / 16;
        if (t.left == ROWS) {
            for (uint32_t i = 0; i < rows; ++i) LoadData(a2[i * blocks * fractal], a1, LoadData2DParams(i, blocks, step, 0, 0, false, 0));
        } else if (t.left == IMAGE) {
            LoadData(a2, a1, Image(t.m, t.k, false));
        } else if (t.left == IMAGE_TURNED) {
            if constexpr (w != 1) LoadData(a2, a1, Image(t.k, t.m, true));
        } else if constexpr (w == 2) { // stored k x m
            uint32_t k1 = Up(t.k, 16) / 16;
            for (uint32_t i = 0; i < rows; ++i) LoadData(a2[i * blocks * fractal], a1, LoadData2DParams(i * k1, blocks, 1, 0, 0, true, 0));
        } else if constexpr (w == 1) {
            // A square gives two rows of fractals of L0A; square (i, j) of k x m stands at j * (k / 32) + i.
            uint32_t squares = Up(t.k, 32) / 32;
            for (uint32_t j = 0; j < Up(t.m, 32) / 32; ++j) {
                LoadDataWithTranspose(a2[j * 2 * blocks * fractal], a1, LoadData2dTransposeParams(j * squares, squares, 1, 0, blocks - 1));
            }
        }
    }
    __aicore__ inline void Right(LocalTensor<T> b2, LocalTensor<T> b1)
    {
        uint32_t n1 = Up(t.n, 16) / 16, k1 = Up(t.k, side) / 16, blocks = Up(t.k, c0) / c0;
        if (t.right == TURNED) { // stored n x k: as it is
            for (uint32_t j = 0; j < blocks; ++j) LoadData(b2[j * n1 * fractal], b1, LoadData2DParams(j * (Up(t.n, side) / 16), n1, 1, 0, 0, false, 0));
        } else if (t.right == IMAGE) {
            if constexpr (w != 1) LoadData(b2, b1, Image(t.k, t.n, false));
        } else if constexpr (w == 2) {
            for (uint32_t i = 0; i < k1; ++i) LoadData(b2[i * n1 * fractal], b1, LoadData2DParams(i, n1, k1, 0, 0, true, 0));
        } else if constexpr (w == 1) {
            for (uint32_t i = 0; i < Up(t.k, 32) / 32; ++i) {
                LoadDataWithTranspose(b2[i * Up(t.n, 32) * 32], b1, LoadData2dTransposeParams(i, Up(t.n, 32) / 32, Up(t.k, 32) / 32, 1, 0));
            }
        }
    }
    template <typename D> __aicore__ inline void Leave(LocalTensor<C> c, GM_ADDR z, FixpipeParamsV220 params)
    {
        GlobalTensor<D> zGm;
        zGm.SetGlobalBuffer((__gm__ D *)z);
        if (t.out == NZ || t.out == SPLIT) Fixpipe<D, C, CFG_NZ>(zGm, c, params);
        else Fixpipe(zGm, c, params);
    }
    __aicore__ inline void Out(LocalTensor<C> c, GM_ADDR quant, GM_ADDR z)
    {
        FixpipeParamsV220 params(t.n, t.m, Up(t.m, 16), t.n, t.out == RELU);
        params.deqScalar = *reinterpret_cast<uint32_t *>(&t.factor);
        if (t.out == NZ) params.dstStride = Up(t.m, 16) * 2;
        if (t.out == SPLIT) {
            params.dstStride = Up(t.m, 16);
            params.isChannelSplit = true;
        }
        if constexpr (std::is_same_v<C, float>) {
            if (t.out == HALF) {
                params.quantPre = F322F16;
                Leave<half>(c, z, params);
                return;
            }
            if (t.out == BFLOAT) {
                params.quantPre = F322BF16;
                Leave<bfloat16_t>(c, z, params);
                return;
            }
        }
        if (t.out == BYTES) {
            params.quantPre = std::is_same_v<C, float> ? QF322B8_PRE : REQ8;
            params.deqScalar |= uint64_t(5) << 37 | uint64_t(1) << 46;
            Leave<int8_t>(c, z, params);
        } else if (t.out == BYTE_COLUMNS) {
            GlobalTensor<uint64_t> quantGm;
            quantGm.SetGlobalBuffer((__gm__ uint64_t *)quant);
            LocalTensor<uint64_t> factors(TPosition::C1, 400 * 1024, 256);
            DataCopy(factors, quantGm, Up(t.n, 16));
            SetFlag<HardEvent::MTE2_FIX>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_FIX>(EVENT_ID0);
            params.quantPre = std::is_same_v<C, float> ? VQF322B8_PRE : VREQ8;
            GlobalTensor<uint8_t> zGm;
            zGm.SetGlobalBuffer((__gm__ uint8_t *)z);
            Fixpipe(zGm, c, factors, params);
        } else if (t.out == DEQUANTISED) {
            if constexpr (std::is_same_v<C, int32_t>) {
                params.quantPre = DEQF16;
                Leave<half>(c, z, params);
            }
        } else if (t.out == COPIED) {
            SetFixpipeNz2ndFlag(1, 1, 1);
            GlobalTensor<C> zGm;
            zGm.SetGlobalBuffer((__gm__ C *)z);
            DataCopyCO12DstParams copy;
            copy.nSize = t.n;
            copy.mSize = t.m;
            copy.srcStride = Up(t.m, 16);
            copy.dstStride = t.n;
            copy.nz2ndEn = true;
            DataCopy(zGm, c, copy);
        } else {
            Leave<C>(c, z, params);
        }
    }
    Tiling t;
    GlobalTensor<T> xGm, yGm;
};
extern "C" __global__ __cube__ void cube(GM_ADDR x, GM_ADDR y, GM_ADDR biases, GM_ADDR quant, GM_ADDR z, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Tiling, t, tiling);
    if (t.type == 0) Cube<half, float>().Run(x, y, biases, quant, z, t);
    if (t.type == 1) Cube<bfloat16_t, float>().Run(x, y, biases, quant, z, t);
    if (t.type == 2) Cube<float, float>().Run(x, y, biases, quant, z, t);
    if (t.type == 3) Cube<int8_t, int32_t>().Run(x, y, biases, quant, z, t);
}
"""
GOLDEN = """
ROWS, TURNED, IMAGE, IMAGE_TURNED = range(4)
NORMAL, NZ, HALF, RELU, BYTES, BYTE_COLUMNS, SPLIT, DEQUANTISED, COPIED, BFLOAT = range(10)
F16, BF16, F32, I8 = range(4)
FACTOR = np.float32(0.109375)
CASES = [dict(zip(("type", "m", "k", "n", "left", "right", "bias", "out", "parts"), row)) for row in (
    (F16, 40, 70, 50, ROWS, ROWS, 0, NORMAL, 1),
    (F16, 16, 16, 16, ROWS, TURNED, 0, NORMAL, 1),
    (F16, 33, 47, 65, ROWS, TURNED, 1, NORMAL, 1),
    (F16, 40, 70, 50, TURNED, TURNED, 0, NORMAL, 3),
    (F16, 40, 70, 50, IMAGE, IMAGE, 1, NORMAL, 2),
    (F16, 40, 70, 50, IMAGE_TURNED, ROWS, 0, NORMAL, 1),
    (F16, 128, 128, 128, ROWS, ROWS, 0, NORMAL, 1),
    (F16, 1, 256, 50, ROWS, ROWS, 0, NORMAL, 1),
    (F16, 40, 70, 48, ROWS, ROWS, 0, NZ, 1),
    (F16, 40, 70, 48, ROWS, ROWS, 0, SPLIT, 1),
    (F16, 40, 70, 24, ROWS, ROWS, 0, SPLIT, 1),
    (F16, 40, 70, 50, ROWS, ROWS, 0, HALF, 1),
    (F16, 40, 70, 50, ROWS, ROWS, 0, BFLOAT, 1),
    (F16, 40, 70, 50, ROWS, ROWS, 0, RELU, 1),
    (F16, 40, 70, 50, ROWS, ROWS, 1, BYTES, 1),
    (F16, 40, 70, 50, ROWS, ROWS, 0, BYTE_COLUMNS, 1),
    (F16, 40, 70, 50, ROWS, ROWS, 0, COPIED, 1),
    (BF16, 40, 70, 50, ROWS, ROWS, 0, NORMAL, 1),
    (BF16, 17, 31, 20, IMAGE_TURNED, IMAGE, 1, NORMAL, 1),
    (F32, 40, 70, 50, ROWS, TURNED, 0, NORMAL, 1),
    (F32, 40, 70, 50, IMAGE, IMAGE, 1, NORMAL, 1),
    (F32, 40, 70, 50, IMAGE_TURNED, IMAGE, 0, NORMAL, 1),
    (I8, 40, 70, 50, ROWS, ROWS, 0, NORMAL, 1),
    (I8, 40, 70, 50, ROWS, TURNED, 1, NORMAL, 2),
    (I8, 40, 70, 50, TURNED, ROWS, 0, NORMAL, 1),
    (I8, 40, 70, 50, IMAGE, TURNED, 0, COPIED, 1),
    (I8, 40, 70, 50, ROWS, ROWS, 0, BYTES, 1),
    (I8, 40, 70, 50, ROWS, ROWS, 0, BYTE_COLUMNS, 1),
    (I8, 40, 70, 50, ROWS, ROWS, 0, DEQUANTISED, 1),
)]

def bits16(array):
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)

def wide(array):
    return (array.astype(np.uint32) << 16).view(np.float32)

def inputs(case, rng):
    def one(*shape):
        if case["type"] == I8:
            return rng.integers(-128, 128, shape).astype(np.int8)
        exact = case["out"] in (HALF, BFLOAT, BYTES, BYTE_COLUMNS)
        values = rng.integers(-9, 9, shape) if exact else rng.standard_normal(shape)
        return bits16(values) if case["type"] == BF16 else values.astype(np.float32 if case["type"] == F32 else np.float16)
    m, k, n = case["m"], case["k"], case["n"]
    a = one(k, m) if case["left"] in (TURNED, IMAGE_TURNED) else one(m, k)
    b = one(n, k) if case["right"] == TURNED else one(k, n)
    bias = rng.integers(-100, 100, 256).astype(np.int32 if case["type"] == I8 else np.float32)
    quant = np.zeros(256, np.uint64)
    quant[:] = rng.uniform(0.01, 0.2, 256).astype(np.float32).view(np.uint32)
    return [a, b, bias, quant | (np.uint64(100) << np.uint64(37))]

def golden(case, given):
    a, b, bias, quant = given
    if case["type"] == BF16:
        a, b = wide(a), wide(b)
    number = np.int64 if case["type"] == I8 else np.float64
    a, b = a.astype(number), b.astype(number)
    a = a.T if case["left"] in (TURNED, IMAGE_TURNED) else a
    b = b.T if case["right"] == TURNED else b
    m, n = case["m"], case["n"]
    c = a @ b * case["parts"] + (bias[:n] if case["bias"] else 0)
    out = case["out"]
    plain = np.int32 if case["type"] == I8 else np.float32
    if out in (NZ, SPLIT):
        width = 8 if out == SPLIT else 16
        whole = np.zeros((m, -(-n // width) * width))
        whole[:, :n] = c
        fractals = np.full((whole.shape[1] // width, -(-m // 16) * 16, width), np.nan, plain)
        fractals[:, :m] = whole.reshape(m, -1, width).transpose(1, 0, 2)
        return [fractals]
    if out == RELU:
        c = np.maximum(c, 0)
    if out == BFLOAT:
        return [bits16(c)]
    if out == HALF:
        return [c.astype(np.float16)]
    if out == DEQUANTISED:
        return [(c.astype(np.float32) * FACTOR).astype(np.float16)]
    if out == BYTES:
        scaled = np.clip(c.astype(np.float32) * FACTOR, -256, 255)
        return [np.clip(np.rint(scaled) + 5, -128, 127).astype(np.int8)]
    if out == BYTE_COLUMNS:
        factors = (quant.astype(np.uint32)[:n] & np.uint32(0xFFFFE000)).view(np.float32)
        scaled = np.clip(c.astype(np.float32) * factors, -256, 255)
        return [np.clip(np.rint(scaled) + 100, 0, 255).astype(np.uint8)]
    return [c.astype(plain)]

def tiling(case):
    return np.array(list(case.values()), np.uint32).tobytes() + FACTOR.tobytes()
TOLERANCE = (1e-4, 1e-4)
"""


def test_the_cube_computes_what_numpy_does() -> None:
    result = verify({"kernel.cpp": KERNEL}, "kernel.cpp", "cube", GOLDEN)
    wrong = [f"{one.name}: {one.message}" for one in result.cases if one.outcome is not Outcome.PASSED]
    assert (result.outcome, wrong, serious(result)) == (Outcome.PASSED, [], [])
