"""Which cores a kernel's text says it runs on."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.cores import (
    CUBE_CORES,
    GROUPS,
    VECTOR_CORES,
    Cores,
    has_vector_part,
    may_use_cube,
    stated_cores,
)
from kernelgen_ls.kernel.syntax import Source

PAIRS = Cores(1, 1)
MIX_1_2 = "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);"


@pytest.mark.parametrize(
    ("before", "qualifier", "body", "cores"),
    [
        ("", "", "", None),
        ("", "__vector__", "", VECTOR_CORES),
        ("", "__cube__", "", CUBE_CORES),
        ("", "__mix__(1, 1)", "", PAIRS),
        ("", "__mix__(1, 2)", "", GROUPS),
        ("", "__mix__(0, 1)", "", VECTOR_CORES),
        ("__global__ __mix__(1, 2) void other() {}", "", "", None),
        ("", "", MIX_1_2, GROUPS),
        ("", "", f"// {MIX_1_2}", None),
        ("", "", "KERNEL_TASK_TYPE_DEFAULT(AscendC::KERNEL_TYPE_AIC_ONLY);", CUBE_CORES),
        ("", "", f"KERNEL_TASK_TYPE(7, KERNEL_TYPE_AIC_ONLY); {MIX_1_2}", CUBE_CORES),
        ("", "", f"KERNEL_TASK_TYPE(0x8, KERNEL_TYPE_AIC_ONLY); {MIX_1_2}", GROUPS),
        ("", "", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);", VECTOR_CORES),
        ("inline void setUp() { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1); }", "", "setUp();", PAIRS),
        ("", "__cube__", MIX_1_2, CUBE_CORES),
    ],
)
def test_the_cores_that_a_kernel_states(before: str, qualifier: str, body: str, cores: Cores | None) -> None:
    text = f'{before}\nextern "C" __global__ {qualifier} __aicore__ void kernel(GM_ADDR x)\n{{\n    {body}\n}}\n'
    kernel = next(one for one in Source.parse(text).structure.entries if one.name == "kernel")
    plain = strip_comments(text)
    assert stated_cores(kernel, plain, [plain], 7) == cores


@pytest.mark.parametrize(
    ("text", "cube", "vector"),
    [
        ("Add(z, x, y, n);", False, False),
        ("Mmad(c, a, b, params);", True, False),
        ("LoadDataWithTranspose(a2, a1, params); if ASCEND_IS_AIV { Add(z, x, y, n); }", True, True),
        ("matmul::Matmul<A, B, C> mm; REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm);", True, True),
        ("#define ASCENDC_CUBE_ONLY\nmatmul::Matmul<A, B, C> mm;", True, False),
        ("#ifdef __DAV_C220_VEC__\nAdd(z, x, y, n);\n#else\nFixpipe(y, c, params);\n#endif", True, True),
    ],
)
def test_the_units_that_a_text_names(text: str, cube: bool, vector: bool) -> None:
    assert (may_use_cube([text]), cube and has_vector_part([text])) == (cube, vector)
