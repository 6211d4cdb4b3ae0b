"""How a model is loaded follows from the file and the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.model.gguf_file import GgufError, GgufFile, TensorInfo
from kernelgen_ls.model.inference.plan import LoadPlan, plan_load
from kernelgen_ls.model.messages import LoadRequest

GIB = 1 << 30


def plan(tmp_path: Path, kind: str = "Q4_K", free: int = 16 * GIB, offload: bool = False, **wanted: object) -> LoadPlan:
    path = tmp_path / "m.gguf"
    with path.open("wb") as file:
        file.truncate(2 * GIB)
    metadata = {
        "general.architecture": "qwen3",
        "qwen3.block_count": 36,
        "qwen3.context_length": 40960,
        "qwen3.embedding_length": 2560,
        "qwen3.attention.head_count": 32,
        "qwen3.attention.head_count_kv": 8,
        "qwen3.attention.key_length": 128,
        "qwen3.attention.value_length": 128,
    }
    tensors = (TensorInfo("token_embd.weight", (2560, 1), kind, 0, 2 * GIB),)
    file = GgufFile(path, 2 * GIB, 3, metadata, {}, tensors, 0)
    return plan_load(LoadRequest(str(path), **wanted), file, cores=6, free=free, offload=offload)


def test_repacking_only_where_it_gains(tmp_path: Path) -> None:
    assert not plan(tmp_path, "Q4_K").repack
    assert plan(tmp_path, "Q4_0").repack


def test_threads_are_the_cores_unless_said(tmp_path: Path) -> None:
    assert plan(tmp_path).threads == 6
    assert plan(tmp_path, threads=2).threads == 2


def test_gpu_layers(tmp_path: Path) -> None:
    assert plan(tmp_path).gpu_layers == 0
    assert plan(tmp_path, offload=True).gpu_layers == 37
    assert plan(tmp_path, offload=True, gpu_layers=5).gpu_layers == 5
    assert plan(tmp_path, gpu_layers=5).gpu_layers == 0


def test_a_gpu_takes_larger_chunks(tmp_path: Path) -> None:
    assert plan(tmp_path).chunk < plan(tmp_path, offload=True).chunk


def test_the_context_follows_the_memory(tmp_path: Path) -> None:
    sizes = [plan(tmp_path, free=free * GIB).cells for free in (32, 8, 4, 3)]
    assert sizes[0] == 16384
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] < sizes[0]
    assert plan(tmp_path, free=0).cells == 16384
    assert plan(tmp_path, context=5000).cells == 5000
    assert plan(tmp_path, context=99999, free=64 * GIB).cells == 40960


def test_too_little_memory_is_refused_with_numbers(tmp_path: Path) -> None:
    with pytest.raises(GgufError, match=r"needs 2\.2 GiB.*1\.0 GiB are free"):
        plan(tmp_path, free=1 * GIB)
    with pytest.raises(GgufError, match="lower the model's context setting"):
        plan(tmp_path, free=4 * GIB, context=40960)
    with pytest.raises(GgufError, match="free"):
        plan(tmp_path, free=4 * GIB, reserve=3 * GIB)
