"""Projects, as listings of paths with the texts that matter."""

# ruff: noqa: E501 the texts are laid out as developers write them

from __future__ import annotations

from kernelgen_ls.workspace.project import Layout, files_for_check, find_project, included_paths

OPERATOR = {
    "ops/add/op_kernel/add.cpp": '#include "kernel_operator.h"\n#include "add_base.h"\n// #include "gone.h"\n',
    "ops/add/op_kernel/add_base.h": '#include "deep/more.h"\n',
    "ops/add/op_kernel/deep/more.h": '#include "../add_base.h"\n',
    "ops/add/op_kernel/lonely.h": "",
    "ops/add/op_host/add.cpp": '#include "add_tiling.h"\n#include "../../common/shared.h"\n',
    "ops/add/op_host/add_tiling.h": "",
    "ops/add/api_desc.md": "",
    "ops/add/add.json": "[]",
    "ops/add/CMakePresets.json": "{}",
    "ops/common/shared.h": "",
    "ops/mul/op_kernel/mul.cpp": "",
}
LIBRARY = {
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nascendc_library(kernels STATIC\n  add_custom.cpp ${CMAKE_CURRENT_SOURCE_DIR}/mul_custom.cpp\n)\nadd_executable(main main.cpp)\n",
    "add_custom.cpp": '#include "custom_tiling.h"\n',
    "mul_custom.cpp": "",
    "main.cpp": "",
    "custom_tiling.h": "",
}


def test_an_operator_project() -> None:
    project = find_project("ops/add/op_kernel/deep/more.h", OPERATOR, OPERATOR.get)
    assert (project.layout, project.root) == (Layout.OPERATOR, "ops/add")
    assert project.kernels == (
        "ops/add/op_kernel/add.cpp",
        "ops/add/op_kernel/add_base.h",
        "ops/add/op_kernel/deep/more.h",
        "ops/add/op_kernel/lonely.h",
    )
    assert project.hosts == ("ops/add/op_host/add.cpp", "ops/add/op_host/add_tiling.h")
    assert (project.descriptions, project.definitions) == (("ops/add/api_desc.md",), ("ops/add/add.json",))
    assert find_project("ops/add/op_host/add.cpp", OPERATOR, OPERATOR.get) == project


def test_an_operator_project_at_the_root() -> None:
    project = find_project("op_kernel/a.cpp", ["op_kernel/a.cpp", "op_host/a.cpp"], {}.get)
    assert (project.root, project.hosts) == ("", ("op_host/a.cpp",))


def test_a_check_of_a_kernel_takes_its_includes_and_its_host_side() -> None:
    (files,) = files_for_check("ops/add/op_kernel/add.cpp", OPERATOR, OPERATOR.get)
    assert files.all == (
        "ops/add/op_kernel/add.cpp",
        "ops/add/op_kernel/add_base.h",
        "ops/add/op_kernel/deep/more.h",
        "ops/add/op_host/add.cpp",
        "ops/add/op_host/add_tiling.h",
        "ops/common/shared.h",
    )


def test_a_header_is_checked_through_the_sources_that_include_it() -> None:
    (files,) = files_for_check("ops/add/op_kernel/deep/more.h", OPERATOR, OPERATOR.get)
    assert files.entry == "ops/add/op_kernel/add.cpp"
    (alone,) = files_for_check("ops/add/op_kernel/lonely.h", OPERATOR, OPERATOR.get)
    assert alone.entry == "ops/add/op_kernel/lonely.h"


def test_a_host_file_needs_no_kernel() -> None:
    (files,) = files_for_check("ops/add/op_host/add.cpp", OPERATOR, OPERATOR.get)
    assert files.all == ("ops/add/op_host/add.cpp", "ops/add/op_host/add_tiling.h", "ops/common/shared.h")


def test_a_library() -> None:
    project = find_project("add_custom.cpp", LIBRARY, LIBRARY.get)
    assert (project.layout, project.kernels, project.hosts) == (
        Layout.LIBRARY,
        ("add_custom.cpp", "custom_tiling.h", "mul_custom.cpp"),
        ("main.cpp",),
    )


def test_a_library_that_globs_its_sources() -> None:
    files = {**LIBRARY, "CMakeLists.txt": "ascendc_library(kernels SHARED ${SOURCES})"}
    assert "main.cpp" in find_project("add_custom.cpp", files, files.get).kernels


def test_a_lone_file() -> None:
    listing = {"x/hello.asc": '#include "hello.h"', "x/hello.h": "", "y/hello.h": ""}
    project = find_project("x/hello.asc", listing, listing.get)
    assert (project.layout, project.kernels) == (Layout.LONE, ("x/hello.asc",))
    (files,) = files_for_check("x/hello.asc", listing, listing.get)
    assert files.all == ("x/hello.asc", "x/hello.h")


def test_includes_never_leave_the_listing() -> None:
    text = '#include "../../../etc/passwd"\n#include "/etc/passwd"\n#include "a.h"\n'
    assert included_paths("x/k.cpp", text, {"x/k.cpp", "a.h"}) == ("a.h",)


def test_an_unreadable_file_includes_nothing() -> None:
    (files,) = files_for_check("op_kernel/a.cpp", ["op_kernel/a.cpp", "op_kernel/b.h"], lambda path: None)
    assert files.all == ("op_kernel/a.cpp",)
