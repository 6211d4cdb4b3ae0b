"""Which files of a project travel: those a runner needs, none that is ignored, none through a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.runner.jobs.tree import TreeLimits
from kernelgen_ls.workspace.collect import TreeTooLargeError, collect, project_root


def write(root: Path, *paths: str, **texts: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(texts.get(path, path))


def found(root: Path) -> list[str]:
    return [file.path for file in collect(root)]


def test_sources_headers_cmake_and_cases_travel_and_nothing_else(tmp_path: Path) -> None:
    wanted = ["CMakeLists.txt", "op_host/a.cpp", "op_host/a_tiling.h", "op_kernel/a.cpp", "validation/test_cases.csv"]
    write(tmp_path, *wanted, "a.out", "model.gguf", ".git/config.txt", "build/x.cpp", "node_modules/y.h", "secret.pem")
    assert found(tmp_path) == wanted


def test_gitignore_is_respected_in_every_folder(tmp_path: Path) -> None:
    write(tmp_path, "a.cpp", "a.gen.h", "keep.gen.h", "out/b.cpp", "sub/out/c.cpp", "sub/d.txt", "sub/deep/d.txt")
    write(tmp_path, "x/logs/1.txt", "x/y/logs/2.txt", "root_only.h", "sub/root_only.h", "data1.csv", "data2.csv")
    (tmp_path / ".gitignore").write_text(
        "# generated\n*.gen.h\n!keep.gen.h\nout/\n/root_only.h\nx/**/logs\ndata[!2].csv\n[\n\n"
    )
    (tmp_path / "sub/.gitignore").write_text("/d.txt\n")
    assert found(tmp_path) == ["a.cpp", "data2.csv", "keep.gen.h", "sub/deep/d.txt", "sub/root_only.h"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "secret/passwords.txt", "op/a.cpp")
    (tmp_path / "op/linked.txt").symlink_to(tmp_path / "secret/passwords.txt")
    (tmp_path / "op/folder").symlink_to(tmp_path / "secret")
    assert found(tmp_path / "op") == ["a.cpp"]


def test_too_much_is_refused_with_advice(tmp_path: Path) -> None:
    write(tmp_path, *(f"{n}.h" for n in range(20)))
    with pytest.raises(TreeTooLargeError, match="gitignore"):
        collect(tmp_path, TreeLimits(files=10))
    with pytest.raises(TreeTooLargeError):
        collect(tmp_path, TreeLimits(total_bytes=20))


def test_the_operators_folder_is_the_root(tmp_path: Path) -> None:
    write(tmp_path, "ops/add/op_kernel/add.cpp", "lone.cpp")
    assert project_root(tmp_path / "ops/add/op_kernel/add.cpp") == tmp_path / "ops/add"
    assert project_root(tmp_path / "lone.cpp") == tmp_path
