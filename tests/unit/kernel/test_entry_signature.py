"""An entry function against the one that was asked for: text in, what differs out."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.entry_signature import entry_differences


def entry(parameters: str, body: str = "") -> str:
    return f'extern "C" __global__ __aicore__ void add({parameters})\n{{\n{body}}}\n'


WANTED = entry("GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling")


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("GM_ADDR x, GM_ADDR y, GM_ADDR z", []),
        ("__gm__ uint8_t *x, __gm__ uint8_t *y, __gm__ uint8_t *z, GM_ADDR workspace", []),
        ("GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length", []),
        ("GM_ADDR x, GM_ADDR y, GM_ADDR workspace", ["error: the output 'z' is missing: 'add' has to take x, y, z"]),
        ("GM_ADDR x, GM_ADDR z", ["error: the parameter 'y' is missing: 'add' has to take x, y, z"]),
        ("GM_ADDR y, GM_ADDR x, GM_ADDR z", ["error: the parameters of 'add' are in another order than x, y, z"]),
        (
            "GM_ADDR x, GM_ADDR y, GM_ADDR mask, GM_ADDR z",
            ["error: the parameter 'mask' is none of those that 'add' has to take: x, y, z"],
        ),
        ("GM_ADDR x, GM_ADDR y, GM_ADDR out", ["warning: the parameter 'out' stands where 'add' was to take 'z'"]),
    ],
)
def test_parameters(parameters: str, said: list[str]) -> None:
    found = entry_differences("k.cpp", entry(parameters), WANTED, ["z"])
    assert [f"{one.severity.value}: {one.message}" for one in found] == said


def test_element_types() -> None:
    body = "xGm.SetGlobalBuffer((__gm__ float *)x + begin);\nzGm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(z));\n"
    text = entry("GM_ADDR x, GM_ADDR y, GM_ADDR z", body)
    types = {"x": ("float16", "bfloat16"), "y": ("float16",), "z": ("float16",)}
    (found,) = entry_differences("k.cpp", text, WANTED, ["z"], types)
    assert found.message == "'x' is taken for float, the specification says bfloat16_t or half"
    assert entry_differences("k.cpp", text.replace("float *", "DTYPE_X *"), WANTED, ["z"], types) == ()
