"""What a file is to an operator: small texts with their role, and that nobody decides it anew."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from kernelgen_ls.kernel.roles import (
    FOLDERS,
    HEADER_SUFFIXES,
    MARKS,
    MOST_CHARACTERS,
    SOURCE_SUFFIXES,
    Role,
    role_of,
    says_host,
)

PACKAGE = Path(__file__).parents[3] / "kernelgen_ls"

ENTRY = 'extern "C" __global__ __aicore__ void add(GM_ADDR x)\n{\n}\n'
OPDEF = '#include "register/op_def_registry.h"\nnamespace ops {\nclass Add : public OpDef {\n};\nOP_ADD(Add);\n}\n'
TILING = '#include "register/tilingdata_base.h"\nBEGIN_TILING_DATA_DEF(AddTilingData)\nEND_TILING_DATA_DEF;\n'
COMMENT = "// op: Add\n// formula: z = x + y\n"
PLAIN = "#include <vector>\nint main() { return 0; }\n"

CASES: list[tuple[str, str, Role]] = [
    # What a text says, wherever it lies.
    ("add.cpp", ENTRY, Role.KERNEL),
    ("add.cpp", '#include "kernel_operator.h"\nint x;', Role.KERNEL),
    ("add.cpp", "#  include <kernel_tpipe_impl.h>\nint x;", Role.KERNEL),
    ("add.h", '#include "basic_api/kernel_tensor.h"\nint x;', Role.KERNEL),
    ("add.h", '#include "c_api/asc_simd.h"\nint x;', Role.KERNEL),
    ("add.h", '#include "simt_api/asc_simt.h"\nint x;', Role.KERNEL),
    ("add.h", "__aicore__ inline void f() {}", Role.KERNEL),
    ("add.h", "[host, aicore] void f() {}", Role.KERNEL),
    ("add.h", "[aicore ] void f() {}", Role.KERNEL),
    ("add.h", "GET_TILING_DATA(data, tiling);", Role.KERNEL),
    ("", ENTRY, Role.KERNEL),
    ("add.cpp", PLAIN, Role.OTHER),
    ("add.cu", "__global__ void cuda_kernel(float *x) {}", Role.OTHER),
    ("add.cpp", "// __aicore__ is a word\nint x;", Role.OTHER),
    ("add.cpp", 'auto s = "__aicore__";', Role.OTHER),
    ("add.cpp", OPDEF, Role.HOST),
    ("add.cpp", "class Add : OpDef {\n};\n", Role.HOST),
    ("tiling.cpp", '#include "exe_graph/runtime/tiling_context.h"\nint x;', Role.HOST),
    ("tiling.cpp", '#include "tiling/platform/platform_ascendc.h"\nint x;', Role.HOST),
    ("add_tiling.h", TILING, Role.TILING),
    ("add_tiling.h", "REGISTER_TILING_DATA_CLASS(Add, AddTilingData)", Role.TILING),
    ("add_tiling.h", '#include "tiling/tiling_api.h"\n' + TILING, Role.TILING),
    ("add.cpp", TILING + OPDEF, Role.HOST),
    ("", "", Role.OTHER),
    # A kernel of the templates' kind has no mark but the types of its tensors.
    ("add.h", "template <typename T> void Add(AscendC::LocalTensor<T> &x) {}", Role.KERNEL),
    # Host code calls AscendC's namespace too, for the sizes of temporary buffers.
    ("op_host/add.cpp", "auto size = AscendC::GetSoftMaxMinTmpSize(shape, 2, true);", Role.HOST),
    ("sizes.cpp", "auto size = AscendC::GetSoftMaxMinTmpSize(shape, 2, true);", Role.OTHER),
    # Another project's words: a protocol's message, an interpreter's opcode, a folder called tiling.
    (
        "graph.cc",
        "#include <string>\nconst OpDef &op = registry.Find(name);\nclass A : public OpDefBuilder {};",
        Role.OTHER,
    ),
    ("interpreter.c", "switch (op) { case OP_ADD: push(a + b); }\n#define BINARY_OP_ADD(x) x", Role.OTHER),
    ("image.cpp", '#include "tiling/grid.h"\nint x;', Role.OTHER),
    # Where a file lies decides what its text does not say: all of op_kernel is the device's, all of op_host the host's.
    ("op_kernel/add_tiling.h", "struct AddTilingData { uint32_t length; };", Role.KERNEL),
    ("/home/me/add/op_kernel/arch35/add.h", "constexpr int N = 3;", Role.KERNEL),
    ("C:\\add\\op_kernel\\add.cpp", "int x;", Role.KERNEL),
    ("op_host/add.cpp", '#include "add_tiling.h"\nint x;', Role.HOST),
    ("op_host/add.cpp", "", Role.HOST),
    ("op_host/op_kernel/add.cpp", "int x;", Role.KERNEL),
    ("op_kernel/op_host/add.cpp", "int x;", Role.HOST),
    ("op_kernel.cpp", "int x;", Role.OTHER),
    ("op_kernel/CMakeLists.txt", "add_ops_compile_options(ALL)", Role.OTHER),
    ("op_host/config.json", "{}", Role.OTHER),
    # A header of both sides defines the qualifier away; what can be launched is a kernel even there.
    ("op_host/common.h", "#define __aicore__\n__aicore__ inline int Up(int x) { return x; }", Role.HOST),
    ("op_host/add.cpp", ENTRY, Role.KERNEL),
    ("op_host/add.cpp", '#include "kernel_operator.h"\nint x;', Role.KERNEL),
    ("op_host/add.cpp", "// calls the __global__ function, see kernel_operator.h\nclass Add : OpDef {\n};", Role.HOST),
    # What the device's compiler cannot read is not the device's.
    ("op_kernel/add_tiling.h", TILING, Role.TILING),
    # Everything in one file is compiled as a kernel.
    ("add.cpp", TILING + OPDEF + ENTRY, Role.KERNEL),
    # A comment in a place where kernels live is a specification.
    ("op_kernel/add.cpp", COMMENT, Role.SPECIFICATION),
    ("op_kernel/add.cpp", "", Role.SPECIFICATION),
    ("add.cce", COMMENT, Role.SPECIFICATION),
    ("add.cpp", '#include "kernel_operator.h"\n' + COMMENT, Role.SPECIFICATION),
    ("add.cpp", COMMENT, Role.OTHER),
    ("op_kernel/add.cpp", "/" * 100_000, Role.KERNEL),
    # Names alone: .cce is nothing else; an .asc file may be AsciiDoc or a key.
    ("add.cce", "int x;", Role.KERNEL),
    ("ADD.CCE", "int x;", Role.KERNEL),
    ("add.asc", ENTRY, Role.KERNEL),
    ("add.asc", "__global__ void add(float *x) {}", Role.KERNEL),
    ("add.asc", '#include "tiling/platform/platform_ascendc.h"\n__global__ void add(float *x) {}', Role.KERNEL),
    ("page.asc", "= A title\n\n// __global__\nText.\n", Role.OTHER),
    ("add.asc", "", Role.SPECIFICATION),
    ("key.asc", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQINBF", Role.OTHER),
    ("page.asc", "= A title\n\nText.\n", Role.OTHER),
    # What tries kernels out on the host is none.
    ("tests/ut/op_kernel/test_add.cpp", f"#include <gtest/gtest.h>\n{ENTRY}", Role.OTHER),
    ("tests/ut/op_kernel/test_add.cpp", '#include "gtest/gtest.h"\nTEST(Add, one) {}', Role.OTHER),
    ("tests/ut/op_host/test_add.cpp", f'#include "gtest/gtest.h"\n{OPDEF}', Role.OTHER),
    (
        "op_kernel/main.cpp",
        '#include "tikicpulib.h"\nextern "C" __global__ __aicore__ void add(GM_ADDR x);\nint main() {}',
        Role.OTHER,
    ),
    ("op_kernel/add.cpp", f'#include "tikicpulib.h"\n{ENTRY}', Role.KERNEL),
    # A page that shows code is no code.
    ("README.md", f"# Add\n```cpp\n{ENTRY}{OPDEF}```\n", Role.OTHER),
    ("op_host/cases.py", "HOST = '''class Add : public OpDef {};'''", Role.OTHER),
]


@pytest.mark.parametrize(("path", "text", "role"), CASES)
def test_a_files_role(path: str, text: str, role: Role) -> None:
    assert role_of(path, text) is role


@pytest.mark.parametrize(
    ("path", "text", "language", "role"),
    [
        ("untitled:Untitled-1", "int x;", "ascendc", Role.KERNEL),
        ("untitled:Untitled-1", COMMENT, "ascendc", Role.SPECIFICATION),
        ("notes.txt", ENTRY, "cpp", Role.KERNEL),
        ("add.asc", "class KernelAdd {", "cpp", Role.KERNEL),
        ("add.asc", "", "cpp", Role.SPECIFICATION),
        ("add.asc", "class KernelAdd {", "asciidoc", Role.OTHER),
        ("add.asc", "", "asciidoc", Role.OTHER),
        ("add.cpp", PLAIN, "cpp", Role.OTHER),
    ],
)
def test_what_an_editor_calls_the_language(path: str, text: str, language: str, role: Role) -> None:
    assert role_of(path, text, language) is role


@pytest.mark.parametrize(("path", "text", "role"), CASES)
def test_an_editor_starts_the_server_for_all_that_is_its_business(path: str, text: str, role: Role) -> None:
    """What no mark, folder or suffix tells an editor has a role only by the language that it gave the file itself."""
    placed = path.lower().endswith((".cce", ".asc")) or any(
        name in path.replace("\\", "/").split("/") for name in FOLDERS
    )
    assert role is Role.OTHER or placed or any(mark in text for mark in MARKS)


def test_a_very_long_text_is_told_by_a_word() -> None:
    long = "int a;\n" * (MOST_CHARACTERS // 7 + 1)
    assert role_of("op_kernel/add.cpp", long) is Role.OTHER
    assert role_of("add.cpp", long + ENTRY) is Role.KERNEL
    assert role_of("add.cpp", long + OPDEF) is Role.OTHER


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("op_host/anything.h", "constexpr int N = 3;", True),
        ("add.cpp", TILING + ENTRY, True),
        ("add.cpp", OPDEF, True),
        ("op_kernel/add.cpp", ENTRY, False),
        ("README.md", OPDEF, False),
        ("main.cpp", PLAIN, False),
    ],
)
def test_what_can_say_something_of_the_host_side(path: str, text: str, says: bool) -> None:
    assert says_host(path, text) is says


@pytest.mark.parametrize(
    "text", ["\0" * 1000, "\ud800 __aicore__", "/*" * 10_000, '"' * 10_000 + "aicore]", "#" * 10_000]
)
def test_odd_texts_have_a_role(text: str) -> None:
    assert role_of("add.cpp", text) in Role


SUFFIXES = {*SOURCE_SUFFIXES, *HEADER_SUFFIXES}


def test_nobody_lists_the_suffixes_anew() -> None:
    """The suffixes of sources and headers, and the folders of an operator, stand in one place."""
    offenders = {
        f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        if path != PACKAGE / "kernel/roles.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Tuple, ast.List, ast.Set))
        if len({item.value for item in node.elts if isinstance(item, ast.Constant)} & SUFFIXES) >= 2
    }
    allowed = {
        # The samples that msopgen writes, which are of these two kinds.
        "runner/toolchains/cann/msopgen.py",
        # The editor's watch is for what a check reads, JSON too.
        "lsp/following/watch.py",
    }
    assert {place for place in offenders if place.split(":")[0] not in allowed} == set()
