"""``bench engine``: our worker's prefill and decode rates beside llama.cpp's own loop, same file, same run.

The other side is a second process with llama-cpp-python's low-level calls and nothing of ours: one ``llama_decode``
for a prompt, one for each token, the greedy choice by NumPy; the same threads, the same environment for libgomp. The
two take turns, so that whatever else the machine does hits both. What is printed is each side's median and the median
of the pairs' ratios; beside them the ratio of processor time for a token, which a busy machine does not distort. Where
a ``llama-bench`` of llama.cpp is on PATH its figures stand beside them.
"""

from __future__ import annotations

import asyncio
import ctypes
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
from attrs import asdict, field, frozen

from kernelgen_ls.bench.processes import cpu_seconds
from kernelgen_ls.folders import cache_folder, write_json
from kernelgen_ls.model.engine.choice import SPIN, ModelChoice, worker_environment
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.machine import physical_cores
from kernelgen_ls.model.messages import CompleteRequest, EngineState, Segment, StopRules
from kernelgen_ls.rpc import Call, Child, serve_stdio, spawn

_STOP = StopRules(max_lines=10_000)
_LINE = "    DataCopy(yGm[{number} * this->tileLength], yLocal{number}, this->tileLength);\n"


@frozen
class Series:
    """One side: rates in tokens/s, one for each repetition, and processor seconds for a token over all of them."""

    prefill: list[float] = field(factory=list)
    decode: list[float] = field(factory=list)
    prefill_cpu: list[float] = field(factory=list)
    decode_cpu: list[float] = field(factory=list)


@frozen
class EngineReport:
    """What is printed. Ratios are ours over llama.cpp's: the median over the pairs of neighbouring runs."""

    model: str
    threads: int
    prompt_tokens: int
    decoded_tokens: int
    ours: Series
    bare: Series
    prefill_ratio: float
    decode_ratio: float
    prefill_cpu_ratio: float
    """llama.cpp's processor time for a token over ours; 0 where the system does not say."""
    decode_cpu_ratio: float
    llama_bench: str = ""


# -- llama.cpp's own loop, in its own process


class Bare:
    """llama.cpp with as little Python as there can be."""

    def __init__(self, path: str, threads: int, repack: bool) -> None:
        import llama_cpp

        self._lib = llama_cpp
        llama_cpp.llama_backend_init()
        model_parameters = llama_cpp.llama_model_default_params()
        model_parameters.n_gpu_layers = 0
        model_parameters.use_extra_bufts = repack
        self._model = llama_cpp.llama_model_load_from_file(path.encode(), model_parameters)
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = 4096
        parameters.n_threads = parameters.n_threads_batch = threads
        self._context = llama_cpp.llama_init_from_model(self._model, parameters)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._size = llama_cpp.llama_vocab_n_tokens(self._vocab)

    def tokens(self, text: str) -> list[int]:
        """Token ids."""
        raw = text.encode()
        buffer = (ctypes.c_int32 * (len(raw) + 8))()
        count = self._lib.llama_tokenize(self._vocab, raw, len(raw), buffer, len(buffer), False, False)
        return list(buffer[:count])

    def prefill(self, text: str) -> tuple[int, float]:
        """Tokens and seconds of one prompt in one call."""
        tokens = self.tokens(text)
        self._lib.llama_memory_clear(self._memory, True)
        array = (ctypes.c_int32 * len(tokens))(*tokens)
        start = time.perf_counter()
        self._lib.llama_decode(self._context, self._lib.llama_batch_get_one(array, len(tokens)))
        self._choose()
        return len(tokens), time.perf_counter() - start

    def decode(self, count: int) -> tuple[int, float]:
        """Tokens and seconds of ``count`` single-token steps after the last prompt."""
        token = self._choose()
        array = (ctypes.c_int32 * 1)()
        start = time.perf_counter()
        for _ in range(count):
            array[0] = token
            self._lib.llama_decode(self._context, self._lib.llama_batch_get_one(array, 1))
            token = self._choose()
        return count, time.perf_counter() - start

    def _choose(self) -> int:
        import numpy as np

        row = self._lib.llama_get_logits_ith(self._context, -1)
        return int(np.ctypeslib.as_array(row, shape=(self._size,)).argmax())


def serve_bare() -> None:
    """Be the other side: the methods ``load``, ``prefill`` and ``decode`` over the RPC."""
    loaded: list[Bare] = []

    async def load(call: Call) -> object:
        loaded.append(Bare(call.params["path"], call.params["threads"], call.params["repack"]))
        return None

    async def prefill(call: Call) -> object:
        return await asyncio.to_thread(loaded[0].prefill, call.params["text"])

    async def decode(call: Call) -> object:
        return await asyncio.to_thread(loaded[0].decode, call.params["count"])

    asyncio.run(serve_stdio({"load": load, "prefill": prefill, "decode": decode}))


# -- our side


@frozen
class _Sample:
    """Tokens of one run, the seconds they took, and the processor seconds of the process that ran them."""

    tokens: int
    seconds: float
    cpu: float


async def _ours(engine: LocalEngine, text: str, count: int) -> _Sample:
    """Our worker reads ``text`` (``count`` 0) or goes on with it for ``count`` tokens."""
    await engine.forget("bench")
    if count:
        await engine.complete(_request(text, 1))
    assert engine.pid is not None
    before = cpu_seconds(engine.pid)
    timings = (await engine.complete(_request(text, count + 1))).timings
    cpu = cpu_seconds(engine.pid) - before
    if not count:
        return _Sample(timings.evaluated, (timings.first_ms - timings.queue_ms) / 1000, cpu)
    # The prompt's last token was evaluated once more, for its logits.
    return _Sample(timings.generated - 1, timings.decode_ms / 1000, cpu * (1 - 1 / timings.evaluated))


def _request(text: str, tokens: int) -> CompleteRequest:
    return CompleteRequest("bench", (Segment(text),), stop=_STOP, max_tokens=tokens, heal=False, draft=False)


async def _theirs(child: Child, text: str, count: int) -> _Sample:
    """llama.cpp's loop does the same."""
    if count:
        await child.connection.call("prefill", {"text": text})
    before = cpu_seconds(child.pid)
    method, params = ("decode", {"count": count}) if count else ("prefill", {"text": text})
    tokens, seconds = await child.connection.call(method, params)
    return _Sample(int(tokens), float(seconds), cpu_seconds(child.pid) - before)


async def measure(
    path: Path,
    *,
    threads: int,
    prompt: int,
    count: int,
    repetitions: int,
    spin: int | None,
    repack: bool,
    on_turn: Callable[[int], None] = lambda turn: None,
) -> EngineReport:
    """Both sides in turn, ``repetitions`` times each."""
    engine = LocalEngine()
    other: Child | None = None
    try:
        choice = ModelChoice(path, threads=threads, context=4096, spin=spin)
        await engine.start(choice)
        if engine.status.state not in {EngineState.READY, EngineState.BUSY, EngineState.SLOW}:
            raise click.ClickException(engine.status.detail)
        other = await spawn([sys.executable, "-m", "kernelgen_ls.bench.engine"], env=worker_environment(choice))
        await other.connection.call("load", {"path": str(path), "threads": threads, "repack": repack})
        ours, bare = Series(), Series()
        tokens = len((await engine.tokenize((Segment(_text(prompt, 0)),))).tokens)
        # The first turn of each pages the weights in and does not count.
        for turn in range(-1, repetitions):
            on_turn(turn)
            text = _text(prompt, turn)
            read_ours, read_bare = await _ours(engine, text, 0), await _theirs(other, text, 0)
            write_ours, write_bare = await _ours(engine, text, count), await _theirs(other, text, count)
            if turn >= 0 and min(write_ours.tokens, write_bare.tokens) > 0:
                for series, read, write in ((ours, read_ours, write_ours), (bare, read_bare, write_bare)):
                    series.prefill.append(read.tokens / read.seconds)
                    series.decode.append(write.tokens / write.seconds)
                    series.prefill_cpu.append(read.cpu / read.tokens)
                    series.decode_cpu.append(write.cpu / write.tokens)
        return EngineReport(
            path.name, threads, tokens, count, ours, bare, _ratio(ours.prefill, bare.prefill),
            _ratio(ours.decode, bare.decode),
            _total_ratio(bare.prefill_cpu, ours.prefill_cpu),
            _total_ratio(bare.decode_cpu, ours.decode_cpu),
        )  # fmt: skip
    finally:
        await engine.close()
        if other is not None:
            await other.stop()


def _text(tokens: int, turn: int) -> str:
    """Kernel text of about ``tokens`` tokens that no other turn has the beginning of."""
    lines = [f"// turn {turn}\n"]
    while len(lines) * 25 < tokens:
        lines.append(_LINE.format(number=len(lines)))
    return "".join(lines)


def _ratio(ours: list[float], bare: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(ours, bare, strict=True) if b)


def _total_ratio(bare: list[float], ours: list[float]) -> float:
    return sum(bare) / sum(ours) if sum(ours) else 0.0


def _llama_bench(path: Path, threads: int, prompt: int, count: int) -> str:
    program = shutil.which("llama-bench")
    if program is None:
        return ""
    argv = [program, "-m", str(path), "-t", str(threads), "-p", str(prompt), "-n", str(count), "-o", "jsonl"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=900, check=False)
    return done.stdout.strip()


def _show(report: EngineReport) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{report.model}, {report.threads} threads", box=None)
    for heading in ("tokens/s", "llama.cpp's loop", "our worker", "ratio", "by processor time"):
        table.add_column(heading, justify="right")
    rows = (
        (f"prefill of {report.prompt_tokens}", report.ours.prefill, report.bare.prefill),
        (f"decode of {report.decoded_tokens}", report.ours.decode, report.bare.decode),
    )
    ratios = ((report.prefill_ratio, report.prefill_cpu_ratio), (report.decode_ratio, report.decode_cpu_ratio))
    for (name, ours, bare), (ratio, cpu) in zip(rows, ratios, strict=True):
        table.add_row(
            name, f"{statistics.median(bare):.1f}", f"{statistics.median(ours):.1f}", f"{ratio:.3f}", f"{cpu:.3f}"
        )
    console = Console()
    console.print(table)
    if report.llama_bench:
        console.print(report.llama_bench)


@click.command()
@click.option("--model", type=click.Path(exists=True, path_type=Path), help="A GGUF file.")
@click.option("--shape", type=click.Choice(["tiny", "0.6b", "1.7b", "4b"]), default="0.6b", help="Without --model.")
@click.option("--quant", type=click.Choice(["q4_k_m", "q4_0"]), default="q4_k_m", help="Without --model.")
@click.option("--threads", default=0, help="0: the physical cores.")
@click.option("--prompt", default=512, show_default=True, help="Prompt tokens, about.")
@click.option("--count", default=48, show_default=True, help="Tokens to decode.")
@click.option("--repetitions", default=5, show_default=True)
@click.option("--spin", default=SPIN, show_default=True, help="Our worker's spin count; -1: libgomp's own.")
@click.option("--bare-repack/--no-bare-repack", default=False, help="llama.cpp's default of repacking, for the loop.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
def engine(
    model: Path | None,
    shape: str,
    quant: str,
    threads: int,
    prompt: int,
    count: int,
    repetitions: int,
    spin: int,
    bare_repack: bool,
    output: Path | None,
) -> None:
    """Our worker against llama.cpp's own loop."""
    from attrs import evolve

    path = model or random_model(shape, quant)
    report = asyncio.run(
        measure(
            path,
            threads=threads or physical_cores(),
            prompt=prompt,
            count=count,
            repetitions=repetitions,
            spin=spin if spin >= 0 else None,
            repack=bare_repack,
            on_turn=lambda turn: click.echo(f"turn {turn + 1} of {repetitions}", err=True),
        )
    )
    report = evolve(report, llama_bench=_llama_bench(path, report.threads, prompt, count))
    _show(report)
    if output is not None:
        write_json(output, asdict(report))


def random_model(shape: str, quant: str, on_make: Callable[[Path], None] | None = None) -> Path:
    """The random model of a shape from this user's cache, written there when it is missing."""
    from kernelgen_ls.testing.make_gguf import make

    cache = cache_folder()
    path = cache / "bench" / f"random-qwen3-{shape}-{quant}.gguf"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        if on_make is not None:
            on_make(path)
        make(path, shape, quant, cache)
    return path


if __name__ == "__main__":
    serve_bare()
