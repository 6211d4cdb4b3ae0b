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

WAYS = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t M = 32, K = 64, N = 48;
template <typename T> __aicore__ inline void Left(LocalTensor<T> a2, LocalTensor<T> a1, uint32_t columns)
{
    constexpr uint32_t c0 = 32 / sizeof(T);
    for (uint32_t i = 0; i < M / 16; ++i) LoadData(a2[i * columns * 16], a1, LoadData2DParams(i, columns / c0, M / 16, 0, 0, false, 0));
}
template <HardEvent event> __aicore__ inline void Order()
{
    SetFlag<event>(EVENT_ID0);
    WaitFlag<event>(EVENT_ID0);
}
/// Both factors into L1 and L0: x is M x K, y is N x K.
template <typename T> __aicore__ inline void Factors(GM_ADDR x, GM_ADDR y, LocalTensor<T> a2, LocalTensor<T> b2)
{
    GlobalTensor<T> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ T *)x);
    yGm.SetGlobalBuffer((__gm__ T *)y);
    LocalTensor<T> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, 64 * 1024, K * N);
    DataCopy(a1, xGm, Nd2NzParams(1, M, K, 0, K, M, 1, 0));
    DataCopy(b1, yGm, Nd2NzParams(1, N, K, 0, K, N, 1, 0));
    Order<HardEvent::MTE2_MTE1>();
    Left(a2, a1, K);
    LoadData(b2, b1, LoadData2DParams(0, N * K * sizeof(T) / 512, 1, 0, 0, false, 0));
    Order<HardEvent::MTE1_M>();
}
__aicore__ inline void Convolve(GM_ADDR x, GM_ADDR y, GlobalTensor<float> zGm)
{
    constexpr uint32_t height = 9, width = 7, channels = 32, rows = 5 * 4, columns = 9 * channels, half_ = columns / 2, filters = 20;
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x);
    yGm.SetGlobalBuffer((__gm__ half *)y);
    LocalTensor<half> a1(TPosition::A1, 0, height * width * channels), b1(TPosition::B1, 64 * 1024, columns * 32);
    LocalTensor<half> a2(TPosition::A2, 0, 32 * half_), b2(TPosition::B2, 0, half_ * 32);
    LocalTensor<float> c(TPosition::CO1, 0, 32 * 32);
    DataCopy(a1, xGm, height * width * channels);
    DataCopy(b1, yGm, Nd2NzParams(1, filters, columns, 0, columns, 32, 1, 0));
    Order<HardEvent::MTE2_MTE1>();
    uint8_t padding[4] = {1, 1, 1, 1};
    SetFmatrix(height, width, padding, FmatrixMode::FMATRIX_LEFT);
    SetLoadDataPaddingValue(half(0));
    for (uint32_t part = 0; part < 2; ++part) {
        static constexpr IsResetLoad3dConfig kept = {false, false};
        LoadData3DParamsV2<half> image(padding, 0, 0, channels, half_, rows, part * half_, 0, 2, 2, 3, 3, 1, 1, false, false, half(0));
        LoadData<half, kept>(a2, a1, image);
        LoadData(b2, b1, LoadData2DParams(part * half_ / 16 * 2, half_ / 16 * 2, 1, 0, 0, false, 0));
        Order<HardEvent::MTE1_M>();
        Mmad(c, a2, b2, MmadParams(rows, filters, half_, 0, false, part == 0));
        Order<HardEvent::M_MTE1>();
    }
    Order<HardEvent::M_FIX>();
    Fixpipe(zGm, c, FixpipeParamsV220(filters, rows, 32, filters, false));
}
extern "C" __global__ __cube__ void ways(GM_ADDR x, GM_ADDR y, GM_ADDR more, GM_ADDR z, GM_ADDR tiling)
{
    uint32_t way = *reinterpret_cast<__gm__ uint32_t *>(tiling);
    GlobalTensor<float> zGm;
    zGm.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> c(TPosition::CO1, 0, 2 * M * N);
    FixpipeParamsV220 out(N, M, M, N, false);
    if (way == 0) {
        Convolve(x, y, zGm);
    } else if (way == 1) { // float with short factors
        LocalTensor<float> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, K * N);
        Factors(x, y, a2, b2);
        SetHF32Mode(true);
        SetHF32TransMode(false);
        Mmad(c, a2, b2, MmadParams(M, N, K, false));
        SetHF32Mode(false);
        Order<HardEvent::M_FIX>();
        Fixpipe(zGm, c, out);
    } else {
        LocalTensor<half> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, K * N);
        LocalTensor<float> table(TPosition::C2, 0, N);
        if (way == 2) { // a bias of half
            GlobalTensor<half> moreGm;
            moreGm.SetGlobalBuffer((__gm__ half *)more);
            LocalTensor<half> bias(TPosition::C1, 300 * 1024, N);
            DataCopy(bias, moreGm, N);
            Order<HardEvent::MTE2_MTE1>();
            DataCopy(table, bias, DataCopyParams(1, (N * 2 + 63) / 64, 0, 0));
        }
        Factors(x, y, a2, b2);
        if (way == 2) Mmad(c, a2, b2, table, MmadParams(M, N, K, 0, false, false));
        else Mmad(c, a2, b2, MmadParams(M, N, K, 3, false, true));
        if (way == 2) {
            Order<HardEvent::M_FIX>();
            Fixpipe(zGm, c, out);
        } else if (way == 3) { // two matrices leave at once
            Mmad(c[M * N], a2, b2, MmadParams(M, N, K, 2, false, true));
            Mmad(c[M * N], a2, b2, MmadParams(M, N, K, 3, false, false));
            out.unitFlag = 3;
            out.ndNum = 2;
            out.srcNdStride = M * N * 4 / 1024;
            out.dstNdStride = M * N;
            Fixpipe(zGm, c, out);
        } else { // through L1 into another product
            LocalTensor<half> again(TPosition::A1, 200 * 1024, M * N);
            Order<HardEvent::M_FIX>();
            FixpipeParamsV220 back(N, M, M, M, true);
            back.quantPre = F322F16;
            Fixpipe(again, c, back);
            Order<HardEvent::FIX_MTE1>();
            Order<HardEvent::M_MTE1>();
            Left(a2, again, N);
            Order<HardEvent::MTE1_M>();
            Order<HardEvent::FIX_M>();
            Mmad(c, a2, b2, MmadParams(M, N, N, false));
            Order<HardEvent::M_FIX>();
            Fixpipe(zGm, c, out);
        }
    }
}
"""
WAYS_GOLDEN = """
CASES = [{"way": way} for way in range(5)]
M, K, N = 32, 64, 48
def shortened(array):
    bits = array.view(np.uint32)
    return ((bits + np.uint32(0xFFF) + (bits >> np.uint32(13) & np.uint32(1))) & np.uint32(0xFFFFE000)).view(np.float32)
def inputs(case, rng):
    kind = np.float32 if case["way"] == 1 else np.float16
    shapes = ((2, 9, 7, 16), (20, 288)) if case["way"] == 0 else ((M, K), (N, K))
    whole = rng.integers(-3, 4, shapes[0]), rng.integers(-3, 4, shapes[1])
    x, y = whole if case["way"] == 4 else (rng.standard_normal(shape) for shape in shapes)
    return [x.astype(kind), y.astype(kind), rng.integers(-5, 5, N).astype(np.float16)]
def golden(case, given):
    x, y, bias = given
    if case["way"] == 1:
        x, y = shortened(x), shortened(y)
    x, y = x.astype(np.float64), y.astype(np.float64)
    if case["way"] == 0:
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        taps = [padded[:, i : i + 9 : 2, j : j + 7 : 2] for i in range(3) for j in range(3)]
        image = np.stack(taps, 1).transpose(2, 3, 0, 1, 4).reshape(20, -1)
        return [(image @ y.T).astype(np.float32)]
    c = x @ y.T
    if case["way"] == 2:
        c = c + bias
    if case["way"] == 3:
        c = np.stack([c, c * 2])
    if case["way"] == 4: # the first N columns of y, as they lie in L0B
        c = np.maximum(c, 0).astype(np.float16).astype(np.float64) @ y[:, :N].T
    return [c.astype(np.float32)]
tiling = lambda case: int(case["way"]).to_bytes(4, "little")
TOLERANCE = (1e-4, 1e-4)
"""


def test_images_short_floats_and_results_that_stay_on_the_chip() -> None:
    result = verify({"kernel.cpp": WAYS}, "kernel.cpp", "ways", WAYS_GOLDEN)
    wrong = [f"{one.name}: {one.message}" for one in result.cases if one.outcome is not Outcome.PASSED]
    assert (result.outcome, wrong, serious(result)) == (Outcome.PASSED, [], [])


def test_a_template_kernel_is_not_executed() -> None:
    kernel = '#include "kernel_operator.h"\ntemplate <int N> __global__ __cube__ void some(GM_ADDR x, GM_ADDR y) {}\n'
    cases = "CASES = [{}]\ninputs = lambda case, rng: [np.zeros(8, np.int8)]\ngolden = lambda case, given: [given[0]]\n"
    result = verify({"kernel.cpp": kernel}, "kernel.cpp", "some", cases)
    assert result.outcome is Outcome.NOT_EXECUTED
    assert "template" in result.cases[0].message


def test_the_cube_computes_what_numpy_does() -> None:
    result = verify({"kernel.cpp": KERNEL}, "kernel.cpp", "cube", GOLDEN)
    wrong = [f"{one.name}: {one.message}" for one in result.cases if one.outcome is not Outcome.PASSED]
    assert (result.outcome, wrong, serious(result)) == (Outcome.PASSED, [], [])
