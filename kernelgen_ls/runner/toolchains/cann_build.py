"""Building a whole operator project, where a kernel's tiling is what its op_host computes.

The documented steps of an msopgen project's ``build.sh``, without running that file: ``cmake --preset=default``, the
targets ``binary`` and ``package``, and the package's own installer into a folder of ours. A tree without
``CMakePresets.json`` gets the frame that ``msopgen`` generates. Every step runs in the sandbox, in a folder of its own.
What was built is kept by the content of op_host and all that belongs to it, since it takes minutes; kernels that have
changed since are compiled on their own.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import posixpath
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.findings import Finding, Location, Position, Range, Severity, Source
from kernelgen_ls.kernel.opdef import Operand, OperatorDefinition
from kernelgen_ls.runner import sandbox
from kernelgen_ls.runner.cache import cache_key
from kernelgen_ls.runner.config import RunnerConfig
from kernelgen_ls.runner.messages import Outcome, SourceFile, Stage, StageReport
from kernelgen_ls.runner.sandbox import Finished, job_folder
from kernelgen_ls.runner.toolchains import Cancelled, OnStage
from kernelgen_ls.runner.toolchains.cann_compile import entry_location, write_tree
from kernelgen_ls.runner.toolchains.cann_diagnostics import DiagnosticsParser
from kernelgen_ls.runner.toolchains.cann_install import Install
from kernelgen_ls.runner.toolchains.cann_launch import BuiltKernel, EndedError
from kernelgen_ls.runner.tree import text_hash

log = logging.getLogger(__name__)

_PRESETS = "CMakePresets.json"
_NOT_BUILT = (".py", ".csv", ".md")
_LOGGED_LINES = 40
_SOURCES = "kernelgen-built-from"
_PARTIAL = "partial-"
_CMAKE_ERROR = re.compile(
    r"^CMake Error at (?P<path>[^:\n]+):(?P<line>\d+)(?: \(\w+\))?:\s*\n+(?P<message>(?:[ \t]+\S[^\n]*\n?)+)",
    re.MULTILINE,
)
_MSOPGEN = ("python/site-packages/bin/msopgen", "bin/msopgen", "tools/msopgen/bin/msopgen")
_HOST_TYPES = {"DT_FLOAT16": "float16", "DT_FLOAT": "float32", "DT_BF16": "bfloat16", "DT_DOUBLE": "float64"}
_MSOPGEN_TYPES = {"float16": "fp16", "float32": "fp32", "bfloat16": "bf16"}
_ATTRIBUTE_TYPES = {"Int": "int", "Float": "float", "Bool": "bool", "String": "string", "ListInt": "list_int"}


@frozen
class Package:
    """A built and installed operator package: ``vendor`` holds ``op_impl``.

    ``exact`` tells that it was built from this very text of the kernels too, not only from this op_host.
    """

    vendor: Path
    exact: bool

    def kernels(self) -> tuple[BuiltKernel, ...]:
        """The compiled kernels that the package describes, if they are of this text; unsound ones are left out."""
        found: list[BuiltKernel] = []
        if not self.exact:
            return ()
        for description in sorted((self.vendor / "op_impl/ai_core/tbe/kernel").rglob("*.json")):
            kernel = _described(description)
            if kernel is not None:
                found.append(kernel)
        return tuple(found)


def tiling_libraries(vendor: Path) -> tuple[Path, ...]:
    """The libraries with op_host's tiling functions in a package's vendor folder."""
    return tuple(sorted((vendor / "op_impl/ai_core/tbe/op_tiling").rglob("*.so")))


class BuildFailedError(Exception):
    """The project does not build, for reasons in the project: ``findings`` say where."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("the project does not build")
        self.findings = findings


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

        Raises :class:`BuildFailedError` for errors in the project, :class:`EndedError` for everything else.
        """
        needed = tuple(f for f in files if not f.path.endswith(_NOT_BUILT))
        whole = self._key(needed, chip)
        # An edit of a kernel changes no tiling: what was built for this op_host still answers.
        of_host = self._key(tuple(f for f in needed if not _is_kernel(f)), chip)
        keep = None if self._config.cache is None else self._config.cache / "builds" / of_host
        if keep is not None and _claimed(keep):
            return Package(keep, _built_from(keep) == whole)
        target = keep or folder / "package"
        with job_folder() as apart:
            vendor = self._built(needed, entry, operator, chip, apart, cancelled, on_stage)
            _take(vendor, target, whole)
        if keep is not None:
            _prune(keep.parent, self._config.build_bytes, keep, self._config.budgets.longest)
        return Package(target, exact=True)

    def _key(self, files: tuple[SourceFile, ...], chip: Chip) -> str:
        named = sorted((f.path, f.sha256 or text_hash(f.text or "")) for f in files)
        who = (str(self._install.home), self._install.version, chip.config_name, chip.soc)
        return cache_key("build", [SourceFile(path, None, name) for path, name in named], *who)

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
            (apart / "operator.json").write_text(json.dumps([_msopgen_json(operator)], indent=1))
            argv = [self._msopgen(), "gen", "-i", "operator.json", "-c", f"ai_core-{chip.soc}", "-lan", "cpp"]
            step.run("msopgen", [*argv, "-out", "project"], apart)
            _drop_samples(project)
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

    def _msopgen(self) -> str:
        inside = [self._install.home / path for path in _MSOPGEN]
        found = next((str(path) for path in inside if path.is_file()), shutil.which("msopgen"))
        if found is None:
            message = f"the project has no {_PRESETS} and this CANN has no msopgen to make its frame. {_OTHERWISE}"
            raise EndedError(Outcome.INFRA_ERROR, message)
        return found


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
        self.on_stage(StageReport(Stage.COMPILING, detail=f"the whole project, for the tiling of op_host: {name}"))
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
            raise BuildFailedError(findings)
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
                found.append(Finding(place, Severity.ERROR, message, Source.BISHENG, "bisheng/cmake"))
        return tuple(found)


def python_path(install: Install) -> dict[str, str]:
    """Where CANN's own Python packages are."""
    return {"PYTHONPATH": f"{install.home}/python/site-packages:{install.home}/opp/built-in/op_impl/ai_core/tbe"}


def build_python() -> str:
    """The Python that CANN's packages are for: the system's, as its own build takes it."""
    return shutil.which("python3") or sys.executable


def host_type(dtype: str) -> str:
    """``ge::DT_FLOAT16`` as msopgen and op_tiling call it."""
    name = dtype.removeprefix("ge::")
    return _HOST_TYPES.get(name, name.removeprefix("DT_").lower())


def attribute_type(kind: str) -> str:
    """An attribute's type in the operator's definition as msopgen and op_tiling call it."""
    return _ATTRIBUTE_TYPES.get(kind, re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower())


def _msopgen_json(operator: OperatorDefinition) -> dict[str, object]:
    """What ``msopgen gen -i`` wants to know of an operator; the user's own op_host takes the generated one's place."""
    return {
        "op": operator.name,
        "language": "cpp",
        "input_desc": [_msopgen_tensor(one) for one in operator.inputs],
        "output_desc": [_msopgen_tensor(one) for one in operator.outputs],
        "attr": [
            {
                "name": one.name,
                "param_type": "required" if one.required else "optional",
                "type": attribute_type(one.type),
                **({} if one.default is None else {"default_value": one.default}),
            }
            for one in operator.attributes
        ],
    }


def _msopgen_tensor(operand: Operand) -> dict[str, object]:
    types = [host_type(dtype) for dtype in operand.dtypes] or ["float16"]
    formats = [name.removeprefix("ge::").removeprefix("FORMAT_") for name in operand.formats]
    return {
        "name": operand.name,
        "param_type": operand.requirement.lower(),
        "format": formats or ["ND"] * len(types),
        "type": [_MSOPGEN_TYPES.get(name, name) for name in types],
    }


def _drop_samples(project: Path) -> None:
    """Remove the sources that msopgen wrote as samples: the user's own are what is built."""
    for folder in ("op_host", "op_kernel"):
        for path in (project / folder).glob("*"):
            if path.suffix in (".cpp", ".h") and not path.is_symlink():
                path.unlink()


def _described(description: Path) -> BuiltKernel | None:
    """A kernel by the JSON beside its object: ``binFileName``, ``kernelName``, ``kernelList``, ``magic``, its types."""
    try:
        plain = json.loads(description.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    match plain:
        case {"binFileName": str(name), "kernelName": str(symbol), "magic": str(magic)}:
            file = description.with_name(f"{name}.o")
            if "/" in name or not file.is_file() or not re.fullmatch(r"RT_DEV_BINARY_MAGIC_ELF\w*", magic):
                return None
        case _:
            return None
    symbols: dict[int | None, str] = {}
    for one in plain.get("kernelList") or ():
        listed = one.get("kernelName") if isinstance(one, dict) else None
        key = re.search(r"_(\d+)$", listed) if isinstance(listed, str) else None
        if key is not None and isinstance(listed, str):
            symbols[int(key[1])] = listed
    support = plain.get("supportInfo") or {}
    tensors = [*(support.get("inputs") or ()), *(support.get("outputs") or ())]
    dtypes = tuple(str(t.get("dtype", "")) for t in tensors if isinstance(t, dict))
    return BuiltKernel(file, symbols or {None: symbol}, magic, dtypes)


def _is_kernel(file: SourceFile) -> bool:
    """Whether the tiling cannot depend on ``file``; by where it lies, since a text can say anything of itself."""
    folders = file.path.split("/")[:-1]
    if "op_kernel" not in folders or "op_host" in folders:
        return False
    return file.path.endswith((".cpp", ".asc", ".cce")) and "__global__" in (file.text or "")


def _built_from(package: Path) -> str:
    """The hash of all that a kept package was built from."""
    try:
        return (package / _SOURCES).read_text()
    except OSError:
        return ""


def _take(source: Path, target: Path, built_from: str) -> None:
    """Copy what was built out of its job's reach: files, folders, and links that stay inside; nothing else."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    partial = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=target.parent))
    try:
        shutil.copytree(source, partial / "vendor", symlinks=True, ignore=lambda f, names: _strange(source, f, names))
        for path in (partial / "vendor", *(partial / "vendor").rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() else 0o644)
        note = partial / "vendor" / _SOURCES
        note.unlink(missing_ok=True)
        note.write_text(built_from)
        (partial / "vendor").replace(target)
    except OSError:
        if not target.is_dir():  # else another worker built the same and was first
            raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _strange(root: Path, folder: str, names: list[str]) -> list[str]:
    inside, strange = os.path.realpath(root), []
    for name in names:
        path = Path(folder) / name
        if path.is_symlink():
            leads = os.path.realpath(path)
            fine = not path.readlink().is_absolute() and leads.startswith(f"{inside}{os.sep}") and path.exists()
        else:
            fine = path.is_file() or path.is_dir()
        if not fine:
            strange.append(name)
    return strange


def _claimed(keep: Path) -> bool:
    """Whether a package is kept; from now on it counts as used, and no worker removes it for as long as a job runs."""
    try:
        with _locked(keep.parent):
            if not keep.is_dir():
                return False
            os.utime(keep)
            return True
    except FileNotFoundError:
        return False


def _prune(folder: Path, limit: int, newest: Path, spared: float) -> None:
    """Keep the builds within ``limit`` bytes, the least recently used go first.

    Other workers build and use packages here at the same time: what was made or used in the last ``spared`` seconds
    stays, whatever it takes. What a worker left half copied when it died goes.
    """
    spare_after = time.time() - spared
    sizes = []
    for build in folder.iterdir():
        with contextlib.suppress(OSError):
            used = build.stat().st_mtime
            if not build.name.startswith(_PARTIAL):
                sizes.append((used, sum(path.lstat().st_size for path in build.rglob("*")), build))
            elif used < spare_after:
                shutil.rmtree(build, ignore_errors=True)
    total = sum(size for _, size, _ in sizes)
    for _, size, build in sorted(sizes):
        if total <= limit:
            return
        if build != newest and _removed(build, spare_after):
            total -= size


def _removed(build: Path, spare_after: float) -> bool:
    """Remove a package unless a job has claimed it since; at once for everyone who looks, its files after that."""
    try:
        with _locked(build.parent):
            if build.stat().st_mtime >= spare_after:
                return False
            doomed = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=build.parent))
            build.replace(doomed / "vendor")
    except OSError:
        return False
    shutil.rmtree(doomed, ignore_errors=True)
    return True


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone among the workers of every runner that keeps its builds in ``folder``, for a moment."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
