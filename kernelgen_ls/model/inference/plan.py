"""How a model is loaded on this machine: context, threads, GPU layers, chunk, memory layout."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from kernelgen_ls.model.gguf_file import GgufError, GgufFile
from kernelgen_ls.model.messages import LoadRequest

CPU_CHUNK = 256
"""The fastest on two AVX2 cores: 64, 128, 256 and 512 tokens at a time read 99, 109, 114 and 105 a second (0.6B)."""
GPU_CHUNK = 512
_CONTEXTS = (16384, 12288, 8192, 6144, 4096, 2048, 1024)
_OVERHEAD = 192 << 20
"""Bytes for compute buffers and the worker itself."""
_REPACKED = frozenset({"Q4_0", "IQ4_NL"})
"""Only these gain from llama.cpp's repacking; K-quants read their prompts slower and take twice the memory for it."""
_CPU_SHARE = 0.85
"""Share of the free memory that may be taken."""


@frozen
class LoadPlan:
    """What the backend is told. ``cells`` is the whole context, tokens, shared by ``sequences``."""

    path: Path
    cells: int
    sequences: int
    chunk: int
    threads: int
    gpu_layers: int
    repack: bool
    exact: bool = False


def plan_load(request: LoadRequest, file: GgufFile, *, cores: int, free: int, offload: bool) -> LoadPlan:
    """The best plan for a file on a machine with ``cores`` and ``free`` bytes (0: unknown).

    Raises :class:`GgufError` where the model does not fit.
    """
    gpu_layers = (file.layers + 1 if request.gpu_layers < 0 else request.gpu_layers) if offload else 0
    repack = file.quantisation in _REPACKED
    weights = sum(part.stat().st_size for part in file.parts)
    # Repacked weights are a copy beside the mapped file; with all layers on a GPU the memory is not this machine's.
    needed = 0 if gpu_layers > file.layers else weights * (2 if repack else 1) + _OVERHEAD
    room = int(free * _CPU_SHARE) - request.reserve - needed
    if free and room < 0:
        raise GgufError(
            f"{file.path.name} needs {_gib(needed)} of memory and {_gib(free)} are free: close other programs or "
            "choose a smaller model"
        )
    chunk = request.chunk or (GPU_CHUNK if gpu_layers else CPU_CHUNK)
    return LoadPlan(
        path=file.path,
        cells=_cells(request, file, room if free and needed else 0),
        sequences=max(2, min(request.sequences, 64)),
        chunk=max(8, min(chunk, 2048)),
        threads=request.threads or cores,
        gpu_layers=gpu_layers,
        repack=repack,
        exact=request.exact,
    )


def _cells(request: LoadRequest, file: GgufFile, room: int) -> int:
    trained = file.context
    if request.context:
        cells = min(request.context, trained)
        if room and cells * file.cell_bytes > room:
            raise GgufError(
                f"a context of {cells} tokens of {file.path.name} needs {_gib(cells * file.cell_bytes)} of memory and "
                f"{_gib(room)} are left: lower the model's context setting"
            )
        return cells
    usual = [cells for cells in _CONTEXTS if cells <= trained] or [trained]
    if not room:
        return usual[0]
    # Half of what is left, so that the editor and the compiler keep the other half.
    fitting = [cells for cells in usual if cells * file.cell_bytes <= room // 2]
    if fitting:
        return fitting[0]
    if usual[-1] * file.cell_bytes <= room:
        return usual[-1]
    raise GgufError(
        f"{file.path.name} fits into memory, its context does not ({_gib(room)} are left): close other programs or "
        "choose a smaller model"
    )


def _gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB"
