"""Which chip a kernel is written for, as text."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.target import chip_of

BOTH = 'this->AICore().AddConfig("ascend910b");\nthis->AICore().AddConfig("ascend910_93");\n'
APART = (
    BOTH
    + """OpAICoreConfig config;
config.DynamicShapeSupportFlag(true)
    .ExtendCfgInfo("opFile.value", "add_apt");
this->AICore().AddConfig("ascend950", config);
"""
)


def of(
    entry: str = "op/op_kernel/add.cpp", host: str = "", included: tuple[str, ...] = (), **builds: str
) -> tuple[str, str] | None:
    """The chip's name and why; ``builds`` by name, without their suffix."""
    texts = {f"op/{name}.txt" if name == "CMakeLists" else f"op/{name}.json": text for name, text in builds.items()}
    found = chip_of(entry, {"op/op_host/add.cpp": host} if host else {}, included, texts)
    return (found.chip.soc, found.because) if found else None


@pytest.mark.parametrize(
    "name", ["ascend950", "ascend910_95", "ascend910b", "ascend310p", "ascend910_93", "Ascend310B"]
)
def test_the_names_of_definitions_are_names_of_chips(name: str):
    assert of(host=f'this->AICore().AddConfig("{name}");') == (chip_named(name).soc, f'AddConfig("{name}") in add.cpp')


@pytest.mark.parametrize(
    ("entry", "soc"),
    [
        ("op/op_kernel/arch35/add.cpp", "Ascend950"),
        ("op/op_kernel/ascend310p/add.cpp", "Ascend310P3"),
        ("op/op_kernel/arch22/add.cpp", "Ascend910B1"),
    ],
)
def test_the_folder_says_most(entry: str, soc: str):
    assert of(entry, 'this->AICore().AddConfig("ascend310b");') == (soc, f"the folder {entry.split('/')[2]}")


def test_of_several_configurations_the_usual_chip_is_taken_else_the_first():
    assert of(host='AddConfig("ascend310p");\n' + BOTH) == ("Ascend910B1", 'AddConfig("ascend910b") in add.cpp')
    assert of(host='AddConfig("ascend950"); AddConfig("ascend310p");') == (
        "Ascend950",
        'AddConfig("ascend950") in add.cpp',
    )


def test_a_configuration_belongs_to_the_chips_that_are_given_it_by_name():
    first, last = APART.removeprefix(BOTH).split("this")
    host = first + BOTH + "this" + last + 'this->AICore().AddConfig("ascend910_95", config);\n'
    assert of("op/op_kernel/add_apt.cpp", host) == ("Ascend950", 'AddConfig("ascend950") in add.cpp')
    assert of("op/op_kernel/add.cpp", host) == ("Ascend910B1", 'AddConfig("ascend910b") in add.cpp')


def test_a_configuration_that_is_built_from_another_source_says_nothing_of_this_one():
    assert of("op/op_kernel/add_apt.cpp", APART) == ("Ascend950", 'AddConfig("ascend950") in add.cpp')
    assert of("op/op_kernel/add.cpp", APART) == ("Ascend910B1", 'AddConfig("ascend910b") in add.cpp')


def test_the_folder_of_the_headers_decides_between_configurations():
    included = ("op/op_kernel/arch35/add_impl.h", "common/base.h")
    host = BOTH + 'AddConfig("ascend950");'
    assert of(host=host, included=included) == ("Ascend950", "the folder arch35")
    assert of(included=included) == ("Ascend950", "the folder arch35")
    assert of(host=BOTH, included=included) == ("Ascend910B1", 'AddConfig("ascend910b") in add.cpp')
    two = (*included, "op/op_kernel/arch22/add_impl.h")
    assert of(host=host, included=two) == ("Ascend910B1", 'AddConfig("ascend910b") in add.cpp')


@pytest.mark.parametrize(
    ("builds", "expected"),
    [
        ({"CMakeLists": 'set(SOC_VERSION "Ascend310P3" CACHE STRING "ascend910b")'}, ("Ascend910B1", "ascend910b in")),
        ({"CMakeLists": 'set(SOC_VERSION "Ascend910B4")  # or ascend310p'}, ("Ascend910B4", "Ascend910B4 in")),
        ({"CMakeLists": "$<$<COMPILE_LANGUAGE:ASC>:--npu-arch=dav-3510>\nascend910b"}, ("Ascend950", "dav-3510 in")),
        (
            {
                "CMakeLists": 'set(CMAKE_ASC_ARCHITECTURES "dav-3510" CACHE STRING "or dav-2201")\n'
                'set(CMAKE_ASC_ARCHITECTURES "dav-2201" CACHE STRING "")'
            },
            ("Ascend950", "dav-3510 in"),
        ),
        ({"CMakePresets": '{"ASCEND_COMPUTE_UNIT": {"value": "ascend310p"}}'}, ("Ascend310P3", "ascend310p in")),
        ({"CMakeLists": "project(ascend_kernels)"}, None),
    ],
)
def test_the_build_names_a_chip(builds: dict[str, str], expected: tuple[str, str] | None):
    found = of(**builds)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert found[0] == expected[0] and found[1].startswith(expected[1])


def test_a_comment_names_no_chip():
    assert of(host='// this->AICore().AddConfig("ascend310p");\n') is None


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("AscendC::MicroAPI::RegTensor<half> a;", "MicroAPI is of dav-3510 alone"),
        ("using namespace AscendC::Reg;", "namespace AscendC::Reg is of dav-3510 alone"),
        ("__simt_vf__ __aicore__ LAUNCH_BOUND(512) inline void f() {}", "__simt_vf__ is of dav-3510 alone"),
        ("// MicroAPI::RegTensor is another chip's\nLocalTensor<half> x;", ""),
        ("#if __NPU_ARCH__ == 3510\nMicroAPI::RegTensor<half> a;\n#endif", ""),
    ],
)
def test_what_a_kernel_is_written_in_says_its_chip_where_no_definition_does(text: str, because: str):
    builds = {"op/CMakeLists.txt": "set(SOC_VERSION ascend910b)"}
    found = chip_of("op/op_kernel/add.cpp", {}, (), builds, (text,))
    assert found is not None
    assert found.because == (because or "ascend910b in CMakeLists.txt")
    defined = chip_of("op/op_kernel/add.cpp", {"op/op_host/add.cpp": BOTH}, (), builds, (text,))
    assert defined is not None
    assert defined.chip.soc == "Ascend910B1"
