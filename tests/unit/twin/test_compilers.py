"""Which C++ compiler the twin takes, from programs that stand for compilers on a search path of their own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kernelgen_ls.runner.toolchains import UnavailableError
from kernelgen_ls.runner.toolchains.twin import compilers
from kernelgen_ls.runner.toolchains.twin.compilers import Family, find_compiler


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the search path; no $CXX, no compiler from a package."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(compilers.importlib.util, "find_spec", lambda name: None)
    return tmp_path


def compiler(folder: Path, name: str, says: str, refuses: str = "") -> None:
    """A program that says its version and compiles everything, but with the option ``refuses``."""
    body = f"""#!{sys.executable}
import sys
if "--version" in sys.argv:
    print({says!r})
elif {refuses!r} and {refuses!r} in sys.argv:
    sys.exit("error: {refuses} is not known")
"""
    program = folder / name
    program.write_text(body)
    program.chmod(0o755)


def test_the_one_that_cxx_names_comes_first(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler(programs, "c++", "c++ (GCC) 12.2")
    compiler(programs, "mine", "clang version 18")
    assert find_compiler().family is Family.GCC
    monkeypatch.setenv("CXX", "mine --flag")
    found = find_compiler()
    assert (found.command, found.family) == ((str(programs / "mine"), "--flag"), Family.CLANG)


def test_one_that_knows_no_half_is_passed_over(programs: Path) -> None:
    compiler(programs, "c++", "c++ (GCC) 11.4", refuses="-std=c++17")
    compiler(programs, "g++-12", "g++-12 (GCC) 12.2")
    assert find_compiler().version == "g++-12 (GCC) 12.2"


def test_one_that_cannot_ask_the_processor_is_taken_without(programs: Path) -> None:
    compiler(programs, "c++", "clang version 15", refuses="-march=native")
    assert find_compiler().flags == ()


def test_none_says_what_to_install_and_why_what_is_there_does_not_do(programs: Path) -> None:
    compiler(programs, "c++", "c++ (GCC) 11.4", refuses="-std=c++17")
    with pytest.raises(UnavailableError, match=r"c\+\+: error: -std.*g\+\+ 12.*kernelgen-ls\[twin\]"):
        find_compiler()


@pytest.mark.parametrize(("system", "where"), [("win32", "inside WSL"), ("darwin", "in a Linux container")])
def test_a_system_that_cannot_isolate_a_kernel_says_where_it_runs(
    programs: Path, monkeypatch: pytest.MonkeyPatch, system: str, where: str
) -> None:
    compiler(programs, "c++", "c++ (GCC) 12.2")
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(UnavailableError, match=f"the twin runs on Linux: .*{where}"):
        find_compiler()
