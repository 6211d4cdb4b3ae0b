"""An operator that doubles 64 floats: its kernel, and the cases that lie beside it as twice_cases.py."""

from __future__ import annotations

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 64);
    to.SetGlobalBuffer((__gm__ float *)y, 64);
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, from, 64);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Muls(b, a, 2.0f, 64);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(to, b, 64);
    out.FreeTensor(b);
}
"""
CASES = """import numpy as np
CASES = [{"name": "first"}, {"name": "second"}]
inputs = lambda case, rng: [rng.standard_normal(64).astype(np.float32)]
golden = lambda case, given: [given[0] * 2]
"""
