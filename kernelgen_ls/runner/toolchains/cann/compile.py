"""Compiling one kernel with bisheng: every configuration of it, in parallel, without building its project."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attrs import evolve, field, frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.findings import Finding, Location, Position, Range, Severity
from kernelgen_ls.kernel.roles import HEADER_SUFFIXES
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.execution.sandbox import Finished
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome, SourceFile
from kernelgen_ls.runner.jobs.request_files import write_tree
from kernelgen_ls.runner.toolchains import Cancelled
from kernelgen_ls.runner.toolchains.cann.diagnostics import DiagnosticsParser, Parsed
from kernelgen_ls.runner.toolchains.cann.install import Install
from kernelgen_ls.runner.toolchains.configurations import Configuration, kernel_configurations
from kernelgen_ls.runner.toolchains.source_tree import SourceTree

_CUBE = re.compile(r"\b(?:Matmul\w*|Mmad|matmul_intf|IterateAll|LoadData|Fixpipe|__cube__|__mix__)\b")
_TILING_MACROS = """
#include <cstdint>
template <typename T> __aicore__ inline void KernelgenCopyTiling(T *to, GM_ADDR from)
{
    auto *target = reinterpret_cast<uint8_t *>(to);
    auto *source = reinterpret_cast<__gm__ uint8_t *>(from);
    for (uint32_t i = 0; i < sizeof(T); ++i) {
        target[i] = source[i];
    }
}
#undef GET_TILING_DATA_WITH_STRUCT
#define GET_TILING_DATA_WITH_STRUCT(type, name, address) type name; KernelgenCopyTiling(&name, address)
#ifdef KERNELGEN_TILING_STRUCT
#undef GET_TILING_DATA
#define GET_TILING_DATA(name, address) GET_TILING_DATA_WITH_STRUCT(KERNELGEN_TILING_STRUCT, name, address)
#endif
"""

_MOST_COMPILED = 144
"""Most configurations that are compiled: a kernel that runs needs the object of its own dtype and tiling key."""


@frozen
class CompileTask:
    """One call of the compiler: a configuration for one kind of core."""

    configuration: Configuration
    core: str
    object_path: Path


@frozen
class Compiled:
    """``objects`` by the configuration's name for the kernels that compiled."""

    findings: tuple[Finding, ...]
    objects: Mapping[str, Path]
    preludes: Mapping[str, str] = field(factory=dict)
    """What each configuration was compiled with."""
    uses_cube: bool = False

    @property
    def has_error(self) -> bool:
        """Whether the compiler found an error in any configuration."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


class Compiler:
    """Compiles kernels of one installation in the sandbox."""

    def __init__(self, install: Install, config: RunnerConfig) -> None:
        self._install = install
        self._config = config

    def compile(
        self,
        files: tuple[SourceFile, ...],
        entry: str,
        chip: Chip,
        flags: tuple[str, ...],
        folder: Path,
        stop: Cancelled,
    ) -> Compiled:
        """Compile ``entry`` of the tree, written below ``folder``, for the chip in every configuration.

        Objects are left in ``folder``. Findings that hold only in some configurations say so. Raises
        :class:`EndedError` where the tools fail, take too long or are cancelled.
        """
        texts = {file.path: file.text for file in files if file.text is not None}
        tree = SourceTree.of(texts)
        source = folder / "src"
        write_tree(source, texts)
        text = texts[entry]
        plan = kernel_configurations(tree, entry, chip, _MOST_COMPILED)
        uses_cube = any(_CUBE.search(item.text) for item in tree.reachable(entry))
        tasks = list(self._tasks(plan.configurations, folder, uses_cube))
        parser = DiagnosticsParser(texts, lambda path: in_project(path, source, texts), entry_location(entry, text))
        folders = [f"-I{folder_path}" for folder_path in _include_folders(source, entry, texts)]
        threads = max(1, min(len(tasks), (os.cpu_count() or 1)))
        with ThreadPoolExecutor(threads, "bisheng") as pool:
            runs = list(
                pool.map(lambda task: self._run(task, source, entry, chip, [*folders, *flags], folder, stop), tasks)
            )
        if stop():
            raise EndedError(Outcome.CANCELLED, "cancelled")
        parsed = [parser.parse(run.output) for run in runs]
        for done, reading in zip(runs, parsed, strict=True):
            self._require_sound(entry, done, reading)
        return _gathered(tasks, runs, parsed, uses_cube)

    def _require_sound(self, entry: str, run: Finished, reading: Parsed) -> None:
        if run.ended == "timeout":
            budget = self._config.budgets.check
            raise EndedError(Outcome.TIMEOUT, f"compiling {entry} took longer than {budget:g} s")
        if run.ended in ("refused", "disk", "processes") or run.code == 127:
            trouble = run.output.strip() or f"the compiler was ended: {run.ended}"
            raise EndedError(Outcome.INFRA_ERROR, trouble)
        if not run.ok and not reading.findings:
            last = run.output.strip().splitlines()[-1:] or ["it said nothing"]
            trouble = reading.infrastructure or f"the compiler failed: {last[0][:300]}"
            raise EndedError(Outcome.INFRA_ERROR, trouble)

    def _tasks(self, configurations: tuple[Configuration, ...], folder: Path, uses_cube: bool) -> list[CompileTask]:
        apart = uses_cube and self._install.style.name == "cce-arch"
        return [
            CompileTask(configuration, core, folder / f"kernel-{number}-{core}.o")
            for number, configuration in enumerate(configurations)
            for core in (("vec", "cube") if apart else ("vec",))
        ]

    def _run(
        self, task: CompileTask, source: Path, entry: str, chip: Chip, flags: list[str], folder: Path, stop: Cancelled
    ) -> Finished:
        header = folder / f"{task.object_path.stem}.h"
        header.write_text(
            f'// configuration: {task.configuration.name}\n#include "kernel_operator.h"\n'
            f"{task.configuration.prelude}{_TILING_MACROS}",
            encoding="utf-8",
        )
        install = self._install
        argv = [str(install.bisheng), "-c", str(source / entry), "-o", str(task.object_path)]
        argv += install.style.flags(chip.architecture, task.core)
        argv += ["-include", str(header), *flags, *install.includes, "-fno-color-diagnostics"]
        return sandbox.run(
            argv,
            folder,
            seconds=self._config.budgets.check,
            config=self._config.sandbox,
            cancelled=stop,
            env=install.environment(),
            readable=[install.home, install.home.resolve()],
        )


def entry_location(path: str, text: str, kernel: str = "") -> Location:
    """Where an entry function's name stands: ``kernel``'s, else the first one's, else the file's first line."""
    source = Source.parse(text)
    entries = source.structure.entries
    chosen = next((f for f in entries if f.name == kernel), entries[0] if entries else None)
    if chosen is None:
        return Location(path, Range(Position(0, 0), Position(0, len(text.split("\n", 1)[0]))))
    return Location(path, source.range(chosen.name_span))


def _gathered(tasks: list[CompileTask], runs: list[Finished], parsed: list[Parsed], uses_cube: bool) -> Compiled:
    names = [task.configuration.name for task in tasks]
    merged: dict[tuple[Location, str], tuple[Finding, list[str]]] = {}
    for name, reading in zip(names, parsed, strict=True):
        for finding in reading.findings:
            merged.setdefault((finding.location, finding.message), (finding, []))[1].append(name)
    every = set(names)
    findings = tuple(
        finding if set(held) == every else evolve(finding, only_for=tuple(dict.fromkeys(held)))
        for finding, held in merged.values()
    )
    objects = {t.configuration.name: t.object_path for t, run in zip(tasks, runs, strict=True) if run.ok}
    preludes = {t.configuration.name: t.configuration.prelude for t in tasks}
    return Compiled(findings, objects, preludes, uses_cube=uses_cube)


def in_project(printed: str, source: Path, texts: Mapping[str, str]) -> str | None:
    """The project's path of one that a tool printed, None for files of others; the tree was written to ``source``."""
    path = os.path.normpath(source / printed)
    inside = os.path.relpath(path, source)
    return inside if inside in texts else None


def _include_folders(source: Path, entry: str, texts: Mapping[str, str]) -> list[Path]:
    """Folders with headers, the entry's own first."""
    headers = sorted({Path(path).parent for path in texts if path.endswith(HEADER_SUFFIXES)})
    return [source / Path(entry).parent, source, *(source / folder for folder in headers)]
