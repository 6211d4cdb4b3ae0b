"""Operators as repositories hold them, written to disk: what a check of a file brings along, and what it then says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.runner.jobs.messages import CheckResult
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain
from kernelgen_ls.work.checking import Check, requests
from kernelgen_ls.workspace.build_files import cmake_folders
from kernelgen_ls.workspace.operators import Operator, operator_of

KERNEL = 'extern "C" __global__ __aicore__ void k(GM_ADDR x) {{ uint32_t n = Twice({}); (void)n; }}\n'
TWICE = '#pragma once\n#include "kernel_operator.h"\n__aicore__ inline uint32_t Twice(uint32_t n) { return 2 * n; }\n'
OTHER = TWICE.replace("Twice", "Other")
ENTRY = "ops/norm/op_kernel/norm.cpp"


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def place(root: Path, files: Mapping[str, str]) -> Path:
    (root / ".git").mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def kernel(include: str, argument: str = "4") -> str:
    return f'#include "kernel_operator.h"\n#include {include}\n' + KERNEL.format(argument)


def operator(root: Path, entry: str = ENTRY) -> Operator:
    return operator_of(root / entry)


def checked(toolchain: EmbeddedToolchain, found: Operator) -> CheckResult:
    (request,) = requests(Check.whole(found), "Ascend910B1")
    return toolchain.check(request)


@pytest.mark.parametrize(
    ("include", "header"),
    [
        ('"../norm_common/twice.h"', "ops/norm_common/op_kernel/twice.h"),
        ('"../norm_common/arch/twice.h"', "ops/norm_common/op_kernel/arch/twice.h"),
        ('"../../norm_common/op_kernel/twice.h"', "ops/norm_common/op_kernel/twice.h"),
        ('"../inc/twice.h"', "ops/norm/inc/twice.h"),
        ('"twice.h"', "common/inc/norm/op_kernel/twice.h"),
        ('"kernel/twice.h"', "ops/norm/include/kernel/twice.h"),
        ("<kernels/utils/twice.h>", "src/kernels/utils/twice.h"),
        ("<twice.h>", "ops/norm/op_kernel/twice.h"),
        ('"../twice_lib.cpp"', "ops/norm/twice_lib.cpp"),
    ],
)
def test_a_header_is_found_where_repositories_keep_it(
    include: str, header: str, tmp_path: Path, toolchain: EmbeddedToolchain
):
    root = place(tmp_path, {ENTRY: kernel(include), header: TWICE, "ops/gelu/op_kernel/gelu.h": ""})
    found = operator(root)
    assert header in found.checks[0].includes
    assert checked(toolchain, found).findings == ()
    (root / ENTRY).write_text(kernel(include, "4, 5"))
    (error,) = [one for one in checked(toolchain, operator(root)).findings if one.severity is Severity.ERROR]
    assert "Twice" in error.message


def test_a_header_of_a_sibling_that_includes_its_own(tmp_path: Path, toolchain: EmbeddedToolchain):
    files = {
        "ops/norm/op_kernel/arch35/norm.h": '#include "../../norm_common/arch35/base.h"\n',
        "ops/norm_common/op_kernel/arch35/base.h": '#include "../twice.h"\n',
        "ops/norm_common/op_kernel/twice.h": TWICE,
        ENTRY: kernel('"arch35/norm.h"'),
    }
    assert checked(toolchain, operator(place(tmp_path, files))).findings == ()


def test_of_two_equally_far_headers_none_is_taken(tmp_path: Path, toolchain: EmbeddedToolchain):
    files = {ENTRY: kernel('"twice.h"'), "a/inc/twice.h": TWICE, "b/inc/twice.h": OTHER}
    root = place(tmp_path, files)
    (said,) = checked(toolchain, operator(root)).findings
    assert (said.severity, said.code) == (Severity.INFORMATION, "embedded/include")
    (root / "ops/inc").mkdir()
    (root / "ops/inc/twice.h").write_text(TWICE)
    assert checked(toolchain, operator(root)).findings == ()


CMAKE = {
    "own": ("ops/norm/CMakeLists.txt", "target_include_directories(n\n PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../../a/inc)"),
    "project": ("CMakeLists.txt", "include_directories(${PROJECT_SOURCE_DIR}/a/inc)"),
    "variable": ("ops/CMakeLists.txt", 'set(INC "${OPS_ROOT_DIR}/a")\ninclude_directories(SYSTEM ${INC}/inc)'),
    "option": ("ops/norm/op_kernel/CMakeLists.txt", "add_ops_compile_options(ALL OPTIONS -I${CMAKE_SOURCE_DIR}/a/inc)"),
    "expression": ("CMakeLists.txt", "target_include_directories(k PUBLIC $<BUILD_INTERFACE:${ROOT}/a/inc>)"),
}  # fmt: skip


@pytest.mark.parametrize("case", CMAKE)
def test_the_folders_of_cmake_decide(case: str, tmp_path: Path, toolchain: EmbeddedToolchain):
    path, text = CMAKE[case]
    files = {ENTRY: kernel('"twice.h"'), "a/inc/twice.h": TWICE, "b/inc/twice.h": OTHER, path: text}
    found = operator(place(tmp_path, files))
    assert "a/inc/twice.h" in found.checks[0].includes
    assert checked(toolchain, found).findings == ()


def test_the_folders_of_compile_commands_decide(tmp_path: Path):
    root = place(tmp_path, {ENTRY: kernel('"twice.h"'), "a/inc/twice.h": TWICE, "b/inc/twice.h": OTHER})
    command = {"directory": str(root), "file": str(root / ENTRY), "command": f"bisheng -I{root}/b/inc -c {ENTRY}"}
    place(root, {"build/compile_commands.json": json.dumps([command])})
    assert "b/inc/twice.h" in operator(root).checks[0].includes


@pytest.mark.parametrize(
    "text",
    [
        "target_compile_definitions(k PRIVATE SCENARIO=${SCENARIO})",
        "target_compile_options(k PRIVATE -DSCENARIO=1)",
        "add_compile_definitions(OTHER=1 SCENARIO=2)",
    ],
)
def test_a_macro_that_the_build_defines_is_no_error(text: str, tmp_path: Path, toolchain: EmbeddedToolchain):
    kernel = '#include "kernel_operator.h"\nconstexpr int A = SCENARIO;\nconstexpr int B = A + 1;\nint c = SCENARIOS;\n'
    root = place(tmp_path, {ENTRY: kernel, "ops/CMakeLists.txt": "project(x)", "CMakeLists.txt": text})
    said = [(one.severity, one.location.range.start.line) for one in checked(toolchain, operator(root)).findings]
    assert said == [(Severity.INFORMATION, 1), (Severity.ERROR, 3)]


def test_what_cmake_computes_is_no_folder():
    assert cmake_folders("# include_directories(x)\ninclude_directories(/usr/include ${A}/${B} inc)\n") == ("inc",)


def test_nothing_outside_the_workspace_is_included(tmp_path: Path):
    outside = place(tmp_path / "outside", {"twice.h": TWICE})
    root = place(tmp_path / "work", {ENTRY: kernel('"twice.h"'), "CMakeLists.txt": f"include_directories({outside})"})
    (root / "inc").mkdir()
    (root / "inc/twice.h").symlink_to(outside / "twice.h")
    (root / "linked").symlink_to(outside)
    assert operator(root).checks[0].includes == ()


def test_a_copy_of_the_interface_is_not_the_projects(tmp_path: Path, toolchain: EmbeddedToolchain):
    copy = {
        "sdk/include/kernel_operator.h": "#error",
        "sdk/include/deep/extra.h": "#error",
        "sdk/impl/more.h": "#error",
    }
    text = kernel('"extra.h"').replace("Twice(4)", "4") + '#include "more.h"\n#include <math.h>\n'
    root = place(tmp_path, {ENTRY: text, **copy, "tools/math.h": "#error"})
    assert operator(root).checks[0].includes == ()
    found = checked(toolchain, operator(root)).findings
    assert {one.severity for one in found} == {Severity.INFORMATION}


def test_a_slip_in_the_name_of_a_projects_header_is_an_error(tmp_path: Path, toolchain: EmbeddedToolchain):
    root = place(tmp_path, {ENTRY: kernel('"inner/twice_itmes.h"'), "ops/norm/op_kernel/inner/twice_items.h": TWICE})
    (error,) = checked(toolchain, operator(root)).findings
    assert error.severity is Severity.ERROR
    assert "did you mean 'inner/twice_items.h'" in error.message


def test_a_header_that_is_made_or_deleted_is_seen_at_the_next_check(tmp_path: Path, toolchain: EmbeddedToolchain):
    root = place(tmp_path, {ENTRY: kernel('"twice.h"')})
    assert [one.code for one in checked(toolchain, operator(root)).findings] == ["embedded/include"]
    place(root, {"common/twice.h": TWICE})
    assert checked(toolchain, operator(root)).findings == ()
    (root / "common/twice.h").unlink()
    assert [one.code for one in checked(toolchain, operator(root)).findings] == ["embedded/include"]


USES = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void norm(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    uint32_t n = data.tileNum;
    (void)n;
}
"""
TILING = """#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(NormTilingData)
TILING_DATA_FIELD_DEF(uint32_t, tileNum);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Norm, NormTilingData)
}
"""
OLD = TILING.replace("tileNum", "size")


@pytest.mark.parametrize(
    "files",
    [
        {"ops/norm/op_host/norm_tiling.h": f"#if 0\n{OLD}#endif\n{TILING}"},
        {"ops/norm/op_host/norm_tiling.h": f"#ifdef OLD\n{TILING}#else\n{TILING}#endif\n"},
        {"ops/op_tiling/norm_tiling.h": TILING, "ops/gelu/op_host/gelu_tiling.h": TILING.replace("Norm", "Gelu")},
        {
            "ops/norm/op_host/norm.cpp": '#include "../../common/norm_tiling.h"\n',
            "ops/common/norm_tiling.h": TILING,
            "old/op_host/norm_tiling.h": OLD,
        },
        {"common/op_host/norm_tiling_def.h": TILING, "ops/gelu/op_host/gelu.cpp": ""},
    ],
    ids=["#if 0", "#ifdef", "folder beside", "included by the host", "shared folder"],
)
def test_the_tiling_struct_is_found(files: dict[str, str], tmp_path: Path, toolchain: EmbeddedToolchain):
    root = place(tmp_path, {ENTRY: USES, **files})
    assert checked(toolchain, operator(root)).findings == ()
    place(root, {ENTRY: USES.replace("tileNum", "tileNumber")})
    (error,) = checked(toolchain, operator(root)).findings
    assert "no member named 'tileNumber' in 'NormTilingData'" in error.message


def test_the_tiling_struct_of_another_operator_is_found_by_its_name(tmp_path: Path, toolchain: EmbeddedToolchain):
    part = "__aicore__ inline uint32_t Size(const NormTilingData *data) { return data->tileNum; }\n"
    files = {
        "ops/gelu/op_kernel/gelu.cpp": f'#include "kernel_operator.h"\n{part}',
        "ops/gelu/op_host/gelu.cpp": TILING.replace("Norm", "Gelu"),
        "ops/norm/op_host/norm_tiling.h": TILING,
    }
    found = operator(place(tmp_path, files), "ops/gelu/op_kernel/gelu.cpp")
    assert checked(toolchain, found).findings == ()


def test_of_several_headers_of_a_bare_name_the_operators_own_is_meant(
    toolchain: EmbeddedToolchain, tmp_path: Path
) -> None:
    files = {
        ENTRY: kernel('"twice.h"'),
        "ops/norm/op_kernel/arch/inner/twice.h": TWICE,
        "ops/pool/op_kernel/inner/twice.h": OTHER,
    }
    result = checked(toolchain, operator(place(tmp_path, files)))
    assert result.coverage.is_whole
    assert not result.findings


def test_of_several_headers_of_a_bare_name_none_is_taken_that_the_build_must_tell(
    toolchain: EmbeddedToolchain, tmp_path: Path
) -> None:
    entry = "src/attention/run.cpp"
    files = {
        entry: kernel('"twice.h"'),
        "src/attention/v1/parts/twice.h": OTHER,
        "src/other/twice.h": TWICE,
    }
    result = checked(toolchain, operator(place(tmp_path, files), entry))
    assert [finding.code for finding in result.findings] == ["embedded/include"]
    assert not result.coverage.is_whole
    (tmp_path / "src/attention/v1/parts/twice.h").write_text(TWICE)
    assert checked(toolchain, operator(tmp_path, entry)).coverage.is_whole, "both say the same"


def test_a_header_that_is_named_beside_another_is_no_slip_of_it(toolchain: EmbeddedToolchain, tmp_path: Path) -> None:
    files = {
        ENTRY: kernel('"cube_half.h"\n#include "cubs_half.h"'),
        "ops/norm/op_kernel/cubs_half.h": TWICE,
    }
    (finding,) = checked(toolchain, operator(place(tmp_path, files))).findings
    assert (finding.severity, finding.code) == (Severity.INFORMATION, "embedded/include")


def test_tiling_data_is_found_in_any_header_of_another_host_side(toolchain: EmbeddedToolchain, tmp_path: Path) -> None:
    data = (
        '#include "register/tilingdata_base.h"\nnamespace optiling {\nBEGIN_TILING_DATA_DEF(LstmTilingData)\n'
        "TILING_DATA_FIELD_DEF(uint32_t, size);\nEND_TILING_DATA_DEF;\n"
        "REGISTER_TILING_DATA_CLASS(Lstm, LstmTilingData)\n}\n"
    )
    reads = kernel('"kernel_operator.h"').replace(
        "uint32_t n = Twice(4);", "GET_TILING_DATA_WITH_STRUCT(LstmTilingData, data, x); uint32_t n = data.size;"
    )
    files = {ENTRY: reads, "ops/lstm/op_host/lstm.h": data}
    result = checked(toolchain, operator(place(tmp_path, files)))
    assert not result.findings


def test_an_absolute_include_is_not_looked_for(toolchain: EmbeddedToolchain, tmp_path: Path) -> None:
    root = place(tmp_path, {ENTRY: kernel('"/usr/include/nosuch.h"')})
    (said,) = checked(toolchain, operator(root)).findings
    assert (said.severity, said.code) == (Severity.INFORMATION, "embedded/include")


def test_a_compile_commands_file_that_is_no_such_thing_says_nothing(
    toolchain: EmbeddedToolchain, tmp_path: Path
) -> None:
    root = place(tmp_path, {ENTRY: kernel('"nosuch.h"'), "compile_commands.json": "[" * 200_000})
    (said,) = checked(toolchain, operator(root)).findings
    assert said.code == "embedded/include"


def test_a_macro_that_cmake_defines_without_a_value_may_guard_a_declaration(
    toolchain: EmbeddedToolchain, tmp_path: Path
) -> None:
    helper = "#ifdef USE_TWICE\n__aicore__ inline uint32_t Twice(uint32_t n) { return 2 * n; }\n#endif\n"
    text = '#include "kernel_operator.h"\n' + helper + KERNEL.format("4")
    cmake = "target_compile_definitions(norm PRIVATE USE_TWICE)"
    result = checked(toolchain, operator(place(tmp_path, {ENTRY: text, "ops/norm/CMakeLists.txt": cmake})))
    assert not [finding for finding in result.findings if finding.severity is Severity.ERROR]


def test_a_folder_beside_the_project_is_not_one_of_that_name_in_it() -> None:
    folders = cmake_folders("include_directories(${PROJECT_SOURCE_DIR}/../common ${CMAKE_CURRENT_LIST_DIR}/../inc)")
    assert folders == ("@/../common", "../inc")


def test_a_long_chain_of_headers_ends_no_check(toolchain: EmbeddedToolchain, tmp_path: Path) -> None:
    files = {f"ops/norm/op_kernel/h{n}.h": f'#pragma once\n#include "h{n + 1}.h"\n' for n in range(350)}
    result = checked(toolchain, operator(place(tmp_path, {ENTRY: kernel('"h0.h"'), **files})))
    assert result.outcome.is_verdict
