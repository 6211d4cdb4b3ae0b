"""Which files an operator has, seen from any of them and however a user writes its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.work.generating import specification_texts
from kernelgen_ls.workspace.discover import targets
from kernelgen_ls.workspace.files import Files
from kernelgen_ls.workspace.operators import alone, named_place, operator_at, operator_of
from kernelgen_ls.workspace.tree import tree_of

KERNEL = '#include "kernel_operator.h"\n'


def write(root: Path, **texts: str) -> None:
    for path, text in texts.items():
        place = root / path.replace("__", "/")
        place = place.with_name(place.name.replace("_dot_", "."))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def operator(root: Path) -> None:
    write(root, op_kernel__add_dot_cpp=KERNEL, op_host__add_dot_cpp="class Add : public OpDef {};\n")


@pytest.mark.parametrize(
    "written", ["../b/op_kernel/add.cpp", "../a/../b/op_kernel/add.cpp", "./../b/op_kernel/../op_kernel/add.cpp"]
)
def test_a_path_may_climb(written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    operator(tmp_path / "b")
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    (found,) = targets([written], (Path.cwd(),))
    assert found.place == tmp_path / "b/op_kernel/add.cpp"
    assert set(found.operator.needed(found.check)) == {"op_kernel/add.cpp", "op_host/add.cpp"}
    assert operator_of(named_place(written), (Path.cwd(),)).text == KERNEL
    assert operator_at(Path("../b"), (Path.cwd(),)).text == KERNEL


def test_a_linked_file_that_is_named_is_read_where_it_lies(tmp_path: Path) -> None:
    operator(tmp_path / "real")
    (tmp_path / "link.cpp").symlink_to(tmp_path / "real/op_kernel/add.cpp")
    (found,) = targets([tmp_path / "link.cpp"])
    assert set(found.operator.needed(found.check)) == {"op_kernel/add.cpp", "op_host/add.cpp"}


def test_a_folder_that_is_linked_into_the_workspace_is_read(tmp_path: Path) -> None:
    operator(tmp_path / "real")
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace/op").symlink_to(tmp_path / "real")
    found = operator_of(tmp_path / "workspace/op/op_kernel/add.cpp", (tmp_path / "workspace",))
    assert found.text == KERNEL
    assert list(found.hosts) == ["op/op_host/add.cpp"]


def test_a_header_is_checked_through_every_source_that_includes_it(tmp_path: Path) -> None:
    write(tmp_path, op_kernel__c_dot_h="#pragma once\n")
    for number in range(5):
        write(tmp_path, **{f"op_kernel__k{number}_dot_cpp": '#include "c.h"\n'})
    assert len(list(targets([tmp_path / "op_kernel/c.h"]))) == 5


def test_however_much_lies_beside_it_what_is_compiled_is_there(tmp_path: Path) -> None:
    operator(tmp_path)
    write(tmp_path, op_kernel__a__b__c__d__e__f__deep_dot_h="#pragma once\n")
    (tmp_path / "data").mkdir()
    for number in range(2_100):
        (tmp_path / "data" / f"{number}.csv").touch()
    found = operator_of(tmp_path / "op_kernel/add.cpp")
    assert list(found.hosts) == ["op_host/add.cpp"]
    assert len(tree_of(found).texts) == 2_103


def test_an_operator_in_an_ignored_folder_has_its_files_when_it_is_asked_for(tmp_path: Path) -> None:
    operator(tmp_path / "gen/add")
    write(tmp_path / "gen/add", op_kernel__add_dot_o_dot_h="", notes_dot_md="")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("gen/\n")
    (tmp_path / "gen/add/.gitignore").write_text("*.o.h\n")
    found = operator_of(tmp_path / "gen/add/op_kernel/add.cpp")
    assert sorted(found.belonging()) == ["notes.md", "op_host/add.cpp", "op_kernel/add.cpp"]


def test_an_operator_may_have_only_its_host_side_yet(tmp_path: Path) -> None:
    write(
        tmp_path,
        op_host__add_dot_cpp="class Add : public OpDef {};\n",
        api_desc_dot_md="# Add\n",
        README_dot_md="# hello\n",
    )
    by_file = operator_of(tmp_path / "op_host/add.cpp")
    assert set(by_file.belonging()) == {"op_host/add.cpp", "api_desc.md", "README.md"}
    assert specification_texts(operator_at(tmp_path), named=False)[0]["api_desc.md"] == "# Add\n"
    (tmp_path / "api_desc.md").unlink()
    texts, entry = specification_texts(operator_at(tmp_path), named=False)
    assert (sorted(texts), entry) == (["README.md", "op_host/add.cpp"], ""), "a README may describe it"
    with pytest.raises(FileNotFoundError, match="holds no operator"):
        (tmp_path / "op_host/add.cpp").unlink()
        operator_at(tmp_path)


def test_a_text_that_is_no_file_stands_alone() -> None:
    found = alone(Path("Untitled-1"), KERNEL)
    assert (found.text, found.own_entry, found.prefix) == (KERNEL, "Untitled-1.asc", "")
    assert found.belonging() == {"Untitled-1.asc": KERNEL}
    assert alone(Path("/repository/add.cpp"), KERNEL).own_entry == "add.cpp"


@pytest.mark.parametrize(
    "path", ["C:/Users/me/secret.h", "c:secret.h", "a\\b.h", "../up.h", "a/../../up.h", "/etc/passwd", "", "."]
)
def test_nothing_outside_is_a_file_of_the_workspace(path: str, tmp_path: Path) -> None:
    (tmp_path / "up.h").touch()
    (tmp_path / "w").mkdir()
    assert path not in Files(tmp_path / "w")
    assert Files(tmp_path / "w").text(path) is None


def test_the_root_may_be_the_root_of_the_disk(tmp_path: Path) -> None:
    operator(tmp_path)
    assert operator_of(tmp_path / "op_kernel/add.cpp", (Path("/"),)).text == KERNEL


def test_what_describes_an_operator_may_lie_above_its_folder(tmp_path: Path) -> None:
    operator(tmp_path / "add/answer/0")
    write(tmp_path / "add", api_desc_dot_md="# Add", validation__test_cases_dot_csv="case_id", main_dot_cpp="")
    write(tmp_path / "add/validation", module_dot_py="")
    write(tmp_path, api_desc_dot_md="# All of them")
    found = operator_of(tmp_path / "add/answer/0/op_kernel/add.cpp", (tmp_path,))
    texts = found.belonging()
    assert texts["api_desc.md"] == "# Add"
    assert {"op_kernel/add.cpp", "validation/test_cases.csv", "validation/module.py"} <= set(texts)
    assert "main.cpp" not in texts
    assert "add/answer/0/api_desc.md" in {f"add/answer/0/{path}" for path in tree_of(found).texts}
    beside = operator_of(tmp_path / "add/answer/0/op_host/add.cpp", (tmp_path,))
    assert beside.belonging().keys() == texts.keys()


@pytest.mark.parametrize(
    "other",
    [
        {"add__api_desc_dot_md": "# Its own"},
        # One that lies too far above, and one that describes an operator around this one.
        {},
        {"op_kernel__all_dot_cpp": KERNEL},
    ],
)
def test_a_description_above_is_not_that_of_an_operator_that_has_its_own_or_lies_elsewhere(
    other: dict[str, str], tmp_path: Path
) -> None:
    write(tmp_path, api_desc_dot_md="# Another", **other)
    operator(tmp_path / ("add" if other else "a/b/add"))
    found = operator_of(tmp_path / ("add" if other else "a/b/add") / "op_kernel/add.cpp", (tmp_path,))
    assert found.belonging().get("api_desc.md") == (other.get("add__api_desc_dot_md") or None)
