"""Which chip an operator is written for, as its own files say: its folders, its definition, its build."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.chips import DEFAULT_CHIP, Chip, find_chip

_ARCHITECTURES = {"arch22": "dav-2201", "arch35": "dav-3510"}
"""What operator repositories call the folders of what is written for one instruction set."""
_EVENT = re.compile(
    r"\bAddConfig\s*\(\s*\"(?P<config>\w+)\"(?:\s*,\s*(?P<named>\w+))?|\"opFile\.value\"\s*,\s*(?:ge::AscendString\s*\(\s*)?\"(?P<file>\w+)\""
)
_CMAKE_COMMENT = re.compile(r"#[^\n]*")
_COMPILED_FOR = re.compile(r"--(?:npu|cce-aicore)-arch=(?P<name>dav-\d{4})\b")
_CACHED = re.compile(r"\bset\s*\(\s*CMAKE_ASC_ARCHITECTURES\s+\"?(?P<name>dav-\d{4})\b")
"""What CMake compiles for; the first value of a cached variable stays."""
_NAMED = re.compile(r"(?<![A-Za-z0-9])(?:ascend[0-9]{3}[a-z0-9_-]*|dav-\d{4})(?![A-Za-z0-9])", re.IGNORECASE)
_REGISTERS = re.compile(
    r"\b(?:MicroAPI|Reg)::\w|\bnamespace\s+(?:\w+\s*=\s*)?AscendC::(?:MicroAPI|Reg)\b|\b__VEC_SCOPE__\b"
    r"|\b__sim[dt]_(?:vf|callee)__|\bLAUNCH_BOUND\s*\("
)
"""What only the instruction set of registers and threads has."""
_BY_CHIP = re.compile(r"\b(?:__NPU_ARCH__|__CCE_AICORE__|__DAV_\w+)\b")


@frozen
class ChosenChip:
    """A chip, and what says that it is meant: a clause for people."""

    chip: Chip
    because: str


def chip_of(
    entry: str, hosts: Mapping[str, str], included: Iterable[str], builds: Mapping[str, str], texts: Iterable[str] = ()
) -> ChosenChip | None:
    """Return the chip that the kernel in ``entry`` is written for; None where nothing says.

    ``hosts`` are the texts of its host side, ``builds`` those of its build files, the nearest first, both by path;
    ``included`` the paths of what it includes, ``texts`` the kernel's own text and theirs. The folder it lies in says
    most, then which of the definition's configurations is built from it, then the folder that its headers lie in, then
    what the texts are written in, then the build. Of several chips that fit the default is taken where it is one of
    them, else the first.
    """
    folder = _by_folder([entry])
    if folder is not None:
        return folder
    configured = _configured(posixpath.splitext(posixpath.basename(entry))[0], hosts)
    headers = _by_folder(included)
    if headers is not None and (not configured or _same_architecture(headers.chip, configured)):
        return headers
    return _preferred(configured) or _by_texts(texts) or _by_build(builds)


def _by_texts(texts: Iterable[str]) -> ChosenChip | None:
    """The chip with registers and threads, for texts of which one uses them and none asks for a chip."""
    chip, word = find_chip("dav-3510"), ""
    for text in texts:
        plain = strip_comments(text) if "__" in text or "::" in text else ""
        if _BY_CHIP.search(plain):
            return None
        found = None if word else _REGISTERS.search(plain)
        word = re.sub(r"::\w$|\s*\($", "", found.group()) if found else word
    return ChosenChip(chip, f"{word} is of dav-3510 alone") if word and chip is not None else None


def _by_folder(paths: Iterable[str]) -> ChosenChip | None:
    """The chip that the folders of some paths name, where they name one."""
    found: dict[str, ChosenChip] = {}
    for path in paths:
        for folder in path.split("/")[:-1]:
            name = _ARCHITECTURES.get(folder, folder if folder.lower().startswith("ascend") else "")
            chip = find_chip(name)
            if chip is not None:
                found.setdefault(chip.architecture.value, ChosenChip(chip, f"the folder {folder}"))
    return next(iter(found.values())) if len(found) == 1 else None


def _configured(stem: str, hosts: Mapping[str, str]) -> list[ChosenChip]:
    """The chips of the definition's configurations that are built from the source called ``stem``."""
    found = []
    built: dict[str, str] = {}
    for path, text in hosts.items():
        if "AddConfig" not in text:
            continue
        file = ""
        files: dict[str | None, str] = {None: ""}  # by the variable that holds a configuration
        for match in _EVENT.finditer(strip_comments(text)):
            if match.group("file"):
                file = match.group("file")
                continue
            config = match.group("config")
            chip = find_chip(config)
            if chip is not None:
                built[config] = files.setdefault(match.group("named"), file)
                found.append((config, ChosenChip(chip, f'AddConfig("{config}") in {posixpath.basename(path)}')))
            if match.group("named"):
                file = ""
    own = [chosen for config, chosen in found if built[config] == stem]
    return own or [chosen for config, chosen in found if not built[config]]


def _by_build(builds: Mapping[str, str]) -> ChosenChip | None:
    for path, text in builds.items():
        plain = text if path.endswith(".json") else _CMAKE_COMMENT.sub("", text)
        cached = _CACHED.search(plain)
        names = [match.group("name") for match in _COMPILED_FOR.finditer(plain)]
        names = names or ([cached.group("name")] if cached else _NAMED.findall(plain))
        chosen = _preferred(list(_chips(dict.fromkeys(names), posixpath.basename(path))))
        if chosen is not None:
            return chosen
    return None


def _chips(names: Iterable[str], file: str) -> Iterator[ChosenChip]:
    for name in names:
        chip = find_chip(name)
        if chip is not None:
            yield ChosenChip(chip, f"{name} in {file}")


def _preferred(fitting: list[ChosenChip]) -> ChosenChip | None:
    usual = (one for one in fitting if one.chip.architecture is DEFAULT_CHIP.architecture)
    return next(usual, fitting[0] if fitting else None)


def _same_architecture(chip: Chip, fitting: Iterable[ChosenChip]) -> bool:
    return any(one.chip.architecture is chip.architecture for one in fitting)
