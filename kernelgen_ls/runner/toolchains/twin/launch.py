"""Running a kernel's library on one case: the arguments it is given, the program that loads it, what that says."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve, frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Related, Severity
from kernelgen_ls.kernel.opdef import OperatorDefinition
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.cases import Case
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.execution.sandbox import UNMEASURED, Spent, job_folder
from kernelgen_ls.runner.execution.writers import writers_file
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.toolchains import Cancelled
from kernelgen_ls.runner.toolchains.twin.build import Library, Part
from kernelgen_ls.runner.toolchains.twin.kernel_arguments import Piece, kernel_arguments
from kernelgen_ls.runner.toolchains.twin.printing import printed_lines

_LEAST_WORKSPACE = 32
"""What stands in the workspace's place where nobody asks for one: the argument has to be there."""
SYSTEM_WORKSPACE = 16 * 1024 * 1024
"""What GetLibApiWorkSpaceSize gives op_host: a workspace of less has no such part."""
_BIAS_BYTES, _FIX_BYTES = 1024, 2048
_MOST_FINDINGS_BYTES = 4 * 1024 * 1024
_CUBE_SITES = 1 << 31
"""Sites in the part that cube cores run are told from the others by their highest bit."""
_UNDEFINED = re.compile(r"undefined symbol: (?P<symbol>\w+)")
_SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "information": Severity.INFORMATION}
_NOT_STARTED = (64, 126, 127)
"""Exit statuses of a runtime that did not come to the kernel."""
_ENDING = ("crash", "hang", "global-bounds")
"""Findings that may come from anywhere in the process, and not only from a call of AscendC."""
_ENDS = ("done", "stopped", "hang", "crash")
"""How a run ends that has something to say of the kernel."""


@frozen
class Launch:
    """One run of a library: its blocks in their order or from the last to the first (``reversed``), its copies done at
    once or when something waits for them (``late``)."""

    library: Library
    kernel: Function
    case: Case
    tiling: bytes | None
    chip: Chip
    operator: OperatorDefinition | None = None
    reversed: bool = False
    late: bool = False


@frozen
class Ran:
    """What a run left: its outputs' files, what it found, and how it ended (``done`` is a kernel that came to its end).

    ``lacks`` names what the twin cannot execute, ``isolation`` the protections that held (``sandbox.Finished``),
    ``spent`` is what the run took, ``printed`` what the kernel printed, ``shook_hands`` whether a core waited for what
    another one wrote to global memory: of such a run no race between cores is said.
    """

    outputs: tuple[Path, ...]
    findings: tuple[Finding, ...] = ()
    end: str = "done"
    lacks: str = ""
    isolation: tuple[str, ...] = ()
    spent: Spent = UNMEASURED
    printed: tuple[str, ...] = ()
    shook_hands: bool = False


def run_library(
    launch: Launch,
    program: Path,
    texts: Mapping[str, str],
    entry: Location,
    target: Path,
    config: RunnerConfig,
    cancelled: Cancelled,
) -> Ran:
    """Run a kernel in a folder of its own, where no golden output lies; its outputs are moved into ``target``.

    Raises :class:`EndedError` where there is no run to speak of.
    """
    with job_folder() as folder:
        folder.chmod(0o711)  # whom the sandbox makes it run as has to reach the program
        seconds = config.budgets.verify
        shutil.copy(program, folder / "runtime")
        for part in launch.library.parts:
            shutil.copy(part.path, folder / _part_name(part))
        (folder / "launch.txt").write_text(_described(launch, folder, seconds * 0.9), encoding="utf-8")
        done = sandbox.run(
            [str(folder / "runtime"), "launch.txt"],
            folder,
            seconds=seconds,
            config=config.sandbox,
            cancelled=cancelled,
        )
        if done.ended == "cancelled":
            raise EndedError(Outcome.CANCELLED, "cancelled")
        if done.ended in ("refused", "disk", "processes"):
            raise EndedError(Outcome.RUNTIME_ERROR, done.output.strip()[-300:] or f"the kernel was ended: {done.ended}")
        return _read(launch, done, folder, _Reader(launch.library, texts, entry), target)


def _described(launch: Launch, folder: Path, seconds: float) -> str:
    """The launch as the runtime reads it; lays the inputs into ``folder``."""
    case, chip = launch.case, launch.chip
    given = kernel_arguments(launch.kernel, launch.operator, case, tiling=launch.tiling is not None)
    sizes = (chip.ub_bytes, chip.l1_bytes, chip.l0a_bytes, chip.l0a_bytes, chip.l0c_bytes, _BIAS_BYTES, _FIX_BYTES)
    said = [
        *(f"{'cube_library' if part.cube else 'library'} {folder}/{_part_name(part)}" for part in launch.library.parts),
        f"blocks {case.block_dim}",
        f"cube_of_block {launch.library.cores.cube}",
        f"vector_of_block {launch.library.cores.vector}",
        f"reversed {int(launch.reversed)}",
        f"saturate {int(bool(case.saturation))}",
        f"late {int(launch.late)}",
        f"key {case.tiling_key or 0}",
        f"system_workspace {SYSTEM_WORKSPACE if case.workspace >= SYSTEM_WORKSPACE else 0}",
        f"cores {chip.vector_cores}",
        f"cube_cores {chip.cube_cores}",
        f"apart {int(chip.cores_apart)}",
        f"seconds {seconds:g}",
        *(f"memory {number} {size}" for number, size in enumerate(sizes, 1)),
    ]
    for number, argument in enumerate(given):
        name = re.sub(r"\W", "_", argument.name)[:60] or "_"
        if argument.tiling:
            data = launch.tiling or b""
            (folder / "tiling.bin").write_bytes(data)
            said.append(f"argument {name} {len(data)} tiling.bin - 0")
        elif argument.workspace:
            said.append(f"argument {name} {max(case.workspace, _LEAST_WORKSPACE)} - - 0")
        elif argument.spare:
            said.append(f"argument {name} {argument.spare} - - 0")
        elif argument.same:
            said.append(f"same {next(i for i, one in enumerate(given) if one.name == argument.same)}")
        else:
            said.append(f"{'list' if argument.listed else 'pieces'} {len(argument.pieces)}")
            said += [_piece(piece, f"{number}-{index}", name, folder) for index, piece in enumerate(argument.pieces)]
    return "\n".join(said) + "\n"


def _part_name(part: Part) -> str:
    return "kernel-cube.so" if part.cube else "kernel.so"


def _piece(piece: Piece, label: str, name: str, folder: Path) -> str:
    """A line of the launch: name, bytes, the files that are read and written (``-``: none), the lengths of the axes."""
    read = write = "-"
    if piece.input is not None:
        read = f"input-{label}.bin"
        _give(Path(piece.input.file), folder / read)
    elif piece.cleared:
        read = f"input-{label}.bin"
        with (folder / read).open("wb") as file:
            file.truncate(piece.tensor.size_bytes)
    if piece.output is not None:
        write = _output(piece.output)
    size = piece.tensor.size_bytes
    return " ".join(map(str, ("argument", name, size, read, write, len(piece.tensor.shape), *piece.tensor.shape)))


def _output(number: int) -> str:
    return f"output-{number}.bin"


def _give(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)


@frozen
class _Reader:
    """Turns what the runtime says into findings of the user's texts."""

    library: Library
    texts: Mapping[str, str]
    entry: Location
    frames: tuple[int, ...] = ()
    """The calls that led to where the run was ended, innermost first."""

    def finding(self, said: Mapping[str, object]) -> Finding | None:
        """One line of the runtime's, or None where it is not as it should be."""
        severity = _SEVERITIES.get(str(said.get("severity")))
        code, message, site = said.get("code"), said.get("message"), said.get("site")
        if severity is None or not isinstance(code, str) or not isinstance(message, str) or not isinstance(site, int):
            return None
        if not re.fullmatch(r"[a-z-]{1,40}", code):
            return None
        related = (self._related(said, "related"), self._related(said, "other"))
        where = self._place(site) or self._outer(code) or self.entry
        return Finding(where, severity, message[:500], FoundBy.TWIN, f"twin/{code}", sum(related, ()))

    def _related(self, said: Mapping[str, object], name: str) -> tuple[Related, ...]:
        site = said.get(f"{name}_site")
        place = self._place(site) if isinstance(site, int) and site else None
        return (Related(place, str(said.get(name))[:200]),) if place is not None else ()

    def _outer(self, code: str) -> Location | None:
        """Where the kernel's own text led to what ended the run, which was in a library's."""
        places = (self._place(site) for site in self.frames) if code in _ENDING else ()
        return next((place for place in places if place is not None), None)

    def _place(self, site: int) -> Location | None:
        """The statement at the call that ``site`` is the return address of.

        Where that lies in a function of a library that was inlined, the user's statement before it.
        """
        cube, offset = site >= _CUBE_SITES, site % _CUBE_SITES
        lines = next((part.lines for part in self.library.parts if part.cube == cube), None)
        if lines is None or offset == 0:
            return None
        places = (self._of_user(*place) for place in lines.leading_to(offset - 1))
        return next((place for place in places if place is not None), None)

    def _of_user(self, file: str, line_number: int) -> Location | None:
        """A line of the user's texts; None where it is another's."""
        if not file.startswith(f"{self.library.source}/"):
            return None
        path = os.path.normpath(os.path.relpath(file, self.library.source))
        text = self.texts.get(path)
        if text is None:
            return None
        written = text.splitlines()
        number = min(max(line_number - 1, 0), max(len(written) - 1, 0))
        line = written[number] if written else ""
        start = len(line) - len(line.lstrip())
        return Location(path, Range(Position(number, start), Position(number, max(len(line.rstrip()), start))))


def _read(launch: Launch, done: sandbox.Finished, folder: Path, reader: _Reader, target: Path) -> Ran:
    said = _said(folder / "findings.jsonl")
    frames = next((line["frames"] for line in said if "frames" in line), ())
    if isinstance(frames, list):
        reader = evolve(reader, frames=tuple(site for site in frames if isinstance(site, int)))
    findings = tuple(found for line in said for found in [reader.finding(line)] if found is not None)
    end = next((str(line["end"]) for line in said if "end" in line), "")
    what = next((str(line.get("what", "")) for line in said if "end" in line), "")
    undefined = _UNDEFINED.search(done.output) or _UNDEFINED.search(what)
    if undefined:
        return Ran((), findings, "lacks", _readable(undefined["symbol"]), done.isolation)
    if end == "not executed":
        return Ran((), findings, "lacks", what[:200], done.isolation)
    if end not in _ENDS:
        if done.ended == "timeout":
            raise EndedError(Outcome.RUNTIME_ERROR, f"the kernel did not end within {done.seconds:.0f} s")
        if not end and not (done.ended == "exit" and done.code in _NOT_STARTED):
            how = f"with status {done.code}" if done.ended == "exit" else f"by signal {done.code}"
            raise EndedError(Outcome.RUNTIME_ERROR, f"the kernel ended its own process, {how}")
        last = what or (done.output.strip().splitlines()[-1:] or [f"{done.ended} {done.code}"])[0]
        raise EndedError(Outcome.INFRA_ERROR, f"the twin's run failed: {last[:300]}")
    outputs = []
    for number in range(len(launch.case.outputs)):
        made, kept = folder / _output(number), target / f"{folder.name}-{number}.bin"
        for left, moved in ((made, kept), (writers_file(made), writers_file(kept))):
            if left.is_file() and not left.is_symlink():
                left.replace(moved)
        outputs.append(kept)
    printed = printed_lines(said, mixed=bool(launch.library.cores.cube and launch.library.cores.vector))
    shook = any(line.get("shook_hands") is True for line in said)
    return Ran(tuple(outputs), findings, end, "", done.isolation, done.spent, printed, shook)


def _said(path: Path) -> Sequence[Mapping[str, object]]:
    """The runtime's lines. It shares its process with the kernel: what is not as it should be is left out."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > _MOST_FINDINGS_BYTES:
        return ()
    lines = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            plain = json.loads(line)
        except ValueError:
            continue
        if isinstance(plain, dict):
            lines.append(plain)
    return lines


def _readable(symbol: str) -> str:
    """The qualified name in a mangled symbol, without its arguments: ``AscendC::Fixpipe``."""
    if not symbol.startswith("_Z"):
        return symbol
    rest = re.sub(r"^_ZN?K?", "", symbol)
    names = []
    while match := re.match(r"(\d+)", rest):
        length = int(match.group())
        start = match.end()
        names.append(rest[start : start + length])
        rest = rest[start + length :]
        if rest.startswith("I"):
            break
    return "::".join(names) or symbol
