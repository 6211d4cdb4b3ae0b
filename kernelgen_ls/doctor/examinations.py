"""The doctor's checks. Each ends within its own time and reports what it found; none raises."""

from __future__ import annotations

import asyncio
import importlib.util
import platform
import shutil
import sys
import time
from pathlib import Path

import kernelgen_ls
from kernelgen_ls.doctor.diagnosis import Diagnosis, Examination, Verdict
from kernelgen_ls.folders import cache_folder, data_folder, write_bytes
from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.protocol import INSTALL_LLAMA, NO_LLAMA
from kernelgen_ls.model.engine.status import too_slow_to_type
from kernelgen_ls.model.messages import EngineStatus
from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome, SourceFile
from kernelgen_ls.settings import Settings, load, project_folder, user_file

MODEL_SECONDS = 300.0
CHECK_SECONDS = 60.0
PROBE_SECONDS = 60.0
PROBE = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void probe(GM_ADDR x) { AscendC::TPipe pipe; }
"""


async def program(settings: Settings) -> tuple[Diagnosis, ...]:
    """Versions, and where the user's settings are."""
    message = f"kernelgen-ls {kernelgen_ls.__version__}, Python {platform.python_version()}, {platform.platform()}"
    found = [Diagnosis("program", Verdict.GOOD, message)]
    _, problems = load(project_folder(Path.cwd()))
    there = "" if user_file().exists() else " (not there: every setting has its default)"
    found.append(Diagnosis("settings", Verdict.GOOD, f"{user_file()}{there}"))
    found += [Diagnosis("settings", Verdict.BAD, problem.message, "Correct it there.") for problem in problems]
    return tuple(found)


async def kept_folders(settings: Settings) -> tuple[Diagnosis, ...]:
    """Whether what is kept between two runs can be; all else goes on without."""
    return _kept(data_folder(), "measurements and counts") + _kept(cache_folder(), "states of documents")


def _kept(folder: Path, holds: str) -> tuple[Diagnosis, ...]:
    try:
        write_bytes(folder / "doctor", b"", durable=False)
        (folder / "doctor").unlink()
    except OSError as problem:
        message = f"{folder} cannot be written ({problem.strerror}): {holds} are not kept"
        return (Diagnosis("folders", Verdict.NOTE, message, "Everything else works. Make it writable."),)
    return ()


async def engine(settings: Settings) -> tuple[Diagnosis, ...]:
    """Whether llama.cpp is installed and runs on this processor (a wheel of another machine dies of SIGILL)."""
    if importlib.util.find_spec("llama_cpp") is None:
        return (Diagnosis("engine", Verdict.BAD, NO_LLAMA, _sentence(INSTALL_LLAMA)),)
    probe = "import llama_cpp; print(llama_cpp.__version__, llama_cpp.llama_supports_gpu_offload())"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", probe, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), PROBE_SECONDS)
    except asyncio.TimeoutError:
        process.kill()
        out, err = b"", b"no answer within a minute"
    if process.returncode != 0:
        last = err.decode("utf-8", "replace").strip().splitlines()[-1:] or [f"ended with {process.returncode}"]
        advice = "Reinstall it on this machine: pip install --force-reinstall --no-binary :all: llama-cpp-python"
        return (Diagnosis("engine", Verdict.BAD, f"llama-cpp-python does not load: {last[0]}", advice),)
    version, _, gpu = out.decode().strip().partition(" ")
    if gpu == "True":
        return (Diagnosis("engine", Verdict.GOOD, f"llama-cpp-python {version}, with GPU offload"),)
    message = f"llama-cpp-python {version}, on the processor"
    return (Diagnosis("engine", Verdict.NOTE, message, "With a GPU, build it for that: see docs/models.md."),)


async def model(settings: Settings) -> tuple[Diagnosis, ...]:
    """The chosen models: their files, whether they load, how fast they are here and what that is good for."""
    from kernelgen_ls.model.store import NoModelError, generation_choice, typing_choice

    try:
        typing, generation = typing_choice(settings.model), generation_choice(settings.model)
    except NoModelError as error:
        return (Diagnosis("model", Verdict.BAD, error.problem, _sentence(error.advice)),)
    found = await _loaded("typing model", typing, to_type=True)
    if generation != typing:
        found += await _loaded("generation model", generation, to_type=False)
    return found


async def _loaded(name: str, choice: ModelChoice, *, to_type: bool) -> tuple[Diagnosis, ...]:
    """Load one model and measure it."""
    from kernelgen_ls.model.engine.local import LocalEngine

    worker = LocalEngine()
    measured = asyncio.Event()
    worker.on_status(lambda status: measured.set() if status.speed.decode and status.speed.prefill else None)
    try:
        await asyncio.wait_for(worker.start(choice), MODEL_SECONDS)
        if worker.status.model is None:
            return (Diagnosis(name, Verdict.BAD, worker.status.detail, "See kernelgen-ls model list."),)
        await asyncio.wait_for(measured.wait(), MODEL_SECONDS)
        return _judged(name, choice, worker.status, to_type=to_type)
    except asyncio.TimeoutError:
        advice = "Choose a smaller one: kernelgen-ls model list."
        return (Diagnosis(name, Verdict.BAD, f"{choice.path} did not answer within {MODEL_SECONDS:.0f} s", advice),)
    finally:
        await worker.close()


def _judged(name: str, choice: ModelChoice, status: EngineStatus, *, to_type: bool) -> tuple[Diagnosis, ...]:
    loaded, speed = status.model, status.speed
    assert loaded is not None
    message = (
        f"{loaded.name} ({choice.path}): reads {speed.prefill:,.0f} and writes {speed.decode:,.1f} tokens/s here, "
        f"{loaded.threads} threads, {loaded.gpu_layers} layers on a GPU"
    )
    found = [Diagnosis(name, Verdict.GOOD, message + ("; fast enough to type with" if to_type else ""))]
    if to_type and too_slow_to_type(speed):
        advice = "Too slow to type with: kernelgen-ls model use --typing PATH of a smaller one (or the starter)."
        found = [Diagnosis(name, Verdict.BAD, message, advice)]
    if loaded.starter:
        advice = "A better one: kernelgen-ls model pull (see docs/models.md)."
        found.append(Diagnosis(name, Verdict.NOTE, "this is the starter model that ships with the package", advice))
    return tuple(found)


def _sentence(advice: str) -> str:
    return f"{advice[:1].upper()}{advice[1:]}."


async def checker(settings: Settings) -> tuple[Diagnosis, ...]:
    """Whether the embedded checker starts and passes a kernel that is right."""
    from kernelgen_ls.runner.client.client import local_runner

    runner = local_runner()
    request = CheckRequest("probe.cpp", (SourceFile("probe.cpp", PROBE),), chip=settings.check.chip or DEFAULT_CHIP.soc)
    started = time.monotonic()
    try:
        result = await asyncio.wait_for(runner.run(request), CHECK_SECONDS)
    except asyncio.TimeoutError:
        return (Diagnosis("checker", Verdict.BAD, f"no answer within {CHECK_SECONDS:.0f} s"),)
    finally:
        await runner.close()
    seconds = time.monotonic() - started
    if result.outcome is Outcome.PASSED:
        return (Diagnosis("checker", Verdict.GOOD, f"the embedded checker answers ({seconds:.1f} s with its start)"),)
    reason = result.message or "; ".join(finding.message for finding in result.findings[:2]) or result.outcome.value
    advice = "Reinstall libclang: pip install --force-reinstall libclang==18.1.1"
    return (Diagnosis("checker", Verdict.BAD, f"the embedded checker does not work: {reason}", advice),)


async def editors(settings: Settings) -> tuple[Diagnosis, ...]:
    """Which editors are here."""
    there = [name for name in ("nvim", "code", "code-server", "codium") if shutil.which(name)]
    if there:
        return (Diagnosis("editors", Verdict.GOOD, f"found {', '.join(there)}"),)
    advice = (
        "README.md says how to set up VS Code and Neovim; any editor with the protocol can start kernelgen-ls serve."
    )
    return (Diagnosis("editors", Verdict.NOTE, "neither Neovim nor VS Code is on the PATH", advice),)


async def clangd(settings: Settings) -> tuple[Diagnosis, ...]:
    """Whether clangd runs beside this server and was told about kernels."""
    if shutil.which("clangd") is None:
        return ()
    if (Path.cwd() / ".clangd").exists():
        return (Diagnosis("clangd", Verdict.GOOD, "clangd is here and this folder has a .clangd"),)
    advice = "kernelgen-ls doctor --clangd --write makes it understand kernels in this folder."
    return (Diagnosis("clangd", Verdict.NOTE, "clangd is here but knows nothing of AscendC", advice),)


EXAMINATIONS: tuple[Examination, ...] = (program, kept_folders, engine, model, checker, editors, clangd)
