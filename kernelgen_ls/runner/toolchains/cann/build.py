"""Building a whole operator project, where a kernel's tiling is what its op_host computes.

The documented steps of an msopgen project's ``build.sh``, without running that file: ``cmake --preset=default``, the
targets ``binary`` and ``package``, and the package's own installer into a folder of ours. A tree without
``CMakePresets.json`` gets the frame that ``msopgen`` generates. Every step runs in the sandbox, in a folder of its own.
What was built is kept by the content of op_host and all that belongs to it, since it takes minutes; kernels that have
changed since are compiled on their own.
"""

from __future__ import annotations

import json
import logging
import os
import posixpath
import re
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.kernel.opdef import OperatorDefinition
from kernelgen_ls.kernel.roles import HOST_FOLDER, KERNEL_FOLDER, SOURCE_SUFFIXES, has_entry
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.ended import EndedError, NotCompiledError
from kernelgen_ls.runner.execution.sandbox import Finished, job_folder
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import JobStage, Outcome, SourceFile, StageReport
from kernelgen_ls.runner.jobs.request_files import content_key, text_hash, write_tree
from kernelgen_ls.runner.toolchains import Cancelled, OnStage
from kernelgen_ls.runner.toolchains.cann.compile import entry_location
from kernelgen_ls.runner.toolchains.cann.diagnostics import DiagnosticsParser
from kernelgen_ls.runner.toolchains.cann.install import Install, python_path
from kernelgen_ls.runner.toolchains.cann.kept_builds import built_from, claimed, prune, take
from kernelgen_ls.runner.toolchains.cann.msopgen import drop_samples, find_msopgen, operator_json
from kernelgen_ls.runner.toolchains.cann.package import Package

log = logging.getLogger(__name__)

_PRESETS = "CMakePresets.json"
_NOT_BUILT = (".py", ".csv", ".md")
_LOGGED_LINES = 40
_CMAKE_ERROR = re.compile(
    r"^CMake Error at (?P<path>[^:\n]+):(?P<line>\d+)(?: \(\w+\))?:\s*\n+(?P<message>(?:[ \t]+\S[^\n]*\n?)+)",
    re.MULTILINE,
)


class Builder:
    """Builds projects with one installation."""

    def __init__(self, install: Install, config: RunnerConfig) -> None:
        self._install = install
        self._config = config

    def build(
        self,
        files: tuple[SourceFile, ...],
        entry: str,
        operator: OperatorDefinition,
        chip: Chip,
        folder: Path,
        cancelled: Cancelled,
        on_stage: OnStage,
    ) -> Package:
        """The package of the project that ``entry`` belongs to; ``folder`` is where it goes where nothing is kept.

        Raises :class:`NotCompiledError` for errors in the project, :class:`EndedError` for everything else.
        """
        needed = tuple(f for f in files if not f.path.endswith(_NOT_BUILT))
        whole = self._key(needed, chip)
        # An edit of a kernel changes no tiling: what was built for this op_host still answers.
        of_host = self._key(tuple(f for f in needed if not _is_kernel(f)), chip)
        keep = None if self._config.cache is None else self._config.cache / "builds" / of_host
        if keep is not None and claimed(keep):
            return Package(keep, built_from(keep) == whole)
        target = keep or folder / "package"
        with job_folder() as apart:
            vendor = self._built(needed, entry, operator, chip, apart, cancelled, on_stage)
            take(vendor, target, whole)
        if keep is not None:
            prune(keep.parent, self._config.build_bytes, keep, self._config.budgets.longest)
        return Package(target, exact=True)

    def _key(self, files: tuple[SourceFile, ...], chip: Chip) -> str:
        named = sorted((f.path, f.sha256 or text_hash(f.text or "")) for f in files)
        who = (str(self._install.home), self._install.version, chip.config_name, chip.soc)
        return content_key("build", [SourceFile(path, None, name) for path, name in named], *who)

    def _built(
        self,
        files: tuple[SourceFile, ...],
        entry: str,
        operator: OperatorDefinition,
        chip: Chip,
        apart: Path,
        cancelled: Cancelled,
        on_stage: OnStage,
    ) -> Path:
        """Build in ``apart`` and install there; the vendor's folder."""
        texts = {file.path: file.text or "" for file in files}
        project = apart / "project"
        deadline = time.monotonic() + self._config.budgets.build
        step = _Step(self._install, self._config, apart, texts, entry, cancelled, on_stage, deadline)
        if _PRESETS in texts:
            write_tree(project, texts)
        else:
            msopgen = find_msopgen(self._install)
            if msopgen is None:
                message = f"the project has no {_PRESETS} and this CANN has no msopgen to make its frame. {_OTHERWISE}"
                raise EndedError(Outcome.INFRA_ERROR, message)
            (apart / "operator.json").write_text(json.dumps([operator_json(operator)], indent=1))
            argv = [msopgen, "gen", "-i", "operator.json", "-c", f"ai_core-{chip.soc}", "-lan", "cpp"]
            step.run("msopgen", [*argv, "-out", "project"], apart)
            drop_samples(project)
            write_tree(project, texts)
        cmake = shutil.which("cmake")
        if cmake is None:
            raise EndedError(Outcome.INFRA_ERROR, f"building a project needs cmake on the runner. {_OTHERWISE}")
        defines = {
            "ASCEND_CANN_PACKAGE_PATH": str(self._install.home),
            "ASCEND_COMPUTE_UNIT": chip.config_name,
            "ENABLE_BINARY_PACKAGE": "True",
            "ENABLE_TEST": "False",
        }
        given = [f"-D{name}={value}" for name, value in defines.items()]
        step.run("configure", [cmake, "-S", ".", "-B", "build_out", "--preset=default", *given], project)
        jobs = str(os.cpu_count() or 1)
        for target in ("binary", "package"):
            step.run(target, [cmake, "--build", "build_out", "--target", target, "-j", jobs], project)
        packages = sorted((project / "build_out").glob("custom_opp_*.run"))
        if not packages:
            raise EndedError(Outcome.INFRA_ERROR, f"the project's build made no custom_opp_*.run. {_OTHERWISE}")
        step.run("install", [str(packages[0]), "--quiet", f"--install-path={apart / 'opp'}"], project)
        vendors = [path for path in sorted((apart / "opp/vendors").glob("*")) if (path / "op_impl").is_dir()]
        if not vendors:
            raise EndedError(Outcome.INFRA_ERROR, f"the operator package installed no op_impl. {_OTHERWISE}")
        return vendors[0]


_OTHERWISE = "Give tiling(case) in the cases file to measure without a build"


@frozen
class _Step:
    """Runs the build's commands one after the other; all of them share the build's budget."""

    install: Install
    config: RunnerConfig
    folder: Path
    texts: Mapping[str, str]
    entry: str
    cancelled: Cancelled
    on_stage: OnStage
    deadline: float

    def run(self, name: str, argv: list[str], where: Path) -> None:
        """Run one command in ``where``; raises where it fails."""
        self.on_stage(StageReport(JobStage.COMPILING, detail=f"the whole project, for the tiling of op_host: {name}"))
        home = self.install.home
        done = sandbox.run(
            argv,
            self.folder,
            seconds=max(0.0, self.deadline - time.monotonic()),
            config=self.config.sandbox,
            cancelled=self.cancelled,
            env={**self.install.environment(), **python_path(self.install)},
            readable=[home, home.resolve(), Path(argv[0]).parent],
            where=where,
        )
        log.info("build of %s: %s took %.1f s: %s %d", self.entry, name, done.seconds, done.ended, done.code)
        if not done.ok:
            for line in done.output.splitlines()[-_LOGGED_LINES:]:
                log.info("build of %s: %s", self.entry, line)
            self._failed(name, done)

    def _failed(self, name: str, done: Finished) -> None:
        if done.ended == "cancelled":
            raise EndedError(Outcome.CANCELLED, "cancelled")
        if done.ended == "timeout":
            budget = self.config.budgets.build
            message = f"building the project of {self.entry} took longer than {budget:g} s; it was at {name}"
            raise EndedError(Outcome.TIMEOUT, message)
        place = entry_location(self.entry, self.texts[self.entry])
        parsed = DiagnosticsParser(self.texts, self._to_project, place).parse(done.output)
        findings = (*parsed.findings, *self._cmake_findings(done.output))
        if any(finding.severity is Severity.ERROR for finding in findings):
            raise NotCompiledError(findings, "the project does not build")
        last = done.output.strip().splitlines()[-1:] or [f"{done.ended} {done.code}"]
        reason = parsed.infrastructure or last[0][:300]
        raise EndedError(Outcome.INFRA_ERROR, f"the project does not build ({name}): {reason}")

    def _to_project(self, printed: str) -> str | None:
        """The user's file of a path: itself, or the one that the build copied (``.../tbe/dynamic/add_custom.cpp``)."""
        path = os.path.normpath(self.folder / "project" / printed)
        if not Path(path).is_relative_to(self.folder):
            return None
        inside = os.path.relpath(path, self.folder / "project")
        if inside in self.texts:
            return inside
        same = [own for own in self.texts if posixpath.basename(own) == posixpath.basename(inside)]
        wanted = [own for own in same if posixpath.dirname(own).split("/")[0] in inside.split("/")] or same
        return wanted[0] if len(wanted) == 1 else None

    def _cmake_findings(self, output: str) -> tuple[Finding, ...]:
        found = []
        for match in _CMAKE_ERROR.finditer(output):
            path = self._to_project(match["path"])
            if path is not None:
                line = max(0, int(match["line"]) - 1)
                width = len((self.texts[path].split("\n")[line : line + 1] or [""])[0])
                place = Location(path, Range(Position(line, 0), Position(line, width)))
                message = " ".join(match["message"].split())
                found.append(Finding(place, Severity.ERROR, message, FoundBy.BISHENG, "bisheng/cmake"))
        return tuple(found)


def _is_kernel(file: SourceFile) -> bool:
    """Whether the tiling cannot depend on ``file``; by where it lies, since a text can say anything of itself."""
    folders = file.path.split("/")[:-1]
    if KERNEL_FOLDER not in folders or HOST_FOLDER in folders:
        return False
    return file.path.endswith(SOURCE_SUFFIXES) and has_entry(file.text or "")
