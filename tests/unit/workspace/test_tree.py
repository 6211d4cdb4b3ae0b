"""Which files of a project travel: those a runner needs, none that is ignored, none through a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.workspace.operators import operator_folder, operator_of
from kernelgen_ls.workspace.tree import TreeLimits, TreeTooLargeError, find_cases, tree_of


def write(root: Path, *paths: str, **texts: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(texts.get(path, path))


def found(root: Path, entry: str = "op_kernel/a.cpp") -> list[str]:
    return list(tree_of(operator_of(root / entry)).texts)


def test_sources_headers_cmake_and_cases_travel_and_nothing_else(tmp_path: Path) -> None:
    wanted = ["CMakeLists.txt", "op_host/a.cpp", "op_host/a_tiling.h", "op_kernel/a.cpp", "validation/test_cases.csv"]
    write(tmp_path, *wanted, "a.out", "model.gguf", ".git/config.txt", "build/x.cpp", "node_modules/y.h", "secret.pem")
    assert found(tmp_path) == wanted


def test_gitignore_is_respected_in_every_folder(tmp_path: Path) -> None:
    write(tmp_path, "a.cpp", "a.gen.h", "keep.gen.h", "out/b.cpp", "sub/out/c.cpp", "sub/d.txt", "sub/deep/d.txt")
    write(tmp_path, "x/logs/1.txt", "x/y/logs/2.txt", "root_only.h", "sub/root_only.h", "data1.csv", "data2.csv")
    write(tmp_path, "op_kernel/a.cpp")
    (tmp_path / ".gitignore").write_text(
        "# generated\n*.gen.h\n!keep.gen.h\nout/\n/root_only.h\nx/**/logs\ndata[!2].csv\n[\n\n"
    )
    (tmp_path / "sub/.gitignore").write_text("/d.txt\n")
    assert found(tmp_path) == [
        "a.cpp", "data2.csv", "keep.gen.h", "op_kernel/a.cpp", "sub/deep/d.txt", "sub/root_only.h"
    ]  # fmt: skip


def test_a_gitignore_of_the_repository_holds_in_its_operators(tmp_path: Path) -> None:
    write(tmp_path, "ops/add/op_kernel/a.cpp", "ops/add/op_kernel/a.gen.h", "ops/add/notes/n.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*.gen.h\nnotes/\n")
    assert found(tmp_path / "ops/add") == ["op_kernel/a.cpp"]


def test_what_is_included_travels_though_it_is_ignored_or_lies_outside(tmp_path: Path) -> None:
    write(
        tmp_path, "common/deep/c.h", "ops/add/op_kernel/gen/a.gen.h", "ops/add/op_kernel/a.cpp",
        **{"ops/add/op_kernel/a.cpp": '#include "common/deep/c.h"\n#include "gen/a.gen.h"\n'},
    )  # fmt: skip
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("gen/\n")
    tree = tree_of(operator_of(tmp_path / "ops/add/op_kernel/a.cpp"))
    assert tree.root == tmp_path
    assert tree.entry == "ops/add/op_kernel/a.cpp"
    assert list(tree.texts) == ["common/deep/c.h", "ops/add/op_kernel/a.cpp", "ops/add/op_kernel/gen/a.gen.h"]


def test_links_out_of_the_workspace_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "secret/passwords.txt", "secret/s.h", "op/op_kernel/a.cpp", "op/shared/real.h")
    (tmp_path / "op/linked.txt").symlink_to(tmp_path / "secret/passwords.txt")
    (tmp_path / "op/folder").symlink_to(tmp_path / "secret")
    (tmp_path / "op/op_kernel/inside.h").symlink_to("../shared/real.h")
    (tmp_path / "op/op_kernel/a.cpp").write_text('#include "../folder/s.h"\n')
    assert found(tmp_path / "op") == ["op_kernel/a.cpp", "op_kernel/inside.h", "shared/real.h"]


def test_too_much_is_refused_with_advice(tmp_path: Path) -> None:
    write(tmp_path, *(f"{n}.h" for n in range(20)), "op_kernel/a.cpp")
    operator = operator_of(tmp_path / "op_kernel/a.cpp")
    with pytest.raises(TreeTooLargeError, match="gitignore"):
        tree_of(operator, TreeLimits(files=10))
    with pytest.raises(TreeTooLargeError):
        tree_of(operator, TreeLimits(total_bytes=20))


def test_the_operators_folder_is_found_from_any_file(tmp_path: Path) -> None:
    assert operator_folder(tmp_path / "ops/add/op_kernel/add.cpp") == tmp_path / "ops/add"
    assert operator_folder(tmp_path / "ops/add/op_kernel/arch35/add.h") == tmp_path / "ops/add"
    assert operator_folder(tmp_path / "lone.cpp") == tmp_path


@pytest.mark.parametrize(
    ("paths", "cases"),
    [
        (("op_kernel/add.cpp", "cases.py", "tests/add_cases.py"), "tests/add_cases.py"),
        (("tests/cases.py",), "tests/cases.py"),
        (("validation/test_cases.csv",), "validation"),
        (("add.cpp",), None),
    ],
)
def test_cases_are_found_by_their_name(paths: tuple[str, ...], cases: str | None) -> None:
    assert find_cases(dict.fromkeys(paths, ""), "add") == cases
