"""Which kernels of a workspace are offered to the model as texts to draft from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kernelgen_ls.workspace import discover

KERNEL = 'extern "C" __global__ __aicore__ void f(GM_ADDR x) {}\n'


def write(root: Path, path: str, text: str, age: int) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    os.utime(file, (1_000_000 - age, 1_000_000 - age))


def test_kernels_are_found_the_latest_at_the_end(tmp_path: Path) -> None:
    write(tmp_path, "add/op_kernel/add.cpp", KERNEL, age=1)
    write(tmp_path, "mul/op_kernel/mul.cpp", KERNEL, age=5)
    write(tmp_path, "mul/op_host/mul.cpp", "class Mul {};\n", age=0)
    write(tmp_path, "notes.md", "__aicore__", age=0)
    write(tmp_path, "build/op_kernel/copy.cpp", KERNEL, age=0)
    assert list(discover.neighbours(tmp_path)) == ["mul/op_kernel/mul.cpp", "add/op_kernel/add.cpp"]


def test_many_or_large_kernels_are_not_all_read_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        write(tmp_path, f"k{number}.asc", KERNEL, age=number)
    monkeypatch.setattr(discover, "MAX_NEIGHBOURS", 4)
    assert list(discover.neighbours(tmp_path)) == ["k3.asc", "k2.asc", "k1.asc", "k0.asc"]
    monkeypatch.setattr(discover, "MAX_NEIGHBOURS_CHARS", 2 * len(KERNEL))
    assert list(discover.neighbours(tmp_path)) == ["k1.asc", "k0.asc"]
